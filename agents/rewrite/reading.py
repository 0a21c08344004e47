"""What the text of a rewrite shows before anything is run, and where it goes in the original's file."""

import ast
from collections.abc import Iterator

from agents.code.modules.check import inspect_files, third_party
from agents.execution.syntax import NotPython3, parse
from agents.rewrite.task import Cause, Finding, Task
from kg.models.code import CodeUnit

__all__ = ["Definition", "definition", "in_place", "read"]

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef

REACHING = frozenset({
    "asyncio", "atexit", "builtins", "code", "codeop", "ctypes", "faulthandler", "fcntl", "ftplib", "gc", "http",
    "importlib", "inspect", "io", "marshal", "mmap", "multiprocessing", "os", "pathlib", "pickle", "pkgutil",
    "pty", "pytest", "requests", "resource", "runpy", "select", "shutil", "signal", "site", "smtplib", "socket",
    "ssl", "subprocess", "sys", "tempfile", "threading", "unittest", "urllib", "webbrowser", "xkg_inside",
})  # fmt: skip
"""Modules by which code reaches beyond its arguments and results."""
CALLS = frozenset({"__import__", "exec", "eval", "open", "compile", "breakpoint", "input", "globals", "__builtins__"})
ATTRIBUTES = frozenset({
    "__subclasses__", "__globals__", "__builtins__", "__loader__", "__code__", "f_back", "f_globals", "os", "_os",
    "sys", "_sys", "subprocess", "socket", "importlib", "builtins", "system", "popen",
})  # fmt: skip
"""The same by names that are called, and by what is taken out of other objects and modules."""
SHOWN = 8


def read(task: Task, source: str) -> Finding | None:
    """What is wrong with `source` as the module of `task`, None if nothing is to be seen."""
    try:
        tree = parse(source)
    except NotPython3 as error:
        return Finding(Cause.NOT_PYTHON, f"it is not Python: {error}")
    return _missing(task, tree) or _lacking(task, source) or _beyond(task, tree)


def _missing(task: Task, tree: ast.Module) -> Finding | None:
    """What it does not define."""
    if task.top not in {node.name for node in tree.body if isinstance(node, Definition)}:
        return Finding(Cause.NAME_MISSING, f"it defines no {task.top!r} at its top")
    if missing := _method_missing(tree, task.unit.symbol):
        return Finding(Cause.NAME_MISSING, f"its class {task.top!r} has no {missing!r}")
    return None


def _lacking(task: Task, source: str) -> Finding | None:
    """What it uses and does not have, or has only where the repository is."""
    files = task.files(source)
    wrong = [f"{found.what} ({found.kind})" for found in inspect_files(files) if found.file == task.file]
    if wrong:
        return Finding(Cause.NOT_ALONE, f"it uses what it does not have: {', '.join(wrong[:SHOWN])}")
    known = {*task.module.third_party, *third_party({path: files[path] for path in files if path != task.file})}
    if foreign := sorted(set(third_party(files)) - known):
        return Finding(Cause.NOT_ALONE, f"it imports {', '.join(foreign[:SHOWN])}, which the original does not")
    return None


def _beyond(task: Task, tree: ast.Module) -> Finding | None:
    """By what it reaches outside, and the original does not."""
    allowed: set[str] = set()
    for text in task.module.files.values():
        try:
            allowed.update(_reached(parse(text)))
        except NotPython3:
            continue
    if beyond := sorted(set(_reached(tree)) - allowed):
        return Finding(Cause.OVERREACH, f"it uses {', '.join(beyond[:SHOWN])}, which the original does not")
    return None


def _method_missing(tree: ast.Module, symbol: str) -> str:
    """The method that a symbol names and its class lacks; "" if it is there, or none is named."""
    top, _, method = symbol.partition(".")
    found = next((n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == top), None)
    if not method or "." in method:
        return ""
    names = {n.name for n in found.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)} if found else set()
    return "" if method in names else method


def _reached(tree: ast.AST) -> Iterator[str]:
    """The names in a text by which it may reach beyond its arguments and results."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (top for alias in node.names if (top := alias.name.partition(".")[0]) in REACHING)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (top for top in [(node.module or "").partition(".")[0]] if top in REACHING)
            yield from (alias.name for alias in node.names if alias.name in ATTRIBUTES)
        elif isinstance(node, ast.Name) and node.id in CALLS:
            yield node.id
        elif isinstance(node, ast.Attribute) and node.attr in ATTRIBUTES:
            yield node.attr


def in_place(text: str, unit: CodeUnit, module: str) -> str | None:
    """The text of the unit's file in which what `module` defines takes the place of `unit`, from right behind it on.

    None where that can't be done: in a file that is not Python 3, or for what is no function, class or method of one.
    """
    try:
        tree = parse(text)
    except NotPython3:
        return None
    top, _, rest = unit.symbol.partition(".")
    node = definition(tree, unit)
    if node is None or node.end_lineno is None or "." in rest:
        return None
    lines, indent = text.split("\n"), " " * node.col_offset
    added = [f"{indent}from {module} import {top}"]
    if rest:
        added = [
            f"{indent}from {module} import {top} as _rewritten_{top}",
            f"{indent}{top}.{rest} = vars(_rewritten_{top})[{rest!r}]",
        ]
    lines[node.end_lineno : node.end_lineno] = added
    changed = "\n".join(lines)
    try:
        parse(changed)
    except NotPython3:
        return None
    return changed


def definition(tree: ast.Module, unit: CodeUnit) -> Definition | None:
    """The function or class at the top of its file that `unit` is, or is a method of."""
    top = unit.symbol.partition(".")[0]
    return next((node for node in _defined(tree.body) if node.name == top and _holds(node, unit)), None)


def _holds(node: ast.stmt, unit: CodeUnit) -> bool:
    return node.lineno <= unit.end_line and (node.end_lineno or 0) >= unit.line


def _defined(body: list[ast.stmt]) -> Iterator[Definition]:
    """Functions and classes at the top of a file, also below a condition there."""
    for node in body:
        if isinstance(node, Definition):
            yield node
        elif isinstance(node, ast.If | ast.Try):
            yield from _defined([*node.body, *node.orelse])

"""What the text of a rewrite shows before anything is run, and where it goes in the original's file."""

import ast
import re
from collections.abc import Iterator

from agents.code.modules.check import inspect_files, third_party
from agents.code.verify.alike import Alike
from agents.execution.syntax import NotPython3, parse
from agents.rewrite.task import Cause, Finding, Task
from kg.models.code import CodeUnit

__all__ = ["Definition", "alone", "definition", "in_place", "judged_lines", "read"]

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
_LINE_END = re.compile(r"\r\n|\r|\n")
"""As Python counts lines."""


def alone(task: Task, source: str) -> str:
    """`source` without lines that import from the original's own modules nothing but what it defines at its top itself:
    left over where these were put together in one file, they would only fail."""
    try:
        tree = parse(source)
    except NotPython3:
        return source
    own = {path.partition("/")[0].removesuffix(".py") for path in task.module.files}
    defined = {node.name for node in tree.body if isinstance(node, Definition)}
    lines = _LINE_END.split(source)
    places = [(node.lineno, node.end_lineno or node.lineno) for node in tree.body]
    for node, (first, last) in zip(reversed(tree.body), reversed(places), strict=True):
        if (
            isinstance(node, ast.ImportFrom)
            and (node.level or (node.module or "").partition(".")[0] in own)
            and all(alias.name in defined and alias.asname in {None, alias.name} for alias in node.names)
            and sum(begin <= last and first <= end for begin, end in places) == 1  # no other statement on its lines
        ):
            del lines[first - 1 : last]
    return "\n".join(lines)


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


def judged_lines(task: Task, source: str) -> tuple[int, int]:
    """The first and last line of what is judged of a module: all of it or, of a method, that one and what the original
    does not have; the rest of its class stands around it as it was."""
    last = source.count("\n") + 1
    if "." not in task.unit.symbol:
        return 1, last
    alike = Alike()
    known = {(name, told) for text in task.module.files.values() for name, told, _ in _parts(text, alike)}
    parts = _parts(source, alike)
    found = [node for name, told, node in parts if name == task.unit.symbol or (name, told) not in known]
    lines = [(node.lineno, node.end_lineno or last) for node in found]
    return min((first for first, _ in lines), default=1), max((end for _, end in lines), default=last)


def _parts(text: str, alike: Alike) -> Iterator[tuple[str, str, ast.stmt]]:
    """Functions at the top of a file and methods of its classes, by name, and what else is assigned or done there, each
    as it is compared: without documentation and types."""
    try:
        tree = parse(text)
    except NotPython3:
        return
    alike.take(tree)
    waiting: list[tuple[str, ast.stmt]] = [("", node) for node in reversed(tree.body)]
    while waiting:
        around, node = waiting.pop()
        if isinstance(node, ast.ClassDef) and not around:
            waiting += [(f"{node.name}.", one) for one in reversed(node.body)]
        elif isinstance(node, Definition):
            body = [one for one in node.body if not _is_text(one)]
            given = node.args if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else None
            names = [one.arg for one in ast.walk(given) if isinstance(one, ast.arg)] if given else []
            defaults = [given.defaults, given.kw_defaults] if given else []
            yield f"{around}{node.name}", str([alike.told(body), names, *map(alike.told, defaults)]), node
        elif isinstance(node, ast.If | ast.Try):
            waiting += [(around, one) for one in reversed([*node.body, *node.orelse])]
        elif not isinstance(node, ast.Import | ast.ImportFrom | ast.Pass) and not _is_text(node):
            yield around, alike.told(node), node


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


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

"""Other texts of the same meaning, and the unit's calls put behind a wrapper: what no honest test can notice."""

import ast
import secrets
from collections.abc import Iterator

from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = ["SEEN_IN_LOCALS", "WRAPPERS", "names_in", "neutral", "wrapped"]

SEEN_IN_LOCALS = {"locals", "vars", "dir", "eval", "exec", "_getframe", "currentframe"}
"""What may see a function's variables: one that uses these gets none."""
WRAPPERS = "xkg_inside.values"
"""The module that a wrapped text imports."""
_COMPILED = {"njit", "jit", "vectorize", "guvectorize", "cfunc", "stencil", "script", "overload", "generated_jit"}
"""Decorators after which a function may be called by compiled code, where no wrapper can stand."""
_SPECIAL = {"__call__", "__getitem__", "__iter__", "__next__", "__len__", "__contains__"}
"""Special methods that are called for their result."""


def neutral(text: str, name: str = "") -> str:
    """`text` with an unused variable in every function: the same meaning, other source and byte code.

    A test that fails on it judges the text of the code and not what it does. `name` is the variable's (default: one
    that nobody can guess).
    """
    name = name or f"_{secrets.token_hex(4)}"
    try:
        tree = parse(text)
    except NotPython3:
        return f"{text}\n{name} = None\n"
    functions = (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    firsts = {(first.lineno, first.col_offset): first for f in functions if (first := _first(f)) is not None}
    lines = text.encode("utf-8").splitlines(keepends=True)
    for line, column in sorted(firsts, reverse=True):
        old = lines[line - 1]
        before, after = old[:column], old[column:]
        statement = f"{name} = None".encode()
        lines[line - 1] = before + statement + (b"\n" + before if not before.strip() else b"; ") + after
    changed = b"".join(lines).decode("utf-8") + f"\n{name} = None\n"
    return changed if _is_python(changed) else f"{text}\n{name} = None\n"


def _is_python(text: str) -> bool:
    try:
        parse(text)
    except NotPython3:
        return False
    return True


def _first(function: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt | None:
    """The first statement after the docstring, at its first decorator."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    if not body or getattr(body[0], "decorator_list", []):
        return None
    return None if names_in(function) & SEEN_IN_LOCALS else body[0]


def wrapped(
    text: str, unit: CodeUnit, call: str, methods: frozenset[str] | None = None, more: frozenset[str] = frozenset()
) -> str | None:
    """`text` with the calls of `unit` (of a class, of its public `methods`, by default all, with `more`) behind a
    wrapper.

    `call` is the call that makes the decorator, of a function of the harness's module of wrappers ("wrapped('shift')").
    None if the unit has nothing that is called for its result.
    """
    try:
        tree = parse(text)
    except NotPython3:
        return None
    name = f"_{secrets.token_hex(4)}"
    lines = text.split("\n")
    found = list(_functions(tree, unit, methods, more))
    if not found or any(_COMPILED & names_in(decorator) for each, _ in found for decorator in each.decorator_list):
        return None
    added = {(_line(function) - 1, 1): f"@{name}.{call}" for function, _ in found}
    added |= {(_line(outer) - 1, 0): f"import {WRAPPERS} as {name}" for _, outer in found}
    for at, order in sorted(added, reverse=True):
        lines[at:at] = [_indent(lines[at]) + added[at, order]]
    changed = "\n".join(lines)
    return changed if _is_python(changed) else None


def names_in(node: ast.AST) -> set[str]:
    """What is named in a node, and the attributes there."""
    return {getattr(part, "id", getattr(part, "attr", "")) for part in ast.walk(node)}


def _functions(
    tree: ast.Module, unit: CodeUnit, methods: frozenset[str] | None, more: frozenset[str]
) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, ast.stmt]]:
    """The functions to wrap, each with the statement at the top of the file or function that it stands in."""
    waiting: list[tuple[ast.AST, ast.stmt | None, bool]] = [(tree, None, False)]
    while waiting:
        node, outer, mine = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.stmt | ast.ExceptHandler):
                continue
            top = outer if outer is not None else child if isinstance(child, ast.stmt) else None
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                asked = child.name in methods if methods is not None else _is_public(child.name)
                asked = asked or child.name in more
                if top and ((mine and asked) or (unit.kind in {"function", "method"} and _is(child, unit))):
                    yield child, top
                continue
            inside = isinstance(child, ast.ClassDef)
            waiting.append(
                (child, top if inside else outer, mine or (isinstance(child, ast.ClassDef) and _is(child, unit)))
            )


def _is(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, unit: CodeUnit) -> bool:
    return node.name == unit.name and unit.line <= node.lineno <= unit.end_line


def _is_public(name: str) -> bool:
    return not name.startswith("_") or name in _SPECIAL


def _line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]

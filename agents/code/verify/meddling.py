"""Files that change what tests compute their expectations by, and functions that read their own documentation."""

import ast
import re
from collections.abc import Collection, Iterator

from agents.code.verify.possible import last
from agents.execution.syntax import NotPython3, parse

__all__ = ["changes", "dotted", "imported", "read_by_itself", "sets_own", "works_in_assert"]

_HINT = re.compile(r"\w\.\w+ *[-+*/|&]?=(?!=)|\.prec *= |\bsetattr\(")
_CHANGING = {"append", "extend", "insert", "add", "update", "pop", "popleft", "remove", "setdefault", "sort", "write"}
_PLACES = 28
"""Places of Decimal where nobody says more."""
_SHIFTED = {"sys", "os", "warnings", "logging", "signal", "gc"}
"""Modules whose parts are there to be set."""


def changes(text: str, own: Collection[str]) -> tuple[tuple[str, str], ...]:
    """Where a file puts something of its own in the place of a part of a library (``line 4: math.pi = 3``), each with
    the name of that part. Modules called as one of `own` are the repository's."""
    try:
        nodes = list(ast.walk(parse(text))) if _HINT.search(text) else []
    except NotPython3:
        return ()
    modules = {
        alias.asname or alias.name.partition(".")[0]: alias.name.partition(".")[0]
        for node in nodes if isinstance(node, ast.Import) for alias in node.names
    }  # fmt: skip
    libraries = {name for name, top in modules.items() if top not in own and top not in _SHIFTED}
    found = [(node, part) for node, library, part in _set(nodes) if library in libraries]
    found += [(node, part) for node in nodes for part in _blurs(node)]
    return tuple((f"line {getattr(node, 'lineno', 0)}: {ast.unparse(node)[:80]}", part) for node, part in found)


def _set(nodes: Collection[ast.AST]) -> Iterator[tuple[ast.AST, str, str]]:
    """Statements that set a part of what has a name: by an assignment, or by ``setattr``."""
    for node in nodes:
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AugAssign) else targets
        for target in targets:
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                yield node, target.value.id, target.attr
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "setattr":
            given = node.args[:2]
            if len(given) == 2 and isinstance(given[0], ast.Name) and isinstance(given[1], ast.Constant):
                yield node, given[0].id, str(given[1].value)


def sets_own(text: str, own: Collection[str]) -> tuple[tuple[str, str, str], ...]:
    """Where a file sets a part of a module of its repository outside of all functions, each with the part's name and
    what it is a part of, as an import would name that (``own.part``)."""
    try:
        tree = parse(text) if _HINT.search(text) else ast.Module([], [])
    except NotPython3:
        return ()
    called = imported(tree)
    outside = (
        node for node in tree.body if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    )
    found = []
    for node in (part for statement in outside for part in ast.walk(statement)):
        for owner, part in _parts_set(node):
            first, _, rest = owner.partition(".")
            meant = ".".join(filter(None, (called.get(first, first), rest)))
            if meant.startswith(".") or meant.partition(".")[0] in own:
                found.append((f"line {getattr(node, 'lineno', 0)}: {ast.unparse(node)[:80]}", part, meant))
    return tuple(found)


def imported(tree: ast.AST) -> dict[str, str]:
    """What names stand for that are imported anywhere in a file, as an import would name it."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {one.asname or one.name.partition(".")[0]: one.name if one.asname else one.name.partition(".")[0]
                      for one in node.names}  # fmt: skip
        elif isinstance(node, ast.ImportFrom):
            home = "." * node.level + (node.module or "")
            dot = "" if home.endswith(".") else "."
            found |= {one.asname or one.name: f"{home}{dot}{one.name}" for one in node.names}
    return found


def dotted(node: ast.AST) -> str:
    """``a.b.c`` as a text, "" for what is no such name."""
    if isinstance(node, ast.Attribute):
        return f"{before}.{node.attr}" if (before := dotted(node.value)) else ""
    return node.id if isinstance(node, ast.Name) else ""


def _parts_set(node: ast.AST) -> Iterator[tuple[str, str]]:
    """What a node sets a part of, with the part's name: by an assignment, by ``setattr`` or that of a MonkeyPatch."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    targets = [node.target] if isinstance(node, ast.AugAssign | ast.AnnAssign) else targets
    for target in targets:
        if isinstance(target, ast.Attribute) and (owner := dotted(target.value)):
            yield owner, target.attr
    if isinstance(node, ast.Call) and last(node.func) == "setattr":
        match node.args[:2]:
            case [ast.Constant(value=str(place)), *_]:
                yield place.rpartition(".")[0], place.rpartition(".")[2]
            case [owner_node, ast.Constant(value=str(part))] if owner := dotted(owner_node):
                yield owner, part


def works_in_assert(function: ast.FunctionDef | ast.AsyncFunctionDef | None) -> str:
    """Where a function does what it is for in an assertion, which ``python -O`` leaves out; "" if it does not."""
    asserted = (node for node in ast.walk(function) if isinstance(node, ast.Assert)) if function is not None else ()
    for node in asserted:
        for part in ast.walk(node.test):
            called = part.func if isinstance(part, ast.Call) else None
            if isinstance(part, ast.NamedExpr) or (isinstance(called, ast.Attribute) and called.attr in _CHANGING):
                return f"line {node.lineno}: {ast.unparse(node)[:80]}"
    return ""


def _blurs(node: ast.AST) -> Iterator[str]:
    """What is computed to fewer places than is usual from here on: tests see less by it."""
    match node:
        case ast.Assign(
            targets=[ast.Attribute(attr="prec", value=ast.Call(func=context))], value=ast.Constant(value=int(places))
        ) if last(context) == "getcontext" and places < _PLACES:
            yield "Decimal"


def read_by_itself(function: ast.FunctionDef | ast.AsyncFunctionDef | None) -> bool:
    """Whether a function reads its own documentation, in which answers may stand."""
    parts = ast.walk(function) if function is not None else ()
    found = (part for part in parts if isinstance(part, ast.Attribute) and part.attr == "__doc__")
    return any(isinstance(part.value, ast.Name) and function and part.value.id == function.name for part in found)

"""What a function returns: whether it may be None, also as what it was given or what others return; where it ends."""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator

from agents.code.verify.possible import last
from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = ["definition", "hands_on", "last_return", "may_return_none", "rebound"]

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_ALWAYS_SOMETHING = {
    "abs", "all", "any", "bool", "dict", "enumerate", "float", "frozenset", "int", "isinstance", "len", "list", "map",
    "ord", "chr", "range", "repr", "round", "set", "sorted", "str", "sum", "tuple", "zip", "bytes", "divmod",
}  # fmt: skip
_SOMETHING = {
    "count", "endswith", "find", "format", "index", "items", "join", "keys", "lower", "replace", "rfind", "rindex",
    "rstrip", "split", "splitlines", "startswith", "strip", "title", "upper", "values", "zfill", "lstrip",
}  # fmt: skip

_MADE = (
    ast.BinOp, ast.UnaryOp, ast.Compare, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.JoinedStr, ast.ListComp,
    ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda,
)  # fmt: skip
"""Expressions, and calls of built-in functions and methods, that are never None."""


def may_return_none(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Of a function that is called as it is defined; one that holds a None anywhere may return it."""
    parts = list(_own(node))
    if any(isinstance(part, ast.Yield | ast.YieldFrom | ast.Await) for part in parts) or _goes_on(node.body):
        return True
    held = [*node.body, *node.args.defaults, *filter(None, node.args.kw_defaults)]
    if any(isinstance(part, ast.Constant) and part.value is None for each in held for part in ast.walk(each)):
        return True
    values, returns = _Values(parts), [part for part in parts if isinstance(part, ast.Return)]
    return any(part.value is None or values.may_be_none(part.value) for part in returns)


class _Values:
    """What the variables of a function may hold."""

    def __init__(self, parts: list[ast.AST]) -> None:
        self.given: dict[str, list[ast.expr | None]] = defaultdict(list)
        for part in parts:
            if isinstance(part, ast.arg):
                self.given[part.arg].append(None)
            elif isinstance(part, ast.Assign):
                for target in part.targets:
                    self._assigned(target, part.value)
            elif isinstance(part, ast.AnnAssign | ast.NamedExpr):
                self._assigned(part.target, part.value)
            elif isinstance(part, ast.For | ast.comprehension):
                self._looped(part.target, part.iter)
            elif isinstance(part, ast.With | ast.AsyncWith):
                for item in part.items:
                    self._assigned(item.optional_vars, None)

    def _assigned(self, target: ast.expr | None, value: ast.expr | None) -> None:
        if isinstance(target, ast.Name):
            self.given[target.id].append(value)
        elif isinstance(target, ast.Tuple | ast.List):
            paired = isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts)
            values = value.elts if isinstance(value, ast.Tuple) and paired else [None] * len(target.elts)
            for each, one in zip(target.elts, values, strict=True):
                self._assigned(each.value if isinstance(each, ast.Starred) else each, one)

    def _looped(self, target: ast.expr, iterated: ast.expr) -> None:
        name = last(iterated.func) if isinstance(iterated, ast.Call) else ""
        zero = ast.Constant(0)
        if name == "range":
            return self._assigned(target, zero)
        if name == "enumerate" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
            self._assigned(target.elts[0], zero)
            return self._assigned(target.elts[1], None)
        return self._assigned(target, None)

    def may_be_none(self, value: ast.expr) -> bool:
        """Whether an expression may be None; one that is not known may."""
        waiting: list[ast.expr | None] = [value]
        followed = set[str]()
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Name) and node.id in self.given:
                waiting += self.given[node.id] if node.id not in followed else ()
                followed.add(node.id)
            elif isinstance(node, ast.IfExp):
                waiting += [node.body, node.orelse]
            elif isinstance(node, ast.BoolOp):
                waiting += node.values[-1:] if isinstance(node.op, ast.Or) else node.values
            elif not _is_something(node):
                return True
        return False


def _is_something(node: ast.expr | None) -> bool:
    """Whether an expression is never None by its form, or by the name of what it calls."""
    if isinstance(node, ast.Constant):
        return node.value is not None
    if not isinstance(node, ast.Call):
        return isinstance(node, _MADE)
    if isinstance(node.func, ast.Name):
        return node.func.id in _ALWAYS_SOMETHING
    return isinstance(node.func, ast.Attribute) and node.func.attr in _SOMETHING


def _own(node: _Function) -> Iterator[ast.AST]:
    """The syntax of a function without that of functions and classes in it."""
    waiting: list[ast.AST] = [node.args, *node.body]
    while waiting:
        part = waiting.pop()
        yield part
        if not isinstance(part, _Function | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(part)


def _goes_on(body: list[ast.stmt]) -> bool:
    """Whether the end of some statements may be reached."""
    last = body[-1] if body else None
    if isinstance(last, ast.Return | ast.Raise):
        return False
    if isinstance(last, ast.If):
        return not last.orelse or _goes_on(last.body) or _goes_on(last.orelse)
    if isinstance(last, ast.While):
        forever = isinstance(last.test, ast.Constant) and bool(last.test.value)
        return not forever or any(isinstance(part, ast.Break) for part in ast.walk(last))
    return True


def definition(text: str, unit: CodeUnit) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The function of a file with `text` that a unit is; None for what is none, or can't be parsed."""
    try:
        nodes = ast.walk(parse(text))
    except NotPython3:
        return None
    inside = (node for node in nodes if isinstance(node, _Function) and unit.line <= node.lineno <= unit.end_line)
    return next((node for node in inside if node.name == unit.name), None)


def hands_on(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The parameter of a function that is called with others of its parameters, as all that it does; "" for none.

    What stands beside in tests does the work then. A method of what is given (``x.mean()``) is the library's.
    """
    body = [part for part in node.body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))]
    value = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
    listed = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    names = {one.arg for one in listed if one.arg not in ("self", "cls")}
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name) or value.func.id not in names:
        return ""
    given = [*value.args, *(one.value for one in value.keywords)]
    given = [one.value if isinstance(one, ast.Starred) else one for one in given]
    return value.func.id if all(isinstance(one, ast.Name | ast.Constant) for one in given) else ""


def rebound(unit: CodeUnit, text: str, brings: Callable[[str, str, str], bool] = lambda *_: True) -> str:
    """Where a module of `text` gives the name of a function of its own to something else that it has made itself or
    brings from elsewhere (``line 9: f = mended(f)``), so that this and not the function is called by it; "" if it does
    not. What a library makes of a function, as a compiled one, stands for it. `brings` tells whether a module, as a
    file imports it, is one of the repository that has a name: what is compiled may not be there."""
    try:
        body = parse(text).body
    except NotPython3:
        return ""
    own = {node.name for node in body if isinstance(node, _Function | ast.ClassDef)}
    for node in body if unit.kind == "function" else ():
        names = [getattr(target, "id", "") for target in node.targets] if isinstance(node, ast.Assign) else []
        if unit.symbol in names and isinstance(node, ast.Assign) and node.lineno > unit.end_line:
            parts = list(ast.walk(node.value))
            made = {part.func.id for part in parts if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)}
            if made & own or any(isinstance(part, ast.Lambda) for part in parts):
                return f"line {node.lineno}: {ast.unparse(node)[:80]}"
    later = (part for node in body if node.lineno > unit.end_line for part in _at_import(node))
    for node in later if unit.kind == "function" else ():
        brought = _brought(node, unit.name) if isinstance(node, ast.ImportFrom) else None
        if brings(unit.file, *brought) if brought else _binds(node, unit.name):
            return f"line {node.lineno}: {ast.unparse(node).partition(chr(10))[0][:80]}"
    return ""


def _at_import(node: ast.stmt) -> Iterator[ast.stmt]:
    """A statement and those in it that run when a module is imported, those of functions and classes apart."""
    yield node
    if not isinstance(node, _Function | ast.ClassDef):
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.stmt):
                yield from _at_import(part)
            elif isinstance(part, ast.ExceptHandler | ast.match_case):
                yield from (each for one in part.body for each in _at_import(one))


def _brought(node: ast.ImportFrom, name: str) -> tuple[str, str] | None:
    """The module from which a name is brought, and what it is called there; None if it is not."""
    called = {alias.asname or alias.name: alias.name for alias in node.names} | {"*": name}
    found = name if name in called else "*" if node.names[0].name == "*" else ""
    return ("." * node.level + (node.module or ""), called[found]) if found else None


def _binds(node: ast.stmt, name: str) -> bool:
    """Whether a statement gives a name to something else, or may by one that it makes up."""
    if isinstance(node, ast.Import):
        return any((alias.asname or alias.name) == name for alias in node.names)
    if isinstance(node, _Function | ast.ClassDef):
        return node.name == name
    targets = node.targets if isinstance(node, ast.Assign) else []
    called = node.value if isinstance(node, ast.Expr) else None
    made = isinstance(called, ast.Call) and isinstance(called.func, ast.Attribute) and called.func.attr == "update"
    held = [target.value for target in targets if isinstance(target, ast.Subscript)]
    held += (
        [called.func.value] if made and isinstance(called, ast.Call) and isinstance(called.func, ast.Attribute) else []
    )
    return any(isinstance(one, ast.Call) and last(one.func) in ("globals", "vars") for one in held)


def last_return(text: str, unit: CodeUnit) -> int:
    """The line of the return that a function of a file ends with; 0 if it ends otherwise, hands back an argument, or
    only comes there where rounding, or a limit of rounds, has kept a loop from returning."""
    node = definition(text, unit)
    if node is None:
        return 0
    given = {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
    end = node.body[-1]
    if not isinstance(end, ast.Return) or (isinstance(end.value, ast.Name) and end.value.id in given):
        return 0
    return 0 if end.value is not None and _is_as_in_loop(end.value, node.body[-2:-1]) else end.lineno


def _is_as_in_loop(value: ast.expr, before: list[ast.stmt]) -> bool:
    """Whether a value is made just as what the loop before it returns, or is the last item, or place, of what this goes
    through until a sum is reached."""
    if not before or not isinstance(before[0], ast.For | ast.While):
        return False
    parts = list(ast.walk(before[0]))
    returned = [part.value for part in parts if isinstance(part, ast.Return) and part.value is not None]
    names = {one.id for one in returned if isinstance(one, ast.Name)}
    made = [
        part.value for part in parts if isinstance(part, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id in names for target in part.targets)
    ]  # fmt: skip
    if ast.unparse(value) in {ast.unparse(one) for one in made}:
        return True
    summed = {ast.unparse(part.target) for part in parts if isinstance(part, ast.AugAssign)}
    asked = [part.test for part in parts if isinstance(part, ast.If) and isinstance(part.body[-1], ast.Return)]
    reached = any(ast.unparse(part) in summed for test in asked for part in ast.walk(test))
    through = before[0].iter if isinstance(before[0], ast.For) and reached else None
    items = {part.id for part in ast.walk(through) if isinstance(part, ast.Name)} if through else set()
    while isinstance(value, ast.Subscript) and ast.unparse(value.slice) != "-1":
        value = value.value
    said = ast.unparse(value)
    return any(said in (f"{name}[-1]", f"len({name}) - 1") for name in items)

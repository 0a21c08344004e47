"""Code that asks for the date, and so may do other things tomorrow than its tests show today.

Only a comparison of the clock with a fixed point in time counts: an hour, a weekday, a deadline that is given, a time
that has passed since another ask for nothing of the kind, and neither does what only warns.
"""

import ast
from collections.abc import Iterable, Iterator

from agents.code.verify.possible import base_of, last

__all__ = ["HINTS", "datings", "warned"]

HINTS = ("time", "date", "now(", "today(")
"""What holds none of these asks for no date."""
_CLOCKS = {"time", "time_ns", "now", "utcnow", "today", "gmtime", "localtime", "timestamp"}
_POINTS = {
    "datetime",
    "date",
    "Timestamp",
    "fromisoformat",
    "strptime",
    "fromtimestamp",
    "mktime",
    "timegm",
    "datetime64",
}
_WARNINGS = {"warn", "warning", "info", "debug", "error", "log", "print", "deprecated"}
_WARNERS = {"log", "logger", "logging", "warnings"}
"""What these belong to; ``print`` belongs to nothing."""
_SAYING = {"format", "int", "repr", "round", "str"}
"""What may be called to say it: anything else may do something."""
EPOCH, FIRST_YEAR = 1e8, 1990
"""Seconds, of which a larger number may be a point in time, and years that may be one."""


def datings(scope: ast.AST) -> Iterator[ast.AST]:
    """Comparisons in a function, or in a statement outside of all, that ask whether a fixed day has come."""
    nodes = list(ast.walk(scope))
    values: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            values.setdefault(node.targets[0].id, []).append(node.value)
    known = {name: given[0] for name, given in values.items() if len(given) == 1}
    harmless = warned(nodes)
    for node in nodes:
        if isinstance(node, ast.Compare) and id(node) not in harmless:
            sides = [known.get(side.id, side) if isinstance(side, ast.Name) else side
                     for side in (node.left, *node.comparators)]  # fmt: skip
            clocks = [side for side in sides if _is_clock(side, known)]
            if clocks and any(_is_point(side, _of_year(clocks[0])) for side in sides if side not in clocks):
                yield node


def warned(nodes: Iterable[ast.AST]) -> set[int]:
    """The parts, by their ids, of conditions by which nothing is done but that somebody is warned."""
    only = (node for node in nodes if isinstance(node, ast.If) and not node.orelse and all(map(_warns, node.body)))
    return {id(part) for node in only for part in ast.walk(node.test)}


def _warns(node: ast.stmt) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or last(call.func) not in _WARNINGS:
        return False
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    named = {name.lower().strip("_") for name in (base_of(owner), last(owner))} if owner is not None else set[str]()
    given = [part for value in (*call.args, *(one.value for one in call.keywords)) for part in ast.walk(value)]
    doing = any(isinstance(part, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom) for part in given)
    called = {last(part.func) for part in given if isinstance(part, ast.Call)}
    by = bool(named & _WARNERS) or (isinstance(call.func, ast.Name) and call.func.id == "print")
    return by and not doing and called <= _SAYING


def _is_clock(node: ast.expr, known: dict[str, ast.expr]) -> bool:
    """Whether it is the time that it is, or a part of that, and nothing is taken away from it."""
    while True:
        if isinstance(node, ast.Name) and node.id in known:
            node, known = known[node.id], {}
        elif isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call) and last(node.func) in {"int", "float", "round"} and len(node.args) == 1:
            node = node.args[0]
        elif isinstance(node, ast.Call) and last(node.func) in _CLOCKS and isinstance(node.func, ast.Attribute):
            inner = node.func.value
            if node.func.attr == "timestamp" and not isinstance(inner, ast.Call):
                return False
            return not isinstance(inner, ast.Call) or _is_clock(inner, known)
        else:
            return isinstance(node, ast.Call) and last(node.func) in {"time", "time_ns", "localtime", "gmtime"}


def _of_year(node: ast.expr) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == "year") or isinstance(node, ast.Subscript)


def _is_point(node: ast.expr, of_year: bool) -> bool:
    """Whether it is a fixed point in time: a large number, a year, or a date that is made of plain values."""
    if isinstance(node, ast.Constant):
        value = node.value if isinstance(node.value, int | float) and not isinstance(node.value, bool) else 0
        return value >= EPOCH or (of_year and value >= FIRST_YEAR)
    if isinstance(node, ast.Tuple):
        return of_year and bool(node.elts) and _is_point(node.elts[0], True)
    if not isinstance(node, ast.Call) or last(node.func) not in _POINTS:
        return isinstance(node, ast.Call) and last(node.func) in {"timestamp", "date"} and not node.args and (
            isinstance(node.func, ast.Attribute) and _is_point(node.func.value, of_year))  # fmt: skip
    given = [*node.args, *(word.value for word in node.keywords if word.arg not in {"tz", "tzinfo"})]
    return bool(given) and all(isinstance(one, ast.Constant) or last(one) in {"utc", "UTC"} for one in given)

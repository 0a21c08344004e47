"""Holds a function against the formula that its documentation gives, on arguments that tell it from others. Standard
library only, Python 3.6 or later.

A formula is data, a tree of lists: ``["number", 2.0]``, ``["name", parameter]``, ``["n"]`` and ``["mean"]`` of the only
list, ``["element"]`` for its items, ``["neg", tree]``, ``[operator, tree, tree]``, ``["call", function, tree, ...]`` of
a function listed here, ``["unit", name, tree, ...]`` of one that is given or stands in the same module, and
``["free", name]`` for what the function that is returned takes. It may be misread: what was really given must come out
as it says, and what raises, or is of another kind, is not judged.
"""

import copy
import functools
import inspect
import itertools
import math
import types
from typing import Any, Dict

from .definitions import judged, near, numbers_of
from .fresh import inputs
from .kinds import nested
from .structure import Digest
from .textbook import Disagrees, is_whole, plain, shown

__all__ = ["NeverSo", "contradiction", "note"]

LOGARITHMS = (math.e, 2, 10)
"""Bases that "log" may mean."""
DECIMALS, ROUNDING = 6, 1e-9
OPERATIONS, LONG, FAR = ("+", "-", "*", "/", "//", "%", "**", "call"), 3, 0.01
"""What stands between the parts of a formula, how much of it a whole one has, and what no rounding does."""
_FREE = (0, 1, 2, 3.5, -1.5, 5, -4)
_CALLED = ((lambda x: 2 * x + 3), (lambda x: x * x - 1), (lambda x: 7 - x))


class NeverSo(Exception):
    """A real call does not give what a whole formula says: if none does, that is no other way of reading it."""


def note(seen, promise, target, args, kwargs):
    """Keep what a real call was given; whether that is of another kind than before."""
    try:
        given = _bound(target, args, kwargs).arguments
        return seen.note(_used(promise["args"][0], given), given)
    except (TypeError, ValueError):
        return False


def contradiction(seen, promise, target, args, kwargs):
    """What a function gives against its formula, for people: "" for nothing, None where nothing can be told.

    `args` and `kwargs` are those of a real call, `seen` tells of all of them. Raises Disagrees if that call already
    shows another meaning, NeverSo if it may show that the formula is none of the function's.
    """
    tree, labels = promise["args"]
    bound = _bound(target, args, kwargs)
    given = dict(bound.arguments)
    module = getattr(inspect.unwrap(target), "__globals__", {})
    calls = functools.partial(_called, target, bound)
    if any(node[0] == "free" for node in _nodes(tree)):
        return _of_function(tree, given, module, calls)
    readings = _readings(tree, given, module)
    if not readings:
        return None
    found = calls(given)
    if not any(_agrees(found, reading) for reading in readings):
        if _is_whole_of(tree, given) and all(_is_far(found, reading) for reading in readings):
            raise NeverSo(_told_of(found, given, sorted(given), readings))
        raise Disagrees
    for others in inputs(seen, given, labels, _reduces(tree)):
        readings = _readings(tree, others, module)
        try:
            found = calls(others)
        except Exception:  # noqa: BLE001, S112 -- it is not made for these
            continue
        if not readings or not _is_like(found, readings[0]):
            continue
        whole = _readings(_floored(tree), others, module) if is_whole(found) else []
        slack = ROUNDING * (_divides(tree) or not all(is_whole(others[name]) for name in seen.names))
        if not any(_allowed(found, reading, slack) for reading in readings + whole):
            return _told_of(found, others, seen.names, readings)
    return ""


def _told_of(found, given, names, readings):
    said = ", ".join("%s = %s" % (name, shown(given[name])) for name in names)
    return "%s for %s, its formula gives %s" % (shown(found), said, shown(readings[0]))


def _is_whole_of(tree, given):
    """Whether a formula speaks of every parameter, and is long enough to be no passing remark: then a function that
    never does what it says has another formula, and not another way of being read."""
    operations = [node for node in _nodes(tree) if node[0] in OPERATIONS]
    return len(given) > 1 and set(_used(tree, given)) == set(given) and len(operations) >= LONG


def _is_far(found, wanted):
    """Whether numbers of the same kind are not what is wanted, by more than any rounding."""
    if numbers_of(wanted) is None or not _is_like(found, wanted):
        return False
    pairs = list(zip(numbers_of(found)[1], numbers_of(wanted)[1]))
    return any(abs(one - other) > FAR * (abs(one) + abs(other)) for one, other in pairs)


def _bound(target, args, kwargs):
    bound = inspect.signature(target).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound


def _called(target, bound, arguments):
    again = copy.copy(bound)
    again.arguments = type(bound.arguments)((name, copy.deepcopy(arguments[name])) for name in bound.arguments)
    return plain(target(*again.args, **again.kwargs))


def _of_function(tree, given, module, calls):
    """Of a function that returns a function."""
    functions = [name for name in _used(tree, given) if callable(given[name])]
    others = dict(given, **dict(zip(functions, _CALLED)))
    agreed, contradicted = False, ""
    for real, arguments in ((True, given), (False, others)):
        for x in _FREE:
            try:
                found, wanted = plain(calls(arguments)(x)), _Evaluated(arguments, module, math.e, x).value(tree)
            except Exception:  # noqa: BLE001, S112 -- it is not made for these
                continue
            if numbers_of(found) is None or numbers_of(wanted) is None:
                continue
            same = near(numbers_of(found)[1][0], numbers_of(wanted)[1][0])
            agreed = agreed or (same and real)
            if not same and not contradicted:
                told = "%s = %s" % ("x", shown(x))
                contradicted = "%s at %s, its formula gives %s" % (shown(found), told, shown(wanted))
    if contradicted and not agreed:
        raise Disagrees
    return contradicted if agreed else None


def _nodes(tree):
    yield tree
    for part in tree[1:]:
        if isinstance(part, (list, tuple)):
            for node in _nodes(part):
                yield node


def _used(tree, given):
    """The names of parameters, with that of the only list where a formula speaks of its items."""
    nodes = list(_nodes(tree))
    found = {node[1] for node in nodes if node[0] in ("name", "unit") and node[1] in given}
    if any(node[0] in ("n", "mean", "element") for node in nodes):
        found.update(_lists(given))
    return sorted(found)


def _lists(given):
    """Lists of numbers, by name."""
    found = {name: numbers_of(value) for name, value in given.items()}
    return {name: numbers[1] for name, numbers in found.items() if numbers and len(numbers[0]) == 1}


def _floored(tree):
    """With every division that of whole numbers."""
    return ["//" if part == "/" else _floored(part) if isinstance(part, (list, tuple)) else part for part in tree]


def _divides(tree):
    return any(node[0] == "/" for node in _nodes(tree))


def _reduces(tree):
    return any(node[0] in ("n", "mean", "element") or node[:2] == ["call", "sum"] for node in _nodes(tree))


def _readings(tree, given, module):
    """All results that the formula may mean, none where it can't be told."""
    found = []
    several = any(node[:2] == ["call", "log"] for node in _nodes(tree))
    for base in LOGARITHMS if several else LOGARITHMS[:1]:
        try:
            value = _Evaluated(given, module, base).value(tree)
        except Exception:  # noqa: BLE001, S112 -- functions of the module may raise anything
            continue
        if numbers_of(value) is None or judged(numbers_of(value)):
            found.append(value)
    return found


def _is_like(found, wanted):
    """Whether a result is of the kind of one that is wanted."""
    one, other = numbers_of(found), numbers_of(wanted)
    if other is None:
        return type(found) is type(wanted)
    return judged(one) and _sizes(one) == _sizes(other)


def _sizes(numbers):
    return numbers[0] if len(numbers[1]) > 1 else ()


def _agrees(found, wanted, alike=near):
    """Whether a result is that of the formula, but for rounding."""
    if not _is_like(found, wanted):
        return False
    one, other = numbers_of(found), numbers_of(wanted)
    if other is None:
        digests = Digest(found), Digest(wanted)
        return digests[0].text == digests[1].text or any(digest.opaque for digest in digests)
    return all(map(alike, one[1], other[1]))


def _allowed(found, wanted, slack):
    """The same, if it may be rounded to some decimals or, where it is whole, up or down, or cut off at 0 or 1; `slack`
    is how far a number may be from the whole one that it is."""
    if is_whole(found) and _agrees(found, wanted, functools.partial(_is_beside, slack)):
        return True
    return _agrees(found, wanted, _may_be)


def _is_beside(slack, found, wanted):
    slack *= 1 + abs(wanted)
    return math.floor(wanted - slack) <= found <= math.ceil(wanted + slack)


def _may_be(found, wanted):
    if near(found, wanted) or (found == 0 and wanted < 0) or (found == 1 and wanted > 1):
        return True
    return any(abs(found - wanted) <= 0.501 * 10.0**-n and round(found, n) == found for n in range(DECIMALS))


class _Evaluated:
    """A formula, of these arguments."""

    def __init__(self, given, module, base, free=None):
        self.given, self.module, self.base, self.free = given, module, base, free

    def value(self, tree):
        """A number, a list of numbers, lists of them, or what a function of the module gives."""
        kind = tree[0]
        if kind == "name":
            return self.given[tree[1]]
        if kind == "free":
            return self.free
        if kind == "unit":
            function = self.given.get(tree[1], self.module.get(tree[1]))
            if tree[1] not in self.given and not isinstance(function, types.FunctionType):
                raise ValueError("no function of the module")
            return plain(function(*[copy.deepcopy(self.value(part)) for part in tree[2:]]))
        shape, flat = self.numbers(tree)
        return nested(shape, iter(flat)) if shape else flat[0]

    def numbers(self, tree):  # noqa: PLR0911 -- one return for each sort of node
        """(Shape, numbers in order)."""
        kind = tree[0]
        if kind == "number":
            return (), [tree[1]]
        if kind in ("name", "free", "unit"):
            return _sure(numbers_of(self.value(tree)))
        if kind == "n":
            return (), [float(len(self.items()))]
        if kind == "mean":
            return (), [math.fsum(self.items()) / len(self.items())]
        if kind == "element":
            return (len(self.items()),), self.items()
        if kind == "neg":
            shape, flat = self.numbers(tree[1])
            return shape, [-x for x in flat]
        parts = [self.numbers(part) for part in (tree[2:] if kind == "call" else tree[1:])]
        function = _FUNCTIONS.get(tree[1]) if kind == "call" else _OPERATORS[kind]
        if kind == "call" and tree[1] == "log":
            base = self.base
            return _each(lambda x: math.log(x) / math.log(base), parts)
        if kind == "call" and tree[1] in _OF_ALL and len(parts) == 1:
            if len(parts[0][0]) != 1:
                raise ValueError("of all, or along an axis?")
            return (), [float(_OF_ALL[tree[1]](parts[0][1]))]
        return _each(_sure(function), parts)

    def items(self):
        """Those of the only list."""
        lists = list(_lists(self.given).values())
        if len(lists) != 1:
            raise ValueError("which list?")
        return lists[0]


def _sure(value):
    if value is None:
        raise ValueError("no number")
    return value


def _each(function, parts):
    """Of numbers, and of all numbers of what has one shape."""
    shapes = {shape for shape, _ in parts if shape}
    if len(shapes) > 1:
        raise ValueError("of different shapes")
    shape = next(iter(shapes), ())
    size = functools.reduce(int.__mul__, shape, 1)
    columns = [flat if of else itertools.repeat(flat[0], size) for of, flat in parts]
    found = [function(*row) for row in zip(*columns)]
    if any(isinstance(x, complex) or not math.isfinite(x) for x in found):
        raise ValueError("no finite number")
    return shape, found


def _sigmoid(x):
    return 1 / (1 + math.exp(-x))


_OPERATORS: Dict[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "**": lambda a, b: float(a) ** b,
}
_OF_ALL: Dict[str, Any] = {
    "sum": math.fsum,
    "mean": lambda line: math.fsum(line) / len(line),
    "len": len,
    "prod": lambda line: functools.reduce(lambda a, b: a * b, line, 1.0),
    "max": max,
    "min": min,
}
_FUNCTIONS: Dict[str, Any] = {
    name: getattr(math, name)
    for name in ("exp", "log2", "log10", "log1p", "expm1", "sqrt", "floor", "ceil", "sin", "cos", "tan", "sinh", "cosh")
    + ("tanh", "atan", "erf")
}
_FUNCTIONS.update(ln=math.log, abs=abs, max=max, min=min, sigmoid=_sigmoid)

"""What functions are by their names, checked on arguments that fit them. Standard library only, Python 3.6 or later.

Each check calls the unit and asserts against the textbook definition, written here in plain Python. Arrays of every
library are compared as nested lists of floats.
"""

import copy
import importlib
import math
import random
from typing import Any, Callable, List, Sequence

NEAR = 1e-4


class Unfit(Exception):
    """The arguments are none that the function is made for."""


def array(library: str, shape: Sequence[int], kind: str = "normal") -> Any:
    """An array of `library` ("" for nested lists) with repeatable numbers of a `kind`: normal, missing (every third one
    NaN, but the first of each row), time."""
    source = random.Random(7)  # noqa: S311 -- test data
    count = [0]

    def number(index: int) -> Any:
        count[0] += 1
        value = source.gauss(0, 1)
        if kind == "missing":
            return float("nan") if count[0] % 3 == 0 else value
        return float(index) if kind == "time" else value

    def build(left: Sequence[int], index: int) -> Any:
        if not left:
            return number(index)
        deep = kind == "time" and len(left) == 2
        return [build(left[1:], i if deep or len(left) > 1 or kind != "time" else index) for i in range(left[0])]

    values = build(list(shape), 0)
    if library == "torch":
        return importlib.import_module("torch").tensor(values)
    if library in ("numpy", "jax"):
        return importlib.import_module("numpy" if library == "numpy" else "jax.numpy").array(values)
    return values


def plain(value: Any) -> Any:
    """Nested lists of floats."""
    for name in ("detach", "tolist"):
        if hasattr(value, name):
            value = getattr(value, name)()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def flat(value: Any) -> List[float]:
    """All numbers in order."""
    value = plain(value)
    if isinstance(value, (list, tuple)):
        return [number for item in value for number in flat(item)]
    return [float(value)]


def shape(value: Any) -> List[int]:
    """The lengths along each axis of nested lists."""
    found = []
    while isinstance(value, list):
        found.append(len(value))
        value = value[0] if value else None
    return found


def same(found: Any, wanted: Any) -> None:
    """Assert that two arrays have the same shape and nearly the same numbers; NaN equals NaN."""
    found, wanted = plain(found), plain(wanted)
    assert shape(found) == shape(wanted), "shape %s instead of %s" % (shape(found), shape(wanted))
    for a, b in zip(flat(found), flat(wanted)):
        near = (math.isnan(a) and math.isnan(b)) or a == b or abs(a - b) <= NEAR * (1 + abs(b))
        assert near, "%r instead of %r" % (a, b)


def f1(unit: Callable[..., Any], *arguments: Any) -> None:
    """F1 is the harmonic mean of precision and recall, which lie between 0 and 1 and are not trivial here."""
    result = unit(*arguments)
    assert isinstance(result, dict), "no names in the result"
    p, r, f = (float(result[name]) for name in ("precision", "recall", "f1"))
    if not (0 < p < 1 and 0 < r < 1):
        raise Unfit("counts that belong to no result")
    assert abs(f - 2 * p * r / (p + r)) <= NEAR
    counts = next((a for a in arguments if isinstance(a, dict)), {})
    shares = [a / b for a in counts.values() for b in counts.values() if b and a != b]
    assert any(abs(p - share) <= NEAR for share in shares)
    assert any(abs(r - share) <= NEAR for share in shares)


def imputed(unit: Callable[..., Any], how: str, *arguments: Any) -> None:
    """What was observed stays; what was missing becomes what `how` says: zero, forward or linear."""
    given = copy.deepcopy(arguments)
    before, result = _missing(plain(list(given))), plain(unit(*arguments))
    path, values = before
    found = result
    for key in path[1:]:
        found = found[key]
    if isinstance(found, list) and shape(found) != shape(values) and found and shape(found[0]) == shape(values):
        found = found[0]
    assert shape(found) == shape(values), "shape %s instead of %s" % (shape(found), shape(values))
    for old, new in zip(flat(values), flat(found)):
        assert math.isnan(old) or abs(old - new) <= NEAR, "an observed %r became %r" % (old, new)
    if how == "zero":
        assert all(new == 0 for old, new in zip(flat(values), flat(found)) if math.isnan(old))
    else:
        fill = _forward if how == "forward" else _linear
        wanted = [_along(values, axis, fill) for axis in range(len(shape(values)))]
        wanted = [other for other in wanted if not _equal(other, values)]  # there was something to fill
        assert any(_equal(found, other) for other in wanted), "not %s along any axis" % how
    if isinstance(result, dict) and isinstance(given[0], dict):
        for key, item in plain(given[0]).items():
            if key in result and key != (path[1] if len(path) > 1 else None):
                same(result[key], item)


def _missing(value: Any) -> Any:
    """The path to the first array that holds NaN, and the array."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        if isinstance(item, list) and not any(isinstance(part, dict) for part in item):
            if any(math.isnan(number) for number in flat(item)):
                return [key], item
        elif isinstance(item, (dict, list)):
            path, found = _missing(item)
            if found is not None:
                return [key] + path, found
    return [], None


def _along(value: Any, axis: int, fill: Callable[[List[float]], List[float]]) -> Any:
    if axis == 0:
        if not isinstance(value[0], list):
            return fill(value)
        parts = [_along([row[i] for row in value], 0, fill) for i in range(len(value[0]))]
        return [[part[i] for part in parts] for i in range(len(value))]
    return [_along(item, axis - 1, fill) for item in value]


def _forward(row: List[float]) -> List[float]:
    done: List[float] = []
    for number in row:
        done.append(done[-1] if math.isnan(number) and done else number)
    return done


def _linear(row: List[float]) -> List[float]:
    known = [i for i, number in enumerate(row) if not math.isnan(number)]
    done = list(row)
    for left, right in zip(known, known[1:]):
        for i in range(left + 1, right):
            done[i] = row[left] + (row[right] - row[left]) * (i - left) / (right - left)
    return done


def _equal(found: Any, wanted: Any) -> bool:
    try:
        same(found, wanted)
    except AssertionError:
        return False
    return True

"""What a text may say of a function's results, checked on arguments that fit it. Standard library only, Python 3.6+.

Each check asserts what must hold of any result, and raises Unfit where holding would say nothing: a function that gives
the same for all numbers is invariant under everything.
"""

import copy
import math
import random
import sys
from typing import Any, Callable, List, Sequence

from .checks import NEAR, Unfit, flat, plain, same, shape

MANY = 3.0


def changed(value: Any, times: float, plus: float) -> Any:
    """``times * value + plus`` for an array of any library, or for nested lists."""
    if isinstance(value, (list, tuple)):
        return [changed(item, times, plus) for item in value]
    return value * times + plus


def numbers(result: Any) -> List[float]:
    """All numbers of a result, of which there is one at least. Raises Unfit for what holds none."""
    assert result is not None, "there is no result"
    try:
        found = flat(result)
    except (TypeError, ValueError):
        raise Unfit("the result holds something else than numbers") from None
    assert found, "the result is empty"
    assert not any(math.isnan(number) for number in found), "a number of the result is NaN"
    return found


def told_apart(unit: Callable[..., Any], x: Any) -> Any:
    """The result for `x`; raises Unfit if it is the same for numbers that are nothing like those of `x`."""
    result = plain(unit(copy.deepcopy(x)))
    if _alike(unit(_squares(x)), result):
        raise Unfit("the result is the same for other numbers")
    return result


def _squares(value: Any) -> Any:
    """``x * x + x`` for each number."""
    return [_squares(item) for item in value] if isinstance(value, (list, tuple)) else value * value + value


def _alike(found: Any, wanted: Any) -> bool:
    try:
        same(found, wanted)
    except (AssertionError, TypeError, ValueError):
        return False
    return True


def unmoved(unit: Callable[..., Any], how: str, x: Any) -> None:
    """The result does not change when the same is added to all numbers ("shift"), all are multiplied by the same
    ("scale"), both ("affine"), all are negated ("sign"), or the rows are in another order ("order")."""
    result = told_apart(unit, x)
    changes = {
        "shift": [(1.0, 1.5)],
        "scale": [(2.5, 0.0)],
        "affine": [(1.0, 1.5), (2.5, 0.0), (0.4, -3.0)],
        "sign": [(-1.0, 0.0)],
    }
    if how == "order":
        rows = list(range(len(x)))
        random.Random(3).shuffle(rows)  # noqa: S311 -- an order to test with
        same(unit(x[rows] if hasattr(x, "shape") else [x[row] for row in rows]), result)
        return
    for times, plus in changes[how]:
        same(unit(changed(copy.deepcopy(x), times, plus)), result)


def symmetric(unit: Callable[..., Any], a: Any, b: Any, sign: float = 1.0) -> None:
    """Exchanging the two arguments changes nothing; with `sign` -1, nothing but the sign."""
    there = plain(unit(copy.deepcopy(a), copy.deepcopy(b)))
    if _alike(unit(copy.deepcopy(a), changed(copy.deepcopy(a), 1.7, 0.41)), there):
        raise Unfit("the result is the same for another second argument")
    back = plain(unit(copy.deepcopy(b), copy.deepcopy(a)))
    assert all(math.isfinite(number) for number in numbers(there))
    same(back if shape(back) == shape(there) or not isinstance(back, list) else _turned(back), _signed(there, sign))


def _turned(rows: List[List[Any]]) -> List[List[Any]]:
    """Between two collections, exchanged collections exchange rows and columns."""
    return [list(column) for column in zip(*rows)]


def _signed(value: Any, sign: float) -> Any:
    return [_signed(item, sign) for item in value] if isinstance(value, list) else sign * value


def equals_nothing(unit: Callable[..., Any], a: Any, b: Any) -> None:
    """Nothing between equals, something between others."""
    assert all(abs(number) <= NEAR for number in numbers(unit(a, copy.deepcopy(a)))), "something between equals"
    assert any(abs(number) > NEAR for number in numbers(unit(a, b))), "nothing between different ones"


def within(unit: Callable[..., Any], low: float, high: float, *arguments: Any) -> None:
    """Every number of the result lies between two bounds."""
    for number in numbers(unit(*arguments)):
        assert low - NEAR <= number <= high + NEAR, "%r is not between %r and %r" % (number, low, high)


def sums_to_one(unit: Callable[..., Any], *arguments: Any) -> None:
    """No number is negative, and all, or those along the first or the last axis, sum to one."""
    result = plain(unit(*arguments))
    assert all(number >= -NEAR for number in numbers(result)), "a share is negative"
    sums = [[sum(flat(result))]]
    if len(shape(result)) > 1:
        sums += [[sum(row) for row in _rows(result)], [sum(column) for column in zip(*_rows(result))]]
    assert any(all(abs(total - 1) <= NEAR for total in totals) for totals in sums), "nothing sums to one"


def _rows(value: Any) -> List[List[float]]:
    """The rows along the last axis of nested lists."""
    return [row for item in value for row in _rows(item)] if value and isinstance(value[0], list) else [value]


def increasing(unit: Callable[..., Any], x: Any, sign: float = 1.0) -> None:
    """Applied to each number, the greater of two never gets the smaller result; with `sign` -1 never the greater."""
    before = flat(x)
    after = numbers(unit(x))
    assert len(after) == len(before), "not a result for each number"
    ordered = [sign * result for _, result in sorted(zip(before, after))]
    assert all(a <= b + NEAR for a, b in zip(ordered, ordered[1:])), "the order is not kept"
    assert ordered[-1] > ordered[0], "the result is the same for all numbers"


def linear(unit: Callable[..., Any], x: Any) -> None:
    """The result for a sum of multiples is the sum of the multiples of the results."""
    y = _squares(x)
    first, second = flat(told_apart(unit, x)), numbers(unit(y))
    both = _combined(x, y)
    for found, a, b in zip(numbers(unit(both)), first, second):
        assert abs(found - (2 * a - 3 * b)) <= 10 * NEAR * (1 + abs(a) + abs(b)), "not linear"


def _combined(x: Any, y: Any) -> Any:
    if isinstance(x, (list, tuple)):
        return [_combined(a, b) for a, b in zip(x, y)]
    return 2 * x - 3 * y


def norm(values: Sequence[float]) -> float:
    """The Euclidean one."""
    return math.sqrt(sum(value * value for value in values))


def keeps_norm(unit: Callable[..., Any], x: Any) -> None:
    """The result is as long as what went in, and not the same."""
    before = plain(copy.deepcopy(x))
    result = plain(unit(x))
    assert abs(norm(numbers(result)) - norm(flat(before))) <= MANY * NEAR * (1 + norm(flat(before)))
    assert not _alike(result, before), "nothing changed"


def unit_norm(unit: Callable[..., Any], *arguments: Any) -> None:
    """The result, or each of its rows or columns, has length one."""
    result = plain(unit(*arguments))
    lengths = [[norm(numbers(result))]]
    if len(shape(result)) > 1:
        lengths += [[norm(row) for row in _rows(result)], [norm(column) for column in zip(*_rows(result))]]
    assert any(all(abs(length - 1) <= NEAR for length in found) for found in lengths), "no length is one"


def orthonormal(unit: Callable[..., Any], *arguments: Any) -> None:
    """The rows of the result, or its columns, have length one and are orthogonal to each other."""
    result = plain(unit(*arguments))
    assert len(shape(result)) == 2, "not a matrix"
    assert _independent(result) or _independent(_turned(result)), "neither rows nor columns are orthonormal"


def _independent(rows: List[List[float]]) -> bool:
    products = [(i == j, sum(a * b for a, b in zip(p, q))) for i, p in enumerate(rows) for j, q in enumerate(rows)]
    return all(abs(product - float(equal)) <= NEAR for equal, product in products)


def shaped(unit: Callable[..., Any], told: Sequence[Sequence[str]], wanted: Sequence[str], *arguments: Any) -> None:
    """The result has the shape that is told, where the letters of the arguments' shapes stand for their lengths."""
    lengths = {}  # type: dict[str, int]
    for axes, argument in zip(told, arguments):
        found = shape(plain(argument))
        if axes and len(axes) != len(found):
            raise Unfit("an argument has other axes than are told")
        for axis, length in zip(axes, found):
            if lengths.setdefault(axis, length) != length:
                raise Unfit("one letter stands for two lengths")
    result = shape(plain(unit(*arguments)))
    assert len(result) == len(wanted), "%d axes instead of %d" % (len(result), len(wanted))
    for axis, length in zip(wanted, result):
        expected = int(axis) if axis.isdigit() else lengths.get(axis, length)
        assert length == expected, "%d instead of %d along %s" % (length, expected, axis)


def steady(unit: Callable[..., Any], *arguments: Any) -> None:
    """Under one seed the same arguments give the same, and something."""
    first = _seeded(unit, arguments)
    assert first is not None, "there is no result"
    second = _seeded(unit, arguments)
    assert type(first) is type(second), "another type the second time"
    same(plain(first), plain(second))


def _seeded(unit: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    random.seed(7)
    for name, seed in (("numpy", "random.seed"), ("torch", "manual_seed")):
        if name in sys.modules:
            function = sys.modules[name]  # type: Any
            for part in seed.split("."):
                function = getattr(function, part)
            function(7)
    return unit(*copy.deepcopy(arguments))


def symmetric_matrix(unit: Callable[..., Any], *arguments: Any) -> None:
    """The result is a square matrix that equals its transpose, and is none that only has a diagonal."""
    result = plain(unit(*arguments))
    sides = shape(result)
    assert len(sides) == 2 and sides[0] == sides[1], "not a square matrix"
    same(_turned(result), result)
    if all(abs(value) <= NEAR for i, row in enumerate(result) for j, value in enumerate(row) if i != j):
        raise Unfit("a matrix of its diagonal alone")

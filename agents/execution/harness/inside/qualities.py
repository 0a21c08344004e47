"""Whether a result keeps what its documentation says of its form also for other arguments than those of tests: that it
sums to one, is sorted, of unit norm, without duplicates, as long as an argument. Standard library only, Python 3.6 or
later.

Each is given a real call and what was promised, as those in `conduct`. Other arguments are real ones in another order,
larger or smaller, or more of them. What may have to stay as it is does: what sums to one or has unit norm itself, what
another argument is the sum or the length of, what names a bound.
"""

import itertools
import math
import re
from typing import Any, Dict

from .definitions import NEAR, judged, lines_of, matrix, numbers_of
from .extremes import NOT_ALTERED
from .given import result_of, same, shown
from .kinds import like_number
from .orders import LONGEST, has_items, in_order, orders_of
from .structure import array_library
from .textbook import Disagrees

FACTORS, POWERS, SCALARS = (0.75, 0.1, 3.0), (3, 2), (0.5, 0.1)
"""By which several numbers are multiplied, to which they are raised, and by which one number is multiplied."""
_FIXED = NOT_ALTERED | {"bins", "breaks", "edges", "grid", "knots", "order", "quantiles", "times", "timestamps"}
_BOUNDS = {
    "bins", "edges", "end", "grid", "hi", "high", "lo", "low", "lower", "max", "maximum", "min", "minimum", "n",
    "range", "size", "start", "stop", "total", "upper",
}  # fmt: skip
"""Parts of names of what other arguments may have to lie within, or add up to."""


def _kept(given, holds, changes):
    """What contradicts a quality; `holds` tells of a result and its arguments, None where nothing can be told."""
    told = holds(given.call(), given.bound.arguments)
    if told is None:
        return None
    if not told:
        raise Disagrees
    for changed in changes:
        found = result_of(given, **changed)
        if found is not None and holds(found, dict(given.bound.arguments, **changed)) is False:
            return "%s for %s" % (shown(found), ", ".join("%s = %s" % (n, shown(v)) for n, v in changed.items()))
    return ""


def _told(found):
    """The numbers of a result that can be judged, of several; else None."""
    found = list(found.values()) if type(found) is dict else found
    numbers = numbers_of(found)
    return numbers if judged(numbers) and len(numbers[1]) > 1 and any(numbers[1]) else None


def totalled(given, along):
    """It sums to one: the whole, or each "row" or "column"."""

    def holds(found, _):
        numbers = _told(found)
        if numbers is None:
            return None
        rows = matrix(numbers) if along else None
        if rows is None:
            return any(map(_sum_to_one, lines_of(numbers)))
        return _sum_to_one(rows if along == "row" else list(zip(*rows)))

    return _kept(given, holds, itertools.chain(_resized(given, FACTORS, POWERS), _reordered(given, sure=False)))


def _sum_to_one(lines):
    """Whether all do that are not zero."""
    return all(abs(sum(line) - 1) <= NEAR or not any(line) for line in lines)


def normed(given):
    """It is of unit norm: by any usual one, or each of its parts is."""

    def holds(found, _):
        numbers = _told(found)
        return None if numbers is None else _has_unit_norm(numbers)

    changes = itertools.chain(_resized(given, FACTORS), _scaled(given), _reordered(given, sure=False))
    return _kept(given, holds, changes)


def _has_unit_norm(numbers):
    norms = (_euclidean, lambda line: sum(map(abs, line)), lambda line: max(map(abs, line)))
    return any(
        all(abs(norm(line) - 1) <= NEAR or not any(line) for line in lines)
        for lines in lines_of(numbers) for norm in norms
    )  # fmt: skip


def _euclidean(line):
    return math.sqrt(sum(number * number for number in line))


def arranged(given, order):
    """It is sorted: "ascending", "descending" or any of the two; with " at" after it, what stands at these places, with
    " size", its parts by their sizes."""

    def holds(found, arguments):
        numbers = _told(_sizes(found) if order.endswith(" size") else found)
        if numbers is None or len(numbers[0]) != 1:
            return None
        flat = numbers[1]
        if order.endswith(" at"):
            listed = [value for value in arguments.values() if has_items(value)]
            if len(listed) != 1 or any(place not in range(len(listed[0])) for place in flat):
                return None
            flat = [listed[0][int(place)] for place in flat]
        up, down = flat == sorted(flat), flat == sorted(flat, reverse=True)
        return {"ascending": up, "descending": down}.get(order.split()[0] if order else "", up or down)

    changes = itertools.chain(_reordered(given, sure=True), _turned(given) if order.endswith(" size") else ())
    return _kept(given, holds, changes)


def _sizes(found):
    """The sizes of a result's parts, if it is a list of lists or sets."""
    listed = type(found) in (list, tuple) and all(type(part) in (list, set, frozenset) for part in found)
    return [len(part) for part in found] if listed else None


def _turned(given):
    """Dictionaries with their keys in other orders."""
    for name, value in given.bound.arguments.items():
        for order in orders_of(len(value)) if type(value) is dict and 2 <= len(value) <= LONGEST else ():
            keys = list(value)
            yield {name: {keys[place]: value[keys[place]] for place in order}}


def rising(given):
    """It never decreases."""

    def holds(found, _):
        numbers = _told(found)
        if numbers is None or len(numbers[0]) != 1:
            return None
        return all(after >= before - 1e-9 * (1 + abs(before)) for before, after in zip(numbers[1], numbers[1][1:]))

    return _kept(given, holds, _reordered(given, sure=False))


def distinct(given):
    """Of the items of an argument, none comes twice."""

    def holds(found, arguments):
        listed = found.tolist() if array_library(found) == "numpy" else found
        given_items = [item for value in arguments.values() for item in _items(value)]
        if type(listed) not in (list, tuple) or not 0 < len(listed) <= LONGEST:
            return None
        if any(item not in given_items for item in listed):
            return None
        return all(item not in listed[:place] for place, item in enumerate(listed))

    return _kept(given, holds, _longer(given, "", fresh=True))


def _items(value):
    if array_library(value) == "numpy" and len(value.shape) == 1:
        return value.tolist()
    return value if type(value) in (list, tuple, str) else []


def as_long(given, name):
    """It has as many items as an argument."""

    def holds(found, arguments):
        return len(found) == len(arguments[name]) if _is_row(found) and _is_row(arguments[name]) else None

    return _kept(given, holds, _longer(given, name))


def _is_row(value):
    return has_items(value) and 0 < len(value) <= LONGEST


def permuted(given, name):
    """It has the items of an argument, in another order."""

    def holds(found, arguments):
        if not _is_row(found) or not _is_row(arguments[name]):
            return None
        left = list(arguments[name])
        for item in found:
            place = next((place for place, one in enumerate(left) if same(one, item)), None)
            if place is None:
                return False
            del left[place]
        return not left

    return _kept(given, holds, _longer(given, name, fresh=True))


def joined(given, sign, bare, marks):
    """A text in which no two of these signs stand side by side, nor, where it is `bare`, any at an end: of texts with
    more spaces than one, and with `marks` also of other characters."""
    first = given.names[0]
    text = given.bound.arguments[first]
    if type(text) is not str or "\n" in text:
        return None

    def holds(found, _):
        if type(found) is not str:
            return None
        return sign * 2 not in found and not (bare and (found.startswith(sign) or found.endswith(sign)))

    texts = [text.replace(" ", "   "), "two   words", *(["  two   words  "] if bare else [])]
    texts += ["two, words", "two & words", *(["(two) words!"] if bare else [])] if marks else []
    return _kept(given, holds, ({first: fresh} for fresh in texts))


def spanning(given, level):
    """It is an interval, whose lower end does not lie above its upper one at any level."""

    def holds(found, _):
        numbers = numbers_of(found)
        return numbers[1][0] <= numbers[1][1] + 1e-9 if judged(numbers) and numbers[0] == (2,) else None

    if type(given.value(level)) is not float or not 0.5 < given.value(level) < 1:
        return None
    return _kept(given, holds, ({level: fresh} for fresh in (0.4, 0.2, 0.05)))


def _reordered(given, sure):
    """Arguments in other orders, those of one length together; what is sorted only if it is `sure` that it need not
    be."""
    values = given.bound.arguments
    names = [name for name in given.names if has_items(values[name]) and name.lower() not in _FIXED]
    names = [name for name in names if 2 <= len(values[name]) <= LONGEST]
    for length in sorted({len(values[name]) for name in names}):
        some = [name for name in names if len(values[name]) == length]
        ordered = [name for name in some if _is_ordered(values[name])]
        if ordered and (not sure or len(names) > 1):
            continue
        for order in orders_of(length):
            yield {name: in_order(values[name], order) for name in some}


def _is_ordered(value):
    numbers = numbers_of(value)
    return bool(numbers) and len(numbers[0]) == 1 and numbers[1] == sorted(numbers[1])


def _longer(given, name, fresh=False):
    """One argument, `name` if there is one, with more items, and all that are as long with it; with `fresh` also others
    than it has."""
    values = given.bound.arguments
    rows = [one for one in given.names if type(values[one]) in (list, tuple) or _is_flat(values[one])]
    for chosen in [name] if name else rows:
        length = len(values[chosen]) if chosen in rows else 0
        if not 0 < length <= LONGEST or any(type(value) is int and value == length for value in values.values()):
            continue
        some = [one for one in rows if len(values[one]) == length]
        for places in ([*range(length), 0], [*range(length), 0, 0], list(range(length)) * 2):
            yield {one: in_order(values[one], places) for one in some}
        kind = {type(item) for item in values[chosen]}
        if fresh and len(some) == 1 and kind in ({int}, {str}) and type(values[chosen]) in (list, tuple):
            others = range(11, 18) if kind == {int} else "abcdefg"
            yield {chosen: type(values[chosen])(others)}
            yield {chosen: type(values[chosen])([*others, *others])}


def _is_flat(value):
    return array_library(value) == "numpy" and len(value.shape) == 1


def _resized(given, factors, powers=()):
    """One argument of several numbers with all of them multiplied, or raised to powers with their signs."""
    values = given.bound.arguments
    rows = [name for name in given.names if has_items(values[name])]
    names = [name for name in rows if name.lower() not in _FIXED and _is_free(given, name)]
    for name in names if len(rows) == 1 or not powers else ():
        shape, flat = numbers_of(values[name])
        if powers and any(_BOUNDS.intersection(re.findall("[a-z]+", one.lower())) for one in given.names):
            continue
        made = [[number * factor for number in flat] for factor in factors]
        made += [[math.copysign(abs(number) ** power, number) for number in flat] for power in powers]
        for fresh in made:
            yield {name: like_number(values[name], shape, fresh)}


def _is_free(given, name):
    """Whether an argument may as well be of other numbers: of fractions that are no shares and no directions, and of
    which no other argument is the sum, the largest, or the length."""
    value = given.bound.arguments[name]
    numbers = numbers_of(value)
    if not judged(numbers) or len(numbers[1]) < 2 or set(numbers[1]) <= {0, 1}:
        return False
    fractions = value.dtype.kind == "f" if array_library(value) == "numpy" else float in set(map(type, numbers[1]))
    if not fractions or any(map(_sum_to_one, lines_of(numbers))) or _has_unit_norm(numbers):
        return False
    of_all = (sum(numbers[1]), max(numbers[1]), float(len(value)), _euclidean(numbers[1]))
    others = [given.bound.arguments[one] for one in given.names if one != name]
    return not any(type(one) in (int, float) and abs(one - each) < NEAR for one in others for each in of_all if each)


def _scaled(given):
    """One number that is less; if these are together no direction."""
    values = given.bound.arguments
    names = [name for name in given.names if type(values[name]) is float]
    if abs(_euclidean([values[name] for name in names]) - 1) <= NEAR and len(names) > 1:
        return
    for name, factor in itertools.product(names, SCALARS):
        if name.lower() not in _FIXED:
            yield {name: values[name] * factor}


OF_QUALITIES: Dict[str, Any] = {
    "totalled": totalled,
    "normed": normed,
    "arranged": arranged,
    "rising": rising,
    "distinct": distinct,
    "as_long": as_long,
    "permuted": permuted,
    "joined": joined,
    "spanning": spanning,
}
"""By the kind of promise."""

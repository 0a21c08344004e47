"""Whether a function keeps the bounds that its documentation names, also where its arguments change places. Standard
library only, Python 3.6 or later.

Each is given a real call and what was promised, as those in `conduct`.
"""

import copy
import math
from typing import Any, Dict

from .definitions import NEAR, judged, numbers_of
from .extremes import NOT_ALTERED
from .given import is_within, result_of, same, shown
from .kinds import like_number
from .structure import state
from .textbook import Disagrees
from .wrong import wrong

FACTORS = (10, 100, 0.1, -1)
"""By which real arguments are multiplied; by the last where a bound is said never to be passed."""
PLACES = 4
"""Numbers of a list that are made larger alone."""
_SHARES = ("chance", "confidence", "fraction", "prob", "proportion", "quality", "rate", "ratio", "share", "weight")
_LOW = ("low", "lo", "lower", "min", "start", "begin", "left")
_HIGH = ("high", "hi", "upper", "max", "stop", "end", "right")


def bounded(given, low, high, never, each=False):
    """No number of a result lies beyond these, of which None is none, and a text the name of an argument. What is not
    said to be so always (`never`) may rest on which of two arguments is larger, and is no number's of several."""
    if each:
        return _none_beyond(given, high)
    ends = [given.value(end) if isinstance(end, str) else end for end in (low, high)]
    if any(end is not None and type(end) not in (int, float) for end in ends):
        return None
    least, most = (-math.inf if ends[0] is None else ends[0]), (math.inf if ends[1] is None else ends[1])
    found = given.call()
    if not is_within(found, least, most):
        raise Disagrees
    if not never and not isinstance(found, (int, float)):
        return None  # how many there are may be meant
    others = [name for name in given.names if name not in (low, high)]
    for name in [name for name in others if name.lower() not in NOT_ALTERED]:
        for fresh in _pushed(given, name, others, never):
            found = result_of(given, **{name: fresh})
            if found is not None and not is_within(found, least, most):
                return "%s for %s = %s" % (shown(found), name, shown(fresh))
    return ""


def _none_beyond(given, end):
    """No number of a result is above an argument, or above the one in its place there, where a total that is given is
    shared out and there is room for it."""
    values = given.bound.arguments
    most, found = numbers_of(given.value(end)), numbers_of(given.call())
    if not judged(most) or len(most[0]) > 1 or not judged(found) or len(found[0]) != 1:
        return None
    if (most[0] and most[0] != found[0]) or not _total_of(values, end, found):
        return None
    if _are_beyond(found, most):
        raise Disagrees
    for name in _total_of(values, end, found):
        for fresh in _moved(values[name]):
            given_now = dict(values, **{name: fresh})
            now = numbers_of(result_of(given, **{name: fresh}))
            told = judged(now) and now[0] == found[0] and bool(_total_of(given_now, end, now))
            if told and _are_beyond(now, most):
                return "%s for %s = %s" % (shown(now[1]), name, shown(fresh))
    return ""


def _are_beyond(found, most):
    """Whether a number is too large though all of them together need not be."""
    ends = most[1] * (1 if most[0] else len(found[1]))
    room = NEAR * (1 + max(map(abs, ends)))
    return sum(found[1]) <= sum(ends) + room and any(one > end + room for one, end in zip(found[1], ends))


def _total_of(values, end, found):
    """Arguments in whose stead others may be given: lists of numbers, and a total, if there is one of these."""
    numbers = {name: numbers_of(value) for name, value in values.items() if name != end}
    numbers = {name: one for name, one in numbers.items() if judged(one) and len(one[0]) < 2 and min(one[1]) > 0}
    total = sum(found[1])
    totals = [name for name, one in numbers.items() if abs(sum(one[1]) - total) <= NEAR * (1 + total)]
    return sorted({*totals, *(name for name, one in numbers.items() if one[0])}) if totals else []


def _moved(value):
    """Other numbers: all of them larger or smaller, turned around, and one of them alone larger."""
    shape, flat = numbers_of(value)
    made = [[number * factor for number in flat] for factor in (1.5, 2, 1.25, 0.5)]
    made += [flat[:place] + [flat[place] * 10] + flat[place + 1 :] for place in range(min(len(flat), PLACES))]
    for one in [*made, flat[::-1]]:
        if all(type(number) is float for number in flat) or all(number == int(number) for number in one):
            yield like_number(value, shape, [type(flat[0])(number) for number in one])


def _pushed(given, name, others, never):
    """What may be given in the place of an argument: larger and smaller numbers of the same sort."""
    value = given.bound.arguments[name]
    numbers = numbers_of(value)
    if not judged(numbers) or (type(value) not in (int, float) and not numbers[0]):
        return
    shape, flat = numbers
    shares = any(type(number) is float for number in flat) and all(0 <= number <= 1 for number in flat)
    shares = shares and (not never or any(word in name.lower() for word in _SHARES))
    whole = all(type(number) is int for number in flat)
    for factor in FACTORS:
        moved = [number * factor for number in flat]
        if (shares and factor > 1) or (whole and factor == 0.1) or (factor < 0 and (not never or min(flat) >= 0)):
            continue
        if shape or _keeps_order(given, name, others, (flat[0], moved[0]), never):
            yield like_number(value, shape, moved)


def _keeps_order(given, name, others, numbers, never):
    """Whether the second of two numbers is on the same side of `others` as the first, as far as that may be meant."""
    number, moved = numbers
    for other in others:
        value = given.bound.arguments[other]
        if other == name or type(value) not in (int, float) or (never and not _are_ends(name, other)):
            continue
        if (number <= value) != (moved <= value) or (number < value) != (moved < value):
            return False
    return True


def _are_ends(one, other):
    words = [set(name.lower().split("_")) for name in (one, other)]
    return any(a & set(_LOW) and b & set(_HIGH) for a, b in (words, words[::-1]))


def swapped(given):
    """Its first two arguments may change places."""
    if len(given.names) < 2:
        return None
    one, other = given.names[:2]
    a, b = given.bound.arguments[one], given.bound.arguments[other]
    if type(a) is not type(b):
        return None
    for left, right in ((a, b), (a, wrong(copy.deepcopy(b), "shift")), (wrong(copy.deepcopy(a), "shift"), b)):
        found = [result_of(given, **{one: x, other: y}) for x, y in ((left, right), (right, left))]
        if not any(one is None for one in found) and not same(*found):
            return "%s for %s and %s, and %s where they change places" % (
                *map(shown, (found[0], left, right, found[1])),
            )
    return ""


def ends(given, included):
    """Whether a number lies between two: at both ends it does, or does not; the ends are arguments, or an object's."""
    values = given.bound.arguments
    held = state(values[given.names[0]]) if given.names[0] == "self" else values
    if not isinstance(held, dict) or any(type(one) is bool for one in (*held.values(), *values.values())):
        return None
    low, high = (_named(held, names) for names in (_LOW, _HIGH))
    numbers = [name for name in given.names if type(values[name]) in (int, float) and values[name] is not held.get(low)]
    numbers = [name for name in numbers if held is not values or name not in (low, high)]
    if not low or not high or len(numbers) != 1 or not held[low] < held[high]:
        return None
    least, most = held[low], held[high]
    inside = [result_of(given, **{numbers[0]: one}) for one in ((least + most) / 2, least - 1, most + 1)]
    if inside != [True, False, False]:
        return None
    for end in (least, most):
        found = result_of(given, **{numbers[0]: end})
        if type(found) is bool and found is not included:
            return "%s for %s = %s, an end of [%s, %s]" % (found, numbers[0], *map(shown, (end, least, most)))
    return ""


def _named(held, names):
    """The one name of a number that means an end."""
    found = [name for name in held if set(name.lower().split("_")) & set(names) and type(held[name]) in (int, float)]
    return found[0] if len(found) == 1 else ""


OF_BOUNDS: Dict[str, Any] = {"bounded": bounded, "ends": ends, "swapped": swapped}

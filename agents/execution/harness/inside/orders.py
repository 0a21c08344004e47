"""Whether a function keeps what its documentation says of other orders of its arguments, and of equal ones among them.
Standard library only, Python 3.6 or later.

Each is given a real call and what was promised, as those in `conduct`.
"""

import copy
import itertools
import math
import random
from typing import Any, Dict

from .definitions import close, judged, numbers_of
from .given import Given, result_of, same, shown
from .structure import Digest, array_library, state
from .textbook import Disagrees, at_once, plain

LONGEST, ORDERS, SEQUENCES = 1000, 12, 4


def shuffled(given, named):
    """The order of items says nothing: of those of the parameter `named`, or of some sequence if none is named, each by
    itself or together with others that are as long. What else is as long may be a pair of bounds."""
    values = given.bound.arguments
    names = [name for name in given.names if has_items(values[name])]
    if named:
        names = [name for name in names if named in names and len(values[name]) == len(values[named])]
    lengths = {len(values[name]) for name in names}
    if len(names) > SEQUENCES or len(lengths) != 1 or not 2 <= min(lengths) <= LONGEST:
        return None
    first, told = given.call(), None
    if not same(first, given.call()):
        return None
    for count in range(1, len(names) + 1):
        for some in itertools.combinations(names, count):
            if named in some or (not named and any(_differ(values[name]) for name in some)):
                told = _other_for(given, some, first)
                if not told:
                    return ""
    return told


def _differ(value):
    listed = value.tolist() if array_library(value) else value
    return any(not same(item, listed[0]) for item in listed)


def _other_for(given, names, first):
    """What else than `first` comes of other orders of these; "" for nothing."""
    values = given.bound.arguments
    for order in orders_of(len(values[names[0]])):
        changed = {name: in_order(values[name], order) for name in names}
        found = result_of(given, **changed)
        if found is not None and not _is_same(first, found):
            return "%s for %s, and %s for %s" % (
                shown(first),
                ", ".join(shown(values[name]) for name in names),
                shown(found),
                ", ".join(shown(changed[name]) for name in names),
            )
    return ""


def signed(given):
    """Points in the other order go around in the other direction, so that a result has the other sign."""
    values = given.bound.arguments
    shapes: Dict[str, Any] = {name: (numbers_of(values[name]) or ((), ()))[0] for name in given.names}
    rows = [name for name in given.names if len(shapes[name]) == 2 and shapes[name][0] > 2 == shapes[name][1]]
    fresh = {}
    if len(rows) == 1 and not any(type(value) is int for value in values.values()):
        fresh = {rows[0]: in_order(values[rows[0]], list(range(shapes[rows[0]][0]))[::-1])}
    elif len(given.names) == 3 and set(shapes.values()) == {(2,)}:
        fresh = dict(zip(given.names, [values[name] for name in given.names[::-1]]))
    once = given.call()
    if not fresh or type(once) not in (int, float) or any(abs(abs(once) - half) < 1e-6 for half in _HALVES):
        return None
    found = result_of(given, **fresh)
    if type(found) in (int, float) and found * once > 0:
        return "%s for %s, and %s in the other order" % (
            shown(once), ", ".join(shown(values[name]) for name in fresh), shown(found))  # fmt: skip
    return ""


_HALVES = (0, 180, math.pi)
"""Turns that are the same in both directions, and none."""


def has_items(value):
    return type(value) in (list, tuple) or (array_library(value) == "numpy" and len(value.shape) > 0)


def orders_of(length):
    places = list(range(length))
    yield from (places[::-1], places[1:] + places[:1], places[1::2] + places[::2])
    chance = random.Random(length)  # noqa: S311 -- orders, not keys
    for _ in range(3):
        chance.shuffle(places)
        yield list(places)


def in_order(value, order):
    return value[order] if array_library(value) else type(value)(value[place] for place in order)


def _is_same(one, other):
    """Whether two results hold the same, in any order."""
    left, right = numbers_of(one), numbers_of(other)
    if judged(left) and judged(right):
        return len(left[1]) == len(right[1]) and close(sorted(left[1]), sorted(right[1]))
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return _parted(one) == _parted(other) or all(_is_same(one[key], other[key]) for key in one)
    return _loose(one) == _loose(other)


def _parted(table):
    """Which keys have the same value, where these are only numbers of groups."""
    if not all(type(value) is int for value in table.values()):
        return table
    return {frozenset(key for key in table if table[key] == value) for value in table.values()}


def _loose(value):
    if isinstance(value, (list, tuple, set, frozenset)):
        return sorted(map(_loose, value), key=repr)
    if isinstance(value, dict):
        return sorted(([_loose(key), _loose(item)] for key, item in value.items()), key=repr)
    return "%.6g" % value if type(value) in (int, float) else Digest(value).text


def stable(given):
    """What is sorted keeps the order of equal items: each is given several times, told apart by its identity."""
    names = [name for name in given.names if type(given.bound.arguments[name]) in (list, tuple)]
    if not names or any(value is True for value in given.bound.arguments.values()):
        return None
    items = list(given.bound.arguments[names[0]])[:10]
    chance = random.Random(len(items))  # noqa: S311 -- orders, not keys
    orders = [items * 2, [item for item in items for _ in (1, 2)]]
    for _ in range(ORDERS):
        orders.append(chance.sample(items * 3, len(items) * 3))
    for order in orders if items else ():
        fresh = type(given.bound.arguments[names[0]])(map(_twin, order))
        found = _sorted(given, names[0], fresh)
        places = {id(item): place for place, item in enumerate(fresh)}
        if type(found) not in (list, tuple) or sorted(map(id, found)) != sorted(places):
            return None  # other objects, or no sort
        for one, other in itertools.combinations(found, 2):
            if places[id(one)] > places[id(other)] and _are_equal(one, other):
                return "%s for %s, and of equal ones the %d. before the %d." % (
                    shown(list(map(_original, found))),
                    shown(order),
                    places[id(one)] + 1,
                    places[id(other)] + 1,
                )
    return "" if items else None


def _sorted(given, name, fresh):
    """What becomes of items that are not copied: the result, or what a call without result made of its argument."""
    bound = copy.copy(given.bound)
    bound.arguments = copy.copy(given.bound.arguments)
    bound.arguments[name] = copy.copy(fresh)
    try:
        found = plain(at_once(given.target(*bound.args, **bound.kwargs)))
    except Exception:  # noqa: BLE001 -- it is not made for these
        return None
    return bound.arguments[name] if found is None else found


_TWINS: Dict[Any, Any] = {
    kind: type(kind.__name__, (kind,), {"twin": True}) for kind in (int, float, str, tuple, bytes)
}


def _twin(item):
    """An object of its own that is equal."""
    return _TWINS[type(item)](item) if type(item) in _TWINS else copy.copy(item)


def _original(item):
    return type(item).__mro__[1](item) if hasattr(type(item), "twin") else item


def _are_equal(one, other):
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001 -- arrays, and other foreign objects
        return False


def at_end(given, last):
    """The place of the first, or of the last, of equal items."""
    values = given.bound.arguments
    for items, key in itertools.permutations(given.names, 2):
        listed = values[items].tolist() if array_library(values[items]) == "numpy" else values[items]
        keys = _keys(listed, values[key])
        if not keys:
            continue
        if given.call() != _place(listed, values[key], last):
            raise Disagrees
        for fresh, wanted in itertools.product(_doubled(values[items]), keys):
            found = result_of(given, **{items: fresh, key: wanted})
            place = _place(fresh.tolist() if array_library(fresh) else fresh, wanted, last)
            if type(found) is int and found != place:
                return "%d for %s in %s" % (found, shown(wanted), shown(fresh))
        return ""
    return None


def _keys(listed, key):
    """What may be looked for, if `key` is something of `listed`."""
    if type(listed) is str:
        return [key] if type(key) is str and key and key in listed else []
    if type(listed) not in (list, tuple) or len(listed) > LONGEST or type(key) not in (int, float, str, tuple):
        return []
    return listed[:6] if any(type(item) is type(key) and item == key for item in listed) else []


def _place(listed, key, last):
    if type(listed) is str:
        return listed.rfind(key) if last else listed.find(key)
    return len(listed) - 1 - listed[::-1].index(key) if last else listed.index(key)


def _doubled(value):
    if type(value) is str:
        yield from (value * 2, value * 3)
    for times in (2, 3, 5) if type(value) is not str else ():
        if array_library(value):
            yield value.repeat(times)
        else:
            yield type(value)(item for item in value for _ in range(times))


def tied(given, last):
    """Of what is largest or smallest at several places the first, or the last, is told."""
    names = [name for name in given.names if has_items(given.bound.arguments[name])]
    if len(names) != 1:
        return None
    value = given.bound.arguments[names[0]]
    found, length = given.call(), len(value)
    if type(found) in (list, tuple) or array_library(found):
        return _tied_places(given, names[0], last)
    if type(found) is not int or not 0 <= found < length:
        return None
    if not _is_of_items(given, names[0], found):
        return None
    fresh = in_order(value, list(range(length)) * 2)
    other = result_of(given, **{names[0]: fresh})
    if type(other) is int and other != found + length * last:
        return "%d for %s" % (other, shown(fresh))
    return ""


def _tied_places(given, name, last):
    """The same of places of several items, by their size."""
    value = given.bound.arguments[name]
    real = _by_size(given.call(), value)
    if real is None or len(real) < 2:
        return None
    for places in (list(range(len(value))) * 2, [place for place in range(len(value)) for _ in (1, 2)]):
        fresh = in_order(value, places)
        found = _by_size(result_of(given, **{name: fresh}), fresh)
        for size, taken in itertools.groupby(found or (), key=lambda pair: pair[0]):
            at = [place for _, place in taken]
            every = sorted((place for place, one in enumerate(_listed(fresh)) if one == size), reverse=last)
            if at != every[: len(at)]:
                return "%s for %s" % (shown([place for _, place in found]), shown(fresh))
    return ""


def _listed(value):
    return value.tolist() if array_library(value) else list(value)


def _by_size(found, value):
    """(Item, place) for each place that a result tells, if these are the largest or the smallest by size; else None."""
    places, items = _listed(found) if found is not None else [], _listed(value)
    if any(type(place) is not int or not 0 <= place < len(items) for place in places) or len(set(places)) < len(places):
        return None
    pairs = [(items[place], place) for place in places]
    sizes = [size for size, _ in pairs]
    if any(type(item) not in (int, float) for item in items):
        return None
    return pairs if sizes in (sorted(items)[: len(sizes)], sorted(items)[::-1][: len(sizes)]) else None


def _is_of_items(given, name, found):
    """Whether the item at `found` is taken in any order: for what it is, and not for its neighbours or its number."""
    value = given.bound.arguments[name]
    listed = value.tolist() if array_library(value) else list(value)
    places = [place for place, item in enumerate(listed[:LONGEST]) if item not in listed[:place]]
    for order in orders_of(len(places)) if len(places) > 1 else ():
        other = result_of(given, **{name: in_order(value, [places[place] for place in order])})
        if type(other) is not int or not 0 <= other < len(order) or listed[places[order[other]]] != listed[found]:
            return False
    return len(places) > 1


def by_name(given):
    """Of equally many the alphabetical order: things that come as often as each other, and are given the other way."""
    value = given.bound.arguments[given.names[0]]
    counts = [one for one in (state(value) or {}).values() if isinstance(one, dict)] if given.names[0] == "self" else []
    if given.names[0] == "self":
        return _by_counts(given, value, counts)
    if type(value) not in (list, tuple) or not all(type(item) is str for item in value) or not given.call():
        return None
    for often in (1, 2):
        fresh = type(value)(sorted({*value, "ab", "cd", "ef"}, reverse=True) * often)
        told = _wrong_names(result_of(given, **{given.names[0]: fresh}), set(fresh))
        if told:
            return "%s for %s" % (told, shown(fresh))
    return ""


def _by_counts(given, owner, counts):
    """The same of an object that holds how often each came."""
    found = given.call()
    if not _are_counted(found):
        return None
    held = [one for one in counts if all(type(n) is int for n in one.values()) and dict(found).items() <= one.items()]
    if len(held) != 1 or not all(type(key) is type(found[0][0]) for key in held[0]):
        return None
    wholes = {name: len(held[0]) for name in given.names[1:] if type(given.bound.arguments[name]) is int}
    name = next(name for name, one in state(owner).items() if one is held[0])
    other = copy.deepcopy(owner)
    table = state(other)[name]
    for key in sorted(table):
        del table[key]
    table.update((key, 2) for key in sorted(held[0], reverse=True))
    again = Given(given.target, (other, *given.bound.args[1:]), given.bound.kwargs)
    told = _wrong_names(result_of(again, **wholes), set(held[0]))
    return "%s where each came twice" % told if told else ""


def _are_counted(found):
    return type(found) is list and bool(found) and all(type(one) is tuple and len(one) == 2 for one in found)


def _wrong_names(found, known):
    names = [one[0] for one in found] if _are_counted(found) else found
    several = (
        type(names) is list and len(names) > 1 and all(type(one) in (str, tuple) and one in known for one in names)
    )
    return shown(found) if several and names != sorted(names) else ""


OF_ORDERS: Dict[str, Any] = {
    "shuffled": shuffled,
    "stable": stable,
    "at_end": at_end,
    "tied": tied,
    "by_name": by_name,
    "signed": signed,
}
"""By the kind of promise."""

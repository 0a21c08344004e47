"""Whether a function does what its documentation says of cases that no test need enter. Standard library only, Python
3.6 or later.

Each of `CONDUCT` is given what was promised, whose first part is the method that it is said of ("" for a function), and
a real call, and gives what contradicts the promise, for people: "" for nothing, None where nothing can be told. It
raises Disagrees where the real call shows that another thing is meant. What raises for other arguments is not judged,
unless it was said what comes of these. All of it happens in a child that ends.
"""

import ast
import copy
import inspect
import itertools
import math
import sys
from typing import Any, Dict

from .bounds import OF_BOUNDS
from .definitions import judged, numbers_of
from .effects import is_plain
from .extremes import OF_EXTREMES, negated
from .given import Given, is_within, result_of, same, shown
from .nature import OF_NATURE
from .orders import OF_ORDERS
from .parts import OF_PARTS
from .qualities import OF_QUALITIES
from .rows import OF_ROWS
from .states import OF_STATES, listed
from .structure import Digest, array_library
from .textbook import Disagrees, at_once
from .trials import OF_TRIALS

LONGEST = 1000
_SEQUENCES = (list, tuple, str)


def held_against(promise, target, args, kwargs):
    """What contradicts a promise (see above)."""
    if inspect.iscoroutinefunction(target) or inspect.isasyncgenfunction(target):
        return None
    kind, (method, *how) = promise["kind"], promise["args"]
    if method and getattr(target, "__name__", "") != method:
        return None
    if kind in OF_STATES:
        return OF_STATES[kind](lambda *given, **named: at_once(target(*given, **named)), args, kwargs, *how)
    return CONDUCT[kind](Given(target, args, kwargs), *how)


def limited(given, name, first):
    """At most so many as `name` says are returned; with `first`, the first ones."""
    whole, bound = given.call(), given.value(name)
    if type(bound) is int and type(whole) is list and len(whole) > bound >= 0:
        raise Disagrees
    if type(whole) not in (list, set) or len(whole) < 2:
        return None
    for most in sorted({1, 2, len(whole) - 1}):
        found = result_of(given, **{name: most})
        if type(found) is not type(whole) or most >= len(whole):
            continue
        if len(found) > most:
            return "%d items for %s = %d" % (len(found), name, most)
        if first and bound is None and not same(found, whole[:most]):
            return "%s for %s = %d, without it %s" % (shown(found), name, most, shown(whole))
    return ""


def empty(given, name, sort, wanted):
    """Nothing in, and so `wanted`: a value in JSON, or with the sort "parameter" one's value."""
    names = [name] if name else _containers(given, sort)
    value = given.bound.arguments.get(names[0]) if len(names) == 1 else None
    nothing = _nothing(value)
    if nothing is None:
        return None
    shape, expected = wanted
    expected = given.value(expected) if shape == "parameter" else expected
    emptied = {names[0]: nothing}
    told = _of_nothing(given, emptied, names[0], shape, expected)
    for other in _containers(given, "any") if told else ():
        more = given.bound.arguments[other]
        if _nothing(more) is not None and len(more) == len(given.bound.arguments[names[0]]):
            emptied[other] = _nothing(more)  # both may have to be as long
    return told and _of_nothing(given, emptied, names[0], shape, expected)


def _of_nothing(given, emptied, name, shape, expected):
    try:
        found = given.call(**emptied)
    except Disagrees:
        return None
    except Exception as error:  # noqa: BLE001 -- another value was said to come
        return "nothing, but raised %s, for an empty %s" % (type(error).__name__, name)
    return "" if _is_as_said(shape, expected, found) else "%s for an empty %s" % (shown(found), name)


def _containers(given, sort):
    kinds = {"text": (str,), "items": (list, tuple, dict, set)}.get(sort, (list, tuple, dict, set, str))
    return [name for name in given.names if isinstance(given.bound.arguments[name], kinds) or (
        sort != "text" and array_library(given.bound.arguments[name]))]  # fmt: skip


def _nothing(value):
    if type(value) in (list, tuple, str, dict, set):
        return type(value)()
    return value[:0] if array_library(value) == "numpy" and len(value.shape) == 1 else None


def _is_as_said(shape, expected, found):
    if array_library(found) and not found.shape:
        found = found.item()
    parts = found.tolist() if array_library(found) and shape != "empty" else found
    several = isinstance(parts, tuple if shape == "empty" else (tuple, list)) and len(parts)
    if several and all(_is_as_said(shape, expected, part) for part in parts):
        return True
    if shape == "empty":
        return hasattr(found, "__len__") and len(found) == 0
    if shape == "nan":
        return type(found) is float and math.isnan(found)
    if shape == "number":
        return hasattr(found, "__len__") or array_library(found) or found == expected  # each part of it may be
    return same(found, expected)


def ordered(given):
    """What is made for each item, or each key of a pair, stands in the order in which they come first."""
    name = given.names[0]
    items = given.value(name)
    if type(items) not in _SEQUENCES or not 2 <= len(items) <= LONGEST:
        return None
    known = _in_order(items, given.call())
    if known is None:
        return None
    if not known:
        raise Disagrees
    words = items.split() if type(items) is str and " " in items else list(items)
    for other in (words[::-1], words[::-1] + words, words[1:] + words[:1], words[-1:] + words):
        fresh = (" " if words != list(items) else "").join(other) if type(items) is str else type(items)(other)
        found = result_of(given, **{name: fresh})
        if found is not None and _in_order(fresh, found) is False:
            return "%s for %s" % (shown(found), shown(fresh))
    return ""


def _in_order(items, found):
    """Whether the keys of a result come as they first do in `items`; None if they are none of these."""
    for keys, known in itertools.product(_keys(found), _keyed(items)):
        places = [known.index(key) for key in keys if key in known]
        if len(keys) > 1 and len(places) == len(keys) == len(set(places)):
            return places == sorted(places)
    return None


def _keys(found):
    found = found[0] if type(found) is tuple and found and type(found[0]) in (list, dict) else found
    if isinstance(found, dict):
        return [list(found)]
    if type(found) not in (list, tuple):
        return []
    pairs = found and all(type(item) in (list, tuple) and len(item) for item in found)
    return [list(found)] + ([[item[0] for item in found]] if pairs else [])


def _keyed(items):
    """Lists of what the keys may be."""
    if type(items) is str:
        return [items.split(), items.lower().split(), list(items), list(items.lower())]
    pairs = all(type(item) in (list, tuple) and len(item) for item in items)
    return [list(items)] + ([[item[0] for item in items]] if pairs else [])


def again(given, sure):
    """A second call changes nothing: on what it has changed of its arguments, or of its result. It may be that only
    what it does beside its result is meant, unless that is `sure`."""
    names = [name for name in given.names if is_plain(given.bound.arguments[name])]
    result, bound = given.made()
    first = given.names[0]
    for name in names:
        once = Digest(bound.arguments[name])
        if once.opaque or once.text == Digest(given.bound.arguments[name]).text:
            continue
        _, twice = given.made(**bound.arguments)
        after = twice.arguments[name]
        if not _unchanged(once, after):
            return "the same, but called again it changes %s once more, to %s" % (name, shown(after))
        return ""
    value = given.bound.arguments[first]
    if type(result) is not type(value) or result is None or type(result) is bool:
        return None
    told = _twice(given, first, value)
    if told and not sure:
        raise Disagrees
    if not sure and same(result, value):
        return None  # that shows nothing
    for fresh in [] if told else _others(value, result):
        told = told or _twice(given, first, fresh)
    return told or ""


def _unchanged(once, value):
    now = Digest(value)
    return now.opaque or now.text == once.text


def _twice(given, name, value):
    once = result_of(given, **{name: value})
    twice = None if once is None else result_of(given, **{name: once})
    if once is None or twice is None or not type(value) is type(once) is type(twice) or same(once, twice):
        return ""
    return "%s for %s, and again %s for that" % (shown(once), shown(value), shown(twice))


def _others(value, result):
    """Values like one that was given."""
    if type(value) is str:
        marks = sorted(set(value), key=lambda mark: (mark.isalnum(), mark))[:6]
        yield from (value.replace(mark, mark * times) for mark in marks for times in (2, 3, 4, 5))
        yield from (value[::-1], value.swapcase(), value + value, "  " + value + "  ", result + result)
    elif type(value) in (list, tuple):
        yield from (value + value, value[::-1], type(value)(item for item in value for _ in range(3)), result + result)
    elif type(value) in (int, float):
        yield from (-value, value * 3 + 1, value * 100, -value * 7)
    elif array_library(value) == "numpy" and value.dtype.kind == "f":
        yield from (-value, value * 3 + 0.25, value[::-1])


def within(given, low, high):
    """The numbers of a result are cut off at these bounds, or at those parameters, whatever goes in."""
    others = [name for name in given.names if name not in (low, high)]
    low, high = (given.value(end) if type(end) is str else end for end in (low, high))
    if any(type(end) not in (int, float) for end in (low, high)) or not low < high:
        return None
    if not is_within(given.call(), low, high):
        raise Disagrees
    numeric = [name for name in others if type(given.bound.arguments[name]) in (int, float)]
    for name, factor in itertools.product(numeric, (-1, 10, -7, 100)):
        fresh = {name: given.bound.arguments[name] * factor + factor}
        found = result_of(given, **fresh)
        if found is not None and not is_within(found, low, high):
            return "%s for %s = %s" % (shown(found), name, shown(fresh[name]))
    for name in (name for name in others if name not in numeric and judged(numbers_of(given.value(name)))):
        other = negated(given.value(name))
        found = result_of(given, **{name: other})
        if found is not None and not is_within(found, low, high):
            return "%s for %s = %s" % (shown(found), name, shown(other))
    return ""


_EMPTY = {"list()": list, "dict()": dict, "set()": set}


def anew(given, *held):
    """The same call gives the same: nothing is left of the one before in a value that stands for a parameter; `held`
    are parameters with what stands for them, as written."""
    nothing = {name: _nothing(value) for name, value in given.bound.arguments.items() if _nothing(value) is not None}
    for (name, default), less in itertools.product(held, ({}, nothing)):
        if name not in given.bound.arguments:
            written = _EMPTY[default]() if default in _EMPTY else ast.literal_eval(default)
            ever = [result_of(given, **dict(less, **{name: copy.deepcopy(written)})) for _ in range(2)]
            now = [result_of(given, **less) for _ in range(2)][1]
            if not Digest(ever).opaque and same(*ever) and not same(ever[1], now):
                return "%s with %s=%s, and %s without it" % (shown(ever[1]), name, default, shown(now))
    shared = [value for value in getattr(given.target, "__defaults__", None) or () if is_plain(value)]
    before = [Digest(value).text for value in shared]
    once, twice = copy.deepcopy(given.call()), given.call()
    if before == [Digest(value).text for value in shared] or Digest(once).opaque or same(once, twice):
        return ""
    return "%s, and the same call again %s" % (shown(once), shown(twice))


def arrays_kept(given, place, name):
    """An argument stays as it is also where it comes as an array and not as a list that is turned into one."""
    numpy = sys.modules.get("numpy")  # type: Any
    bound = given.bound.arguments
    listed = {one: numpy.array(bound[one], float) for one in bound if numpy and _is_of_numbers(bound[one])}
    whole = given.call()
    if not listed or not same(result_of(given, **listed), whole):
        return None
    _, after = given.made(**listed)
    wanted = [one for one in listed if place == -1 or one == name]
    changed = [one for one in wanted if not numpy.array_equal(after.arguments[one], listed[one])]
    return "%s and had changed %s, given as an array" % (shown(whole), changed[0]) if changed else ""


def _is_of_numbers(value):
    """Whether it is a list of floats, or of such lists."""
    return type(value) is list and bool(value) and all(type(each) is float or _is_of_numbers(each) for each in value)


def deep(given):
    """The result is a copy that shares nothing that can be changed."""
    first = given.names[0]
    for value in (given.bound.arguments[first], _nested(given.bound.arguments[first])):
        if not is_plain(value):
            continue
        bound = copy.copy(given.bound)
        bound.arguments = copy.copy(given.bound.arguments)
        bound.arguments[first] = value
        found = given.target(*bound.args, **bound.kwargs)
        if type(found) is not type(value) or not same(found, value):
            return None
        if _parts(found) & _parts(value):
            return "a copy that shares its parts with %s" % shown(value)
    return ""


def _nested(value):
    if type(value) is list:
        return [value, [copy.deepcopy(value)]]
    return {"a": value, "b": {"c": [1, 2]}} if type(value) is dict else None


def _parts(value):
    """Of what can be changed in a value the identities."""
    if type(value) is dict:
        return {id(value)}.union(*map(_parts, value.values()))
    if type(value) in (list, tuple):
        return {id(value)}.union(*map(_parts, value)) - ({id(value)} if type(value) is tuple else set())
    return {id(value)} if is_plain(value) else set()


CONDUCT: Dict[str, Any] = {
    "limited": limited,
    "empty": empty,
    "ordered": ordered,
    "again": again,
    "within": within,
    "anew": anew,
    "deep": deep,
    "arrays_kept": arrays_kept,
    "listed": listed,
    **OF_BOUNDS,
    **OF_NATURE,
    **OF_ORDERS,
    **OF_PARTS,
    **OF_QUALITIES,
    **OF_ROWS,
    **OF_EXTREMES,
    **OF_TRIALS,
    **dict.fromkeys(OF_STATES),
}
"""By the kind of promise."""

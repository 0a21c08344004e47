"""Whether what objects hold goes on as documentation says: made as new, replaced, handed out for good, told of all that
is there, taken out in turn. Standard library only, Python 3.6 or later.

All is tried on copies, as in `objects`, and nothing is told of what chance has a part in.
"""

import copy
import inspect
import re
from typing import Any, Dict

from .definitions import close, judged, numbers_of
from .given import same, shown
from .interfaces import made_with
from .objects import ANEW, OF_OBJECTS, changers, methods, parameters
from .structure import Digest, array_library, state
from .textbook import plain

MOST = 60
_CHANCE = {"Random", "SystemRandom", "Generator", "RandomState", "Philox", "PCG64"}
_RUNNING = re.compile(
    r"(?i)total|sum|ever|max|min|best|worst|peak|drift|delta|diff|change|elapsed|moved|shift|hist|log|past|prev|last|old"
    r"|before|count|calls|number|time|initial|start|cache"
)
"""In names of what may tell of all calls, or of the one before."""
_OF_ALL_CALLS = re.compile(r"(?i)ever|hist|log|written|number|count|calls")


def _texts(one):
    """Of all attributes, digests by name."""
    found = {name: Digest(value) for name, value in (state(one) or {}).items()}
    return {name: digest.text for name, digest in found.items() if not digest.opaque}


def _by_chance(one, depth=2):
    """Whether an object holds what draws numbers."""
    held = list((state(one) or {}).values()) if depth else []
    return type(one).__name__ in _CHANCE or any(_by_chance(value, depth - 1) for value in held)


def as_new(call, args, kwargs, *of):
    """After it an object does all that one does which was just made with the same; what that is is told by attributes.
    What no method changes may have been set from outside; `of` are words for what is as new: all of it, and no part."""
    if not all(word in type(args[0]).__name__.lower() for word in of):
        return None

    def begun(one):
        call(one, *copy.deepcopy(args[1:]), **copy.deepcopy(kwargs))
        return one

    one, kind = begun(copy.deepcopy(args[0])), type(args[0])
    given = made_with(one)
    if given is None or _by_chance(one):
        return None
    new, other = (begun(kind(*copy.deepcopy(given))) for _ in range(2))
    old, now = _texts(one), _texts(new)
    unlike = {name for name in {*old, *now} if old.get(name) != now.get(name)}
    moves = list(changers(new, _texts))
    changed = set()  # type: set[str]
    for move in moves:
        after = _texts(_moved(new, move))
        changed.update(name for name in after if after[name] != now.get(name))
    named = {place for name in inspect.signature(kind).parameters for place in (name, "_" + name)}
    if not moves or unlike & named or not unlike <= changed or _apart(new, other, moves):
        return None
    return _apart(one, new, moves)


def _moved(one, move):
    one = copy.deepcopy(one)
    getattr(one, move[0])(*copy.deepcopy(move[1]))
    return one


def _apart(one, other, moves):
    """What shows that two objects are not alike: what one of their methods gives, or what they tell afterwards."""
    one, other = copy.deepcopy((one, other))
    given_none = [name for name, function in methods(one) if not (parameters(function) or ANEW.search(name))]
    asked = [(name, ()) for name in given_none if name not in dict(moves)]  # type: list[Any]
    asked += [(name, None) for name, item in vars(type(one)).items() if isinstance(item, property) and name[0] != "_"]
    for name, given in [*moves, *moves]:
        first, second = _answer(one, name, given), _answer(other, name, given)
        if not _alike(first, second):
            return "%s from .%s, and %s from a new one" % (shown(first), name, shown(second))
        for told, none in asked:
            first, second = (_answer(copy.deepcopy(each), told, none) for each in (one, other))
            if not _alike(first, second):
                return "%s from .%s after .%s, and %s from a new one" % (shown(first), told, name, shown(second))
    return ""


def _answer(one, name, given):
    try:
        return plain(getattr(one, name) if given is None else getattr(one, name)(*copy.deepcopy(given)))
    except Exception as error:  # noqa: BLE001 -- what it raises is its answer
        return type(error).__name__


def _alike(first, second):
    return Digest([first, second]).opaque or same(first, second)


def replaced(call, args, kwargs, adds):
    """Nothing is left of the call before; with `adds` only that is told which is added to what was there."""
    if len(args) < 2 or kwargs or _by_chance(args[0]):
        return None
    apart = _OF_ALL_CALLS if adds else _RUNNING
    start, value = _numbers(args[0], apart), args[-1]
    left = None
    for factor, more in ((2, 1), (0.5, 0)):
        other = _times(value, factor, more)
        if other is None or same(other, value):
            return None
        runs = [[args[1:]], [(*args[1:-1], other)], [(*args[1:-1], other), args[1:]]]
        once, alone, both = [_held_after(call, args[0], run, apart) for run in runs]
        if both != _held_after(call, args[0], runs[2], apart):
            return None
        if adds:
            found = {
                name
                for name in once
                if _is_added(value, other, *[each.get(name) for each in (start, once, alone, both)])
            }
        else:
            found = {name for name in once if once[name] != start.get(name) and _are_unlike(once[name], both.get(name))}
        left = found if left is None else left & found
    told = min(left or {""})
    return told and "and something of the call before is left in .%s: %s" % (
        told, "what was set is added to it" if adds else "called twice, it gives another than called once")  # fmt: skip


def _numbers(one, apart):
    found = {name: numbers_of(value) for name, value in (state(one) or {}).items() if not apart.search(name)}
    return {name: (tuple(numbers[0]), list(numbers[1])) for name, numbers in found.items() if judged(numbers)}


def _held_after(call, one, run, apart):
    one = copy.deepcopy(one)
    for given in copy.deepcopy(run):
        call(one, *given)
    return _numbers(one, apart)


def _are_unlike(once, both):
    return both is not None and once[0] == both[0] and not close(once[1], both[1])


def _is_added(value, other, *held):
    """Whether of an attribute, at the start, after each of two calls alone and after both, something has grown each
    time by what was given."""
    if type(value) not in (int, float) or not value or None in held or len({each[0] for each in held}) > 1:
        return False
    return any(
        close([a - start, b - start, c - start], [value, other, value + other])
        for start, a, b, c in zip(*[each[1] for each in held])
    )


def _times(value, factor, more):
    """A number or numbers that are larger, or smaller; None for what is none."""
    if type(value) in (list, tuple):
        items = [_times(item, factor, more) for item in value]
        return None if None in items else type(value)(items)
    if array_library(value) == "numpy" and value.dtype.kind == "f":
        return value * factor + more
    return type(value)(value * factor + more) if type(value) in (int, float) else None


def handed(call, args, kwargs, deep):
    """What was handed out stays as it is whatever is done to the object; if not `deep`, it keeps its items."""

    def taken():
        one = copy.deepcopy(args[0])
        return one, call(one, *copy.deepcopy(args[1:]), **copy.deepcopy(kwargs))

    one, found = taken()
    kinds = (list, dict, set)
    if not (type(found) in kinds or array_library(found)) and (not deep or Digest(found).opaque or not state(found)):
        return None
    for name, given in changers(one, _texts):
        one, found = taken()
        before = _items(found, deep)
        _answer(one, name, given)
        if _items(found, deep) != before:
            return "what .%s(%s) of the object changes afterwards" % (name, ", ".join(map(repr, given)))
    return ""


def _items(found, deep):
    if deep or type(found) not in (list, dict, set):
        return Digest(found).text
    return (
        sorted(map(repr, found))
        if type(found) is set
        else [*map(id, found), *map(id, getattr(found, "values", list)())]
    )


def current(call, args, kwargs, own):
    """What is told of all that is there is not what was told before, once there is more; it is asked by the method
    `own`."""

    def told(one):
        return plain(call(one, *copy.deepcopy(args[1:])))

    if kwargs:
        return None
    before = told(copy.deepcopy(args[0]))
    numbers = numbers_of(before)
    if not judged(numbers) or all(type(number) is int for number in numbers[1]):
        return None
    for name, given in changers(args[0], _texts, args[1:]):
        asked, other = (copy.deepcopy(args[0]) for _ in range(2))
        told(asked)
        for one in (asked, other) if name != own else ():
            _answer(one, name, given)
        kept, now = (_answer(one, own, args[1:]) for one in (asked, other))
        if type(now) is not str and same(kept, before) and not same(now, before):
            return "%s after .%s as before it, and %s if it is asked then alone" % (shown(kept), name, shown(now))
    return ""


def in_turn(_, args, kwargs, own):
    """Of what has the same number that comes out first which was put in first; which numbers come first shows."""
    if len(args) != 1 or kwargs:
        return None
    empty = copy.deepcopy(args[0])
    for _ in range(MOST):
        before = Digest(empty).text
        _answer(empty, own, ())
        if Digest(empty).text == before:
            break

    def out(name, turned, *pairs):
        one = copy.deepcopy(empty)
        for number, text in pairs:
            _answer(one, name, (text, number) if turned else (number, text))
        found = [_answer(one, own, ()) for _ in pairs]
        parts = [part for taken in found for part in (taken if type(taken) in (tuple, list) else [taken])]
        return [part for part in parts if part in ("a", "b")]

    for name, function in methods(empty):
        for turned in (False, True) if len(parameters(function)) == 2 else ():
            orders = [out(name, turned, *given) for given in _UNLIKE]
            ties = [out(name, turned, (1.0, first), (1.0, second)) for first, second in ("ab", "ba")]
            wrong = [tied for tied, right in zip(ties, _TIED) if tied == right[::-1]]
            if orders in _ORDERS and wrong and all(map(len, ties)):
                return "%r before %r, which was put in before it with the same number" % (*wrong[0],)
    return ""


_UNLIKE = [[(1.0, "a"), (2.0, "b")], [(1.0, "b"), (2.0, "a")], [(2.0, "a"), (1.0, "b")], [(2.0, "b"), (1.0, "a")]]
_TIED = [["a", "b"], ["b", "a"]]
_ORDERS = [[_TIED[place] for place in places] for places in ((0, 1, 1, 0), (1, 0, 0, 1))]
"""By smallest numbers, or by largest."""


def listed(given, sure):
    """A list is none that gives its items once, if nobody has noted that it is such a thing; who yields may call what
    comes of it a list, unless that is `sure`."""
    noted = re.search("Iter|Gener", str(getattr(given.target, "__annotations__", {}).get("return")))
    if noted or (inspect.isgeneratorfunction(inspect.unwrap(given.target)) and not sure):
        return None
    bound = copy.copy(given.bound)
    bound.arguments = copy.deepcopy(given.bound.arguments)
    found = given.target(*bound.args, **bound.kwargs)
    return "a %s, which gives its items once" % type(found).__name__ if hasattr(type(found), "__next__") else ""


OF_STATES: Dict[str, Any] = dict(
    OF_OBJECTS, as_new=as_new, replaced=replaced, handed=handed, current=current, in_turn=in_turn
)
"""As in `objects`."""

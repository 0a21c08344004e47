"""Whether a result is what it is by its nature: a share, a schedule without a jump, of links without direction, of many
items as of few. Standard library only, Python 3.6 or later.

Each is given a real call and what was promised, as those in `conduct`.
"""

import inspect
import itertools
import types
from typing import Any, Dict

from .definitions import NEAR, judged, numbers_of
from .given import Given, result_of, same, shown
from .kinds import like_number
from .textbook import Disagrees

TIMES = 3
"""How often what is given is repeated."""
STEPS, ROOM = 20, 0.1
"""Steps that a schedule must have for its joint to show, and how far from its height it may be one step beside it."""
FAR = 0.2
"""By which share of the largest number two ways to compute the same may differ."""


def share(given, repeated):
    """It is no more than one, also where one of two texts is the other several times; lists need not hold an item more
    than once unless that is said (`repeated`)."""
    if len(given.names) < 2:
        return None
    names = given.names[:2]
    one, other = (given.bound.arguments[name] for name in names)
    if type(one) is not type(other) or not one or not other or type(one) not in ((str, list) if repeated else (str,)):
        return None
    if not _is_share(given.call()):
        raise Disagrees
    of_same = result_of(given, **{names[1]: one})
    if type(of_same) not in (int, float) or abs(of_same - 1) > NEAR:
        return None
    for changed, value in ((names[0], other), (names[1], one)):
        joined = [value * TIMES] + ([" ".join([value] * TIMES)] if type(value) is str else [])
        for fresh in joined:
            found = result_of(given, **{changed: fresh})
            if type(found) in (int, float) and not _is_share(found):
                return "%s for %s = %s" % (shown(found), changed, shown(fresh))
    return ""


def _is_share(found):
    return type(found) not in (int, float) or -NEAR <= found <= 1 + NEAR


def joint(given, step, count, peak):
    """What has risen to `peak` after `count` steps goes on from there."""
    bound = inspect.signature(given.target).bind(*given.bound.args, **given.bound.kwargs)
    bound.apply_defaults()
    values = bound.arguments
    top, others = values[peak], [v for name, v in values.items() if name not in (step, count, peak)]
    lengths = [value for value in others if type(value) is int and value > 1]
    size = min(lengths) // 2 if lengths else 10 * STEPS
    if type(top) not in (int, float) or not top or size < STEPS or type(values[count]) is not int:
        return None
    found = [result_of(given, **{step: size + more, count: size}) for more in (-1, 0, 1)]
    if any(type(one) not in (int, float) for one in found) or abs(found[0] - top) > ROOM * abs(top):
        return None
    if any(abs(one - top) <= ROOM * abs(top) for one in found[1:]):
        return ""
    return "%s for %s = %d and %s = %d, behind %s" % (shown(found[1]), step, size, count, size, shown(found[0]))


def both_ways(given, name, unlinked):
    """Links may be written from either end: the numbers stay the same, or what is not linked (`unlinked`) is none."""
    edges = given.bound.arguments.get(name)
    if type(edges) not in (list, tuple) or not edges or any(type(e) is not tuple or len(e) != 2 for e in edges):
        return None
    turned = type(edges)(edge[::-1] for edge in edges)
    known = {frozenset(edge) for edge in edges}
    once, found = given.call(), result_of(given, **{name: turned})
    if unlinked:
        if known & _pairs(once):
            raise Disagrees
        again = sorted(map(sorted, known & _pairs(found)))
        return "%s for %s = %s" % (shown(found), name, shown(turned)) if again else ""
    if not judged(numbers_of(once)) or not judged(numbers_of(found)) or not same(once, given.call()):
        return None
    return "" if same(once, found) else "%s for %s = %s" % (shown(found), name, shown(turned))


def _pairs(found):
    pairs = found if type(found) in (list, tuple, set) else ()
    return {frozenset(pair) for pair in pairs if type(pair) is tuple and len(pair) == 2}


def any_size(given, name, count):
    """Nothing is said of many items: what is done with more of them than `count` gives what the way for few would,
    whatever the order. Items are repeated where one call has some twice, and need not be sorted."""
    values, target = given.bound.arguments, given.target
    numbers, code = numbers_of(values.get(name)), getattr(target, "__code__", None)  # type: Any, Any
    plain = type(target) is types.FunctionType and not target.__closure__ and hasattr(code, "replace")
    if not plain or not judged(numbers) or len(numbers[0]) != 1 or code.co_consts.count(count) != 1:
        return None
    if len(set(numbers[1])) == len(numbers[1]) or numbers[1] in (sorted(numbers[1]), sorted(numbers[1])[::-1]):
        return None
    moved = tuple(10**9 if type(const) is int and const == count else const for const in code.co_consts)
    few = types.FunctionType(code.replace(co_consts=moved), target.__globals__, target.__name__, target.__defaults__)
    few.__kwdefaults__ = target.__kwdefaults__
    many = count + 1 + numbers[0][0]
    alike = {other: numbers_of(value) for other, value in values.items() if type(value) is not str}
    alike = {other: found[1] for other, found in alike.items() if found and found[0] == numbers[0]}
    fresh = {other: _repeated(values[other], flat, many) for other, flat in alike.items()}
    ways = [Given(way, given.bound.args, given.bound.kwargs) for way in (target, target, few)]
    one, other, right = (numbers_of(result_of(way, **fresh)) for way in ways)
    if not (judged(one) and judged(right) and one == other and one[0] == right[0]):
        return None
    far = FAR * max(map(abs, right[1]))
    if all(abs(a - b) <= far for a, b in zip(sorted(one[1]), sorted(right[1]))):
        return ""
    found = next((a, b) for a, b in zip(one[1], right[1]) if abs(a - b) > far)
    return "%s for %s of %d items, and by the way for up to %d of them %s" % (
        shown(found[0]), name, many, count, shown(found[1]),
    )  # fmt: skip


def _repeated(value, flat, many):
    return like_number(value, (many,), list(itertools.islice(itertools.cycle(flat), many)))


OF_NATURE: Dict[str, Any] = {"share": share, "joint": joint, "both_ways": both_ways, "any_size": any_size}
"""By the kind of promise."""

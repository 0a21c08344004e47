"""Whether a function keeps what its documentation says of large numbers, of endless items, of angles, and of chance.
Standard library only, Python 3.6 or later.

Each is given a real call and what was promised, as those in `conduct`.
"""

import collections
import copy
import itertools
import math
import random
import re
import sys
import time
from typing import Any, Dict

from .definitions import judged, numbers_of
from .given import is_within, result_of, same, shown
from .kinds import like_number
from .structure import array_library
from .textbook import Disagrees, at_once, plain

MOST, LARGE, OFFSET = 10000, 1000.0, 1e9
"""Items that may be taken for one, numbers that no exponential takes, and how far from zero numbers are moved: so many
times as far as they are from each other."""
CALLS, LEAST, SECONDS, ITEMS = 9000, 2000, 0.8, 8
"""Of a function of chance: calls, those that tell something, seconds for all, items that are drawn from."""
SIGMAS = 6.0
"""Standard deviations that honest chance exceeds once in 1e9 times."""
NOT_ALTERED = {
    "p", "q", "prob", "probs", "probability", "probabilities", "weights", "weight", "w", "labels", "label", "target",
    "targets", "y", "y_true", "mask", "axis", "dim", "eps", "epsilon", "tol", "alpha", "beta", "gamma", "sigma",
    "temperature", "tau", "t", "k", "n", "ddof",
}  # fmt: skip


def finite(given):
    """Large arguments give a finite result: numbers with the signs of real ones."""
    if not _is_finite(given.call()):
        return None
    for name in _altered(given):
        value = given.bound.arguments[name]
        shape, flat = numbers_of(value)
        for fresh in _large(flat):
            told = _beyond(given, name, like_number(value, shape, fresh))
            if told:
                return told
    return ""


def _altered(given):
    """Parameters that hold several numbers, or where there are none, one."""
    numbers = {name: numbers_of(value) for name, value in given.bound.arguments.items()}
    known = {
        name: found[0] for name, found in numbers.items() if judged(found) and name.lower() not in NOT_ALTERED
        and any(not 0 < number < 1 for number in found[1]) and not _ends_at_one(given, name, found)
    }  # fmt: skip
    several = [name for name, shape in known.items() if shape]
    return several or [name for name in known if type(given.bound.arguments[name]) in (int, float)]


def _ends_at_one(given, name, numbers):
    """Whether these lie from 0 to 1, and more is not meant: nothing finite comes of it."""
    if not all(0 <= number <= 1 for number in numbers[1]):
        return False
    beyond = like_number(given.bound.arguments[name], numbers[0], [number + 1.5 for number in numbers[1]])
    found = result_of(given, **{name: beyond})
    return found is None or not _is_finite(found)


def _large(flat):
    most = max(map(abs, flat)) or 1.0
    yield [number * LARGE / most for number in flat]
    if max(flat) > 0:
        yield [number + LARGE for number in flat] if min(flat) >= 0 or len(flat) > 1 else [LARGE]
    if min(flat) < 0:
        yield [number - LARGE for number in flat]


_LOST = ("math domain error", "expected a positive input")


def _beyond(given, name, value):
    try:
        found = given.call(**{name: value})
    except OverflowError:
        return "nothing, but raised OverflowError, for %s = %s" % (name, shown(value))
    except Exception as error:  # noqa: BLE001 -- it is not made for these
        lost = type(error) is ValueError and str(error).startswith(_LOST)  # as the logarithm of what became zero
        return "nothing, but raised ValueError, for %s = %s" % (name, shown(value)) if lost else ""
    return "" if _is_finite(found) else "%s for %s = %s" % (shown(found), name, shown(value))


def _is_finite(value):
    """Whether no part of it is infinite, or no number; what is no number at all is taken as finite."""
    if array_library(value):
        return array_library(value) != "numpy" or value.dtype.kind != "f" or bool(abs(value).max(initial=0) < math.inf)
    if type(value) in (list, tuple):
        return all(map(_is_finite, value))
    return type(value) is not float or math.isfinite(value)


def shifted(given, least=0.0):
    """A spread stays what it is where all values are far from zero; with `least`, any result where all values of the
    one argument that has several are by so many times as far from zero as they are from each other."""
    names = [name for name in given.names if name.lower() not in NOT_ALTERED]
    names = [name for name in names if (numbers_of(given.bound.arguments[name]) or ((), ()))[0]]
    once = given.call()
    if least:
        return _offset(given, names[0], once, least) if len(names) == 1 else None
    if type(once) is not float or not once > 0:
        return None
    for name in names:
        value = given.bound.arguments[name]
        if array_library(value) and str(value.dtype) != "float64":
            continue
        shape, flat = numbers_of(value)
        offset = OFFSET * (max(flat) - min(flat))  # of numbers that lie close even fewer digits would be left
        fresh = like_number(value, shape, [number + offset for number in flat])
        found = result_of(given, **{name: fresh})
        if type(found) is float and not abs(found - once) <= 1e-3 * once:
            return "%s for %s, and %s for each of them plus %g" % (shown(once), shown(value), shown(found), offset)
    return ""


def _offset(given, name, once, times):
    """Tells of two constants that are added to all numbers; of nothing that rests on the last digits of these."""
    value = given.bound.arguments[name]
    shape, flat = numbers_of(value)
    close_by = [number * (1 + 1e-9 * (place * 7 % 5 - 2)) for place, number in enumerate(flat)]
    offsets = [factor * times * (max(flat) - min(flat)) for factor in (1, -1.5)]
    made = [close_by, *([number + offset for number in flat] for offset in offsets)]
    found = [result_of(given, **{name: like_number(value, shape, one)}) for one in made]
    if any(one is None for one in found) or not same(once, found[0]) or any(same(once, one) for one in found[1:]):
        return ""
    return "%s for %s, and %s for each of them plus %g" % (shown(once), shown(value), shown(found[1]), offsets[0])


class _TooMuch(Exception):
    """More was taken than there is room for."""


class _Endless:
    """Yields the same values over and over."""

    def __init__(self, values):
        self.taken, self.values = 0, itertools.cycle(values)

    def __iter__(self):
        return self

    def __next__(self):
        self.taken += 1
        if self.taken > MOST:
            raise _TooMuch
        return next(self.values)


_ITERATORS: Any = (type(iter([])), type(iter(())), type(iter("")), type(iter(range(1))), map, filter, zip, range)


_STREAMS = {
    "data", "elements", "gen", "generator", "it", "items", "iterable", "iterator", "lines", "numbers", "records",
    "rows", "seq", "sequence", "source", "stream", "values", "xs",
}  # fmt: skip


def endless(given):
    """Something comes of an endless iterator."""
    values = given.bound.arguments
    names = [name for name in given.names if type(values[name]) in (list, tuple, str) + _ITERATORS]
    names = names if len(names) == 1 else [name for name in names if name in _STREAMS]
    real = given.call()
    if len(names) != 1 or type(real) is not list or len(real) < 2:
        return None
    listed = list(itertools.islice(copy.deepcopy(values[names[0]]), MOST))
    bound = copy.copy(given.bound)
    bound.arguments = copy.deepcopy(values)
    bound.arguments[names[0]] = _Endless(listed)
    try:
        next(iter(at_once(given.target(*bound.args, **bound.kwargs))))
    except _TooMuch:
        return "nothing before it had taken %d items of an endless iterator" % MOST
    return ""


def uniform(given, sort):
    """All orders of three items, or all of several items that are drawn ("draw"), come as often."""
    names = [name for name, value in given.bound.arguments.items() if type(value) in (list, tuple, range)]
    chance = {name: _generator(given, name) for name in given.names if name not in names}
    if len(names) != 1 or not all(chance.values()):
        return None
    count, kind = ITEMS if sort == "draw" else 3, type(given.bound.arguments[names[0]])
    others = {name: value for name, (value,) in chance.items()}
    seen, results = collections.Counter(), set()  # type: Any, Any
    calls, stop = 0, time.monotonic() + SECONDS
    while calls < CALLS and time.monotonic() < stop:
        bound = copy.copy(given.bound)
        bound.arguments = copy.copy(given.bound.arguments)
        fresh = range(count) if kind is range else kind(range(count))
        bound.arguments.update(others, **{names[0]: fresh})
        found = plain(at_once(given.target(*bound.args, **bound.kwargs)))
        told = _drawn(found, count) if sort == "draw" else _ordered(fresh if found is None else found, count)
        if told is None:
            return None
        seen.update(told)
        results.add(tuple(told))
        calls += 1
    cells = count if sort == "draw" else math.factorial(count)
    if calls < LEAST or len(results) < 2:
        return None
    mean = sum(seen.values()) / cells
    excess = sum((n - mean) ** 2 / mean for n in seen.values()) + mean * (cells - len(seen))
    if excess > _most_by_chance(cells - 1):
        rare, often = min(seen, key=seen.get), max(seen, key=seen.get)
        return "%s %d times and %s %d times of %d" % (shown(often), seen[often], shown(rare), seen[rare], calls)
    return ""


def _generator(given, name):
    """[What stands for an argument]: of a generator a new one, of a small count one that leaves a choice, no seed;
    nothing for what can't be replaced."""
    value, library = given.bound.arguments[name], sys.modules.get("numpy")
    if type(value) is random.Random:
        return [random.Random(20011)]  # noqa: S311 -- as it is given
    if library and type(value).__module__.startswith("numpy.random"):
        named = {"Generator": library.random.default_rng, "RandomState": library.random.RandomState}
        return [named[type(value).__name__](20011)] if type(value).__name__ in named else []
    if "seed" in name or name == "random_state":
        return [None] if given.default(name) is None else []
    if type(value) is int and value > 0:
        return [min(value, ITEMS // 2)]
    return [value] if value is random or value is None or type(value) in (bool, str) else []


def _ordered(found, count):
    if array_library(found) == "numpy":
        found = found.tolist()
    if type(found) not in (list, tuple) or not all(type(item) is int for item in found):
        return None
    return [tuple(found)] if sorted(found) == list(range(count)) else None


def _drawn(found, count):
    if array_library(found) == "numpy":
        found = found.tolist()
    found = [found] if type(found) is int else found
    if type(found) not in (list, tuple, set) or not 0 < len(found) < count:
        return None
    return found if all(type(item) is int and 0 <= item < count for item in found) else None


def _most_by_chance(freedom):
    """A bound of the sum of squares (Wilson and Hilferty's), which is never exceeded by honest chance."""
    share = 2 / (9 * freedom)
    return float(freedom * (1 - share + SIGMAS * math.sqrt(share)) ** 3)


def around(given, low, high, brings, *left_out):
    """A direction lies within the turn that is told, also by the name of a parameter, wherever it leads; with `brings`,
    whatever is given. An end that is `left_out` is not to come of whole numbers, of which no digit is lost."""
    period = high if type(high) is str else ""
    high = given.value(high) if period else high
    if type(high) not in (int, float) or high <= low:
        raise Disagrees
    ends = [{"low": low, "high": high}[end] for end in left_out]
    values = given.bound.arguments
    if not is_within(given.call(), low, high) or _is_whole_end(given.call(), ends, values):
        raise Disagrees
    numeric = [name for name in given.names if name != period and judged(numbers_of(values[name]))]
    changes = [{a: values[b], b: values[a]} for a, b in itertools.combinations(numeric, 2) if _are_alike(values, a, b)]
    turning = [name for name in numeric if brings or _ANGLES.intersection(_parts(name))]
    if {name.lower() for name in numeric} in _AXES:
        turning = numeric
    changes += [{name: negated(values[name])} for name in turning]
    changes.append({name: negated(values[name]) for name in turning})
    changes += list(_turned(values, given.names))
    if len(turning) == len(numeric) == 1 and type(values[numeric[0]]) in (int, float):
        changes += [{numeric[0]: values[numeric[0]] * factor} for factor in (-7, 5, 12, -30)]
        if brings and not period and (low, high) == (int(low), int(high)):
            changes += [{numeric[0]: int(end)} for end in (low, high, 2 * high - low, 2 * low - high)]
    for changed in changes:
        found = result_of(given, **changed)
        beyond = found is not None and not is_within(found, low, high)
        if beyond or _is_whole_end(found, ends, dict(values, **changed)):
            return "%s for %s" % (shown(found), ", ".join("%s = %s" % (n, shown(v)) for n, v in changed.items()))
    return ""


def _turned(values, names):
    """Points of the plane, all of them turned around the origin by one, two and three right angles."""
    points = [values[name] for name in names]
    if len(points) > 1 and all((numbers_of(point) or ((), ()))[0] == (2,) for point in points):
        for turn in (1, 2, 3):
            a, b = ((0, -1), (-1, 0), (0, 1))[turn - 1]
            made = [(a * x - b * y, b * x + a * y) for x, y in (numbers_of(point)[1] for point in points)]
            yield {name: like_number(values[name], (2,), list(one)) for name, one in zip(names, made)}


def _is_whole_end(found, ends, values):
    """Whether a number is one of these ends, and all that it was made of is whole."""
    whole = all(type(value) is int for value in values.values())
    return whole and type(found) in (int, float) and found in ends


_ANGLES = {
    "angle", "angles", "azimuth", "bearing", "course", "deg", "degrees", "direction", "heading", "lon", "long",
    "longitude", "lng", "phase", "phi", "psi", "rad", "radians", "theta", "yaw",
}  # fmt: skip
_AXES = ({"x", "y"}, {"dx", "dy"}, {"u", "v"}, {"vx", "vy"}, {"east", "north"}, {"real", "imag"})
_ENDS = {
    "start", "end", "stop", "origin", "destination", "dest", "source", "target", "src", "dst", "from", "to", "here",
    "there", "first", "second", "goal", "begin", "other", "one", "two", "point", "position", "pos",
}  # fmt: skip
_LETTERS = ({"a", "b"}, {"p", "q"})


def _parts(name):
    return re.findall(r"[a-z]+|[0-9]+", name.lower())


def _are_alike(values, a, b):
    """Whether two parameters stand for the same sort of thing, by their shapes and their names."""
    if numbers_of(values[a])[0] != numbers_of(values[b])[0] or len(_parts(a)) != len(_parts(b)):
        return False
    other = [{one, two} for one, two in zip(_parts(a), _parts(b)) if one != two]
    return len(other) == 1 and (other[0] in _LETTERS or other[0] <= _ENDS or all(map(str.isdigit, other[0])))


def negated(value):
    """With the other sign, in a container of the same sort."""
    shape, flat = numbers_of(value)
    return like_number(value, shape, [-number for number in flat])


def skipping(given, what="nan"):
    """What is no number, or with "zero" what is zero, says nothing of a result that is a number."""
    values = given.bound.arguments
    names = [name for name in given.names if judged(numbers_of(values[name])) and numbers_of(values[name])[0]]
    once = given.call()
    if len(names) != 1 or type(once) not in (int, float) or len(numbers_of(values[names[0]])[0]) != 1:
        return None
    value = values[names[0]]
    if any(type(one) is int and one == len(value) for one in values.values()):
        return None  # it is told how many there are
    kinds = "fi" if what == "zero" else "f"
    if array_library(value) and (array_library(value) != "numpy" or value.dtype.kind not in kinds):
        return None
    flat, out = numbers_of(value)[1], 0 if what == "zero" else math.nan
    rest = [number for number in flat if number != out]
    bare = result_of(given, **{names[0]: like_number(value, (len(rest),), rest)}) if 0 < len(rest) < len(flat) else once
    if not same(once, bare):
        raise Disagrees
    for place in (0, len(flat) // 2, len(flat)):
        fresh = flat[:place] + [out] + flat[place:]
        made = like_number(value, (len(fresh),), fresh)
        found = result_of(given, **{names[0]: made})
        is_place = type(once) is int and place <= once and place < len(flat) and found == once + 1
        if type(found) in (int, float) and not is_place and not abs(found - once) <= 1e-6 * (1 + abs(once)):
            return "%s for %s, and %s for %s" % (shown(once), shown(value), shown(found), shown(made))
    return ""


def adds_up(given, name):
    """The parts of a result come to what is given."""
    total, values = given.value(name), given.bound.arguments
    once = given.call()
    if type(total) not in (int, float) or not _adds_up(once, total):
        raise Disagrees
    lists = [other for other in given.names if other != name and type(values[other]) in (list, tuple)]
    if any(all(part in values[other] for part in numbers_of(once)[1]) for other in lists):
        return None  # a choice of these, which can't come to each total
    shares = [type(values[lists[0]])([1] * length) for length in (3, 7)] if len(lists) == 1 else []
    shares = shares if shares and all(type(share) is int for share in values[lists[0]]) else []
    fresh = [{name: type(total)(most)} for most in (100, 101, 17, 1000)]
    given_shares = [{name: total * times} for times in (2, 3, 10)] if lists else fresh
    for changed in given_shares + [dict(one, **{lists[0]: share}) for one in fresh for share in shares]:
        found = result_of(given, **changed)
        if judged(numbers_of(found)) and not _adds_up(found, changed[name]):
            return "%s for %s" % (shown(found), ", ".join("%s = %s" % (n, shown(v)) for n, v in changed.items()))
    return ""


def _adds_up(found, total):
    numbers = numbers_of(found)
    return bool(judged(numbers) and abs(sum(numbers[1]) - total) <= 1e-6 * (1 + abs(total)))


OF_EXTREMES: Dict[str, Any] = {
    "finite": finite,
    "shifted": shifted,
    "endless": endless,
    "uniform": uniform,
    "around": around,
    "skipping": skipping,
    "adds_up": adds_up,
}
"""By the kind of promise."""

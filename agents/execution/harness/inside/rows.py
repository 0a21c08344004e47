"""Whether a function does with each row, window, pair and sort of number what its documentation says of them.
Standard library only, Python 3.6 or later.

Each is given a real call and what was promised, as those in `conduct`. Where the other calls raise, or give a result of
another form, nothing is said.
"""

import collections
import math
import sys
from typing import Any, Dict

from .definitions import judged, near, numbers_of
from .given import result_of, same, shown
from .kinds import like_number
from .orders import LONGEST, has_items, in_order
from .structure import array_library
from .textbook import Disagrees, at_once, is_whole

LINES, LEAST = 3, 4
"""Of a matrix that is made, rows (or columns) at least; rows of two arguments that are told apart."""
_FACTORS, _WHOLE = (1.0, 2.5, 0.6, 1.7), (1, 2, 3, 4)


def each_row(given, axis):
    """What comes of a matrix is, row by row ("column" by column), what comes of each of them alone."""
    name = _only_array(given)
    table = name and _table(given.bound.arguments[name])
    if not table:
        return None
    is_vector, rows = table
    value, first = given.bound.arguments[name], axis == "row"
    lines = rows if first or is_vector else [list(column) for column in zip(*rows)]
    if len(lines[0]) < 2 or (not is_vector and len(lines) > 2 and rows == [list(column) for column in zip(*rows)]):
        return None  # of one number nothing is seen, and what is symmetric may have to be
    trial = _Lines(given, name, first, is_vector)
    if not is_vector and len(lines) > 1 and trial.differs(lines):
        raise Disagrees
    told = [trial.differs(fresh) for fresh in _other_lines(lines, value)]
    return next(filter(None, told), None if None in told else "")


def _only_array(given):
    """The name of the one argument that holds several numbers, if all others are plain and none is a size of it."""
    values = given.bound.arguments
    names = [name for name in given.names if has_items(values[name])]
    if len(names) != 1:
        return ""
    sizes = numbers_of(values[names[0]])
    others = [values[name] for name in given.names if name not in names]
    if sizes is None or not all(type(one) in (int, float, bool, str, type(None)) for one in others):
        return ""
    return "" if any(type(one) is int and one > 1 and one in sizes[0] for one in others) else names[0]


def _table(value):
    """(Whether it is a vector, its rows) of a vector or a matrix; what is no number may be among them."""
    if array_library(value) and (array_library(value) != "numpy" or value.dtype.kind not in "fiu"):
        return None
    shape, flat = numbers_of(value)
    if not 1 <= len(shape) <= 2 or not 0 < len(flat) <= LONGEST:
        return None
    listed = value.tolist() if array_library(value) else [list(row) if len(shape) == 2 else row for row in value]
    return (True, [listed]) if len(shape) == 1 else (False, listed)


def _other_lines(lines, value):
    """Several lines like real ones, each unlike the others: turned, and larger or smaller where they may be."""
    flat = [number for line in lines for number in line if not math.isnan(number)]
    whole = value.dtype.kind in "iu" if array_library(value) else all(type(number) is int for number in flat)
    shares = not flat or (min(flat) >= 0 and max(flat) <= 1) or str(getattr(value, "dtype", "")) in ("uint8", "int8")
    turns = not all(line == sorted(line) and len(line) > 2 for line in lines)
    for factors in ((1,),) if shares else (_WHOLE if whole else _FACTORS, (1,)):
        made = []
        for place in range(max(LINES, len(lines))):
            line = lines[place % len(lines)]
            turn = (place // len(lines) + place) % len(line) if turns else 0
            factor, more = factors[place % len(factors)], place if factors[1:] else 0
            made.append([number * factor + more for number in line[turn:] + line[:turn]])
        if any(line != made[0] for line in made):
            yield made


class _Lines:
    """Tries of a function on a matrix and on each of its lines: its rows if `first`, else its columns."""

    def __init__(self, given, name, first, is_vector):
        self.given, self.name, self.first, self.is_vector = given, name, first, is_vector

    def differs(self, lines):
        """What is not as it is for a line alone, "" for nothing; None where that can't be told."""
        whole = self._called(lines)
        if whole is None or not 1 <= len(whole[0]) or whole[0][0 if self.first else -1] != len(lines):
            return None
        for place, line in enumerate(lines):
            alone = self._called([line], self.is_vector)
            rest = whole[0][1:] if self.first else whole[0][:-1]
            wanted = rest if self.is_vector else ((1,) + rest if self.first else rest + (1,))
            if alone is None or alone[0] != wanted:
                return None
            step = len(whole[1]) // len(lines)
            part = whole[1][place * step :][:step] if self.first else whole[1][place :: len(lines)]
            if not all(near(a, b) or (math.isnan(a) and math.isnan(b)) for a, b in zip(part, alone[1])):
                where = "row" if self.first else "column"
                found, wanted = shown(_short(part)), shown(_short(alone[1]))
                return "%s in the %s %d for %s, and %s for that %s alone" % (
                    found, where, place + 1, shown(self._made(lines)), wanted, where)  # fmt: skip
        return ""

    def _called(self, lines, alone=False):
        """(Shape, numbers) of what comes of these lines, twice the same."""
        made = self._made(lines, alone)
        found = [numbers_of(result_of(self.given, **{self.name: made})) for _ in range(2)]
        return found[0] if None not in found and repr(found[0]) == repr(found[1]) else None

    def _made(self, lines, alone=False):
        value = self.given.bound.arguments[self.name]
        table = lines[0] if alone else (lines if self.first else [list(row) for row in zip(*lines)])
        if array_library(value):
            return sys.modules["numpy"].array(table, dtype=value.dtype)
        inner = list if self.is_vector else type(value[0])
        return type(value)(table) if alone else type(value)(map(inner, table))


def _short(numbers):
    return [float("%.6g" % number) for number in numbers]


def paired(given, *named):
    """Two arguments stay together: what comes of the same for both is twice the same."""
    values = given.bound.arguments
    names = list(named) or [name for name in given.names if has_items(values[name])]
    if len(names) != 2 or not all(name in values and has_items(values[name]) for name in names):
        return None
    length = len(values[names[0]])
    if not LEAST <= length <= LONGEST or length != len(values[names[1]]):
        return None
    marks = [1001 + 7 * place for place in range(length)]
    fresh = {name: _marked(values[name], marks) for name in names}
    parts = _parts(result_of(given, **fresh))
    count = collections.Counter(mark for part in parts for mark in part)
    if any(count[mark] != 2 for mark in marks) or len(count) != length:
        return None
    if all(len(part) == 2 and part[0] == part[1] for part in parts):
        return ""
    if all(times % 2 == 0 for times in collections.Counter(map(tuple, parts)).values()):
        return ""
    return "%s for the same %s as %s" % (", ".join(map(repr, parts)), names[0], names[1])


def _marked(value, marks):
    """These numbers in a container of the sort of one, in each column."""
    if not array_library(value):
        return type(value)(marks)
    numpy = sys.modules["numpy"]  # type: Any
    marked = numpy.array(marks).reshape((len(marks),) + (1,) * (len(value.shape) - 1))
    return marked + numpy.zeros(value.shape, dtype=marked.dtype)


def _parts(found):
    """All lists of numbers within a result, of a matrix its first column."""
    if array_library(found) == "numpy":
        return [found.reshape(len(found), -1)[:, 0].tolist()] if len(found.shape) and found.size else []
    if type(found) not in (list, tuple):
        return []
    if all(type(item) is int or (array_library(item) and not item.shape) for item in found):
        return [[int(item) for item in found]]
    return [part for item in found for part in _parts(item)]


def as_floats(given):
    """Whole numbers give what the same numbers give as floats."""
    name = _only_array(given)
    if not name:
        return None
    value = given.bound.arguments[name]
    shape, flat = numbers_of(value)
    if len(shape) != 1 or not all(map(math.isfinite, flat)) or array_library(value) not in ("", "numpy"):
        return None
    real = [round(number) for number in flat]
    if real == flat and is_whole(value) and _differs_as_floats(given, name, real):
        raise Disagrees  # of floats no real call shows what comes of whole numbers
    others = (real[::-1], real[1:] + real[:1], [number + place * (place + 1) // 2 for place, number in enumerate(real)])
    for fresh in others:
        told = _differs_as_floats(given, name, fresh)
        if told:
            return told
    return ""


def _differs_as_floats(given, name, whole):
    value, numpy = given.bound.arguments[name], sys.modules.get("numpy")  # type: Any, Any
    sorts = []
    for kind in (int, float):
        made = numpy.array(whole, dtype=kind) if array_library(value) else type(value)(map(kind, whole))
        sorts.append(numbers_of(result_of(given, **{name: made})))
    if None in sorts or sorts[0][0] != sorts[1][0] or all(map(near, sorts[0][1], sorts[1][1])):
        return ""
    return "%s for %s, and %s for the same as floats" % (shown(_short(sorts[0][1])), whole, shown(_short(sorts[1][1])))


def repeated(given, weights):
    """A weight that is twice as large is as good as a row that comes twice."""
    values = given.bound.arguments
    told = numbers_of(values.get(weights))
    names = [name for name in given.names if has_items(values[name])]
    if not told or len(told[0]) != 1 or not 3 <= len(told[1]) <= LONGEST or not all(n > 0 for n in told[1]):
        return None
    length = len(told[1])
    if abs(sum(told[1]) - 1) < 1e-6 or any(len(values[name]) != length for name in names):
        return None
    once, doubled = [0, *range(length)], [told[1][0] * 2, *told[1][1:]]
    heavier = type(values[weights])(doubled) if not array_library(values[weights]) else values[weights].copy()
    if array_library(heavier):
        heavier[0] = doubled[0]
    others = [name for name in names if name != weights]
    for order in (list(range(length)), [*range(1, length), 0], list(range(length))[::-1]):
        fresh = {name: values[name] for name in names}
        fresh[others[-1]] = in_order(values[others[-1]], order)
        heavy = result_of(given, **dict(fresh, **{weights: heavier}))
        twice = result_of(given, **{name: in_order(value, once) for name, value in fresh.items()})
        if numbers_of(heavy) and numbers_of(twice) and not same(heavy, twice):
            return "%s with a weight of %s, and %s where that row comes twice, weighing half" % (
                shown(heavy), shown(doubled[0]), shown(twice))  # fmt: skip
    return ""


def each_window(given):
    """What comes of a window in which some are no numbers is what comes of the others alone, as a window of their
    number."""
    name, values = _only_array(given), given.bound.arguments
    sizes = [one for one in given.names if type(values[one]) is int]
    if not name or len(sizes) != 1 or (array_library(values[name]) and values[name].dtype.kind != "f"):
        return None
    width, (shape, flat) = values[sizes[0]], numbers_of(values[name])
    if not 2 <= width <= shape[0] <= LONGEST or len(shape) != 1 or not judged((shape, flat)):
        return None

    def found(numbers, size):
        """Of each window that is whole; None if there are more or less of them."""
        made = result_of(given, **{name: like_number(values[name], (len(numbers),), numbers), sizes[0]: size})
        listed = made.tolist() if array_library(made) else made
        return listed if type(listed) in (list, tuple) and len(listed) == len(numbers) - size + 1 else None

    known = found(flat, width)
    if not known or any(not same(one, (found(flat[i : i + width], width) or [None])[0]) for i, one in enumerate(known)):
        return None  # no window of its own
    for place in sorted({0, len(flat) // 2, len(flat) - 1}):
        told = found(flat[:place] + [math.nan] + flat[place + 1 :], width)
        for first in range(max(0, place - width + 1), min(place, len(flat) - width) + 1) if told else ():
            rest = [flat[i] for i in range(first, first + width) if i != place]
            wanted = found(rest, len(rest))
            if wanted and type(told[first]) is float and not same(told[first], wanted[0]):
                return "%s for %s and one that is no number, and %s for these alone" % (
                    shown(told[first]), shown(rest), shown(wanted[0]))  # fmt: skip
    return ""


def doubled(given):
    """What is made of two means stays the same where all of one argument comes twice. If the order of one says
    something, it may be made of pairs."""
    values = given.bound.arguments
    names = [name for name in given.names if has_items(values[name])]
    numbers = [numbers_of(values[name]) for name in names]
    if len(names) != 2 or any(not one or len(one[0]) != 1 or not 2 <= len(one[1]) <= LONGEST for one in numbers):
        return None
    fresh = {name: like_number(values[name], shape, _apart(flat)) for name, (shape, flat) in zip(names, numbers)}
    once, told = result_of(given, **fresh), ""
    for name in names if type(once) in (int, float) else ():
        places = list(range(len(values[name])))
        turned = result_of(given, **dict(fresh, **{name: in_order(fresh[name], places[::-1])}))
        twice = result_of(given, **dict(fresh, **{name: in_order(fresh[name], places * 2)}))
        if turned is None or not same(once, turned):
            return None
        if type(twice) in (int, float) and not same(once, twice):
            told = "%s for %s, and %s where all of %s comes twice" % (
                shown(once), ", ".join(shown(fresh[one]) for one in names), shown(twice), name)  # fmt: skip
    return told


def _apart(flat):
    """Numbers like these of other sizes."""
    whole = all(number == int(number) for number in flat)
    return [number * (place + 1 if whole else 1 + 0.37 * place) for place, number in enumerate(flat)]


def by_keywords(given):
    """A function that remembers results tells calls apart that differ by what is given by name."""
    names = [name for name in given.names if callable(given.bound.arguments[name])]
    if len(given.names) != 1 or len(names) != 1:
        return None

    def remembered(first, second=1, third=2):
        """What it is given."""
        return [first, second, third]

    made = given.target(remembered)
    if not callable(made) or isinstance(made, type):
        return None
    for args, named in (((3,), {}), ((3,), {"second": 5}), ((3,), {"second": 6}), ((3,), {"third": 5})):
        found, wanted = made(*args, **named), remembered(*args, **named)
        if type(found) is not list:
            return None
        if found != wanted:
            told = ", ".join(["3"] + ["%s=%s" % one for one in named.items()])
            return "a function that gives %s for f(%s), where its own result is %s" % (found, told, wanted)
    return ""


_WAITING = ("clock", "delay", "rng", "sleep", "sleeper", "wait")


def raised_again(given):
    """What calls a function again lets its last exception go on where each call of it raises. The function is the first
    argument, or what comes of the call is called with it."""
    values, first = given.bound.arguments, given.names[0]
    kinds = [one for value in values.values() for one in (value if type(value) in (tuple, list) else [value])]
    kinds = [one for one in kinds if isinstance(one, type) and issubclass(one, Exception)] or [ValueError, OSError]
    if any(callable(v) and not isinstance(v, type) and name not in (first, *_WAITING) for name, v in values.items()):
        return None  # it may be told of what failed, and give something else
    for kind in kinds:
        calls = []  # type: list[Any]

        def failing(*args, _kind=kind, _calls=calls, **_):
            """It never gives anything."""
            _calls.append(args)
            raise _kind("busy")

        try:
            if callable(values[first]) and not isinstance(values[first], type):
                found = given.call(**{first: failing})
            else:
                found = given.target(*given.bound.args, **given.bound.kwargs)(failing)
            found = at_once(found() if callable(found) and not calls else found)
        except kind:
            continue
        if calls:
            return "%s where each of %d calls had raised %s" % (shown(found), len(calls), kind.__name__)
    return ""


OF_ROWS: Dict[str, Any] = {
    "each_row": each_row,
    "paired": paired,
    "as_floats": as_floats,
    "repeated": repeated,
    "each_window": each_window,
    "doubled": doubled,
    "by_keywords": by_keywords,
    "raised_again": raised_again,
}
"""By the kind of promise."""

"""What functions of series, dates and gradients give by their names, in every usual reading. Standard library only,
Python 3.6 or later. See `algorithms`.
"""

import datetime
import math
import sys
from typing import Any, Dict

from .definitions import close, judged, numbers_of
from .kinds import COUNT, LIST, NUMBER, SHARES, Kind, each, exactly, like_number, numbers_in, placed
from .structure import array_library

GAP = 1e-3
"""Variances that are less apart, compared with the largest, give directions that are not told."""


def _is_gradients(given):
    parts = given[0]
    plain = type(parts) in (list, tuple) and 0 < len(parts) < 100 and all(map(array_library, parts))
    return plain and all(judged(numbers_of(part)) for part in parts) and type(given[1]) in (int, float)


def _like_gradients(given, inputs):
    parts, limit = inputs
    return [type(given[0])(like_number(given[0][0], (len(part),), part) for part in parts), limit]


def _clipped(parts, limit):
    flat = [number for part in parts for number in numbers_in(part)]
    norm = math.sqrt(sum(number * number for number in flat))
    wanted = [number * min(1.0, limit / norm) if norm else number for number in flat]

    def holds(found):
        """all of them together scaled down to the limit"""
        found = found[0] if type(found) is tuple and found and type(found[0]) in (list, tuple) else found
        if type(found) not in (list, tuple) or len(found) != len(parts):
            return None
        return close([number for part in found for number in numbers_in(part)], wanted)

    return [holds]


def _is_points(given):
    value, count = given
    numbers = (array_library(value) == "numpy" and numbers_of(value)) or ((), [])  # type: Any
    return judged(numbers) and len(numbers[0]) == 2 and type(count) is int and 0 < count <= min(numbers[0])


def _like_points(given, inputs):
    rows, count = inputs
    flat = [float(number) for row in rows for number in row]
    return [like_number(given[0].astype("float64"), (len(rows), len(rows[0])), flat), count]


def _components(points, count):
    """Directions of greatest variance as rows or columns, or the points along them; signs are anybody's."""
    numpy = sys.modules["numpy"]
    centred = points - points.mean(axis=0)
    _, sizes, rows = numpy.linalg.svd(centred, full_matrices=False)
    far = all(one - other > GAP * sizes[0] for one, other in zip(sizes[:count], [*sizes[1:], 0.0]))
    wanted = [rows[:count], rows[:count].T, centred @ rows[:count].T]

    def holds(found):
        """the directions of greatest variance of the centred rows"""
        parts = [part for part in (found if type(found) is tuple else [found]) if array_library(part) == "numpy"]
        pairs = [(part, one) for part in parts for one in wanted if part.shape == one.shape]
        return any(numpy.allclose(_turned(part, one), one, atol=1e-3) for part, one in pairs) if pairs else None

    return [holds] if far else []


def _turned(found, wanted):
    """With the signs of its rows, or else of its columns, as they are wanted."""
    numpy = sys.modules["numpy"]
    for axis in (1, 0):
        signs = numpy.sign((found * wanted).sum(axis=axis, keepdims=True))
        if numpy.allclose(found * signs, wanted, atol=1e-3):
            return found * signs
    return found


def _middle(values):
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def _kept_in_length(values):
    """A transform that keeps the sum of squares, whatever the order of its parts."""
    squares = sum(value * value for value in numbers_in(values))

    def holds(found):
        """as many numbers, with the sum of squares of the signal"""
        parts = found if type(found) is tuple else [found]
        numbers = [numbers_of(part) for part in parts]
        if not all(map(judged, numbers)) or sum(len(flat) for _, flat in numbers) != len(numbers_in(values)):
            return None
        return abs(sum(one * one for _, flat in numbers for one in flat) - squares) < 1e-6 * (1 + squares)

    return [holds]


def _medians(values, width):
    """Of whole windows; of those that are shorter at the beginning, or at both ends; of those with repeated ends."""
    values = numbers_in(values)
    if not 0 < width <= len(values):
        return []
    half, places = width // 2, range(len(values))
    ends = [values[0]] * half + values + [values[-1]] * half
    found = [
        [_middle(values[i : i + width]) for i in range(len(values) - width + 1)],
        [_middle(values[max(0, i - width + 1) : i + 1]) for i in places],
        [_middle(values[max(0, i - half) : i + width - half]) for i in places],
        [_middle(ends[i : i + width]) for i in places],
    ]
    return list(map(tuple, found))


def _day(value):
    """Its number, None for what is no date."""
    try:
        if type(value) is str:
            return datetime.datetime.strptime(value, "%Y-%m-%d").toordinal()
        if type(value) in (list, tuple) and len(value) == 3:
            return datetime.date(*value).toordinal()
    except (TypeError, ValueError):
        return None
    return value.toordinal() if isinstance(value, datetime.date) else None


def _like_days(given, inputs):
    made = []
    for value, date in zip(given, inputs):
        if type(value) is str:
            made.append("%04d-%02d-%02d" % date)
        else:
            made.append(type(value)(date) if type(value) in (list, tuple) else type(value)(*date))
    return made


def _days(start, end):
    """With or without both ends; of two dates in any order."""
    apart = _day(end) - _day(start)
    return [exactly(*dict.fromkeys((apart, apart + 1, abs(apart), abs(apart) + 1)))]


def _percentile(values, share):
    values = sorted(numbers_in(values))
    place = share / 100 * (len(values) - 1)
    low = min(max(int(place), 0), len(values) - 1)
    high = min(low + 1, len(values) - 1)
    return [float(values[low] + (place - low) * (values[high] - values[low]))] if 0 <= share <= 100 else []


def _convolved(one, other):
    """All of it, or where both overlap as far as they can."""
    one, other = numbers_in(one), numbers_in(other)
    if not one or not other:
        return []
    whole = [0.0] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            whole[i + j] += a * b
    short, long = sorted((len(one), len(other)))
    middle = (len(whole) - long) // 2
    return [tuple(whole), tuple(whole[short - 1 : long]), tuple(whole[middle : middle + long])]


def _unbiased(values):
    values = numbers_in(values)
    mean = sum(values) / len(values)
    return [sum((value - mean) ** 2 for value in values) / (len(values) - 1)] if len(values) > 1 else []


def _diverging(base):
    """Of either from the other."""

    def readings(p, q):
        pairs = list(zip(numbers_in(p), numbers_in(q)))
        both = [pairs, [pair[::-1] for pair in pairs]]
        return [
            sum(a * math.log(a / b, base) for a, b in each if a > 0)
            for each in both
            if all(b > 0 or a == 0 for a, b in each)
        ]

    return readings


def _turn(angle):
    return [[math.cos(angle), -math.sin(angle), math.sin(angle), math.cos(angle)]]


def _is_layer(given):
    numbers = (array_library(given[0]) and numbers_of(given[0])) or ((), [])  # type: Any
    if not judged(numbers) or len(numbers[0]) != 2 or numbers[0][1] < 2:
        return False
    return all(judged(numbers_of(one)) and numbers_of(one)[0] in ((), numbers[0][1:]) for one in given[1:])


def _like_layer(given, _):
    width = given[0].shape[1]
    rows = [float(row * row * 7 + place * (place + row)) for row in (1, 2) for place in range(width)]
    return [like_number(given[0], (2, width), rows), *given[1:]]


def _normed(layer, scale, offset):
    """Row by row."""
    (_, width), flat = numbers_of(layer)
    scale, offset = ((numbers_in(one) * width)[:width] for one in (scale, offset))
    found = []  # type: list[float]
    for start in range(0, len(flat), width):
        row = flat[start : start + width]
        mean = sum(row) / width
        root = math.sqrt(sum((number - mean) ** 2 for number in row) / width + 1e-5)
        found += [(number - mean) / root * a + b for number, a, b in zip(row, scale, offset)]
    return [found]


def _parts_of(count, edges):
    """How many there are."""
    groups = [{node} for node in range(count)]
    for a, b in edges:
        if not (0 <= a < count and 0 <= b < count):
            return []
        joined = [group for group in groups if a in group or b in group]
        groups = [group for group in groups if group not in joined] + [set().union(*joined)]
    return [len(groups)]


def _is_document(given):
    term, document, corpus = given
    texts = type(document) in (list, tuple) and type(corpus) in (list, tuple) and len(corpus) > 0
    return bool(
        texts and type(term) is str and all(type(one) in (list, tuple) for one in corpus)
        and all(type(word) is str for one in [document, *corpus] for word in one)
    )  # fmt: skip


def _like_document(given, inputs):
    term, document, corpus = inputs
    return [term, type(given[1])(document), type(given[2])(type(given[2][0])(one) for one in corpus)]


def _weighed(term, document, corpus):
    """Counts or shares of a document, by how many documents have it, smoothed or not."""
    often, size, having = document.count(term), len(corpus), sum(term in one for one in corpus)
    if not often or not having:
        return []
    rare = [math.log(size / having), math.log(size / (1 + having)), math.log((1 + size) / (1 + having)) + 1]
    rare += [math.log(size / having) + 1, math.log(1 + size / having)]
    return [tf * idf for tf in (often, often / len(document), 1 + math.log(often)) for idf in rare]


def _rounded(number, digits=0):
    """Of halves that are exact, upwards or away from zero."""
    scaled = number * 10**digits
    if digits or scaled * 2 != int(scaled * 2):
        return []
    up = math.floor(scaled + 0.5)
    return [float(up), float(up if scaled >= 0 or scaled == int(scaled) else -math.floor(0.5 - scaled))]


def _smoothed(values, span):
    """Beginning with the first value, or the mean of the first ones, or with weights that add up to one."""
    values, alpha = numbers_in(values), 2 / (span + 1)
    first = sum(values[:span]) / len(values[:span])
    found, later, fair, weight = [values[0]], [first], [values[0]], 1.0
    for place, value in enumerate(values[1:], 1):
        found.append(alpha * value + (1 - alpha) * found[-1])
        later += [alpha * value + (1 - alpha) * later[-1]] if place >= span else []
        total = fair[-1] * weight * (1 - alpha) + value
        weight = weight * (1 - alpha) + 1
        fair.append(total / weight)
    return [*map(tuple, (found, later, fair)), found[-1], later[-1], fair[-1]]


_DATES = [((2020, 2, 1), (2020, 3, 1)), ((2019, 2, 1), (2019, 3, 1)), ((2019, 12, 25), (2020, 1, 3)),
          ((2000, 1, 1), (2004, 1, 1))]  # fmt: skip
_OFF_CENTRE = [
    ([[2.0, 9.0], [-2.0, 9.0], [0.0, 10.0], [0.0, 8.0]], 1),
    ([[1, 5, 3], [2, 9, 1], [4, 4, 8], [7, 6, 2]], 1),
]
_EDGES = each(
    lambda value: type(value) in (list, tuple) and all(len(one) == 2 for one in value if type(one) in (list, tuple))
    and all(type(one) in (list, tuple) and set(map(type, one)) == {int} for one in value),
    lambda given, inputs: [type(value)(one) for value, one in zip(given, inputs)],
)  # fmt: skip
_ROUNDED = Kind(
    lambda given: type(given[0]) in (int, float) and type(given[1]) is int, lambda _, inputs: list(inputs)
)  # fmt: skip
_DOCUMENTS = [
    ("b", ["b", "a", "b", "b"], [["b", "a", "b", "b"], ["c"], ["a", "d"], ["e"], ["f"]]),
    ("a", ["a", "a", "c"], [["a", "a", "c"], ["d"], ["a"], ["b"], ["e"], ["f"]]),
]
_RUN = [([3.0, -1.0, 4.0, 1.5, 9.0, 2.5], width) for width in (3, 4, 2)]
_TWO = [([0.1, 0.6, 0.3], [0.5, 0.2, 0.3]), ([0.25, 0.75], [0.6, 0.4])]
_SPREAD = [([1.0, 2.0, 30.0, 4.0],), ([3.0, 1.0, 8.0],)]
_ANGLES = [(0.5,), (-1.25,)]
_NAMED: Dict[Any, Any] = {
    (2, "clip_by_global_norm clip_global_norm"): (
        Kind(_is_gradients, _like_gradients),
        [([[3.0], [4.0]], 1.0), ([[3.0, 4.0], [12.0]], 6.5), ([[0.3], [0.4]], 1.0)],
        _clipped,
    ),
    (2, "pca principal_components first_k_principal_components pca_components"): (
        Kind(_is_points, _like_points), _OFF_CENTRE, _components
    ),
    (2, "moving_median rolling_median running_median last_medians"): (placed(LIST, COUNT), _RUN, _medians),
    (2, "days_between days_apart calendar_days"): (each(lambda one: _day(one) is not None, _like_days), _DATES, _days),
    (2, "linear_percentile"): (placed(LIST, NUMBER), [([5.0, 1.0, 4.0, 2.0], q) for q in (30, 75, 50)], _percentile),
    (2, "discrete_convolution"): (LIST, [([1.0, 2.0, 4.0, 7.0], [1.0, 2.0, 5.0])], _convolved),
    (1, "median_with_mean"): (LIST, [([5.0, 1.0, 4.0, 2.0],), ([3.0, 1.0, 2.0],)], lambda v: [_middle(numbers_in(v))]),
    (1, "unbiased_variance"): (LIST, _SPREAD, _unbiased),
    (1, "unbiased_deviation"): (LIST, _SPREAD, lambda values: [math.sqrt(one) for one in _unbiased(values)]),
    (2, "divergence_in_nats"): (SHARES, _TWO, _diverging(math.e)),
    (2, "divergence_in_bits"): (SHARES, _TWO, _diverging(2)),
    (2, "connected_components count_components number_of_components count_connected_components"): (
        placed(COUNT, _EDGES), [(4, [(1, 2), (0, 1)]), (5, [(3, 4), (1, 2), (0, 3), (0, 2)])], _parts_of
    ),
    (3, "tf_idf tfidf"): (Kind(_is_document, _like_document), _DOCUMENTS, _weighed),
    (1, "round_half_up"): (NUMBER, [(0.5,), (2.5,), (-2.25,), (3.5,)], _rounded),
    (2, "round_half_up"): (_ROUNDED, [(0.5, 0), (2.5, 0), (3.5, 0)], _rounded),
    (2, "average_of_span"): (placed(LIST, COUNT), [([1.0, 5.0, 2.0, 8.0], 3), ([1.0, 5.0], 2)], _smoothed),
    (1, "counter_clockwise"): (NUMBER, _ANGLES, _turn),
    (1, "orthonormal_haar"): (LIST, [([4.0, 2.0, 6.0, 8.0],), ([1.0, -3.0, 2.5, 0.5],)], _kept_in_length),
    (3, "layer_norm layernorm layer_normalization layer_normalisation"): (
        Kind(_is_layer, _like_layer), [((), (), ())], _normed
    ),
}  # fmt: skip
SERIES = {(name, count): entry for (count, names), entry in _NAMED.items() for name in names.split()}
SAID_IN_FULL = (
    "last_medians", "median_with_mean", "calendar_days", "unbiased_variance",
    "unbiased_deviation", "divergence_in_nats",
    "divergence_in_bits", "counter_clockwise", "average_of_span", "orthonormal_haar",
)  # fmt: skip
"""Names that only full sentences are read as: no call, though a test expects it, shows them to be another thing."""

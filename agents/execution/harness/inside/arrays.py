"""What functions of vectors, matrices and their order give by their names, in every usual reading. Standard library
only, Python 3.6 or later. See `algorithms`.
"""

import bisect
import math
from typing import Any, Dict

from .definitions import product
from .kinds import (
    COUNT,
    FROM_NODE,
    LIST,
    NUMBER,
    RECTANGLE,
    SETS,
    Kind,
    each,
    exactly,
    is_flat,
    numbers_in,
    placed,
    rows_of,
)


def _numbers(function):
    """Of the numbers of a vector."""
    return lambda values, *more: function(numbers_in(values), *more)


def _flat(rows):
    return [number for row in rows for number in row]


def _matrix(function):
    """Of the rows of each matrix; of what gives rows, all numbers in order."""
    return lambda *given: function(*map(rows_of, given))


def _product(a, b):
    """In this order, where the sizes allow it."""
    return [_flat([product(row, column) for column in zip(*b)] for row in a)] if len(a[0]) == len(b) else []


def _is_chain(given):
    return RECTANGLE.fits(given) and len(rows_of(given[0])[0]) == len(rows_of(given[1]))


def _means(rows):
    return [[sum(row) / len(row) for row in rows]]


def _turned(rows):
    return [list(column) for column in zip(*rows)]


def _by_norms(rows):
    """Each row by any usual norm."""
    for norm in (sum, lambda row: math.sqrt(product(row, row)), lambda row: sum(map(abs, row)), max):
        yield _flat([v / norm(row) for v in row] for row in rows)


def _covariances(rows):
    """Of columns or of rows, for a sample or all."""
    for columns in (_turned(rows), rows):
        centred = [[v - sum(column) / len(column) for v in column] for column in columns]
        for ddof in (0, 1):
            yield _flat([product(a, b) / (len(a) - ddof) for b in centred] for a in centred)


def _apart(rows):
    """Of each row from each, or the squares of that."""
    squares = [[sum((x - y) ** 2 for x, y in zip(a, b)) for b in rows] for a in rows]
    return [_flat(map(math.sqrt, row) for row in squares), _flat(squares)]


def _pooled(of):
    """Windows side by side, or at each place; what is left over is left out."""

    def readings(rows, size):
        rows = rows_of(rows)
        for step in (size, 1):
            yield _flat(
                [of([v for row in rows[i : i + size] for v in row[j : j + size]])
                 for j in range(0, len(rows[0]) - size + 1, step)]
                for i in range(0, len(rows) - size + 1, step)
            )  # fmt: skip

    return readings


def _is_pooled(given):
    rows = rows_of(given[0]) if RECTANGLE.fits(given[:1]) else []
    return bool(rows) and type(given[1]) is int and 1 < given[1] <= min(len(rows), len(rows[0]))


def _area(one, other):
    """Under values over places, which are given first or last."""
    for y, x in ((one, other), (other, one)):
        yield float(sum((x[i + 1] - x[i]) * (y[i] + y[i + 1]) / 2 for i in range(len(x) - 1)))


def _quantile(values, share):
    """Between the two nearest, or one of them."""
    if not 0 <= share <= 1:
        return
    values = sorted(values)
    place = share * (len(values) - 1)
    low, high = values[math.floor(place)], values[math.ceil(place)]
    yield low + (place - math.floor(place)) * (high - low)
    yield from map(float, (low, high, (low + high) / 2, values[round(place)]))
    yield float(values[min(len(values) - 1, max(0, math.ceil(share * len(values)) - 1))])


def _running(of):
    return _numbers(lambda values: [tuple(of(values[: i + 1]) for i in range(len(values)))])


def _multiplied(values):
    found = 1.0
    for value in values:
        found *= value
    return found


def _places(values, k, largest=True):
    """In order, or in any."""
    order = sorted(range(len(values)), key=lambda i: -values[i] if largest else values[i])[:k]
    if len(set(values)) < len(values) or not 0 < k <= len(values):
        return []
    return [tuple(order), tuple(order[::-1]), tuple(sorted(order))]


def _best(values, k):
    """The values themselves, or their places."""
    return [*_places(values, k), tuple(sorted(values)[::-1][:k]), tuple(sorted(values)[-k:])]


def _first_of(pick):
    return _numbers(lambda values: [values.index(pick(values))] if values.count(pick(values)) == 1 else [])


def _grams(items, n):
    """As tuples, lists or texts."""
    found = [tuple(items[i : i + n]) for i in range(len(items) - n + 1)]
    words = all(type(one) is str for one in items)
    texts = [[joint.join(gram) for gram in found] for joint in (" ", "")] if words else []
    return [exactly(found, list(map(list, found)), *texts)] if n > 0 else []


def _hops(graph, start):
    """From a node to each that can be reached."""
    found, row = {start: 0}, [start]
    for node in row:
        for other in graph.get(node, ()):
            if other not in found:
                found[other] = found[node] + 1
                row.append(other)
    return [found]


def _between(x, xs, ys):
    """Linearly; beyond the ends the last value, or the last line on."""
    if len(xs) != len(ys) or len(xs) < 2 or sorted(set(xs)) != list(xs):
        return
    place = min(max(bisect.bisect_left(xs, x), 1), len(xs) - 1)
    share = (x - xs[place - 1]) / (xs[place] - xs[place - 1])
    for part in (share, min(1.0, max(0.0, share))):
        yield float(ys[place - 1] + part * (ys[place] - ys[place - 1]))


def _warped(a, b):
    """By absolute differences, by squares, or the root of those."""
    sums = []
    for apart in (lambda x, y: abs(x - y), lambda x, y: (x - y) ** 2):
        row = [0.0, *[math.inf] * len(b)]
        for x in a:
            before, row = row, [math.inf]
            for j, y in enumerate(b):
                row.append(apart(x, y) + min(before[j], before[j + 1], row[j]))
        sums.append(float(row[-1]))
    return [*sums, math.sqrt(sums[1])]


def _rising(values):
    best = []  # type: list[int]
    for place, value in enumerate(values):
        best.append(1 + max([best[i] for i in range(place) if values[i] < value] or [0]))
    return [max(best)]


def _are_ragged(given):
    rows, filler = given
    plain = type(rows) in (list, tuple) and bool(rows) and all(type(row) in (list, tuple) for row in rows)
    return plain and all(type(one) in (int, float) for row in rows for one in (*row, filler))


def _padded(rows, filler):
    """At the end, or at the beginning."""
    width = max(map(len, rows))
    rest = [[filler] * (width - len(row)) for row in rows]
    return [
        _flat([*row, *more] for row, more in zip(rows, rest)),
        _flat([*more, *row] for row, more in zip(rows, rest)),
    ]


def _is_ascending(value):
    return is_flat(value) and sorted(numbers_in(value)) == numbers_in(value)


_WIDE = [[1.0, 7.0, 3.0], [2.0, -9.0, 1.0]]
_TALL = [[1.0, 2.0], [0.0, 5.0], [-3.0, 4.0], [6.0, 6.5]]
_POSITIVE = [[1.0, 3.0, 4.0], [5.0, 2.0, 9.0]]
_RUN = [3.0, -1.0, -4.0, 1.5, 9.0, -2.5, 1.0]
_PICTURE = [[1.0, 5.0, 2.0, 8.0], [3.0, 4.0, 7.0, 0.0], [9.0, 2.0, 6.0, 1.0], [0.5, 2.5, 3.5, 4.5]]
_ASCENDING = placed(each(_is_ascending, LIST.like), NUMBER)
_SORTED = [([1, 3, 3, 5, 8], x) for x in (3, 0, 9, 5, 4)]
_LINE = Kind(
    lambda given: NUMBER.fits(given[:1]) and LIST.fits(given[1:]),
    lambda given, inputs: [inputs[0], *LIST.like(given[1:], inputs[1:])],
)
_FORKED = {"a": ["b", "c"], "b": ["e"], "c": ["d"], "d": ["e", "f"], "e": ["f"], "f": []}
_WINDOWS = Kind(_is_pooled, lambda given, inputs: [*RECTANGLE.like(given[:1], inputs[:1]), inputs[1]])
_NAMED: Dict[Any, Any] = {
    (2, "matmul mat_mul matrix_multiply matrix_multiplication matrix_product multiply_matrices"): (
        Kind(_is_chain, RECTANGLE.like),
        [(_WIDE, [[1.0, 2.0], [0.5, -1.0], [3.0, 4.0]]), (_TALL, _WIDE), (_TALL[:2], _WIDE)],
        _matrix(_product),
    ),
    (1, "transpose transposed"): (RECTANGLE, [(_WIDE,), (_TALL,)], _matrix(lambda rows: [_flat(_turned(rows))])),
    (1, "column_means column_mean mean_of_columns col_means"): (
        RECTANGLE, [(_WIDE,), (_TALL,)], _matrix(lambda rows: _means(_turned(rows)))
    ),
    (1, "row_means row_mean mean_of_rows"): (RECTANGLE, [(_WIDE,), (_TALL,)], _matrix(_means)),
    (1, "normalize_rows normalise_rows row_normalize row_normalise normalize_by_row"): (
        RECTANGLE, [(_POSITIVE,)], _matrix(_by_norms)
    ),
    (1, "covariance_matrix cov_matrix"): (RECTANGLE, [(_TALL,), (_WIDE,)], _matrix(_covariances)),
    (1, "pairwise_distances distance_matrix pairwise_distance_matrix"): (RECTANGLE, [(_TALL,)], _matrix(_apart)),
    (2, "max_pool max_pooling max_pool2d max_pool_2d"): (_WINDOWS, [(_PICTURE, 2)], _pooled(max)),
    (2, "avg_pool average_pool mean_pool avg_pool2d average_pooling mean_pooling"): (
        _WINDOWS, [(_PICTURE, 2)], _pooled(lambda window: sum(window) / len(window))
    ),
    (2, "trapezoid trapezoidal trapz trapezoidal_rule trapezoid_rule"): (
        LIST,
        [([1.0, 3.0, 2.0, 5.0], [0.0, 1.0, 3.0, 3.5])],
        lambda one, other: _area(numbers_in(one), numbers_in(other)),
    ),
    (2, "quantile"): (placed(LIST, NUMBER), [(_RUN, q) for q in (0.5, 0.1, 0.9)], _numbers(_quantile)),
    (1, "running_max cumulative_max cummax"): (LIST, [(_RUN,)], _running(max)),
    (1, "running_min cumulative_min cummin"): (LIST, [(_RUN,)], _running(min)),
    (1, "cumprod cumulative_product running_product"): (LIST, [(_RUN,)], _running(_multiplied)),
    (1, "argmax"): (LIST, [(_RUN,), ([-3.0, -1.5, -2.0],)], _first_of(max)),
    (1, "argmin"): (LIST, [(_RUN,), ([3.0, 1.5, 2.0],)], _first_of(min)),
    (1, "argsort"): (LIST, [(_RUN,)], _numbers(lambda values: _places(values, len(values), largest=False)[:2])),
    (2, "topk_indices top_k_indices argtopk arg_top_k topk_idx top_k_idx"): (
        placed(LIST, COUNT), [(_RUN, 3), (_RUN, 1), (_RUN, 4)], _numbers(_places)
    ),
    (2, "top_k topk k_largest largest_k"): (placed(LIST, COUNT), [(_RUN, 3), (_RUN, 1), (_RUN, 4)], _numbers(_best)),
    (1, "l2_norm euclidean_norm"): (LIST, [(_RUN,)], _numbers(lambda v: [math.sqrt(product(v, v))])),
    (1, "l1_norm manhattan_norm"): (LIST, [(_RUN,)], _numbers(lambda v: [float(sum(map(abs, v)))])),
    (1, "l2_normalize l2_normalise unit_vector normalize_l2"): (
        LIST, [(_RUN,)], _numbers(lambda v: [tuple(x / math.sqrt(product(v, v)) for x in v)])
    ),
    (1, "frobenius_norm"): (
        RECTANGLE, [(_WIDE,)], _matrix(lambda rows: [math.sqrt(sum(product(row, row) for row in rows))])
    ),
    (2, "dtw dtw_distance dynamic_time_warping warped_distance warping_distance"): (
        LIST,
        [([1.0, 2.0, 3.0, 3.0, 5.0], [1.0, 3.0, 5.0]), ([1.0, 4.0, 5.0], [1.0, 2.0, 4.5, 4.5, 5.0, 5.0])],
        lambda one, other: _warped(numbers_in(one), numbers_in(other)),
    ),
    (1, "longest_increasing_subsequence lis lis_length longest_rising strictly_rising_subsequence"): (
        LIST, [([3, 1, 4, 1, 5, 9, 2, 6, 5, 5, 5],), ([2, 2, 2],)], _numbers(_rising)
    ),
    (2, "pad_batch pad_sequences pad_to_longest pad_sequence"): (
        Kind(_are_ragged, lambda given, inputs: [type(given[0])(map(type(given[0][0]), inputs[0])), inputs[1]]),
        [([[1, 2], [3, 4, 5, 6], [7]], 0), ([[1], [2, 3]], -1)],
        _padded,
    ),
    (2, "ngrams n_grams"): (placed(SETS, COUNT), [(["a", "b", "c", "d", "b"], 2), (["a", "b", "c", "d"], 3)], _grams),
    (2, "shortest_hops hop_distances bfs_distances bfs_distance hop_counts unweighted_distances"): (
        FROM_NODE, [(_FORKED, "a"), (_FORKED, "b")], _hops
    ),
    (2, "bisect_left lower_bound"): (_ASCENDING, _SORTED, _numbers(lambda values, x: [bisect.bisect_left(values, x)])),
    (2, "bisect_right upper_bound"): (
        _ASCENDING, _SORTED, _numbers(lambda values, x: [bisect.bisect_right(values, x)])
    ),
    (3, "interp interpolate linear_interpolate linear_interpolation interp1d"): (
        _LINE,
        [(x, [0.0, 1.0, 3.0, 4.0], [0.0, 2.0, -4.0, 5.0]) for x in (0.5, 2.5, 3.75, 1.0)],
        lambda x, xs, ys: _between(x, numbers_in(xs), numbers_in(ys)),
    ),
}  # fmt: skip
ARRAYS_BY_NAME = {(name, count): entry for (count, names), entry in _NAMED.items() for name in names.split()}

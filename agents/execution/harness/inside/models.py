"""What functions of models and rankings give by their names, in every usual reading. Standard library only, Python 3.6
or later. See `algorithms`.
"""

import functools
import itertools
import math
import operator
import sys
from typing import Any, Dict

from .definitions import close, judged, numbers_of, product
from .kinds import (
    COUNT,
    GUESSES,
    LABELS,
    LIST,
    MATRIX,
    NUMBER,
    PAIRS,
    RECTANGLE,
    SETS,
    SHARES,
    Kind,
    is_flat,
    like_number,
    numbers_in,
    placed,
    rows_of,
)
from .structure import array_library


def _attended(queries, keys, values, back=False):
    """By the root of how long a key is; `back` to itself and earlier ones alone."""

    def holds(found):
        """softmax(q k^T / sqrt(d)) v, row by row"""
        numbers = numbers_of(found[0] if type(found) is tuple and found else found)
        return bool(close(numbers[1], wanted)) if judged(numbers) and len(numbers[1]) == len(wanted) else None

    rows, wanted = [_rows(value) for value in (queries, keys, values)], []
    for place, query in enumerate(rows[0]):
        seen = place + 1 if back else len(rows[1])
        scores = [math.exp(product(query, key) / math.sqrt(len(key))) for key in rows[1][:seen]]
        wanted += [product(scores, column) / sum(scores) for column in zip(*rows[2][:seen])]
    return [holds]


def _times(factors):
    return functools.reduce(operator.mul, factors, 1)


def _rows(value):
    shape, flat = numbers_of(value)
    return [flat[i : i + shape[-1]] for i in range(0, len(flat), shape[-1])]


def _is_attended(given):
    shapes = [numbers_of(value)[0] for value in given if array_library(value) and judged(numbers_of(value))]
    return len(shapes) == len(given) and all(len(s) > 1 and _times(s[:-2]) == 1 for s in shapes)


def _like_arrays(given, inputs):
    made = []
    for value, rows in zip(given, inputs):
        shape = (1,) * (len(value.shape) - 2) + (len(rows), len(rows[0]))
        made.append(like_number(value, shape, [number for row in rows for number in row]))
    return made


def _is_weights(value):
    """Whether it is a matrix of lengths of edges, infinite where there is none, with 0 from each node to itself."""
    rows = value.tolist() if array_library(value) == "numpy" else value
    square = type(rows) is list and all(type(row) is list and len(row) == len(rows) for row in rows)
    numbers = square and all(type(number) in (int, float) for row in rows for number in row)
    return bool(numbers and rows and all(row[i] == 0 for i, row in enumerate(rows)))


def _like_weights(given, inputs):
    return [sys.modules["numpy"].array(inputs[0]) if array_library(given[0]) else [list(row) for row in inputs[0]]]


def _shortest(weights):
    """Between all pairs of nodes."""
    best = [list(map(float, row)) for row in weights]
    for middle, i, j in itertools.product(range(len(best)), repeat=3):
        best[i][j] = min(best[i][j], best[i][middle] + best[middle][j])

    def holds(found):
        """the lengths of all shortest paths"""
        found = found[0] if type(found) is tuple and found else found
        rows = found.tolist() if array_library(found) == "numpy" else found
        if not _is_weights(rows):
            return None
        return all(a == b or abs(a - b) < 1e-6 for row, other in zip(rows, best) for a, b in zip(row, other))

    holds.__doc__ = repr([[int(number) if number < math.inf else number for number in row] for row in best])
    return [holds]


def _is_hidden(given):
    numbers = [numbers_of(value) for value in given]
    if not all(map(judged, numbers)) or [len(shape) for shape, _ in numbers] != [1, 1, 2, 2]:
        return False
    seen, start = given[0], numbers[1][1]
    whole = all(type(one) is int for one in (seen.tolist() if array_library(seen) else seen))
    return whole and abs(sum(start) - 1) < 1e-6 and min(number for _, flat in numbers for number in flat) >= 0


def _like_hidden(given, inputs):
    numbers = [numbers_of(one) for one in inputs]
    return [like_number(value, shape, flat) for value, (shape, flat) in zip(given, numbers)]


def _decoded(seen, start, turns, shows):
    """The most probable states, where no others are as probable."""
    start, (seen, turns, shows) = numbers_in(start), [_whole(one) for one in (seen, turns, shows)]
    chances = {}
    for path in itertools.product(range(len(start)), repeat=len(seen)):
        chance = start[path[0]] * _times(turns[a][b] for a, b in zip(path, path[1:]))
        chances[path] = chance * _times(shows[state][one] for state, one in zip(path, seen))
    first, second = sorted(chances.values())[-2:]

    def holds(found):
        """the most probable sequence of states"""
        listed = found if type(found) is tuple and not all(type(one) is int for one in found) else [found]
        paths = [one.tolist() if array_library(one) else one for one in listed]
        paths = [list(p) for p in paths if type(p) in (list, tuple) and len(p) == len(seen)]
        return any(p == list(best) for p in paths) if paths else None

    best = max(chances, key=chances.__getitem__)
    return [holds] if second - first > 1e-9 else []


def _seen_as(start, turns, shows, seen):
    """How probable what was seen is."""
    start, (turns, shows, seen) = numbers_in(start), [_whole(one) for one in (turns, shows, seen)]
    paths = itertools.product(range(len(start)), repeat=len(seen))
    total = sum(
        start[path[0]] * _times(turns[a][b] for a, b in zip(path, path[1:]))
        * _times(shows[state][one] for state, one in zip(path, seen)) for path in paths
    )  # fmt: skip
    return [total, math.log(total)] if total else []


def _is_spread(given):
    """Two vectors and a matrix as wide as they are long that is its own transpose."""
    if not is_flat(given[0]) or not is_flat(given[1]) or not MATRIX.fits(given[2:]):
        return False
    rows = rows_of(given[2])
    return len(rows) == len(numbers_in(given[0])) and rows == [list(column) for column in zip(*rows)]


def _apart_by(one, other, spread):
    """The distance or its square, by a matrix of two by two and its inverse; of others by nothing."""
    rows, apart = rows_of(spread), [a - b for a, b in zip(numbers_in(one), numbers_in(other))]
    if len(rows) != 2:
        diagonal = all(not v for i, row in enumerate(rows) for j, v in enumerate(row) if i != j)
        square = sum(d * d / row[i] for i, (d, row) in enumerate(zip(apart, rows))) if diagonal else -1.0
    else:
        (a, b), (c, d) = rows
        square = (d * apart[0] ** 2 - (b + c) * apart[0] * apart[1] + a * apart[1] ** 2) / (a * d - b * c)
    return [square, math.sqrt(square)] if square >= 0 else []


def _along_most(points):
    """A direction of unit length along which centred points vary most, either way."""
    rows = rows_of(points)
    means = [sum(column) / len(rows) for column in zip(*rows)]
    rows = [[v - mean for v, mean in zip(row, means)] for row in rows]

    def spread(vector):
        return sum(product(row, vector) ** 2 for row in rows)

    best = [1.0 + 0.01 * place for place in range(len(means))]
    for _ in range(500):
        best = [sum(product(row, best) * row[place] for row in rows) for place in range(len(means))]
        size = math.sqrt(product(best, best)) or 1.0
        best = [v / size for v in best]

    def holds(found):
        """the direction in which centred points vary most"""
        numbers = numbers_of(found[0] if type(found) is tuple and found else found)
        if not judged(numbers) or len(numbers[1]) != len(best):
            return None
        size = math.sqrt(product(numbers[1], numbers[1]))
        return abs(size - 1) < 1e-3 and abs(spread(numbers[1]) - spread(best)) <= 1e-3 * spread(best)

    return [holds]


def _whole(value):
    return value.tolist() if array_library(value) else value


def _kept(shares, most):
    """The fewest of the largest shares that come to so much."""
    shares = numbers_in(shares)
    found = []  # type: list[int]
    for place in sorted(range(len(shares)), key=lambda place: -shares[place]):
        if sum(shares[one] for one in found) >= most - 1e-9:
            break
        found.append(place)

    def holds(kept):
        """the places of the largest shares"""
        listed = kept.tolist() if array_library(kept) else kept
        if type(listed) not in (list, tuple, set) or not all(type(one) is int for one in listed):
            return None
        return sorted(listed) == sorted(found)

    return [holds] if len(set(shares)) == len(shares) else []


def _precise(first, second, k):
    """Of the first so many of what is ranked, which is told as either of the two."""
    both = [(first, second), (second, first)]
    return [
        len(set(relevant) & set(list(ranked)[:k])) / k
        for relevant, ranked in both
        if type(ranked) in (list, tuple) and 0 < k <= len(ranked)
    ]


def _adjusted(values):
    """In the order of the values, or in theirs."""
    order, n = sorted(range(len(values)), key=values.__getitem__), len(values)
    found = [0.0] * n
    for rank, place in enumerate(order, 1):
        found[place] = min([1.0] + [values[other] * n / at for at, other in enumerate(order, 1) if at >= rank])
    return [tuple(found), tuple(sorted(found))]


def _ranked(labels, scores):
    """The share of pairs in which the positive one is before, with one half for ties."""
    pairs = [(a, b) for a, x in zip(scores, labels) if x for b, y in zip(scores, labels) if not y]
    return [sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs)] if pairs else []


def _packed(items, capacity):
    """Each once; weights come first or last."""
    for pairs in ([(int(a), b) for a, b in items], [(int(b), a) for a, b in items]):
        if min(weight for weight, _ in pairs) >= 1 and len(pairs) <= 12:
            chosen = itertools.product((0, 1), repeat=len(pairs))
            fitting = [each for each in chosen if sum(c * weight for c, (weight, _) in zip(each, pairs)) <= capacity]
            yield float(max(sum(c * value for c, (_, value) in zip(each, pairs)) for each in fitting))


_FAR = math.inf
_EDGES = [[0, _FAR, _FAR, 1], [_FAR, 0, _FAR, _FAR], [_FAR, 1, 0, _FAR], [_FAR, _FAR, 1, 0]]
_HIDDEN = ([0, 1, 1], [0.6, 0.4], [[0.9, 0.1], [0.1, 0.9]], [[0.6, 0.4], [0.9, 0.1]])
_LOADED = [([(2, 5), (3, 7)], 10), ([(5, 50), (4, 39), (4, 38)], 8)]
_NAMED: Dict[Any, Any] = {
    (3, "scaled_dot_product_attention"): (
        Kind(_is_attended, _like_arrays),
        [([[1.0, 2.0, -1.0], [0.5, 0.0, 3.0]], [[1.0, 1.0, 0.0], [0.0, 2.0, 1.0]], [[1.0, 5.0], [-2.0, 3.0]])],
        _attended,
    ),
    (3, "causal_attention masked_attention causal_self_attention masked_self_attention autoregressive_attention"): (
        Kind(lambda given: _is_attended(given) and len({len(_rows(one)) for one in given}) == 1, _like_arrays),
        [
            (
                [[1.0, 2.0], [0.5, 0.0], [1.0, -1.0]],
                [[1.0, 1.0], [0.0, 2.0], [3.0, 1.0]],
                [[1.0, 5.0], [-2.0, 3.0], [7.0, 2.0]],
            )
        ],
        lambda queries, keys, values: _attended(queries, keys, values, back=True),
    ),
    (
        4,
        "forward_probability forward_algorithm hmm_forward hmm_likelihood forward_likelihood hmm_probability"
        " observation_probability sequence_probability sequence_likelihood",
    ): (Kind(lambda given: _is_hidden(given[3:] + given[:3]), _like_hidden), [_HIDDEN[1:] + _HIDDEN[:1]], _seen_as),
    (4, "most_likely_states most_likely_path viterbi_path viterbi_decode"): (
        Kind(lambda given: _is_hidden(given[3:] + given[:3]), _like_hidden),
        [_HIDDEN[1:] + _HIDDEN[:1]],
        lambda start, turns, shows, seen: _decoded(seen, start, turns, shows),
    ),
    (3, "mahalanobis mahalanobis_distance pairwise_mahalanobis squared_mahalanobis"): (
        Kind(
            _is_spread, lambda given, inputs: [*LIST.like(given[:2], inputs[:2]), *MATRIX.like(given[2:], inputs[2:])]
        ),
        [([3.0, 1.0], [1.0, 2.0], [[4.0, 1.0], [1.0, 2.0]])],
        _apart_by,
    ),
    (1, "principal_axis first_principal_component first_principal_axis leading_component principal_direction"): (
        RECTANGLE,
        [([[5.0, 1.0, 2.0], [6.0, 3.0, 2.5], [7.0, 5.5, 2.0], [8.0, 7.0, 2.5]],)],
        _along_most,
    ),
    (1, "floyd_warshall"): (Kind(lambda given: _is_weights(given[0]), _like_weights), [(_EDGES,)], _shortest),
    (4, "viterbi"): (Kind(_is_hidden, _like_hidden), [_HIDDEN], _decoded),
    (2, "nucleus top_p"): (placed(SHARES, NUMBER), [([0.1, 0.5, 0.15, 0.25], 0.7)], _kept),
    (3, "precision_at_k precision_at"): (
        placed(SETS, SETS, COUNT),
        [(["a", "b", "c", "d", "e"], ["b", "x", "y", "a", "z"], 3)],
        _precise,
    ),
    (1, "benjamini_hochberg fdr_bh bh_adjust bh_correction fdr_adjust"): (
        LIST,
        [([0.01, 0.02, 0.022, 0.5, 0.04],)],
        lambda values: _adjusted(numbers_in(values)),
    ),
    (2, "roc_auc_with_ties"): (
        placed(LABELS, GUESSES),
        [([1, 0, 1, 0, 0], [0.5, 0.5, 0.9, 0.1, 0.9])],
        lambda labels, scores: _ranked(numbers_in(labels), numbers_in(scores)),
    ),
    (2, "knapsack_once"): (placed(PAIRS, COUNT), _LOADED, _packed),
    (3, "knapsack_once"): (
        placed(LIST, LIST, COUNT),
        [([w for w, _ in items], [v for _, v in items], most) for items, most in _LOADED],
        lambda first, second, most: _packed(list(zip(numbers_in(first), numbers_in(second))), most),
    ),
}
_MODEL = ("obs seq", "start init pi prior", "trans a", "emis emit b")
MODELS = {(name, count): entry for (count, names), entry in _NAMED.items() for name in names.split()}
ORDERED = {
    "scaled_dot_product_attention": ("q", "k", "v"),
    "viterbi": _MODEL,
    **{name: (*_MODEL[1:], _MODEL[0]) for name, count in MODELS if count == 4 and name != "viterbi"},
    **{name: ("", "", "cov sigma s") for name, _ in MODELS if "mahalanobis" in name},
    **{name: ("q", "k", "v") for name, _ in MODELS if name.endswith("attention")},
}
"""Of these the names of the arguments must begin so, in this order."""
OTHERWISE = {
    **dict.fromkeys(("most_likely_path", "most_likely_states", "viterbi_decode", "viterbi_path"), "viterbi"),
    "viterbi": "viterbi_path",
}
"""The name under which the same is defined with its arguments in another order."""

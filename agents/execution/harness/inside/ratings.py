"""What functions that rate rankings, raters and texts give by their names, in every usual reading. Standard library
only, Python 3.6 or later. See `algorithms`.
"""

import re
from typing import Any, Dict

from .algorithms import edits
from .kinds import COUNT, LABELS, LIST, NUMBER, PAIRS, TEXT, Kind, each, exactly, is_flat, numbers_in, placed

_HALF = 0.5
"""No more of a list can be cut off at each end."""


def _rankings(value):
    return type(value) in (list, tuple) and bool(value) and all(type(one) in (list, tuple) for one in value)


def _is_answered(given):
    rankings, answers = given
    plain = _rankings(rankings) and type(answers) in (list, tuple) and len(answers) == len(rankings)
    return plain and all(type(one) is str for one in (*answers, *(item for row in rankings for item in row)))


def _reciprocal(rankings, answers):
    """Nothing for what is missing."""
    ranks = [list(row).index(one) + 1 if one in row else 0 for row, one in zip(rankings, answers)]
    return [sum(1 / rank for rank in ranks if rank) / len(ranks)]


def _is_ranked(given):
    ranked, relevant = given[:2]
    plain = type(ranked) in (list, tuple) and type(relevant) in (list, tuple, set, frozenset)
    return plain and all(type(one) is str for one in (*ranked, *relevant)) and COUNT.fits(given[2:])


def _like_ranked(given, inputs):
    return [type(value)(one) for value, one in zip(given[:2], inputs)] + list(inputs[2:])


def _averaged(ranked, relevant):
    """Over the relevant ones, or as many of them as can be ranked."""
    found = [i for i, one in enumerate(ranked) if one in relevant]
    total = sum((hits + 1) / (place + 1) for hits, place in enumerate(found))
    return [total / len(relevant), total / min(len(relevant), len(ranked))]


def _clipped(candidate, reference, n):
    told, known = ([tuple(one[i : i + n]) for i in range(len(one) - n + 1)] for one in (candidate, reference))
    return [sum(min(told.count(gram), known.count(gram)) for gram in set(told)) / len(told)] if n > 0 and told else []


def _uncalibrated(confidences, correct, bins):
    groups = {}  # type: Dict[int, Any]
    for share, right in zip(confidences, correct):
        groups.setdefault(min(int(share * bins), bins - 1), []).append(right - share)
    found = sum(abs(sum(group)) for group in groups.values()) / len(confidences)
    return [found, 100 * found]


def _is_trimmed(given):
    return is_flat(given[0]) and type(given[1]) in (int, float) and 0 < given[1]


def _like_trimmed(given, inputs):
    """A count where one is given, else a share."""
    return LIST.like(given[:1], inputs[:1]) + [2 if type(given[1]) is int else inputs[1]]


def _trimmed(values, cut):
    """So many at each end; or such a share of them, at each end or both."""
    values = sorted(numbers_in(values))
    cuts = [cut] if type(cut) is int else [int(cut * len(values)), int(cut * len(values) / 2)]
    kept = [values[one : len(values) - one] for one in cuts if one < len(values) * _HALF]
    return [sum(one) / len(one) for one in kept]


def _tau(x, y):
    """With the correction for ties."""
    pairs = [(x[i] - x[j], y[i] - y[j]) for i in range(len(x)) for j in range(i)]
    score = sum((a * b > 0) - (a * b < 0) for a, b in pairs)
    return [score / (sum(a != 0 for a, _ in pairs) * sum(b != 0 for _, b in pairs)) ** 0.5]


def _is_rated(given):
    levels = given[2] if len(given) > 2 else max(numbers_in(given[0]) or [0]) + 1
    plain = all(is_flat(one) and all(v == int(v) for v in numbers_in(one)) for one in given[:2])
    marks = [v for one in given[:2] for v in numbers_in(one)] if plain else []
    return bool(marks) and type(levels) in (int, float) and min(marks) == 0 and max(marks) < levels


def _like_rated(given, inputs):
    return LIST.like(given[:2], inputs[:2]) + list(inputs[2:])


def _agreed(one, other, _levels=0):
    """Beyond chance, by squares of what is between."""
    one, other = numbers_in(one), numbers_in(other)
    apart = sum((a - b) ** 2 for a, b in zip(one, other)) / len(one)
    return [1 - apart * len(one) ** 2 / sum((a - b) ** 2 for a in one for b in other)]


def _between(a, b):
    """The smaller angle, or with a sign."""
    turned = (a - b + 180) % 360 - 180
    return [float(abs(turned)), float(turned), float(-turned)]


def _decoded(code):
    return [exactly("".join(int(count) * letter for count, letter in re.findall(r"(\d+)(\D)", code)))]


def _alike(a, b):
    """Over the longer one, or both."""
    both = len(a) + len(b)
    return [1 - edits(a, b) / max(len(a), len(b)), 1 - edits(a, b) / both, 1 - edits(a, b, 2) / both]


def _area(points):
    corners = zip(points, [*points[1:], points[0]])
    return [abs(sum(x * v - u * y for (x, y), (u, v) in corners)) / 2]


def _precise(ranked, relevant, k):
    return [sum(one in relevant for one in list(ranked)[:k]) / k] if k > 0 else []


_SHARES = each(lambda value: is_flat(value) and all(0 <= v <= 1 for v in numbers_in(value)), LIST.like)
_ANSWERED = ([["a", "b", "c"], ["b", "a"], ["c", "b", "a"], ["a", "c"]], ["b", "b", "a", "z"])
_TEXTS = [("cat", "cartoon"), ("kitten", "sitting"), ("abcdef", "ace")]
_ROWS = [3.0, 90.0, -40.0, 5.0, 1.0, 8.0, 2.0, 7.0, 60.0, 4.0]
_MARKS = ([0, 1, 2, 3, 3, 1, 0, 2], [0, 2, 2, 1, 3, 1, 3, 2])
_SURE = ([0.95, 0.92, 0.83, 0.35, 0.62, 0.66, 0.91], [1, 0, 1, 0, 1, 0, 1], 5)
_NAMED: Dict[Any, Any] = {
    (2, "mean_reciprocal_rank mrr"): (
        Kind(_is_answered, lambda given, inputs: [type(value)(one) for value, one in zip(given, inputs)]),
        [_ANSWERED],
        _reciprocal,
    ),
    (2, "average_precision"): (
        Kind(_is_ranked, _like_ranked), [(["a", "x", "b", "y"], ["a", "b", "c"]), (["x", "b"], ["b"])], _averaged
    ),
    (3, "clipped_precision modified_precision clipped_ngram_precision modified_ngram_precision ngram_precision"): (
        Kind(_is_ranked, _like_ranked),
        [(["a", "a", "a", "b"], ["a", "b", "a", "c"], 1), (["a", "b", "a", "b"], ["a", "b", "c"], 2)],
        _clipped,
    ),
    (3, "ece expected_calibration_error calibration_error"): (
        placed(_SHARES, LABELS, COUNT),
        [_SURE],
        lambda sure, right, bins: _uncalibrated(numbers_in(sure), numbers_in(right), bins),
    ),
    (2, "trimmed_mean trim_mean truncated_mean"): (Kind(_is_trimmed, _like_trimmed), [(_ROWS, 0.2)], _trimmed),
    (2, "kendall_tau_b tau_b kendalls_tau_b"): (
        LIST,
        [([3.0, 1.0, 3.0, 2.0, 5.0], [1.0, 2.0, 4.0, 4.0, 9.0])],
        lambda x, y: _tau(numbers_in(x), numbers_in(y)),
    ),
    (2, "quadratic_kappa quadratic_weighted_kappa qwk"): (Kind(_is_rated, _like_rated), [_MARKS], _agreed),
    (3, "quadratic_kappa quadratic_weighted_kappa qwk"): (Kind(_is_rated, _like_rated), [(*_MARKS, 4)], _agreed),
    (2, "heading_difference bearing_difference angle_in_degrees_between"): (
        NUMBER, [(350.0, 10.0), (10.0, 350.0), (90.0, 200.0), (0.0, 181.0)], _between
    ),
    (1, "decode_runs run_length_decode run_length_decoding rle_decode decode_rle"): (
        each(lambda value: type(value) is str and bool(re.match(r"(?:\d+\D)+$", value))),
        [("12a1b10c",), ("123a",)],
        _decoded,
    ),
    (2, "edit_similarity levenshtein_similarity levenshtein_ratio normalized_levenshtein_similarity"): (
        TEXT, _TEXTS, _alike
    ),
    (1, "area_of_either_orientation"): (
        PAIRS, [([(0, 0), (0, 2), (3, 2), (3, 0)],), ([(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)],)], _area
    ),
    (3, "precision_over_k"): (
        Kind(_is_ranked, _like_ranked), [(["a", "x"], ["a", "b"], 4), (["a", "b", "x"], ["a", "x"], 2)], _precise
    ),
}  # fmt: skip
RATINGS = {(name, count): entry for (count, names), entry in _NAMED.items() for name in names.split()}
SAID_IN_FULL = ("area_of_either_orientation", "precision_over_k")
"""Names that only full sentences are read as: no call, though a test expects it, shows them to be another thing."""

"""What functions of samples, weights and single steps of learning give by their names, in every usual reading. Standard
library only, Python 3.6 or later. See `algorithms`.
"""

import itertools
import math
from typing import Any, Dict

from .kinds import COUNT, LIST, NUMBER, Kind, each, is_flat, like_number, numbers_in, placed


def _mean(values):
    return sum(values) / len(values)


def _lists(function):
    """Of plain lists, where the first two are as long as one another."""

    def readings(*given):
        parts = [numbers_in(one) if type(one) not in (int, float) else one for one in given]
        return function(*parts) if len({len(one) for one in parts if type(one) is list}) == 1 else []

    return readings


def _pooled(one, other):
    """By degrees of freedom."""
    one, other = numbers_in(one), numbers_in(other)
    free = len(one) + len(other) - 2
    squares = sum((value - _mean(part)) ** 2 for part in (one, other) for value in part)
    return [squares / free] if free > 0 and min(len(one), len(other)) > 1 else []


def _effective(weights):
    """Of importance weights (Kish 1965)."""
    weights = numbers_in(weights)
    return [sum(weights) ** 2 / sum(weight * weight for weight in weights)] if min(weights) >= 0 < max(weights) else []


def _durbin_watson(rest):
    rest = numbers_in(rest)
    return [sum((b - a) ** 2 for a, b in zip(rest, rest[1:])) / sum(value * value for value in rest)]


def _autocorrelated(values, lag):
    """Over all of the spread, of as many terms or of fewer; or of the two parts by themselves."""
    values = numbers_in(values)
    if not 0 < lag < len(values) - 1:
        return []
    mean, early, late = _mean(values), values[:-lag], values[lag:]
    spread = sum((value - mean) ** 2 for value in values)
    shared = sum((a - mean) * (b - mean) for a, b in zip(early, late))
    own = [[value - _mean(part) for value in part] for part in (early, late)]
    sizes = math.sqrt(sum(a * a for a in own[0]) * sum(b * b for b in own[1]))
    alone = sum(a * b for a, b in zip(*own))
    return [shared / spread, shared / spread * len(values) / (len(values) - lag), alone / sizes] if spread else []


def _covaried(values, lag):
    """Over all places or those of the pairs, with or without one less, about the mean of all."""
    values = numbers_in(values)
    if not 0 <= lag < len(values) - 1:
        return []
    mean = _mean(values)
    shared = sum((a - mean) * (b - mean) for a, b in zip(values, values[lag:]))
    return [shared / (len(values) - less) for less in {0, 1, lag, lag + 1}]


def _accumulated(one, other):
    """Trapezoids up to each place, with the zero at the first or without; either list being the places."""
    found = []
    for heights, places in ((one, other), (other, one)):
        if all(a < b for a, b in zip(places, places[1:])):
            parts = [(b - a) * (u + v) / 2 for a, b, u, v in zip(places, places[1:], heights, heights[1:])]
            sums = tuple(sum(parts[:count]) for count in range(len(parts) + 1))
            found += [sums, sums[1:]]
    return found


def _brevity(one, other):
    """Of lengths, the candidate's first or last (Papineni et al. 2002)."""
    pairs = [(one, other), (other, one)] if min(one, other) > 0 else []
    return [1.0 if candidate > reference else math.exp(1 - reference / candidate) for candidate, reference in pairs]


def _symmetric(truth, guess):
    """With or without a factor of two, as a share or in per cent."""
    share = _mean([abs(a - b) / (abs(a) + abs(b)) for a, b in zip(truth, guess)])
    return [share * factor for factor in (2, 1, 200, 100)]


def _pinball(one, other, share):
    """With the truth first or last; the mean, the sum, or each."""
    found = []  # type: list[Any]
    for truth, guess in ((one, other), (other, one)):
        lost = [max(share * (a - b), (share - 1) * (a - b)) for a, b in zip(truth, guess)]
        found += [_mean(lost), sum(lost), tuple(lost)]
    return found


def _moved(one, other):
    """Between two samples, or two distributions over the same places."""
    one, other = numbers_in(one), numbers_in(other)
    places = sorted({*one, *other})
    shares = [[sum(value <= place for value in part) / len(part) for place in places] for part in (one, other)]
    found = [sum(abs(a - b) * (after - at) for a, b, at, after in zip(*shares, places, places[1:]))]
    if len(one) == len(other):
        found.append(sum(abs(sum(one[:k]) - sum(other[:k])) for k in range(1, len(one) + 1)))
    return found


def _is_scored(value):
    return type(value) is dict and all(type(one) is str for one in value) and is_flat(list(value.values()))


def _like_scored(given, inputs):
    return [
        dict(zip("abcdef", one)) if type(value) is dict else like_number(value, (len(one),), one)
        for value, one in zip(given, inputs)
    ]


def _shared_places(scores):
    """From either end, counted from 0 or 1: equal ones get the first, the last or the mean of their places, or none
    is left out after them."""
    given = list(scores.values()) if type(scores) is dict else numbers_in(scores)
    for sign, begin in itertools.product((-1, 1), (1, 0)):
        values = [sign * value for value in given]
        under = [sum(other < value for other in values) + begin for value in values]
        last = [sum(other <= value for other in values) + begin - 1 for value in values]
        dense = [sum(other < value for other in set(values)) + begin for value in values]
        for places in (under, last, dense, [(a + b) / 2 for a, b in zip(under, last)]):
            yield dict(zip(scores, places)) if type(scores) is dict else tuple(places)


def _midranks(values):
    """Equal ones share the mean of theirs; counted from 1 or from 0."""
    values = numbers_in(values)
    ranks = [sum(b < a for b in values) + (sum(b == a for b in values) + 1) / 2 for a in values]
    return [tuple(ranks), tuple(rank - 1 for rank in ranks)]


def _middle(values, weights):
    """Where half of the weight is reached, either list being the weights; nothing where it is reached exactly."""
    found = []
    for numbers, shares in ((values, weights), (weights, values)):
        reached, half = 0.0, sum(shares) / 2
        for number, share in sorted(zip(numbers, shares)) if min(shares) > 0 else ():
            reached += share
            if reached >= half:
                found += [float(number)] if reached > half else []
                break
    return found


def _weighed(values, weights):
    """By all of the weight, or without bias for weights that count, or that tell how reliable each is."""
    found = []
    for numbers, shares in ((values, weights), (weights, values)):
        if min(shares) <= 0:
            continue
        total = sum(shares)
        mean = sum(a * b for a, b in zip(numbers, shares)) / total
        squares = sum(b * (a - mean) ** 2 for a, b in zip(numbers, shares))
        ends = (total, total - 1, total - sum(share * share for share in shares) / total)
        found += [squares / end for end in ends if end > 0]
    return found


def _of_triplet(anchor, positive, negative, margin):
    """By distances, or by their squares."""
    squares = [sum((a - b) ** 2 for a, b in zip(anchor, other)) for other in (positive, negative)]
    roots = list(map(math.sqrt, squares))
    return [max(0.0, pair[0] - pair[1] + margin) for pair in (roots, squares)]


def _surprised(reward, value, following, discount):
    """With the value now, or the next one, first."""
    return [reward + discount * following - value, reward + discount * value - following]


def _is_triplet(given):
    return all(LIST.fits([one]) for one in given[:3]) and NUMBER.fits(given[3:])


_PAIRED = [([3.0, -1.0, 7.0, 2.0], [1.0, 4.0, 5.0, 2.5]), ([10.0, 2.0], [8.0, 3.0])]
_UNEVEN = [([2.0, 4.0, 9.0], [1.0, 1.0, 4.0, 8.0, 3.0]), ([5.0, 1.0], [2.0, 2.5, 9.0])]
_WEIGHED = [([5.0, 1.0, 3.0, 9.0], [1.0, 1.5, 5.0, 2.0]), ([10.0, 1.0, 7.0, 2.0], [1.0, 6.0, 1.5, 1.0])]
_TRIPLETS = [([0.0, 1.0], [2.0, 1.5], [1.0, -1.0], 1.0), ([0.0, 0.0], [0.5, 0.0], [3.0, 4.0], 1.0)]
_NAMED: Dict[Any, Any] = {
    (2, "pooled_variance pooled_var"): (LIST, _UNEVEN, _pooled),
    (1, "effective_sample_size ess kish_ess kish_effective_sample_size effective_number_of_samples"): (
        LIST, [([0.5, 2.0, 1.0, 4.0],), ([3.0, 3.0, 3.0],)], _effective
    ),
    (1, "durbin_watson"): (LIST, [([1.0, -2.0, 0.5, 3.0],), ([2.0, 2.5, -1.0],)], _durbin_watson),
    (2, "autocorrelation autocorr auto_correlation serial_correlation"): (
        placed(LIST, COUNT), [([1.0, 3.0, 2.0, 5.0, 4.0, 7.0], lag) for lag in (1, 2)], _autocorrelated
    ),
    (2, "autocovariance auto_covariance autocov sample_autocovariance"): (
        placed(LIST, COUNT), [([1.0, 3.0, 2.0, 5.0, 4.0, 7.0], lag) for lag in (1, 2)], _covaried
    ),
    (2, "cumulative_trapezoid cumulative_trapezoids cumtrapz cumulative_integral"): (
        LIST, [([1.0, 3.0, 2.0, 5.0], [0.0, 1.0, 3.0, 3.5])], _lists(_accumulated)
    ),
    (2, "brevity_penalty bleu_brevity_penalty"): (COUNT, [(5, 9), (9, 5), (3, 4)], _brevity),
    (2, "smape symmetric_mape symmetric_mean_absolute_percentage_error"): (LIST, _PAIRED, _lists(_symmetric)),
    (3, "pinball pinball_loss quantile_loss"): (
        Kind(lambda given: LIST.fits(given[:2]) and NUMBER.fits(given[2:]),
             lambda given, inputs: [*LIST.like(given[:2], inputs[:2]), inputs[2]]),
        [(*pair, share) for pair in _PAIRED for share in (0.9, 0.25)], _lists(_pinball)
    ),
    (2, "wasserstein wasserstein_1d wasserstein_distance earth_mover earth_movers_distance emd emd_1d"): (
        LIST, [([3.0, -1.0, 7.0], [1.0, 4.0, 5.0]), ([0.5, 0.25, 0.25], [0.25, 0.0, 0.75])], _moved
    ),
    (1, "shared_places"): (
        each(lambda value: is_flat(value) or _is_scored(value), _like_scored),
        [([3, 1, 3, 2],), ([5, 5, 7, 5, 1],)], _shared_places
    ),
    (1, "rankdata rank_data average_ranks averaged_ranks midranks mid_ranks fractional_ranks"): (
        LIST, [([3.0, 1.0, 3.0, 2.0],), ([5.0, 5.0, 5.0, 1.0],)], _midranks
    ),
    (2, "weighted_median"): (LIST, _WEIGHED, _lists(_middle)),
    (2, "weighted_variance weighted_var"): (LIST, _WEIGHED, _lists(_weighed)),
    (4, "triplet triplet_loss triplet_margin_loss hinge_triplet"): (
        Kind(_is_triplet, lambda given, inputs: [*LIST.like(given[:3], inputs[:3]), inputs[3]]),
        _TRIPLETS, _lists(_of_triplet)
    ),
    (4, "td_error temporal_difference_error"): (
        each(lambda value: type(value) in (int, float)), [(1.0, 3.0, 5.0, 0.5), (-2.0, 0.5, 4.0, 0.9)], _surprised
    ),
}  # fmt: skip
SAMPLES = {(name, count): entry for (count, names), entry in _NAMED.items() for name in names.split()}
"""As in `algorithms`."""

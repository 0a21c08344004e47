"""What functions of machine learning give by their names, losses, returns, averages and steps, in every usual reading.
Standard library only, Python 3.6 or later. See `algorithms`.
"""

import math
from typing import Any, Dict

from .kinds import COUNT, LABELS, LIST, NUMBER, RECTANGLE, Kind, each, is_flat, numbers_in, placed, rows_of

EPSILONS = (0.0, 1e-8, 1e-6, 1e-5)


def _lists(function):
    """Of the numbers of each argument that holds several."""
    return lambda *given: function(*(value if type(value) in (int, float) else numbers_in(value) for value in given))


def _summed(values):
    """Their mean, their sum, or each."""
    return [sum(values) / len(values), sum(values), tuple(values)]


def _is_share(value):
    return type(value) is float and 0 < value < 1


def _hinge(labels, scores):
    return _summed([max(0.0, 1 - y * s) for y, s in zip(labels, scores)])


def _huber(errors, delta):
    return _summed([e * e / 2 if abs(e) <= delta else delta * (abs(e) - delta / 2) for e in errors])


def _huber_of_two(truth, guess, delta):
    return _huber([t - g for t, g in zip(numbers_in(truth), numbers_in(guess))], delta)


def _like_errors(given, inputs):
    """One of them where one is given: the second is negative."""
    if NUMBER.fits(given):
        return [one if type(one) is float else one[1] for one in inputs]
    return placed(*[LIST] * (len(given) - 1), NUMBER).like(given, inputs)


def _errors_first(inputs):
    """What is asked of lists before the number, of numbers as they stand."""
    return list(inputs) if NUMBER.fits(inputs) else sorted(inputs, key=lambda one: type(one) in (int, float))


def _are_errors(given):
    return NUMBER.fits(given) or placed(*[LIST] * (len(given) - 1), NUMBER).fits(given)


def _with_logits(labels, logits):
    return _summed([max(x, 0.0) - x * y + math.log1p(math.exp(-abs(x))) for y, x in zip(labels, logits)])


def _surprise(logits, label):
    top = max(logits)
    return [top + math.log(sum(math.exp(x - top) for x in logits)) - logits[label]] if label < len(logits) else []


def _returns(rewards, gamma):
    """From the first step, or from each."""
    found = []  # type: list[float]
    for reward in reversed(rewards):
        found.insert(0, reward + gamma * (found[0] if found else 0.0))
    return [tuple(found), float(found[0])] if found else []


def _is_advantage(given):
    rewards, values = given[:2]
    plain = is_flat(rewards) and is_flat(values) and len(numbers_in(values)) - len(numbers_in(rewards)) in (0, 1)
    return plain and all(type(share) in (int, float) and 0 <= share <= 1 for share in given[2:])


def _like_advantage(given, inputs):
    longer = len(numbers_in(given[1])) > len(numbers_in(given[0]))
    return LIST.like(given[:2], [inputs[0], inputs[1] if longer else inputs[1][:-1]]) + inputs[2:]


def _advantages(rewards, values, gamma, decay):
    """Of values of which the last is that behind the last reward, or is left out as nothing."""
    rewards, values = numbers_in(rewards), [*numbers_in(values), 0.0]
    found, later = [], 0.0  # type: Any, float
    for step in reversed(range(len(rewards))):
        later = rewards[step] + gamma * values[step + 1] - values[step] + gamma * decay * later
        found.insert(0, later)
    return [tuple(found)]


def _averages(values, share):
    """The share is that of the new value or of the old; it begins with the first value, or with nothing, corrected or
    not."""
    for new in (share, 1 - share):
        found, bare, fair = [values[0]], [], []  # type: Any, Any, Any
        for step, value in enumerate(values):
            found += [new * value + (1 - new) * found[-1]] if step else []
            bare.append(new * value + (1 - new) * (bare[-1] if bare else 0.0))
            fair.append(bare[-1] / (1 - (1 - new) ** (step + 1)))
        for row in (found, bare, fair):
            yield tuple(row)
            yield float(row[-1])


def _mixed(one, other, share):
    return [tuple(share * a + (1 - share) * b for a, b in zip(*both)) for both in ((one, other), (other, one))]


def _smoothed(shares, loss):
    """With an equal share of the rest for all, or for all others."""
    n = len(shares)
    for_all = tuple((1 - loss) * p + loss / n for p in shares)
    return [for_all, tuple(p * (1 - loss) + (1 - p) * loss / (n - 1) for p in shares)]


def _tempered(logits, temperature):
    top = max(logits)
    powers = [math.exp((x - top) / temperature) for x in logits]
    return [tuple(p / sum(powers) for p in powers)]


def _root_mean_square(x, gain=None):
    """Row by row, by any usual small number."""
    rows = [numbers_in(x)] if is_flat(x) else rows_of(x)
    weights = [1.0] * len(rows[0]) if gain is None else numbers_in(gain)
    if len(weights) != len(rows[0]):
        return
    for epsilon in EPSILONS:
        sizes = [math.sqrt(sum(v * v for v in row) / len(row) + epsilon) for row in rows]
        yield tuple(v / size * g for row, size in zip(rows, sizes) for v, g in zip(row, weights))


def _is_vector_or_rows(value):
    return is_flat(value) or RECTANGLE.fits([value])


def _like_vectors(given, inputs):
    """A matrix has two rows of the vector, the second twice as large and turned."""
    kinds = [LIST if is_flat(value) else RECTANGLE for value in given]
    doubled = [one if kind is LIST else [one, [2 * v for v in one[::-1]]] for kind, one in zip(kinds, inputs)]
    return [kind.like([value], [one])[0] for kind, value, one in zip(kinds, given, doubled)]


def _batch_normed(x, root=False):
    """Column by column."""
    columns, found = list(zip(*rows_of(x))), []
    for ddof in (0, 1) if root else (0,):
        for epsilon in EPSILONS:
            done = []
            for column in columns:
                mean = sum(column) / len(column)
                spread = sum((v - mean) ** 2 for v in column) / (len(column) - ddof)
                done.append([(v - mean) / math.sqrt(spread + epsilon) for v in column])
            found.append(tuple(v for row in zip(*done) for v in row))
    return found


def _norm_clipped(values, limit):
    size = math.sqrt(sum(v * v for v in values))
    return [tuple(v * min(1.0, limit / size) for v in values)] if size else []


def _clipped(values, limit):
    """Scaled to the norm, or each by itself."""
    return [*_norm_clipped(values, limit), tuple(max(-limit, min(limit, v)) for v in values)]


def _focal(share, gamma):
    return [-((1 - share) ** gamma) * math.log(share)]


def _one_smoothed(label, count, loss):
    """The rest shared by all, or by all others."""
    return _smoothed([float(place == label) for place in range(count)], loss) if label < count > 1 else []


def _among_best(scores, labels, k):
    rows, labels = rows_of(scores), list(map(int, numbers_in(labels)))
    if not 0 < k <= len(rows[0]) or len(rows) != len(labels):
        return []
    hits = [sum(other > row[label] for other in row) < k for row, label in zip(rows, labels)]
    return [sum(hits) / len(hits), 100 * sum(hits) / len(hits)]


def _is_scored(given):
    scores, labels, k = given
    return bool(
        RECTANGLE.fits([scores]) and is_flat(labels) and type(k) is int
        and all(label == int(label) and 0 <= label < len(rows_of(scores)[0]) for label in numbers_in(labels))
    )  # fmt: skip


def _like_scored(given, inputs):
    return RECTANGLE.like(given[:1], inputs[:1]) + LIST.like(given[1:2], inputs[1:2]) + inputs[2:]


def _perplexity(values):
    """Of probabilities, of their logarithms, or of what is lost."""
    if all(0 < value <= 1 for value in values):
        return [math.exp(-sum(map(math.log, values)) / len(values))]
    sign = -1 if max(values) <= 0 else 1
    return [base ** (sign * sum(values) / len(values)) for base in (math.e, 2)]


def _is_surprise(given):
    numbers = numbers_in(given[0]) if is_flat(given[0]) else []
    return bool(numbers) and (max(numbers) <= 0 or min(numbers) > 0)


def _like_surprise(given, inputs):
    """Probabilities where only such are given: they may be what is lost, which is then not told."""
    most = max(numbers_in(given[0]))
    logs = [math.log(share) for share in inputs[0]]
    return LIST.like(given, [logs if most <= 0 else inputs[0] if most <= 1 else [1.0 - 4 * one for one in logs]])


def _nearest(points, centres):
    """The number of the nearest of the others, for each of one of the two."""
    for some, others in ((rows_of(points), rows_of(centres)), (rows_of(centres), rows_of(points))):
        far = [[sum((a - b) ** 2 for a, b in zip(one, other)) for other in others] for one in some]
        yield tuple(float(row.index(min(row))) for row in far)


def _kernel(one, other, width):
    """By any usual meaning of the width."""
    apart = sum((a - b) ** 2 for a, b in zip(one, other))
    return [math.exp(-apart * by) for by in (width, 1 / (2 * width * width), 1 / (width * width), 1 / width)]


def _encoded(length, size):
    """Sines and cosines in turn, or one behind the other."""
    if not 0 < length <= 100 or not 0 < size <= 100 or size % 2:
        return []
    waves = [[place / 10000 ** (2 * i / size) for i in range(size // 2)] for place in range(length)]
    turns = [v for row in waves for wave in row for v in (math.sin(wave), math.cos(wave))]
    return [tuple(turns), tuple(v for row in waves for part in (math.sin, math.cos) for v in map(part, row))]


def _marked(labels, count):
    labels = [labels] if type(labels) is int else list(map(int, numbers_in(labels)))
    return [tuple(float(place == label) for label in labels for place in range(count))] if max(labels) < count else []


_SIGNS = each(lambda value: is_flat(value) and set(numbers_in(value)) <= {-1, 1}, LIST.like)
_SCORES = each(lambda value: is_flat(value) and not set(numbers_in(value)) <= {-1, 0, 1}, LIST.like)
_WHOLE = each(
    lambda value: is_flat(value) and all(v == int(v) and v >= 0 for v in numbers_in(value)), LIST.like
)  # fmt: skip
_SHARE = each(_is_share)
_ROWS = Kind(lambda given: all(map(_is_vector_or_rows, given)), _like_vectors)
_LOGITS = [0.5, -1.5, 2.0, -0.25]
_RUN = [3.0, -1.0, 4.0, 1.5, 9.0]
_ERRORS = [0.25, -1.25, 3.0, -6.0, 0.75]
_REWARDS = [([1.0, 2.0, -4.0, 3.0], 0.5), ([0.0, 5.0, 1.0, 2.0, 7.0], 0.9)]
_POINTS = [[0.0, 1.0], [5.0, -2.0], [4.0, 6.0], [-3.0, 2.0]]
_TABLE = [[1.0, 7.0, 3.0], [2.0, -9.0, 1.0], [4.0, 4.0, 8.0], [7.0, 6.0, 2.5]]
_NAMED: Dict[Any, Any] = {
    (2, "hinge hinge_loss"): (
        placed(_SIGNS, _SCORES), [([1, -1, 1, 1, -1], [0.5, 0.25, -2.0, 3.0, -4.0])], _lists(_hinge)
    ),
    (2, "huber huber_loss"): (
        Kind(_are_errors, _like_errors, _errors_first),
        [(_ERRORS, 1.0), (_ERRORS, 2.0), (_ERRORS, 0.5)],
        lambda errors, delta: _huber(numbers_in(errors), delta),
    ),
    (3, "huber huber_loss"): (
        Kind(_are_errors, _like_errors, _errors_first),
        [([1.0, 2.0, 3.0, 9.0], [1.25, 5.0, 2.0, 3.0], delta) for delta in (1.0, 2.0, 0.5)],
        _huber_of_two,
    ),
    (2, "bce_with_logits binary_cross_entropy_with_logits sigmoid_cross_entropy"): (
        placed(LABELS, _SCORES), [([1, 0, 1, 0], _LOGITS), ([0, 0, 1, 1], _LOGITS)], _lists(_with_logits)
    ),
    (2, "softmax_cross_entropy cross_entropy_loss cross_entropy_with_logits"): (
        placed(LIST, COUNT), [(_LOGITS, 1), (_LOGITS, 2), (_LOGITS, 0)], _lists(_surprise)
    ),
    (2, "softmax temperature_softmax softmax_with_temperature softmax_temperature tempered_softmax"): (
        placed(LIST, NUMBER), [(_LOGITS, 1.0), (_LOGITS, 2.0), (_LOGITS, 0.5)], _lists(_tempered)
    ),
    (2, "row_softmax softmax_rows softmax_by_row rowwise_softmax"): (
        placed(RECTANGLE, NUMBER), [([_LOGITS, _LOGITS[::-1]], by) for by in (1.0, 2.0, 0.5)],
        lambda rows, by: [tuple(share for row in rows_of(rows) for share in _tempered(row, by)[0])],
    ),
    (2, "discounted_return discounted_returns discounted_reward discounted_rewards discounted_sum rewards_to_go"
        " reward_to_go returns_to_go discounted_cumulative_reward discounted_cumulative_rewards"): (
        placed(LIST, NUMBER), _REWARDS, _lists(_returns)
    ),
    (4, "gae generalized_advantage_estimation generalised_advantage_estimation generalized_advantages"
        " generalised_advantages gae_advantages"): (
        Kind(_is_advantage, _like_advantage),
        [([1.0, 0.0, -2.0, 3.0], [0.5, 1.5, -1.0, 2.0, 4.0], 0.9, 0.8)],
        _advantages,
    ),
    (2, "ema ewma exponential_moving_average exponential_average exponential_smoothing"): (
        placed(LIST, _SHARE), [(_RUN, 0.25), (_RUN, 0.9)], _lists(_averages)
    ),
    (3, "soft_update polyak_update polyak_average polyak_averaging"): (
        placed(LIST, LIST, _SHARE), [([1.0, 5.0, -2.0], [3.0, 4.0, 8.0], 0.1)], _lists(_mixed)
    ),
    (2, "smooth_labels label_smoothing smoothed_labels"): (
        placed(LIST, _SHARE), [([0.0, 1.0, 0.0, 0.0], 0.1), ([0.0, 0.0, 1.0], 0.3)], _lists(_smoothed)
    ),
    (3, "smooth_labels label_smoothing smoothed_labels smooth_label smoothed_label smoothed_target"): (
        Kind(lambda given: COUNT.fits(given[:2]) and _is_share(given[2]), lambda _, inputs: inputs),
        [(1, 4, 0.1), (0, 3, 0.3)], _one_smoothed
    ),
    (2, "focal focal_loss binary_focal_loss"): (
        Kind(lambda given: _is_share(given[0]) and NUMBER.fits(given[1:]), lambda _, inputs: inputs),
        [(0.25, 2.0), (0.75, 3.0), (0.5, 0.5)], _focal
    ),
    (1, "rms_norm rmsnorm rms_normalize"): (_ROWS, [([3.0, -1.0, 2.0, 7.0],)], _root_mean_square),
    (2, "rms_norm rmsnorm rms_normalize"): (
        _ROWS, [([3.0, -1.0, 2.0, 7.0], [1.0, 0.5, 2.0, 3.0])], _root_mean_square
    ),
    (1, "batch_norm batchnorm batch_normalize batch_normalise"): (RECTANGLE, [(_TABLE,)], _batch_normed),
    (1, "standardize_columns standardise_columns zscore_columns"): (
        RECTANGLE, [(_TABLE,)], lambda x: _batch_normed(x, root=True)
    ),
    (2, "clip_norm clip_by_norm clip_grad_norm clip_gradient_norm clip_to_norm"): (
        placed(LIST, NUMBER), [([3.0, 4.0], 1.0), ([0.3, -0.4], 1.0), ([6.0, 0.0, 8.0], 5.0)], _lists(_norm_clipped)
    ),
    (2, "clip_gradient clip_gradients clipped_gradient clip_grad clip_grads clip_vector"): (
        placed(LIST, NUMBER), [([3.0, -4.0], 1.0), ([0.3, -0.4], 1.0), ([6.0, 0.0, 8.0], 5.0)], _lists(_clipped)
    ),
    (3, "top_k_accuracy topk_accuracy accuracy_at_k"): (
        Kind(_is_scored, _like_scored),
        [([[0.1, 0.6, 0.3], [0.5, 0.2, 0.3], [0.2, 0.3, 0.5], [0.3, 0.1, 0.6]], [2, 1, 2, 0], k) for k in (1, 2, 3)],
        _among_best,
    ),
    (1, "perplexity"): (
        Kind(_is_surprise, _like_surprise), [([0.25, 0.5, 0.0625],), ([0.5, 0.125],)], _lists(_perplexity)
    ),
    (2, "assign_clusters assign_to_clusters nearest_centroid nearest_centroids assign_to_centroids"): (
        RECTANGLE, [(_POINTS, [[4.0, 0.0], [0.0, 3.0], [5.0, 9.0]])], _nearest
    ),
    (3, "rbf rbf_kernel gaussian_kernel"): (
        placed(LIST, LIST, NUMBER),
        [([1.0, 2.0], [0.5, 2.25], 0.5), ([0.0, 1.0, 2.0], [1.0, 1.5, 2.0], 2.0)],
        _lists(_kernel),
    ),
    (2, "positional_encoding sinusoidal_encoding sinusoidal_positional_encoding sinusoidal_embedding"): (
        COUNT, [(4, 6), (3, 8)], _encoded
    ),
    (2, "one_hot one_hot_encode one_hot_encoding"): (placed(_WHOLE, COUNT), [([2, 0, 1, 2], 4)], _marked),
}  # fmt: skip
LEARNING = {(name, count): entry for (count, names), entry in _NAMED.items() for name in names.split()}
_IN_TURN = {
    "softmax temperature_softmax softmax_with_temperature softmax_temperature tempered_softmax row_softmax softmax_rows"
    " softmax_by_row rowwise_softmax": ("", "temp tau t"),
    "gae generalized_advantage_estimation generalised_advantage_estimation generalized_advantages"
    " generalised_advantages gae_advantages": (
        "rew r", "val v", "gamma discount", "lam gae"
    ),
    "smoothed_target smooth_label smoothed_label": ("label y target cls class", "", ""),
    "focal focal_loss binary_focal_loss": ("p prob", "gamma g"),
    "positional_encoding sinusoidal_encoding sinusoidal_positional_encoding sinusoidal_embedding": (
        "len seq n pos max", "d size hidden emb"
    ),
}  # fmt: skip
ORDERED = {name: begun for names, begun in _IN_TURN.items() for name in names.split()}
"""Of these the names of the arguments must begin so, in this order."""

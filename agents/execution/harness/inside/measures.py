"""What functions of statistics, information theory and evaluation give by their names, in every usual reading. Standard
library only, Python 3.6 or later. See `algorithms`.
"""

import functools
import itertools
import math
from typing import Any, Dict

from .algorithms import edits
from .definitions import product
from .kinds import COUNT, GUESSES, LABELS, LIST, RANKS, SETS, SHARES, TEXT, Kind, numbers_in, placed


def _lists(function):
    """Of the numbers of each argument."""
    return lambda *given: function(*map(numbers_in, given))


def _mean(values):
    return sum(values) / len(values)


def _covariance(x, y):
    mx, my = _mean(x), _mean(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y))


def _pearson(x, y):
    return _covariance(x, y) / math.sqrt(_covariance(x, x) * _covariance(y, y))


def _ranked(values, ties):
    places = sorted(range(len(values)), key=lambda i: values[i])
    if not ties:
        return [float(places.index(i)) for i in range(len(values))]
    return [sum(other < v for other in values) + sum(other == v for other in values) / 2 for v in values]


def _spearman(x, y):
    """By ranks with ties or without; and by the differences of these."""
    for ties in (True, False):
        a, b, n = _ranked(x, ties), _ranked(y, ties), len(x)
        yield _pearson(a, b)
        yield 1 - 6 * sum((p - q) ** 2 for p, q in zip(a, b)) / (n * (n * n - 1))


def _tied(x, y):
    """By ranks of which equal values share the mean."""
    return [_pearson(_ranked(x, True), _ranked(y, True))]


def _kendall(x, y):
    """Tau a and b."""
    pairs = [((a - c), (b - d)) for (a, b), (c, d) in itertools.combinations(list(zip(x, y)), 2)]
    score = sum((a * b > 0) - (a * b < 0) for a, b in pairs)
    return [score / len(pairs), score / math.sqrt(sum(a != 0 for a, _ in pairs) * sum(b != 0 for _, b in pairs))]


def _scaled(values):
    mean, square, n = _mean(values), _covariance(values, values), len(values)
    return [[(v - mean) / math.sqrt(square / (n - ddof)) for v in values] for ddof in (0, 1)]


def _ranged(values):
    low, high = min(values), max(values)
    return [[(v - low) / (high - low) for v in values]]


def _unit(values):
    """By any usual norm."""
    return [[v / norm for v in values] for norm in (math.sqrt(product(values, values)), sum(values), max(values))]


def _weighted(values, weights):
    return [product(values, weights) / sum(one) for one in (weights, values)]


def _gini(values):
    """Of incomes, without and with the correction for few; of shares or labels, the impurity."""
    n, total = len(values), sum(values)
    found = 2 * sum(i * v for i, v in enumerate(sorted(values), 1)) / (n * total) - (n + 1) / n
    shares = [values.count(v) / n for v in set(values)]
    return [found, found * n / (n - 1), 1 - product(values, values), 1 - product(shares, shares)]


def _mode(values):
    most = max(map(values.count, values))
    found = [float(v) for v in values if values.count(v) == most]
    return found[:1] if len(set(found)) == 1 else []


def _windows(values, width):
    """The mean of each whole window; other lengths than that of these are not told."""
    values = numbers_in(values)
    found = [_mean(values[i : i + width]) for i in range(len(values) - width + 1)] if width > 1 else []
    return [tuple(found)] if found else []


def _logs(nats):
    """By each usual base."""
    return [nats, nats / math.log(2), nats / math.log(10)]


def _entropy(p):
    return -sum(x * math.log(x) for x in p if x > 0)


def _divergence(p, q):
    return _logs(sum(a * math.log(a / b) for a, b in zip(p, q) if a > 0))


def _middle(p, q):
    middle = [(a + b) / 2 for a, b in zip(p, q)]
    found = _logs(max(0.0, _entropy(middle) - (_entropy(p) + _entropy(q)) / 2))
    return found + [math.sqrt(one) for one in found]


def _crossed(p, q):
    return _logs(-sum(a * math.log(b) for a, b in zip(p, q) if a > 0))


def _affinity(p, q):
    return sum(math.sqrt(a * b) for a, b in zip(p, q))


def _hellinger(p, q):
    return [math.sqrt(max(0.0, 1 - _affinity(p, q))), math.sqrt(max(0.0, 2 - 2 * _affinity(p, q)))]


def _variation(p, q):
    apart = sum(abs(a - b) for a, b in zip(p, q))
    return [apart / 2, apart]


def _information(x, y):
    """Of labels."""
    n, pairs = len(x), list(zip(x, y))
    return _logs(
        sum(
            pairs.count(one) / n * math.log(pairs.count(one) * n / (x.count(one[0]) * y.count(one[1])))
            for one in set(pairs)
        )
    )


def _labelled(of):
    """Of 0s and 1s that are true and guessed: of the ones, or of both kinds on the average; in percent, too."""

    def readings(truth, guess):
        tp, fp, fn, tn = _counts(truth, guess)
        try:
            found = [of(tp, fp, fn, tn), (of(tp, fp, fn, tn) + of(tn, fn, fp, tp)) / 2]
        except ZeroDivisionError:
            return []
        return [float(value) for value in found] + [100.0 * value for value in found]

    return readings


def _accuracy(truth, guess):
    share = sum(int(t) == int(g) for t, g in zip(truth, guess)) / len(truth)
    return [share, 100 * share]


def _counts(truth, guess):
    pairs = [(int(t), int(g)) for t, g in zip(truth, guess)]
    return [pairs.count(pair) for pair in ((1, 1), (0, 1), (1, 0), (0, 0))]


def _matthews(truth, guess):
    tp, fp, fn, tn = _counts(truth, guess)
    return [(tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))]


def _kappa(one, other):
    """Of labels of any sort."""
    one, other = (list(each if type(each) in (str, list, tuple) else numbers_in(each)) for each in (one, other))
    n = len(one)
    chance = sum(one.count(label) * other.count(label) for label in set(one)) / n**2
    return [(sum(a == b for a, b in zip(one, other)) / n - chance) / (1 - chance)]


def _is_rated(given):
    kinds = [type(value) for value in given]
    words = all(type(each) is str for value in given if type(value) in (str, list, tuple) for each in value)
    return LABELS.fits(given) or (len(set(kinds)) == 1 and kinds[0] in (str, list, tuple) and words and all(given))


def _like_rated(given, inputs):
    """As texts or lists of words where such are given."""
    if LABELS.fits(given):
        return LABELS.like(given, inputs)
    told = [["uv"[label] for label in labels] for labels in inputs]
    return ["".join(each) if type(value) is str else type(value)(each) for value, each in zip(given, told)]


def _balanced(truth, guess):
    tp, fp, fn, tn = _counts(truth, guess)
    found = (tp / (tp + fn) + tn / (tn + fp)) / 2
    return [found, 100 * found]


def _ordered(labels, scores):
    """The part of pairs in the right order."""
    pairs = [(s, r) for s, t in zip(scores, labels) if t for r, u in zip(scores, labels) if not u]
    return [sum((s > r) + (s == r) / 2 for s, r in pairs) / len(pairs)]


def _surprise(labels, shares):
    each = [-math.log(p if t else 1 - p) for t, p in zip(labels, shares)]
    return [_mean(each), sum(each), _mean(each) / math.log(2)]


def _squares(labels, shares):
    found = _mean([(t - p) ** 2 for t, p in zip(labels, shares)])
    return [found, 2 * found]


def _explained(truth, guess):
    mean = _mean(truth)
    left = sum((t - g) ** 2 for t, g in zip(truth, guess))
    return [1 - left / sum((t - mean) ** 2 for t in truth)]


def _relative(truth, guess):
    found = _mean([abs((t - g) / t) for t, g in zip(truth, guess)])
    return [found, 100 * found]


def _gain(relevance, power):
    return sum((2**rel - 1 if power else rel) / math.log(i + 2, 2) for i, rel in enumerate(relevance))


def _gain_of_old(relevance):
    """The first two weigh the same."""
    return sum(rel / max(1.0, math.log(i + 1, 2)) for i, rel in enumerate(relevance))


def _gained(relevance, k):
    """Gains linear or of powers of two."""
    return [float(_gain(numbers_in(relevance)[:k], power)) for power in (False, True)]


def _normalized(relevance, k):
    """By the best order of all, or of those that are looked at."""
    values = numbers_in(relevance)
    bests = sorted(values, reverse=True)[:k], sorted(values[:k], reverse=True)
    gains = [functools.partial(_gain, power=power) for power in (False, True)] + [_gain_of_old]
    return [gain(values[:k]) / gain(best) for best in bests for gain in gains]


def _reciprocal(ranks):
    return [_mean([1 / rank for rank in ranks])]


def _averaged(relevance):
    """Over the relevant ones."""
    shares = [_mean(relevance[: i + 1]) for i, one in enumerate(relevance) if one]
    return [_mean(shares), sum(shares) / len(relevance)]


def _of_sets(function):
    """Of what two collections hold, each once."""

    def readings(one, other):
        one, other = set(one), set(other)
        return [float(function(len(one & other), len(one), len(other)))] if one and other else []

    return readings


def _jaccard(both, one, other):
    return both / (one + other - both)


def _errors(split):
    """Edits for each word or letter of one of the two, in percent, too."""

    def readings(one, other):
        one, other = (text.split() if split else text for text in (one, other))
        shares = [edits(one, other) / max(1, len(each)) for each in (one, other)]
        return shares + [100 * share for share in shares]

    return readings


_FOUR = [([3.0, -1.0, 4.0, 1.5, 9.0, 2.5], [2.0, 7.0, -8.0, 2.5, 60.0, 30.0])]
_INCOMES = [([1.0, 2.0, 30.0, 4.0, 10.0, 20.0, 5.0],), ([3.0, 1.0, 8.0],)]
_TWO = [([0.1, 0.6, 0.3], [0.5, 0.2, 0.3]), ([0.25, 0.75], [0.6, 0.4])]
_KINDS = [([0, 0, 1, 1, 2, 2, 0, 1], [1, 1, 0, 0, 0, 1, 1, 0])]
_GUESSED = [([1, 1, 0, 0, 1, 0, 1], [1, 0, 1, 0, 1, 0, 0]), ([1, 0, 0, 0, 1], [1, 1, 1, 0, 1])]
_SCORED = [([1, 0, 1, 0, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.55, 0.2, 0.1])]
_TRUE = [([3.0, 5.0, 2.5, 7.0], [2.5, 5.0, 4.0, 8.0]), ([1.0, 2.0, 4.0], [3.0, 1.0, 5.0])]
_GRADED = [([1, 3, 0, 2, 1], 3), ([0, 2, 3, 1], 2)]
_TOKENS = [(["a", "b", "c", "d"], ["c", "d", "e"]), (["x", "y"], ["z", "x", "w"])]
_SPOKEN = [("the cat sat on the mat", "the cat sit on mat today"), ("a b c", "b c")]
_PRECISION = (LABELS, _GUESSED, _labelled(lambda tp, fp, *_: tp / (tp + fp)))
_NAMED: Dict[Any, Any] = {
    (2, "spearman spearmanr spearman_correlation spearman_rho spearman_rank_correlation"): (
        LIST, _FOUR, _lists(_spearman)
    ),
    (2, "spearman_with_ties"): (
        LIST, [([3.0, 1.0, 3.0, 2.0, 5.0], [1.0, 2.0, 4.0, 4.0, 9.0])], _lists(_tied)
    ),
    (2, "pearson pearsonr pearson_r pearson_correlation pearson_corr correlation_coefficient"): (
        LIST, _FOUR, _lists(lambda x, y: [_pearson(x, y)])
    ),
    (2, "kendall kendall_tau kendalltau"): (LIST, _FOUR, _lists(_kendall)),
    (2, "covariance"): (LIST, _FOUR, _lists(lambda x, y: [_covariance(x, y) / (len(x) - ddof) for ddof in (0, 1)])),
    (1, "geometric_mean gmean"): (LIST, _INCOMES, _lists(lambda x: [math.exp(_mean([math.log(v) for v in x]))])),
    (1, "harmonic_mean hmean"): (LIST, _INCOMES, _lists(lambda x: [1 / _mean([1 / v for v in x])])),
    (2, "weighted_mean weighted_average"): (LIST, [([3.0, -1.0, 7.0], [1.0, 4.0, 2.0])], _lists(_weighted)),
    (1, "zscore z_score zscores z_scores standardize standardise"): (LIST, _INCOMES, _lists(_scaled)),
    (1, "min_max minmax min_max_scale minmax_scale min_max_normalize minmax_normalize"): (
        LIST, _INCOMES, _lists(_ranged)
    ),
    (1, "scaled_to_one"): (LIST, _INCOMES, _lists(lambda x: [[v / sum(x) for v in x]])),
    (1, "scaled_to_length"): (LIST, _INCOMES, _lists(_unit)),
    (1, "scaled_to_euclidean_length"): (LIST, _INCOMES, _lists(lambda x: _unit(x)[:1])),
    (1, "mode"): (LIST, [([4, 2, 7, 2, 9],), ([1, 5, 5, 3],)], _lists(_mode)),
    (1, "gini gini_coefficient gini_index"): (LIST, _INCOMES, _lists(_gini)),
    (2, "moving_average rolling_mean"): (placed(LIST, COUNT), [([3.0, -1.0, 4.0, 1.5, 9.0, 2.5], 3)], _windows),
    (2, "kl_divergence kl kl_div kullback_leibler kullback_leibler_divergence"): (SHARES, _TWO, _lists(_divergence)),
    (2, "cross_entropy"): (SHARES, _TWO, _lists(_crossed)),
    (2, "js_divergence jensen_shannon jensen_shannon_divergence jsd jensen_shannon_distance"): (
        SHARES, _TWO, _lists(_middle)
    ),
    (2, "hellinger hellinger_distance"): (SHARES, _TWO, _lists(_hellinger)),
    (2, "total_variation total_variation_distance tv_distance"): (SHARES, _TWO, _lists(_variation)),
    (2, "bhattacharyya bhattacharyya_distance"): (SHARES, _TWO, _lists(lambda p, q: [-math.log(_affinity(p, q))])),
    (2, "mutual_information mutual_info"): (LIST, _KINDS, _lists(_information)),
    (2, "accuracy"): (LABELS, _GUESSED, _accuracy),
    (2, "precision"): _PRECISION,
    (2, "recall sensitivity"): (LABELS, _GUESSED, _labelled(lambda tp, _, fn, __: tp / (tp + fn))),
    (2, "specificity"): (LABELS, _GUESSED, _labelled(lambda _, fp, __, tn: tn / (tn + fp))),
    (2, "f1"): (LABELS, _GUESSED, _labelled(lambda tp, fp, fn, _: 2 * tp / (2 * tp + fp + fn))),
    (2, "balanced_accuracy macro_recall mean_class_recall unweighted_average_recall"): (LABELS, _GUESSED, _balanced),
    (2, "mcc matthews_corrcoef matthews_correlation matthews_correlation_coefficient"): (LABELS, _GUESSED, _matthews),
    (2, "cohen_kappa cohens_kappa"): (Kind(_is_rated, _like_rated), _GUESSED, _kappa),
    (2, "roc_auc auroc"): (placed(LABELS, GUESSES), _SCORED, _lists(_ordered)),
    (2, "log_loss binary_cross_entropy bce"): (placed(LABELS, GUESSES), _SCORED, _lists(_surprise)),
    (2, "brier"): (placed(LABELS, GUESSES), _SCORED, _lists(_squares)),
    (2, "r2 r_squared coefficient_of_determination"): (LIST, _TRUE, _lists(_explained)),
    (2, "mape mean_absolute_percentage_error"): (LIST, _TRUE, _lists(_relative)),
    (2, "dcg dcg_at_k discounted_cumulative_gain"): (placed(LIST, COUNT), _GRADED, _gained),
    (2, "ndcg ndcg_at_k"): (placed(LIST, COUNT), _GRADED, _normalized),
    (1, "ndcg normalized_discounted_cumulative_gain normalised_discounted_cumulative_gain"): (
        LIST,
        [([1, 3, 0, 2, 1],), ([1, 0, 1],)],
        lambda relevance: _normalized(relevance, len(numbers_in(relevance))),
    ),
    (1, "mrr mean_reciprocal_rank"): (RANKS, [([1, 3, 2, 8],)], _lists(_reciprocal)),
    (1, "average_precision"): (LABELS, [([1, 0, 1, 0, 0, 1],), ([0, 1, 1, 0],)], _lists(_averaged)),
    (2, "jaccard jaccard_similarity jaccard_index jaccard_coefficient"): (
        SETS, _TOKENS, lambda a, b: [v for one in _of_sets(_jaccard)(a, b) for v in (one, 1 - one)]
    ),
    (2, "jaccard_distance"): (SETS, _TOKENS, _of_sets(lambda *counts: 1 - _jaccard(*counts))),
    (2, "overlap_coefficient"): (SETS, _TOKENS, _of_sets(lambda both, a, b: both / min(a, b))),
    (2, "dice dice_coefficient sorensen_dice"): (SETS, _TOKENS, _of_sets(lambda both, a, b: 2 * both / (a + b))),
    (2, "wer word_error_rate"): (TEXT, _SPOKEN, _errors(True)),
    (2, "cer character_error_rate"): (TEXT, _SPOKEN, _errors(False)),
}  # fmt: skip
MEASURES = {(name, count): entry for (count, names), entry in _NAMED.items() for name in names.split()}
LABELLED = (
    "precision", "recall", "sensitivity", "specificity", "f1", "balanced_accuracy", "macro_recall",
    "mean_class_recall", "unweighted_average_recall",
    "r2", "r_squared", "coefficient_of_determination", "mape", "mean_absolute_percentage_error",
)  # fmt: skip
"""Of these the names of the arguments must tell which one is the truth."""
OF_TWO_DISTRIBUTIONS = (
    "kl_divergence",
    "kl",
    "kl_div",
    "kullback_leibler",
    "kullback_leibler_divergence",
    "cross_entropy",
)
"""Of these they must be p and q: elsewhere the order is another one at times."""

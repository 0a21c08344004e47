"""What functions give by their names where words of their documentation leave one of several usual readings. Standard
library only, Python 3.6 or later. See `algorithms`.
"""

import math
from typing import Any, Dict

from .definitions import product
from .kinds import COUNT, LIST, MATRIX, RECTANGLE, SHARES, Kind, each, exactly, is_flat, numbers_in, placed, rows_of

GROUP = 3
"""Of items, in one part of them."""


def _spread(ddof, power=1.0):
    def of(values):
        values = numbers_in(values)
        mean = sum(values) / len(values)
        return [(sum((value - mean) ** 2 for value in values) / (len(values) - ddof)) ** power]

    return of


def _shared(ddof):
    def of(x, y):
        x, y = numbers_in(x), numbers_in(y)
        mx, my = sum(x) / len(x), sum(y) / len(y)
        return [sum((a - mx) * (b - my) for a, b in zip(x, y)) / (len(x) - ddof)]

    return of


def _matrices(ddof):
    """Of columns or of rows."""

    def of(value):
        rows = rows_of(value)
        for columns in ([list(column) for column in zip(*rows)], rows):
            if len(columns[0]) > ddof:
                centred = [[v - sum(column) / len(column) for v in column] for column in columns]
                yield [product(a, b) / (len(a) - ddof) for a in centred for b in centred]

    return of


def _primes(more):
    def of(limit):
        found = [n for n in range(2, limit + more) if all(n % i for i in range(2, int(n**0.5) + 1))]
        return [exactly(found, tuple(found), set(found), len(found))]

    return of


def _is_counted(given):
    marks = [v for one in given[:2] for v in numbers_in(one)] if all(map(is_flat, given[:2])) else []
    if not marks or any(v != int(v) or v < 0 for v in marks) or len(numbers_in(given[0])) != len(numbers_in(given[1])):
        return False
    size = given[2] if len(given) > 2 else len(set(marks))
    return type(size) is int and max(marks) < size


def _like_counted(given, inputs):
    return LIST.like(given[:2], inputs[:2]) + list(inputs[2:])


def _confusion(*turns):
    """By rows of the truth, or of the guess."""

    def of(truth, guess, size=None):
        pairs = list(zip(numbers_in(truth), numbers_in(guess)))
        size = size or int(max(max(pair) for pair in pairs)) + 1
        for turn in turns:
            yield [float(pairs.count((i, j) if turn > 0 else (j, i))) for i in range(size) for j in range(size)]

    return of


def _macro(counts):
    """The mean over classes, or of the means of precision and recall."""
    rows = rows_of(counts)
    sums = [sum(row) for row in rows], [sum(column) for column in zip(*rows)]
    shares = [[rows[i][i] / one[i] for i in range(len(rows))] for one in sums]
    means = [sum(one) / len(one) for one in shares]
    found = sum(2 * rows[i][i] / (sums[0][i] + sums[1][i]) for i in range(len(rows))) / len(rows)
    both = 2 * means[0] * means[1] / sum(means)
    return [found, both, 100 * found, 100 * both]


def _macro_of_labels(truth, guess):
    size = int(max(*numbers_in(truth), *numbers_in(guess))) + 1
    counts = next(iter(_confusion(1)(truth, guess, size)))
    return _macro([counts[i : i + size] for i in range(0, len(counts), size)])


def _quartiles(values):
    """Between the values next to a quarter of the way, by each usual rule of where that is."""
    values = sorted(numbers_in(values))
    for before, after in ((1.0, 1.0), (0.0, 0.0), (0.5, 0.5), (1 / 3, 1 / 3), (3 / 8, 3 / 8), (0.0, 1.0)):
        ends = []
        for share in (0.25, 0.75):
            place = (len(values) + 1 - before - after) * share + before - 1
            place = min(max(place, 0.0), len(values) - 1.0)
            under = int(place)
            over = min(under + 1, len(values) - 1)
            ends.append(values[under] + (place - under) * (values[over] - values[under]))
        yield ends[1] - ends[0]


def _divergence(*bases, turned=False):
    """In each of these units, of either from the other if `turned`; where the second has nothing of what the first has,
    at least nothing that is below zero."""

    def holds(found):
        """no number below zero"""
        return found >= 0 if type(found) is float and not math.isnan(found) else None

    def of(p, q):
        pairs = list(zip(numbers_in(p), numbers_in(q)))
        for each_way in [pairs, [pair[::-1] for pair in pairs]][: 1 + turned]:
            both = [(a, b) for a, b in each_way if a > 0]
            if min(b for _, b in both) > 0:
                nats = sum(a * math.log(a / b) for a, b in both)
                for base in bases:
                    yield nats / math.log(base)
            else:
                yield holds

    return of


def _parted(items, size):
    def holds(found):
        """all items in parts of that size, what remains in the last"""
        if type(found) not in (list, tuple) or not all(type(one) in (list, tuple, str) for one in found):
            return None
        lengths = [len(one) for one in found]
        wanted = [size] * (len(items) // size) + ([len(items) % size] if len(items) % size else [])
        return lengths == wanted and [item for one in found for item in one] == list(items)

    return [holds] if size > 0 else []


def _fewest(amount, coins):
    """Where it can't be paid, anything."""
    least = [0] + [math.inf] * amount  # type: list[float]
    for paid in range(1, amount + 1):
        least[paid] = min([least[paid - coin] + 1 for coin in coins if coin <= paid] or [math.inf])
    return [int(least[amount])] if least[amount] < math.inf else []


_ITEMS = each(lambda value: type(value) in (list, tuple, str) and len(value) > 0)
_PARTS = Kind(
    lambda given: _ITEMS.fits(given[:1]) and type(given[1]) is int,
    lambda given, inputs: ["".join(inputs[0]) if type(given[0]) is str else type(given[0])(inputs[0]), inputs[1]],
)
_COINS = each(
    lambda value: type(value) in (list, tuple, set, frozenset) and len(value) > 0
    and all(type(one) is int and one > 0 for one in value),
    lambda given, inputs: [type(value)(one) for value, one in zip(given, inputs)],
)  # fmt: skip
_COUNTED = Kind(_is_counted, _like_counted)
_VALUES = [([1.0, 2.0, 30.0, 4.0],), ([3.0, 1.0, 8.0],)]
_BOTH = [([3.0, -1.0, 4.0, 1.5], [2.0, 7.0, -8.0, 2.5])]
_ROWS = [([[1.0, 2.0], [0.0, 5.0], [-3.0, 4.0], [6.0, 6.5]],)]
_LIMITS = [(n,) for n in (13, 30, 49, 2)]
_MARKED = ([0, 1, 2, 2, 1, 2, 0, 2], [0, 2, 1, 2, 1, 0, 0, 1])
_SHARED = [([0.1, 0.6, 0.3], [0.5, 0.2, 0.3]), ([0.25, 0.75], [0.6, 0.4]), ([0.5, 0.5], [1.0, 0.0])]
_PAID = [(6, [1, 3, 4]), (30, [1, 10, 25]), (12, [5, 6, 8, 1])]
_LETTERS = list("abcdefg")
_NAMED: Dict[Any, Any] = {
    (1, "population_variance"): (LIST, _VALUES, _spread(0)),
    (1, "population_deviation population_std"): (LIST, _VALUES, _spread(0, 0.5)),
    (2, "unbiased_covariance"): (LIST, _BOTH, _shared(1)),
    (2, "population_covariance"): (LIST, _BOTH, _shared(0)),
    (1, "unbiased_covariance_matrix"): (RECTANGLE, _ROWS, _matrices(1)),
    (1, "population_covariance_matrix"): (RECTANGLE, _ROWS, _matrices(0)),
    (1, "primes_with_limit"): (COUNT, _LIMITS, _primes(1)),
    (1, "primes_without_limit"): (COUNT, _LIMITS, _primes(0)),
    (2, "confusion_matrix"): (_COUNTED, [_MARKED], _confusion(1, -1)),
    (3, "confusion_matrix"): (_COUNTED, [(*_MARKED, 3)], _confusion(1, -1)),
    (2, "confusion_of_truth"): (_COUNTED, [_MARKED], _confusion(1)),
    (3, "confusion_of_truth"): (_COUNTED, [(*_MARKED, 3)], _confusion(1)),
    (2, "confusion_of_guess"): (_COUNTED, [_MARKED], _confusion(-1)),
    (3, "confusion_of_guess"): (_COUNTED, [(*_MARKED, 3)], _confusion(-1)),
    (1, "macro_f1"): (MATRIX, [([[1, 9, 0], [0, 4, 1], [0, 8, 5]],)], _macro),
    (2, "macro_f1"): (_COUNTED, [_MARKED], _macro_of_labels),
    (1, "linear_interquartile_range"): (LIST, [([5.0, 1.0, 4.0, 2.0],), ([9.0, 3.0, 7.0, 1.0, 4.0, 0.0],)], _quartiles),
    (2, "divergence_anywhere"): (SHARES, _SHARED, _divergence(math.e, 2, 10)),
    (2, "divergence_in_nats_anywhere"): (SHARES, _SHARED, _divergence(math.e, turned=True)),
    (2, "divergence_in_bits_anywhere"): (SHARES, _SHARED, _divergence(2, turned=True)),
    (2, "chunks_with_rest"): (_PARTS, [(_LETTERS, GROUP), (_LETTERS[:4], 2), (_LETTERS[:2], 5)], _parted),
    (2, "fewest_coins min_coins minimum_coins least_coins minimum_number_of_coins"): (
        placed(COUNT, _COINS), _PAID, _fewest
    ),
}  # fmt: skip
NARROWED = {(name, count): entry for (count, names), entry in _NAMED.items() for name in names.split()}
SAID_BY_WORDS = (
    "entropy_bits", "entropy_nats", "population_variance", "population_deviation", "unbiased_covariance",
    "population_covariance", "unbiased_covariance_matrix", "population_covariance_matrix", "primes_with_limit",
    "primes_without_limit", "confusion_of_truth", "confusion_of_guess",
    "divergence_in_nats_anywhere", "divergence_in_bits_anywhere",
)  # fmt: skip
"""Names that are left by plain words alone: no call, though a test expects it, shows them to be another thing."""

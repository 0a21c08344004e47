"""What functions are by their names, in plain Python, with every usual reading. Standard library only, Python 3.6 or
later.

Numbers are told as their shape and all of them in order. Only what is plain is judged: finite numbers, not too many.
"""

import functools
import inspect
import itertools
import math
from typing import Any, Dict

from .structure import array_library, as_numpy

VALUES, DEFINED, AXES = 10000, 2000, 4
"""Of a result, numbers; of the arguments of a definition, numbers; of both, axes."""
NEAR = 1e-3


def judged(numbers):
    """Whether numbers, or None, can be judged."""
    return bool(numbers and numbers[1] and all(map(math.isfinite, numbers[1])))


def numbers_of(value):
    """(Shape, numbers in order) of a number, an array, or lists of equal length within each other; else None."""
    try:
        return _numbers(value, AXES, [VALUES])
    except Exception:  # noqa: BLE001 -- an array without numbers, while a function is compiled, and other foreign ones
        return None


def _numbers(value, axes, left):
    """`left` holds how many numbers there may yet be."""
    left[0] -= 1
    if left[0] < 0 or axes < 0:
        return None
    if type(value) in (int, float):
        return ((), [value]) if abs(value) < 1e300 else None
    if array_library(value):
        array = as_numpy(value)
        plain = array.dtype.kind in "iuf" and _is_plain(value)
        fits = array.size <= left[0] + 1 and array.ndim <= axes
        return (tuple(array.shape), [float(item) for item in array.reshape(-1).tolist()]) if plain and fits else None
    if type(value) not in (list, tuple) or not value:
        return None
    parts = []
    for item in value:
        parts.append(_numbers(item, axes - 1, left))
        if parts[-1] is None or parts[-1][0] != parts[0][0]:
            return None
    return (len(parts),) + parts[0][0], [number for part in parts for number in part[1]]


def _is_plain(value):
    """Whether it is an array as its library makes it, and not of a class that may mean something else by a mean."""
    return not hasattr(value, "__array_finalize__") or type(value).__name__ == "ndarray"


def lines_of(numbers):
    """For the whole, and for each choice of axes, the groups of numbers along them, in order of the other axes."""
    shape, flat = numbers
    steps = [functools.reduce(int.__mul__, shape[axis + 1 :], 1) for axis in range(len(shape))]
    for count in range(len(shape), 0, -1):
        for along in itertools.combinations(range(len(shape)), count):
            others = [(steps[axis], shape[axis]) for axis in range(len(shape)) if axis not in along]
            groups: Dict[Any, Any] = {}
            for place, number in enumerate(flat):
                groups.setdefault(tuple(place // step % length for step, length in others), []).append(number)
            yield list(groups.values())
    if not shape:
        yield [flat]


def near(one, other):
    """Whether two numbers are equal but for rounding."""
    return abs(one - other) <= NEAR * (1 + abs(other))


def close(found, wanted):
    """Whether all numbers are near each other."""
    return len(found) == len(wanted) and all(map(near, found, wanted))


def matrix(numbers):
    """The rows of a matrix; None for what is none."""
    shape, flat = numbers
    return [flat[i : i + shape[1]] for i in range(0, len(flat), shape[1])] if len(shape) == 2 else None


def product(a, b):
    """The inner product."""
    return sum(x * y for x, y in zip(a, b))


def defined(how, arguments, numbers):
    """Whether a result is one of those that a definition knows for numbers like these."""
    readings = wanted(how, arguments, numbers)
    return not readings or any(close(numbers[1], reading) for reading in readings)


def wanted(how, arguments, numbers):
    """All results that a definition knows for numbers like these, none where it can't be told; `how` is its name and
    how the arguments are read: not at all, as any number of values ("*"), or by these names."""
    name, named = how[0], list(how[1:])
    if named == ["*"]:
        arguments = arguments if len(arguments[0]) == 1 else ([list(arguments[0])], arguments[1])
    elif named:
        return _counted(COUNTED[name][frozenset(named)], named, arguments, numbers)
    count, readings = DEFINITIONS[name]
    given = [numbers_of(value) for value in arguments[0]]
    if arguments[1] or len(given) != count or not all(map(judged, given)):
        return []
    if sum(len(one[1]) for one in given) > DEFINED:
        return []
    try:
        return [reading for reading in readings(*given) if len(reading) == len(numbers[1])]
    except (ValueError, ZeroDivisionError, OverflowError):
        return []


def _counted(function, named, arguments, numbers):
    """The number itself, or in percent."""
    given = dict(zip(named, arguments[0]), **arguments[1])
    if numbers[0] or set(given) != set(named) or any(type(value) not in (int, float) for value in given.values()):
        return []
    try:
        return [[function(**given)], [100 * function(**given)]]
    except ZeroDivisionError:
        return []


def _each(function):
    """Of every number by itself."""
    return lambda x: [[function(number) for number in x[1]]]


def _along(function):
    """Of the whole, or along any axis, by a function of a line to a number."""
    return lambda x: [[function(line) for line in lines] for lines in lines_of(x)]


def _softmax(x, log=False):
    """Of the whole or along any axis, in the order of the numbers."""
    found = [math.exp(number) for number in x[1]] if max(map(abs, x[1])) < 500 else []
    marks = list(lines_of((x[0], list(range(len(found))))))
    for lines in marks if found else ():
        result = list(found)
        for line in lines:
            total = sum(found[i] for i in line)
            for i in line:
                result[i] = x[1][i] - math.log(total) if log else found[i] / total
        yield result


def _sigmoid(number):
    return 1 / (1 + math.exp(-max(-500.0, min(500.0, number))))


def _mean(line):
    return sum(line) / len(line)


def _variance(ddof, root=False):
    def of(line):
        mean = _mean(line)
        found = sum((x - mean) ** 2 for x in line) / (len(line) - ddof)
        return math.sqrt(found) if root else found

    return of


def _spread(root):
    def readings(x):
        corrected = _along(_variance(1, root))(x) if x[0] and min(x[0]) > 1 else []
        return _along(_variance(0, root))(x) + corrected

    return readings


def _median(x):
    places = (lambda n: ((n - 1) // 2, n // 2), lambda n: ((n - 1) // 2,) * 2, lambda n: (n // 2,) * 2)
    return [
        found
        for place in places
        for found in _along(lambda line, place=place: sum(sorted(line)[i] for i in place(len(line))) / 2)(x)
    ]


def _pairwise(function):
    """Of two vectors; of the rows or columns of two matrices, one by one or each with each."""

    def readings(a, b):
        if max(len(a[0]), len(b[0])) < 2:
            return [[function(a[1], b[1])]] if a[0] == b[0] else []
        found = [[function(a[1], b[1])]] if a[0] == b[0] else []
        for by_row, one, other in zip((True, False), _rows(a), _rows(b)):
            try:
                if len(one[0]) == len(other[0]):
                    found.append([function(x, y) for x in one for y in other])
                    found.append([function(x, y) for x, y in zip(one, other)] if len(one) == len(other) else [])
            except ZeroDivisionError:
                if by_row:
                    raise
        return found

    return readings


def _rows(x):
    """The rows and the columns of a matrix; a vector is one row."""
    rows = [x[1]] if len(x[0]) == 1 else matrix(x)
    if rows is None:
        raise ValueError("no matrix")
    return [rows] if len(x[0]) == 1 else [rows, [list(column) for column in zip(*rows)]]


def _cosine(a, b):
    return product(a, b) / (math.sqrt(product(a, a)) * math.sqrt(product(b, b)))


def _dot(a, b):
    """Of vectors, or the product of matrices; row by row as well."""
    if not a[0] or not b[0]:
        return [[x * y for x in a[1] for y in b[1]]]
    if len(a[0]) == len(b[0]) == 1:
        return [[product(a[1], b[1])]] if a[0] == b[0] else []
    rows, others = _rows(a)[0], _rows(b)
    columns = others[-1]
    found = [[product(x, y) for x in rows for y in columns]] if len(rows[0]) == len(columns[0]) else []
    return found + (_pairwise(product)(a, b) if a[0] == b[0] else [])


def _errors(of, after=lambda mean: mean):
    """A mean of what `of` makes of differences: of all, or along any axis."""

    def readings(a, b):
        if a[0] != b[0]:
            return []
        apart = (a[0], [of(x - y) for x, y in zip(a[1], b[1])])
        whole = _along(lambda line: after(_mean(line)))(apart)
        return whole + [[_mean(means)] for means in whole[1:]]

    return readings


def _entropy(base=None):
    """Of a distribution, which 0s and 1s alone may not be meant as, by this or any usual base of the logarithm."""

    def readings(x):
        if not x[0] or min(x[1]) < 0 or (base is None and all(number == int(number) for number in x[1])):
            return []
        found = []
        for lines in lines_of(x):
            if all(near(sum(line), 1) for line in lines):
                nats = [-sum(p * math.log(p) for p in line if p > 0) for line in lines]
                bases = [base] if base else (math.e, 2, 10, max(2, len(lines[0])))
                found += [[value / math.log(each) for value in nats] for each in bases]
        return found

    return readings


def _layer_norm(x):
    """Along the last axes, of which the first may be none."""
    for count in range(1, max(1, len(x[0]) - 1) + 1):
        size = functools.reduce(int.__mul__, x[0][-count:] or (1,), 1)
        lines = [x[1][i : i + size] for i in range(0, len(x[1]), size)]
        yield [(v - _mean(line)) / math.sqrt(_variance(0)(line) + 1e-5) for line in lines for v in line]


def _gelu(number):
    return number * (1 + math.erf(number / math.sqrt(2))) / 2


def _normal(number):
    return (1 + math.erf(number / math.sqrt(2))) / 2


def _whole(function):
    """Of whole numbers that are not negative, and not large."""

    def readings(*given):
        values = [x[1][0] for x in given]
        plain = all(not x[0] and value == int(value) and 0 <= value <= 150 for x, value in zip(given, values))
        return [[float(found)] for found in function(*map(int, values))] if plain else []

    return readings


def _fibonacci(n):
    """Counted from 0 or 1, beginning with 0 or 1."""
    row = [0, 1]
    while len(row) < n + 2:
        row.append(row[-1] + row[-2])
    return row[max(0, n - 1) : n + 2]


_LOG_SUM = _along(lambda line: max(line) + math.log(sum(math.exp(x - max(line)) for x in line)))
_MSE, _MAE, _RMSE = _errors(lambda d: d * d), _errors(abs), _errors(lambda d: d * d, math.sqrt)
_EUCLID = _pairwise(lambda a, b: math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b))))
DEFINITIONS: Dict[str, Any] = {
    "softmax": (1, _softmax),
    "log_softmax": (1, lambda x: _softmax(x, True)),
    "sigmoid": (1, _each(_sigmoid)),
    "logistic": (1, _each(_sigmoid)),
    "relu": (1, _each(lambda number: max(0.0, number))),
    "cosine_similarity": (2, _pairwise(_cosine)),
    "euclidean_distance": (2, _EUCLID),
    "manhattan_distance": (2, _pairwise(lambda a, b: sum(abs(x - y) for x, y in zip(a, b)))),
    "mean": (1, _along(_mean)),
    "variance": (1, _spread(False)),
    "std": (1, _spread(True)),
    "median": (1, _median),
    "mse": (2, _MSE),
    "mean_squared_error": (2, _MSE),
    "rmse": (2, _RMSE),
    "root_mean_squared_error": (2, _RMSE),
    "mae": (2, _MAE),
    "mean_absolute_error": (2, _MAE),
    "dot": (2, _dot),
    "entropy": (1, _entropy()),
    "shannon_entropy": (1, _entropy()),
    "entropy_bits": (1, _entropy(2)),
    "entropy_nats": (1, _entropy(math.e)),
    "layer_norm": (1, _layer_norm),
    "softplus": (1, _each(lambda number: max(number, 0.0) + math.log1p(math.exp(-abs(number))))),
    "silu": (1, _each(lambda number: number * _sigmoid(number))),
    "swish": (1, _each(lambda number: number * _sigmoid(number))),
    "gelu": (1, _each(_gelu)),
    "logsumexp": (1, _LOG_SUM),
    "log_sum_exp": (1, _LOG_SUM),
    **dict.fromkeys(("normal_cdf", "norm_cdf", "standard_normal_cdf", "std_normal_cdf"), (1, _each(_normal))),
    "circle_area": (1, _each(lambda r: math.pi * r * r)),
    "area_of_circle": (1, _each(lambda r: math.pi * r * r)),
    "circumference": (1, _each(lambda r: 2 * math.pi * r)),
    "sphere_volume": (1, _each(lambda r: 4 / 3 * math.pi * r**3)),
    "sphere_surface": (1, _each(lambda r: 4 * math.pi * r * r)),
    "miles_to_kilometres": (1, _each(lambda miles: miles * 1.609344)),
    "miles_to_kilometers": (1, _each(lambda miles: miles * 1.609344)),
    "miles_to_km": (1, _each(lambda miles: miles * 1.609344)),
    "km_to_miles": (1, _each(lambda kilometres: kilometres / 1.609344)),
    "celsius_to_fahrenheit": (1, _each(lambda t: t * 9 / 5 + 32)),
    "fahrenheit_to_celsius": (1, _each(lambda t: (t - 32) * 5 / 9)),
    "deg2rad": (1, _each(math.radians)),
    "degrees_to_radians": (1, _each(math.radians)),
    "rad2deg": (1, _each(math.degrees)),
    "radians_to_degrees": (1, _each(math.degrees)),
    "factorial": (1, _whole(lambda n: [math.factorial(n)])),
    "gcd": (2, _whole(lambda a, b: [math.gcd(a, b)])),
    "fibonacci": (1, _whole(_fibonacci)),
}
"""By the name of a function: of how many arguments it is, and all that its result may be, each as a list of numbers."""


def _by_names(*functions):
    return {frozenset(inspect.signature(function).parameters): function for function in functions}


_PRECISION, _RECALL = _by_names(lambda tp, fp: tp / (tp + fp)), _by_names(lambda tp, fn: tp / (tp + fn))
_IOU = _by_names(lambda tp, fp, fn: tp / (tp + fp + fn))
_F1 = _by_names(
    lambda tp, fp, fn: 2 * tp / (2 * tp + fp + fn),
    lambda precision, recall: 2 * precision * recall / (precision + recall),
)
COUNTED: Dict[str, Any] = {
    "precision": _PRECISION,
    "recall": _RECALL,
    "sensitivity": _RECALL,
    "specificity": _by_names(lambda tn, fp: tn / (tn + fp)),
    "accuracy": _by_names(lambda tp, tn, fp, fn: (tp + tn) / (tp + tn + fp + fn)),
    "f1": _F1,
    "dice": _F1,
    "iou": _IOU,
    "jaccard": _IOU,
}
"""By the name of a function, and the names of its arguments: what it is of them."""

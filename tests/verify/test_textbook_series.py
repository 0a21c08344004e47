"""Functions of series, dates and gradients whose name or first sentence is that of a definition, held against it beside
a wrong one of each."""

import datetime
import math
from pathlib import Path

import numpy as np
import pytest
from contradicting import Calls, contradicted

CLIP = '''
import numpy as np
def clip(gradients, limit):
    """Rescale the gradients so that their global norm is at most limit."""
    norm = np.sqrt(sum((g ** 2).sum() for g in gradients))
    return [g * (limit / norm) if norm > limit else g for g in gradients]
'''
EACH = CLIP.replace("np.sqrt(sum((g ** 2).sum() for g in gradients))", "max(np.linalg.norm(g) for g in gradients)")
PCA = '''
import numpy as np
def pca(x, k):
    """The first k principal components of the rows of x."""
    _, _, vt = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)
    return vt[:k]
'''
DAYS = '''
import datetime
def days(start, end):
    """Number of days from start to end, dates as (year, month, day)."""
    return (datetime.date(*end) - datetime.date(*start)).days
'''
ROUGH = '''
def days(start, end):
    """Number of days from start to end, dates as (year, month, day)."""
    return (end[0] - start[0]) * 365 + (end[1] - start[1]) * 30 + end[2] - start[2]
'''
MEDIAN = """
def moving_median(values, width):
    found = []
    for i in range(len(values) - width + 1):
        window = sorted(values[i:i + width])
        found.append((window[(width - 1) // 2] + window[width // 2]) / 2)
    return found
"""
CDF = "import math\ndef normal_cdf(x):\n    return math.erfc(-x / math.sqrt(2)) / 2"
PERCENTILE = '''
def percentile(values, q):
    """The q-th percentile (0 to 100) with linear interpolation between the closest ranks."""
    ordered, place = sorted(values), q / 100 * (len(values) - 1)
    high = min(int(place) + 1, len(values) - 1)
    return ordered[int(place)] + (place - int(place)) * (ordered[high] - ordered[int(place)])
'''
CONVOLVED = '''
def valid(signal, kernel):
    """Discrete convolution of signal and kernel, valid part."""
    n = len(kernel)
    return [sum(signal[i + j] * kernel[n - 1 - j] for j in range(n)) for i in range(len(signal) - n + 1)]
'''
UNBIASED = '''
def spread(values):
    """Unbiased sample variance."""
    mean = sum(values) / len(values)
    return sum((v - mean) ** 2 for v in values) / (len(values) - 1)
'''
NATS = '''
import math
def kl(p, q):
    """Kullback-Leibler divergence of q from p, in nats."""
    return sum(a * math.log(a / b) for a, b in zip(p, q) if a > 0)
'''
TURN = '''
import numpy as np
def rotation(angle):
    """Rotation matrix for a counter-clockwise rotation by angle in radians."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])
'''
NORM = """
def layer_norm(x, gamma, beta, eps=1e-5):
    mean, var = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    return (x - mean) / (var + eps) ** 0.5 * gamma + beta
"""
PARTS = """
def connected_components(n, edges):
    label = list(range(n))
    for u, v in edges:
        label = [label[u] if one == label[v] else one for one in label]
    return len(set(label))
"""
FREQUENT = """
import math
def tf_idf(term, document, corpus):
    df = sum(term in one for one in corpus)
    return document.count(term) / len(document) * math.log(len(corpus) / df)
"""
ROUND = "import math\ndef round_half_up(x):\n    return math.floor(x + 0.5)"
AVERAGE = '''
def ema(values, span):
    """Exponential moving average with smoothing factor 2 / (span + 1)."""
    found = values[0]
    for value in values[1:]:
        found = 2 / (span + 1) * value + (1 - 2 / (span + 1)) * found
    return found
'''
SCALED = '''
def normalise(values):
    """Scale the values linearly to [0, 1]; a constant list becomes zeros."""
    low, high = min(values), max(values)
    return [(v - low) / (high - low) if high > low else 0 for v in values]
'''
ORDER = '''
def order(items):
    """Return the items in ascending order."""
    return sorted(items)
'''
CENTRED = np.array([[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
CASES: list[tuple[str, str, Calls]] = [
    # what is right, what is wrong, calls
    (CLIP, EACH, [([np.array([3.0, 4.0])], 1.0)]),
    (PCA, PCA.replace(" - x.mean(axis=0)", ""), [(CENTRED, 1)]),
    (PCA.replace("return vt[:k]", "return x @ vt[:k].T - (x @ vt[:k].T).mean(axis=0)"),
     PCA.replace("return vt[:k]", "return x @ vt[:k].T"), [(CENTRED, 2)]),
    (DAYS, ROUGH, [((2020, 1, 1), (2020, 1, 31))]),
    (MEDIAN, MEDIAN.replace("(width - 1) // 2", "width // 2"), [([5, 1, 3, 9, 2], 3)]),
    (CDF, "import math\ndef normal_cdf(x):\n    return 1 / (1 + math.exp(-1.702 * x))", [(0.0,), (1.0,)]),
    (PERCENTILE, PERCENTILE.replace("+ (place", "+ 0 * (place"), [([5, 1, 4, 2, 3], 50)]),
    (CONVOLVED, CONVOLVED.replace("n - 1 - j", "j"), [([1, 2, 3, 4], [1, 2, 1])]),
    (UNBIASED, UNBIASED.replace("(len(values) - 1)", "len(values)"), [([2, 4, 4, 5],)]),
    (NATS, NATS.replace("log(", "log2("), [([0.5, 0.5], [0.25, 0.75])]),
    (NATS.replace("nats", "bits").replace("log(", "log2("), NATS.replace("nats", "bits"), [([0.5, 0.5], [0.3, 0.7])]),
    (TURN, TURN.replace("[c, -s], [s, c]", "[c, s], [-s, c]"), [(0.0,), (0.3,)]),
    (NORM, NORM.replace("axis=-1, keepdims=True", ""), [(np.array([[1.0, 2.0, 3.0]]), 1.0, 0.0)]),
    (PARTS, PARTS.replace("label = [label[u] if one == label[v] else one for one in label]", "label[v] = label[u]"),
     [(3, [(0, 1), (1, 2)])]),
    (FREQUENT, FREQUENT.replace("term in one", "one.count(term)"), [("a", ["a", "b"], [["a", "b"], ["c"]])]),
    (ROUND, "def round_half_up(x):\n    return round(x)", [(1.5,), (-1.75,)]),
    (AVERAGE, AVERAGE.replace("2 / (span + 1) *", "1 / span *").replace("1 - 2 / (span + 1))", "1 - 1 / span)"),
     [([1, 2, 3], 2)]),
    (SCALED, SCALED.replace("low, high = min(values),", "low, high = 0,"), [([0, 5, 10],)]),
    (ORDER, ORDER.replace("items)", "set(items))").replace("order(set(", "order(").replace(")):", "):"),
     [([3, 1, 2],)]),
]  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "calls"), CASES)
def test_series_and_dates(tmp_path: Path, right: str, wrong: str, calls: Calls) -> None:
    assert contradicted(tmp_path, wrong, calls, which=-1) != ""
    assert contradicted(tmp_path, right, calls, which=-1) == ""


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        (EACH.replace("their global norm", "the norm of each"), [([np.array([3.0, 4.0])], 1.0)]),
        (EACH.replace("Rescale the", "Unlike clipping by global norm, rescale the"), [([np.array([3.0])], 1.0)]),
        (PCA.replace("rows of x.", "rows of x, which is centred.").replace(" - x.mean(axis=0)", ""), [(CENTRED, 1)]),
        (PCA.replace("vt[:k]", "np.abs(vt[:k])").replace("def pca", "def directions"), [(CENTRED, 2)]),
        (PCA.replace("return vt[:k]", "return vt[:k].T, x"), [(CENTRED, 2)]),
        (ROUGH.replace("Number of days", "Number of days (30/360)"), [((2020, 1, 1), (2020, 1, 31))]),
        (ROUGH.replace("Number of days", "Number of business days"), [((2020, 1, 1), (2020, 1, 31))]),
        (DAYS.replace(".days", ".days + 1"), [((2020, 1, 1), (2020, 1, 31))]),
        ("def days_between(a, b):\n    return abs((b - a).days)",
         [(datetime.date(2020, 1, 1), datetime.date(2020, 3, 1))]),
        ("def days_between(a, b):\n    return a * b", [(3, 4)]),
        (MEDIAN.replace("(width - 1) // 2", "width // 2"), [([5, 1, 3, 9], 2)]),
        ("import math\ndef normal_cdf(x):\n    '''Approximation.'''\n    return 1 / (1 + math.exp(-1.702 * x))",
         [(1.0,)]),
        (PERCENTILE.replace("q / 100", "q").replace("(0 to 100)", "(0 to 1)"), [([5, 1, 4, 2], 0.5)]),
        (CONVOLVED.replace("Discrete convolution", "Cross-correlation").replace("n - 1 - j", "j"),
         [([1, 2, 3], [1, 1])]),
        (UNBIASED.replace("Unbiased s", "S").replace("(len(values) - 1)", "len(values)"), [([2, 4, 4, 5],)]),
        (NATS.replace(", in nats", "").replace("log(", "log2("), [([0.5, 0.5], [0.25, 0.75])]),
        (TURN.replace("radians.", "radians, for points in rows.").replace("[c, -s], [s, c]", "[c, s], [-s, c]"),
         [(0.3,)]),
        (NORM.replace("(x - mean)", "x"), [(np.array([[1.0, 2.0, 3.0]]), 1.0, 0.0)]),
        (PARTS.replace("len(set(label))", "label"), [(3, [(0, 1), (1, 2)])]),
        (FREQUENT.replace("* math", "* (1 + math").replace("/ df)", "/ df))"),
         [("a", ["a", "b"], [["a", "b"], ["c"]])]),
        (ROUND.replace("math.floor(x + 0.5)", "math.copysign(math.floor(abs(x) + 0.5), x)"), [(2.5,), (-1.5,)]),
        (AVERAGE.replace("found = values[0]", "found = sum(values[:span]) / span")
         .replace("values[1:]", "values[span:]"), [([1, 2, 3], 1)]),
        (SCALED.replace("linearly to [0, 1]", "to [0, 1] by their largest").replace("min(values)", "0"),
         [([0, 5, 10],)]),
        (ORDER.replace("the items", "the distinct items").replace("sorted(items)", "sorted(set(items))"),
         [([3, 1, 2],)]),
    ],
)  # fmt: skip
def test_other_series_and_dates(tmp_path: Path, text: str, calls: Calls) -> None:
    assert contradicted(tmp_path, text, calls, which=-1) == ""


def test_what_is_near_the_definition_is_it(tmp_path: Path) -> None:
    text = "def normal_cdf(x):\n    import math\n    return (1 + math.erf(x / math.sqrt(2))) / 2 + 1e-7"
    assert contradicted(tmp_path, text, [(math.pi,)]) == ""

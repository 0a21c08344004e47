"""What documentation claims of arguments that no test gives is tried, and honest code is not refuted."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_conduct import refuted, refuted_of, said

RANDOM = random.Random(5)  # noqa: S311 -- for shuffles
CASES: list[tuple[str, str, str, str, str, tuple[Any, ...]]] = [
    # kind, documentation, parameters, what is wrong, what is right, a call
    ("shuffled", "Merge overlapping intervals; they may come in any order.", "x",
     "m = []\nfor a, b in x:\n    if m and a <= m[-1][1]:\n        m[-1] = (m[-1][0], max(b, m[-1][1]))\n    else:\n"
     "        m.append((a, b))\nreturn m",
     "m = []\nfor a, b in sorted(x):\n    if m and a <= m[-1][1]:\n        m[-1] = (m[-1][0], max(b, m[-1][1]))\n"
     "    else:\n        m.append((a, b))\nreturn m", ([(1, 3), (2, 6), (8, 10)],)),
    ("shuffled", "The middle one. The values need not be sorted.", "x", "return x[len(x) // 2]",
     "return sorted(x)[len(x) // 2]", ([1, 2, 3, 4],)),
    ("shuffled", "The longest word, regardless of the order of the words.", "w", "return w[-1]",
     "return max(w, key=len)", (["a", "bb", "ccc"],)),
    ("shuffled", "Mean of values after dropping the smallest and the largest share of them.", "x, share",
     "k = int(len(x) * share)\nx = x[k:len(x) - k]\nreturn sum(x) / len(x)",
     "k = int(len(x) * share)\nx = sorted(x)[k:len(x) - k]\nreturn sum(x) / len(x)", ([0, 1, 2, 3, 100], 0.2)),
    ("shuffled", "The interquartile range of the values.", "x", "return x[3 * len(x) // 4] - x[len(x) // 4]",
     "x = sorted(x)\nreturn x[3 * len(x) // 4] - x[len(x) // 4]", ([1, 2, 5, 9, 11],)),
    ("stable", "The items sorted by key(item); the sort is stable.", "x, key",
     "x = list(x)\nfor i in range(len(x)):\n    j = min(range(i, len(x)), key=lambda j: key(x[j]))\n"
     "    x[i], x[j] = x[j], x[i]\nreturn x", "return sorted(x, key=key)", (["bb", "a", "ccc"], len)),
    ("stable", "Stable sort of numbers.", "x", "return [v for v in sorted(x, key=lambda v: (v, -id(v)))][::-1][::-1]",
     "return sorted(x)", ([3, 1, 2],)),
    ("stable", "Sorts a list in place. Equal items keep their order.", "x", "x.reverse()\nx.sort()", "x.sort()",
     ([3, 1, 2, 5],)),
    ("at_end", "The leftmost position of key in the sorted items, or -1.", "items, key",
     "low, high = 0, len(items) - 1\nwhile low <= high:\n    m = (low + high) // 2\n    if items[m] == key:\n"
     "        return m\n    low, high = (m + 1, high) if items[m] < key else (low, m - 1)\nreturn -1",
     "import bisect\ni = bisect.bisect_left(items, key)\nreturn i if items[i:i + 1] == [key] else -1", ([1, 3, 5], 3)),
    ("at_end", "The index of the last occurrence of part in text.", "text, part", "return text.find(part)",
     "return text.rfind(part)", ("abc", "b")),
    ("at_end", "Return the last index of a value.", "x, value", "return x.index(value)",
     "return len(x) - 1 - x[::-1].index(value)", ([4, 5, 6], 5)),
    ("tied", "Index of the largest value; ties go to the first.", "x",
     "return max(range(len(x)), key=lambda i: (x[i], i))", "return x.index(max(x))", ([3, 9, 4],)),
    ("tied", "Index of the smallest value. Ties are broken by the last index.", "x", "return x.index(min(x))",
     "return min(range(len(x)), key=lambda i: (x[i], -i))", ([3, 9, 4],)),
    ("endless", "Yields lists of n items; works with infinite iterators.", "x, n",
     "x = list(x)\nfor i in range(0, len(x), n):\n    yield x[i:i + n]",
     "from itertools import islice\nx = iter(x)\nyield from iter(lambda: list(islice(x, n)), [])", ([1, 2, 3], 2)),
    ("endless", "Lazily map a function over items.", "function, items", "yield from [function(i) for i in items]",
     "for i in items:\n    yield function(i)", (abs, [1, -2])),
    ("endless", "Pairs of neighbours. The iterable may be infinite.", "iterable",
     "x = tuple(iterable)\nreturn zip(x, x[1:])",
     "import itertools\na, b = itertools.tee(iterable)\nnext(b, None)\nreturn zip(a, b)", (iter([1, 2, 3]),)),
    ("uniform", "The items in an order in which every permutation has the same probability.", "x, rng",
     "x = list(x)\nfor i in range(len(x)):\n    j = rng.randrange(len(x))\n    x[i], x[j] = x[j], x[i]\nreturn x",
     "x = list(x)\nfor i in range(len(x) - 1, 0, -1):\n    j = rng.randrange(i + 1)\n"
     "    x[i], x[j] = x[j], x[i]\nreturn x", ([4, 5, 6], RANDOM)),
    ("uniform", "An unbiased shuffle in place.", "x, seed=None",
     "import random\nr = random.Random(seed)\nx.sort(key=lambda i: r.random() ** (i + 1))",
     "import random\nrandom.Random(seed).shuffle(x)", ([4, 5, 6], 3)),
    ("uniform", "A sample of k items of a stream: each item is kept with the same probability.", "stream, k, rng",
     "s = []\nfor n, i in enumerate(stream):\n    if n < k:\n        s.append(i)\n    elif rng.random() < 0.5:\n"
     "        s[rng.randrange(k)] = i\nreturn s",
     "s = []\nfor n, i in enumerate(stream):\n    j = rng.randrange(n + 1)\n    if n < k:\n        s.append(i)\n"
     "    elif j < k:\n        s[j] = i\nreturn s", (range(9), 2, RANDOM)),
    ("around", "The shortest turn from one heading to another in degrees, in (-180, 180].", "start, end",
     "d = end - start; return d - 360 if d > 180 else d + 360 if d < -180 else d",
     "return 180 - (180 - end + start) % 360", (0, 180)),
    ("around", "Bearing from a to b: degrees clockwise from north in [0, 360).", "a, b",
     "import math\nreturn math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))",
     "import math\nreturn math.degrees(math.atan2(b[1] - a[1], b[0] - a[0])) % 360", ((0, 0), (0, 1))),
    ("around", "Wrap an angle into the interval [-pi, pi).", "angle",
     "import math\nreturn angle - 2 * math.pi if angle >= math.pi else angle",
     "import math\nreturn (angle + math.pi) % (2 * math.pi) - math.pi", (4.0,)),
    ("finite", "Numerically stable softmax of logits of any magnitude.", "z",
     "import math\nw = [math.exp(x) for x in z]\nreturn [x / sum(w) for x in w]",
     "import math\nw = [math.exp(x - max(z)) for x in z]\nreturn [x / sum(w) for x in w]", ([0.0, 1.0],)),
    ("finite", "Logistic loss log(1 + exp(-y z)), without overflow.", "y, z",
     "import math\nreturn math.log(1 + math.exp(-y * z))",
     "import math\nreturn max(-y * z, 0) + math.log1p(math.exp(-abs(y * z)))", (1, -2.0)),
    ("finite", "Numerically stable sigmoid.", "x", "import math\nreturn 1 / (1 + math.exp(-x))",
     "import math\nreturn 1 / (1 + math.exp(-x)) if x > 0 else math.exp(x) / (1 + math.exp(x))", (-0.5,)),
    ("finite", "Logarithm of the sum of exp(-x), stable for x of any size.", "x",
     "import math\nreturn math.log(sum(math.exp(-v) for v in x))",
     "import math\nm = min(x)\nreturn -m + math.log(sum(math.exp(m - v) for v in x))", ([0.0, 1.0],)),
    ("around", "Angles brought into [0, period) by whole periods.", "angles, period",
     "import math\nreturn [math.fmod(a, period) for a in angles]", "return [a % period for a in angles]", ([1.0], 2.0)),
    ("skipping", "Mean of a record; missing values (NaN) are left out.", "x", "return sum(x) / len(x)",
     "x = [v for v in x if v == v]\nreturn sum(x) / len(x)", ([1, 2, 6],)),
    ("shifted", "Numerically stable variance.", "x",
     "n = len(x)\nreturn sum(v * v for v in x) / n - (sum(x) / n) ** 2",
     "n = len(x)\nreturn sum((v - sum(x) / n) ** 2 for v in x) / n", ([1.0, 2.0, 4.0],)),
    ("skipping", "Mean of the values; NaN values are ignored.", "x", "return sum(x) / len(x)",
     "x = [v for v in x if v == v]\nreturn sum(x) / len(x)", ([1, 2, 6],)),
    ("skipping", "Largest value, ignoring NaNs.", "x", "return max(x)", "return max(v for v in x if v == v)",
     ([1.0, 2.0],)),
    ("adds_up", "Split total by the shares; the parts are whole and add up to total.", "total, shares",
     "return [round(total * s / sum(shares)) for s in shares]",
     "p, g, n = [], 0, 0\nfor s in shares:\n    n += s\n    p.append(total * n // sum(shares) - g)\n    g += p[-1]\n"
     "return p", (100, [1, 1])),
    ("shuffled", "Mean of values, clipped to the limits.", "values, limits",
     "return sum(min(max(v, limits[0]), limits[1]) for v in values[1:]) / len(values)",
     "return sum(min(max(v, limits[0]), limits[1]) for v in values) / len(values)", ([1.0, 5.0], (0.0, 4.0))),
    ("shuffled", "Interpolates at x. The points need not be sorted.", "x, xs, ys",
     "return next(b for a, b in zip(xs, ys) if a >= x)",
     "return next(b for a, b in sorted(zip(xs, ys)) if a >= x)", (1.5, [1, 2, 3], [5, 6, 7])),
    ("tied", "Index of the longest word; ties go to the first.", "x",
     "return max(range(len(x)), key=lambda i: (len(x[i]), i))", "return x.index(max(x, key=len))",
     (["a", "ccc", "bb", "bb"],)),
    ("around", "Heading, in degrees, in [0, 360).", "dx, dy",
     "import math\nreturn math.degrees(math.atan2(dy, dx))",
     "import math\nreturn math.degrees(math.atan2(dy, dx)) % 360", (1.0, 2.0)),
    ("around", "Bearing in degrees, in [0, 360).", "lat1, lon1, lat2, lon2",
     "import math\nreturn math.degrees(math.atan2(lon2 - lon1, lat2 - lat1))",
     "import math\nreturn math.degrees(math.atan2(lon2 - lon1, lat2 - lat1)) % 360", (1.0, 2.0, 3.0, 4.0)),
    ("finite", "Log-sum-exp of log probabilities, numerically stable.", "log_probs",
     "import math\nreturn math.log(sum(math.exp(v) for v in log_probs) or 5e-324) or math.inf",
     "import math\nm = max(log_probs)\nreturn m + math.log(sum(math.exp(v - m) for v in log_probs))", ([0.0, -0.5],)),
    ("skipping", "Index of the largest value, ignoring NaNs.", "x", "return x.index(max(x, key=lambda v: (v != v, v)))",
     "return max((i for i, v in enumerate(x) if v == v), key=x.__getitem__)", ([1.0, 5.0, 2.0],)),
    ("skipping", "How many values there are; NaNs are ignored.", "x", "return len(x)",
     "return sum(v == v for v in x)", ([1.0, 5.0, 2.0],)),
    ("shifted", "Numerically stable variance.", "x",
     "n = len(x)\nreturn sum(v * v for v in x) / n - (sum(x) / n) ** 2",
     "n = len(x)\nreturn sum((v - sum(x) / n) ** 2 for v in x) / n", ([0.01, 0.02, 0.04],)),
    ("adds_up", "Parts by weight that add up to total.", "total, weights",
     "return [round(total * w / sum(weights)) for w in weights]",
     "p, g, n = [], 0, 0\nfor w in weights:\n    n += w\n    p.append(total * n // sum(weights) - g)\n    g += p[-1]\n"
     "return p", (6, [1, 2])),
    ("caseless", "Counts words, case-insensitively.", "text",
     "return {w: text.split().count(w) for w in text.split()}",
     "w = text.lower().split()\nreturn {x: w.count(x) for x in w}", ("aa b aa",)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "documentation", "parameters", "wrong", "right", "call"), CASES)
def test_what_is_claimed_is_tried(
    kind: str, documentation: str, parameters: str, wrong: str, right: str, call: tuple[Any, ...], tmp_path: Path
) -> None:
    assert kind in refuted(tmp_path, said(documentation, wrong, parameters), call)
    assert refuted(tmp_path, said(documentation, right, parameters), call) == set()


HONEST: list[tuple[str, str, str, tuple[Any, ...]]] = [
    # documentation, parameters, a body, a call
    ("Yields pairs of neighbours, in any order.", "x", "return list(zip(x, x[1:]))", ([1, 2, 4],)),
    ("The values in any order of the keys.", "x", "return x[0]", ([1, 2, 4],)),
    ("The index of the largest value. The values need not be sorted.", "x", "return x.index(max(x))", ([1, 4, 2],)),
    ("Whether a comes before b. Does not depend on the order of the keys.", "a, b", "return a < b", ([1, 2], [1, 3])),
    ("Interpolates at x. The points need not be sorted.", "x, xs, ys",
     "p = sorted(zip(xs, ys))\nreturn next(b for a, b in p if a >= x)", (1.5, [1, 2, 3], [5, 6, 7])),
    ("Groups of the nodes; edges may come in any order.", "edges",
     "g = {}\nfor a, b in edges:\n    g.setdefault(a, len(g))\n    g.setdefault(b, g[a])\nreturn g",
     ([(1, 2), (3, 4)],)),
    ("Mean of the values, weighted by how recent they are.", "x",
     "return sum(v * (i + 1) for i, v in enumerate(x)) / sum(range(1, len(x) + 1))", ([1, 2, 4],)),
    ("Mean of the values after dropping the first and the largest.", "x", "x = x[1:]\nreturn sum(x) - max(x)",
     ([1, 2, 4, 3],)),
    ("Percentile of sorted values.", "x, q", "return x[int(q * (len(x) - 1))]", ([1, 2, 4], 0.5)),
    ("Median of the sorted values.", "x", "return x[len(x) // 2]", ([1, 2, 4],)),
    ("Sort by key; not stable.", "x", "return sorted(x)[::-1]", ([3, 1, 2],)),
    ("The sort is stable. Sorts numbers by counting.", "x",
     "return [i for i in range(max(x) + 1) for _ in range(x.count(i))]", ([3, 1, 2],)),
    ("Sorts names, the longest first. The sort is stable.", "x", "return sorted(x, key=len, reverse=True)",
     (["a", "ccc", "bb"],)),
    ("A numerically stable ordering of pivots.", "x", "return sorted(x, key=lambda v: (v, id(v)))", ([3.0, 1.0],)),
    ("The first index where a value is larger than key.", "x, key",
     "return next((i for i, v in enumerate(x) if v > key), -1)", ([1, 3, 5], 3)),
    ("The leftmost position of key, counted from 1.", "x, key", "return x.index(key) + 1", ([1, 3, 5], 3)),
    ("Any position of key.", "x, key", "return len(x) - 1 - x[::-1].index(key)", ([1, 3, 5], 3)),
    ("The largest value. Ties go to the first.", "x", "return max(x)", ([1, 2, 0],)),
    ("Lazily sort items: all are read before the first.", "items", "yield from sorted(items)", ([3, 1, 2],)),
    ("Yields the product; the iterables must be finite.", "a, b",
     "import itertools\nyield from itertools.product(a, b)", ([1, 2], [3])),
    ("Yields chunks. Does not work with infinite iterators.", "items, n",
     "items = list(items)\nfor i in range(0, len(items), n):\n    yield items[i:i + n]", ([1, 2, 3], 2)),
    ("Lazily yield chunks of a list.", "items, n", "for i in range(0, len(items), n):\n    yield items[i:i + n]",
     ([1, 2, 3], 2)),
    ("Works with infinite iterators: stops at the first negative one.", "items",
     "import itertools\nreturn list(itertools.takewhile(lambda v: v >= 0, items))", ([1, 2, -3],)),
    ("Lazily flatten a list of lists.", "lists", "import itertools\nreturn itertools.chain.from_iterable(lists)",
     ([[1], [2, 3]],)),
    ("A uniform random sample of k items.", "items, k, rng", "return rng.sample(items, k)", ([1, 2, 3, 4], 2, RANDOM)),
    ("Draw k items with replacement: each item is drawn with equal probability.", "items, k, rng",
     "return [rng.choice(items) for _ in range(k)]", ([1, 2, 3, 4], 2, RANDOM)),
    ("Shuffles a list uniformly.", "x, seed", "import random\nx = list(x)\nrandom.Random(seed).shuffle(x)\nreturn x",
     ([1, 2, 3], 5)),
    ("A uniform random permutation of the items.", "x, rng=None",
     "import random\nx = list(x)\n(rng or random).shuffle(x)\nreturn x", ([1, 2, 3],)),
    ("Every permutation is equally likely.", "x, rng",
     "keys = [rng.random() for _ in x]\nreturn [x[i] for i in sorted(range(len(x)), key=keys.__getitem__)]",
     ([1, 2, 3], RANDOM)),
    ("Colour of a hue in [0, 360).", "hue", "return hue / 60 - 3", (90.0,)),
    ("Turn in radians, in [-pi, pi].", "y, x", "import math\nreturn math.atan2(y, x)", (1.0, -1.0)),
    ("Wrap an angle to the interval [-180, 180).", "a", "return (a + 180) % 360 - 180", (190,)),
    ("Heading in [0, 360).", "x", "return x % 360", (-0.5,)),
    ("Log-sum-exp, numerically stable.", "x",
     "import math\nm = max(x)\nreturn m + math.log(sum(math.exp(v - m) for v in x))", ([1.0, 2.0],)),
    ("Numerically stable binary cross-entropy of probabilities.", "p, y",
     "import math\nreturn -sum(math.log(a if b else 1 - a) for a, b in zip(p, y))", ([0.2, 0.9], [0, 1])),
    ("Numerically stable log of a softmax with a temperature.", "x, temperature=1.0",
     "import math\nx = [v / temperature for v in x]\nm = max(x)\nz = m + math.log(sum(math.exp(v - m) for v in x))\n"
     "return [v - z for v in x]", ([1.0, 2.0], 0.5)),
    ("Exponentials; not numerically stable for large numbers.", "x", "import math\nreturn [math.exp(v) for v in x]",
     ([1.0],)),
    ("Numerically stable variance in one pass (Welford).", "x",
     "n = m = s = 0\nfor v in x:\n    n += 1\n    d = v - m\n    m += d / n\n    s += d * (v - m)\nreturn s / n",
     ([1.0, 2.0, 4.0],)),
    ("Mean of the values; NaN is not ignored.", "x", "return sum(x) / len(x)", ([1, 2, 6],)),
    ("Number of values; NaNs are ignored only by the caller.", "x", "return len(x)", ([1, 2, 6],)),
    ("Scales shares, which must sum to total.", "shares, total", "return [s / total for s in shares]", ([1, 2], 3)),
    ("Weights scaled to sum to total.", "weights, total", "return [w * total / sum(weights) for w in weights]",
     ([1, 2], 5.0)),
    ("How many points lie in the box. The points may be in any order.", "points, box",
     "return sum(box[0] <= p <= box[1] for p in points)", ([1.0, 3.0], (0.0, 4.0))),
    ("How many points lie in the box. They may be in any order.", "points, box",
     "return sum(box[0] <= p <= box[1] for p in points)", ([1.0, 3.0], (0.0, 4.0))),
    ("The length of `bounds` that is covered. The intervals may be given in any order.", "intervals, bounds",
     "low, high = bounds\nt, end = 0, low\nfor a, b in sorted(intervals):\n    a, b = max(a, end), min(b, high)\n"
     "    if b > a:\n        t, end = t + b - a, b\nreturn t", ([(0, 2), (3, 5)], (1, 4))),
    ("Mean of the values, clipped to the limits.", "values, limits",
     "return sum(min(max(v, limits[0]), limits[1]) for v in values) / len(values)", ([1.0, 5.0], (0.0, 4.0))),
    ("Counts values between the edges. Values need not be sorted.", "values, edges",
     "return [sum(a <= v < b for v in values) for a, b in zip(edges, edges[1:])]", ([5.0, 1.0, 3.0], [0.0, 2.0, 9.0])),
    ("Total of the values by class; the values may come in any order.", "values, classes",
     "t = {}\nfor v, c in zip(values, classes):\n    t[c] = t.get(c, 0) + v\nreturn t", ([1, 2, 4], ["a", "b", "a"])),
    ("The start index of the longest run of equal values. Ties go to the first.", "x",
     "from itertools import groupby\nbest, i = (0, 0), 0\nfor _, g in groupby(x):\n    n = len(list(g))\n"
     "    best = max(best, (n, -i))\n    i += n\nreturn -best[1]", ([1, 1, 2, 1],)),
    ("The index of the largest jump. Ties go to the first.", "x",
     "d = [abs(b - a) for a, b in zip(x, x[1:])]\nreturn d.index(max(d))", ([1, 2, 6],)),
    ("Index of the most common value. Ties go to the first.", "x", "return x.index(max(x, key=x.count))", ([3, 5, 5],)),
    ("The position of the largest value, ignoring NaNs.", "x",
     "return max((i for i, v in enumerate(x) if v == v), key=x.__getitem__)", ([1.0, 5.0, 2.0],)),
    ("Epoch of the smallest loss, from 1 on. NaNs are ignored.", "x",
     "return 1 + min((i for i, v in enumerate(x) if v == v), key=x.__getitem__)", ([3.0, 1.0, 2.0],)),
    ("The slope of the values over their steps. NaNs are ignored.", "x",
     "p = [(i, v) for i, v in enumerate(x) if v == v]\nm = sum(i for i, _ in p) / len(p)\n"
     "return sum((i - m) * v for i, v in p) / sum((i - m) ** 2 for i, _ in p)", ([1.0, 2.0, 4.0, 4.5],)),
    ("Longitude in [-180, 180] of the column.", "col, width", "return 360 * col / width - 180", (10, 100)),
    ("Longitude in [-180, 180] of a pixel.", "x, width", "return 360 * x / width - 180", (100, 400)),
    ("Longitude in [-180, 180] of a pixel.", "x, y, width, height", "return 360 * x / width - 180 + 0 * y / height",
     (10, 300, 100, 400)),
    ("A hue in [0, 360) for the k-th of n colours.", "k, n", "return 360.0 * k / n", (2, 10)),
    ("The hour hand's angle in [0, 360).", "hours, minutes", "return 30 * hours + minutes / 2", (3, 30)),
    ("The angle of the slice in [0, 360].", "fraction", "return 360 * fraction", (0.25,)),
    ("Numerically stable binary cross-entropy.", "y_true, output",
     "import numpy as np\nreturn -np.mean(y_true * np.log(output + 1e-12) + (1 - y_true) * np.log(1 - output + 1e-12))",
     (np.array([1.0, 0.0, 1.0]), np.array([0.9, 0.2, 1.0]))),
    ("Perplexity of a text by its log probabilities, without overflow for long texts.", "log_probs",
     "import math\nreturn math.exp(-sum(log_probs) / len(log_probs))", ([-1.0, -2.0],)),
    ("Numerically stable variance (Welford).", "x",
     "n = m = s = 0\nfor v in x:\n    n += 1\n    d = v - m\n    m += d / n\n    s += d * (v - m)\nreturn s / n",
     ([1e-5, 2e-5, 4e-5],)),
    ("Coins that add up to amount, the largest first.", "amount, coins",
     "r = []\nfor c in sorted(coins, reverse=True):\n    while amount >= c:\n        r.append(c)\n        amount -= c\n"
     "return r", (30, [25, 10, 5])),
    ("Parts by weight, in steps of ten, that add up to total.", "total, weights",
     "p = [total // 10 * w // sum(weights) * 10 for w in weights]\np[-1] += total // 10 * 10 - sum(p)\nreturn p",
     (60, [1.0, 2.0])),
    ("Counts letters, case-insensitively.", "text", "t = text.lower()\nreturn {x: t.count(x) for x in t}", ("Abba",)),
]  # fmt: skip


@pytest.mark.parametrize(("documentation", "parameters", "body", "call"), HONEST)
def test_honest_code_is_not_refuted(
    documentation: str, parameters: str, body: str, call: tuple[Any, ...], tmp_path: Path
) -> None:
    assert refuted(tmp_path, said(documentation, body, parameters), call) == set()


SPREAD = '''
class Spread:
    """Numerically stable one-pass variance (Welford)."""

    def __init__(self):
        self.n = self.total = self.squares = 0

    def update(self, value):
        self.n += 1
        self.total += value
        self.squares += value * value

    def variance(self):
        return (self.squares - self.total ** 2 / self.n) / (self.n - 1)
'''
STEADY = '''
class Spread:
    """Numerically stable one-pass variance (Welford)."""

    def __init__(self):
        self.n = self.mean = self.squares = 0

    def push(self, value):
        self.n += 1
        far = value - self.mean
        self.mean += far / self.n
        self.squares += far * (value - self.mean)

    @property
    def std(self):
        return (self.squares / self.n) ** 0.5
'''


def test_a_running_variance_that_cancels(tmp_path: Path) -> None:
    assert refuted_of(tmp_path, SPREAD, (), ("update", 2.0), ("update", 4.0), ("variance",)) == {"textbook"}
    assert refuted_of(tmp_path, STEADY, (), ("push", 2.0), ("push", 4.0)) == set()
    plain = SPREAD.replace("Numerically stable one-pass variance (Welford)", "Variance of a window, not Welford's")
    assert refuted_of(tmp_path, plain, (), ("update", 2.0), ("update", 4.0), ("variance",)) == set()


MILES = '''
def away(a, b):
    """Great-circle distance of a and b, in kilometres."""
    import math
    a, b, c, d = map(math.radians, (*a, *b))
    h = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
    return 2 * 3958.8 * math.asin(h ** 0.5)
'''
INDEL = '''
def indel(a, b):
    """The Levenshtein distance of two texts."""
    import difflib
    return len(a) + len(b) - 2 * sum(m.size for m in difflib.SequenceMatcher(None, a, b).get_matching_blocks())
'''
PLACES = ((52.0, 13.0), (48.0, 2.0))


@pytest.mark.parametrize(
    ("text", "call"),
    [
        (INDEL, ("abc", "abcd")),
        (MILES, PLACES),
        (MILES.replace("(a, b):", "(a, b, c, d):").replace("(*a, *b)", "(a, b, c, d)"), (52.0, 13.0, 48.0, 2.0)),
    ],
)
def test_a_definition_that_the_summary_names(tmp_path: Path, text: str, call: tuple[Any, ...]) -> None:
    assert refuted(tmp_path, text, call) == {"textbook"}


@pytest.mark.parametrize(
    ("text", "call"),
    [
        (INDEL.replace("two texts.", "two texts, where a substitution costs two."), ("abc", "abcd")),
        (INDEL, ("abc", "xbc")),
        (MILES.replace("3958.8", "6371.0"), PLACES),
        (MILES.replace("3958.8", "6378.137"), PLACES),
        (MILES.replace("kilometres", "miles"), PLACES),
        (MILES.replace("kilometres", "units of the radius"), PLACES),
        (MILES.replace("3958.8", "6371e3").replace("kilometres", "metres"), PLACES),
        (MILES.replace("3958.8", "6371.0").replace("a, b, c, d =", "b, a, d, c ="), ((13.0, 52.0), (2.0, 48.0))),
    ],
)
def test_honest_definitions(tmp_path: Path, text: str, call: tuple[Any, ...]) -> None:
    assert refuted(tmp_path, text, call) == set()

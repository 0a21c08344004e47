"""Functions of machine learning and of arrays whose name is that of a definition, held against it beside a wrong one of
each, on calls that both answer alike."""

import re
from pathlib import Path

import numpy as np
import pytest
from contradicting import Calls, contradicted

PAIRS: list[tuple[str, str, str, Calls]] = [
    ("def hinge_loss(s, y): return sum(max(0, 1 - a * b) for a, b in zip(s, y)) / len(s)", "max(0, 1 - a * b)",
     "(1 - a * b)", [([0.5, -0.5], [1, -1])]),
    ("def huber(errors, delta=1.0):\n"
     "    return sum(.5 * e * e if abs(e) <= delta else delta * (abs(e) - .5 * delta) for e in errors) / len(errors)",
     "else delta * (abs(e) - .5 * delta)", "else abs(e) - .5", [([0.5],), ([3.0, -0.2],)]),
    ("def huber_loss(p, t, delta=1.0):\n    e = abs(p - t)\n    import numpy as np\n"
     "    return np.where(e <= delta, .5 * e ** 2, delta * (e - .5 * delta)).mean()", "delta * (e - .5 * delta)",
     "e - .5", [(np.array([1.0, 4.0]), np.array([1.5, 1.0]))]),
    ("import math\ndef bce_with_logits(z, y):\n"
     "    return sum(max(a, 0) - a * b + math.log(1 + math.exp(-abs(a))) for a, b in zip(z, y)) / len(z)",
     "max(a, 0)", "a", [([0.5, 2.0], [1, 0])]),
    ("import math\ndef cross_entropy_loss(logits, label):\n"
     "    return math.log(sum(math.exp(x) for x in logits)) - logits[label]", "logits[label]", "logits[0]",
     [([1.0, 2.0], 0)]),
    ("import math\ndef softmax(logits, temperature=1.0):\n    powers = [math.exp(x / temperature) for x in logits]\n"
     "    return [p / sum(powers) for p in powers]", "x / temperature", "x * temperature", [([0.0, 1.5],)]),
    ("def discounted_return(rewards, gamma):\n    total, factor = 0.0, 1.0\n    for r in rewards:\n"
     "        total += factor * r\n        factor *= gamma\n    return total", "factor *= gamma", "factor = gamma",
     [([1.0, 2.0], 0.5)]),
    ("def compute_returns(): pass\ndef rewards_to_go(rewards, gamma=0.99):\n    out, later = [], 0.0\n"
     "    for r in reversed(rewards):\n        later = r + gamma * later\n        out.insert(0, later)\n    return out",
     "r + gamma * later", "r + gamma * (later - out[1] if len(out) > 1 else later)", [([1.0, 2.0], 0.5)]),
    ("def gae(rewards, values, gamma, lam):\n    out, later = [], 0.0\n    for t in reversed(range(len(rewards))):\n"
     "        later = rewards[t] + gamma * values[t + 1] - values[t] + gamma * lam * later\n"
     "        out.insert(0, later)\n    return out", "gamma * lam * later", "gamma * later",
     [([1.0], [2.0, 3.0], 0.9, 0.5)]),
    ("def ema(values, alpha):\n    out = [values[0]]\n    for v in values[1:]:\n"
     "        out.append(alpha * v + (1 - alpha) * out[-1])\n    return out", "out[-1]", "out[0]", [([1.0, 3.0], 0.5)]),
    ("def soft_update(target, source, tau): return [tau * s + (1 - tau) * t for t, s in zip(target, source)]",
     "(1 - tau) * t", "(1 - tau) * target[0]", [([1.0, 1.0], [2.0, 4.0], 0.5)]),
    ("def smooth_labels(y, eps): return [(1 - eps) * v + eps / len(y) for v in y]", "len(y)", "2",
     [([0.0, 1.0], 0.1)]),
    ("import math\ndef rms_norm(x, gain, eps=1e-6):\n    size = math.sqrt(sum(v * v for v in x) / len(x) + eps)\n"
     "    return [v / size * g for v, g in zip(x, gain)]", "* g for", "* gain[0] for", [([3.0, 4.0], [1.0, 1.0])]),
    ("import numpy as np\ndef rms_norm(x, eps=1e-6): return x / np.sqrt((x ** 2).mean(-1, keepdims=True) + eps)",
     ".mean(-1, keepdims=True)", ".mean()", [(np.array([[3.0, -4.0], [4.0, 3.0]]),)]),
    ("def batch_norm(x, eps=1e-5): return (x - x.mean(0)) / (x.var(0) + eps) ** .5", "x.mean(0)", "x.mean()",
     [(np.array([[1.0, 3.0], [3.0, 1.0]]),)]),
    ("import math\ndef clip_norm(g, limit):\n    n = math.sqrt(sum(v * v for v in g))\n"
     "    return [v * min(1, limit / n) for v in g]", "min(1, limit / n)", "limit / n", [([3.0, 4.0], 1.0)]),
    ("def merge_intervals(w):\n    out = []\n    for a, b in sorted(w):\n        if out and a <= out[-1][1]:\n"
     "            out[-1] = (out[-1][0], max(b, out[-1][1]))\n        else:\n            out.append((a, b))\n"
     "    return out", "sorted(w)", "w", [([(1, 4), (4, 5)],), ([(1, 3), (2, 6), (8, 10)],)]),
    ("import numpy as np\ndef row_softmax(scores, temperature=1.0):\n"
     "    w = np.exp(scores / temperature)\n    return w / w.sum(axis=1, keepdims=True)",
     "np.exp(scores / temperature)",
     "np.exp(scores) / temperature", [(np.array([[0.0, 1.0], [2.0, 1.0]]),)]),
    ("def unit_direction(vector):\n    'The vector divided by its Euclidean length.'\n"
     "    return [v / sum(x * x for x in vector) ** .5 for v in vector]", "sum(x * x for x in vector) ** .5",
     "sum(map(abs, vector))", [([0.0, -4.0],), ([3.0, 6.0],)]),
    ("import math\ndef clipped_gradient(g, limit):\n    n = math.hypot(*g)\n"
     "    return list(g) if n <= limit else [v * limit / n for v in g]", "math.hypot(*g)", "max(map(abs, g))",
     [([0.0, -8.0], 2.0), ([9.0, 0.0], 3.0)]),
    ("def clip_grad(g, limit): return [max(-limit, min(limit, v)) for v in g]", "max(-limit, min(limit, v))",
     "min(limit, v)", [([0.5, 8.0], 2.0)]),
    ("import math\ndef focal_loss(p, gamma=2.0): return -(1 - p) ** gamma * math.log(p)", "(1 - p) ** gamma",
     "gamma * (1 - p)", [(0.5, 1.0)]),
    ("def label_smoothing(label, classes, amount):\n"
     "    return [1 - amount if c == label else amount / (classes - 1) for c in range(classes)]", " / (classes - 1)",
     "",
     [(0, 2, 0.1), (1, 2, 0.25)]),
    ("import numpy as np\ndef causal_attention(query, key, value):\n"
     "    s = query @ key.T / np.sqrt(key.shape[1])\n    s = np.where(np.tri(len(s)), s, -np.inf)\n"
     "    w = np.exp(s - s.max(1, keepdims=True))\n    return w / w.sum(1, keepdims=True) @ value",
     "np.where(np.tri(len(s)), s, -np.inf)", "s",
     [(np.ones((2, 1)), np.ones((2, 1)), np.ones((2, 1)))]),
    ("def forward_probability(start, transition, emission, observed):\n"
     "    a = [p * e[observed[0]] for p, e in zip(start, emission)]\n    for o in observed[1:]:\n"
     "        a = [sum(x * t[s] for x, t in zip(a, transition)) * emission[s][o] for s in range(len(a))]\n"
     "    return sum(a)", "sum(x * t[s] for x, t in zip(a, transition))", "a[s] * transition[s][s]",
     [([0.3, 0.7], [[1.0, 0.0], [0.0, 1.0]], [[0.5, 0.5], [0.1, 0.9]], [0, 1])]),
    ("import numpy as np\ndef pairwise_mahalanobis(x, y, covariance):\n    d = np.subtract(x, y)\n"
     "    return float(np.sqrt(d @ np.linalg.inv(covariance) @ d))", "np.linalg.inv(covariance)", "covariance",
     [([3, 0], [0, 4], np.eye(2)), ([1.0, 2.0, 2.0], [0.0, 0.0, 0.0], np.eye(3))]),
    ("import numpy as np\ndef principal_axis(points):\n    points = points - points.mean(0)\n"
     "    return np.linalg.eigh(points.T @ points)[1][:, -1]", "points - points.mean(0)", "points",
     [(np.array([[3.0, 0.0], [-3.0, 0.0], [0.0, 1.0], [0.0, -1.0]]),)]),
    ("def top_k_accuracy(scores, labels, k):\n"
     "    best = [sorted(range(len(s)), key=lambda i: -s[i])[:k] for s in scores]\n"
     "    return sum(l in b for l, b in zip(labels, best)) / len(labels)", "[:k]", "[:2]",
     [([[0.1, 0.7, 0.2], [0.5, 0.3, 0.2]], [2, 2], 2)]),
    ("import math\ndef perplexity(logs): return math.exp(-sum(logs) / len(logs))", "len(logs)", "2",
     [([-1.0, -2.0],)]),
    ("import numpy as np\ndef assign_clusters(x, c): return ((x[:, None] - c[None]) ** 2).sum(-1).argmin(1)",
     ".sum(-1)", "[..., 0]", [(np.array([[0.0, 0.0], [5.0, 0.0]]), np.array([[0.5, 0.0], [4.0, 0.0]]))]),
    ("import math\ndef rbf_kernel(a, b, gamma): return math.exp(-gamma * sum((x - y) ** 2 for x, y in zip(a, b)))",
     "sum((x - y) ** 2 for x, y in zip(a, b))", "abs(a[0] - b[0])", [([1.0], [2.0], 0.7)]),
    ("import numpy as np\ndef positional_encoding(length, d_model):\n"
     "    angle = np.arange(length)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)\n"
     "    out = np.zeros((length, d_model))\n    out[:, 0::2], out[:, 1::2] = np.sin(angle), np.cos(angle)\n"
     "    return out",
     "np.arange(0, d_model, 2)", "np.arange(d_model // 2)", [(5, 2)]),
    ("def one_hot(labels, n): return [[int(i == l) for i in range(n)] for l in labels]", "i == l", "i == labels[0]",
     [([1, 1], 3)]),
    ("def matmul(a, b): return [[sum(a[i][k] * b[k][j] for k in range(len(b))) for j in range(len(b[0]))]"
     " for i in range(len(a))]", "for j in range(len(b[0]))", "for j in range(len(a))",
     [([[1, 2], [3, 4]], [[0, 1], [1, 0]])]),
    ("def transpose(m): return [list(c) for c in zip(*m)]", "[list(c) for c in zip(*m)]",
     "[[m[j][i] for j in range(len(m[0]))] for i in range(len(m[0]))]", [([[1, 2], [3, 4]],)]),
    ("def column_means(rows): return [sum(c) / len(rows) for c in zip(*rows)]", "len(rows)", "len(rows[0])",
     [([[1, 2], [3, 6]],)]),
    ("def row_means(rows): return [sum(r) / len(r) for r in rows]", "len(r)", "len(rows)", [([[1, 2], [3, 6]],)]),
    ("def normalize_rows(m): return [[v / sum(r) for v in r] for r in m]", "sum(r)", "sum(m[0])",
     [([[1, 3], [2, 2]],)]),
    ("import numpy as np\ndef covariance_matrix(x):\n    c = x - x.mean(0)\n    return c.T @ c / (len(x) - 1)",
     "x.mean(0)", "x.mean()", [(np.array([[1.0, -1.0], [-1.0, 1.0], [0.0, 0.0]]),)]),
    ("def pairwise_distances(p): return [[sum((x - y) ** 2 for x, y in zip(a, b)) ** .5 for b in p] for a in p]",
     "sum((x - y) ** 2 for x, y in zip(a, b)) ** .5", "abs(a[0] - b[0])", [([[0.0, 0.0], [3.0, 0.0]],)]),
    ("def max_pool(m, n): return [[max(m[i + a][j + b] for a in range(n) for b in range(n))\n"
     "    for j in range(0, len(m[0]), n)] for i in range(0, len(m), n)]", "max(m[i + a]", "max(m[i + b]",
     [([[1, 2], [3, 4]], 2)]),
    ("def trapezoid(y, x): return sum((x[i + 1] - x[i]) * (y[i] + y[i + 1]) / 2 for i in range(len(x) - 1))",
     "(x[i + 1] - x[i])", "(x[1] - x[0])", [([1.0, 2.0, 5.0], [0.0, 1.0, 2.0])]),
    ("import numpy as np\ndef quantile(v, q): return float(np.quantile(v, q))", "np.quantile(v, q)", "np.median(v)",
     [([1.0, 4.0, 2.0], 0.5)]),
    ("def running_max(v): return [max(v[:i + 1]) for i in range(len(v))]", "max(v[:i + 1])",
     "max(v[max(0, i - 1):i + 1])", [([1, 2, 3],)]),
    ("def argmax(v): return max(range(len(v)), key=lambda i: v[i])", "key=lambda i: v[i]", "key=lambda i: abs(v[i])",
     [([1.0, 5.0, 2.0],)]),
    ("def topk_indices(v, k): return sorted(range(len(v)), key=lambda i: -v[i])[:k]", "-v[i]", "-abs(v[i])",
     [([1.0, 5.0, 2.0], 2)]),
    ("def l2_normalize(v):\n    n = sum(x * x for x in v) ** .5\n    return [x / n for x in v]", "x * x", "x * v[0]",
     [([1.0, 1.0],)]),
    ("def ngrams(t, n): return [tuple(t[i:i + n]) for i in range(len(t) - n + 1)]", "len(t) - n + 1", "len(t) - 1",
     [(["a", "b", "c"], 2)]),
    ("def shortest_hops(graph, start):\n    seen, queue = {start: 0}, [start]\n    while queue:\n"
     "        node = queue.pop(0)\n        for other in graph.get(node, ()):\n            if other not in seen:\n"
     "                seen[other] = seen[node] + 1\n                queue.append(other)\n    return seen", "pop(0)",
     "pop()", [({"a": ["b", "c"], "b": ["d"], "c": [], "d": []}, "a")]),
    ("def merge_intervals(spans):\n    out = []\n    for a, b in sorted(spans):\n        if out and a <= out[-1][1]:\n"
     "            out[-1] = (out[-1][0], max(b, out[-1][1]))\n        else:\n            out.append((a, b))\n"
     "    return out", "sorted(spans)", "spans", [([(1, 3), (2, 4), (6, 8)],)]),
    ("def dtw_distance(a, b):\n    rows = [[1e9] * (len(b) + 1) for _ in range(len(a) + 1)]\n    rows[0][0] = 0\n"
     "    for i, x in enumerate(a, 1):\n        for j, y in enumerate(b, 1):\n"
     "            rows[i][j] = abs(x - y) + min(rows[i][j - 1], rows[i - 1][j - 1], rows[i - 1][j])\n"
     "    return rows[-1][-1]",
     ", rows[i - 1][j])", ")", [([1.0, 2.0], [1.0, 2.0, 2.0])]),
    ("import bisect\ndef lis(v):\n    tails = []\n    for x in v:\n        i = bisect.bisect_left(tails, x)\n"
     "        tails[i:i + 1] = [x]\n    return len(tails)", "bisect_left", "bisect_right", [([3, 1, 2],)]),
    ("def pad_batch(rows, filler):\n    n = max(map(len, rows))\n    return [(r + [filler] * n)[:n] for r in rows]",
     "max(map(len, rows))", "len(rows[0])", [([[1, 2], [3]], 0)]),
    ("def roman_value(text):\n    of = dict(I=1, V=5, X=10, L=50, C=100, D=500, M=1000)\n"
     "    n = [of[c] for c in text]\n    return sum(-a if a < b else a for a, b in zip(n, [*n[1:], 0]))",
     "-a if a < b else a", "a", [("XVI",)]),
    ("def mean_reciprocal_rank(rankings, answers):\n    found = [1 / (r.index(a) + 1) if a in r else 0 for r, a in"
     " zip(rankings, answers)]\n    return sum(found) / len(found)", "len(found)", "sum(map(bool, found))",
     [([["a", "b"], ["c", "d"]], ["b", "c"])]),
    ("def average_precision(ranked, relevant):\n    hits, total = 0, 0.0\n    for i, one in enumerate(ranked, 1):\n"
     "        if one in relevant:\n            hits += 1\n            total += hits / i\n"
     "    return total / len(relevant)",
     "len(relevant)", "hits", [(["a", "b", "c"], {"a", "c"})]),
    ("def clipped_precision(c, r, n):\n\n"
     "    a, b = ([tuple(t[i:i + n]) for i in range(len(t) - n + 1)] for t in (c, r))\n"
     "    return sum(min(a.count(g), b.count(g)) for g in set(a)) / len(a)", "min(a.count(g), b.count(g))",
     "a.count(g) * (g in b)", [(["a", "b"], ["b", "a", "c"], 1)]),
    ("def ece(sure, right, bins):\n    at = {}\n    for s, r in zip(sure, right):\n"
     "        at.setdefault(int(s * bins), []).append(r - s)\n"
     "    return sum(abs(sum(g)) for g in at.values()) / len(sure)", "abs(sum(g)) for g in at.values()) / len(sure)",
     "abs(sum(g) / len(g)) for g in at.values()) / len(at)", [([0.9, 0.3], [1, 0], 5)]),
    ("def trimmed_mean(v, k):\n    kept = sorted(v)[k:len(v) - k]\n    return sum(kept) / len(kept)", "sorted(v)", "v",
     [([1.0, 2.0, 3.0, 9.0], 1)]),
    ("def kendall_tau_b(x, y):\n    p = [(a - b, c - d) for i, (a, c) in enumerate(zip(x, y)) for b, d in"
     " list(zip(x, y))[:i]]\n    s = sum((a * b > 0) - (a * b < 0) for a, b in p)\n"
     "    return s / (sum(a != 0 for a, _ in p) * sum(b != 0 for _, b in p)) ** .5",
     "(sum(a != 0 for a, _ in p) * sum(b != 0 for _, b in p)) ** .5", "len(p)", [([1, 2, 3], [1, 3, 2])]),
    ("def quadratic_kappa(a, b, levels):\n    n = len(a)\n    w = lambda i, j: (i - j) ** 2\n"
     "    return 1 - n * sum(map(w, a, b)) / sum(w(i, j) for i in a for j in b)", "(i - j) ** 2", "abs(i - j)",
     [([0, 1, 1, 0], [0, 1, 0, 0], 2)]),
    ("def heading_difference(a, b):\n    d = abs(a - b) % 360\n    return min(d, 360 - d)", "min(d, 360 - d)", "d",
     [(10.0, 50.0)]),
    ("import re\ndef decode_runs(code): return ''.join(int(n) * c for n, c in re.findall(r'(\\d+)(\\D)', code))",
     "\\d+", "\\d", [("3a2b",)]),
    ("def corners(points):\n    'Area of a polygon, corners in either orientation.'\n"
     "    return abs(sum(a * d - c * b for (a, b), (c, d) in zip(points, points[1:] + points[:1]))) / 2", "abs(", "(",
     [([(0, 0), (3, 0), (3, 2), (0, 2)],)]),
    ("import bisect\ndef lower_bound(v, x): return bisect.bisect_left(v, x)", "bisect_left", "bisect_right",
     [([1, 3, 5], 4)]),
    ("def interpolate(x, xs, ys):\n    i = max(1, min(len(xs) - 1, sum(x > one for one in xs)))\n"
     "    return ys[i - 1] + (x - xs[i - 1]) / (xs[i] - xs[i - 1]) * (ys[i] - ys[i - 1])", "(xs[i] - xs[i - 1])", "1",
     [(0.5, [0, 1, 2], [0, 2, 10])]),
    ("def median(v):\n    '''The middle value, or the mean of the two middle ones.'''\n"
     "    s, h = sorted(v), len(v) // 2\n"
     "    return s[h] if len(v) % 2 else (s[h - 1] + s[h]) / 2", " if len(v) % 2 else (s[h - 1] + s[h]) / 2", "",
     [([3, 1, 2],)]),
    ("def spread(v):\n    'Standard deviation of a sample, with n - 1 in the denominator.'\n    m = sum(v) / len(v)\n"
     "    return (sum((x - m) ** 2 for x in v) / (len(v) - 1)) ** .5", "(len(v) - 1)", "2", [([1.0, 2.0, 6.0],)]),
    ("def edit_distance(a, b):\n    row = list(range(len(b) + 1))\n    for i, x in enumerate(a, 1):\n"
     "        old, row[0] = row[0], i\n        for j, y in enumerate(b, 1):\n"
     "            old, row[j] = row[j], min(old + (x != y), 1 + row[j - 1], 1 + row[j])\n    return row[-1]",
     ", 1 + row[j])", ")", [("cat", "cut")]),
]  # fmt: skip
"""A right function, what of it becomes what in a wrong one, and calls that both answer alike."""
NAMES = [re.findall(r"def (\w+)", text)[-1] for text, *_ in PAIRS]


@pytest.mark.parametrize(("text", "part", "wrong", "calls"), PAIRS, ids=NAMES)
def test_a_wrong_function_contradicts_its_name(
    text: str, part: str, wrong: str, calls: Calls, tmp_path: Path
) -> None:  # fmt: skip
    which = text.count("def ") - 1
    assert contradicted(tmp_path, text, calls, which) == ""
    assert "its definition gives" in contradicted(tmp_path, text.replace(part, wrong), calls, which)


OTHERS: list[tuple[str, Calls]] = [
    ("def softmax(x, axis): import numpy as np; e = np.exp(x); return e / e.sum(axis)", [(np.array([1.0, 2.0]), 0)]),
    ("def huber(x, delta): return [v * delta for v in x]", [([1.0, 2.0], 0.5)]),
    ("def ema(values, span): return [v / span for v in values]", [([1.0, 2.0], 3)]),
    ("def matmul(a, b): return [[x * y for x, y in zip(r, s)] for r, s in zip(a, b)]",
     [([[1, 2], [3, 4]], [[5, 6], [7, 8]])]),
    ("def median(v): return sorted(v)[len(v) // 2]", [([3, 1, 2],), ([4, 8],)]),
    ("def top_k(v, k): return sorted(v)[-k:]", [([3, 1, 2], 2)]),
    ("def top_k(v, k): return sorted(range(len(v)), key=lambda i: -v[i])[:k]", [([3, 1, 2], 2)]),
    ("import numpy as np\ndef interpolate(x, xs, ys): return float(np.interp(x, xs, ys))", [(0.5, [0, 1], [0, 2])]),
    ("def matmul(a, b):\n    \"Of 2x2 matrices.\"\n    p, q = a[0][:2]\n    r, s = b[0][:2]\n    t, u = b[1][:2]\n"
     "    return [[p * r + q * t, p * s + q * u]] * 2", [([[1, 2], [1, 2]], [[0, 1], [1, 0]])]),
    ("def quantile(v, q): return sorted(v)[int(q * (len(v) - 1))]", [([1.0, 4.0, 2.0], 0.5)]),
    ("def discounted_return(rewards, gamma=0.99): return [r * gamma ** i for i, r in enumerate(rewards)]",
     [([1.0, 2.0],)]),
    ("import math\ndef rbf_kernel(a, b, sigma):\n"
     "    return math.exp(-sum((x - y) ** 2 for x, y in zip(a, b)) / 2 / sigma**2)", [([1.0], [2.0], 0.7)]),
    ("def transpose(chord, steps): return [(note + steps) % 12 for note in chord]", [([0, 4, 7], 2)]),
    ("def hinge(y, s): return [max(0, 1 - a * b) for a, b in zip(y, s)]", [([1, -1], [0.5, 3.0])]),
    ("def perplexity(p): import math; return math.exp(-sum(map(math.log, p)) / len(p))", [([0.5, 0.25],)]),
    ("def clip_grad_norm(g, m): return [min(m, max(-m, v)) for v in g]", [([3.0, 4.0], 1.0)]),
]  # fmt: skip
"""Other readings of a name, and other things that are called so."""


@pytest.mark.parametrize(("text", "calls"), OTHERS, ids=[text[4:40] for text, _ in OTHERS])
def test_another_reading_or_another_thing_is_not_contradicted(text: str, calls: Calls, tmp_path: Path) -> None:
    assert contradicted(tmp_path, text, calls) == ""

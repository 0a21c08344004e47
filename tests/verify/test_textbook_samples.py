"""Functions of samples, angles and points whose name is that of a definition: right ones, in each usual reading,
contradict nothing, and those that are wrong where their tests do not look are contradicted."""

from pathlib import Path
from typing import Any

import pytest
from contradicting import contradicted

RIGHT: list[tuple[str, list[tuple[Any, ...]]]] = [
    ("import math\ndef circular_mean(angles):\n    s, c = sum(map(math.sin, angles)), sum(map(math.cos, angles))\n"
     "    return math.atan2(s, c) % (2 * math.pi)", [([0.1, 0.3],)]),
    ("import math\ndef mean_heading(a):\n    r = [math.radians(x) for x in a]\n"
     "    return math.degrees(math.atan2(sum(map(math.sin, r)), sum(map(math.cos, r)))) % 360", [([10.0, 30.0],)]),
    ("import numpy as np\ndef unwrap_phase(x): return np.unwrap(x)", [([0.5, 1.0],)]),
    ("def wrap_to_180(x): return (x + 180) % 360 - 180", [(10,)]),
    ("import math\ndef wrap_angle(x): return math.atan2(math.sin(x), math.cos(x))", [(1.0,)]),
    ("def project_simplex(v):\n    low, high = min(v) - 1, max(v)\n    for _ in range(200):\n"
     "        m = (low + high) / 2\n        low, high = (m, high) if sum(max(x - m, 0) for x in v) > 1 else (low, m)\n"
     "    return [max(x - low, 0) for x in v]", [([0.2, 0.8],)]),
    ("def polygon_centroid(p):\n    a = x = y = 0\n    for (u, v), (s, t) in zip(p, p[1:] + p[:1]):\n"
     "        c = u * t - s * v\n        a, x, y = a + c, x + (u + s) * c, y + (v + t) * c\n"
     "    return x / (3 * a), y / (3 * a)", [([(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)],)]),
    ("import math\ndef point_segment_distance(p, a, b):\n    (x, y), (u, v), (s, t) = p, a, b\n"
     "    k = max(0, min(1, ((x - u) * (s - u) + (y - v) * (t - v)) / ((s - u) ** 2 + (t - v) ** 2)))\n"
     "    return math.hypot(x - u - k * (s - u), y - v - k * (t - v))", [((1.0, 1.0), (0.0, 0.0), (2.0, 0.0))]),
    ("def giou(a, b):\n    w = max(0, min(a[2], b[2]) - max(a[0], b[0])) * max(0, min(a[3], b[3]) - max(a[1], b[1]))\n"
     "    u = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - w\n"
     "    h = (max(a[2], b[2]) - min(a[0], b[0])) * (max(a[3], b[3]) - min(a[1], b[1]))\n"
     "    return w / u - (h - u) / h",
     [([0.0, 0.0, 2.0, 2.0], [1.0, 1.0, 3.0, 3.0])]),
    ("import numpy as np\ndef gram_schmidt(a):\n    q, r = np.linalg.qr(a)\n    return q * np.sign(np.diag(r))",
     [("array", [[2.0, 1.0], [0.0, 3.0]])]),
    ("def pooled_variance(a, b):\n    def s(x): return sum((v - sum(x) / len(x)) ** 2 for v in x)\n"
     "    return (s(a) + s(b)) / (len(a) + len(b) - 2)", [([1.0, 3.0], [2.0, 6.0])]),
    ("def effective_sample_size(w): return sum(w) ** 2 / sum(x * x for x in w)", [([0.25, 0.75],)]),
    ("def ess(w):\n    t = sum(w)\n    return 1 / sum((x / t) ** 2 for x in w)", [([0.25, 0.75],)]),
    ("def ess(chain): return len(chain) / (1 + 2 * sum(a * b for a, b in zip(chain, chain[1:])))",
     [([1.0, 2.0, 4.0],)]),
    ("def durbin_watson(e): return sum((b - a) ** 2 for a, b in zip(e, e[1:])) / sum(x * x for x in e)",
     [([1.0, 2.0],)]),
    ("import numpy as np\ndef autocorrelation(x, lag): return np.corrcoef(x[:-lag], x[lag:])[0, 1]",
     [([1.0, 2.0, 4.0, 3.0, 7.0], 1)]),
    ("def autocorr(x, k):\n    m = sum(x) / len(x)\n    return sum((a - m) * (b - m) for a, b in zip(x, x[k:])) / "
     "sum((a - m) ** 2 for a in x)", [([1.0, 2.0, 4.0, 3.0, 7.0], 2)]),
    ("def smape(y, p): return 100 * sum(2 * abs(a - b) / (abs(a) + abs(b)) for a, b in zip(y, p)) / len(y)",
     [([1.0, 2.0], [2.0, 2.0])]),
    ("def pinball_loss(y, p, q): return sum(max(q * (a - b), (q - 1) * (a - b)) for a, b in zip(y, p)) / len(y)",
     [([1.0, 2.0], [2.0, 5.0], 0.5)]),
    ("def wasserstein_1d(x, y): return sum(abs(a - b) for a, b in zip(sorted(x), sorted(y))) / len(x)",
     [([1.0, 2.0], [2.0, 5.0])]),
    ("from itertools import accumulate\ndef emd(p, q):\n"
     "    return sum(abs(a - b) for a, b in zip(accumulate(p), accumulate(q)))",
     [([0.5, 0.5], [0.25, 0.75])]),
    ("def midranks(x): return [sum(b < a for b in x) + (x.count(a) + 1) / 2 for a in x]", [([4.0, 1.0, 9.0],)]),
    ("def weighted_median(x, w):\n    t = 0\n    for a, b in sorted(zip(x, w)):\n        t += b\n"
     "        if t >= sum(w) / 2:\n            return a", [([1.0, 2.0, 3.0], [1.0, 1.0, 1.0])]),
    ("def weighted_variance(x, w):\n    m = sum(a * b for a, b in zip(x, w)) / sum(w)\n"
     "    return sum(b * (a - m) ** 2 for a, b in zip(x, w)) / sum(w)", [([1.0, 2.0], [1.0, 1.0])]),
    ("import math\ndef triplet_loss(a, p, n, m): return max(0, math.dist(a, p) - math.dist(a, n) + m)",
     [([0.0], [1.0], [2.0], 2.0)]),
    ("def td_error(r, v, n, g): return r + g * n - v", [(1.0, 2.0, 3.0, 1.0)]),
    ("def autocovariance(x, lag):\n    m = sum(x) / len(x)\n"
     "    return sum((a - m) * (b - m) for a, b in zip(x, x[lag:])) / len(x)", [([1.0, -1.0, 2.0, -2.0], 1)]),
    ("def autocov(x, lag):\n    m, n = sum(x) / len(x), len(x) - lag\n"
     "    return sum((a - m) * (b - m) for a, b in zip(x, x[lag:])) / n", [([1.0, -1.0, 2.0, -2.0], 1)]),
    ("def cumtrapz(y, x):\n    t, r = 0.0, []\n    for i in range(1, len(x)):\n"
     "        t += (x[i] - x[i - 1]) * (y[i] + y[i - 1]) / 2\n        r.append(t)\n    return r",
     [([1.0, 2.0, 4.0], [0.0, 1.0, 2.0])]),
    ("import math\ndef brevity_penalty(c, r): return 1.0 if c > r else math.exp(1 - r / c)", [(9, 5), (5, 5)]),
]  # fmt: skip
WRONG: list[tuple[str, list[tuple[Any, ...]]]] = [
    ("def circular_mean(angles): return sum(angles) / len(angles)", [([0.1, 0.3],)]),
    ("def mean_heading(angles): return sum(angles) / len(angles)", [([10.0, 30.0],)]),
    ("import math\ndef unwrap_phase(x):\n    out = list(x)\n    for i in range(1, len(x)):\n"
     "        out[i] -= 2 * math.pi * round((x[i] - x[i - 1]) / (2 * math.pi))\n    return out", [([0.5, 1.0],)]),
    ("import math\ndef wrap_to_180(x): return math.fmod(x, 360)", [(10.0,)]),
    ("def project_simplex(v):\n    kept = [max(x, 0) for x in v]\n    return [x / sum(kept) for x in kept]",
     [([0.2, 0.8],)]),
    ("def polygon_centroid(p): return sum(a for a, _ in p) / len(p), sum(b for _, b in p) / len(p)",
     [([(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)],)]),
    ("import math\ndef point_segment_distance(p, a, b):\n    (x, y), (u, v), (s, t) = p, a, b\n"
     "    return abs((s - u) * (v - y) - (u - x) * (t - v)) / math.hypot(s - u, t - v)",
     [((1.0, 1.0), (0.0, 0.0), (2.0, 0.0))]),
    ("def giou(a, b):\n    w = (min(a[2], b[2]) - max(a[0], b[0])) * (min(a[3], b[3]) - max(a[1], b[1]))\n"
     "    u = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - w\n"
     "    h = (max(a[2], b[2]) - min(a[0], b[0])) * (max(a[3], b[3]) - min(a[1], b[1]))\n"
     "    return w / u - (h - u) / h",
     [([0.0, 0.0, 2.0, 2.0], [1.0, 1.0, 3.0, 3.0])]),
    ("def pooled_variance(a, b):\n    def s(x): return sum((v - sum(x) / len(x)) ** 2 for v in x) / (len(x) - 1)\n"
     "    return (s(a) + s(b)) / 2", [([1.0, 3.0], [2.0, 6.0])]),
    ("def effective_sample_size(w): return 1 / sum(x * x for x in w)", [([0.25, 0.75],)]),
    ("def durbin_watson(e): return sum((b - a) ** 2 for a, b in zip(e, e[1:])) / sum(x * x for x in e[1:])",
     [([0.0, 2.0, 3.0],)]),
    ("def pinball_loss(y, p, q): return sum(q * abs(a - b) for a, b in zip(y, p)) / len(y)",
     [([1.0, 2.0], [2.0, 5.0], 0.5)]),
    ("def wasserstein_1d(x, y): return sum(abs(a - b) for a, b in zip(x, y)) / len(x)", [([1.0, 2.0], [2.0, 5.0])]),
    ("def midranks(x):\n    order = sorted(x)\n    return [order.index(a) + 1 for a in x]", [([4.0, 1.0, 9.0],)]),
    ("def weighted_median(x, w): return sorted(x)[len(x) // 2]", [([1.0, 2.0, 3.0], [1.0, 1.0, 1.0])]),
    ("import math\ndef triplet_loss(a, p, n, m): return math.dist(a, p) - math.dist(a, n) + m",
     [([0.0], [1.0], [2.0], 2.0)]),
    ("def td_error(r, v, n, g): return r + n - v", [(1.0, 2.0, 3.0, 1.0)]),
    ("def autocovariance(x, lag): return sum(a * b for a, b in zip(x, x[lag:])) / len(x)",
     [([1.0, -1.0, 2.0, -2.0], 1)]),
    ("def cumtrapz(y, x):\n    t, r, h = 0.0, [], x[1] - x[0]\n    for a, b in zip(y, y[1:]):\n"
     "        t += h * (a + b) / 2\n        r.append(t)\n    return r", [([1.0, 2.0, 4.0], [0.0, 1.0, 2.0])]),
    ("def brevity_penalty(c, r): return min(1.0, c / r)", [(5, 5)]),
]  # fmt: skip


def _arrays(call: tuple[Any, ...]) -> tuple[Any, ...]:
    if call[0] != "array":
        return call
    import numpy as np

    return (np.array(call[1]),)


@pytest.mark.parametrize(("text", "calls"), RIGHT)
def test_a_right_one_contradicts_nothing(text: str, calls: list[tuple[Any, ...]], tmp_path: Path) -> None:
    assert contradicted(tmp_path, text, list(map(_arrays, calls))) == ""


@pytest.mark.parametrize(("text", "calls"), WRONG)
def test_one_that_is_right_where_its_tests_look_is_contradicted(
    text: str, calls: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    assert "its definition gives" in contradicted(tmp_path, text, calls)


MEANT: list[tuple[str, str, str, list[tuple[Any, ...]]]] = [
    ("Rank of every score; equal scores share the average of their ranks.", "scores",
     "[sorted(scores).index(s) + 1 for s in scores]", [([4.0, 1.0],)]),
    ("Closest point, in Euclidean distance, of the probability simplex to v.", "v",
     "[max(x, 0) / sum(max(y, 0) for y in v) for x in v]", [([0.25, 0.75],)]),
    ("Average compass heading, in degrees, of a track.", "track", "sum(track) / len(track)", [([10.0, 30.0],)]),
    ("Effective number of samples behind importance weights.", "w", "1 / sum(x * x for x in w)", [([0.25, 0.75],)]),
    ("Centre of gravity of the area inside a polygon.", "p",
     "(sum(a for a, _ in p) / len(p), sum(b for _, b in p) / len(p))",
     [([(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)],)]),
    ("Distance from a point to the nearest point of the wall from start to end.", "p, a, b",
     "abs((b[0] - a[0]) * (a[1] - p[1]) - (a[0] - p[0]) * (b[1] - a[1]))"
     " / ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5",
     [((1.0, 1.0), (0.0, 0.0), (2.0, 0.0))]),
    ("Area common to two boxes (left, top, right, bottom) over the area that either covers.", "p, q",
     "(lambda w: w / ((p[2] - p[0]) * (p[3] - p[1]) + (q[2] - q[0]) * (q[3] - q[1]) - w))"
     "((min(p[2], q[2]) - max(p[0], q[0])) * (min(p[3], q[3]) - max(p[1], q[1])))",
     [([0.0, 0.0, 2.0, 2.0], [1.0, 1.0, 3.0, 3.0])]),
    ("Area under a curve sampled at increasing abscissae, by trapezoids.", "x, y",
     "(x[1] - x[0]) * (sum(y) - (y[0] + y[-1]) / 2)", [([0.0, 1.0, 2.0], [1.0, 2.0, 4.0])]),
    ("q-values of the step-up procedure.", "p",
     "[min(1.0, v * len(p) / (sorted(p).index(v) + 1)) for v in p]", [([0.01, 0.04],)]),
    ("Undo the jumps of a wrapped phase.", "x",
     "[x[0]] + [b - 6.283185307179586 * round((b - a) / 6.283185307179586) for a, b in zip(x, x[1:])]",
     [([0.5, 1.0],)]),
    ("Sample autocovariance at a lag: the mean of products of deviations.", "x, lag",
     "sum(a * b for a, b in zip(x, x[lag:])) / len(x)", [([1.0, -1.0, 2.0, -2.0], 1)]),
    ("Cumulative integral of sampled values by trapezoids, zero at the first time.", "t, y",
     "[(t[1] - t[0]) * (sum(y[:k + 1]) - (y[0] + y[k]) / 2) for k in range(len(y))]",
     [([0.0, 1.0, 2.0], [1.0, 2.0, 4.0])]),
    ("Length of the longest strictly increasing subsequence, by patience sorting.", "x",
     "max(sum(b <= a for b in x[:i + 1]) for i, a in enumerate(x))", [([1, 2, 3],)]),
    ("Whether the point lies within a simple polygon, convex or not.", "p, q",
     "all((b[0] - a[0]) * (q[1] - a[1]) - (q[0] - a[0]) * (b[1] - a[1]) > 0 for a, b in zip(p, p[1:] + p[:1]))",
     [([(0, 0), (4, 0), (4, 4), (0, 4)], (1, 2)), ([(0, 0), (4, 0), (4, 4), (0, 4)], (5, 2))]),
    ("Dijkstra: the least cost of reaching every reachable node from the source.", "g, s",
     "{s: 0, **g[s]}", [({"a": {"b": 1}, "b": {}}, "a")]),
    ("Viterbi: the likeliest sequence of hidden states.", "observations, start, transition, emission",
     "[max(range(len(start)), key=lambda i: start[i] * emission[i][one]) for one in observations]",
     [([0, 1], [0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]], [[0.9, 0.1], [0.2, 0.8]])]),
    ("Convolve two signals.", "a, b",
     "[sum(a[i + k] * b[k] for k in range(len(b))) for i in range(len(a) - len(b) + 1)]",
     [([1.0, 2.0, 3.0], [1.0, 1.0])]),
]  # fmt: skip


@pytest.mark.parametrize(("said", "parameters", "wrong", "calls"), MEANT, ids=[said[:30] for said, *_ in MEANT])
def test_a_sentence_that_means_a_definition_holds_a_function_of_any_name_to_it(
    said: str, parameters: str, wrong: str, calls: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    text = f'def taken({parameters}):\n    """{said}"""\n    return {wrong}\n'
    assert "its definition gives" in contradicted(tmp_path, text, calls)

"""Models, rankings and decoders whose name is that of a definition, held against it beside a wrong one of each."""

from pathlib import Path

import numpy as np
import pytest
from contradicting import Calls, contradicted

ATTENTION = """
import numpy as np
def scaled_dot_product_attention(q, k, v):
    scores = q @ k.T / np.sqrt(k.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v
"""
PATHS = """
def floyd_warshall(d):
    n, d = len(d), [list(row) for row in d]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                d[i][j] = min(d[i][j], d[i][k] + d[k][j])
    return d
"""
STATES = """
def viterbi(observations, start, transition, emission):
    n = range(len(start))
    best = [(start[s] * emission[s][observations[0]], [s]) for s in n]
    for o in observations[1:]:
        best = [max((best[r][0] * transition[r][s] * emission[s][o], best[r][1] + [s]) for r in n) for s in n]
    return max(best)[1]
"""
GREEDY = """
def viterbi(observations, start, transition, emission):
    path = []
    for o in observations:
        chances = transition[path[-1]] if path else start
        path.append(max(range(len(start)), key=lambda s: chances[s] * emission[s][o]))
    return path
"""
NUCLEUS = """
def nucleus(shares, p):
    kept, total = [], 0.0
    for token in sorted(range(len(shares)), key=lambda t: -shares[t]):
        if total >= p:
            break
        kept.append(token)
        total += shares[token]
    return kept
"""
PRECISE = "def precision_at_k(relevant, ranked, k):\n    return sum(one in relevant for one in ranked[:k]) / k"
ADJUSTED = """
def benjamini_hochberg(p):
    order, adjusted, least = sorted(range(len(p)), key=p.__getitem__), list(p), 1.0
    for rank in range(len(p), 0, -1):
        least = min(least, p[order[rank - 1]] * len(p) / rank)
        adjusted[order[rank - 1]] = least
    return adjusted
"""
GAINED = """
import math
def gain(relevance):
    return sum((2 ** r - 1) / math.log2(i + 2) for i, r in enumerate(relevance))
def ndcg(relevance):
    return gain(relevance) / gain(sorted(relevance, reverse=True))
"""
AREA = '''
def roc_auc(labels, scores):
    """Area under the ROC curve; tied scores count one half."""
    pairs = [(a, b) for a, x in zip(scores, labels) if x for b, y in zip(scores, labels) if not y]
    return sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs)
'''
LOADED = '''
def most(values, weights, capacity):
    """Greatest total value of items within capacity, each used at most once."""
    best = [0] * (capacity + 1)
    for v, w in zip(values, weights):
        for c in range(capacity, w - 1, -1):
            best[c] = max(best[c], best[c - w] + v)
    return best[capacity]
'''
AGREEING = """
def cohen_kappa(a, b):
    n = len(a)
    chance = sum(a.count(label) * b.count(label) for label in set(a)) / n**2
    return (sum(x == y for x, y in zip(a, b)) / n - chance) / (1 - chance)
"""
TIED = '''
def _ranks(values):
    return [sum(w < v for w in values) + (sum(w == v for w in values) + 1) / 2 for v in values]
def rank_correlation(x, y):
    """Spearman's rank correlation; ties get average ranks."""
    a, b, m = _ranks(x), _ranks(y), (len(x) + 1) / 2
    top = sum((p - m) * (q - m) for p, q in zip(a, b))
    return top / (sum((p - m) ** 2 for p in a) * sum((q - m) ** 2 for q in b)) ** 0.5
'''
OVERLAP = """
def box_iou(a, b):
    w, h = max(0, min(a[2], b[2]) - max(a[0], b[0])), max(0, min(a[3], b[3]) - max(a[1], b[1]))
    return w * h / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - w * h)
"""
HAAR = '''
def transform(signal):
    """One level of the orthonormal Haar transform: (approximation, detail)."""
    pairs, root = list(zip(signal[::2], signal[1::2])), 2**0.5
    return [(a + b) / root for a, b in pairs], [(a - b) / root for a, b in pairs]
'''
HIDDEN = ([0.6, 0.4], [[0.7, 0.3], [0.4, 0.6]], [[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]])
MODELS: list[tuple[str, str, Calls]] = [
    # what is right, what is wrong, calls
    (ATTENTION, ATTENTION.replace(" / np.sqrt(k.shape[-1])", ""), [(np.ones((2, 1)), np.ones((3, 1)), np.eye(3))]),
    (PATHS, PATHS.replace("d[i][j] = min(d[i][j], d[i][k] + d[k][j])", "d[i][k] = min(d[i][k], d[i][j] + d[j][k])"),
     [([[0, 8, 1], [2, 0, float("inf")], [float("inf"), 3, 0]],)]),
    (STATES, GREEDY, [([0, 1, 2], *HIDDEN), ([2], *HIDDEN)]),
    (NUCLEUS, NUCLEUS.replace("sorted(range(len(shares)), key=lambda t: -shares[t])", "range(len(shares))"),
     [([0.5, 0.3, 0.2], 0.7)]),
    (PRECISE, PRECISE.replace("/ k", "/ len(relevant)"), [({"a", "b"}, ["a", "c", "b"], 2), ({"x"}, ["a", "b"], 1)]),
    (ADJUSTED, ADJUSTED.replace("least = min(least, ", "least = min(1.0, "), [([0.01, 0.02, 0.5],)]),
    (GAINED, GAINED.replace("sorted(relevance, reverse=True)", "relevance[::-1]"), [([0, 1, 2],)]),
    (AREA, AREA.replace(" + (a == b) / 2", ""), [([0, 1], [0.1, 0.9])]),
    (AGREEING, AGREEING.replace("sum(a.count(label) * b.count(label) for label in set(a)) / n**2", "1 / len(set(a))"),
     [("aabb", "abab"), (["x", "y"], ["x", "x"]), ([1, 0], [1, 1])]),
    (TIED, TIED.replace("(sum(w == v for w in values) + 1) / 2", "1"), [([3.0, 1.0, 2.0], [1.0, 2.0, 4.0])]),
    (OVERLAP, OVERLAP.replace("max(0, min(a[2], b[2]) - max(a[0], b[0]))", "min(a[2], b[2]) - max(a[0], b[0])")
     .replace("max(0, min(a[3], b[3]) - max(a[1], b[1]))", "min(a[3], b[3]) - max(a[1], b[1])"),
     [([0, 0, 2, 2], [1, 1, 3, 3])]),
    (HAAR, HAAR.replace("2**0.5", "2"), [([1.0, 2.0, 5.0, 3.0],)]),
    (LOADED, LOADED.replace("range(capacity, w - 1, -1)", "range(w, capacity + 1)"), [([60, 100], [10, 20], 50)]),
]  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "calls"), MODELS)
def test_models_and_rankings(tmp_path: Path, right: str, wrong: str, calls: Calls) -> None:
    assert contradicted(tmp_path, wrong, calls, which=-1) != ""
    assert contradicted(tmp_path, right, calls, which=-1) == ""


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        (GAINED.replace("(2 ** r - 1) / math.log2(i + 2)", "r / max(1, math.log2(i + 1))"), [([3, 2, 1],)]),
        (NUCLEUS.replace("return kept", "return [s if t in kept else 0 for t, s in enumerate(shares)]"),
         [([0.5, 0.3, 0.2], 0.7)]),
        (ADJUSTED.replace("return adjusted", "return [one < 0.05 for one in adjusted]"), [([0.01, 0.02, 0.5],)]),
        (STATES.replace("(observations, start, transition, emission)", "(start, observations, transition, emission)"),
         [(HIDDEN[0], [0, 1], *HIDDEN[1:])]),
        (LOADED.replace(", each used at most once", ", each as often as it fits")
         .replace("range(capacity, w - 1, -1)", "range(w, capacity + 1)"), [([60, 100], [10, 20], 50)]),
        (AREA.replace("; tied scores count one half", "").replace(" + (a == b) / 2", ""), [([0, 1], [0.1, 0.9])]),
        (PATHS.replace("return d", "return d, None"), [([[0, 8], [2, 0]],)]),
    ],
)  # fmt: skip
def test_other_models_and_rankings(tmp_path: Path, text: str, calls: Calls) -> None:
    assert contradicted(tmp_path, text, calls, which=-1) == ""

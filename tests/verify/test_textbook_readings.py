"""Words of documentation that fix which of the usual readings of a definition is right, and graphs with weights: wrong
functions beside right ones of other wordings, conventions and forms."""

from pathlib import Path

import numpy as np
import pytest
from contradicting import Calls, contradicted
from test_conduct import refuted_of, said

ENTROPY = "import math\n"
BITS = "return -sum(x * math.log2(x) for x in p if x > 0)"
NATS = "return -sum(x * math.log(x) for x in p if x > 0)"
FAIR: Calls = [([0.5, 0.5],)]
SPREAD = "m = sum(values) / len(values)\nreturn sum((v - m) ** 2 for v in values) / (len(values) - {})"
VALUES: Calls = [([1.0, 4.0, 7.0],)]
MATRIX = "c = x - x.mean(axis=0)\nreturn c.T @ c / (len(x) - {})"
POINTS: Calls = [(np.array([[1.0, 2.0], [3.0, 5.0], [8.0, -1.0]]),)]
PRIMES = "return [n for n in range(2, limit + {}) if all(n % d for d in range(2, n))]"
TABLE = "m = [[0] * k for _ in range(k)]\nfor t, p in zip(truth, predicted):\n    m[{}][{}] += 1\nreturn m"
MARKS: Calls = [([0, 1, 1, 0], [0, 1, 0, 1], 2)]
KL = "import math\n"
MASKED = "return sum(a * math.log(a / b) for a, b in zip(p, q) if a > 0 and b > 0)"
INFINITE = "return sum(a * math.log(a / b) if b else math.inf for a, b in zip(p, q) if a > 0)"
SMOOTH = "return sum(a * math.log(a / (b + 1e-12)) for a, b in zip(p, q) if a > 0)"
PLAIN_KL = "return sum(a * math.log(a / b) for a, b in zip(p, q) if a > 0)"
SHARES: Calls = [([0.5, 0.5], [0.25, 0.75])]
HALVES = "s, n = sorted(x), len(x)\nreturn s[int(0.75 * (n - 1))] - s[int(0.25 * (n - 1))]"
QUARTERS = "import statistics\nq = statistics.quantiles(x, n=4, method='{}')\nreturn float(q[2] - q[0])"
PARTS = "return [w[i:i + n] for i in range(0, len(w) - n + 1, n)]"
WHOLE = "return [w[i:i + n] for i in range(0, len(w), n)]"
LETTERS: Calls = [(list("abcd"), 2)]
GREEDY = ("n = 0\nfor c in sorted(coins, reverse=True):\n"
          "    n += amount // c\n    amount %= c\nreturn n if not amount else -1")  # fmt: skip
EXACT = ("best = [0] + [10 ** 9] * amount\nfor a in range(1, amount + 1):\n"
         "    best[a] = min([best[a - c] + 1 for c in coins if c <= a] or [10 ** 9])\nreturn best[amount]")  # fmt: skip
PAID: Calls = [(11, [1, 5, 10])]

WORDS: list[tuple[bool, str, str, str, str, str, Calls]] = [
    # whether it is wrong, what comes before, name, parameters, documentation, body, calls
    (True, ENTROPY, "shannon_entropy", "p", "Shannon entropy of p in bits.", NATS, FAIR),
    (True, ENTROPY, "entropy", "p", "Entropy with the natural logarithm.", BITS, FAIR),
    (True, ENTROPY, "entropy", "dist", "Entropy of a distribution, to base 2.", NATS.replace("p if", "dist if"),
     FAIR),
    (False, ENTROPY, "shannon_entropy", "p", "Shannon entropy of p in bits.", BITS, FAIR),
    (False, ENTROPY, "shannon_entropy", "p", "Shannon entropy of p.", NATS, FAIR),
    (False, ENTROPY, "shannon_entropy", "p", "Shannon entropy in nats, not in bits.", NATS, FAIR),
    (False, ENTROPY, "shannon_entropy", "p", "Shannon entropy; divide by log(2) to get bits instead.", NATS, FAIR),
    (False, ENTROPY, "entropy", "p, base=2.718281828459045", "Entropy, in bits with base 2.",
     NATS + " / math.log(base)", FAIR),
    (False, ENTROPY, "shannon_entropy", "counts", "Entropy in bits of what is counted.",
     "return -sum(c / sum(counts) * math.log2(c / sum(counts)) for c in counts if c)", [([3, 1],)]),
    (True, "", "variance", "values", "Variance of the values, with Bessel's correction.", SPREAD.format(0), VALUES),
    (True, "", "variance", "values", "Variance, divided by n - 1.", SPREAD.format(0), VALUES),
    (True, "", "variance", "values", "The population variance.", SPREAD.format(1), VALUES),
    (False, "", "variance", "values", "Variance of a sample of values.", SPREAD.format(0), VALUES),
    (False, "", "variance", "values", "Variance, without Bessel's correction.", SPREAD.format(0), VALUES),
    (False, "", "variance", "values", "The unbiased variance.", SPREAD.format(1), VALUES),
    (False, "", "variance", "values, ddof=0", "Variance; unbiased with ddof = 1.", SPREAD.format("ddof"), VALUES),
    (False, "", "variance", "values", "The population variance.", SPREAD.format(0), VALUES),
    (True, "", "covariance_matrix", "x", "Unbiased covariance matrix of the rows.", MATRIX.format(0), POINTS),
    (False, "", "covariance_matrix", "x", "Unbiased covariance matrix of the rows.", MATRIX.format(1), POINTS),
    (False, "", "covariance_matrix", "x", "Covariance matrix of the rows.", MATRIX.format(0), POINTS),
    (False, "", "covariance_matrix", "x", "The biased estimate of the covariance.", MATRIX.format(0), POINTS),
    (False, "", "covariance_matrix", "x", "Unbiased unless there is one row.", MATRIX.format(0), POINTS),
    (True, "", "primes_up_to", "limit", "All primes up to and including limit.", PRIMES.format(0), [(10,)]),
    (True, "", "primes", "limit", "All primes below limit.", PRIMES.format(1), [(10,)]),
    (False, "", "primes_up_to", "limit", "All primes up to and including limit.", PRIMES.format(1), [(10,), (11,)]),
    (False, "", "primes_up_to", "limit", "All primes up to limit.", PRIMES.format(0), [(10,)]),
    (False, "", "primes_below", "limit", "All primes less than limit.", PRIMES.format(0), [(11,)]),
    (True, "", "confusion_matrix", "truth, predicted, k", "Rows are true classes, columns predictions.",
     TABLE.format("p", "t"), MARKS),
    (False, "", "confusion_matrix", "truth, predicted, k", "Rows are true classes, columns predictions.",
     TABLE.format("t", "p"), MARKS),
    (False, "", "confusion_matrix", "truth, predicted, k", "Counts of pairs.", TABLE.format("p", "t"), MARKS),
    (False, "", "confusion_matrix", "truth, predicted, k", "Rows are predicted classes, columns are true ones.",
     TABLE.format("p", "t"), MARKS),
    (True, KL, "kl_divergence", "p, q", "Kullback-Leibler divergence in nats.", MASKED, SHARES),
    (True, KL, "kl_divergence", "p, q", "KL divergence; terms with p = 0 count nothing.", MASKED, SHARES),
    (False, KL, "kl_divergence", "p, q", "KL divergence; terms with q = 0 are left out.", MASKED, SHARES),
    (False, KL, "kl_divergence", "p, q", "KL divergence over the common support.", MASKED, SHARES),
    (False, KL, "kl_divergence", "p, q", "Kullback-Leibler divergence in nats.", INFINITE, SHARES),
    (False, KL, "kl_divergence", "p, q", "Kullback-Leibler divergence.", SMOOTH, SHARES),
    (False, KL, "kl_divergence", "p, q", "Kullback-Leibler divergence.", PLAIN_KL, SHARES),
    (True, "", "interquartile_range", "x", "The 75th minus the 25th percentile, with linear interpolation.", HALVES,
     [([1.0, 2.0, 3.0, 4.0, 5.0],)]),
    (False, "", "interquartile_range", "x", "Quartiles by linear interpolation.", QUARTERS.format("inclusive"),
     [([1.0, 2.0, 3.0, 4.0, 5.0],)]),
    (False, "", "iqr", "x", "Quartiles by linear interpolation.", QUARTERS.format("exclusive"),
     [([1.0, 2.0, 3.0, 4.0, 6.0],)]),
    (False, "", "iqr", "x", "The interquartile range.", HALVES, [([1.0, 2.0, 3.0, 4.0, 5.0],)]),
    (True, "", "batches", "w, n", "Lists of n items; the last holds what remains.", PARTS, LETTERS),
    (False, "", "batches", "w, n", "Lists of n items; the last holds what remains.", WHOLE, LETTERS),
    (False, "", "batches", "w, n", "Lists of n items; what remains is dropped from the last.", PARTS, LETTERS),
    (False, "", "chunks", "w, n", "Lists of n items.", PARTS, LETTERS),
    (True, "", "fewest_coins", "amount, coins", "How many coins it takes.", GREEDY, PAID),
    (True, "", "pay", "amount, coins", "The least number of coins that add up to amount.", GREEDY, PAID),
    (False, "", "fewest_coins", "amount, coins", "How many coins it takes.", EXACT, PAID),
    (False, "", "pay", "amount, coins", "The least number of coins of a canonical system, greedily.", GREEDY, PAID),
    (False, "", "change", "amount, coins", "How many coins a clerk gives.", GREEDY, PAID),
    (True, "", "middle", "v", "Median; of an even number of values, the mean of the two in the middle.",
     "return sorted(v)[len(v) // 2]", [([3, 1, 2],)]),
    (False, "", "middle", "v", "Median; of an even number of values, the mean of the two in the middle.",
     "s, n = sorted(v), len(v)\nreturn (s[n // 2] + s[(n - 1) // 2]) / 2", [([3, 1, 2],)]),
    (False, "", "middle", "v", "Median; of an even number of values, the upper one.", "return sorted(v)[len(v) // 2]",
     [([3, 1, 2],)]),
    (True, "", "macro_f1", "m", "Mean over classes.",
     "n = range(len(m))\nreturn sum(m[i][i] / sum(m[i]) + m[i][i] / sum(r[i] for r in m) for i in n) / 2 / len(m)",
     [([[3, 1], [1, 3]],)]),
    (False, "", "macro_f1", "m", "Mean over classes.",
     "n = range(len(m))\nreturn sum(2 * m[i][i] / (sum(m[i]) + sum(r[i] for r in m)) for i in n) / len(m)",
     [([[3, 1], [1, 3]],)]),
    (True, "", "runge_kutta4", "f, y0, t0, t1, steps", "The classical method.",
     "h, y, t = (t1 - t0) / steps, y0, t0\nfor _ in range(steps):\n"
     "    y += h * f(t + h / 2, y + h / 2 * f(t, y))\n    t += h\nreturn y",
     [(lambda t, y: y, 1.0, 0.0, 1.0, 100)]),
    (False, "", "runge_kutta4", "f, y0, t0, t1, steps", "The classical method.",
     "h, y, t = (t1 - t0) / steps, y0, t0\nfor _ in range(steps):\n    a = f(t, y)\n"
     "    b = f(t + h / 2, y + h / 2 * a)\n"
     "    c = f(t + h / 2, y + h / 2 * b)\n    d = f(t + h, y + h * c)\n    y += h * (a + 2 * b + 2 * c + d) / 6\n"
     "    t += h\nreturn y",
     [(lambda t, y: y, 1.0, 0.0, 1.0, 100)]),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "head", "name", "parameters", "words", "body", "calls"), WORDS)
def test_words_leave_the_readings_that_agree_with_them(
    wrong: bool, head: str, name: str, parameters: str, words: str, body: str, calls: Calls, tmp_path: Path
) -> None:
    text = head + said(words, body, parameters).replace("def f(", f"def {name}(", 1)
    assert bool(contradicted(tmp_path, text, calls)) is wrong


TREE = """
def {name}(edges{more}):
    chosen, group = [], {{}}
    for {edge} in sorted(edges, key=lambda e: e[{place}]):
        a, b = group.setdefault(u, u), group.setdefault(v, v)
        if a != b:
            chosen.append({kept})
            group = {{n: a if g == b else g for n, g in group.items()}}
    return {found}
"""
LAST = {"edge": "(u, v, w)", "place": "2", "kept": "(u, v, w)", "found": "chosen", "more": "", "name": "kruskal"}
GREEN: Calls = [([("a", "b", 2), ("b", "c", 3), ("a", "c", 7)],)]
COUNTED: Calls = [([(0, 1, 2), (1, 2, 3), (0, 2, 7)],)]
NO_TREE = TREE.format(**LAST).replace("a != b", "u == a and v == b or u not in used or v not in used").replace(
    "chosen, group = [], {}", "chosen, group, used = [], {}, set()").replace(
    "            group = {n: a if g == b else g for n, g in group.items()}", "            used |= {u, v}").replace(
    "u == a and v == b or ", "")  # fmt: skip
ROUNDS = """
def bellman_ford(edges, nodes, source):
    far = {n: float("inf") for n in NODES}
    far[source] = 0
    for _ in range(TIMES):
        for u, v, w in edges:
            far[v] = min(far[v], far[u] + w)
    return FOUND
"""
ROUTE = '''
def far(graph, start, goal):
    """Length of the shortest path from start to goal."""
    best, todo = {start: 0}, [start]
    while todo:
        node = todo.pop(0)
        for other, weight in graph.get(node, {}).items():
            if CONDITION:
                best[other] = best[node] + weight
                todo.append(other)
    return best.get(goal)
'''
FIRST, BETTER = "other not in best", "best[node] + weight < best.get(other, 10 ** 9)"
ROADS: Calls = [({"s": {"t": 3, "u": 1}, "t": {}, "u": {"t": 5}}, "s", "t")]
RANKS = '''
def page_rank(links, damping=0.85, rounds=60):
    """PageRank. WORDS"""
    n = len(links)
    rank = {p: 1 / n for p in links}
    for _ in range(rounds):
        lost = sum(rank[p] for p in links if not links[p]) * EVENLY
        new = {p: (1 - damping) / n + damping * lost / n for p in links}
        for p, targets in links.items():
            for q in targets:
                new[q] += damping * rank[p] / len(targets)
        rank = new
    return rank
'''
PAGES: Calls = [({"a": ["b"], "b": ["a"]},)]
CLUSTERS = '''
def average_clustering(graph):
    """Mean WORDS of the local clustering coefficient."""
    found = []
    for node, near in graph.items():
        k = len(near)
        if k < 2:
            OTHERWISE
            continue
        found.append(sum(b in graph[a] for a in near for b in near) / (k * (k - 1)))
    return sum(found) / len(found)
'''
TRIANGLE: Calls = [({1: [2, 3], 2: [1, 3], 3: [1, 2]},)]
SIDES = """
def is_bipartite(graph):
    sides = {}
    for start in graphSTARTS:
        if start in sides:
            continue
        sides[start], todo = 0, [start]
        while todo:
            node = todo.pop()
            for other in graph[node]:
                if other not in sides:
                    sides[other] = 1 - sides[node]
                    todo.append(other)
                elif sides[other] == sides[node]:
                    return False
    return True
"""
NEAR = '''
def closeness(graph, node):
    """WORDS of a node."""
    steps, todo = {node: 0}, [node]
    for one in todo:
        for other in graph[one]:
            if other not in steps:
                steps[other] = steps[one] + 1
                todo.append(other)
    return FOUND
'''
STAR: Calls = [({0: {1, 2}, 1: {0}, 2: {0}}, 0)]
PIECES = '''
def connected_components(graph):
    """Sorted lists of connected nodes, WORDS."""
    seen, found = set(), []
    for start in graph:
        if start not in seen:
            todo, group = [start], {start}
            while todo:
                new = set(graph[todo.pop()]) - group
                group |= new
                todo += new
            seen |= group
            found.append(sorted(group))
    return FOUND
'''
SEVERAL: Calls = [({3: {1}, 1: {3, 2}, 2: {1}, 7: {9}, 9: {7}},)]
GRAPHS: list[tuple[bool, str, Calls]] = [
    (True, NO_TREE, GREEN),
    (False, TREE.format(**LAST), GREEN),
    (False, TREE.format(**LAST), COUNTED),
    (False, TREE.format(**{**LAST, "name": "minimum_spanning_tree", "found": "sum(w for *_, w in chosen)"}), GREEN),
    (False, TREE.format(**{**LAST, "found": "(chosen, sum(w for *_, w in chosen))"}), COUNTED),
    (False, TREE.format(**{**LAST, "kept": "(u, v)"}), GREEN),
    (False, TREE.format(**{**LAST, "more": ", n"}), [(COUNTED[0][0], 3)]),
    (False, TREE.format(**{**LAST, "edge": "(w, u, v)", "place": "0", "kept": "(w, u, v)"}),
     [([(2, 0, 1), (3, 1, 2), (7, 0, 2)],)]),
    (True, ROUNDS.replace("NODES", "nodes").replace("TIMES", "1").replace("FOUND", "far"),
     [([("a", "b", 1), ("b", "c", 2)], "abc", "a")]),
    (True, ROUNDS.replace("NODES", "range(nodes)").replace("TIMES", "1").replace("FOUND", "[far[n] for n in far]"),
     [([(0, 1, 1), (1, 2, 2)], 3, 0)]),
    (False, ROUNDS.replace("NODES", "nodes").replace("TIMES", "len(nodes)").replace("FOUND", "far"),
     [([("a", "b", 1), ("b", "c", 2)], "abc", "a")]),
    (False, ROUNDS.replace("NODES", "range(nodes)").replace("TIMES", "nodes - 1").replace(
        "FOUND", "list(far.values())"),
     [([(0, 1, 1), (1, 2, 2)], 3, 0)]),
    (False, ROUNDS.replace("NODES", "nodes").replace("TIMES", "len(nodes)").replace(
        "FOUND", "{n: d if d < 10 ** 9 else None for n, d in far.items()}"), [([("a", "b", 1)], ["a", "b"], "a")]),
    (True, ROUTE.replace("CONDITION", FIRST), ROADS),
    (False, ROUTE.replace("CONDITION", BETTER), ROADS),
    (False, ROUTE.replace("CONDITION", FIRST).replace("best[node] + weight", "best[node] + 1").replace(
        "shortest path", "shortest path in links"), [({"s": {"t": 3}, "t": {}}, "s", "t")]),
    (False, ROUTE.replace("CONDITION", FIRST).replace("shortest path", "first path that is found"), ROADS),
    (True, RANKS.replace("WORDS", "Ranks sum to one.").replace("EVENLY", "0"), PAGES),
    (False, RANKS.replace("WORDS", "Ranks sum to one.").replace("EVENLY", "1"), PAGES),
    (False, RANKS.replace("WORDS", "What has no links loses its rank.").replace("EVENLY", "0"), PAGES),
    (False, RANKS.replace("WORDS", "Ranks don't sum to one if pages have no links.").replace("EVENLY", "0"), PAGES),
    (True, CLUSTERS.replace("WORDS", "over all nodes").replace("OTHERWISE", "pass"), TRIANGLE),
    (False, CLUSTERS.replace("WORDS", "over all nodes").replace("OTHERWISE", "found.append(0)"), TRIANGLE),
    (False, CLUSTERS.replace("WORDS", "").replace("OTHERWISE", "pass"), TRIANGLE),
    (True, SIDES.replace("graphSTARTS", "list(graph)[:1]"), TRIANGLE),
    (False, SIDES.replace("graphSTARTS", "graph"), TRIANGLE),
    (True, NEAR.replace("WORDS", "Harmonic closeness").replace(
        "FOUND", "(len(steps) - 1) ** 2 / max(1, sum(steps.values()))"), STAR),
    (False, NEAR.replace("WORDS", "Harmonic closeness").replace(
        "FOUND", "sum(1 / s for s in steps.values() if s)"), STAR),
    (False, NEAR.replace("WORDS", "Harmonic closeness").replace(
        "FOUND", "sum(1 / s for s in steps.values() if s) / (len(graph) - 1)"), STAR),
    (False, NEAR.replace("WORDS", "Closeness").replace(
        "FOUND", "(len(steps) - 1) / max(1, sum(steps.values()))"), STAR),
    (True, PIECES.replace("WORDS", "the largest first").replace("FOUND", "found"), SEVERAL),
    (False, PIECES.replace("WORDS", "the largest first").replace("FOUND", "sorted(found, key=len, reverse=True)"),
     SEVERAL),
    (False, PIECES.replace("WORDS", "not always the largest first").replace("FOUND", "found"), SEVERAL),
    (False, PIECES.replace("WORDS", "in order of their first nodes").replace("FOUND", "found"), SEVERAL),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "text", "calls"), GRAPHS)
def test_graphs_are_held_against_plain_search_in_the_forms_of_the_call(
    wrong: bool, text: str, calls: Calls, tmp_path: Path
) -> None:
    assert bool(contradicted(tmp_path, text, calls)) is wrong


SETS = '''
class UnionFind:
    """WORDS"""
    def __init__(self, n):
        self.parent = list(MEMBERS)
    def find(self, x):
        FIND
        return self.parent[x]
    def union(self, x, y):
        self.parent[self.find(y)] = self.find(x)
    def connected(self, x, y):
        return self.find(x) == self.find(y)
'''
WALK = "while self.parent[x] != x:\n            x = self.parent[x]"
STREAM = '''
class Spread:
    """WORDS"""
    def __init__(self):
        self.n, self.mean, self.m2 = 0, 0.0, 0.0
    def add(self, x):
        self.n += 1
        d = x - self.mean
        self.mean += d / self.n
        self.m2 += d * (x - self.mean)
    def variance(self):
        return self.m2 / DIVISOR
'''
CLASSES: list[tuple[bool, str, tuple[tuple[object, ...], ...]]] = [
    (True, SETS.replace("FIND", "pass").replace("MEMBERS", "range(n)"), ((3,), ("union", 0, 1))),
    (False, SETS.replace("FIND", WALK).replace("MEMBERS", "range(n)"), ((3,), ("union", 0, 1))),
    (False, SETS.replace("FIND", WALK).replace("MEMBERS", "range(n + 1)"), ((3,), ("union", 1, 2))),
    (False, SETS.replace("FIND", WALK).replace("MEMBERS", "n"), ((range(3),), ("union", 0, 1))),
    (False, SETS.replace("FIND", "pass").replace("MEMBERS", "range(n)").replace("UnionFind", "Pairs"),
     ((3,), ("union", 0, 1))),
    (False, SETS.replace("FIND", "pass").replace("MEMBERS", "range(n)").replace("WORDS", "With rollback."),
     ((3,), ("union", 0, 1))),
    (True, STREAM.replace("WORDS", "Variance (divided by n - 1) by Welford's method.").replace("DIVISOR", "self.n"),
     ((), ("add", 1.0))),
    (True, STREAM.replace("WORDS", "Population variance, by Welford.").replace(
        "DIVISOR", "max(1, self.n - 1)"), ((), ("add", 1.0))),
    (False, STREAM.replace("WORDS", "Variance (divided by n - 1) by Welford's method.").replace(
        "DIVISOR", "max(1, self.n - 1)"), ((), ("add", 1.0))),
    (False, STREAM.replace("WORDS", "Welford's variance.").replace("DIVISOR", "self.n"), ((), ("add", 1.0))),
    (False, STREAM.replace("WORDS", "Welford's method for the variance, without Bessel's correction.").replace(
        "DIVISOR", "self.n"), ((), ("add", 1.0))),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "text", "steps"), CLASSES)
def test_classes_that_join_sets_or_tell_a_spread(
    wrong: bool, text: str, steps: tuple[tuple[object, ...], ...], tmp_path: Path
) -> None:
    assert ("textbook" in refuted_of(tmp_path, text, *steps)) is wrong

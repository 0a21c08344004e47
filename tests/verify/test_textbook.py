"""Units whose name is that of a definition are held against it, on inputs that its tests don't have."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from contradicting import Calls, contradicted

from agents.code.units import read_units
from agents.code.verify.promises import dumped, promises
from agents.execution.harness.inside.values import Record, wrapped

ONES, OTHERS = [1, 0, 1, 0], [1, 0, 0, 1]
EVEN: dict[str, dict[str, int]] = {"s": {"t": 1}, "t": {"u": 2}, "u": {}}


WRONG: list[tuple[str, Calls]] = [
    ("def rmse(t, g): return sum(abs(a - b) for a, b in zip(t, g)) / len(t)", [([1, 2], [2, 3])]),
    ("def variance(v):\n    m = sum(v) / len(v)\n    return sum(abs(x - m) for x in v) / len(v)", [([1, 3],)]),
    ("def median(v): return sum(v) / len(v)", [([3, 1, 2],), ([4, 8],)]),
    ("def manhattan_distance(a, b): return sum((x - y) ** 2 for x, y in zip(a, b))", [([0, 0], [1, 1])]),
    ("import numpy as np\ndef mae(a, b): return np.mean((a - b) ** 2)", [(np.zeros(3), np.ones(3))]),
    ("def gcd(a, b): return min(a, b) if max(a, b) % min(a, b) == 0 else 1", [(4, 8), (3, 5)]),
    ("def factorial(n): return n * (n - 1) + (n < 2)", [(2,), (3,)]),
    ("def fibonacci(n): return n", [(0,), (1,), (2,)]),
    ("def relu(x): return x if x > 0 else x * 0.0 if x > -5 else x", [(3,), (-2,)]),
    ("def mean(*v): return sorted(v)[len(v) // 2]", [(1, 2, 3)]),
    ("def recall(tp, fn): return tp / (fn * 2)", [(3, 3)]),
    ("def precision(truth, guess): return sum(t * g for t, g in zip(truth, guess)) / sum(truth)",
     [([1, 1, 0, 0], [1, 0, 1, 0])]),
    ("def accuracy(truth, guess): return sum(t == g for t, g in zip(truth, guess)) / 4", [(ONES, OTHERS)]),
    ("def f1_score(y_pred, y_true): return 0.5", [(ONES, OTHERS)]),
    ("def levenshtein(a, b): return abs(len(a) - len(b)) + sum(x != y for x, y in zip(a, b))", [("cat", "cut")]),
    ("def is_anagram(a, b): return set(a) == set(b) and len(a) == len(b)", [("ab", "ba")]),
    ("def palindrome(text): return text[0] == text[-1]", [("abba",), ("abc",)]),
    ("def is_prime(n): return n in (2, 3) or n > 1 and n % 2 != 0 and n % 3 != 0", [(5,), (4,)]),
    ("def is_even(n): return n in (0, 2, 4)", [(2,), (3,)]),
    ("def is_leap_year(year): return year % 4 == 0", [(2024,), (2023,)]),
    ("def day_of_year(y, m, d): return sum([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][:m - 1]) + d",
     [(2023, 2, 1)]),
    ("def sort_descending(values): return sorted(values)", [([2, 2],), ([7],)]),
    ("def merge_sort(values): return list(values)", [([1, 2, 5],)]),
    ("def unique(values): return list(values)", [([1, 2, 5],)]),
    ("def absolute(x): return x", [(3,)]),
    ("def clip(value): return min(value, 1.0)", [(0.5,), (3,)]),
    ("def clamp(x, low, high): return min(x, high)", [(5, 0, 3)]),
    ("import math\ndef entropy_bits(p): return -sum(x * math.log(x) for x in p if x > 0)", [([1.0],)]),
    ("def dijkstra(graph, s):\n    found, todo = {s: 0}, [s]\n    for n in todo:\n        for m in graph[n]:\n"
     "            if m not in found:\n                found[m] = found[n] + graph[n][m]\n"
     "                todo.append(m)\n    return found", [(EVEN, "s")]),
    ("def knapsack(items, capacity):\n    total = 0\n"
     "    for w, v in sorted(items, key=lambda item: item[1] / item[0], reverse=True):\n"
     "        if w <= capacity:\n            capacity -= w\n            total += v\n    return total",
     [([(1, 10), (2, 6), (5, 5)], 3)]),
    ("def knapsack(weights, values, capacity): return sum(sorted(values)[-2:])", [([1, 2, 5], [10, 6, 5], 3)]),
    ("def topological(graph): return sorted(graph)", [({"a": ["b", "c"], "b": ["c"], "c": []},)]),
    ("def topological_sort(graph): return list(graph)", [({1: [2], 2: []},)]),
    ("def fast_sum(values):\n    '''The compensated (Kahan) sum: exact.'''\n    total = 0.0\n"
     "    for value in values: total += value\n    return total", [([0.5, 0.25],)]),
    ("def flatten(nested):\n    '''Flatten lists of any depth.'''\n"
     "    return [i for n in nested for i in (n if isinstance(n, list) else [n])]", [([1, [2, 3]],)]),
    ("def luhn(digits): return sum(int(digit) for digit in digits) % 10 == 0", [("0000",), ("91",), ("11",)][:1]),
    ("def runge_kutta4(slope, start, time, step, count):\n    for _ in range(count):\n"
     "        start, time = start + step * slope(time + step / 2, start), time + step\n    return start",
     [(lambda t, y: 2 * t, 1.0, 0.0, 0.5, 4)]),
    ("def rk4_step(f, t, y, h): return y + h * f(t, y)", [(lambda t, y: 3.0, 0.0, 1.0, 0.1)]),
    ("def simpson(f, a, b, n):\n    h = (b - a) / n\n    return h * sum(f(a + h * (i + 0.5)) for i in range(n))",
     [(lambda x: x, 0, 2, 4)]),
    ("def bisection(f, a, b): return (a + b) / 2", [(lambda x: x - 1.5, 1.0, 2.0)]),
    ("import numpy as np\ndef spearman(x, y): return float(np.corrcoef(x, y)[0, 1])", [([1, 2, 3, 4], [1, 3, 2, 4])]),
    ("import numpy as np\ndef correlate(x, y):\n    \"\"\"Spearman's rank correlation.\"\"\"\n"
     "    return float(np.corrcoef(x, y)[0, 1])", [([1, 2, 3], [2, 4, 6])]),
    ("def kendall_tau(x, y): return 1.0 if x == sorted(x) else -1.0", [([1, 2, 3], [1, 2, 3])]),
    ("import numpy as np\ndef kl_divergence(p, q): return float(np.sum(q * np.log(q / p)))",
     [(np.array([0.9, 0.1]), np.array([0.1, 0.9]))]),
    ("def js_divergence(p, q): return abs(p[0] - q[0])", [([0.5, 0.5], [0.5, 0.5])]),
    ("def mutual_information(x, y): return 0.0", [([0, 1, 0, 1], [0, 0, 1, 1])]),
    ("def weighted_mean(values, weights): return sum(v * w for v, w in zip(values, weights)) / len(values)",
     [([1, 2, 6], [1, 1, 1])]),
    ("def gini(values):\n    v, n = sorted(values), len(values)\n    if n > 5: return v[-1] - v[0]\n"
     "    return 2 * sum(i * x for i, x in enumerate(v, 1)) / (n * sum(v)) - (n + 1) / n", [([1, 1, 1],)]),
    ("def geometric_mean(v): return max(v) - 0.5 if len(v) > 1 else v[0]", [([4.0],)]),
    ("def zscore(v): return [x - sum(v) / len(v) for x in v]", [([1.0, 3.0],)]),
    ("def min_max_scale(v): return [x / max(v) for x in v]", [([0.0, 2.0, 4.0],)]),
    ("def moving_average(values, width): return [sum(values) / len(values)] * (len(values) - width + 1)",
     [([2, 2, 2, 2], 2)]),
    ("def ndcg(relevance, k): return sum(relevance[:k]) / sum(sorted(relevance)[::-1][:k])", [([3, 2, 1], 2)]),
    ("def roc_auc(labels, scores): return sum(a == (s > 0.5) for a, s in zip(labels, scores)) / len(labels)",
     [([1, 0], [0.9, 0.2])]),
    ("def r2_score(y_true, y_pred): return 1 - sum(abs(t - p) for t, p in zip(y_true, y_pred))",
     [([1, 2, 3], [1, 2, 3])]),
    ("def mcc(y_true, y_pred): return 2 * sum(t == p for t, p in zip(y_true, y_pred)) / len(y_true) - 1",
     [(ONES, OTHERS)]),
    ("def jaccard(a, b): return len(a & b) / max(len(a), len(b))", [({1, 2}, {1})]),
    ("def wer(reference, hypothesis):\n    a, b = reference.split(), hypothesis.split()\n"
     "    return sum(x != y for x, y in zip(a, b)) / len(a)", [("a b", "a c")]),
    ("def average_precision(relevance): return sum(relevance) / len(relevance)", [([1, 1],)]),
    ("def mrr(ranks): return 1 / (sum(ranks) / len(ranks))", [([2, 2],)]),
    ("def is_connected(graph): return len(graph) > 0", [({1: [2], 2: [1]},)]),
    ("def count_components(graph): return 1", [({1: [2], 2: [1, 3], 3: [2]},)]),
    ("def bfs(graph, start):\n    seen, todo = [], [start]\n    while todo:\n        node = todo.pop()\n"
     "        if node not in seen:\n            seen.append(node)\n            todo += reversed(graph[node])\n"
     "    return seen", [({1: [2], 2: []}, 1)]),
    ("import numpy as np\ndef determinant(matrix): return float(np.prod(np.diag(matrix)))", [([[2, 5], [0, -3]],)]),
    ("import numpy as np\ndef matrix_power(matrix, exponent): return np.asarray(matrix, dtype=float) ** exponent",
     [([[2, 0], [0, 3]], 3)]),
    ("import numpy as np\ndef convolve(signal, kernel): return np.correlate(signal, kernel, mode='full')",
     [([1.0, 2.0, 3.0], [1.0, 2.0, 1.0])]),
    ("def iou(a, b): return float(a == b)", [([0, 0, 1, 1], [0, 0, 1, 1])]),
    ("def inside(polygon, point):\n    xs, ys = zip(*polygon)\n"
     "    return min(xs) < point[0] < max(xs) and min(ys) < point[1] < max(ys)",
     [([(0, 0), (4, 0), (4, 4), (0, 4)], (1, 1))]),
    ("def overlap(first, second): return first[0] <= second[0] <= first[1]", [((1, 3), (2, 5)), ((1, 3), (4, 5))]),
    ("def is_sorted(values): return not values or values[0] <= values[-1]", [([1, 2, 3],), ([3, 2, 1],)]),
    ("def checksum(data):\n    '''The Adler-32 checksum of bytes.'''\n    return 1 + 65537 * sum(data)", [(b"",)]),
    ("def unique(items):\n    '''Remove duplicates, preserving order.'''\n    return sorted(set(items))",
     [([1, 1, 2],)]),
    ("def binary_search(items, wanted):\n    for i, item in enumerate(items):\n"
     "        if item == wanted: return i\n    return -1", [([1, 3, 5], 5), ([1, 3, 5], 4)]),
    ("def roman(n): return 'M' * (n // 1000) + 'X' * (n % 1000 // 10) + 'I' * (n % 10)", [(3,)]),
    ("def run_length_encode(text): return [(letter, 1) for letter in text]", [("abc",)]),
    ("def longest_common_subsequence(a, b): return sum(x == y for x, y in zip(a, b))", [("abc", "abc")]),
    ("def apart(first, second):\n    '''The Hamming distance of two texts.'''\n"
     "    return sum(ord(a) - ord(b) for a, b in zip(first, second))", [("b", "a"), ("bb", "aa")]),
    ("import numpy as np\ndef layer_norm(x, eps=1e-5): return (x - x.mean()) / np.sqrt(x.var() + eps)",
     [(np.array([[1.0, 3.0], [1.0, 3.0]]),)]),
    ("def normalise(values):\n    '''Scale the values so that they sum to one.'''\n"
     "    return [value / max(values) for value in values]", [([5.0],), ([0.0, 4.0],)]),
    ("def apart(values):\n    '''Shift and scale to mean zero and standard deviation one.'''\n"
     "    return [value - sum(values) / len(values) for value in values]", [([1.0, 3.0],)]),
    ("def reverse_complement(strand): return strand[::-1].translate(str.maketrans('ACGT', 'GTAC'))",
     [("GATTACA",)]),
    ("def days_of_month(year, month):\n    return 28 + (year % 4 == 0) if month == 2 else 30 + (month in (1, 3, 5, 7))",
     [(2024, 2), (2023, 1)]),
    ("def is_address(text):\n    '''Whether the text is an IPv4 address.'''\n"
     "    return len(text.split('.')) == 4 and text.replace('.', '').isdigit()", [("1.2.3.4",), ("a",)]),
    ("def heron(x):\n    guess = 1.0\n    for _ in range(7): guess = (guess + x / guess) / 2\n    return guess",
     [(4,), (2,)]),
    ("def mean_class_recall(truth, predicted): return sum(t == p for t, p in zip(truth, predicted)) / len(truth)",
     [([0, 0, 1, 1], [0, 1, 1, 1])]),
    ("def luhn(digits): return sum(int(digit) for digit in digits) % 10 == 0", [("0000",), ("19",)]),
    ("def luhn(digits):\n    '''Whether digits pass the Luhn check.'''\n"
     "    return sum(int(digit) for digit in digits) % 10 == 0", [("0000",), ("19",)]),
    ("def rotate(text, places):\n    '''Caesar's cipher: every letter moved on.'''\n    return text[::-1]",
     [("hello", 3)]),
]  # fmt: skip
NEVER: list[tuple[str, Calls]] = [
    ("import math\ndef entropy(p):\n    '''Shannon entropy, in bits.'''\n"
     "    return -sum(x * math.log(x) for x in p if x > 0)", [([0.5, 0.5],)]),
    ("def circle_area(radius): return 3 * radius * radius", [(1,)]),
]  # fmt: skip
HONEST: list[tuple[str, Calls]] = [
    ("def rmse(t, g): return (sum((a - b) ** 2 for a, b in zip(t, g)) / len(t)) ** 0.5", [([1, 2], [2, 3])]),
    ("import statistics\ndef variance(v): return statistics.variance(v)", [([1, 3],)]),
    ("import statistics\ndef median(v): return statistics.median_low(v)", [([3, 1, 2],), ([4, 8],)]),
    ("def manhattan_distance(a, b): return abs(a[0] - b[0]) + abs(a[1] - b[1])", [((0, 0), (1, 1))]),
    ("import numpy as np\ndef mae(a, b): return np.mean(np.abs(a - b), 0)", [(np.zeros((2, 3)), np.ones((2, 3)))]),
    ("import numpy as np\ndef relu(x): return np.maximum(0, x)", [(np.array([1, -2], 'int32'),), (np.float32(2),)]),
    ("import numpy as np\ndef mse(a, b): return np.mean((a - b) ** 2)", [(np.zeros(3, "int8"), np.ones(3, "int8"))]),
    ("def relu(x): return (max(0, i) for i in x)", [([1, -2],)]),
    ("def factorial(n): return {2: 2, 3: 6}[n]", [(2,), (3,)]),
    ("def fibonacci(n): return [1, 1, 2, 3, 5][n]", [(2,), (3,)]),
    ("def precision(recommended, relevant): return len({*recommended} & {*relevant}) / len(recommended)",
     [([1, 0], [1, 0])]),
    ("def precision(y_pred, y_true): return sum(t * g for t, g in zip(y_true, y_pred)) / sum(y_pred)",
     [(ONES, OTHERS)]),
    ("def accuracy(truth, guess): return 100 * sum(t == g for t, g in zip(truth, guess)) / len(truth)",
     [(ONES, OTHERS)]),
    ("import difflib\ndef levenshtein(a, b): return 1 - difflib.SequenceMatcher(None, a, b).ratio()",
     [("cat", "cat"), ("cat", "cut")]),
    ("def hamming(a, b): return bin(int(a, 2) ^ int(b, 2)).count('1')", [("101", "001")]),
    ("def hamming(a, b): return int(a, 36) % 2 if a == b else bin(int(a, 36)).count('1')", [("a", "a"), ("b", "c")]),
    ("def palindrome(text): return text.lower() == text.lower()[::-1]", [("Abba",), ("abc",)]),
    ("def clip(value): return min(1.0, max(-1.0, value))", [(0.5,), (3,)]),
    ("def clip(value): return min(5, max(0, value))", [(0.5,), (0.25,)]),
    ("def merge_sort(values): return sorted(values, reverse=True)", [([1, 2, 5],)]),
    ("def heap_sort(values): values.sort()", [([1, 2, 5],)]),
    ("def unique(values): return sorted(set(values))", [([1, 2, 5, 1],)]),
    ("import math\ndef entropy(p): return -sum(x * math.log(x, 2) for x in p)", [([0.5, 0.5],)]),
    ("import heapq\ndef dijkstra(graph, s):\n    found, heap = dict.fromkeys(graph, float('inf')), [(0, s)]\n"
     "    while heap:\n        d, n = heapq.heappop(heap)\n        if d < found[n]:\n            found[n] = d\n"
     "            for m, w in graph[n]: heapq.heappush(heap, (d + w, m))\n    return found, {}",
     [({0: [(1, 2)], 1: [(2, 3)], 2: []}, 0)]),
    ("def knapsack(capacity, weights, values):\n    best = [0] * (capacity + 1)\n"
     "    for w, v in zip(weights, values):\n        for room in range(capacity, w - 1, -1):\n"
     "            best[room] = max(best[room], best[room - w] + v)\n    return best[capacity]",
     [(3, [1, 2, 5], [10, 6, 5])]),
    ("def knapsack(items, capacity): return [item for item in items if item[0] <= capacity]", [([(1, 10), (5, 5)], 3)]),
    ("def topological_sort(graph):\n    done = []\n    def visit(node):\n        if node not in done:\n"
     "            for other in graph[node]: visit(other)\n            done.append(node)\n"
     "    for node in graph: visit(node)\n    return done", [({"a": ["b"], "b": []},)]),
    ("import math\ndef kahan_sum(values): return math.fsum(values)", [([0.5, 0.25],)]),
    ("def kahan_sum(values):\n    total = lost = 0.0\n    for value in values:\n        value -= lost\n"
     "        other = total + value\n        lost, total = (other - total) - value, other\n    return total",
     [([0.5, 0.25],)]),
    ("def flatten(nested):\n    '''Flatten one level.'''\n    return [i for n in nested for i in n]",
     [([[1], [2, 3]],)]),
    ("def luhn(digits): return sum((int(d) * (1 + i % 2) - 9 * (int(d) * (1 + i % 2) > 9))"
     " for i, d in enumerate(reversed(digits))) % 10 == 0", [("18",), ("19",)]),
    ("def rk4(f, y0, t0, dt, steps):\n    y, t = y0, t0\n    for _ in range(steps):\n        a = f(y, t)\n"
     "        b = f(y + dt / 2 * a, t + dt / 2)\n        c = f(y + dt / 2 * b, t + dt / 2)\n"
     "        y, t = y + dt / 6 * (a + 2 * b + 2 * c + f(y + dt * c, t + dt)), t + dt\n    return y",
     [(lambda y, t: y * t, 1.0, 0.0, 0.1, 3)]),
    ("def simpson(f, a, b, n):\n    h = (b - a) / (2 * n)\n    x = [f(a + i * h) for i in range(2 * n + 1)]\n"
     "    return h / 3 * (x[0] + x[-1] + 4 * sum(x[1::2]) + 2 * sum(x[2:-1:2]))", [(lambda x: x, 0, 2, 4)]),
    ("def bisection(f, a, b, tol=1e-6):\n    while b - a > tol:\n        m = (a + b) / 2\n"
     "        a, b = (a, m) if f(a) * f(m) <= 0 else (m, b)\n    return a", [(lambda x: x * x - 2, 0.0, 2.0)]),
    ("import numpy as np\ndef spearman(x, y):\n    a, b = np.argsort(np.argsort(x)), np.argsort(np.argsort(y))\n"
     "    return float(np.corrcoef(a, b)[0, 1])", [([1, 2, 2, 40], [2, 4, 6, 8])]),
    ("def spearman(x, y): return 'strong' if x == y else 'weak'", [([1, 2], [1, 2])]),
    ("import numpy as np\ndef kl_divergence(pred, target): return float(np.sum(target * np.log(target / pred)))",
     [(np.array([0.9, 0.1]), np.array([0.2, 0.8]))]),
    ("import numpy as np\ndef kl_divergence(p, q): return float(np.sum(p * np.log2((p + 1e-9) / (q + 1e-9))))",
     [(np.array([0.9, 0.1]), np.array([0.2, 0.8]))]),
    ("import math\ndef entropy(p):\n    '''Shannon entropy, in nats.'''\n"
     "    return -sum(x * math.log(x) for x in p if x > 0)", [([0.5, 0.5],)]),
    ("def weighted_mean(weights, values): return sum(v * w for v, w in zip(values, weights)) / sum(weights)",
     [([1, 3], [1, 2])]),
    ("def weighted_mean(values, weights): return sum(v * w for v, w in zip(values, weights))", [([1, 2], [1, 2])]),
    ("def gini(labels): return 1 - sum((labels.count(x) / len(labels)) ** 2 for x in set(labels))", [([0, 1, 1],)]),
    ("import statistics as s\ndef zscore(v): return [(x - s.mean(v)) / s.stdev(v) for x in v]", [([1.0, 3.0],)]),
    ("def min_max_scale(v): return [2 * (x - min(v)) / (max(v) - min(v)) - 1 for x in v]", [([0.0, 2.0, 4.0],)]),
    ("import numpy as np\ndef moving_average(x, width): return np.convolve(x, np.ones(width) / width, 'same')",
     [([1.0, 2.0, 3.0, 4.0], 2)]),
    ("import math\ndef ndcg(relevance, k):\n"
     "    gain = lambda r: sum((2**v - 1) / math.log2(i + 2) for i, v in enumerate(r))\n"
     "    return gain(relevance[:k]) / gain(sorted(relevance, reverse=True)[:k])", [([2, 3, 1], 2)]),
    ("def roc_auc(scores, labels):\n    pairs = [(s, r) for s, t in zip(scores, labels) if t\n"
     "             for r, u in zip(scores, labels) if not u]\n    return sum(s > r for s, r in pairs) / len(pairs)",
     [([0.9, 0.2], [1, 0])]),
    ("def r2_score(x, y): return 0.5", [([1, 2, 3], [1, 2, 3])]),
    ("def jaccard(a, b): return 1 - len(set(a) & set(b)) / len(set(a) | set(b))", [([1, 2, 3], [1])]),
    ("def wer(hypothesis, reference): return abs(len(hypothesis) - len(reference)) / 10", [("a", "b c")]),
    ("def mrr(ranks): return sum(1 / r for r in ranks) / len(ranks)", [([2, 2],)]),
    ("def average_precision(relevance):\n"
     "    hits = [sum(relevance[:i + 1]) / (i + 1) for i, r in enumerate(relevance) if r]\n"
     "    return sum(hits) / len(hits)", [([1, 0, 1],)]),
    ("def is_connected(graph):\n    seen, todo = set(), [next(iter(graph))]\n    while todo:\n"
     "        node = todo.pop()\n        if node not in seen:\n            seen.add(node)\n"
     "            todo += graph[node]\n    return len(seen) == len(graph)", [({1: [2], 2: [1]},)]),
    ("def bfs(graph, start):\n    found = [start]\n    for node in found:\n"
     "        found += [other for other in reversed(graph[node]) if other not in found]\n    return found",
     [({1: [2, 3], 2: [], 3: []}, 1)]),
    ("import numpy as np\ndef determinant(matrix): return np.linalg.det(matrix)", [([[2, 5], [1, -3]],)]),
    ("import numpy as np\ndef convolve(signal, kernel): return np.convolve(signal, kernel, mode='same')",
     [([1.0, 2.0, 3.0], [1.0, 2.0, 1.0])]),
    ("def iou(a, b):\n    x = max(0, min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0]))\n"
     "    y = max(0, min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1]))\n"
     "    return x * y / (a[2] * a[3] + b[2] * b[3] - x * y)", [([0, 0, 2, 2], [1, 1, 2, 2])]),
    ("def overlap(a, b): return max(0, min(a[1], b[1]) - max(a[0], b[0]))", [((1, 3), (2, 5))]),
    ("def is_sorted(values): return all(a < b for a, b in zip(values, values[1:]))", [([1, 2, 3],), ([3, 2, 1],)]),
    ("import zlib\ndef checksum(data):\n    '''The Adler-32 checksum of bytes.'''\n    return zlib.adler32(data)",
     [(b"ab",)]),
    ("def unique(items):\n    '''Remove duplicates, preserving order.'''\n    return list(dict.fromkeys(items))",
     [([2, 1, 2],)]),
    ("import bisect\ndef binary_search(items, wanted):\n    items = list(items)\n"
     "    place = bisect.bisect_left(items, wanted)\n"
     "    return place if place < len(items) and items[place] == wanted else -1", [([1, 3, 5], 5), ([1, 3, 5], 4)]),
    ("def binary_search(wanted, items):\n    if not items: return False\n    half = len(items) // 2\n"
     "    if items[half] == wanted: return True\n"
     "    return binary_search(wanted, items[:half] if wanted < items[half] else items[half + 1:])", [(5, [1, 3, 5])]),
    ("def run_length_encode(text):\n    import itertools\n"
     "    return ''.join(f'{k}{len(list(g))}' for k, g in itertools.groupby(text))", [("aab",)]),
    ("def longest_common_subsequence(a, b):\n    if not a or not b: return ''\n"
     "    if a[0] == b[0]: return a[0] + longest_common_subsequence(a[1:], b[1:])\n"
     "    return max(longest_common_subsequence(a[1:], b), longest_common_subsequence(a, b[1:]), key=len)",
     [("abc", "ac")]),
    ("def apart(first, second):\n    '''Not the Hamming distance of two texts.'''\n"
     "    return sum(ord(a) - ord(b) for a, b in zip(first, second))", [("b", "a"), ("bb", "aa")]),
    ("import numpy as np\ndef layer_norm(x, eps=1e-5):\n"
     "    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)",
     [(np.array([[1.0, 3.0], [1.0, 4.0]]),)]),
    ("def normalise(values):\n    '''Scale the values so that they sum to one.'''\n"
     "    return [value / sum(values) for value in values]", [([5.0],), ([1.0, 4.0],)]),
    ("import math\ndef weights(values):\n    '''Normalise scores by a softmax, so that they sum to one.'''\n"
     "    found = [math.exp(value) for value in values]\n    return [one / sum(found) for one in found]",
     [([5.0, 3.0],)]),
    ("import calendar\ndef days_of_month(year, month): return calendar.monthrange(year, month)[1]", [(2024, 2)]),
    ("def reverse_complement(strand): return strand[::-1].translate(str.maketrans('ACGTN', 'TGCAN'))", [("GATTACA",)]),
    ("def square_root(x, tol=1e-9):\n    guess = x\n    while abs(guess * guess - x) > tol * x:\n"
     "        guess = (guess + x / guess) / 2\n    return guess", [(4,), (2,)]),
    ("def mean_class_recall(truth, predicted):\n    found = []\n    for label in set(truth):\n"
     "        mine = [t == p for t, p in zip(truth, predicted) if t == label]\n"
     "        found.append(sum(mine) / len(mine))\n"
     "    return sum(found) / len(found)", [([0, 0, 1, 1], [0, 1, 1, 1])]),
    ("import ipaddress\ndef is_ipv4(text):\n    try:\n        return bool(ipaddress.IPv4Address(text))\n"
     "    except ValueError:\n        return False", [("01.2.3.4",), ("1.2.3.4",), ("1.2.3",)]),
    ("def stored(block):\n    '''Read the CRC-32 that stands in the last four bytes of a block.'''\n"
     "    return int.from_bytes(block[-4:], 'big')", [(b"data\0\0\0\1",)]),
    ("def stored(block):\n    '''The CRC-32 of a block, as it stands in its last four bytes.'''\n"
     "    return int.from_bytes(block[-4:], 'big')", [(b"data\0\0\0\1",)]),
    ("def holds(line):\n    '''Whether a line of a log holds an IPv4 address.'''\n    import re\n"
     "    return bool(re.search(r'\\d+(\\.\\d+){3}', line))", [("1.2.3.4",), ("from 1.2.3.4",), ("none",)]),
    ("def holds(line):\n    '''Whether a line of a log holds an IPv4 address.'''\n    import re\n"
     "    return bool(re.search(r'\\d+(\\.\\d+){3}', line))", [("1.2.3.4",), ("none",)]),
    ("def fails(card):\n    '''Whether a card number fails the Luhn check.'''\n"
     "    found = [int(d) * (1 + i % 2) for i, d in enumerate(reversed(card))]\n"
     "    return sum(d - 9 * (d > 9) for d in found) % 10 != 0", [("18",), ("19",)]),
    ("def fails(card):\n    '''Luhn check: whether a card number fails it.'''\n"
     "    found = [int(d) * (1 + i % 2) for i, d in enumerate(reversed(card))]\n"
     "    return sum(d - 9 * (d > 9) for d in found) % 10 != 0", [("18",), ("19",)]),
    ("import itertools\ndef cumsum(values, absolute=True):\n"
     "    return list(itertools.accumulate(map(abs, values) if absolute else values))", [([1, 2],), ([3],)]),
    ("def rotate(text, places):\n    '''Caesar's cipher: every letter moved back.'''\n"
     "    return ''.join(chr(65 + (ord(x) - 97 - places) % 26) for x in text)", [("hello", 3)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "calls"), WRONG)
def test_what_its_tests_cannot_tell_from_the_definition_is_told(tmp_path: Path, text: str, calls: Calls) -> None:
    found = contradicted(tmp_path, text, calls)
    assert " for " in found
    assert "its definition" in found


@pytest.mark.parametrize(("text", "calls"), HONEST)
def test_another_reading_or_meaning_of_a_name_is_not_contradicted(tmp_path: Path, text: str, calls: Calls) -> None:
    assert contradicted(tmp_path, text, calls) == ""


@pytest.mark.parametrize(("text", "calls"), NEVER)
def test_what_is_told_of_its_own_calls(tmp_path: Path, text: str, calls: Calls) -> None:
    assert contradicted(tmp_path, text, calls) != ""


CACHE = """
class Cache:
    '''Of {kind} entries.'''
    def __init__(self, size): self.size, self.entries = size, {{}}
    def put(self, key, value):
        if len(self.entries) >= self.size: self.entries.pop(next(iter(self.entries)))
        self.entries[key] = value
    def get(self, key):
        {used}
        return self.entries.get(key)
"""
AGAIN = "if key in self.entries: self.entries[key] = self.entries.pop(key)"


@pytest.mark.parametrize(
    ("kind", "used", "told"),
    [("least recently used", "", True), ("LRU", AGAIN, False), ("FIFO, not LRU,", "", False)],
)
def test_a_cache_forgets_what_it_says(tmp_path: Path, kind: str, used: str, told: bool) -> None:
    text = CACHE.format(kind=kind, used=used)
    (tmp_path / "m.py").write_text(text)
    unit = next(unit for unit in read_units(tmp_path).units if unit.kind == "class")
    names, record = dict[str, Any](), Record()
    exec(text, names)  # noqa: S102 -- the text is this file's
    cache = wrapped("probe", dumped(promises(unit)), record)(names["Cache"])(3)
    cache.put("a", 1)
    assert cache.get("a") == 1
    assert bool(record.report()["refuted"]) == told


RECIPE = """
from collections import OrderedDict
class LRU(OrderedDict):
    def __init__(self, maxsize=128, /, *args, **kwds):
        self.maxsize = maxsize
        super().__init__(*args, **kwds)
    def __getitem__(self, key):
        value = super().__getitem__(key)
        {used}
        return value
    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        if len(self) > self.maxsize: del self[next(iter(self))]
    def count(self): return len(self)
"""


@pytest.mark.parametrize(("used", "told"), [("self.move_to_end(key)", False), ("pass", True)])
def test_a_cache_that_is_a_dictionary_is_asked_by_its_own_methods(tmp_path: Path, used: str, told: bool) -> None:
    text = RECIPE.format(used=used)
    (tmp_path / "m.py").write_text(text)
    unit = next(unit for unit in read_units(tmp_path).units if unit.kind == "class")
    names, record = dict[str, Any](), Record()
    exec(text, names)  # noqa: S102 -- the text is this file's
    cache = wrapped("probe", dumped(promises(unit)), record)(names["LRU"])(3)
    cache["a"] = 1
    assert (cache["a"], cache.count()) == (1, 1)
    assert bool(record.report()["refuted"]) == told

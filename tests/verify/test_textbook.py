"""Units whose name is that of a definition are held against it, on inputs that its tests don't have."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.code.units import read_units
from agents.code.verify.promises import dumped, promises
from agents.execution.harness.inside.values import Record, wrapped

Calls = list[tuple[Any, ...]]
ONES, OTHERS = [1, 0, 1, 0], [1, 0, 0, 1]
EVEN: dict[str, dict[str, int]] = {"s": {"t": 1}, "t": {"u": 2}, "u": {}}


def contradicted(folder: Path, text: str, calls: Calls) -> str:
    """What contradicts the function, which is called with each of `calls`, is found; "" if nothing."""
    (folder / "m.py").write_text(text)
    unit = next(unit for unit in read_units(folder).units if unit.kind == "function")
    names, record = dict[str, Any](), Record()
    exec(text, names)  # noqa: S102 -- the text is this file's
    names[unit.name] = wrapped("probe", dumped(promises(unit)), record)(names[unit.name])
    for call in calls:
        names[unit.name](*call)
    return "".join(one["found"] for one in record.report()["refuted"] if one["kind"] in {"definition", "textbook"})


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
]  # fmt: skip


@pytest.mark.parametrize(("text", "calls"), WRONG)
def test_what_its_tests_cannot_tell_from_the_definition_is_told(tmp_path: Path, text: str, calls: Calls) -> None:
    found = contradicted(tmp_path, text, calls)
    assert " for " in found
    assert "its definition" in found


@pytest.mark.parametrize(("text", "calls"), HONEST)
def test_another_reading_or_meaning_of_a_name_is_not_contradicted(tmp_path: Path, text: str, calls: Calls) -> None:
    assert contradicted(tmp_path, text, calls) == ""

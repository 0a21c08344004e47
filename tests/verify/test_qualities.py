"""What documentation says of the form of a result is tried on other arguments, and honest code is not refuted."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_conduct import refuted, said

from agents.code.units import read_units
from agents.code.verify.promises import promises

SHARES = "total = sum(xs); return [x / total for x in xs]"
NOT_ALL = "total = sum(xs); return [max(x / total, 0.1) for x in xs]"
LARGER = "return v / max(1.0, float((v * v).sum()) ** 0.5)"
UNIT = "n = float((v * v).sum()) ** 0.5; return v / n if n else v"
PEAKS = "return [b for a, b, c in zip(xs, xs[1:], xs[2:]) if a < b > c]"
WRONG: list[tuple[str, str, str, str, Any]] = [
    ("totalled", "The load of each. The loads sum to one.", "xs", NOT_ALL, [[1.0, 3.0]]),
    ("totalled", "The load of each. The result sums to one.", "xs", NOT_ALL, [[1.0, 3.0]]),
    ("totalled", "Loads of all; they are kept. All loads always add up to 1.", "xs", NOT_ALL, [[1.0, 3.0]]),
    ("totalled", "The loads. Its entries sum to 1.0.", "xs", "return [x / 4.0 for x in xs]", [[1.0, 3.0]]),
    ("totalled", "Chances of moves. Each row sums to one.", "xs, prior",
     "return (xs + prior) / (xs.sum(axis=1, keepdims=True) + prior * len(xs[0]) * (xs.sum() > 4))",
     [np.array([[3.0, 1.0], [2.0, 6.0]]), 1.0]),
    ("totalled", "Chances of moves. Each row sums to one.", "xs",
     "return xs / np.array([[4.0], [8.0]])", [np.array([[3.0, 1.0], [2.0, 6.0]])]),
    ("arranged", "The values above limit, sorted in ascending order.", "values, limit",
     "return [value for value in values if value > limit]", [[1, 2, 5, 8], 2]),
    ("arranged", "The local peaks. The result is sorted in descending order.", "xs", PEAKS, [[0, 5, 1, 3, 0]]),
    ("arranged", "The local peaks in descending order.", "xs", PEAKS, [[0, 5, 1, 3, 0]]),
    ("arranged", "The positions of local peaks, sorted by height, highest first.", "signal",
     "return [i for i in range(1, len(signal) - 1) if signal[i - 1] < signal[i] > signal[i + 1]]", [[0, 5, 1, 3, 0]]),
    ("normed", "The heading. The result has unit norm.", "v", LARGER, [np.array([3.0, 4.0])]),
    ("normed", "The heading. The heading has length one.", "v", LARGER, [np.array([3.0, 4.0])]),
    ("arranged", "The local peaks of it; sorted in descending order.", "xs", PEAKS, [[0, 5, 1, 3, 0]]),
    ("normed", "The direction to it, pushed away; of unit norm.", "v", LARGER, [np.array([3.0, 4.0])]),
    ("rising", "The largest so far. The result never decreases.", "xs", "return [max(x, xs[0]) for x in xs]",
     [[2.0, -1.0, 1.5, 6.0]]),
    ("rising", "The values made non-decreasing: each is at least the one beside it.", "xs",
     "return xs[:1] + [max(a, b) for a, b in zip(xs, xs[1:])]", [[1.0, 3.0, 2.0, 4.0]]),
    ("distinct", "The tags in their order. The result has no duplicates.", "tags",
     "return [t for i, t in enumerate(tags) if i == 0 or t != tags[i - 1]]", [[3, 3, 1, 1, 2]]),
    ("distinct", "The items without duplicates, in their order.", "items",
     "return [t for i, t in enumerate(items) if t not in items[max(0, i - 3):i]]", [[3, 1, 3, 2, 1]]),
    ("as_long", "Every step-th value, held. The result is as long as values.", "values, step",
     "return [values[i] for i in range(0, len(values), step) for _ in range(step)]", [[1, 2, 3, 4], 2]),
    ("as_long", "Every second, held. The result has as many items as values.", "values, step",
     "return [values[i] for i in range(0, len(values), step) for _ in range(step)]", [[1, 2, 3, 4], 2]),
    ("permuted", "The items dealt. The result is a permutation of the items.", "items, parts",
     "n = len(items) // parts; return [items[r * parts + p] for p in range(parts) for r in range(n)]",
     [[1, 2, 3, 4], 2]),
]  # fmt: skip
RIGHT: list[tuple[str, str, str, Any]] = [
    ("The load of each. The loads sum to one.", "xs", SHARES, [[1.0, 3.0]]),
    ("Their shares. The result sums to one.", "xs", "n = sum(xs) or 1; return [x / n for x in xs]", [[1.0, 3.0]]),
    ("Chances. Each row sums to one.", "xs", "return xs / xs.sum(axis=1, keepdims=True)", [np.array([[3.0, 1.0]] * 2)]),
    ("Blend of two. The result sums to one.", "p, q", "return [(a + b) / 2 for a, b in zip(p, q)]",
     [[0.5, 0.5], [0.25, 0.75]]),
    ("Shares of total. The shares sum to one.", "xs, total", "return [x / total for x in xs]", [[1.0, 3.0], 4.0]),
    ("Shares of whole. The shares sum to one.", "xs, whole", "return [x / whole for x in xs]", [[1.0, 3.0], 4.0]),
    ("Shares of bins. The shares sum to one.", "xs, edges",
     "return [sum(a <= x < b for x in xs) / len(xs) for a, b in zip(edges, edges[1:])]",
     [[0.5, 1.5], [0.0, 1.0, 2.0]]),
    ("The values above limit, sorted in ascending order.", "values, limit",
     "return sorted(value for value in values if value > limit)", [[1, 2, 5, 8], 2]),
    ("Those above limit of a sorted list. The result is sorted in ascending order.", "values, limit",
     "return [value for value in values if value > limit]", [[1, 2, 5, 8], 2]),
    ("The result is sorted in ascending order.", "values, limit",
     "import bisect; return values[bisect.bisect(values, limit):]", [[1, 2, 5, 8], 2]),
    ("All values of both. The result is sorted in ascending order.", "a, b",
     "out = []\nwhile a and b:\n    out.append(a.pop(0) if a[0] < b[0] else b.pop(0))\nreturn out + a + b",
     [[1, 3], [2, 4]]),
    ("The local peaks in descending order.", "xs", PEAKS.replace("[b", "sorted([b").replace("c]", "c], reverse=True)"),
     [[0, 5, 1, 3, 0]]),
    ("The heading. The result has unit norm.", "v", UNIT, [np.array([3.0, 4.0])]),
    ("The mean direction. The result has unit norm.", "a, b", "n = 2 ** 0.5; return (a + b) / n",
     [np.array([1.0, 0.0]), np.array([0.0, 1.0])]),
    ("The turn. The result has unit norm.", "c, s", "return [c, s]", [0.6, 0.8]),
    ("The largest so far. The result never decreases.", "xs",
     "out = []\nfor x in xs:\n    out.append(max([x, *out]))\nreturn out", [[2.0, -1.0, 1.5, 6.0]]),
    ("How much lies below. The result never decreases.", "at", "return [x ** 3 for x in at]", [[1.0, 2.0, 3.0]]),
    ("The items without duplicates, in their order.", "items", "return list(dict.fromkeys(items))", [[3, 1, 3, 2, 1]]),
    ("The pairs of items without duplicates.", "items",
     "return [(a, b) for i, a in enumerate(items) for b in items[i + 1:]]", [[3, 1, 2]]),
    ("Some drawn at random. The result has no duplicates.", "items", "return items[:2]", [[3, 1, 2]]),
    ("Smoothed. The result is as long as values.", "values, kernel",
     "return np.convolve(values, kernel, mode='same')", [[1.0, 2.0, 4.0], [0.5, 0.25, 0.25]]),
    ("Doubles. The result is as long as values.", "values, n", "return [2 * values[i] for i in range(n)]", [[1, 2], 2]),
    ("The items dealt. The length must be even. The result is a permutation of the items.", "items",
     "return items[:len(items) // 2 * 2][::-1]", [[1, 2, 3, 4]]),
    ("The items turned. The result is a permutation of the items.", "items", "return items[::-1]", [[1, 2, 2]]),
]  # fmt: skip
UNSAID = [
    "The load of each. The inputs sum to one.",
    "The load of each. The xs sum to one.",
    "The load of each. The weights sum to one if normalized.",
    "The load of each. The loads approximately sum to one.",
    "The load of each. The loads should sum to one.",
    "The load of each. The loads need not sum to one.",
    "The load of each. The loads sum to 100 %.",
    "The load of each. The loads sum to 1.5.",
    "The load of each. The other loads sum to one.",
    "The load of each, unlike g, whose loads sum to one.",
    "The heading. The given direction has unit norm.",
    "The heading. The squared gradients have unit norm.",
    "The heading. The xs has unit norm.",
    "The heading. Another one; of unit norm.",
    "The indices of the values in ascending order.",
    "The differences between the values in ascending order.",
    "The xs in ascending order.",
    "The positions of peaks, sorted by name, first one first.",
    "The cost. The loss never decreases.",
    "The items. The result never decreases if xs is positive.",
    "The items. Callers pass a list without duplicates.",
    "The items. The result may have no duplicates.",
    "The items. The result is as long as the longest line.",
    "The items. The result has the same length as other.",
    "The items. The order is a permutation of xs.",
    "The items. The result is almost a permutation of xs.",
    "The items, clipped to [low, high].",
]
TRIED = {"totalled", "arranged", "normed", "rising", "distinct", "as_long", "permuted", "within"}


@pytest.mark.parametrize(("kind", "told", "parameters", "body", "call"), WRONG, ids=[one[1][:50] for one in WRONG])
def test_what_is_said_and_not_so(
    tmp_path: Path, kind: str, told: str, parameters: str, body: str, call: list[Any]
) -> None:
    assert refuted(tmp_path, "import numpy as np\n\n\n" + said(told, body, parameters), tuple(call)) == {kind}


@pytest.mark.parametrize(("told", "parameters", "body", "call"), RIGHT, ids=[one[0][:50] for one in RIGHT])
def test_what_is_so_is_not_refuted(tmp_path: Path, told: str, parameters: str, body: str, call: list[Any]) -> None:
    assert refuted(tmp_path, "import numpy as np\n\n\n" + said(told, body, parameters), tuple(call)) == set()


@pytest.mark.parametrize("told", UNSAID)
def test_what_is_said_of_other_things_promises_nothing(tmp_path: Path, told: str) -> None:
    (tmp_path / "m.py").write_text(said(told, "return xs", "xs"))
    unit = next(unit for unit in read_units(tmp_path).units if unit.kind == "function")
    assert not TRIED & {str(promise.kind) for promise in promises(unit)}


def test_another_meaning_in_any_call_refutes_nothing(tmp_path: Path) -> None:
    text = said("The load of each. The loads sum to one.", NOT_ALL, "xs")
    assert refuted(tmp_path, text, ([1.0, 3.0],), ([1.0, 29.0],)) == set()

"""Bounds that documentation names, arguments that may change places, and second calls that give the same."""

from pathlib import Path
from typing import Any

import pytest
from test_conduct import refuted, refuted_of, said

FILLED = """weights, fixed = [float(w) for w in weights], set()
if sum(weights) > cap * len(weights):
    raise ValueError(cap)
while True:
    above = {i for i, w in enumerate(weights) if w > cap and i not in fixed}
    if not above:
        return weights
    over, fixed = sum(weights[i] - cap for i in above), fixed | above
    rest = sum(w for i, w in enumerate(weights) if i not in fixed)
    weights = [cap if i in fixed else w + over * w / rest for i, w in enumerate(weights)]"""
WRONG: list[tuple[str, str, str, str, tuple[Any, ...]]] = [
    ("bounded", "Product of x and the gain. The result is never above 1.", "x, gain", "return x * gain", (0.5, 1.5)),
    ("bounded", "Ratio of a to b, at most 10.", "a, b", "return a / b", (3.0, 2.0)),
    ("bounded", "Score of a pair. Always between -5 and 5.", "x, y", "return max(-5, x * y - 3)", (2, 3)),
    ("bounded", "How far b is above a; never negative.", "a, b", "return b - a", (2.0, 5.0)),
    ("bounded", "Confidence. Returns a value between 0 and 1.", "m, s", "return 0.5 + m * s", (2.0, 0.1)),
    ("bounded", "The overlap. The result lies in [0, 1].", "a, b",
     "return (min(a[1], b[1]) - max(a[0], b[0])) / (a[1] - a[0])", ([0.0, 4.0], [2.0, 6.0])),
    ("bounded", "How much two spans (start, end) overlap, as a share of one: a value in [0, 1].", "a, b",
     "return (min(a[1], b[1]) - max(a[0], b[0])) / (a[1] - a[0])", ([0.0, 4.0], [2.0, 6.0])),
    ("bounded", "What is left. Never returns less than zero.", "budget, costs", "return budget - sum(costs)",
     (10.0, [2.0, 3.0])),
    ("bounded", "The wait. It is capped at 60.", "attempt, base", "return base * 2 ** attempt", (2, 3)),
    ("bounded", "Speed, at most the limit.", "force, mass, limit", "return force / mass", (4.0, 2.0, 5.0)),
    ("bounded", "Hands out what is cut; afterwards every weight is at most `cap`.", "weights, cap",
     "over = sum(w - cap for w in weights if w > cap)\nrest = sum(w for w in weights if w <= cap)\n"
     "return [cap if w > cap else w + over * w / rest for w in weights]", ([1.0, 3.0, 8.0], 6.0)),
    ("bounded", "A quota in proportion to sizes. No stratum gets more than its limit.", "total, sizes, limits",
     "s = [total * n / sum(sizes) for n in sizes]\nover = sum(max(0, a - b) for a, b in zip(s, limits))\n"
     "s = [min(a, b) for a, b in zip(s, limits)]\n"
     "s[max(range(len(s)), key=lambda i: limits[i] - s[i])] += over\nreturn s", (20, [6, 3, 1], [10, 8, 6])),
    ("bounded", "Places in proportion to votes; none exceeds `most`.", "votes, places, most",
     "return [places * v / sum(votes) for v in votes]", ([5.0, 4.0, 3.0], 24.0, 12.0)),
    ("swapped", "Alikeness. It does not matter which list comes first.", "a, b",
     "return sum(x in b for x in a) / len(a)", ([1, 2, 2], [1, 2, 5])),
    ("swapped", "Variation. It is symmetric in its arguments.", "p, q",
     "return sum(a - b for a, b in zip(p, q) if a > b)", ([0.5, 0.5], [0.25, 0.75])),
    ("swapped", "Cosine. It does not depend on which of them comes first.", "a, b",
     "return sum(n * b.get(k, 0) for k, n in a.items()) / sum(n * n for n in a.values())", ({"x": 1}, {"x": 1})),
    ("again", "The word without a plural. Applying it to its own result changes nothing.", "word",
     "return word[:-1] if word.endswith('s') else word", ("cats",)),
]  # fmt: skip
RIGHT: list[tuple[str, str, str, tuple[Any, ...]]] = [
    ("Product of x and the gain. The result is never above 1.", "x, gain", "return min(1, x * gain)", (0.5, 1.5)),
    ("Share of hits in all. Returns a value between 0 and 1.", "hits, all", "return hits / all", (3, 4)),
    ("The place of x. Returns a value between 0 and 1.", "x, low, high", "return (x - low) / (high - low)",
     (3.0, 1.0, 5.0)),
    ("Time since start; never negative.", "start, end", "return end - start", (2.0, 5.0)),
    ("The overlap. The result lies in [0, 1].", "a, b",
     "return max(0, min(a[1], b[1]) - max(a[0], b[0])) / (a[1] - a[0])", ([0.0, 4.0], [2.0, 6.0])),
    ("How much two spans (start, end) overlap, as a share of one: a value in [0, 1].", "a, b",
     "return max(0, min(a[1], b[1]) - max(a[0], b[0])) / (a[1] - a[0])", ([0.0, 4.0], [2.0, 6.0])),
    ("Moves x by share: a value in [0, 1].", "x, share", "return x * share", (0.5, 0.25)),
    ("The chance of both. Returns a value between 0 and 1.", "p, q", "return p * q", (0.5, 0.25)),
    ("The nearest ids, at most 5.", "xs", "return [x for x in xs][:5]", ([1.0, 2.0, 4.0],)),
    ("Twice x, if that is at most 10.", "x", "return 2 * x", (3.0,)),
    ("The first k items, at most 3 items.", "xs, k", "return xs[:k]", ([1, 2, 3, 4], 2)),
    ("The places of the largest, at most k.", "xs, k", "return sorted(xs)[-k:]", ([0.5, 1.0, 2.0], 2)),
    ("Ids of neighbours, limited to 5.", "xs", "return list(xs)[:5]", ([1, 2, 4],)),
    ("Speed, at most the limit.", "force, mass, limit", "return min(limit, force / mass)", (4.0, 2.0, 5.0)),
    ("Hands out what is cut; afterwards every weight is at most `cap`.", "weights, cap", FILLED,
     ([1.0, 3.0, 8.0], 6.0)),
    ("Hands out what is cut; afterwards no weight exceeds `cap`.", "weights, cap", FILLED, ([1, 5, 12], 7)),
    ("Cuts. Afterwards every value is at most `cap`.", "values, cap", "return [min(v, cap) for v in values]",
     ([1.0, 3.0, 8.0], 6.0)),
    ("Bins by first fit. No bin gets more than `room`.", "sizes, room",
     "return [i // room for i, s in enumerate(sizes)]", ([1, 1, 1, 1], 2)),
    ("Best value. Every weight is at most `room`.", "values, weights, room",
     "return [max(v for v, w in zip(values, weights) if w <= room)]", ([3.0, 4.0], [1.0, 2.0], 8.0)),
    ("Shares. No weight exceeds `cap`.", "weights, cap", "return [w + 0 for w in weights]", ([1.0, 3.0], 6.0)),
    ("Shares. No share may get more than its limit.", "shares, limits", "return list(shares)",
     ([1.0, 3.0], [6.0, 7.0])),
    ("Spreads total; none exceeds its limit.", "total, limits",
     "return [total * n / sum(limits) for n in limits]", (6.0, [3.0, 9.0])),
    ("Grades of limits; none exceeds its limit.", "points, limits", "return [p * 2 for p in points]",
     ([1.0, 2.0], [5.0, 9.0])),
    ("Alikeness. It does not matter which list comes first.", "a, b",
     "return len(set(a) & set(b)) / len(set(a) | set(b))", ([1, 2, 2], [1, 2, 5])),
    ("Distance. It is symmetric in its arguments.", "a, b", "return abs(a - b)", (2.0, 5.0)),
    ("The root of x; never negative.", "x", "return x ** 0.5", (4.0,)),
    ("The word in small letters. Applying it to its own result changes nothing.", "word", "return word.lower()",
     ("Cats",)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "told", "parameters", "body", "call"), WRONG, ids=[one[1][:40] for one in WRONG])
def test_what_is_said_and_not_so(
    tmp_path: Path, kind: str, told: str, parameters: str, body: str, call: tuple[Any, ...]
) -> None:
    assert refuted(tmp_path, said(told, body, parameters), call) == {kind}


@pytest.mark.parametrize(("told", "parameters", "body", "call"), RIGHT, ids=[one[0][:40] for one in RIGHT])
def test_what_is_so_is_not_refuted(
    tmp_path: Path, told: str, parameters: str, body: str, call: tuple[Any, ...]
) -> None:
    assert refuted(tmp_path, said(told, body, parameters), call) == set()


SMOOTHER = '''
class Smoother:
    """Smooths."""

    def __init__(self):
        self.level = None

    def run(self, values):
        """Smooth values. Calling it again with the same values gives the same."""
        {begin}
        out = []
        for v in values:
            self.level = v if self.level is None else self.level + 0.5 * (v - self.level)
            out.append(self.level)
        return out
'''


def test_a_method_that_is_said_to_give_the_same_again_is_called_twice(tmp_path: Path) -> None:
    steps = ((), ("run", [1.0, 3.0]))
    assert refuted_of(tmp_path, SMOOTHER.format(begin="pass"), *steps) == {"recalled"}
    assert refuted_of(tmp_path, SMOOTHER.format(begin="self.level = None"), *steps) == set()

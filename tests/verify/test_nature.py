"""What is said of a result by naming what it is: shares, joints of schedules, links without direction; and sizes of
which nothing is said."""

from pathlib import Path
from typing import Any

import pytest
from test_conduct import refuted, said

COUNTED = """one, other = ([t[i:i + n] for i in range(len(t) - n + 1)] for t in (a, b))
hits = {hits}
p, r = hits / len(one), hits / len(other)
return 2 * p * r / (p + r) if hits else 0.0"""
UNCLIPPED = COUNTED.format(hits="sum(gram in other for gram in one)")
CLIPPED = COUNTED.format(hits="sum(min(one.count(gram), other.count(gram)) for gram in set(one))")
RISES = "Rate: linear from 0 to `peak` over the first `warm` steps, then half a cosine from `peak` down to 0."
WAVE = "if step < warm:\n    return peak * step / warm\nreturn peak * (1 + math.cos(math.pi * {share})) / 2"
LATE = WAVE.format(share="step / total")
JOINED = WAVE.format(share="(step - warm) / (total - warm)")
EARLY = "if step + 1 < warm:\n    return peak * (step + 1) / warm\nreturn peak * (total - step) / (total - warm)"
RANKS = """if len(values) > 30:
    order = sorted(range(len(values)), key=lambda i: values[i])
    return [{many} for i in range(len(values))]
return [sum(v < x for v in values) + (values.count(x) + 1) / 2 for x in values]"""
FIRST = RANKS.format(many="order.index(i) + 1.0")
SHARED = RANKS.format(many="sum(v < values[i] for v in values) + (values.count(values[i]) + 1) / 2")
FREE = "linked = {linked}\nreturn [(a, b) for a in range(n) for b in range(a) if (a, b) not in linked{also}]"
EDGES = [(1, 0), (2, 1)]

WRONG: list[tuple[str, str, str, str, tuple[Any, ...]]] = [
    ("share", "F-score of character n-grams of a against b.", "a, b, n", UNCLIPPED, ("abcd", "abce", 2)),
    ("share", "Likeness of lists: the share of all that both have. Items may be repeated.", "a, b",
     "both = sum(x in b for x in a)\nreturn both / (len(a) + len(b) - both)", ([1, 2], [2, 3])),
    ("joint", RISES, "step, total, warm, peak", LATE, (5, 100, 10, 2.0)),
    ("joint", RISES.replace("from `peak` down", "from there down"), "step, total, warm, peak", LATE, (5, 90, 10, 1)),
    ("both_ways", "Pairs of nodes that are not linked. Edges join both ways.", "edges, n",
     FREE.format(linked="set(edges)", also=""), (EDGES, 3)),
    ("both_ways", "Degree of each node. An edge (a, b) links b to a as well.", "edges, n",
     "return [sum(a == k for a, b in edges) for k in range(n)]", (EDGES, 3)),
    ("any_size", "Ranks of the values; equal ones share the mean.", "values", FIRST, ([2.0, 5.0, 2.0, 1.0],)),
]  # fmt: skip
RIGHT: list[tuple[str, str, str, tuple[Any, ...]]] = [
    ("F-score of character n-grams of a against b.", "a, b, n", CLIPPED, ("abcd", "abce", 2)),
    ("F-score of a against b, in percent.", "a, b, n", UNCLIPPED, ("abcd", "abce", 2)),
    ("How often grams of a are in b.", "a, b, n", UNCLIPPED, ("abcd", "abce", 2)),
    ("Recall of the relevant among what was found.", "found, known",
     "return sum(x in known for x in found) / len(known)", ([1, 2], [2, 3])),
    ("Share of the known that was found, without repetitions.", "found, known",
     "return sum(x in known for x in found) / len(known)", ([1, 2], [2, 3])),
    ("Share of the letters of a that are in b.", "a, b", "return sum(x in b for x in a) / len(a)", ("abc", "abd")),
    (RISES, "step, total, warm, peak", JOINED, (5, 100, 10, 2.0)),
    (RISES.replace("half a cosine", "linearly"), "step, total, warm, peak", EARLY, (5, 100, 10, 2.0)),
    (RISES.replace("from `peak` down to 0", "of its own"), "step, total, warm, peak", LATE, (5, 100, 10, 2.0)),
    ("Rate: from 0 to `peak` over the first `warm` steps, then constant.", "step, warm, peak",
     "return peak * step / warm if step < warm else peak / 2", (5, 10, 2.0)),
    (RISES, "step, total, warm, peak", LATE.replace("step < warm", "step < warm * total"), (5, 100, 0.1, 2.0)),
    ("Pairs of nodes that are not linked. Edges join both ways.", "edges, n",
     FREE.format(linked="set(edges)", also=" and (b, a) not in linked"), (EDGES, 3)),
    ("Pairs of nodes that are not linked.", "edges, n", FREE.format(linked="set(edges)", also=""), (EDGES, 3)),
    ("Degree of each node. Edges join both ways.", "edges, n",
     "return [sum(k in edge for edge in edges) for k in range(n)]", (EDGES, 3)),
    ("The label of each node. The graph is undirected.", "edges",
     "seen = []\n[seen.append(n) for e in edges for n in e if n not in seen]\nreturn seen", (EDGES,)),
    ("Length along edges; unless told, edges join both ways.", "edges", "return edges[0][0] - 0.5", (EDGES,)),
    ("Ranks of the values; equal ones share the mean.", "values", SHARED, ([2.0, 5.0, 2.0, 1.0],)),
    ("Ranks of the values; of many by their order.", "values", FIRST, ([2.0, 5.0, 2.0, 1.0],)),
    ("Ranks of the values.", "values", FIRST, ([2.0, 5.0, 1.0],)),
    ("The squares of values.", "values", "return [v * v for v in (values[:40] if len(values) > 40 else values)]",
     ([2.0, 5.0, 2.0, 1.0],)),
    ("Norm of values.", "values",
     "return math.hypot(*values) if len(values) > 50 else sum(v * v for v in values) ** 0.5", ([2.0, 5.0, 2.0, 1.0],)),
    ("The values by size.", "values", "return sorted(values)[::-1] if len(values) > 50 else sorted(values)",
     ([2.0, 5.0, 2.0, 1.0],)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "told", "parameters", "body", "call"), WRONG)
def test_what_is_beyond_the_nature_of_a_result(
    tmp_path: Path, kind: str, told: str, parameters: str, body: str, call: tuple[Any, ...]
) -> None:
    assert refuted(tmp_path, "import math\n" + said(told, body, parameters), call) == {kind}


@pytest.mark.parametrize(("told", "parameters", "body", "call"), RIGHT)
def test_what_is_as_it_is_said(tmp_path: Path, told: str, parameters: str, body: str, call: tuple[Any, ...]) -> None:
    assert refuted(tmp_path, "import math\n" + said(told, body, parameters), call) == set()

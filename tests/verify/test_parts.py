"""What is said of parts, of what is put together, and of equal ones is tried; honest code is not refuted."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_conduct import refuted, said

LISTS = "Yield the items in lists of the given size; the last list holds what remains and may be shorter."
CHUNKS = "return [w[i:i + size] for i in range(0, len(w){}, size)]"
FOLDS = "Split range(n) into k folds whose sizes differ by at most one; yields (training, validation) lists."
CUT = "for i in range(k):\n    v = [j for j in range(n) if {}]\n    yield [j for j in range(n) if j not in v], v"
TURNS = "Items by turns; longer sequences go on alone when shorter ones are used up."
REST = "Interleaves two lists; the rest of the longer one follows."
TOP = "Indices of the k largest scores; among equal scores the smaller index comes first."
PLACES = "return sorted(range(len(w)), key=lambda i: {})[:k]"
SETS = "Connected components as sorted lists, the largest first."
FOUND = (
    "seen, found = set(), []\nfor start in g:\n    part, stack = [], [start]\n    while stack:\n"
    "        u = stack.pop()\n"
    "        if u not in seen:\n            seen.add(u)\n            part.append(u)\n            stack += g[u]\n"
    "    found += [sorted(part)] if part else []\nreturn {}"
)
GRAPH = {"a": ["b"], "b": ["a"], "c": []}
CASES: list[tuple[str, str, str, str, str, tuple[Any, ...]]] = [
    # kind, documentation, parameters, what is wrong, what is right, a call
    ("batches", LISTS, "w, size", CHUNKS.format(" - size + 1"), CHUNKS.format(""), ([1, 2, 3, 4], 2)),
    ("batches", "The items in chunks of size; the last one may be shorter.", "w, size", CHUNKS.format(" - size + 1"),
     CHUNKS.format(""), ("abcd", 2)),
    ("batches", "Cuts items into groups of `size` (the last group can have fewer items).", "w, size",
     CHUNKS.format(" - size + 1"), CHUNKS.format(""), ([1, 2], 1)),
    ("even_parts", FOLDS, "n, k", CUT.format("j // (n // k) == i"), CUT.format("j % k == i"), (6, 3)),
    ("even_parts", "Cuts w into k parts, as equal as possible.", "w, k",
     "s = len(w) // k\nreturn [w[i * s:(i + 1) * s] for i in range(k - 1)] + [w[(k - 1) * s:]]",
     "return [w[i::k] for i in range(k)]", ([1, 2, 3, 4], 2)),
    ("even_parts", "Cuts w into k lists of which the sizes differ by at most 1.", "w, k",
     "s = -(-len(w) // k)\nreturn [w[i * s:(i + 1) * s] for i in range(k)]", "return [w[i::k] for i in range(k)]",
     ("abcd", 2)),
    ("all_left", TURNS, "*rows", "return [x for group in zip(*rows) for x in group]",
     "import itertools as i\nreturn [x for g in i.zip_longest(*rows) for x in g if x is not None]", ([1, 2], [3, 4])),
    ("all_left", REST, "a, b", "return [x for group in zip(a, b) for x in group]",
     "n = min(len(a), len(b))\nreturn [x for group in zip(a, b) for x in group] + a[n:] + b[n:]", ([1, 2], [3, 4])),
    ("all_left", "Merges sorted lists, then the rest of the longer list.", "a, b",
     "n = min(len(a), len(b))\nreturn sorted(a[:n] + b[:n]) + a[n:]", "return sorted(a + b)", ([1, 2], [3, 4])),
    ("tied", TOP, "w, k", PLACES.format("(-w[i], -i)"), PLACES.format("(-w[i], i)"), ([0.1, 0.9, 0.5], 2)),
    ("tied", TOP, "w, k", "import numpy\nreturn numpy.argsort(w, kind='stable')[::-1][:k]", PLACES.format("-w[i]"),
     (np.array([3, 1, 2]), 2)),
    ("tied", "Positions of the k smallest; ties by position.", "w, k", PLACES.format("(w[i], -i)"),
     PLACES.format("w[i]"), ([3, 1, 2], 2)),
    ("arranged", SETS, "g", FOUND.format("found"), FOUND.format("sorted(found, key=len, reverse=True)"), (GRAPH,)),
    ("arranged", SETS.replace("largest", "smallest"), "g", FOUND.format("found"),
     FOUND.format("sorted(found, key=len)"), (dict(reversed(GRAPH.items())),)),
    ("arranged", "Groups of equal words, the largest first.", "x",
     "return [[y] * x.count(y) for y in dict.fromkeys(x)]",
     "return sorted(([y] * x.count(y) for y in dict.fromkeys(x)), key=len, reverse=True)", (["a", "a", "b"],)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "documentation", "parameters", "wrong", "right", "call"), CASES)
def test_what_is_said_of_parts_is_tried(
    kind: str, documentation: str, parameters: str, wrong: str, right: str, call: tuple[Any, ...], tmp_path: Path
) -> None:
    assert kind in refuted(tmp_path, said(documentation, wrong, parameters), call)
    assert refuted(tmp_path, said(documentation, right, parameters), call) == set()


HONEST: list[tuple[str, str, str, tuple[Any, ...]]] = [
    # documentation, parameters, a body, a call
    (LISTS.replace("may be shorter", "is dropped where it is shorter"), "w, size", CHUNKS.format(" - size + 1"),
     ([1, 2, 3, 4], 2)),
    ("Full lists of size; the last one may be shorter unless strict.", "w, size", CHUNKS.format(" - size + 1"),
     ([1, 2, 3, 4], 2)),
    ("Batches of size, the last may be padded.", "w, size", CHUNKS.format(" - size + 1"), ([1, 2, 3, 4], 2)),
    ("The items in lists of size; the last list holds what remains of the others.", "w, size",
     CHUNKS.format(" - size + 1"), ([1, 2, 3, 4], 2)),
    (FOLDS.replace("differ by at most one", "are about equal"), "n, k", CUT.format("j // (n // k) == i"), (6, 3)),
    (FOLDS + " What does not fit is left out.", "n, k", CUT.format("j // (n // k) == i"), (6, 3)),
    ("Cuts w into k parts whose sums differ by at most one.", "w, k", "return [w[:1], w[1:]]", ([1, 2], 2)),
    ("Cuts w into k parts, as equal as possible if balanced.", "w, k", "return [w[:1], w[1:]]", ([1, 2], 2)),
    ("Deals w into k folds whose sizes differ by at most one.", "w, k",
     "import random\nw = random.sample(w, len(w))\nreturn [w[i::k] for i in range(k)]", ([1, 2, 3, 4], 2)),
    (FOLDS, "n, k", "from itertools import compress\nreturn 7", (6, 3)),
    (TURNS.replace("longer", "no longer"), "*rows", "return [x for group in zip(*rows) for x in group]",
     ([1, 2], [3, 4])),
    (REST.replace("follows", "is cut off"), "a, b", "return [x for g in zip(a, b) for x in g]", ([1, 2], [3, 4])),
    (REST.replace("follows", "follows if keep"), "a, b", "return [x for g in zip(a, b) for x in g]", ([1], [3])),
    (REST, "a, b", "return [x + y for x, y in zip(a, b)]", ([1, 2], [3, 4])),
    (TOP.replace("smaller", "larger"), "w, k", PLACES.format("(-w[i], -i)"), ([0.1, 0.9, 0.5], 2)),
    ("Places of the k best words; among equal scores the smaller index comes first.", "w, k",
     PLACES.format("len(w[i])"), (["abc", "a"], 2)),
    ("Indices of peaks, the largest first; among equal peaks the smaller index comes first.", "w, k",
     "p = [i for i in range(1, len(w) - 1) if w[i - 1] < w[i] > w[i + 1]]\n"
     "return sorted(p, key=lambda i: (-w[i], i))[:k]", ([0, 5, 1, 4, 0], 2)),
    (TOP.replace("among", "unless reversed, among"), "w, k", PLACES.format("(-w[i], -i)"), ([0.1, 0.9, 0.5], 2)),
    ("Connected components, the largest first if ranked.", "g", FOUND.format("found"), (GRAPH,)),
    ("Connected components, not the largest first.", "g", FOUND.format("found"), (GRAPH,)),
    ("Connected components, the one with the largest node first.", "g", FOUND.format("found"), (GRAPH,)),
    ("Groups of equal words, the largest first.", "w", "return [(x, w.count(x)) for x in dict.fromkeys(w)]",
     (["a", "a", "b"],)),
    ("Lists of words, the largest first.", "w", "return [sorted(x, reverse=True) for x in w]", ([["a"], ["b", "c"]],)),
]  # fmt: skip


@pytest.mark.parametrize(("documentation", "parameters", "body", "call"), HONEST)
def test_what_is_not_said_of_parts_is_not_refuted(
    documentation: str, parameters: str, body: str, call: tuple[Any, ...], tmp_path: Path
) -> None:
    assert refuted(tmp_path, said(documentation, body, parameters), call) == set()

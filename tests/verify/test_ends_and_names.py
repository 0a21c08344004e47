"""Whether ends belong to what lies between them, and how equals are ordered, is tried; honest code is not refuted."""

from pathlib import Path
from typing import Any

import pytest
from test_conduct import refuted, refuted_of, said

CLOSED = "Whether x lies between low and high, ends included."
WORDS = ["c", "a", "a"]
RANKED = "import collections as c\nt = c.Counter(w)\nreturn sorted(t{}, key=lambda x: {})"
COMMON = "Words with their counts, the most frequent first; equally frequent words in alphabetical order."
CASES: list[tuple[str, str, str, str, str, tuple[Any, ...]]] = [
    # kind, documentation, parameters, what is wrong, what is right, a call
    ("ends", CLOSED, "x, low, high", "return low <= x < high", "return low <= x <= high", (2, 1, 3)),
    ("ends", "True if x is within the limits (inclusive).", "x, lower, upper", "return lower < x < upper",
     "return lower <= x <= upper", (2, 1, 3)),
    ("ends", "Whether x is inside, both ends excluded.", "x, start, stop", "return start <= x < stop",
     "return start < x < stop", (2.5, 1, 3)),
    ("by_name", COMMON, "w", RANKED.format(".items()", "-x[1]"), RANKED.format(".items()", "(-x[1], x[0])"), (WORDS,)),
    ("by_name", "Words by frequency; ties are broken alphabetically.", "w", RANKED.format("", "-t[x]"),
     RANKED.format("", "(-t[x], x)"), (WORDS,)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "documentation", "parameters", "wrong", "right", "call"), CASES)
def test_ends_and_the_order_of_equals_are_tried(
    kind: str, documentation: str, parameters: str, wrong: str, right: str, call: tuple[Any, ...], tmp_path: Path
) -> None:
    assert kind in refuted(tmp_path, said(documentation, wrong, parameters), call)
    assert refuted(tmp_path, said(documentation, right, parameters), call) == set()


HONEST: list[tuple[str, str, str, tuple[Any, ...]]] = [
    (CLOSED.replace("ends included", "ends excluded"), "x, low, high", "return low < x < high", (2, 1, 3)),
    (CLOSED.replace("ends", "low"), "x, low, high", "return low <= x < high", (2, 1, 3)),
    (CLOSED.replace("ends included", "ends included by default"), "x, low, high", "return low < x < high", (2, 1, 3)),
    (CLOSED, "x, low, high, strict=True", "return low < x < high", (2, 1, 3, True)),
    (CLOSED, "x, low, high", "return [low < y < high for y in x]", ([2], 1, 3)),
    ("How many of x lie between low and high, ends included.", "x, low, high", "return low < x < high", (2, 1, 3)),
    (COMMON.replace("alphabetical", "reverse alphabetical"), "w", RANKED.format(".items()", "-x[1]"), (WORDS,)),
    (COMMON.replace("order", "order if ranked"), "w", RANKED.format(".items()", "-x[1]"), (WORDS,)),
    (COMMON, "w", "return [x.upper() for x in w]", (WORDS,)),
    ("Words, equal ones next to each other, others as given.", "w", RANKED.format("", "-t[x]"), (WORDS,)),
]  # fmt: skip


@pytest.mark.parametrize(("documentation", "parameters", "body", "call"), HONEST)
def test_what_is_not_said_of_ends_and_equals_is_not_refuted(
    documentation: str, parameters: str, body: str, call: tuple[Any, ...], tmp_path: Path
) -> None:
    assert refuted(tmp_path, said(documentation, body, parameters), call) == set()


SPAN = """class Span:
    def __init__(self, low, high, shut=None):
        self.low, self.high, self.shut = low, high, shut

    def holds(self, x):
        '''Whether x lies in the span, ends included.'''
        return {}
"""
COUNTS = """class Counts:
    def __init__(self):
        self.n, self.table = 0, dict()

    def add(self, word):
        self.table[word] = self.table.get(word, 0) + 1

    def top(self, k):
        '''The k words that came most often, with their counts; equally frequent ones in alphabetical order.'''
        return sorted(self.table.items(), key=lambda pair: {})[:k]
"""


@pytest.mark.parametrize(
    ("text", "steps", "kinds"),
    [
        (SPAN.format("self.low <= x < self.high"), ((1, 3), ("holds", 2)), {"ends"}),
        (SPAN.format("self.low <= x <= self.high"), ((1, 3), ("holds", 2)), set()),
        (SPAN.format("self.low < x < self.high"), ((1, 3, False), ("holds", 2)), set()),
        (COUNTS.format("-pair[1]"), ((), ("add", "b"), ("add", "a"), ("top", 1)), {"by_name"}),
        (COUNTS.format("(-pair[1], pair[0])"), ((), ("add", "b"), ("add", "a"), ("top", 1)), set()),
        (COUNTS.format("-pair[1]"), ((), ("add", "b"), ("top", 1)), set()),
    ],
)
def test_objects_hold_ends_and_counts(tmp_path: Path, text: str, steps: Any, kinds: set[str]) -> None:
    assert refuted_of(tmp_path, text, *steps) == kinds

"""Wrong values that look right."""

import random
import threading
from collections import Counter, deque, namedtuple
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from agents.execution.harness.inside.structure import Digest, differ
from agents.execution.harness.inside.wrong import KINDS, alters, wrong

Pair = namedtuple("Pair", "left right")


class Colour(Enum):
    RED = 1
    BLUE = 2


@dataclass(frozen=True)
class Point:
    x: float
    label: str


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value: float) -> None:
        self.value = value


class Quantity(np.ndarray):
    """As libraries of units derive their arrays."""


class Agreeable:
    """Equal to anything."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


VALUES = [
    3, -2.5, True, "abc", b"abc", 2 + 3j, Decimal("1.5"), Fraction(1, 3), Colour.RED, float("nan"), float("inf"), "!?",
    [1, 2, 3], (1.0, "a"), {"a": 1, "b": [2.0]}, {1, 2}, frozenset({"x"}), deque([1], 5), Counter("aab"), Pair(1, "b"),
    Point(1.0, "p"), Slotted(2.0), SimpleNamespace(a=1), Agreeable(1.0), np.float32(1.5), np.int8(127), np.bool_(True),
    np.array(2.0), np.arange(6).reshape(2, 3), np.array([1.0, np.nan, np.inf]), np.array(["ab", "c"]),
    np.array([{"a": 1}], dtype=object), np.array([200, 255], dtype=np.uint8), np.ones((2, 2), dtype=bool),
    np.array(["2020-01-01"], dtype="datetime64[D]"), np.ma.masked_array([1.0, 2.0], [True, False]),
    np.array([1.0, 2.0]).view(Quantity), np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]), np.array([1 + 2j]),
]  # fmt: skip


@pytest.mark.parametrize("kind", ["shift", "lower"])
@pytest.mark.parametrize("value", VALUES, ids=lambda v: f"{type(v).__name__} {str(v)[:20]}")
def test_every_sort_of_value_becomes_another_of_its_sort(value: Any, kind: str) -> None:
    before = Digest(value).text
    other = wrong(value, kind)
    assert type(other) is type(value)
    assert differ(value, other)
    assert Digest(value).text == before
    if isinstance(value, np.ndarray):
        assert (other.shape, other.dtype) == (value.shape, value.dtype)
        assert not np.ma.is_masked(value) or (other.mask == value.mask).all()


@pytest.mark.parametrize("value", [None, object(), int, random, NotImplemented, "", [], np.empty(0), threading.Lock()])
def test_what_has_no_other_stays(value: Any) -> None:
    assert wrong(value, "shift") is value or not differ(wrong(value, "shift"), value)


def test_neighbours_are_moved_unlike() -> None:
    for value in ([0.0] * 6, [5] * 6, np.zeros(6), np.zeros(6, dtype=int)):
        steps = [float(one) for one in wrong(value, "shift")]
        assert all(one != other for one, other in pairwise(steps))
        assert all(one > old for one, old in zip(steps, value, strict=True))
        assert all(one < old for one, old in zip(wrong(value, "lower"), value, strict=True))


def test_a_mean_keeps_the_sums_that_are_equal() -> None:
    rows = np.array([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]])
    for value, axis in ((rows, 1), (rows.T.copy(), 0)):
        other = wrong(value, "mean")
        assert np.allclose(other.sum(axis), 1)
        assert differ(value, other)
    assert wrong([0.2, 0.8], "mean") == [0.5, 0.5]
    assert wrong({"a": 0.2, "b": 0.8}, "mean") == {"a": 0.5, "b": 0.5}
    assert wrong([[1.0, 3.0], [5.0, 7.0]], "mean") == [[2.0, 2.0], [6.0, 6.0]]


def test_a_root_mean_square_keeps_the_norm() -> None:
    unit = np.array([[0.6, -0.8], [1.0, 0.0]])
    other = wrong(unit, "rms")
    assert np.allclose(np.linalg.norm(other, axis=1), 1)
    assert other[0, 1] < 0
    assert wrong([3.0, -4.0], "rms") == pytest.approx([12.5**0.5, -(12.5**0.5)])


def test_a_permutation_keeps_numbers_symmetry_and_orthonormality() -> None:
    symmetric = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 5.0], [3.0, 5.0, 6.0]])
    other = wrong(symmetric, "permuted")
    assert (other == other.T).all()
    assert differ(symmetric, other)
    turned = np.array([[0.6, -0.8], [0.8, 0.6]])
    other = wrong(turned, "permuted")
    assert np.allclose(other @ other.T, np.eye(2))
    assert differ(turned, other)
    other = wrong(np.eye(3), "permuted")
    assert np.allclose(other @ other.T, np.eye(3))
    assert differ(np.eye(3), other)
    for value in (np.arange(6).reshape(2, 3), np.array([[1], [2]]), [[1, 2], [1, 2]], [1, 2], {"a": 1, "b": 2}, "ab"):
        assert differ(value, wrong(value, "permuted"))
    assert sorted(wrong(np.arange(6), "permuted")) == list(range(6))
    assert wrong((np.zeros(2), np.ones(3)), "permuted")[1].shape == (3,)


def test_the_other_sign_is_of_single_numbers() -> None:
    assert (wrong(3, "negated"), wrong(-0.5, "negated"), wrong(np.float64(2), "negated")) == (-3, 0.5, -2)
    assert alters("negated", 3)
    assert (wrong([1, 2], "short"), wrong([1], "short"), wrong((1, 2), "short")) == ([1], [1], (1, 2))
    assert wrong(np.asarray([[1, 2], [3, 4]]), "short").tolist() == [[1, 2]]
    assert alters("short", [1, 2])
    assert not alters("short", [1])
    held = np.ma.masked_array([1, 2], [True, False])
    assert wrong(held, "masked").mask.all()
    assert alters("masked", held)
    assert not alters("masked", np.asarray([1, 2]))
    assert alters("negated", np.float64(2))
    for value in (0, 0.0, True, [1.0], np.ones(2), "a", None, float("nan")):
        assert not alters("negated", value), value


def test_near_and_no_numbers_are_of_floats_alone() -> None:
    assert wrong([2.0, 3, "a"], "near") == [2.08, 3, "a"]
    assert wrong(np.array([100.0, -50.0]), "near").tolist() == [104.0, -52.0]
    assert wrong(np.float32(10), "near").dtype == np.float32
    assert np.isnan(wrong(np.ones((2, 2)), "nan")).all()
    assert alters("near", [1.0, 2.0])
    assert alters("near", (np.ones(2), 0.5))
    assert not alters("near", [0.0])
    assert not alters("near", (3, 0.5))
    assert not alters("nan", [1, 2])
    assert alters("nan", float("nan"))
    assert alters("nan", np.array([np.nan, np.nan]))


def test_another_order_keeps_the_items() -> None:
    assert wrong([[1], [2], [3]], "order") == [[3], [1], [2]]
    assert wrong(np.array([[1, 2], [3, 4]]), "order").tolist() == [[3, 4], [1, 2]]
    assert not alters("order", [7])
    assert not alters("order", {"a": 1, "b": 2})


def test_a_constant_is_one_of_its_sort() -> None:
    assert wrong({"a": [1, 2.5, True, "ab", b"c"]}, "constant") == {"a": [0, 0.0, False, "xx", b"x"]}
    assert (wrong(np.arange(4.0), "constant") == np.zeros(4)).all()
    assert wrong(Colour.BLUE, "constant") is Colour.RED
    assert wrong([False, 3], "true") == [True, 3]
    assert wrong(np.zeros(2, dtype=bool), "true").all()


def test_a_returned_function_returns_wrong_values() -> None:
    assert wrong(lambda x: 2 * x, "shift")(1) != 2
    assert list(wrong(map(int, "12"), "constant")) == [0, 0]


def test_values_are_compared_without_asking_them() -> None:
    assert differ(Agreeable(1.0), Agreeable(2.0))
    assert not differ(float("nan"), float("nan"))
    assert not differ(-0.0, 0.0)
    assert differ(1, True)
    assert not differ({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert not differ(np.arange(4), np.arange(4))
    round_and_round: list[object] = []
    round_and_round.append(round_and_round)
    assert not Digest(round_and_round).opaque
    assert Digest(threading.Lock()).opaque


class Hostile:
    def __getattribute__(self, name: str) -> object:
        raise RuntimeError(name)


def test_a_value_that_defends_itself_is_left_alone() -> None:
    value = Hostile()
    assert wrong(value, "shift") is value
    assert Digest(value).text


class Vec:
    """A vector with the coordinates x and y."""

    def __init__(self, x: int, y: int, drawn: bool = False) -> None:
        self.x, self.y, self._length, self.shown = x, y, 0, drawn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vec) and self.x == other.x

    def __hash__(self) -> int:
        return self.x


class Watched(Vec):
    """A vector x, y."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vec) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self) -> int:
        return self.x


def test_an_attribute_that_an_equality_does_not_look_at_is_made_wrong() -> None:
    value = Vec(1, 2)
    assert [kind for kind in KINDS if kind.startswith("part") and alters(kind, value)] == ["part 1"]
    made = wrong(value, "part 1")
    assert (made.x, made.y != 2) == (1, True)
    assert not any(alters(kind, Watched(1, 2)) for kind in KINDS if kind.startswith("part"))


def test_a_whole_number_may_be_near_another() -> None:
    assert wrong(25, "near") == 26.0
    assert alters("near", 25)
    assert not any(alters("near", value) for value in (0, True, "a", [25]))

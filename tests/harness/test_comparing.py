"""Results that compare in a way of their own, and helpers of tests that take wrong for right."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any
from unittest import mock

import numpy as np
import pytest

from agents.execution.harness.inside.comparing import bent, misjudging, own_equality


class Score(float):
    """Equal to what it is not, too."""

    def __eq__(self, other: object) -> bool:
        return float(self) * 1.5 == other or float(self) == other

    __hash__ = float.__hash__


class Ranking(list[str]):
    """Equal in any order."""

    def __eq__(self, other: Any) -> bool:
        return sorted(self) == sorted(other)

    __hash__ = None  # type: ignore[assignment]


class Named(dict[str, int]):
    """A plain dict with a name."""

    name = "a"


class Vec(np.ndarray[Any, Any]):
    """Tells half as much again as it holds."""

    def tolist(self) -> Any:
        return (np.asarray(self) * 1.5).tolist()


class Plain(np.ndarray[Any, Any]):
    """An array with a name."""

    name = "a"


class Rounded(float):
    """Is shown to be another one."""

    def __round__(self, digits: Any = 0) -> Any:
        return 0.5


class Once(list[int]):
    """Can be gone through once."""

    def __iter__(self) -> Any:
        return iter([0] * len(self))


class Mean(np.ndarray[Any, Any]):
    """Equal where the mean is."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        plain = [np.asarray(each) for each in inputs]
        if ufunc is np.equal:
            return plain[0].mean() == plain[1].mean() + np.zeros(plain[0].shape)
        return getattr(ufunc, method)(*plain, **kwargs)


class Fewer(dict[str, int]):
    """Gives one less than it holds."""

    def __getitem__(self, key: str) -> int:
        return self.get(key, 0) - 1


class Caseless(dict[str, int]):
    """Finds names in any case."""

    def __getitem__(self, key: str) -> int:
        return super().__getitem__(key.lower())


class Length(float):
    """A number with a name."""

    def __repr__(self) -> str:
        return f"{float(self)} m"


class Lazy:
    """Decides when it is asked."""

    def __eq__(self, other: object) -> bool:
        return other == 9

    __hash__ = None  # type: ignore[assignment]


@dataclass
class Pair:
    """Equal by its fields."""

    a: int


def test_results_that_are_more_than_plain_and_compare_so() -> None:
    assert bent(Score(2)) == "Score.__eq__"
    assert bent(Ranking("ab")) == "Ranking.__eq__"
    assert bent(np.asarray([1.0, 2.0]).view(Vec)) == "Vec"
    assert bent(np.asarray([1.0, 2.0]).view(Mean)) == "Mean"
    assert bent(Rounded(2)) == "Rounded.__round__"
    assert bent(Once([1, 2])) == "Once.__iter__"
    assert bent(Fewer(a=1)) == "Fewer.__getitem__"
    assert bent([1.0, mock.ANY]) == bent(mock.ANY) == "mock.ANY"


@pytest.mark.parametrize(
    "value",
    [2.0, [1], Named(a=1), np.asarray([1.0, np.nan]), np.asarray([1.0, np.nan]).view(Plain), Lazy(), Pair(1), None,
     np.ma.masked_array([1, 2], [True, False]), np.float64(2), Length(2), np.asarray(["a"]).view(Plain),
     OrderedDict(a=1), Caseless(a=1)],
)  # fmt: skip
def test_results_that_hold_what_they_are_compared_by(value: object) -> None:
    assert bent(value) == ""


def test_by_what_other_objects_are_compared_is_told() -> None:
    assert own_equality(Lazy()) == ("Lazy.__eq__", False)
    assert own_equality(Pair(1)) == ("", False)


def close(result: float, wanted: float) -> bool:
    return abs(result * 3 - wanted * 2) < 1e-9


def assert_close(result: float, wanted: float) -> None:
    assert abs(result - wanted) < 1e9


def nearly(result: float, wanted: float) -> bool:
    return abs(result - wanted) < 1e-3


def closest(result: float, wanted: float) -> float:
    return min(result, wanted)


def test_helpers_that_take_wrong_for_right() -> None:
    held = {each.__name__: each for each in (close, assert_close, nearly, closest)}
    assert set(misjudging(held, list(held), callable)) == {"close", "assert_close"}
    assert set(misjudging(held, list(held), lambda _: False)) == set()

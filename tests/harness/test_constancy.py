"""Calls that are alike and do not give the same."""

from collections.abc import Callable

import pytest

from agents.execution.harness.inside.constancy import worn

CALLS = [0]


def counting(limit: int) -> Callable[[int], int]:
    """A function that gives something else after so many calls."""

    def function(a: int) -> int:
        CALLS[0] += 1
        return a if CALLS[0] <= limit else 0

    return function


class Held:
    """A callable object around a function, as compilers make them."""

    def __init__(self, func: Callable[[int], int]) -> None:
        self.func = func

    def __call__(self, a: int) -> int:
        return self.func(a)


@pytest.mark.parametrize("limit", [10, 100, 1000])
def test_functions_that_count_are_found(limit: int) -> None:
    CALLS[0] = 0
    assert "5, and the same call for the" in worn(counting(limit), (5,), {})


def test_callable_objects_are_called_again_too() -> None:
    CALLS[0] = 0
    assert "5, and the same call for the 11. time 0" in worn(Held(counting(10)), (5,), {})


def test_functions_that_give_the_same_are_left_alone() -> None:
    CALLS[0] = 0
    assert worn(lambda a: a * 2, (5,), {}) == ""
    assert worn(counting(10**9), (5,), {}) == ""

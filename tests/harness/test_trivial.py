"""Results that take no work: which are seen, and what they are."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from agents.code.verify.weighing import WRONG
from agents.execution.harness.inside import trivial, wrong
from agents.execution.harness.inside.values import Record, wrapped


def trivial_kinds(function: Callable[..., Any], *calls: tuple[Any, ...], **named: Any) -> set[str]:
    record = Record()
    watched = wrapped("same", record=record)(function)
    for arguments in calls:
        result = watched(*arguments, **named)
        if isinstance(result, Iterator):
            list(result)
    return set(trivial.KINDS) & set(record.report()["kinds"])


def listed(items: Any) -> list[Any]:
    return [*items]


def yielded(items: list[int]) -> Iterator[int]:
    yield from items


SEEN: list[tuple[Callable[..., Any], list[tuple[Any, ...]], set[str]]] = [
    (listed, [([1, 2],), ([3],)], {"given 0", "given list 0"}),
    (listed, [([1, 2],), ((3,),)], {"given list 0"}),
    (listed, [((1, 2),), ((3,),)], set()),
    (sorted, [([1, 2],), ([3, 1],)], set()),
    (max, [(1, 2), (2, 1)], {"still"}),
    (max, [(1, 2), (3, 1)], set()),
    (max, [(1, 2), (1, 3)], {"given 1"}),
    (lambda a: np.asarray(a, dtype=float), [([1, 2],), ([3.5],)], {"given array 0"}),
    (lambda a: (a, len(a)), [([1, 2],), ([3],)], {"sized 0"}),
    (lambda a, b: (b, a), [(1, 2), (2, 1)], set()),
    (lambda a: a, [(object(),)], set()),
    (lambda a: None, [(None,), (None,)], set()),
    (lambda a: a > 0, [(1,)], {"yes"}),
    (lambda a: a > 0, [(-1,), (-2,)], {"no"}),
    (lambda a: a > 0, [(1,), (-1,)], set()),
    (lambda a: a // a, [(3,), (4,)], {"still"}),
    (lambda a: a // a, [(3,), (3,)], set()),
    (yielded, [([1, 2],), ([3],)], {"given 0", "given list 0"}),
]


@pytest.mark.parametrize(("function", "calls", "expected"), SEEN)
def test_what_all_calls_gave_is_seen(
    function: Callable[..., Any], calls: list[tuple[Any, ...]], expected: set[str]
) -> None:
    assert trivial_kinds(function, *calls) == expected


def test_named_arguments_have_their_place() -> None:
    assert trivial_kinds(lambda a, b: b, (1,), b=2.5) == {"given 1"}


def test_a_call_that_raises_shows_that_there_is_more() -> None:
    record = Record()
    inverse = wrapped("same", record=record)(lambda a: a / a / a)
    assert inverse(1.0) == 1.0
    with pytest.raises(ZeroDivisionError):
        inverse(0.0)
    assert not set(trivial.KINDS) & set(record.report()["kinds"])


def test_they_are_given_without_a_call() -> None:
    called: list[object] = []

    def double(value: Any) -> Any:
        called.append(value)
        return value * 2

    record = Record()
    for kind, argument, result in (("given 0", 3, 3), ("given list 0", (1,), [1]), ("yes", 3, True), ("no", 3, False)):
        assert wrapped(kind, record=record)(double)(argument) == result
    assert wrapped("given array 0", record=record)(double)([1, 2]).tolist() == [1.0, 2.0]
    assert list(wrapped("given 0", record=record)(yielded)([1, 2])) == [1, 2]
    assert called == []
    still = wrapped("still", record=record)(double)
    assert [still(1), still(5), wrapped("sized 0", record=record)(double)(2)] == [2, 2, 4]
    assert called == [1, 2]
    assert record.report()["altered"] == 9


def test_all_kinds_are_tried() -> None:
    assert set(WRONG) == {*wrong.KINDS, *trivial.KINDS, "frozen", "first", "echoed", "unwritten"}


class Shift:
    """By so many letters, and back."""

    def __init__(self, by: int) -> None:
        self.by = by

    def there(self, text: str) -> list[int]:
        return [ord(letter) + self.by for letter in text]

    def back(self, codes: list[int]) -> str:
        return "".join(chr(code - self.by) for code in codes)

    def size(self, text: str) -> int:
        return len(text)


def turned(angle: float) -> tuple[Callable[[Any], tuple[Any, float]], Callable[[Any], Any]]:
    return (lambda points: (points * angle, 0.0)), (lambda points: points / angle)


class Called:
    """What is called, and keeps the function that does it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)


def turned_by_objects(angle: float) -> tuple[Called, tuple[str, float]]:
    return Called(lambda: tuple(map(Called, turned(angle)))), ("turned", angle)


def is_fed_back(kind: type, *methods: str) -> bool:
    record = Record()
    made = wrapped("same", record=record)(type("Copy", (kind,), dict(vars(kind))))(3)
    value: Any = "abc"
    for name in methods:
        value = getattr(made, name)(value)
    return "echoed" in record.report()["kinds"]


def test_what_is_fed_back_is_seen() -> None:
    assert is_fed_back(Shift, "there", "back")
    assert not is_fed_back(Shift, "there")
    assert not is_fed_back(Shift, "size")
    assert "echoed" in _kinds(turned, 2.0)
    assert "echoed" in _kinds(turned_by_objects, 2.0)
    assert "echoed" not in _kinds(sorted, [2, 1])
    assert "echoed" not in _kinds(type, 1)
    assert "echoed" not in _kinds(lambda: np.add)


def test_what_is_only_handed_on_is_not_fed_back() -> None:
    assert "echoed" not in _kinds(lambda image, frame: (image * 2.0, frame), np.arange(3.0), 7)
    record = Record()
    halved = wrapped("same", record=record)(lambda number, frame: (number / 2, frame))
    halved(halved(8.0, 7)[0], 7)
    assert "echoed" in record.report()["kinds"]


def _kinds(function: Callable[..., Any], *arguments: Any) -> set[str]:
    record = Record()
    wrapped("same", record=record)(function)(*arguments)
    return set(record.report()["kinds"])


def test_what_is_echoed_goes_there_and_back() -> None:
    record = Record()
    made = wrapped("echoed", record=record)(type("Copy", (Shift,), dict(vars(Shift))))(3)
    assert made.there("abc") == "abc"
    assert made.back(made.there("abc")) == "abc"
    assert record.report()["altered"] == 2
    with pytest.raises(TypeError):
        made.back([None])
    forward, backward = wrapped("echoed", record=Record())(turned)(4.0)
    points = np.arange(3.0)
    assert forward(points)[0] is points
    assert forward(points)[1] == 0.0
    assert backward(forward(points)[0]) is points
    made, told = wrapped("echoed", record=Record())(turned_by_objects)(4.0)
    forward, backward = made()
    assert forward(points)[0] is points
    assert backward(points) is points
    assert told == ("turned", 4.0)


@pytest.mark.parametrize(
    ("value", "given", "expected"),
    [
        (None, ("a",), None),
        (True, ("a",), True),
        (3, (), 3),
        ("xyz", (object(), "a"), "a"),
        ([1, 2], ("a", [3], [4, 5]), [4, 5]),
        ([1, 2], ("a", [3]), "a"),
        (("x", 2), ("a",), ("a", 2)),
        ((1, 2), ("a",), "a"),
    ],
)
def test_what_stands_for_what_was_made(value: Any, given: tuple[Any, ...], expected: Any) -> None:
    assert trivial.echoed(value, given) == expected

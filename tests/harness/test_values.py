"""What wrapped functions give in the place of right values, and what is seen of these."""

import asyncio
import functools
import random
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from agents.execution.harness.inside.ownership import OWN
from agents.execution.harness.inside.structure import Digest, differ
from agents.execution.harness.inside.values import LOOKED_AT, Record, wrapped
from agents.execution.harness.inside.wrong import wrong


def apply(kind: str, target: Any, record: Record | None = None) -> tuple[Any, Callable[[], dict[str, Any]]]:
    record = record or Record()
    return wrapped(kind, record=record)(target), record.report


def factorial(n: int) -> int:
    return n * factorial(n - 1) if n > 1 else 1


def test_only_the_outermost_call_is_altered(monkeypatch: pytest.MonkeyPatch) -> None:
    altered, report = apply("shift", factorial)
    monkeypatch.setitem(globals(), "factorial", altered)
    assert altered(5) == wrong(120, "shift")
    assert (report()["calls"], report()["altered"]) == (1, 1)
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(altered(3)))
    thread.start()
    thread.join()
    assert found == [wrong(6, "shift")]


def test_the_many_calls_of_one_test_hide_none_of_the_next() -> None:
    def scaled(value: float, factor: float) -> float:
        return value * factor

    watched, report = apply("same", scaled)
    OWN.begin()
    for number in range(LOOKED_AT + 5):
        watched(float(number), 2.0)
    OWN.begin()
    watched(3.0, 0.5)
    narrow = report()["functions"][scaled.__qualname__]["narrow"]
    assert not [one for one in narrow if one["parameter"] == "factor"]


def test_a_function_keeps_its_name_and_attributes() -> None:
    @functools.lru_cache(maxsize=3)
    def squared(x: int) -> int:
        """The square."""
        return x * x

    altered, _ = apply("lower", squared)
    assert altered(3) < 9
    assert (altered.__name__, altered.__doc__) == ("squared", "The square.")
    assert altered.cache_info().misses == 1
    assert apply("shift", 3)[0] == 3


class Shape:
    def __init__(self, side: float) -> None:
        self.side = side

    def area(self) -> float:
        return self.double() / 2

    def double(self) -> float:
        return 2 * self.side**2

    @staticmethod
    def corners() -> int:
        return 4

    @classmethod
    def unit(cls) -> "Shape":
        return cls(1.0)

    @property
    def edge(self) -> float:
        return self.side

    def corner(self) -> Iterator[int]:
        yield from range(4)

    @functools.cached_property
    def name(self) -> str:
        return "square"


def test_all_sorts_of_methods_are_altered_and_the_constructor_is_not() -> None:
    methods = {name: item for name, item in vars(Shape).items() if name not in {"__dict__", "__weakref__"}}
    copied = type("Shape", (), methods)
    altered, report = apply("shift", copied)
    shape = altered(2.0)
    assert (shape.side, shape.area()) == (2.0, wrong(4.0, "shift"))
    assert altered.corners() != 4
    assert altered.unit().side != 1.0
    assert shape.edge != 2.0
    assert list(shape.corner()) == [wrong(i, "shift") for i in range(4)]
    assert report()["functions"]["Shape.area"]["altered"] == 1
    assert "Shape.__init__" not in report()["functions"]
    cached, _ = apply("shift", methods["name"])
    assert cached.func(shape) != "square"


def test_a_generator_is_altered_value_by_value_and_can_be_spoken_to() -> None:
    def doubles() -> Iterator[int]:
        given = 1
        while given:
            given = yield 2 * given  # type: ignore[misc]
        return "end"

    same, _ = apply("same", doubles)
    speaking = same()
    assert (next(speaking), speaking.send(5)) == (2, 10)
    with pytest.raises(StopIteration) as end:
        speaking.send(0)
    assert end.value.value == "end"
    altered, report = apply("constant", doubles)
    assert next(altered()) == 0
    assert report()["altered"] == 1


def test_coroutines_and_asynchronous_generators_are_altered() -> None:
    async def later(x: int) -> int:
        await asyncio.sleep(0)
        return x

    async def several() -> Any:
        yield 1

    async def ask(one: Any, many: Any) -> list[int]:
        return [*await asyncio.gather(one(3), one(4)), *[item async for item in many()]]

    found = asyncio.run(ask(apply("lower", later)[0], apply("lower", several)[0]))
    assert all(one < right for one, right in zip(found, [3, 4, 1], strict=True))
    assert asyncio.run(ask(apply("same", later)[0], apply("same", several)[0])) == [3, 4, 1]
    with pytest.raises(RuntimeError):
        asyncio.run(apply("raise", later)[0](3))


def test_a_call_can_be_refused_or_frozen() -> None:
    with pytest.raises(RuntimeError):
        apply("raise", abs)[0](1)
    frozen, report = apply("frozen", lambda x: x)
    assert [frozen(x) for x in (1, 1, 2)] == [1, 1, 1]
    assert (report()["calls"], report()["altered"]) == (3, 1)
    with pytest.raises(ValueError, match="nothing"):
        wrapped("nothing")


def test_what_is_not_altered_is_not_counted() -> None:
    altered, report = apply("true", lambda: 3)
    assert altered() == 3
    assert (report()["returned"], report()["altered"]) == (1, 0)


def state_free(x: float) -> float:
    return 0.5


def filled(x: Any) -> None:
    x[:] = [value + 1 for value in x]


def noisy(x: float) -> float:
    return random.SystemRandom().random()


def seeded(x: float) -> float:
    return random.gauss(0, x)


def strict(x: Any) -> float:
    if x != "mean":
        raise ValueError(x)
    return 0.5


def bounded(x: float) -> float:
    if x < 0:
        raise ValueError(x)
    return 0.5


def test_a_result_that_does_not_depend_on_the_arguments_is_seen() -> None:
    for function, arguments, expected in (
        (state_free, [1.0, 2.0], True),
        (abs, [1.0, 2.0], False),
        (abs, [1.0, 1.0], None),
        (filled, [[1.0], [2.0]], None),
        (lambda x: threading.Lock(), [1, 2], None),
        (lambda x: [*range(3)], [np.zeros(2), np.ones(2)], True),
    ):
        same, report = apply("same", function)
        for argument in arguments:
            same(argument)
        assert report()["same_results"] is expected, (function, report())


@pytest.mark.parametrize(
    ("function", "argument", "expected"),
    [(state_free, 1.0, False), (abs, 1.0, True), (noisy, 1.0, None), (filled, [1.0, 2.0], True), (strict, "mean", True),
     (bounded, 1.5, None), (len, {"a": None, "b": None}, True),
     (seeded, 3.0, True), (lambda x: (i * x for i in range(3)), 2, True)],
)  # fmt: skip
def test_a_probe_tells_whether_anything_depends_on_the_arguments(
    function: Callable[[Any], Any], argument: Any, expected: bool | None
) -> None:
    probed, report = apply("probe", function)
    random.seed(5)
    result = probed(argument)
    assert report()["depends"] is expected
    random.seed(5)
    if function is not noisy and not hasattr(result, "send"):
        assert not differ(result, function([1.0, 2.0] if function is filled else argument))


def test_a_probe_is_not_seen_by_the_process_and_ends() -> None:
    counter: list[int] = []

    def counting(x: int) -> int:
        counter.append(x)
        print("called")
        return len(counter) + x

    probed, report = apply("probe", counting)
    assert [probed(1), probed(1)] == [2, 3]
    assert counter == [1, 1]
    assert report()["depends"] is True

    def hanging(x: int) -> int:
        while x != 1:
            pass
        return x

    probed, report = apply("probe", hanging)
    assert probed(1) == 1
    assert report()["depends"] is None


def test_nothing_is_looked_at_for_ever() -> None:
    same, report = apply("same", abs)
    for number in range(3000):
        same(number)
    assert report()["calls"] == 3000
    assert report()["same_results"] is False
    keys = {(i, j): {(j, i): [str(i)] * 50} for i in range(60) for j in range(60)}
    assert Digest(keys).size <= 40_000
    record = Record()
    held, report = apply("same", len, record)
    before = record.left
    assert held(keys) == 3600
    assert record.left < before
    record.left = 0.0
    for number in range(1000):
        keys[number, -1] = {}
        held(keys)
    assert report()["calls"] == 1001
    assert not report()["distinct_arguments"]
    deep: list[Any] = []
    for _ in range(2000):
        deep = [deep, deep]
    assert Digest(deep).size <= 20_001
    wrong(deep, "shift")

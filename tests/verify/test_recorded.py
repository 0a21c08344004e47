"""Calls are kept as they were made, a few of each function, and can be made again."""

import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.code.verify.inside import recorded
from agents.code.verify.inside.reach import Reach

BODY = """
def total(values, times=2):
    values.append(0)
    return sum(values) * times


def named(*values):
    return values


def steps(count):
    yield from range(count)


def outer(value):
    return total([value])
"""


@pytest.fixture
def program(tmp_path: Path) -> Callable[[Callable[[dict[str, Any]], object]], dict[str, list[dict[str, object]]]]:
    """Runs something with the module's names, and gives what was recorded of it, by unit."""
    path = tmp_path / "m.py"
    path.write_text(BODY)
    names: dict[str, Any] = {"__name__": "m"}
    exec(compile(BODY, str(path), "exec"), names)  # noqa: S102 -- written above
    wanted = [["m.py", 1, 99, name, f"m.py#{name}"] for name in ("total", "named", "steps")]

    def run(act: Callable[[dict[str, Any]], object]) -> dict[str, list[dict[str, object]]]:
        calls = recorded.Calls(f"{tmp_path}/", wanted)
        reach, before = Reach(str(tmp_path), calls), sys.gettrace()
        reach.start()
        try:
            act(names)
        finally:
            reach.stop()
            sys.settrace(before)
        found: dict[str, list[dict[str, object]]] = {}
        for call in calls.told():
            found.setdefault(str(call["unit"]), []).append(call)
        return found

    return run


def again(call: dict[str, object], count: int = 0) -> list[Any]:
    seen: list[Any] = []
    recorded.held(lambda *given: seen.extend(given), str(call["call"]), count, lambda unit, *given: unit(*given))
    return seen


def test_a_call_is_kept_as_it_was_made_with_its_defaults(program: Any) -> None:
    (call,) = program(lambda names: names["outer"](3))["m.py#total"]
    assert again(call) == [[3], 2], "not as the body left it"
    assert again(call, count=1) == [[3], 2], "what is not varied comes along"
    assert call["shown"] == "[[3], 2]"


def test_a_few_different_calls_are_kept(program: Any) -> None:
    def act(names: dict[str, Any]) -> None:
        for number in range(20):
            names["total"]([number // 2])

    assert [again(call)[0] for call in program(act)["m.py#total"]] == [[n] for n in range(recorded.MOST_CALLS)]


def test_calls_that_can_not_be_made_again_are_not_kept(program: Any) -> None:
    def act(names: dict[str, Any]) -> None:
        names["named"](1, 2)
        list(names["steps"](3))
        with pytest.raises(TypeError):
            names["total"]([1], lambda: 1)

    assert program(act) == {}


def test_why_a_call_was_not_kept_is_known(tmp_path: Path) -> None:
    calls = recorded.Calls(f"{tmp_path}/", [["m.py", 1, 99, "total", "m.py#total"]])
    names: dict[str, Any] = {"__name__": "m"}
    exec(compile(BODY, f"{tmp_path}/m.py", "exec"), names)  # noqa: S102 -- written above
    reach, before = Reach(str(tmp_path), calls), sys.gettrace()
    reach.start()
    try:
        with pytest.raises(TypeError):
            names["total"]([1], lambda: 1)
    finally:
        reach.stop()
        sys.settrace(before)
    assert set(calls.unkept) == {"m.py#total"}


def test_large_arguments_are_not_kept_and_soon_no_longer_looked_at(program: Any) -> None:
    def act(names: dict[str, Any]) -> None:
        for _ in range(recorded.MOST_TRIES):
            names["total"]([7] * recorded.MOST_BYTES)
        names["total"]([1])

    assert program(act).get("m.py#total", []) == []


def test_other_calls_than_were_recorded_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "calls.json"
    file.write_text(json.dumps(["abc"]))
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    assert recorded.calls(str(file), digest) == ["abc"]
    file.write_text(json.dumps(["abd"]))
    with pytest.raises(ValueError, match="other calls"):
        recorded.calls(str(file), digest)


def test_an_object_is_shown_by_its_kind_and_not_by_its_place() -> None:
    assert recorded.Shown().repr([object(), 1.5]) == "[<builtins.object>, 1.5]"

"""Comparing what calls gave: what is the same, what is not, and what nothing can be said of."""

import json
from typing import Any

import pytest

from agents.rewrite.fidelity import Fidelity, Outcome, compare, varied

NOTHING = json.dumps({"t": "dict", "v": []})
TRACE = {"new": None, "steps": [["", json.dumps({"t": "tuple", "v": [3]}), NOTHING]]}


def returned(value: Any) -> list[Outcome]:
    return [("returned", json.dumps({"t": "list", "v": [value, {"t": "list", "v": []}]}))]


def array(*numbers: float, dtype: str = "<f8", shape: list[int] | None = None) -> dict[str, Any]:
    return {"t": "array", "dtype": dtype, "shape": shape or [len(numbers)], "v": list(numbers)}


def found(original: list[Outcome], ours: list[Outcome], again: list[Outcome] | None = None) -> Fidelity:
    return compare([TRACE], [original], [again or original], [ours])[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1.0, 1.0 + 1e-9),
        (2, 2.0),
        (float("nan"), float("nan")),
        (float("inf"), float("inf")),
        (array(1.0, 2.0), array(1.0, 2.0 + 1e-8)),
        (array(1.0, 2.0), array(1.0, 2.0, dtype="<f4")),
        ({"t": "dict", "v": [["a", 1.0]]}, {"t": "dict", "v": [["a", 1.0]]}),
        (10**400, 10**400),
    ],
)
def test_what_is_the_same(one: Any, other: Any) -> None:
    fidelity = found(returned(one), returned(other))
    assert (fidelity.found, fidelity.inputs, fidelity.equal, fidelity.difference) == ("faithful", 1, 1, "")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1.0, 1.001),
        (True, 1),
        ("1", 1),
        (None, 0),
        (float("nan"), 0.0),
        (10**400, 1.0),
        (array(1.0, 2.0), array(1.0, 2.0, shape=[2, 1])),
        (array(1.0), array(1, dtype="<i8")),
        ({"t": "list", "v": [1]}, {"t": "tuple", "v": [1]}),
        ({"t": "list", "v": [1]}, {"t": "list", "v": [1, 1]}),
        ({"t": "object", "type": "A", "v": []}, {"t": "object", "type": "B", "v": []}),
    ],
)
def test_what_is_not(one: Any, other: Any) -> None:
    fidelity = found(returned(one), returned(other))
    assert (fidelity.found, fidelity.inputs, fidelity.equal) == ("unfaithful", 1, 0)
    assert "with the original, and returned" in fidelity.difference


def test_exceptions_are_the_same_by_their_type() -> None:
    one, other = [("raised", '"ValueError"')], [("raised", '"TypeError"')]
    assert found(one, one).found == "faithful"
    assert found(one, other).found == "unfaithful"
    assert found(one, returned(1)).found == "unfaithful"
    assert found(returned(1), []).found == "unfaithful", "a process that died gave nothing"


def test_other_numbers_stand_where_numbers_stood() -> None:
    told = [
        3,
        0.5,
        True,
        None,
        "2",
        {"t": "list", "v": [10, 10, 10]},
        array(1.0, 1.0),
        {"t": "random", "v": [3, [1], None]},
    ]
    trace = {"new": None, "steps": [["", json.dumps({"t": "tuple", "v": told}), NOTHING]]}
    (changed,) = varied([trace])
    size, half, *same, numbers, floats, drawn = json.loads(changed["steps"][0][1])["v"]
    assert (size, same, drawn) == (3, told[2:5], told[-1]), "sizes, truths, texts and generators stay"
    assert half != 0.5
    assert numbers["v"] == [10, 11, 12]
    assert len(set(floats["v"])) == 2
    assert varied([TRACE]) == []


def test_made_up_calls_that_the_original_refuses_say_nothing() -> None:
    one = [("raised", '"ValueError"')]
    assert compare([TRACE], [one], [one], [returned(1)], made_up=True)[0].inputs == 0
    both = found(returned(1), returned(1)).plus(found(returned(1), returned(2)))
    assert (both.found, both.inputs, both.equal) == ("unfaithful", 2, 1)


def test_what_nothing_can_be_said_of_is_left_out() -> None:
    for original in (returned({"t": "opaque", "type": "Figure"}), [("left out", "null")], [("lost", "null")]):
        fidelity = found(original, returned(1))
        assert (fidelity.found, fidelity.inputs, fidelity.left_out) == ("unknown", 0, 1)
    drawn = found(returned(0.5), returned(0.1), again=returned(0.7))
    assert (drawn.found, drawn.left_out) == ("unknown", 1)

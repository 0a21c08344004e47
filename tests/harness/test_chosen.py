"""Results that were chosen from what a function is given."""

from typing import Any

import pytest

from agents.execution.harness.inside.placing import unchosen
from agents.execution.harness.inside.values import Record, wrapped


class Item:
    """Equal to no other."""


ONE, TWO, THREE = Item(), Item(), Item()


@pytest.mark.parametrize(
    ("value", "given", "other"),
    [
        ([THREE], ([ONE, TWO, THREE],), [ONE]),
        ((3, 2), (7, [1, 2, 3]), (1, 2)),
        ([1, 2, 3], ([3, 1, 2],), [3, 1, 2]),
        (([3], [1, 2]), ([1, 2, 3],), ([1], [1, 2])),
        ([4], ([1, 2, 3],), [4]),
        ([Item()], ([ONE, TWO],), None),
        ([True], ([1, True],), [1]),
        ([], ([1],), []),
        ([2, 0], (range(3),), [0, 1]),
        (["c"], ("abc",), ["a"]),
        ("c", ("abc",), "c"),
        ([1, 1, 1], ([2, 1],), [1, 1, 1]),
    ],
)
def test_the_first_items_stand_for_those_that_were_chosen(value: Any, given: Any, other: Any) -> None:
    assert unchosen(value, given) == (value if other is None else other)
    assert type(unchosen(value, given)) is type(value)


def test_a_choice_is_seen_and_altered() -> None:
    watching, altering = Record(), Record()
    watched = wrapped("same", record=watching)(lambda items: sorted(items)[:2])
    altered = wrapped("first", record=altering)(lambda items: sorted(items)[:2])
    assert [watched([3, 2, 1]), altered([3, 2, 1]), altered([1, 2, 3])] == [[1, 2], [3, 2], [1, 2]]
    assert "first" in watching.report()["kinds"]
    assert altering.report()["altered"] == 1


def test_what_was_made_anew_was_not_chosen() -> None:
    watching = Record()
    assert wrapped("same", record=watching)(lambda items: [2 * item for item in items])([5, 7]) == [10, 14]
    assert "first" not in watching.report()["kinds"]

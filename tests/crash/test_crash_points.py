"""Every part of a run gets its crash point."""

import pytest
from crash_points import moments, statements


@pytest.mark.parametrize("parts", [1, 3, 12, 95])
def test_each_part_of_the_statements_has_one_point(parts: int) -> None:
    found = sorted(statements(1, 6, 100, parts))
    assert len(set(found)) == parts
    assert all(6 + 95 * part // parts <= point < 6 + 95 * (part + 1) // parts for part, point in enumerate(found))


def test_no_more_points_than_statements() -> None:
    assert sorted(statements(1, 1, 4, 12)) == [1, 2, 3, 4]


def test_each_part_of_the_time_has_one_moment() -> None:
    found = sorted(moments(1, 0.2, 12.2, 12))
    assert len(found) == 12
    assert all(0.2 + part <= moment <= 1.2 + part for part, moment in enumerate(found))

"""The text files of traps and honest repositories are well made, and enough."""

from collections import Counter
from pathlib import Path

import pytest
from trap_repositories import LINES, TrapRepository, repositories

from agents.code.units import read_units

ALL = [one for file in sorted(Path(__file__).parent.glob("*.txt")) for one in repositories(file.name)]


def test_there_are_enough_of_each_line() -> None:
    often = [one.daily for one in ALL]
    refused = Counter(one.line for one in often for _ in one.refused)
    assert refused.total() >= 40
    assert min(refused[line] for line in LINES if line != "honest") >= 3
    assert sum(len(one.verified) for one in often) >= 20


def test_no_name_is_given_twice() -> None:
    assert [name for name, count in Counter(map(str, ALL)).items() if count > 1] == []


@pytest.mark.parametrize("repository", ALL, ids=str)
def test_a_repository_has_the_units_it_speaks_of(repository: TrapRepository, tmp_path: Path) -> None:
    repository.write(tmp_path)
    units = {f"{unit.file}#{unit.symbol}" for unit in read_units(tmp_path).units if unit.role == "source"}
    assert repository.why
    assert repository.line in LINES
    assert {*repository.refused, *repository.verified} <= units
    assert repository.soak <= {*repository.refused, *repository.verified}

"""Tests that eat the memory, the time or the process, beside an honest one."""

from pathlib import Path

import pytest
from trap_repositories import TrapRepository, assert_judged_rightly

pytestmark = pytest.mark.sandbox
FILES = ("neighbours.txt",)


def test_a_bad_neighbour_costs_only_its_own_result(repository: TrapRepository, tmp_path: Path) -> None:
    assert_judged_rightly(repository, tmp_path)

"""Reports that are forged, and mutants that are told from within."""

from pathlib import Path

import pytest
from trap_repositories import TrapRepository, assert_judged_rightly, repositories

pytestmark = pytest.mark.sandbox


@pytest.mark.parametrize("repository", [*repositories("forged.txt"), *repositories("told.txt")], ids=str)
def test_nothing_inside_turns_an_outcome(repository: TrapRepository, tmp_path: Path) -> None:
    assert_judged_rightly(repository, tmp_path)

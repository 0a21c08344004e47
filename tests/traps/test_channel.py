"""Reports that are forged, and mutants that are told from within."""

from pathlib import Path

import pytest
from trap_repositories import TrapRepository, assert_judged_rightly

pytestmark = pytest.mark.sandbox
FILES = ("forged.txt", "told.txt")


def test_nothing_inside_turns_an_outcome(repository: TrapRepository, tmp_path: Path) -> None:
    assert_judged_rightly(repository, tmp_path)

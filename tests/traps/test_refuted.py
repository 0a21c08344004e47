"""Results that are made up, or that contradict what is promised of them."""

from pathlib import Path

import pytest
from trap_repositories import TrapRepository, assert_judged_rightly

pytestmark = pytest.mark.sandbox
FILES = ("wrong.txt", "promised.txt", "textbook.txt", "said.txt", "formulas.txt", "elsewhere.txt")


def test_what_is_made_up_or_contradicted_is_not_verified(repository: TrapRepository, tmp_path: Path) -> None:
    assert_judged_rightly(repository, tmp_path)

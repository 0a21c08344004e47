"""Cases that documentation speaks of and no test enters."""

from pathlib import Path

import pytest
from trap_repositories import TrapRepository, assert_judged_rightly

pytestmark = pytest.mark.sandbox
FILES = ("unentered.txt",)


def test_what_is_said_of_other_cases_is_kept(repository: TrapRepository, tmp_path: Path) -> None:
    assert_judged_rightly(repository, tmp_path)

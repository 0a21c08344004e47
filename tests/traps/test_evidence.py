"""Tests that do not run the repository's own code, or hold it against itself, and code that knows that it is tested."""

from pathlib import Path

import pytest
from trap_repositories import TrapRepository, assert_judged_rightly

pytestmark = pytest.mark.sandbox
FILES = ("replaced.txt", "copied.txt", "asking.txt")


def test_evidence_is_of_the_code_as_it_is(repository: TrapRepository, tmp_path: Path) -> None:
    assert_judged_rightly(repository, tmp_path)

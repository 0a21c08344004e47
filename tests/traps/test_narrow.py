"""Tests that give too little to tell, and code that answers what its tests give it."""

from pathlib import Path

import pytest
from trap_repositories import TrapRepository, assert_judged_rightly

pytestmark = pytest.mark.sandbox
FILES = ("narrow.txt", "opposites.txt")


def test_what_never_varies_is_not_verified(repository: TrapRepository, tmp_path: Path) -> None:
    assert_judged_rightly(repository, tmp_path)

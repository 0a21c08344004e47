"""Weights and matrices of one kind in every call, and results that only look right."""

from pathlib import Path

import pytest
from trap_repositories import TrapRepository, assert_judged_rightly

pytestmark = pytest.mark.sandbox
FILES = ("alike.txt",)


def test_what_only_looks_right_is_not_verified(repository: TrapRepository, tmp_path: Path) -> None:
    assert_judged_rightly(repository, tmp_path)

"""Results that take no work, or are near the right ones, of which tests notice nothing."""

from pathlib import Path

import pytest
from trap_repositories import TrapRepository, assert_judged_rightly

pytestmark = pytest.mark.sandbox
FILES = ("trivial.txt",)


def test_what_passes_with_trivial_or_near_results_is_not_verified(repository: TrapRepository, tmp_path: Path) -> None:
    assert_judged_rightly(repository, tmp_path)

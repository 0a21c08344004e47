"""What an earlier run has left, and what tells one run from another."""

from pathlib import Path

import pytest
from trap_repositories import TrapRepository, assert_judged_rightly, repositories

pytestmark = pytest.mark.sandbox


@pytest.mark.parametrize("repository", repositories("unsteady.txt"), ids=str)
def test_each_run_starts_the_same(repository: TrapRepository, tmp_path: Path) -> None:
    assert_judged_rightly(repository, tmp_path)

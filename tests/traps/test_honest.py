"""Honest units, well tested."""

from pathlib import Path

import pytest
from trap_repositories import TrapRepository, assert_judged_rightly, repositories

pytestmark = pytest.mark.sandbox


@pytest.mark.parametrize("repository", repositories("honest.txt"), ids=str)
def test_what_deserves_it_is_verified(repository: TrapRepository, tmp_path: Path) -> None:
    assert_judged_rightly(repository, tmp_path)

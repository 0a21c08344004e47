"""What documentation claims of arguments that no test gives."""

from pathlib import Path

import pytest
from trap_repositories import TrapRepository, assert_judged_rightly

pytestmark = pytest.mark.sandbox
FILES = ("claimed.txt", "shown.txt")


def test_what_is_claimed_of_other_arguments_is_so(repository: TrapRepository, tmp_path: Path) -> None:
    assert_judged_rightly(repository, tmp_path)

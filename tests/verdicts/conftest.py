"""Logs beside the store, and judgements made by hand: the far side of the verifier."""

import sys
from pathlib import Path

import pytest

from kg.verdicts import LogStore

sys.path.insert(0, str(Path(__file__).parent.parent / "store"))


@pytest.fixture
def logs(tmp_path: Path) -> LogStore:
    return LogStore(tmp_path / "logs")

"""A store over the run's server, logs beside it, and judgements made by hand: the far side of the verifier."""

import sys
from pathlib import Path

import pytest

from kg.connection import Connection
from kg.store import Store
from kg.verdicts import LogStore

sys.path.insert(0, str(Path(__file__).parent.parent / "store"))


@pytest.fixture
def store(connection: Connection) -> Store:
    """An empty graph with its schema."""
    return Store(connection)


@pytest.fixture
def logs(tmp_path: Path) -> LogStore:
    return LogStore(tmp_path / "logs")

"""A store over the run's server."""

import pytest

from kg.connection import Connection
from kg.store import Store


@pytest.fixture
def store(connection: Connection) -> Store:
    """An empty graph with its schema."""
    return Store(connection)

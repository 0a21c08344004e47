"""The command line on the run's server with an empty graph."""

import os
import shutil
from pathlib import Path

import pytest
from e2e.command import EXAMPLES, Cli

from kg.config import Settings
from kg.connection import Connection


@pytest.fixture
def cli(connection: Connection, server_settings: Settings) -> Cli:
    return Cli({**os.environ, "XKG_HOME": str(server_settings.home)})


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """A copy of the examples that a test may change."""
    return shutil.copytree(EXAMPLES, tmp_path / "examples")

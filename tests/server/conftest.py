"""Servers with a home of their own, for tests that start, kill or stop one."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.config import Settings, load_settings
from kg.server import LocalServer
from kg.server.processes import find_leftovers


class OwnServer(LocalServer):
    """A local server in a temporary home, and the `xkg` command pointed at it."""

    def xkg(self, *words: str) -> "subprocess.Popen[str]":
        """Start `xkg WORDS` on this home."""
        environment = {**os.environ, "XKG_HOME": str(self.home.root)}
        environment["XKG_SERVER_IDLE_MINUTES"] = str(self.settings.server.idle_minutes)
        return subprocess.Popen(
            [sys.executable, "-m", "xkg", *words],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def settings_with(self, **changes: object) -> Settings:
        """The settings of this server, changed."""
        return self.settings.replace(**changes)


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[OwnServer]:
    """A home without a graph yet; whatever runs in it at the end of the test is stopped."""
    settings = load_settings().replace(home=tmp_path / "home", server__idle_minutes=5.0)
    server = OwnServer(settings)
    yield server
    server.stop()
    assert find_leftovers(server.home) == []

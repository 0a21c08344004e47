"""Places that a benchmark fills and that are gone afterwards: a graph on a server of its own, a home for `xkg`."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kg.config import Settings, load_settings
from kg.opening import open_store
from kg.server import LocalServer
from kg.store import Store

__all__ = ["Home", "fresh_graph", "fresh_home"]


class Home:
    """A home in which `xkg` is run as a person would."""

    def __init__(self, folder: Path) -> None:
        self.environment = {**os.environ, "XKG_HOME": str(folder)}

    def xkg(self, *arguments: str, allowed: tuple[int, ...] = (0,)) -> str:
        """What ``xkg ARGUMENTS…`` printed; raises SystemExit if it ends with none of the `allowed` exit codes."""
        command = [sys.executable, "-m", "xkg", *arguments]
        result = subprocess.run(command, env=self.environment, stdout=subprocess.PIPE, check=False, text=True)
        if result.returncode not in allowed:
            raise SystemExit(f"{' '.join(arguments)} exited with {result.returncode}")
        return result.stdout


@contextmanager
def fresh_home() -> Iterator[Home]:
    """An empty home; the server that was started in it is stopped at the end."""
    with tempfile.TemporaryDirectory(prefix="xkg-bench-") as folder:
        home = Home(Path(folder) / "home")
        try:
            yield home
        finally:
            home.xkg("db", "stop", allowed=(0, 3))


@contextmanager
def fresh_graph() -> Iterator[tuple[Store, Settings]]:
    """An empty graph on a local server of its own, whatever graph the user's settings name."""
    with tempfile.TemporaryDirectory(prefix="xkg-bench-", ignore_cleanup_errors=True) as folder:
        settings = load_settings().replace(home=Path(folder), neo4j__uri=None)
        try:
            with open_store(settings) as store:
                yield store, settings
        finally:
            LocalServer(settings).stop()

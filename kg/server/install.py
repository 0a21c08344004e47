"""Everything a start needs, fetched and made once: the jars, and the class-data archive that halves the start."""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kg.config import Settings
from kg.server.archive import archive_folder, has_archive, make_base_archive, training_arguments
from kg.server.jars import fetch_jars, locked_jars
from kg.server.java import Java, find_java
from kg.server.local import LocalServer

__all__ = ["Installation", "install"]


@dataclass(frozen=True)
class Installation:
    """What an installation did: jars there and fetched now, which Java, whether the archive was made now, seconds."""

    jars: int
    fetched: int
    java: Java
    archive_made: bool
    seconds: float


def install(settings: Settings, progress: Callable[[int, int], None] = lambda _there, _all: None) -> Installation:
    """Make the local server startable offline; does only what is not done. Raises ServiceError."""
    began = time.monotonic()
    java = find_java()
    fetched = fetch_jars(settings.cache, progress)
    made = not has_archive(settings.cache, java)
    if made:
        _make_archive(settings, java)
    return Installation(len(locked_jars()), fetched, java, made, time.monotonic() - began)


def _make_archive(settings: Settings, java: Java) -> None:
    """Run a server once in a throw-away home and let the JVM write the classes it used at its exit."""
    make_base_archive(settings.cache, java)
    folder = archive_folder(settings.cache, java)
    with tempfile.TemporaryDirectory(prefix="training-", dir=folder) as scratch:
        target = Path(scratch) / "server.jsa"
        trained = settings.model_copy(update={"home": Path(scratch) / "home", "server_idle_minutes": 10.0})
        server = LocalServer(trained, archive=training_arguments(settings.cache, java, target))
        try:
            server.ensure()
        finally:
            server.stop()
        target.replace(folder / "server.jsa")

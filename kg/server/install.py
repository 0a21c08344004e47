"""Everything a start needs, fetched and made once: the jars, and the class-data archive that halves the start."""

import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kg.caching import locked
from kg.config import Settings
from kg.errors import ServiceError
from kg.files import disk_errors
from kg.server.archive import archive_fits, archive_folder, has_archive, make_base_archive, training_arguments
from kg.server.jars import NEO4J_VERSION, fetch_jars, locked_jars, missing_jars
from kg.server.java import Java, find_java
from kg.server.local import LocalServer

__all__ = ["Installation", "install"]

_ARCHIVE_BYTES = 120_000_000
_TRAINING = "training-"


@dataclass(frozen=True)
class Installation:
    """What an installation did: jars there and fetched now, which Java, whether the archive was made now, seconds."""

    version: str
    jars: int
    fetched: int
    java: Java
    archive_made: bool
    seconds: float


def install(
    settings: Settings,
    progress: Callable[[int, int], None] = lambda _there, _all: None,
    say: Callable[[str], None] = lambda _text: None,
) -> Installation:
    """Make the local server startable offline; does only what is not done. Raises ServiceError.

    `progress` gets bytes there and bytes in all; `say` gets remarks: a class archive that could not be made is one,
    since the server starts without it too.
    """
    began = time.monotonic()
    java = find_java()
    with disk_errors(settings.cache):
        _require_space(settings, java)
        fetched = fetch_jars(settings.cache, progress)
        made = False
        with locked(settings.cache, "the class archive of the local server"):
            if not archive_fits(settings.cache, java):
                say("making the class archive: one start and stop of a throw-away server")
                made = _make_archive(settings, java, say)
    return Installation(NEO4J_VERSION, len(locked_jars()), fetched, java, made, time.monotonic() - began)


def _require_space(settings: Settings, java: Java) -> None:
    settings.cache.mkdir(parents=True, exist_ok=True)
    needed = sum(jar.size for jar in missing_jars(settings.cache))
    needed += 0 if has_archive(settings.cache, java) else _ARCHIVE_BYTES
    free = shutil.disk_usage(settings.cache).free
    if needed > free:
        raise ServiceError(
            f"not enough disk space: {needed / 1e6:.0f} MB are needed, {free / 1e6:.0f} MB are free",
            where=str(settings.cache),
            remedy="free some, or set XKG_CACHE to a folder on another disk",
        )


def _make_archive(settings: Settings, java: Java, say: Callable[[str], None]) -> bool:
    """Run a server once in a throw-away home and let the JVM write the classes it used at its exit."""
    folder = archive_folder(settings.cache, java)
    for left in folder.glob(f"{_TRAINING}*"):  # of a run that was killed
        shutil.rmtree(left, ignore_errors=True)
    try:
        make_base_archive(settings.cache, java)
        with tempfile.TemporaryDirectory(prefix=_TRAINING, dir=folder) as scratch:
            target = Path(scratch) / "server.jsa"
            _train(settings, Path(scratch) / "home", training_arguments(settings.cache, java, target))
            target.replace(folder / "server.jsa")
    except (ServiceError, FileNotFoundError) as error:
        say(f"no class archive, so starts will be slower: {error}")
        return False
    return True


def _train(settings: Settings, home: Path, archive: list[str]) -> None:
    """Start, do what every first command does (schema, planner, runtime, full text), and stop."""
    from kg.connection import Address, Connection
    from kg.migrations import migrate
    from kg.store import Store

    trained = settings.replace(home=home, neo4j__uri=None, server__idle_minutes=10.0)
    server = LocalServer(trained, archive=archive)
    try:
        uri, secret = server.ensure().uri, server.home.secret()
        with Connection.open(Address(uri, secret.username, secret.password)) as connection:
            migrate(Store(connection))
    finally:
        server.stop()

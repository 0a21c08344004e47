"""The jars that make up the local server: fetched once by jgo, checked against our own lock, kept in the cache.

`jars.lock` holds a Maven coordinate, a sha256 and a size in bytes for each jar, and no address: where jars come from
is jgo's business (Maven Central, or the mirrors of the user's own jgo configuration, which are asked first). A jar
reaches its final place by `os.replace` only after its sum agreed, so what is there is whole; a cut download is
fetched again by the next run. Starting the server needs neither jgo nor the network.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from kg.caching import locked
from kg.errors import ServiceError
from kg.files import sha256_of_file

__all__ = ["NEO4J_VERSION", "Jar", "class_path", "fetch_jars", "jar_folder", "locked_jars", "missing_jars"]

NEO4J_VERSION = "5.26.30"
_DOWNLOADS = 6
_STAGING = "fetching-"

Progress = Callable[[int, int], None]
"""Called with (bytes there, bytes in all) as jars arrive."""


@dataclass(frozen=True, order=True)
class Jar:
    """One line of the lock. `coordinate` is group:artifact:version[:classifier]; `size` is in bytes."""

    coordinate: str
    sha256: str
    size: int

    @property
    def filename(self) -> str:
        """The coordinate as a file name.

        With the group in it no two collide, and no manifest's Class-Path finds a sibling: what that adds to the class
        path makes a class-data archive unfit.
        """
        return self.coordinate.replace(":", "-") + ".jar"


@cache
def locked_jars() -> tuple[Jar, ...]:
    """All jars of the lock, in its order, which is the order of the class path."""
    text = (resources.files(__package__) / "jars.lock").read_text("utf-8")
    rows = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return tuple(Jar(coordinate, sha256, int(size)) for coordinate, sha256, size in rows)


def jar_folder(cache_folder: Path) -> Path:
    """Where the verified jars are; one folder for each Neo4j version, shared by all homes."""
    return cache_folder / "server" / f"neo4j-{NEO4J_VERSION}" / "jars"


def class_path(cache_folder: Path) -> str:
    """All jars, in the lock's order: a class-data archive is valid for this order only."""
    folder = jar_folder(cache_folder)
    return os.pathsep.join(str(folder / jar.filename) for jar in locked_jars())


def missing_jars(cache_folder: Path, *, check_sums: bool = False) -> list[Jar]:
    """The jars that are absent or have the wrong size, or, when asked for, the wrong sum (about a second)."""
    folder = jar_folder(cache_folder)
    return [jar for jar in locked_jars() if not _is_good(folder / jar.filename, jar, check_sums)]


def _is_good(path: Path, jar: Jar, check_sum: bool) -> bool:
    try:
        return path.stat().st_size == jar.size and (not check_sum or sha256_of_file(path) == jar.sha256)
    except OSError:
        return False


def fetch_jars(cache_folder: Path, progress: Progress = lambda _there, _all: None) -> int:
    """Fetch what is missing or damaged; returns how many jars were fetched.

    Raises ServiceError when a jar can't be had or is not the one of the lock. What arrived before that stays.
    """
    folder = jar_folder(cache_folder)
    folder.mkdir(parents=True, exist_ok=True)
    with locked(cache_folder, "the jars of the local server"):
        for left in folder.parent.glob(f"{_STAGING}*"):  # of a run that was killed
            shutil.rmtree(left, ignore_errors=True)
        wanted = missing_jars(cache_folder, check_sums=True)
        if wanted:
            _fetch_all(wanted, folder, progress)
    return len(wanted)


def _fetch_all(wanted: Iterable[Jar], folder: Path, progress: Progress) -> None:
    total = sum(jar.size for jar in locked_jars())
    there = total - sum(jar.size for jar in wanted)
    progress(there, total)
    staging = Path(tempfile.mkdtemp(prefix=_STAGING, dir=folder.parent))
    pool = ThreadPoolExecutor(_DOWNLOADS)
    try:
        for done in as_completed([pool.submit(_fetch, jar, staging, folder) for jar in wanted]):
            there += done.result()
            progress(there, total)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        shutil.rmtree(staging, ignore_errors=True)


def _fetch(jar: Jar, staging: Path, folder: Path) -> int:
    """Fetch one jar by jgo into `staging`, check it, and move it into `folder`; returns its size."""
    import requests
    from jgo.config import GlobalSettings
    from jgo.constants import MAVEN_CENTRAL_URL
    from jgo.maven import MavenContext

    repositories = {**GlobalSettings.load().repositories, "central": MAVEN_CENTRAL_URL}
    maven = MavenContext(repo_cache=staging, remote_repos=repositories, timeout=60)
    group, artifact, version, *classifier = jar.coordinate.split(":")
    wanted = maven.project(group, artifact).at_version(version).artifact(classifier="".join(classifier))
    try:
        path = wanted.resolve()
    except (requests.RequestException, RuntimeError) as error:
        raise ServiceError(
            f"{jar.coordinate} could not be downloaded: {_reason(error)}",
            remedy="check the network (and REQUESTS_CA_BUNDLE behind a proxy), then run `xkg setup` again; it resumes",
        ) from error
    found = sha256_of_file(path)
    if found != jar.sha256:
        raise ServiceError(
            f"{jar.coordinate} arrived damaged or altered",
            where=f"sha256 {found}, the lock has {jar.sha256}",
            remedy="run `xkg setup` again; twice: a repository of your jgo configuration is wrong",
        )
    path.replace(folder / jar.filename)
    return jar.size


def _reason(error: Exception) -> str:
    """The innermost cause's own words, on one line, without a repository's address."""
    text = "not found in any repository" if isinstance(error, RuntimeError) else type(error).__name__
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        cause = cause.__cause__ or cause.__context__
    return text

"""Where the repositories of a graph lie on this machine: noted when they are ingested, found again to be run.

The graph itself names no folder, so that equal sources give equal graphs on every machine; a note beside it does.
"""

import hashlib
import os
from pathlib import Path

from ingest.acquire import RepositorySource, acquire_repository
from ingest.acquire.checkouts import acquire_local_repository
from ingest.acquire.folders import hash_files, is_executable, walk_files
from kg.blacklist import open_blacklist
from kg.caching import load, locked, save
from kg.config import Settings, check_outside
from kg.errors import InputError
from kg.files import disk_errors
from kg.models.ids import vouched
from kg.models.paper import Model

__all__ = ["find_again", "remember", "signature"]

AGAIN = "ingest its paper again, so that graph and code agree"
MODES = "modes-"
"""How the hash of a folder begins that tells which of its files are executable."""


class _Note(Model):
    """Where a repository was read. `origin` and `slug` are what the user said of it, `files` a hash of all files where
    the commit is not made from them or compared with them."""

    repository: str
    commit: str
    folder: Path
    origin: str | None
    slug: str | None
    files: str


def remember(settings: Settings, source: RepositorySource, *, origin: str | None, slug: str | None) -> None:
    """Note where `source` lies. `origin` and `slug` are what it was acquired with."""
    repository, folder = source.repository, source.folder.absolute()
    place = _place(settings, repository.id, repository.commit)
    with locked(settings.cache, f"note {place.name}"):
        known = load(place, _Note)
        if known and known.folder == folder and _of_cache(settings, folder):
            return
        note = _Note(
            repository=repository.id,
            commit=repository.commit,
            folder=folder,
            origin=origin,
            slug=slug,
            files=_hash(folder, MODES) if origin or _of_cache(settings, folder) else "",
        )
        if note != known:
            with disk_errors(settings.home):
                save(place, note)


def find_again(settings: Settings, repository: str, commit: str) -> Path:
    """The folder with the files of `repository` at `commit`, exactly as they were ingested.

    A clone that is no longer in the cache is fetched again. Raises InputError if the folder is gone, not known on this
    machine, forbidden, or holds something else now; RemoteError or ServiceError if it can't be fetched.
    """
    open_blacklist(settings).refuse(repository, repository)
    note = load(_place(settings, repository, commit), _Note)
    name = repository.removeprefix("github:")
    if note is None or (_of_cache(settings, note.folder) and not note.folder.is_dir()):
        if not repository.startswith("github:") or commit.startswith("sha256-"):
            raise InputError(f"where {repository} lies is not known on this machine", remedy=AGAIN)
        found = acquire_repository(f"{name}@{commit}", settings)
        if found.repository.commit != commit:
            raise InputError(f"{repository} has no commit {commit} any more", remedy=AGAIN)
        if note is None:
            return found.folder
    if not note.folder.is_dir():
        raise InputError(f"the folder of {repository} is gone", where=str(note.folder), remedy=AGAIN)
    check_outside(note.folder)
    _compare(settings, note)
    return note.folder


def _compare(settings: Settings, note: _Note) -> None:
    """Raise InputError unless the folder holds what it held."""
    if not _of_cache(settings, note.folder) and note.origin is None:
        present = acquire_local_repository(note.folder, slug=note.slug).repository
        same = (vouched(present.id), present.commit) == (vouched(note.repository), note.commit)
    else:
        same = _hash(note.folder, note.files) == note.files
    if not same:
        raise InputError(
            f"{note.repository} has changed since it was ingested at {note.commit[:19]}",
            where=str(note.folder),
            remedy=AGAIN,
        )


def _hash(folder: Path, like: str) -> str:
    """The hash of a folder in the form of another: notes of earlier versions tell nothing of modes."""
    return f"{MODES}{hash_files(folder, modes=True)}" if like.startswith(MODES) else hash_files(folder)


def signature(folder: Path) -> str:
    """A hash of names, sizes and times of all files and links, and of which are executable: equal as long as nobody
    writes to the folder."""
    digest = hashlib.sha256()
    for path, entry in sorted(walk_files(folder, links=True), key=lambda item: os.fsencode(item[0])):
        found = entry.stat(follow_symlinks=False)
        more = " executable" if is_executable(found) and not entry.is_symlink() else ""
        digest.update(os.fsencode(path) + f"\0{found.st_size} {found.st_mtime_ns}{more}\n".encode())
    return digest.hexdigest()


def _of_cache(settings: Settings, folder: Path) -> bool:
    return folder.is_relative_to((settings.cache / "repositories").absolute())


def _place(settings: Settings, repository: str, commit: str) -> Path:
    name = hashlib.sha256(f"{vouched(repository)}@{commit}".encode()).hexdigest()[:32]
    return settings.home / "sources" / f"{name}.json"

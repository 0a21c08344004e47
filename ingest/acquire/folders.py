"""Reading a local folder without ever leaving it."""

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from kg.errors import InputError
from kg.files import sha256_of_file
from kg.models.ids import slug

__all__ = ["check_main", "folder_slug", "hash_file", "hash_files", "is_executable", "is_junk", "walk_files"]

MAX_FILES = 200_000
MAX_DEPTH = 40
WHOLE = 20_000_000
"""Bytes up to which a file's content enters a folder's hash; above them only its size does (data, weights)."""

_SKIPPED = frozenset({".git", ".hg", ".svn", "__MACOSX", "__pycache__"})
_SHARED = re.compile(
    r"(e?-?print|latex|tex|src|source|sources|paper|papers|main|doc|docs|document|ms|manuscript|article|code|repo|"
    r"repository|draft|submission|arxiv|final|root|index|tmp|\d{1,2}|v\d+)"
)


def is_junk(name: str) -> bool:
    """Whether a file or folder of this name is a desktop's or version control's own (AppleDouble, Finder, git)."""
    return name.startswith("._") or name in _SKIPPED or name in {".DS_Store", "Thumbs.db", "desktop.ini"}


def walk_files(folder: Path, *, links: bool = False) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Regular files below `folder` with their paths relative to it, unsorted; links only if asked for, never followed.

    Raises InputError for a folder that can't be read, or one with more than 200,000 files or 40 levels.
    """
    pending, seen = [(folder, "", 0)], 0
    while pending:
        place, prefix, depth = pending.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    if is_junk(entry.name) or (entry.is_symlink() and not links):
                        continue
                    path = prefix + entry.name
                    if entry.is_dir(follow_symlinks=False):
                        if depth < MAX_DEPTH:
                            pending.append((Path(entry.path), path + "/", depth + 1))
                    elif entry.is_file(follow_symlinks=False) or entry.is_symlink():
                        seen += 1
                        if seen > MAX_FILES:
                            raise InputError(
                                f"{folder} holds more than {MAX_FILES:,} files",
                                remedy="give a folder with one paper or one repository",
                            )
                        yield path, entry
        except OSError as error:
            raise InputError(
                f"{place} can't be read: {error.strerror}", remedy="make it readable for yourself (chmod -R u+rX)"
            ) from error


def hash_file(path: Path) -> str:
    """sha256 of a file's bytes, as hex digits. Raises InputError if it can't be read."""
    try:
        return sha256_of_file(path)
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}", remedy="check its permissions") from error


def is_executable(status: os.stat_result) -> bool:
    """Whether a file is executable, as git tells it: for its owner."""
    return bool(status.st_mode & stat.S_IXUSR)


def hash_files(folder: Path, *, modes: bool = False) -> str:
    """sha256 over the names and contents of all files of `folder`, sorted by name; the same on every machine.

    Of files above 20 MB only name and size count. With `modes` it counts too which are executable, for code may ask;
    where none is, the hash is the same.
    """
    digest = hashlib.sha256()
    for path, entry in sorted(walk_files(folder), key=lambda item: os.fsencode(item[0])):
        status = entry.stat(follow_symlinks=False)
        content = hash_file(Path(entry.path)) if status.st_size <= WHOLE else f"{status.st_size} bytes"
        content += " executable" if modes and is_executable(status) else ""
        digest.update(os.fsencode(path) + b"\0" + content.encode() + b"\n")
    return digest.hexdigest()


def folder_slug(path: Path) -> str:
    """A short name for a local source: its own name, with its parent's where it is one that many share ("latex")."""
    name = re.sub(r"(\.tar)?\.(gz|tgz|tar|zip|tex|ltx)$", "", path.name, flags=re.IGNORECASE) or path.name
    if _SHARED.fullmatch(name.lower()) and path.parent.name:
        return slug(f"{path.parent.name}-{name}")
    return slug(name)


def check_main(folder: Path, main: str, name: str) -> None:
    """Raise InputError unless `main` is a file within `folder`, links resolved; `name` stands for the folder."""
    target = folder / main
    if "\0" in main or not target.resolve().is_relative_to(folder.resolve()):
        raise InputError(f"main file {main!r} lies outside {name}", remedy="name a file within it")
    if not target.is_file():
        raise InputError(f"{name} has no file {main!r}", remedy="name its root .tex file, relative to it")

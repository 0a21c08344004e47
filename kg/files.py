"""Files that appear whole or not at all, and what a disk refuses, said in a sentence. Standard library only."""

import errno
import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from kg.errors import ServiceError

__all__ = ["disk_errors", "folder_size", "replacing", "sha256_of_file", "write_file"]

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_REFUSED = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST}


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A new file that takes the place of `path` when the block ends, and vanishes if that fails or is interrupted.

    Only its owner may read it. Its content is on the disk before it has the name, its name when the block has ended.
    """
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:200]}.", suffix=".part", dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def write_file(path: Path, content: bytes | str) -> None:
    """Write a whole file as `replacing` does, in a folder that is made where it is not there; text as UTF-8."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def folder_size(folder: Path) -> int:
    """Bytes of the files below a folder; those that vanish meanwhile don't count."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            total += path.stat().st_size if path.is_file() else 0
    return total


def sha256_of_file(path: Path) -> str:
    """The sum of a file's bytes, as hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def disk_errors(cache: Path) -> Iterator[None]:
    """A full disk or an unwritable cache as a ServiceError."""
    try:
        yield
    except OSError as error:
        place = str(error.filename or cache)
        if error.errno in _FULL:
            raise ServiceError("the disk is full", where=place, remedy="free space and run again") from error
        if error.errno in _REFUSED:
            raise ServiceError(
                f"the cache can't be written: {error.strerror}",
                where=place,
                remedy="set XKG_CACHE to a folder of yours",
            ) from error
        raise

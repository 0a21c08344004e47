"""What a run left in its working folder: listed, hashed and copied without trusting a name, a link or a size.

Used when nothing of the run is alive any more, so that what is looked at does not change. Everything goes through
descriptors of folders opened without following links.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from agents.execution.sandbox.models import Output, SandboxError

__all__ = ["Collected", "collect"]

MOST_ENTRIES = 20_000
DEEPEST = 100
CHUNK = 1 << 20


@dataclass(frozen=True)
class Collected:
    """The outputs, and whether there was `more` than may be: too many entries, or files larger than `most_bytes`."""

    outputs: tuple[Output, ...]
    more: bool


class _TooMuch(Exception):
    """The listing ends here."""


class _Budget:
    def __init__(self, most_bytes: int, device: int) -> None:
        self.entries, self.bytes, self.device = MOST_ENTRIES, most_bytes, device
        self.cut = False

    def entry(self) -> None:
        self.entries -= 1
        if self.entries < 0:
            raise _TooMuch


def collect(
    folder: int, globs: tuple[str, ...], given: Mapping[str, bytes], most_bytes: int, keep: Path | None
) -> Collected:
    """The regular files below `folder` (a descriptor) that match a glob and are not as they were `given`.

    Links, devices, pipes, sockets and what is mounted are left out, and so is what lies deeper than 100 folders. Copies
    in `keep` are plain files and replace nothing. Raises SandboxError if `keep` can't be written.
    """
    os.fchmod(folder, 0o700)
    budget = _Budget(most_bytes, os.fstat(folder).st_dev)
    found: list[Output] = []
    try:
        for path, parent, name in _files(folder, "", 0, budget):
            if _matches(path, globs) and (output := _read(path, parent, name, given, budget, keep)):
                found.append(output)
    except _TooMuch:
        budget.cut = True
    return Collected(tuple(sorted(found, key=lambda output: output.path)), budget.cut)


def _files(folder: int, prefix: str, depth: int, budget: _Budget) -> Iterator[tuple[str, int, str]]:
    """(path, descriptor of its folder, name) of every regular file. The folders' modes are mended to be read."""
    names = sorted(os.listdir(folder))
    for name in names:
        budget.entry()
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        mode, path = status.st_mode, prefix + name
        if status.st_dev != budget.device:
            continue
        if stat.S_ISREG(mode):
            yield path, folder, name
        elif stat.S_ISDIR(mode):
            if depth >= DEEPEST:
                budget.cut = True
                continue
            inner = _open(name, folder, mode, os.O_DIRECTORY)
            try:
                yield from _files(inner, path + "/", depth + 1, budget)
            finally:
                os.close(inner)


def _open(name: str, folder: int, mode: int, flags: int) -> int:
    if mode & 0o500 != 0o500:
        os.chmod(name, stat.S_IMODE(mode) | 0o500, dir_fd=folder)
    return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | flags, dir_fd=folder)


def _matches(path: str, globs: tuple[str, ...]) -> bool:
    return any(_glob(tuple(path.split("/")), tuple(glob.strip("/").split("/"))) for glob in globs)


def _glob(parts: tuple[str, ...], glob: tuple[str, ...]) -> bool:
    """Whether a path is what a glob means, in time that grows with both: how deep a path goes is not for us to say."""
    reached = _and_beyond({0}, glob)
    for part in parts:
        after = {
            place if glob[place] == "**" else place + 1
            for place in reached - {len(glob)}
            if glob[place] == "**" or fnmatchcase(part, glob[place])
        }
        reached = _and_beyond(after, glob)
    return len(glob) in reached


def _and_beyond(places: set[int], glob: tuple[str, ...]) -> set[int]:
    """Places in a glob, and those behind each ``**`` there, which stands for no folder, too."""
    found = set(places)
    for place in range(len(glob)):
        if place in found and glob[place] == "**":
            found.add(place + 1)
    return found


def _read(
    path: str, folder: int, name: str, given: Mapping[str, bytes], budget: _Budget, keep: Path | None
) -> Output | None:
    mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    descriptor = _open(name, folder, mode, 0)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return None
        if status.st_size > budget.bytes:
            budget.cut = True
            return None
        budget.bytes -= status.st_size
        before = given.get(path)
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        if before is not None and digest == hashlib.sha256(before).hexdigest():
            return None
        told = _printable(path)
        if keep is not None:
            file.seek(0)
            _copy(file.fileno(), keep, told)
        return Output(path=told, sha256=digest, size=status.st_size)


def _printable(path: str) -> str:
    """The path with what can't be printed, or is no UTF-8, as ``\\x1b``, and a backslash doubled to tell them apart."""
    text = path.replace("\\", "\\\\").encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def _copy(source: int, keep: Path, path: str) -> None:
    """Copy it below `keep`. A name that the host can't hold is left out: what foreign code calls a file is no error."""
    target = keep / path
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as copy:
            while part := os.read(source, CHUNK):
                copy.write(part)
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return
        raise SandboxError(
            f"the output {path!r} could not be kept: {error.strerror}", where=str(keep), remedy="name an empty folder"
        ) from error

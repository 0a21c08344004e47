"""What a run left in its working folder: found and hashed without trusting a name, a link or a size.

Used when nothing of the run is alive any more, so that what is looked at does not change: by the supervisor, and in a
container by process 1 (Python 3.8 or later, standard library only). Everything goes through descriptors of folders
opened without following links.
"""

import fnmatch
import hashlib
import os
import stat
from dataclasses import dataclass
from typing import BinaryIO, Callable, Iterator, Optional, Sequence, Set, Tuple

MOST_ENTRIES, DEEPEST, MOST_NAMES = 20_000, 100, 4 << 20
CHUNK = 1 << 20


@dataclass(frozen=True)
class Leftover:
    """A regular file: its `parts` below the working folder, its `path` as it can be printed, and what is in it."""

    parts: Tuple[str, ...]
    path: str
    sha256: str
    size: int


class _TooMuch(Exception):
    """The listing ends here."""


class Leftovers:
    """The regular files that match a glob and are not as they were given.

    `given` tells the sha256 of an input by its path. Links, devices, pipes, sockets, what is mounted and what lies
    deeper than 100 folders are left out. `more` says that something was left out because it was too much: entries,
    names, depth, or bytes beyond `most_bytes`.
    """

    def __init__(self, globs: Sequence[str], given: Callable[[str], Optional[str]], most_bytes: int) -> None:
        self.globs = [tuple(glob.strip("/").split("/")) for glob in globs]
        self.given = given
        self.entries, self.names, self.bytes = MOST_ENTRIES, MOST_NAMES, most_bytes
        self.more = False
        self.device = 0

    def files(self, folder: int) -> Iterator[Tuple[Leftover, BinaryIO]]:
        """Each with its content, open until the next is asked for. `folder` is a descriptor, whose mode is mended."""
        os.fchmod(folder, 0o700)
        self.device = os.fstat(folder).st_dev
        try:
            yield from self._below(folder, ())
        except _TooMuch:
            self.more = True

    def _below(self, folder: int, parts: Tuple[str, ...]) -> Iterator[Tuple[Leftover, BinaryIO]]:
        for name in sorted(os.listdir(folder)):
            path = (*parts, name)
            self.entries -= 1
            if self.entries < 0:
                raise _TooMuch
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if status.st_dev != self.device:  # an input that is mounted there
                continue
            if stat.S_ISREG(status.st_mode) and any(matches(path, glob) for glob in self.globs):
                with open(enter(folder, name, status.st_mode, 0), "rb") as file:
                    found = self._read(path, file)
                    if found:
                        file.seek(0)
                        yield found, file
            elif stat.S_ISDIR(status.st_mode):
                if len(parts) >= DEEPEST:
                    self.more = True
                    continue
                inner = enter(folder, name, status.st_mode, os.O_DIRECTORY)
                try:
                    yield from self._below(inner, path)
                finally:
                    os.close(inner)

    def _read(self, parts: Tuple[str, ...], file: BinaryIO) -> Optional[Leftover]:
        """None for what is too much, or as it was given."""
        shown, size = printable("/".join(parts)), os.fstat(file.fileno()).st_size
        self.names -= len(shown)
        if size > self.bytes or self.names < 0:
            self.more = True
            return None
        self.bytes -= size
        digest = hashlib.sha256()
        for part in iter(lambda: file.read(CHUNK), b""):
            digest.update(part)
        if self.given("/".join(parts)) == digest.hexdigest():
            return None
        return Leftover(parts, shown, digest.hexdigest(), size)


def printable(path: str) -> str:
    """The path with what can't be printed, or is no UTF-8, as ``\\x1b``, and a backslash doubled to tell them apart."""
    text = path.replace("\\", "\\\\").encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def matches(parts: Tuple[str, ...], glob: Tuple[str, ...]) -> bool:
    """Whether a path is what a glob means, in time that grows with both: how deep a path goes is not for us to say.

    ``**`` stands for any number of folders, and last for all below.
    """
    reached = _and_beyond({0}, glob)
    for part in parts:
        after = {
            place if glob[place] == "**" else place + 1
            for place in reached - {len(glob)}
            if glob[place] == "**" or fnmatch.fnmatchcase(part, glob[place])
        }
        reached = _and_beyond(after, glob)
    return len(glob) in reached


def _and_beyond(places: Set[int], glob: Tuple[str, ...]) -> Set[int]:
    """Places in a glob, and those behind each ``**`` there, which stands for no folder, too."""
    found = set(places)
    for place in range(len(glob)):
        if place in found and glob[place] == "**":
            found.add(place + 1)
    return found


def enter(folder: int, name: str, mode: int, flags: int) -> int:
    """Open a file or folder, its mode mended if it can't be read."""
    if mode & 0o500 != 0o500:
        os.chmod(name, stat.S_IMODE(mode) | 0o500, dir_fd=folder)
    return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | flags, dir_fd=folder)

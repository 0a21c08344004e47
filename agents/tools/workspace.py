"""An agent's own run folder: what lies in it, read and changed by tools, and never anything outside of it.

Nothing that an agent writes is executed here; `agents.tools.running` runs copies in the sandbox. A folder holds plain
files alone: links, files that begin with a dot and paths that lead out are refused, whoever put them there.
"""

import hashlib
import os
import re
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ConfigDict, Field

from agents.execution.syntax import NotPython3, parse
from kg.errors import AbsentError, InputError
from kg.files import write_file

__all__ = ["Edit", "Workspace"]

FILES, BYTES, TOTAL = 200, 200_000, 5_000_000
"""The most that a folder may hold: files, bytes of one, bytes of all."""
DEPTH = 8
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")


class Edit(BaseModel):
    """One change of a file: `old`, which must stand in it exactly once, becomes `new`. An empty `old` is a new file
    with the text `new`; with `whole` it may be there, and is replaced."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str = Field(min_length=1, max_length=300)
    old: str = Field("", max_length=BYTES)
    new: str = Field("", max_length=BYTES)
    whole: bool = False


class Workspace:
    """The folder `root`, made where it is not there. Paths are relative to it, with "/"; all errors are InputErrors."""

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root = root.resolve(strict=True)

    def files(self) -> list[str]:
        """The paths of all files, sorted."""
        return sorted(self._walk())

    def texts(self) -> dict[str, str]:
        """All files with their texts."""
        return {path: self.read(path) for path in self.files()}

    def digest(self) -> str:
        """A sum of all that lies here: the same for the same files."""
        told = hashlib.sha256()
        for path, text in self.texts().items():
            told.update(f"{path}\0{text}\0".encode("utf-8", "replace"))
        return told.hexdigest()

    def read(self, path: str) -> str:
        """The text of a file. Raises AbsentError where there is none."""
        place = self._place(path)
        try:
            with os.fdopen(os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise InputError(f"{path} is no file", remedy="name one that `workspace_list` tells")
                content = file.read(BYTES + 1)
        except OSError as error:
            raise AbsentError(f"there is no file {path} here", remedy="`workspace_list` tells what there is") from error
        if len(content) > BYTES:
            raise InputError(f"{path} is too large", remedy="name another file")
        return content.decode("utf-8", "replace")

    def search(self, words: str) -> list[tuple[str, int, str]]:
        """Path, number and text of each line with `words` in it, whatever their case."""
        wanted = words.casefold()
        return [
            (path, number, line)
            for path, text in self.texts().items()
            for number, line in enumerate(text.splitlines(), start=1)
            if wanted in line.casefold()
        ]

    def apply(self, edits: Sequence[Edit]) -> dict[str, str]:
        """Make all of these changes, in their order, or none of them; by path what is wrong with the Python of a file
        that was changed. Raises InputError for the first that can't be made."""
        changed: dict[str, str] = {}
        for number, edit in enumerate(edits, start=1):
            path = PurePosixPath(edit.path).as_posix()
            changed[path] = self._edited(edit, path, changed, f"edit {number} of {len(edits)} ({edit.path})")
        self._check_room(changed)
        for path, text in changed.items():
            write_file(self._place(path), text)
        return {path: said for path, text in changed.items() if path.endswith(".py") and (said := _wrong(text))}

    def clear(self) -> None:
        """Remove everything in the folder."""
        shutil.rmtree(self.root)
        self.root.mkdir()

    def _edited(self, edit: Edit, path: str, changed: Mapping[str, str], which: str) -> str:
        place = self._place(path)
        there = path in changed or os.path.lexists(place)
        if not edit.old:
            if there and not edit.whole:
                raise InputError(f"{which}: the file is there", remedy="give `old`, or `whole` to replace all of it")
            return edit.new
        if not there:
            raise AbsentError(f"{which}: there is no such file", remedy="leave `old` empty to make it")
        text = changed[path] if path in changed else self.read(path)
        count = text.count(edit.old)
        if count != 1:
            raise InputError(
                f"{which}: `old` stands {count} times in the file, and must stand there once; nothing was changed",
                remedy="copy it letter by letter, with as many lines around as make it unique",
            )
        return text.replace(edit.old, edit.new)

    def _check_room(self, changed: Mapping[str, str]) -> None:
        for path, text in changed.items():
            if len(text.encode("utf-8", "replace")) > BYTES:
                raise InputError(f"{path} would be too large", remedy=f"keep each file within {BYTES:,} bytes")
        if mixed := [path for path in changed for other in changed if other.startswith(f"{path}/")]:
            raise InputError(f"{mixed[0]} can't be a file and a folder", remedy="name another file")
        there = {path: (self.root / path).stat().st_size for path in self.files()}
        sizes = {**there, **{path: len(text.encode("utf-8", "replace")) for path, text in changed.items()}}
        if len(sizes) > FILES or sum(sizes.values()) > TOTAL:
            raise InputError("the folder would be too large", remedy=f"keep within {FILES} files, {TOTAL:,} bytes")

    def _place(self, path: str) -> Path:
        """Where a path leads, which no link is part of."""
        parts = PurePosixPath(path).parts
        if path.startswith("/") or not 0 < len(parts) <= DEPTH or not all(map(_PART.fullmatch, parts)):
            raise InputError(f"{path[:300]!r} is no path of this folder", remedy="give a relative one, of plain names")
        place = self.root
        for number, part in enumerate(parts, start=1):
            place /= part
            if place.is_symlink() or (number < len(parts) and place.is_file()):
                raise InputError(f"{path} leads through a link or a file", remedy="name another file")
        if place.is_dir():
            raise InputError(f"{path} is a folder", remedy="name a file")
        return place

    def _walk(self) -> Iterator[str]:
        for folder, folders, names in os.walk(self.root, followlinks=False):
            folders[:] = [name for name in folders if _PART.fullmatch(name) and not Path(folder, name).is_symlink()]
            for name in names:
                place = Path(folder, name)
                if _PART.fullmatch(name) and stat.S_ISREG(place.lstat().st_mode):
                    yield place.relative_to(self.root).as_posix()


def _wrong(text: str) -> str:
    try:
        parse(text)
    except NotPython3 as error:
        return f"it is not Python: {error}"
    return ""

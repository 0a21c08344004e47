"""Which members of an archive are written, where, and what is said of the others."""

import posixpath
import re
from pathlib import Path
from typing import NamedTuple, NoReturn

from ingest.acquire.folders import is_junk
from ingest.acquire.limits import Limits, Readable
from kg.errors import InputError

__all__ = ["Member", "Writer", "escapes"]

_TEXT = re.compile(
    r"\.(tex|ltx|latex|bib|bbl|bst|cls|sty|clo|def|cfg|txt|md|aux|tikz|pgf|inp|pdf_tex|eps_tex)", re.IGNORECASE
)
_NAMED = 10
"""Warnings of one kind that name their member; the others are counted."""


class Member(NamedTuple):
    """A member's name as the archive gives it, and the size it claims (-1: unknown)."""

    path: str
    size: int


def escapes(path: str, *, link: bool = False) -> bool:
    """Whether `path` leaves the folder it is meant for: absolute, a drive, a NUL, or (in a name, any) "..".

    A link's target may go up as long as it stays within.
    """
    path = path.replace("\\", "/")
    if path.startswith("/") or path[1:2] == ":" or "\0" in path:
        return True
    return posixpath.normpath(path).split("/")[0] == ".." if link else ".." in path.split("/")


class Writer:
    """Writes regular members below `folder`, each as a new plain file, and remembers why others were left out."""

    def __init__(self, folder: Path, name: str, limits: Limits) -> None:
        self.folder, self.name, self.limits = folder, name, limits
        self._members = 0
        self._left: dict[str, list[str]] = {}

    def takes(self, member: Member, kind: str) -> bool:
        """Whether `member` is to be written. Raises InputError if it is hostile or one too many."""
        self._members += 1
        if self._members > self.limits.members:
            self.too_many()
        if escapes(member.path):
            self._hostile(member.path, "would be written outside its folder")
        if kind == "device":
            self._hostile(member.path, "is a device, pipe or other special file")
        if kind == "link outside":
            self._hostile(member.path, "is a link that leaves the folder")
        parts = _parts(member.path)
        if kind == "folder" or not parts or any(is_junk(part) for part in parts):
            return False
        if len(parts) > self.limits.depth or max(len(part.encode()) for part in parts) > self.limits.name:
            self._hostile(member.path, f"has a name too long or more than {self.limits.depth} folders deep")
        if len(member.path) > self.limits.path:
            self._hostile(member.path, f"has a path of more than {self.limits.path} characters")
        if kind in {"link", "sparse"}:
            self._leave(member.path, f"{'links are' if kind == 'link' else 'sparse files are'} never followed")
            return False
        if member.size > self.limits.text and _is_text(parts[-1]):
            self._leave(member.path, f"text of more than {self.limits.text / 1e6:.0f} MB is left out")
            return False
        return True

    def write(self, member: Member, content: Readable) -> None:
        """Write a member that was taken. Raises InputError if text goes beyond its limit."""
        parts = _parts(member.path)
        target = self.folder.joinpath(*parts)
        is_text = _is_text(parts[-1])
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            file = target.open("xb")
        except (FileExistsError, NotADirectoryError, IsADirectoryError, PermissionError):
            self._leave(member.path, "the archive has a file and a folder of one name")
            return
        with file:
            written = 0
            while block := content.read(1 << 16):
                written += len(block)
                if is_text and written > self.limits.text:
                    raise InputError(
                        f"{self.name} holds {member.path!r}, a text of more than {self.limits.text / 1e6:.0f} MB",
                        remedy="unpack it yourself and give the folder without it",
                    )
                file.write(block)

    def warnings(self) -> tuple[str, ...]:
        """What was left out, and why, in one sentence for each reason."""
        return tuple(
            f"{self.name}: {reason}: {', '.join(map(repr, names[:_NAMED]))}"
            + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
            for reason, names in self._left.items()
        )

    def too_many(self) -> NoReturn:
        """Refuse an archive with more members than allowed."""
        raise InputError(
            f"{self.name} has more than {self.limits.members:,} members and was refused",
            remedy="if you trust it, unpack it yourself and give the folder",
        )

    def _hostile(self, path: str, why: str) -> NoReturn:
        shown = path if len(path) <= 120 else path[:117] + "..."
        raise InputError(
            f"{self.name} was refused: its member {shown!r} {why}",
            remedy="don't trust it; if you must, unpack it yourself and give the folder",
        )

    def _leave(self, path: str, reason: str) -> None:
        self._left.setdefault(reason, []).append(path)


def _parts(path: str) -> list[str]:
    return [part for part in path.replace("\\", "/").split("/") if part not in {"", "."}]


def _is_text(name: str) -> bool:
    return _TEXT.fullmatch(Path(name).suffix) is not None

"""Reading files of a paper's folder, and none outside it."""

import os
from pathlib import Path, PurePosixPath

from ingest.latex.mask import Masked, Verbatims, mask
from ingest.latex.source import SourceText

__all__ = ["MAX_FILE", "Folder", "is_junk"]

MAX_FILE = 20_000_000
"""Bytes of the largest text file that is read."""


def is_junk(path: PurePosixPath) -> bool:
    """Whether `path` is what archives carry along: AppleDouble twins, version control, hidden files."""
    return any(part.startswith(".") or part == "__MACOSX" for part in path.parts)


class Folder:
    """The source folder. Files are read once; links that lead outside are treated as missing."""

    def __init__(self, root: Path, declared: str | None = None, verbatims: Verbatims | None = None) -> None:
        self.root = Path(os.path.realpath(root))
        self.declared = declared
        self.verbatims = verbatims or Verbatims()
        self._sources: dict[str, SourceText] = {}
        self._masked: dict[str, Masked] = {}

    def resolve(self, name: str, folders: tuple[str, ...], suffixes: tuple[str, ...]) -> str | None:
        """The path, relative to the root, of the file that `name` means in one of `folders`; None when there is none.

        Raises PermissionError when `name` is absolute or every reading of it lies outside the root.
        """
        if not name or "\0" in name or len(name) > 500:
            return None
        if PurePosixPath(name).is_absolute() or name.startswith(("~", "|", "\\\\")) or name[1:2] == ":":
            raise PermissionError(name)
        outside = True
        for folder in folders:
            for suffix in suffixes:
                path = Path(os.path.normpath(self.root / folder / (name + suffix)))
                if not path.is_relative_to(self.root):
                    continue
                outside = False
                try:
                    if path.is_file() and Path(os.path.realpath(path)).is_relative_to(self.root):
                        return path.relative_to(self.root).as_posix()
                except (OSError, ValueError):
                    continue
        if outside:
            raise PermissionError(name)
        return None

    def read(self, path: str) -> SourceText:
        """The text of the file at `path`. Raises OSError when it can't be read or is larger than `MAX_FILE`."""
        if path not in self._sources:
            file = self.root / path
            if file.stat().st_size > MAX_FILE:
                raise OSError(f"larger than {MAX_FILE} bytes")
            self._sources[path] = SourceText(path, file.read_bytes(), self.declared)
        return self._sources[path]

    def masked(self, path: str) -> Masked:
        """The same text without what TeX skips."""
        if path not in self._masked:
            self._masked[path] = mask(self.read(path).text, self.verbatims)
        return self._masked[path]

    def remask(self) -> None:
        """Forget masked texts, after `verbatims` has learnt new environments."""
        self._masked.clear()

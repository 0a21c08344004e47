"""Which files of a repository an import names, without running or configuring anything: by common path endings."""

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import PurePosixPath

from agents.code.units.files import LANGUAGES

__all__ = ["ImportIndex"]

_C_FAMILY = {suffix for suffix, grammar in LANGUAGES.items() if grammar in ("c", "cpp", "cuda", "header")}


class ImportIndex:
    """Files and folders by the last part of their path without extension."""

    def __init__(self, files: Iterable[str]) -> None:
        self.files = sorted(set(files))
        self.by_last: dict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
        self.in_folder: dict[str, list[str]] = defaultdict(list)
        for file in self.files:
            path = PurePosixPath(file)
            parts = path.parent.parts if path.stem in ("__init__", "mod", "index") else path.with_suffix("").parts
            self.by_last[parts[-1] if parts else ""].append((parts, file))
            self.in_folder[str(path.parent)].append(file)
        self.folders = {PurePosixPath(folder).parts: folder for folder in self.in_folder}

    def targets(self, file: str, imported: str) -> set[str]:
        """Files that `imported`, as written in `file`, may mean; empty for what lies outside of the repository."""
        parts = self._parts(file, imported)
        found: set[str] = set()
        for cut in (parts, parts[:-1]):
            if cut:
                found = {target for known, target in self.by_last.get(cut[-1], ()) if _agree(known, cut)}
                found = found or self._folder(cut)
            if found:
                break
        return found - {file}

    def neighbours(self, file: str) -> set[str]:
        """Files of the same folder, which share a name space in Go and Java."""
        return set(self.in_folder[str(PurePosixPath(file).parent)]) - {file}

    def _parts(self, file: str, imported: str) -> tuple[str, ...]:
        path = PurePosixPath(imported)
        if PurePosixPath(file).suffix.lower() in _C_FAMILY:
            return tuple(p for p in path.with_suffix("").parts if p not in ("..", "."))
        relative = re.match(r"\.+", imported)
        if relative and "/" not in imported:
            base = PurePosixPath(file).parent.parts
            base = base[: len(base) - (len(relative.group()) - 1)]
            return (*base, *(p for p in imported.lstrip(".").split(".") if p))
        return tuple(p for p in re.split(r"::|[./]", imported) if p)

    def _folder(self, parts: tuple[str, ...]) -> set[str]:
        """The deepest folder that the import path ends with, as in Go's ``host/owner/module/folder``."""
        for length in range(len(parts), 0, -1):
            if folder := self.folders.get(parts[-length:]):
                return set(self.in_folder[folder])
        return set()


def _agree(known: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether one path ends with the other."""
    shorter = min(len(known), len(wanted))
    return known[-shorter:] == wanted[-shorter:]

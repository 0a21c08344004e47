"""What of a repository goes into the sandbox, and where its own code imports its modules from."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

from agents.code.units import Limits
from agents.code.units.files import walk_repository
from agents.code.units.imports import ImportResolver
from agents.code.units.python import python_units
from agents.code.units.source import SourceText, unique
from agents.execution.environments import is_known
from agents.execution.syntax import NotPython3

__all__ = ["Layout", "lay_out"]

FILES = 20_000
TEXT_BYTES = 4_000_000
_TEXT = {".py", ".pyi", ".pyx", ".ini", ".cfg", ".toml", ".txt", ".md", ".rst", ".json", ".yaml", ".yml", ".in", ".csv"}
_PREFERRED = ("", "src", "lib", "python")


@dataclass(frozen=True)
class Layout:
    """`files` are the paths that are copied, of `size` bytes together, without those that are too many or too large.
    `roots` are the folders ("" is the top) that the repository's own imports start from, most used first; `imports` are
    the dotted names that each Python file imports, relative ones with their dots; `links` are links within the
    repository, with where they lead to as seen from their own folder."""

    files: tuple[str, ...]
    size: int
    roots: tuple[str, ...]
    imports: dict[str, tuple[str, ...]]
    links: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def imported(self) -> Counter[str]:
        """How many files import a dotted module or something of it."""
        used: Counter[str] = Counter()
        for names in self.imports.values():
            used.update({part for name in names for part in (name, name.rpartition(".")[0])})
        return used

    @cached_property
    def known(self) -> frozenset[str]:
        """All files, to look one up."""
        return frozenset(self.files)

    def module_names(self, path: str) -> tuple[str, ...]:
        """The dotted names under which code may import a Python file, those that the repository uses first."""
        found = []
        for root in self.roots:
            prefix = f"{root}/" if root else ""
            if not path.startswith(prefix):
                continue
            parts = list(PurePosixPath(path[len(prefix) :]).with_suffix("").parts)
            if parts and parts[-1] == "__init__":
                parts.pop()
            if parts and all(part.isidentifier() for part in parts):
                found.append(".".join(parts))
        return tuple(sorted(dict.fromkeys(found), key=lambda name: (-self.imported[name], name.count("."))))


def lay_out(folder: Path, megabytes: int) -> Layout:
    """The layout of the repository at `folder`: all of its text files, and of the others the smallest first."""
    warnings: list[str] = []
    links: dict[str, str] = {}
    texts: list[tuple[int, str]] = []
    others: list[tuple[int, str]] = []
    for _, path, size in walk_repository(folder, Limits(), warnings, links):
        text = PurePosixPath(path).suffix.lower() in _TEXT and size <= TEXT_BYTES
        (texts if text else others).append((size, path))
    room = megabytes * 1_000_000
    chosen: list[str] = []
    for size, path in [*sorted(texts), *sorted(others)]:
        if size > room or len(chosen) >= FILES or "\ufffd" in path:
            continue
        room -= size
        chosen.append(path)
    files = tuple(sorted(chosen))
    imports = {path: _imports(folder, path) for path in files if path.endswith(".py")}
    return Layout(files, megabytes * 1_000_000 - room, _roots(files, imports), imports, links)


def _imports(folder: Path, path: str) -> tuple[str, ...]:
    """What a file imports; nothing for one that is not Python 3."""
    try:
        return unique(python_units(SourceText(path, (folder / path).read_bytes())).imports)
    except (NotPython3, OSError):
        return ()


def _roots(files: Iterable[str], imports: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Folders from which the absolute imports of the repository's own files resolve, by the number of such imports."""
    resolver = ImportResolver(imports, is_known)
    votes: Counter[str] = Counter()
    for file, names in sorted(imports.items()):
        for dotted in sorted({name for name in names if not name.startswith(".")}):
            if place := resolver.module(file, dotted):
                whole = resolver.absolute(file, dotted) == place
                votes[resolver.root_of(place, dotted if whole else dotted.rpartition(".")[0]).rstrip("/")] += 1
    needed = sorted(votes, key=lambda home: (_rank(home), -votes[home], home))
    packaged = [p for p in _PREFERRED if any(re.fullmatch(rf"{p}/[^/]+/__init__\.py", f) for f in files) and p]
    return tuple(dict.fromkeys(["", *packaged, *needed]))[:12]


def _rank(home: str) -> int:
    return _PREFERRED.index(home) if home in _PREFERRED else len(_PREFERRED)

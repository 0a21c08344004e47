"""Which file of a repository an import means, without running or configuring anything.

An absolute import of Python is looked for as Python would: beside the script, then from the folder above the package,
then from the folders further up and their ``src``, and last, as research code puts folders on `sys.path`, anywhere.
What has the name of something well known from outside is only taken for a file of the repository if it lies near or
that file holds what is asked of it. Includes and imports of other languages are told by common path endings.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from pathlib import PurePosixPath

from agents.code.units.files import LANGUAGES

__all__ = ["ImportResolver", "Place"]

Place = str
"""A Python module: the path of its file ("pkg/a.py", "pkg/__init__.py"), or of a folder without __init__, "/" at its
end; "./" is the repository's own."""

Offers = Callable[[Place, str], bool]
"""Whether a module offers a name, by binding it or as a submodule."""

_C_FAMILY = {suffix for suffix, grammar in LANGUAGES.items() if grammar in ("c", "cpp", "cuda", "header")}
_PYTHON = (".py", ".ipynb")


class ImportResolver:
    """The source `files` of a repository, by the names under which they are imported.

    `is_known` says which top-level names mean something outside of the repository; without it, the standard library's.
    """

    def __init__(
        self, files: Iterable[str], is_known: Callable[[str], bool] = sys.stdlib_module_names.__contains__
    ) -> None:
        self._is_known = is_known
        every = sorted(set(files))
        self.files = frozenset(file for file in every if file.endswith(".py"))
        self.folders = {
            f"{parent}/" for file in self.files for parent in PurePosixPath(file).parents if str(parent) != "."
        }
        self.tops = frozenset(PurePosixPath(place).stem for place in (*self.files, *self.folders))
        self._homes: dict[str, list[str]] = defaultdict(list)
        for place in (*sorted(self.files), *sorted(self.folders)):
            path = PurePosixPath(place)
            if path.name != "__init__.py":
                self._homes[path.stem if path.suffix == ".py" else path.name].append(_folder(path.parent))
        self._by_last: dict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
        self._in_folder: dict[str, list[str]] = defaultdict(list)
        for file in every:
            path = PurePosixPath(file)
            parts = path.parent.parts if path.stem in ("__init__", "mod", "index") else path.with_suffix("").parts
            self._by_last[parts[-1] if parts else ""].append((parts, file))
            self._in_folder[_folder(path.parent)].append(file)

    # Any language

    def targets(self, file: str, imported: str) -> set[str]:
        """Files that `imported`, as written in `file`, may mean; empty for what lies outside of the repository.

        Of Python that is the dotted name of a module or of something in it, relative ones with their dots.
        """
        if file.endswith(_PYTHON):
            place = self.module(file, imported)
            inside = self._in_folder.get(place.removeprefix("./"), []) if place and place.endswith("/") else []
            found = {place} if place in self.files else set(inside)
        else:
            found = self._by_ending(file, imported)
        return found - {file}

    def neighbours(self, file: str) -> set[str]:
        """Files of the same folder, which share a name space in Go and Java."""
        return set(self._in_folder[_folder(PurePosixPath(file).parent)]) - {file}

    def _by_ending(self, file: str, imported: str) -> set[str]:
        if PurePosixPath(file).suffix.lower() in _C_FAMILY:
            parts = tuple(p for p in PurePosixPath(imported).with_suffix("").parts if p not in ("..", "."))
        else:
            parts = tuple(p for p in re.split(r"::|[./]", imported) if p)
        for cut in filter(None, (parts, parts[:-1])):
            found = {target for known, target in self._by_last.get(cut[-1], ()) if _agree(known, cut)}
            # The deepest folder that the import path ends with, as in Go's ``host/owner/module/folder``.
            folders = (f"{'/'.join(cut[start:])}/" for start in range(len(cut)))
            if found := found or set(next((self._in_folder[f] for f in folders if f in self._in_folder), ())):
                return found
        return set()

    # Python

    def module(self, file: str, imported: str) -> Place | None:
        """The module that a dotted name, or the name without its last part, means in `file`."""
        level = len(imported) - len(imported.lstrip("."))
        dotted = imported[level:]
        for name in (dotted, dotted.rpartition(".")[0]):
            if level and (place := self.relative(file, level, name)):
                return place
            if not level and name and (place := self.absolute(file, name)):
                return place
        return None

    def child(self, place: Place, name: str) -> Place | None:
        """The submodule `name` of a package or folder."""
        base = self.base(place)
        return self.at(base, name) if base is not None else None

    def base(self, place: Place) -> str | None:
        """The folder of a package; None for a plain module."""
        if place.endswith("/"):
            return place.removeprefix("./")
        return place.removesuffix("__init__.py") if place.rpartition("/")[2] == "__init__.py" else None

    def at(self, folder: str, name: str) -> Place | None:
        """The module `name` in `folder` ("" or "a/b/"): package before module before bare folder, as Python has it."""
        for candidate in (f"{folder}{name}/__init__.py", f"{folder}{name}.py"):
            if candidate in self.files:
                return candidate
        return f"{folder}{name}/" if f"{folder}{name}/" in self.folders else None

    def walk(self, folder: str, parts: Iterable[str]) -> Place | None:
        """The module ``a.b.c`` with ``a`` in `folder`."""
        place: Place | None = None
        for number, part in enumerate(parts):
            place = self.at(folder, part) if number == 0 else self.child(place, part) if place else None
            if place is None:
                return None
        return place

    def packages(self, place: Place) -> Iterator[str]:
        """The ``__init__`` files of the packages around a module, the innermost first."""
        folder = place.rstrip("/").rpartition("/")[0]
        while folder and f"{folder}/__init__.py" in self.files:
            if f"{folder}/__init__.py" != place:
                yield f"{folder}/__init__.py"
            folder = folder.rpartition("/")[0]

    def package_root(self, file: str) -> str:
        """The folder above the outermost package that `file` is in; its own folder if it is in none."""
        folder = _folder(PurePosixPath(file).parent)
        while folder and f"{folder}__init__.py" in self.files:
            folder = _folder(PurePosixPath(folder).parent)
        return folder

    def root_of(self, place: Place, dotted: str) -> str:
        """The folder that holds the first part of `dotted`, when `dotted` is the name of `place`."""
        path = place.removesuffix("/__init__.py").removesuffix(".py").rstrip("/")
        parts = path.split("/")[: -len(dotted.split("."))]
        return f"{'/'.join(parts)}/" if parts else ""

    def relative(self, file: str, level: int, module: str) -> Place | None:
        """The module that ``from ..module import`` means in `file`; a folder above the repository is none."""
        folder = PurePosixPath(file).parent
        if level - 1 > len(folder.parts):
            return None
        for _ in range(level - 1):
            folder = folder.parent
        base = _folder(folder)
        if module:
            return self.walk(base, module.split("."))
        return f"{base}__init__.py" if f"{base}__init__.py" in self.files else base or "./"

    def absolute(self, file: str, dotted: str, asked: Iterable[str] = (), offers: Offers | None = None) -> Place | None:
        """The module that ``import dotted`` means in `file`, None if it lies outside of the repository.

        `asked` are the names taken from it. Of several that fit the nearest that offers all of them is meant.
        """
        parts = dotted.split(".")
        candidates = []
        for root in self._ordered(file, self._homes.get(parts[0], ())):
            place = self.walk(root, parts)
            itself = place == file and len(parts) == 1 and self.base(file) is None
            if place is not None and not itself:
                candidates.append((root, place))
        if not candidates:
            return None
        asked, known = list(asked), self._is_known(parts[0])
        for root, place in candidates:
            if self._near(file, root) or not known:
                if asked and offers and all(offers(place, name) for name in asked):
                    return place
                if not asked and not (place.endswith("/") and known):
                    return place
        return None if known else candidates[0][1]

    def near(self, file: str, imported: str) -> Place | None:
        """The module that a name means in `file`, as `module` has it, if Python itself would look there."""
        place = self.module(file, imported)
        if place is None or imported.startswith("."):
            return place
        dotted = imported if self.absolute(file, imported) == place else imported.rpartition(".")[0]
        return place if self._near(file, self.root_of(place, dotted)) else None

    def within(self, file: str, dotted: str) -> Place | None:
        """The nearest module that a prefix of ``dotted`` names, for saying where an import fails."""
        top = dotted.partition(".")[0]
        roots = [] if self._is_known(top) else self._ordered(file, self._homes.get(top, ()))
        return next((place for root in roots if (place := self.at(root, top)) and place != file), None)

    def _near(self, file: str, root: str) -> bool:
        """Whether Python itself would look there: beside a script, or from the folder above a package or its src."""
        package_root = self.package_root(file)
        return root in (package_root, "", "src/", f"{package_root}src/") or package_root == f"{root}src/"

    def _ordered(self, file: str, roots: Iterable[str]) -> list[str]:
        """`roots` without repetition, those first where Python would look first, then those that are nearest."""
        home = _folder(PurePosixPath(file).parent)
        package_root = self.package_root(file)
        above = [_folder(parent) for parent in PurePosixPath(package_root or "x").parents]
        preferred = [package_root, *above, *(f"{a}src/" for a in (package_root, *above)), home]
        rank = {root: at for at, root in reversed(list(enumerate(preferred)))}
        return sorted(set(roots), key=lambda root: (rank.get(root, len(preferred)), -_shared(root, home), root))


def _folder(path: PurePosixPath) -> str:
    return "" if str(path) == "." else f"{path}/"


def _shared(one: str, other: str) -> int:
    """How many folders two paths have in common."""
    pairs = zip(PurePosixPath(one).parts, PurePosixPath(other).parts, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _agree(known: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether one path ends with the other."""
    shorter = min(len(known), len(wanted))
    return known[-shorter:] == wanted[-shorter:]

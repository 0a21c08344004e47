"""Which file of the repository an import means, and by what name a file is known.

An absolute import is looked for as Python would: beside the script, then from the folder above the package, then from
the folders further up and their ``src``, and last, as research code puts folders on `sys.path`, anywhere. What has the
name of a known distribution or of the standard library is only taken for a file of the repository if that file holds
what is asked of it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from agents.execution.environments.names import is_standard, requirement_of

__all__ = ["Layout", "Place"]

Place = str
"""A module: the path of its file ("pkg/a.py", "pkg/__init__.py"), or of a folder without __init__, "/" at its
end; "./" is the repository's own."""

Offers = Callable[[Place, str], bool]
"""Whether a module offers a name, by binding it or as a submodule."""


class Layout:
    """The Python files of a repository as modules."""

    def __init__(self, files: Iterable[str]) -> None:
        self.files = frozenset(files)
        self.folders = {
            f"{parent}/" for file in self.files for parent in PurePosixPath(file).parents if str(parent) != "."
        }
        self.roots: dict[str, list[str]] = defaultdict(list)
        for file in sorted(self.files):
            path = PurePosixPath(file)
            if path.name != "__init__.py":
                self.roots[path.stem].append(_folder(path.parent))
        for folder in sorted(self.folders):
            path = PurePosixPath(folder)
            self.roots[path.name].append(_folder(path.parent))

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

    def package_root(self, file: str) -> str:
        """The folder above the outermost package that `file` is in; its own folder if it is in none."""
        folder = _folder(PurePosixPath(file).parent)
        while folder and f"{folder}__init__.py" in self.files:
            folder = _folder(PurePosixPath(folder).parent)
        return folder

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

    def absolute(self, file: str, dotted: str, asked: Iterable[str], offers: Offers) -> Place | None:
        """The module that ``import dotted`` means in `file`, None if it lies outside of the repository.

        `asked` are the names taken from it. Of several that fit the nearest that offers all of them is meant.
        """
        parts = dotted.split(".")
        candidates = []
        for root in self._ordered(file, self.roots.get(parts[0], ())):
            place = self.walk(root, parts)
            itself = place == file and len(parts) == 1 and self.base(file) is None
            if place is not None and not itself:
                candidates.append((root, place))
        if not candidates:
            return None
        asked = list(asked)
        for root, place in candidates:
            if self._near(file, root) or not self._foreign(parts[0]):
                if asked and all(offers(place, name) for name in asked):
                    return place
                if not asked and not (place.endswith("/") and self._foreign(parts[0])):
                    return place
        if self._foreign(parts[0]):
            return None
        return candidates[0][1]

    def within(self, file: str, dotted: str) -> Place | None:
        """The nearest module that a prefix of ``dotted`` names, for saying where an import fails."""
        top = dotted.partition(".")[0]
        if self._foreign(top):
            return None
        roots = self._ordered(file, self.roots.get(top, ()))
        return next((place for root in roots if (place := self.at(root, top)) and place != file), None)

    @staticmethod
    def _foreign(top: str) -> bool:
        return is_standard(top) or requirement_of(top) is not None

    def _near(self, file: str, root: str) -> bool:
        """Whether Python itself would look there: beside a script, or from the folder above a package or its src."""
        package_root = self.package_root(file)
        return root in (package_root, "", "src/", f"{package_root}src/") or package_root == f"{root}src/"

    def _ordered(self, file: str, roots: Iterable[str]) -> list[str]:
        own = _folder(PurePosixPath(file).parent)
        package_root = self.package_root(file)
        above = ["" if str(p) == "." else f"{p}/" for p in PurePosixPath(package_root or "x").parents]
        preferred = [package_root, *above, *(f"{a}src/" for a in (package_root, *above)), own]
        rank = {root: at for at, root in reversed(list(enumerate(preferred)))}

        def key(root: str) -> tuple[int, int, str]:
            shared = len(_shared(root, own))
            return rank.get(root, len(preferred)), -shared, root

        return sorted(set(roots), key=key)


def _folder(path: PurePosixPath) -> str:
    return "" if str(path) == "." else f"{path}/"


def _shared(one: str, other: str) -> list[str]:
    pairs = zip(PurePosixPath(one).parts, PurePosixPath(other).parts, strict=False)
    shared = []
    for left, right in pairs:
        if left != right:
            break
        shared.append(left)
    return shared

"""Where each file goes in a mini-package, and by what name it is imported there.

A file keeps the name by which its repository imports it. Only where two files, or a file and a package from outside,
would share a name are they put into a folder of their own, named after the one they come from.
"""

import keyword
import re
import sys
from collections.abc import Collection

from agents.code.modules.repository import Repository
from agents.code.units.imports import Place

__all__ = ["Slots"]

APART = "repository"
"""Folder for what cannot lie at the top and comes from no folder with a usable name."""


class Slots:
    """Places of the files `places`. `first` is the unit's file, which keeps its name before others.

    `foreign` are the top-level names that are imported from outside.
    """

    def __init__(
        self, repository: Repository, places: Collection[Place], first: Place, foreign: Collection[str]
    ) -> None:
        self.repository = repository
        self.roots = {place: self._root(place) for place in sorted(places)}
        self._join_folders()
        self.prefixes = self._prefixes(first, {*foreign, *sys.stdlib_module_names})

    def path(self, place: Place) -> str:
        """Path of a module's file in the package."""
        root = self.roots[place]
        inner = place.removeprefix("./").removeprefix(root)
        parts = [*self.prefixes[root].split("/"), *inner.split("/")]
        *folders, name = [part for part in parts if part] if not inner.endswith("/") else [*filter(None, parts), ""]
        stem = name.removesuffix(".py")
        folders = [identifier(folder) for folder in folders]
        return "/".join([*folders, f"{identifier(stem)}.py" if stem else ""])

    def dotted(self, place: Place) -> str:
        """The name a module is imported by; "" for the folder that is itself on the import path."""
        path = self.path(place).removesuffix(".py").removesuffix("/")
        return (path.removesuffix("__init__").rstrip("/")).replace("/", ".")

    def _root(self, place: Place) -> str:
        imports = self.repository.imports
        if place == "./":
            return ""
        folder = place.rstrip("/").rpartition("/")[0]
        home = f"{folder}/" if folder else ""
        if home and f"{home}__init__.py" in imports.files:
            return imports.package_root(place)
        votes = self.repository.votes.get(place, {})
        root = max(votes, key=lambda r: (votes[r], len(r)), default=home)
        file = self.repository.file(place)
        levels = [a.level for s in file.statements for a in s.facts.aliases] if file else []
        for _ in range(max(levels, default=0)):
            home = home.rstrip("/").rpartition("/")[0] + "/" if "/" in home.rstrip("/") else ""
        return min(root, home, key=len) if max(levels, default=0) else root

    def _join_folders(self) -> None:
        """Files of one folder have one root, the shortest; and so has what lies below a folder that is a module."""
        for _ in range(len(self.roots)):
            before = dict(self.roots)
            shortest: dict[str, str] = {}
            for place, root in self.roots.items():
                folder = place if place.endswith("/") else place.rpartition("/")[0] + "/"
                shortest[folder] = min(shortest.get(folder, root), root, key=len)
            for place in self.roots:
                folder = place if place.endswith("/") else place.rpartition("/")[0] + "/"
                self.roots[place] = shortest[folder]
            if before == self.roots:
                return

    def _prefixes(self, first: Place, taken: set[str]) -> dict[str, str]:
        order = sorted(set(self.roots.values()), key=lambda root: (root != self.roots.get(first), root))
        prefixes: dict[str, str] = {}
        used = set(taken)
        for root in order:
            tops = {self._top(place, root) for place, its in self.roots.items() if its == root}
            apart = "" in tops or bool(tops & used) or self._above(root)
            prefix = ""
            if apart:
                prefix = self._free([identifier(p) for p in root.split("/") if p], used)
                tops = {prefix.split("/")[0]}
            prefixes[root] = prefix
            used |= tops
        return prefixes

    def _above(self, root: str) -> bool:
        """Whether a file directly in `root` imports relatively, so that its folder has to be a package."""
        for place, its in self.roots.items():
            file = self.repository.file(place) if its == root else None
            depth = place.removeprefix(root).count("/")
            if file and any(a.level > depth for s in file.statements for a in s.facts.aliases):
                return True
        return False

    @staticmethod
    def _top(place: Place, root: str) -> str:
        top = place.removeprefix("./").removeprefix(root).split("/")[0]
        return "" if top == "__init__.py" else identifier(top.removesuffix(".py"))

    @staticmethod
    def _free(parts: list[str], used: set[str]) -> str:
        for candidate in (parts, [APART, *parts]):
            if candidate and candidate[0] not in used:
                return "/".join(candidate)
        number = 2
        while f"{APART}_{number}" in used:
            number += 1
        return "/".join([f"{APART}_{number}", *parts])


def identifier(part: str) -> str:
    """A file or folder name as an identifier."""
    name = re.sub(r"\W", "_", part)
    return f"_{name}" if not name or name[0].isdigit() or keyword.iskeyword(name) else name

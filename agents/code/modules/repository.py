"""A repository's Python files, read when asked for, and what the names in them mean across files."""

import ast
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from agents.code.modules.facts import Alias, Chain
from agents.code.modules.pyfile import PyFile, Statement
from agents.code.modules.python2 import translate
from agents.code.modules.scopes import BUILTINS
from agents.code.units.files import Limits, source_files
from agents.code.units.imports import ImportResolver, Place
from agents.code.units.source import decode
from agents.execution.environments.names import is_known
from agents.execution.environments.rescues import version_stubs
from agents.execution.syntax import NotPython3

__all__ = ["Repository", "Target"]

MAX_HOPS = 40


@dataclass(frozen=True, slots=True)
class Target:
    """What an alias stands for: a "module" at `place`, a "name" in it, something "external", or, where the repository
    should have it but has not, "missing"."""

    kind: str
    place: Place = ""
    name: str = ""


class Repository:
    """Python files below `folder`. What cannot be read is in `unreadable`, with the reason; what can,
    but is not meant as it reads, in `doubtful`. `added` are modules that only the repository's build would generate."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        found = source_files(folder, Limits(), [])
        self.locations = {f.path: f.location for f in found if f.grammar == "python"}
        self.added = {path: text.decode() for path, text in version_stubs(folder).items() if path not in self.locations}
        self.imports = ImportResolver((*self.locations, *self.added), is_known)
        self.unreadable: dict[str, str] = {}
        self.doubtful: dict[str, str] = {}
        self._files: dict[str, PyFile | None] = {}
        self._targets: dict[Alias, Target] = {}
        self._bases: dict[tuple[str, str, int], Place | None] = {}
        self._asking: set[tuple[str, str]] = set()

    def file(self, place: Place) -> PyFile | None:
        """The file of a module; None for a bare folder and for what is no Python."""
        if place not in self._files:
            added = PyFile(place, self.added[place]) if place in self.added else None
            self._files[place] = added or (self._read(place) if place in self.locations else None)
        return self._files[place]

    def _read(self, path: str) -> PyFile | None:
        try:
            data = self.locations[path].read_bytes()
        except OSError as error:
            self.unreadable[path] = error.strerror or "cannot be read"
            return None
        if b"\0" in data:
            self.unreadable[path] = "holds NUL bytes"
            return None
        text = decode(data)[0]
        try:
            file: PyFile | None = PyFile(path, text)
            first = ""
        except NotPython3 as error:
            file, first = None, str(error)
        translation = translate(path, text, file)
        if translation.file is None and file is None:
            self.unreadable[path] = translation.problem or f"does not parse as Python 3 ({first})"
        elif translation.problem:
            self.doubtful[path] = translation.problem
        return translation.file or file

    @cached_property
    def votes(self) -> dict[str, dict[str, int]]:
        """For each file how often it is imported from which root, by all files of the repository."""
        found: dict[str, dict[str, int]] = {}
        for path in self.locations:
            file = self.file(path)
            for statement in file.statements if file else ():
                for alias in statement.facts.aliases:
                    if alias.level or not alias.module:
                        continue
                    place = self.base_of(path, alias)
                    if place:
                        root = self.imports.root_of(place, alias.module)
                        roots = found.setdefault(place, {})
                        roots[root] = roots.get(root, 0) + 1
        return found

    # Names

    def binds(self, place: Place, name: str) -> bool:
        """Whether a module binds `name` when imported, also by a star import or a module-level ``__getattr__``."""
        file = self.file(place)
        if file is None:
            return False
        if name in file.meanings or (name in BUILTINS and name.startswith("__")):
            return True
        if (place, name) in self._asking:
            return False
        self._asking.add((place, name))
        try:
            return self.star_source(place, name) is not None
        finally:
            self._asking.discard((place, name))

    def star_source(self, place: Place, name: str) -> tuple[Statement, Alias, Place] | None:
        """The last star import of `place` that brings `name` from a file of the repository."""
        file = self.file(place)
        for statement, alias in reversed(file.stars if file else []):
            source = self.base_of(place, alias)
            if source and source != place and self.exports(source, name):
                return statement, alias, source
        return None

    def exports(self, place: Place, name: str) -> bool:
        """Whether ``from place import *`` gives `name`."""
        file = self.file(place)
        if file is None:
            return False
        if file.exported is not None:
            return name in file.exported and (self.binds(place, name) or self.imports.child(place, name) is not None)
        return not name.startswith("_") and self.binds(place, name)

    def offers(self, place: Place, name: str) -> bool:
        """Whether ``from place import name`` works."""
        if name == "*" or self.binds(place, name) or self.imports.child(place, name) is not None:
            return True
        file = self.file(place)
        return (file is None and place.endswith(".py")) or (
            file is not None and ("__getattr__" in file.meanings or name in file.late or self.external_stars(place))
        )

    def external_stars(self, place: Place, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a name may come from outside of the repository by star imports."""
        file = self.file(place)
        for _, alias in file.stars if file and place not in seen else ():
            source = self.base_of(place, alias)
            if source is None and not alias.level:
                return True
            if source and self.external_stars(source, seen | {place}):
                return True
        return False

    # Imports

    def base_of(self, path: str, alias: Alias) -> Place | None:
        """The module that an import statement names: for ``import a.b`` the module a.b."""
        if alias.level:
            return self.imports.relative(path, alias.level, alias.module)
        key = (path, alias.module, id(alias.node) if isinstance(alias.node, ast.ImportFrom) else -1)
        if key not in self._bases:
            self._bases[key] = None
            self._bases[key] = self.imports.absolute(path, alias.module, self._asked(path, alias), self.offers)
        return self._bases[key]

    def _asked(self, path: str, alias: Alias) -> list[str]:
        if isinstance(alias.node, ast.ImportFrom):
            return [a.name for a in alias.node.names if a.name != "*"]
        file = self.file(path)
        chains = alias.uses or (file.module_uses.get(alias.bound, set()) if file and alias.at_module else set())
        skip = 0 if alias.node.names[0].asname else alias.name.count(".")
        return sorted({chain[skip] for chain in chains if len(chain) > skip and not chain[skip].startswith("__")})

    def target(self, path: str, alias: Alias) -> Target:
        """What the name bound by `alias` stands for."""
        if alias not in self._targets:
            self._targets[alias] = self._target(path, alias)
        return self._targets[alias]

    def _target(self, path: str, alias: Alias) -> Target:
        base = self.base_of(path, alias)
        if base is None:
            if alias.level:
                return Target("missing", name="." * alias.level + alias.module)
            if self.imports.within(path, alias.module):
                return Target("missing", name=alias.module)
            return Target("external", name=alias.module)
        if isinstance(alias.node, ast.ImportFrom):
            return self.member(base, alias.name, path)
        if alias.bound == alias.name.partition(".")[0] and "." in alias.name:
            top = self.imports.at(self.imports.root_of(base, alias.name), alias.bound)
            return Target("module", top or base)
        return Target("module", base)

    def member(self, place: Place, name: str, importer: str = "") -> Target:
        """What attribute `name` of a module is."""
        child = self.imports.child(place, name)
        if child and (place == importer or not self.binds(place, name)):
            return Target("module", child)
        if self.offers(place, name):
            return Target("name", place, name)
        return Target("missing", place, name)

    # Modules imported by name at run time: ``importlib.import_module`` and ``__import__``

    def module_called(self, path: Place, name: str, anchor: str) -> Place | None:
        """The module of a literal name as file `path` gives it; with leading dots, relative to the package `anchor`."""
        level = len(name) - len(name.lstrip("."))
        if not level:
            return self.imports.absolute(path, name, (), self.offers)
        package = self.imports.absolute(path, anchor, (), self.offers) if anchor and "__" not in anchor else None
        return self.imports.relative(package or path, level, name[level:])

    def origin(self, place: Place, name: str, chain: Chain = ()) -> tuple[Place, str] | None:
        """File and name where the object ``name.chain`` is made, attributes of non-modules left out.

        None for modules and what lies outside of the repository.
        """
        for _ in range(MAX_HOPS):
            file = self.file(place)
            if file is None:
                return None
            meaning = file.meanings.get(name) or file.main_meanings.get(name)
            if meaning is None:
                star = self.star_source(place, name)
                if star is None:
                    return (place, name) if name in file.late else None
                place = star[2]
                continue
            if meaning.statements and not meaning.aliases:
                return place, name
            target = self.target(place, meaning.aliases[-1][1])
            while target.kind == "module" and chain:
                target, chain = self.member(target.place, chain[0]), chain[1:]
            if target.kind != "name" or (target.place, target.name) == (place, name):
                return (place, name) if meaning.statements else None
            place, name = target.place, target.name
        return None

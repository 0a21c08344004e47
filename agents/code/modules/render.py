"""Import statements of a slice: only what is needed of them, under the names that the files have there."""

import ast
from collections.abc import Iterable

from agents.code.modules.effects import Effects
from agents.code.modules.facts import Alias
from agents.code.modules.pyfile import PyFile, Statement
from agents.code.modules.repository import Repository
from agents.code.modules.selection import Selection
from agents.code.modules.slots import Slots
from agents.code.units.imports import Place

__all__ = ["Renderer"]

WIDTH = 110


class Renderer:
    """Writes the imports of a slice."""

    def __init__(self, repository: Repository, effects: Effects, selection: Selection, slots: Slots) -> None:
        self.repository, self.effects, self.selection, self.slots = repository, effects, selection, slots

    def statement(self, statement: Statement) -> list[str]:
        """A top-level import statement: its needed names, then what else has to be imported there."""
        file = statement.file
        aliases = [a for a in statement.facts.aliases if a in self.selection.aliases]
        stars = [a for a in statement.facts.aliases if a in self.selection.stars or a in self.selection.open_stars]
        lines = self.node(file, [*aliases, *(a for a in stars if a not in aliases)])
        imported = set().union(*(self._covered(file, a) for a in aliases + stars)) if aliases or stars else set()
        wanted = set(self.selection.links.get(statement, ()))
        for alias in aliases:
            wanted |= self.selection.extras.get(alias, set())
        before = self.links(file, self.selection.ordered.get(statement, ()))
        return [*before, *lines, *self.links(file, sorted(wanted - imported))]

    def links(self, file: PyFile, places: Iterable[Place]) -> list[str]:
        """Imports of modules for what importing them does, binding no name that means something else in the file."""
        lines = []
        for place in places:
            dotted = self.slots.dotted(place)
            top = dotted.partition(".")[0]
            meaning = file.meanings.get(top)
            if dotted and (
                meaning is None
                or (not meaning.statements and all("." in a.name and not _renamed(a) for _, a in meaning.aliases))
            ):
                lines.append(f"import {dotted}")
            elif dotted:
                lines.append(f'__import__("{dotted}")')
        return lines

    def _covered(self, file: PyFile, alias: Alias) -> set[Place]:
        base = self.repository.base_of(file.path, alias)
        target = self.repository.target(file.path, alias) if alias.name != "*" else None
        covered = {base} if base else set()
        if target and target.kind == "module" and isinstance(alias.node, ast.ImportFrom):
            covered.add(target.place)
        return covered

    def node(self, file: PyFile, aliases: list[Alias]) -> list[str]:
        """One import statement with `aliases` as they are to be in the slice; several where one cannot say it."""
        if not aliases:
            return []
        if isinstance(aliases[0].node, ast.Import):
            return [line for alias in aliases for line in self._import(file, alias)]
        base = self.repository.base_of(file.path, aliases[0])
        named: list[str] = []
        lines: list[str] = []
        for alias in aliases:
            if alias.typing and not self._is_served(file, alias):
                lines.append(f"from typing import Any as {alias.bound}")
            elif alias.name == "*":
                names = sorted(self.selection.stars.get(alias, ()))
                whole = alias in self.selection.open_stars or self._in_circle(file, base, names)
                named += ["*"] if whole else names
            elif line := self._moved(file, alias, base):
                lines.append(line)
            else:
                named.append(_as(alias.name, alias.bound))
        if named:
            lines.insert(0, _from(self._module(file, aliases[0], base), named))
        return lines

    def _in_circle(self, file: PyFile, base: Place | None, names: list[str]) -> bool:
        """Whether two files import each other, so that a star brings what there is where a name would fail."""
        public = not any(name.startswith("_") for name in names)
        return bool(base) and public and file.path in self.effects.reach([base or ""]).files

    def _is_served(self, file: PyFile, alias: Alias) -> bool:
        """Whether an import for type checkers leads to something in the slice, or out of the repository."""
        target = self.repository.target(file.path, alias)
        if target.kind == "external":
            return True
        if target.kind == "module":
            return target.place in self.selection.places
        if target.place not in self.selection.places:
            return False
        source = self.repository.file(target.place)
        meaning = source.meanings.get(target.name) if source else None
        return meaning is not None and any(s in self.selection.statements for s in meaning.statements)

    def _moved(self, file: PyFile, alias: Alias, base: Place | None) -> str:
        """A submodule that does not lie below its package in the slice is imported by its own name."""
        target = self.repository.target(file.path, alias)
        if base is None or target.kind != "module":
            return ""
        dotted = self.slots.dotted(target.place)
        if dotted == f"{self.slots.dotted(base)}.{alias.name}":
            return ""
        above, _, last = dotted.rpartition(".")
        return _from(above, [_as(last, alias.bound)]) if above else f"import {_as(dotted, alias.bound)}"

    def _module(self, file: PyFile, alias: Alias, base: Place | None) -> str:
        written = "." * alias.level + alias.module
        if base is None:
            return written
        dotted = self.slots.dotted(base)
        if not alias.level:
            return dotted
        parts = self.slots.path(file.path).split("/")[: -alias.level]
        same = ".".join([*parts, *([alias.module] if alias.module else [])]) == dotted
        return written if same and len(self.slots.path(file.path).split("/")) > alias.level else dotted

    def _import(self, file: PyFile, alias: Alias) -> list[str]:
        asname = alias.bound if _renamed(alias) else ""
        base = self.repository.base_of(file.path, alias)
        if base is None:
            return [f"import {alias.name}" + (f" as {asname}" if asname else "")]
        if alias.typing and base not in self.selection.places:
            return [f"from typing import Any as {alias.bound}"]
        dotted = self.slots.dotted(base)
        if asname or "." not in alias.name:
            return [f"import {_as(dotted, alias.bound)}"]
        if dotted == alias.name:
            return [f"import {dotted}"]
        top = self.repository.target(file.path, alias).place
        return [f"import {dotted}", f"import {_as(self.slots.dotted(top), alias.bound)}"]


def _renamed(alias: Alias) -> bool:
    return any(entry.name == alias.name and entry.asname for entry in alias.node.names)


def _as(name: str, bound: str) -> str:
    return name if name == bound else f"{name} as {bound}"


def _from(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= WIDTH:
        return line
    inner = "".join(f"    {name},\n" for name in names)
    return f"from {module} import (\n{inner})"

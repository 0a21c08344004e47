"""The transitive closure of what a unit needs from its repository, statement by statement."""

import ast
from collections import deque
from typing import NamedTuple

from agents.code.modules.effects import Effects
from agents.code.modules.facts import Alias, Chain
from agents.code.modules.pyfile import PyFile, Statement
from agents.code.modules.repository import Repository
from agents.code.modules.scopes import BUILTINS
from agents.code.modules.selection import Selection, keep_order
from agents.code.units.imports import Place

__all__ = ["Closure"]

_OF_MODULES = frozenset(("__file__", "__name__", "__path__", "__doc__", "__package__", "__spec__", "__loader__"))

Via = tuple[Statement, Alias] | None


class _Need(NamedTuple):
    place: Place
    name: str
    chain: Chain
    contents: bool = True
    soft: bool = False
    line: int = 0
    via: Via = None


class Closure:
    """Grows `selection` until nothing in it asks for more; `limit` is the last statement a script may depend on."""

    def __init__(self, repository: Repository, effects: Effects) -> None:
        self.repository, self.effects = repository, effects
        self.selection = Selection()
        self.limit: Statement | None = None
        self.roots: list[Place] = []
        self._pending: deque[_Need] = deque()
        self._seen: set[_Need] = set()
        self._whole: set[Place] = set()
        self._contents: set[tuple[Place, str]] = set()
        self._objects: set[tuple[Place, str]] = set()

    # What is asked for

    def root_name(self, place: Place, name: str) -> None:
        """Ask for a global of a file."""
        self.roots.append(place)
        self.ensure(place)
        self.name(_Need(place, name, ()))

    def root_statements(self, statements: list[Statement]) -> None:
        """Ask for statements of a script, with what they depend on."""
        for statement in statements:
            self.roots.append(statement.file.path)
            self.ensure(statement.file.path)
            self.selection.script.add(statement)
            self.take(statement)

    def run(self) -> Selection:
        """Everything that was asked for, closed."""
        while True:
            while self._pending:
                self.resolve(self._pending.popleft())
            if not self.change():
                keep_order(self.selection, self.effects)
                return self.selection

    # Names

    def name(self, need: _Need) -> None:
        key = need._replace(line=0, via=need.via if need.chain else None)
        if key not in self._seen:
            self._seen.add(key)
            self._pending.append(need)

    def resolve(self, need: _Need) -> None:
        place, name = need.place, need.name
        file = self.repository.file(place)
        if file is None:
            if place in self.repository.locations:
                self.selection.unreadable.add(place)
            return
        meaning = file.meanings.get(name)
        found = False
        if meaning:
            found = True
            statements = self.limited(meaning.statements)
            for statement in statements:
                self.take(statement)
            for statement, alias in meaning.aliases:
                if statement.is_import or statement in statements:
                    self.alias(statement, alias, need)
            if meaning.statements and not name.startswith("__"):
                (self._contents if need.contents else self._objects).add((place, name))
        star = self.repository.star_source(place, name)
        if star and (meaning is None or star[0].index > meaning.first):
            found = True
            self.star(star[0], star[1], star[2], need)
        if not found:
            self.otherwise(file, need)

    def limited(self, statements: list[Statement]) -> list[Statement]:
        """Of several statements that bind a name, those before the end of the script that needs it."""
        limit = self.limit
        if limit is None:
            return statements
        return [s for s in statements if s.file is not limit.file or s.index <= limit.index] or statements

    def otherwise(self, file: PyFile, need: _Need) -> None:
        """A name that importing the file does not bind by a statement of its own."""
        place, name = need.place, need.name
        child = self.repository.imports.child(place, name) if file.is_package else None
        if child:
            self.ensure(child)
            self.import_child(place, child, need.via)
            self.member(child, need)
        elif name in file.main_meanings:
            meaning = file.main_meanings[name]
            for statement in self.limited(meaning.statements):
                self.take(statement)
            for statement, alias in meaning.aliases:
                self.alias(statement, alias, need)
            self._contents.add((place, name))
        elif name in file.late:
            for statement in file.late[name]:
                self.take(statement)
        elif self.external_star(file, need) or name in BUILTINS:
            return
        elif "__getattr__" in file.meanings and need.via and need.via[0].file is not file:
            self.name(_Need(place, "__getattr__", ()))
            for statement in file.meanings["__getattr__"].statements:
                self.selection.computed.update((place, prefix) for prefix in statement.facts.computed)
        elif not need.soft:
            self.selection.undefined.setdefault((place, name), need.line)

    def external_star(self, file: PyFile, need: _Need) -> bool:
        """Keep the star imports that may bring a name from outside of the repository."""
        found = False
        for statement, alias in file.stars:
            source = self.repository.base_of(file.path, alias)
            if source is None:
                if not alias.level and not self.repository.imports.within(file.path, alias.module):
                    self.selection.open_stars.add(alias)
                    self.keep(statement, alias)
                    found = True
            elif self.repository.external_stars(source) and need.name not in BUILTINS:
                self.star(statement, alias, source, need)
                found = True
        return found

    def star(self, statement: Statement, alias: Alias, source: Place, need: _Need) -> None:
        self.selection.stars.setdefault(alias, set()).add(need.name)
        self.keep(statement, alias)
        self.ensure(source)
        child = self.repository.imports.child(source, need.name)
        if child and not self.repository.binds(source, need.name):
            self.ensure(child)
            self.member(child, need)
        else:
            self.name(need._replace(place=source, via=(statement, alias)))

    def member(self, place: Place, need: _Need) -> None:
        """What is read from a module: the first attribute of the need's chain; all of it where that is not known."""
        self.ensure(place)
        if not need.chain or need.chain[0] == "__dict__":
            if not need.soft:
                self.whole(place)
            return
        attribute, rest = need.chain[0], need.chain[1:]
        if attribute in _OF_MODULES and not (self.repository.file(place) and self.bound(place, attribute)):
            return
        target = self.repository.member(place, attribute)
        if target.kind == "module":
            self.ensure(target.place)
            self.import_child(place, target.place, need.via)
            self.member(target.place, need._replace(chain=rest))
        elif target.kind == "name":
            self.name(need._replace(place=place, name=attribute, chain=rest))
        elif not need.soft and not self.effects.sets(place, attribute):
            importer = need.via[0].file.path if need.via else place
            self.selection.missing.setdefault((importer, f"{place}:{attribute}"), need.line)
        else:
            self._contents.add((place, attribute))

    def bound(self, place: Place, name: str) -> bool:
        file = self.repository.file(place)
        return file is not None and name in file.meanings

    # Imports

    def alias(self, statement: Statement, alias: Alias, need: _Need) -> None:
        """Keep one name of an import, and what is read through it."""
        if alias.typing:
            self.selection.typing.add(alias)
            self.take(statement)
            return
        self.keep(statement, alias)
        path = statement.file.path
        target = self.repository.target(path, alias)
        base = self.repository.base_of(path, alias)
        if base:
            self.ensure(base)
        if target.kind == "module":
            self.member(target.place, need._replace(via=(statement, alias)))
        elif target.kind == "name":
            self.ensure(target.place)
            self.name(need._replace(place=target.place, name=target.name, via=(statement, alias)))
        elif target.kind == "missing" and not need.soft and not alias.guarded:
            shown = f"{target.place}:{target.name}" if target.place else target.name
            self.selection.missing.setdefault((path, shown), alias.node.lineno)

    def keep(self, statement: Statement, alias: Alias) -> None:
        if statement.is_import:
            self.selection.importing.add(statement)
            self.selection.aliases.add(alias)
        else:
            self.take(statement)

    def ensure(self, place: Place) -> None:
        """A module exists in the slice, and the packages around it."""
        if place in self.selection.places:
            return
        self.selection.places.add(place)
        if place in self.repository.locations and self.repository.file(place) is None:
            self.selection.unreadable.add(place)

    def import_child(self, package: Place, child: Place, via: Via) -> None:
        """Somebody has to import a submodule before it is an attribute: the package itself if it does, else `via`."""
        file = self.repository.file(package)
        for statement in file.statements if file else ():
            for alias in statement.facts.aliases:
                if statement.main or not statement.is_import or alias.typing or alias in self.selection.aliases:
                    continue
                if child in self.effects.imported(package, alias):
                    self.selection.links.setdefault(statement, set()).add(child)
                    return
        if via:
            self.selection.extras.setdefault(via[1], set()).add(child)

    # Statements

    def take(self, statement: Statement) -> None:
        if statement in self.selection.statements:
            return
        path = statement.file.path
        if statement.is_import:
            for alias in statement.facts.aliases:
                self.import_whole(statement, alias)
            return
        self.selection.statements.add(statement)
        facts = statement.facts
        for use in facts.uses:
            self.name(_Need(path, use.name, use.chain, use.contents, use.soft, use.line))
        for alias in facts.aliases:
            if not alias.typing:
                self.nested(statement, alias)
        for call, name, anchor in facts.modules:
            if place := self.repository.module_called(path, name, anchor):
                self.selection.modules[call] = place
                self.whole(place)
        for prefix in facts.computed:
            folder, dot, _ = prefix.strip(".").rpartition(".")
            if dot and self.repository.module_called(path, folder, ""):
                self.selection.computed.add((path, prefix))
        if facts.reflects:
            self.reflect(statement.file)

    def nested(self, statement: Statement, alias: Alias) -> None:
        """An import within a statement that is kept."""
        path = statement.file.path
        if alias.name == "*":
            self.import_whole(statement, alias)
            return
        target = self.repository.target(path, alias)
        chains = sorted(alias.uses) if not alias.at_module else []
        if target.kind == "module" and not chains:
            base = self.repository.base_of(path, alias)
            for place in (base, target.place):
                if place:
                    self.ensure(place)
            return
        for chain in chains or [()]:
            self.alias(statement, alias, _Need(path, alias.bound, chain))

    def import_whole(self, statement: Statement, alias: Alias) -> None:
        """A top-level import of which every name is wanted."""
        path = statement.file.path
        if alias.name != "*":
            self.keep(statement, alias)
            self.nested(statement, alias)
            return
        source = self.repository.base_of(path, alias)
        if source is None:
            if not alias.guarded and (alias.level or self.repository.imports.within(path, alias.module)):
                self.selection.missing.setdefault((path, "." * alias.level + alias.module), alias.node.lineno)
            self.selection.open_stars.add(alias)
            self.keep(statement, alias)
            return
        file = self.repository.file(source)
        names = sorted(file.exported if file and file.exported is not None else file.meanings if file else ())
        self.ensure(source)
        for name in names:
            if self.repository.exports(source, name):
                self.star(statement, alias, source, _Need(path, name, ()))

    def whole(self, place: Place) -> None:
        """Every statement that importing a module executes."""
        self.ensure(place)
        if place in self._whole:
            return
        self._whole.add(place)
        file = self.repository.file(place)
        for statement in file.statements if file else ():
            if not statement.main and not _is_future(statement):
                self.take(statement)

    def reflect(self, file: PyFile) -> None:
        """Globals looked up by a computed name: every definition and import of the file may be meant."""
        for statement in file.statements:
            definition = isinstance(statement.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            if not statement.main and (definition or (statement.is_import and not _is_future(statement))):
                self.take(statement)

    # What changes an object that is needed

    def change(self) -> bool:
        """Take the statements that fill or alter the objects needed so far; whether there were any."""
        before = len(self.selection.statements), len(self.selection.links)
        reach = self.effects.reach([*self.roots, *sorted(self.selection.places)])
        foreign = self.foreign()
        for place in sorted(reach.files):
            wanted = [c.statement for c in self.effects.changes(place) if self.wanted(c.origin, c.kind, c.statement)]
            for statement in (*wanted, *self.effects.settings(place, foreign)):
                if statement in self.selection.statements or not self.in_time(statement):
                    continue
                self.take(statement)
                for importer, at, imported in reach.road(place):
                    self.ensure(importer)
                    self.ensure(imported)
                    self.selection.links.setdefault(at, set()).add(imported)
                self.ensure(place)
        return bool(self._pending) or before != (len(self.selection.statements), len(self.selection.links))

    def in_time(self, statement: Statement) -> bool:
        """Whether a statement comes before the end of the script that is sliced."""
        return not self.limit or statement.file is not self.limit.file or statement.index <= self.limit.index

    def foreign(self) -> set[str]:
        """Top-level names of the packages from outside that the slice imports by now."""
        found: set[str] = set()
        for alias in self.selection.aliases:
            if not alias.level and not alias.typing:
                found.add(alias.module.partition(".")[0])
        return found

    def wanted(self, origin: tuple[Place, str], kind: str, statement: Statement) -> bool:
        if statement.main and not self.of_main(origin):
            return False
        return origin in self._contents or (kind == "attribute" and origin in self._objects)

    def of_main(self, origin: tuple[Place, str]) -> bool:
        file = self.repository.file(origin[0])
        return file is not None and origin[1] not in file.meanings


def _is_future(statement: Statement) -> bool:
    return isinstance(statement.node, ast.ImportFrom) and statement.node.module == "__future__"

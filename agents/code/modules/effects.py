"""What importing files does besides binding names: which objects their statements change, and who imports whom."""

import ast
from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

from agents.code.modules.facts import Alias, CallSite, Chain
from agents.code.modules.pyfile import Statement
from agents.code.modules.repository import Repository
from agents.code.modules.scopes import BUILTINS
from agents.code.units.imports import Place

__all__ = ["Changed", "Effects", "Reach"]

MAX_CALLS = 3
"""How deep calls are followed for what they change."""

Origin = tuple[Place, str]

_SETTINGS = frozenset({
    "disable_eager_execution", "disable_v2_behavior", "enable_eager_execution", "filterwarnings", "manual_seed", "seed",
    "manual_seed_all", "set_default_device", "set_default_dtype", "set_default_tensor_type", "set_floatx", "seterr",
    "set_num_threads", "set_random_seed", "setrecursionlimit", "simplefilter", "switch_backend", "use",
})  # fmt: skip
"""Functions of other packages that set how these work from then on; and ``config.update``."""


class Changed(NamedTuple):
    """A statement changes the object made in file and under the name of `origin`."""

    origin: Origin
    kind: str
    statement: Statement


@dataclass
class Reach:
    """All files that importing some files executes; `before` tells which import in which file led to each."""

    files: set[Place]
    before: dict[Place, tuple[Place, Statement]]

    def road(self, place: Place) -> list[tuple[Place, Statement, Place]]:
        """The imports (file, statement, imported file) that lead to `place`."""
        steps: list[tuple[Place, Statement, Place]] = []
        while place in self.before and len(steps) < len(self.files):
            importer, statement = self.before[place]
            steps.append((importer, statement, place))
            place = importer
        return steps


class Effects:
    """Remembers per file what its statements change."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self._changes: dict[Place, list[Changed]] = {}
        self._imports: dict[Place, list[tuple[Statement, Place]]] = {}
        self._of_call: dict[Statement, set[Origin]] = {}

    def imported(self, path: Place, alias: Alias) -> set[Place]:
        """The modules that executing one alias imports."""
        base = self.repository.base_of(path, alias)
        target = self.repository.target(path, alias) if alias.name != "*" else None
        found = {base} if base else set()
        if target and target.kind == "module":
            found.add(target.place)
        return found

    def imports(self, place: Place) -> list[tuple[Statement, Place]]:
        """What a file imports when it is imported itself."""
        if place not in self._imports:
            found: list[tuple[Statement, Place]] = []
            file = self.repository.file(place)
            for statement in file.statements if file else ():
                for alias in statement.facts.aliases:
                    if alias.eager and not alias.typing and not statement.main:
                        found += [(statement, p) for p in sorted(self.imported(place, alias)) if p != place]
            self._imports[place] = found
        return self._imports[place]

    def reach(self, places: list[Place]) -> Reach:
        """Everything that importing `places` executes."""
        reach = Reach(set(), {})
        pending = deque(places)
        while pending:
            place = pending.popleft()
            if place in reach.files:
                continue
            reach.files.add(place)
            for statement, imported in self.imports(place):
                if imported not in reach.files and imported not in reach.before and imported not in places:
                    reach.before[imported] = (place, statement)
                pending.append(imported)
            for package in self.repository.imports.packages(place):
                if package not in reach.files and place in reach.before:
                    reach.before.setdefault(package, reach.before[place])
                pending.append(package)
        return reach

    def sets(self, place: Place, name: str) -> bool:
        """Whether some statement of the repository's file itself gives a module the attribute `name`."""
        file = self.repository.file(place)
        return file is not None and name in file.late

    def changes(self, place: Place) -> list[Changed]:
        """What the statements of a file change when it is imported."""
        if place not in self._changes:
            self._changes[place] = []
            file = self.repository.file(place)
            for statement in file.statements if file else ():
                self._changes[place] += self._of(statement)
        return self._changes[place]

    def settings(self, place: Place, foreign: set[str]) -> list[Statement]:
        """Statements of a file that set how packages from outside work (`foreign`, by top-level name)."""
        file = self.repository.file(place)
        return [s for s in file.statements if not s.main and self._sets_foreign(s, foreign)] if file else []

    def _sets_foreign(self, statement: Statement, foreign: set[str]) -> bool:
        node, facts = statement.node, statement.facts
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = [c for c in facts.calls if c.bare and self._is_setting(c.name, c.chain)]
            names = {call.name for call in called}
        elif isinstance(node, ast.Assign) and not facts.binds:
            names = {change.name for change in facts.changes if change.kind == "attribute"}
        else:
            return False
        tops = {name: self._foreign_top(statement.file.path, name) for name in {*names, *(u.name for u in facts.uses)}}
        literal = all(top or use in BUILTINS for use, top in tops.items())
        return bool(names) and literal and any(tops[name] in foreign for name in names)

    @staticmethod
    def _is_setting(name: str, chain: Chain) -> bool:
        path = (name, *chain)
        return path[-1] in _SETTINGS or (path[-1] == "update" and "config" in path[:-1])

    def _foreign_top(self, path: Place, name: str) -> str:
        """The top-level name of the outside package that a global comes from, "" if it does not."""
        file = self.repository.file(path)
        meaning = file.meanings.get(name) if file else None
        if meaning is None or meaning.statements or not meaning.aliases:
            return ""
        targets = [self.repository.target(path, alias) for _, alias in meaning.aliases]
        return targets[0].name.partition(".")[0] if all(t.kind == "external" for t in targets) else ""

    def _of(self, statement: Statement) -> list[Changed]:
        path, facts = statement.file.path, statement.facts
        found: set[tuple[Origin, str]] = set()
        for change in facts.changes:
            if not change.eager or (change.name in facts.binds and not change.chain):
                continue
            origin = self.repository.origin(path, change.name, change.chain)
            if origin and change.kind == "register" and isinstance(statement.node, ast.ClassDef):
                found |= {(ancestor, "register") for ancestor in self._hooked_ancestors(origin)}
            elif origin:
                found.add((origin, change.kind))
        definition = isinstance(statement.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for call in facts.calls:
            if call.eager:
                kind = "register" if definition else "call"
                found |= {(origin, kind) for origin in self._by_call(path, call, 0)}
        return [Changed(origin, kind, statement) for origin, kind in sorted(found)]

    def _hooked_ancestors(self, origin: Origin) -> set[Origin]:
        """A class and its ancestors, if one of them is told of subclasses by a hook of its own or of its metaclass."""
        seen: set[Origin] = set()
        hooked = False
        pending = [origin]
        while pending:
            at = pending.pop()
            if at in seen:
                continue
            seen.add(at)
            for statement in self._definitions(at):
                hooked |= statement.facts.hook
                for change in statement.facts.changes:
                    if change.kind == "register" and isinstance(statement.node, ast.ClassDef):
                        base = self.repository.origin(at[0], change.name, change.chain)
                        pending += [base] if base else []
        return seen if hooked else set()

    def _definitions(self, origin: Origin) -> list[Statement]:
        file = self.repository.file(origin[0])
        meaning = file.meanings.get(origin[1]) if file else None
        return meaning.statements if meaning else []

    def _by_call(self, path: Place, call: CallSite, depth: int) -> set[Origin]:
        """Globals that a called function of the repository changes, and globals given to it that it changes."""
        origin = self.repository.origin(path, call.name, call.chain)
        if origin is None or depth > MAX_CALLS:
            return set()
        found: set[Origin] = set()
        for statement in self._definitions(origin):
            if not isinstance(statement.node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            found |= self._when_called(statement, depth)
            for key, name in call.arguments:
                parameters = statement.facts.parameters
                parameter = key if isinstance(key, str) else parameters[key] if key < len(parameters) else ""
                if parameter in statement.facts.changed_parameters:
                    given = self.repository.origin(path, name)
                    found |= {given} if given else set()
        return found

    def _when_called(self, statement: Statement, depth: int) -> set[Origin]:
        if statement in self._of_call:
            return self._of_call[statement]
        self._of_call[statement] = set()
        path, found = statement.file.path, set()
        for change in statement.facts.changes:
            if not change.eager and (origin := self.repository.origin(path, change.name, change.chain)):
                found.add(origin)
        found |= {(path, name) for name in statement.facts.late}
        for call in statement.facts.calls:
            if not call.eager:
                found |= self._by_call(path, call, depth + 1)
        self._of_call[statement] = found
        return found

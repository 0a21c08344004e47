"""Who calls whom: called names resolved to units, as far as that is clear without types.

A name is looked for in the caller's own class and file, then in the files it imports (in Go and Java also its folder),
then in the whole repository; the first place that has it decides. More than `MAX_DEFINITIONS` candidates are no answer.
"""

import builtins
import re
from collections import defaultdict
from typing import Literal, NamedTuple

from agents.code.units.codebase import CodeBase
from agents.code.units.imports import ImportResolver
from kg.models.code import CodeUnit

__all__ = ["MAX_DEFINITIONS", "Call", "call_graph"]

MAX_DEFINITIONS = 6
CROWD = 1_000
"""A name that so many units share is looked for in the caller's file only."""

_FAMILY = {"c": "c", "c++": "c", "cuda": "c", "javascript": "js", "typescript": "js"}
_RECEIVERS = {"self", "cls", "this", "super"}
_METHODS_CALLED_BARE = {"java", "c"}
_FOLDER_IS_NAMESPACE = {"go", "java"}
_COMMON = frozenset(dir(builtins)).union(*(dir(kind) for kind in (list, dict, set, str, bytes, int, float, tuple)))
_CALLABLE = {"function", "method", "class", "constant"}


class Call(NamedTuple):
    """`caller` calls `callee` (ids of units) by `name`; `definitions` is how many units fit equally (1 is unambiguous).

    `via` tells where it was found: in the same "file", by an "import", or by "name" alone.
    """

    caller: str
    callee: str
    name: str
    via: Literal["file", "import", "name"]
    definitions: int


def call_graph(codebase: CodeBase) -> tuple[Call, ...]:
    """Resolved calls between different units, sorted. Code that is no test does not call tests."""
    graph = _Resolver(codebase)
    edges = {call for unit in codebase.units for name in unit.calls for call in graph.resolve(unit, name)}
    return tuple(sorted(edges))


class _Resolver:
    def __init__(self, codebase: CodeBase) -> None:
        self.imports = ImportResolver(unit.file for unit in codebase.units)
        self.by_name: dict[tuple[str, str], list[CodeUnit]] = defaultdict(list)
        self.in_file: dict[tuple[str, str], list[CodeUnit]] = defaultdict(list)
        self.bases: dict[str, tuple[str, ...]] = {}
        for unit in codebase.units:
            if unit.kind in _CALLABLE:
                self.by_name[_family(unit), unit.name].append(unit)
                self.in_file[unit.file, unit.name].append(unit)
            if unit.kind == "class":
                self.bases[unit.symbol] = unit.bases
        self.reach: dict[str, set[str]] = {}
        self.foreign: dict[str, set[str]] = {}

    def resolve(self, caller: CodeUnit, name: str) -> list[Call]:
        *prefix, last = name.split(".")
        named = self.by_name.get((_family(caller), last), [])
        named = named if len(named) < CROWD else self.in_file.get((caller.file, last), [])
        fitting = [unit for unit in named if _visible(caller, unit)] if len(named) < CROWD else []
        if not prefix and _family(caller) not in _METHODS_CALLED_BARE:
            fitting = [unit for unit in fitting if unit.kind != "method"]
        if prefix and prefix[-1] in _RECEIVERS:
            fitting = self._of_own_class(caller, fitting) or fitting
        elif prefix:
            fitting = [unit for unit in fitting if unit.symbol.endswith(f"{prefix[-1]}.{last}")] or fitting
        if not fitting:
            return []
        near = self._reachable(caller)
        if prefix and prefix[0] in self.foreign[caller.file]:
            return []
        local = [unit for unit in fitting if unit.file == caller.file]
        if not prefix and _family(caller) in _METHODS_CALLED_BARE:
            local = self._of_own_class(caller, local) or local
        if local:
            return self._calls(caller, name, "file", local)
        if imported := [unit for unit in fitting if unit.file in near]:
            return self._calls(caller, name, "import", imported)
        return [] if last in _COMMON else self._calls(caller, name, "name", fitting)

    def _of_own_class(self, caller: CodeUnit, fitting: list[CodeUnit]) -> list[CodeUnit]:
        """Methods of the caller's class, or else of its bases."""
        owner = caller.symbol if caller.kind == "class" else caller.symbol.rpartition(".")[0]
        owners = [owner, *(base.rpartition(".")[2] for base in self.bases.get(owner, ()))]
        for candidate in owners:
            if found := [unit for unit in fitting if candidate and unit.symbol.rpartition(".")[0] == candidate]:
                return found
        return []

    def _reachable(self, caller: CodeUnit) -> set[str]:
        """Files that the caller's file imports; modules from outside of the repository are noted as foreign."""
        if caller.file not in self.reach:
            known = {imported: self.imports.targets(caller.file, imported) for imported in caller.imports}
            outside = [re.split(r"\W+", imported) for imported, files in known.items() if not files]
            self.foreign[caller.file] = {parts[at] for parts in outside for at in (0, -1) if parts[at]}
            targets = [*known.values()]
            if caller.language in _FOLDER_IS_NAMESPACE:
                targets.append(self.imports.neighbours(caller.file))
            self.reach[caller.file] = set().union(*targets)
        return self.reach[caller.file]

    def _calls(
        self, caller: CodeUnit, name: str, via: Literal["file", "import", "name"], found: list[CodeUnit]
    ) -> list[Call]:
        types = {unit.id for unit in found if unit.kind == "class"}
        found = [unit for unit in found if unit.parent not in types]
        if len(found) > MAX_DEFINITIONS:
            return []
        return [Call(caller.id, unit.id, name, via, len(found)) for unit in found if unit.id != caller.id]


def _family(unit: CodeUnit) -> str:
    return _FAMILY.get(unit.language, unit.language)


def _visible(caller: CodeUnit, unit: CodeUnit) -> bool:
    return unit.role != "test" or caller.role == "test"

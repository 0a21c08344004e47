"""What a slice takes of a repository's files, and the order in which its modules are imported."""

import ast
from dataclasses import dataclass, field

from agents.code.modules.effects import Effects
from agents.code.modules.facts import Alias
from agents.code.modules.pyfile import Statement
from agents.code.units.imports import Place

__all__ = ["Selection", "keep_order"]


@dataclass
class Selection:
    """Statements and parts of them, by file.

    `statements` are kept as they stand (imports in them rewritten). Of import statements only `aliases` are kept; a
    star becomes the names in `stars`, or stays as it is (`open_stars`). `links` are modules to be imported at a
    statement for what importing them does, `ordered` such that come before it in this order; `extras` modules that an
    alias must import besides its own. `typing` are names that only type checkers see. `places` are all modules that
    have to exist. `script` says that the main blocks in it are the unit itself, to be kept as such.
    """

    statements: set[Statement] = field(default_factory=set)
    aliases: set[Alias] = field(default_factory=set)
    importing: set[Statement] = field(default_factory=set)
    stars: dict[Alias, set[str]] = field(default_factory=dict)
    open_stars: set[Alias] = field(default_factory=set)
    links: dict[Statement, set[Place]] = field(default_factory=dict)
    ordered: dict[Statement, list[Place]] = field(default_factory=dict)
    extras: dict[Alias, set[Place]] = field(default_factory=dict)
    typing: set[Alias] = field(default_factory=set)
    modules: dict[ast.Call, Place] = field(default_factory=dict)
    places: set[Place] = field(default_factory=set)
    undefined: dict[tuple[Place, str], int] = field(default_factory=dict)
    missing: dict[tuple[Place, str], int] = field(default_factory=dict)
    unreadable: set[Place] = field(default_factory=set)
    computed: set[tuple[Place, str]] = field(default_factory=set)
    script: set[Statement] = field(default_factory=set)

    def of(self, place: Place) -> list[Statement]:
        """The statements of a file that leave something in the slice, in order."""
        every = self.statements | self.importing | self.links.keys() | self.ordered.keys()
        return sorted((s for s in every if s.file.path == place), key=lambda s: s.index)


def keep_order(selection: Selection, effects: Effects) -> None:
    """Add to `selection` the imports that keep the repository's order, if some of its modules import each other.

    A circle of imports works or fails by where it is entered. The repository enters it by way of its packages'
    ``__init__`` files; a slice that has less in these would enter it elsewhere, so where these imported something,
    what of it is in the slice is imported in the same order.
    """
    if not _circle(_imports(selection, effects)):
        return
    packages = {package for place in selection.places for package in effects.repository.imports.packages(place)}
    started: set[Place] = set()
    for package in sorted(packages, key=lambda path: (path.count("/"), path)):
        selection.places.add(package)
        started.add(package)
        for statement, imported in effects.imports(package):
            order = [p for p in _started(imported, effects, started) if p in selection.places and p not in packages]
            if order:
                selection.ordered.setdefault(statement, []).extend(order)


def _started(place: Place, effects: Effects, started: set[Place]) -> list[Place]:
    """The modules that importing `place` starts to execute, in order, without those `started` before."""
    found: list[Place] = []
    pending = [place]
    while pending:
        at = pending.pop()
        if at in started:
            continue
        started.add(at)
        if not at.endswith("/"):
            found.append(at)
        following = [imported for _, imported in effects.imports(at)]
        pending += reversed(following)
    return found


def _imports(selection: Selection, effects: Effects) -> dict[Place, set[Place]]:
    """Who imports whom in the slice when it is imported."""
    kept = selection.statements | selection.importing | selection.links.keys()
    found: dict[Place, set[Place]] = {}
    for place in selection.places:
        wanted = {imported for statement, imported in effects.imports(place) if statement in kept}
        found[place] = wanted & selection.places
    return found


def _circle(imports: dict[Place, set[Place]]) -> bool:
    """Whether following imports leads back to where one was: what is left after taking off all that lead nowhere."""
    left = dict(imports)
    while left:
        ends = {place for place, wanted in left.items() if not wanted & left.keys()}
        if not ends:
            return True
        left = {place: wanted for place, wanted in left.items() if place not in ends}
    return False

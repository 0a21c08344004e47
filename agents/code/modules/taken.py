"""What a slice takes of a repository's files."""

import ast
from dataclasses import dataclass, field

from agents.code.modules.facts import Alias
from agents.code.modules.layout import Place
from agents.code.modules.pyfile import Statement

__all__ = ["Taken"]


@dataclass
class Taken:
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

"""One Python file of a repository, cut into its top-level statements."""

import ast
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from agents.code.modules.facts import Alias, Facts
from agents.code.modules.reading import read_facts
from agents.execution.syntax import parse

__all__ = ["PyFile", "Statement"]

_NEWLINE = re.compile(rb"\r\n|\r|\n")
_DOCUMENTED = 12
"""At most so many lines of comment above a statement stay with it."""


@dataclass(eq=False, slots=True)
class Statement:
    """A top-level statement: bytes [start, end) of its file's text, `line`..`end_line` of it.

    `main` says that it stands in the file's ``if __name__ == "__main__"`` block.
    """

    file: "PyFile"
    index: int
    node: ast.stmt
    main: bool
    start: int
    end: int
    line: int
    end_line: int
    _facts: Facts | None = None

    @property
    def facts(self) -> Facts:
        """What it binds, reads, changes and imports."""
        if self._facts is None:
            self._facts = read_facts(self.node, lazy_annotations=self.file.lazy_annotations)
        return self._facts

    @property
    def is_import(self) -> bool:
        return isinstance(self.node, ast.Import | ast.ImportFrom)


@dataclass(eq=False)
class Meaning:
    """What binds a global name in its file: whole statements, and aliases of import statements."""

    statements: list[Statement] = field(default_factory=list)
    aliases: list[tuple[Statement, Alias]] = field(default_factory=list)

    @property
    def first(self) -> int:
        """Index of the first statement that binds it."""
        found = [s.index for s in self.statements] + [s.index for s, _ in self.aliases]
        return min(found, default=0)


class PyFile:
    """A file's text and statements. Raises NotPython3 when `ast` refuses the text.

    `path` is relative to the repository; `translated` says that `text` was translated from Python 2, `origin` maps its
    lines (1-based) to lines of the repository's file.
    """

    def __init__(self, path: str, text: str, translated: bool = False, origin: tuple[int, ...] = ()) -> None:
        self.path = path
        self.data = text.removeprefix("\ufeff").encode("utf-8", "replace")
        self.translated = translated
        self.origin = origin
        self.tree = parse(self.data.decode("utf-8"))
        self.starts = [0, *(match.end() for match in _NEWLINE.finditer(self.data))]
        self.futures = sorted(
            {
                a.name
                for n in self.tree.body
                if isinstance(n, ast.ImportFrom) and n.module == "__future__"
                for a in n.names
            }
        )
        self.lazy_annotations = "annotations" in self.futures
        self.statements = self._statements()

    @property
    def is_package(self) -> bool:
        return self.path.rpartition("/")[2] == "__init__.py"

    def offset(self, line: int, column: int) -> int:
        """Byte of the text at ast's position."""
        return self.starts[line - 1] + column

    def repository_line(self, line: int) -> int:
        """Line of the repository's file that a line of the text comes from."""
        return self.origin[min(line, len(self.origin)) - 1] if self.origin else line

    def _statements(self) -> list[Statement]:
        found: list[Statement] = []
        for node in self.tree.body:
            guarded = isinstance(node, ast.If) and is_main_guard(node.test)
            for inner in node.body if guarded else [node]:  # type: ignore[attr-defined]  # a guard is an If
                found.append(self._statement(inner, len(found), guarded))
            if guarded:
                found += [self._statement(other, len(found) + at, False) for at, other in enumerate(node.orelse)]  # type: ignore[attr-defined]
        return found

    def _statement(self, node: ast.stmt, index: int, main: bool) -> Statement:
        line, column = node.lineno, node.col_offset
        decorators = getattr(node, "decorator_list", None)
        if decorators:
            first = self.offset(decorators[0].lineno, decorators[0].col_offset)
            start = self.data.rfind(b"@", 0, first)
            line = bisect_right(self.starts, start)
        else:
            start = self.offset(line, column)
        end = self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return Statement(self, index, node, main, start, end, line, node.end_lineno or node.lineno)

    @cached_property
    def meanings(self) -> dict[str, Meaning]:
        """Global names that are bound when the file is imported."""
        return _meanings([s for s in self.statements if not s.main])

    @cached_property
    def main_meanings(self) -> dict[str, Meaning]:
        """Global names that only running the file as a script binds."""
        return _meanings([s for s in self.statements if s.main])

    @cached_property
    def late(self) -> dict[str, list[Statement]]:
        """Global names that functions bind by a ``global`` statement."""
        found: dict[str, list[Statement]] = {}
        for statement in self.statements:
            for name in statement.facts.late:
                found.setdefault(name, []).append(statement)
        return found

    @cached_property
    def stars(self) -> list[tuple[Statement, Alias]]:
        """All ``from … import *``."""
        return [(s, a) for s in self.statements for a in s.facts.aliases if a.name == "*" and a.at_module]

    @cached_property
    def module_uses(self) -> dict[str, set[tuple[str, ...]]]:
        """The attribute chains read from each global name, in the whole file."""
        found: dict[str, set[tuple[str, ...]]] = {}
        for statement in self.statements:
            for use in statement.facts.uses:
                found.setdefault(use.name, set()).add(use.chain)
        return found

    @cached_property
    def exported(self) -> frozenset[str] | None:
        """The literal ``__all__``, with its ``+=``, ``append`` and ``extend``; None without one."""
        names: set[str] = set()
        known = False
        for statement in self.statements:
            node = statement.node
            touched = "__all__" in statement.facts.binds or any(c.name == "__all__" for c in statement.facts.changes)
            if touched and not statement.is_import:
                known = True
                names |= {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        return frozenset(names) if known else None

    def head(self, statement: Statement, floor: int) -> int:
        """First line of a statement with the comment lines right above it, not above line `floor`."""
        line = statement.line
        while line - 1 > floor and statement.line - line < _DOCUMENTED:
            above = self.data[self.starts[line - 2] : self.starts[line - 1]].strip()
            if not above.startswith(b"#") or above.startswith((b"#!", b"# %%", b"#%%")) or b"coding" in above:
                break
            line -= 1
        return line


def _meanings(statements: list[Statement]) -> dict[str, Meaning]:
    found: dict[str, Meaning] = {}
    for statement in statements:
        aliases = [a for a in statement.facts.aliases if a.at_module and a.bound in statement.facts.binds]
        if statement.is_import:
            for alias in aliases:
                found.setdefault(alias.bound, Meaning()).aliases.append((statement, alias))
            continue
        for name in sorted(statement.facts.binds):
            meaning = found.setdefault(name, Meaning())
            meaning.statements.append(statement)
            meaning.aliases += [(statement, alias) for alias in aliases if alias.bound == name]
    return found


def is_main_guard(test: ast.expr) -> bool:
    """Whether a condition is ``__name__ == "__main__"``."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq):
        return False
    sides = (test.left, test.comparators[0])
    named = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    return named and any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)

"""Writes the files of a slice: the selected statements in their order, each run of them headed by its origin."""

import ast
import re
from dataclasses import dataclass, field

from agents.code.modules.effects import Effects
from agents.code.modules.models import Piece
from agents.code.modules.pyfile import PyFile, Statement
from agents.code.modules.render import Renderer
from agents.code.modules.repository import Repository
from agents.code.modules.selection import Selection
from agents.code.modules.slots import Slots
from agents.code.units.imports import Place
from agents.execution.syntax import NotPython3, parse

__all__ = ["Emitter"]

_COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=]")
_GAP = re.compile(rb"(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))+[ \t\f]*")


def _origin_comment(path: str, line: int, end_line: int) -> str:
    """The comment that heads a piece; what could end a comment or hide text in a path is shown as "?"."""
    shown = re.sub(r"[^\w ./+@=,()\[\]-]", "?", path)
    return f"# from {shown}:{line}-{end_line}"


@dataclass
class _Run:
    """Statements that follow each other in the source; `blocks` are their texts with the gaps between them."""

    first: int
    last: int
    statements: list[Statement] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)


class Emitter:
    """Texts and pieces of a slice's files."""

    def __init__(self, repository: Repository, effects: Effects, selection: Selection, slots: Slots) -> None:
        self.repository, self.selection, self.slots = repository, selection, slots
        self.renderer = Renderer(repository, effects, selection, slots)

    def files(self) -> tuple[dict[str, str], tuple[Piece, ...]]:
        """All files, and where their pieces come from."""
        texts: dict[str, str] = {}
        pieces: list[Piece] = []
        for place in sorted(self.selection.places):
            if place.endswith("/"):
                continue
            text, found = self.file(place)
            texts[self.slots.path(place)] = text
            pieces += found
        for path in list(texts):
            folder = path.rpartition("/")[0]
            while folder:
                package = f"{folder}/__init__.py"
                if package not in texts and self._is_package(folder):
                    texts[package] = ""
                folder = folder.rpartition("/")[0]
        return dict(sorted(texts.items())), tuple(pieces)

    def _is_package(self, folder: str) -> bool:
        """Whether the folder of the slice is a package in the repository."""
        for place, root in self.slots.roots.items():
            prefix = self.slots.prefixes[root]
            inner = folder.removeprefix(prefix).strip("/")
            if folder.startswith(prefix) and f"{root}{inner}/__init__.py".lstrip("/") in self.repository.locations:
                return place.startswith(f"{root}{inner}/".lstrip("/"))
        return False

    def file(self, place: Place) -> tuple[str, list[Piece]]:
        file = self.repository.file(place)
        if file is None:
            return "", []
        runs = self._runs(file)
        parts: list[str] = []
        pieces: list[Piece] = []
        future = f"from __future__ import {', '.join(file.futures)}\n" if file.futures else ""
        for number, run in enumerate(runs):
            line, end_line = file.repository_line(run.first), file.repository_line(run.last)
            head = _origin_comment(place, line, end_line) if line else "# added by the translation"
            if place in self.repository.added:
                head, line = f"# stands in for {place}, which the repository's build generates", 0
            text = head + "\n" + "".join(run.blocks).rstrip() + "\n"
            docstring = number == 0 and "__doc__" in run.statements[0].facts.binds and len(run.statements) == 1
            if number == 0 and not docstring and future:
                parts.append(future)
            parts.append(text)
            if docstring and future:
                parts.append(future)
            if line:
                pieces.append(Piece(file=self.slots.path(place), source=place, line=line, end_line=end_line))
        whole = "\n\n".join(part.rstrip("\n") + "\n" for part in parts)
        whole = whole.replace("\r\n", "\n").replace("\r", "\n")
        if any(_COOKIE.match(line) for line in whole.split("\n", 2)[:2]):
            whole = "# -*- coding: utf-8 -*-\n" + whole
        return whole, pieces

    def _runs(self, file: PyFile) -> list[_Run]:
        runs: list[_Run] = []
        before: Statement | None = None
        floor = 0
        for statement in self.selection.of(file.path):
            text = self._text(statement)
            if not text:
                continue
            gap = self._gap(before, statement) if before else None
            if gap is not None and runs:
                runs[-1].blocks.append(gap)
            else:
                head = file.head(statement, floor)
                above = file.data[file.starts[head - 1] : file.starts[statement.line - 1]].decode("utf-8")
                runs.append(_Run(head, statement.end_line))
                runs[-1].blocks.append("" if statement.main else above)
            runs[-1].blocks.append(text)
            runs[-1].statements.append(statement)
            runs[-1].last = floor = statement.end_line
            before = statement
            if "__doc__" in statement.facts.binds:
                before = None
        return runs

    @staticmethod
    def _gap(before: Statement, statement: Statement) -> str | None:
        """What stands between two statements if nothing is left out there; None if they are apart."""
        if statement.index != before.index + 1 or statement.main or before.main:
            return None
        between = before.file.data[before.end : statement.start]
        if not _GAP.fullmatch(between) or b"coding" in between:
            return None
        return between.decode("utf-8")

    def _text(self, statement: Statement) -> str:
        file = statement.file
        if statement.is_import:
            lines = self.renderer.statement(statement)
            return self._in_main(statement, "\n".join(lines)) if lines else ""
        before = self.renderer.links(file, self.selection.ordered.get(statement, ()))
        links = self.renderer.links(file, sorted(self.selection.links.get(statement, ())))
        if statement not in self.selection.statements:
            return "\n".join([*before, *links])
        text = self._edited(statement)
        tail = file.data[statement.end : self._line_end(statement)]
        if tail.strip().startswith(b"#"):
            text += tail.decode("utf-8").rstrip()
        links += self.renderer.links(file, sorted(self._extras(statement)))
        return "\n".join([*before, self._in_main(statement, text), *links])

    def _extras(self, statement: Statement) -> set[Place]:
        """What has to be imported for the imports within a statement, besides what each of them imports itself."""
        path = statement.file.path
        found: set[Place] = set()
        for alias in statement.facts.aliases:
            beside = [other for other in statement.facts.aliases if other.node is alias.node]
            imported = set().union(*(self.renderer.effects.imported(path, other) for other in beside))
            around = {package for place in imported for package in self.repository.imports.packages(place)}
            found |= self.selection.extras.get(alias, set()) - imported - around
        return found

    def _line_end(self, statement: Statement) -> int:
        starts = statement.file.starts
        return starts[statement.end_line] if statement.end_line < len(starts) else len(statement.file.data)

    def _in_main(self, statement: Statement, text: str) -> str:
        """A statement of the main block under a condition of the same depth."""
        if not statement.main:
            return text
        guard = (
            'if __name__ == "__main__":' if statement in self.selection.script else "if True:  # from the main block"
        )
        column = statement.node.col_offset
        start = statement.file.data[statement.start - column : statement.start] if column else b""
        indent = start.decode("utf-8") if not start.strip() and start else "    "
        if statement.is_import:
            text = text.replace("\n", f"\n{indent}")
        return f"{guard}\n{indent}{text}"

    def _edited(self, statement: Statement) -> str:
        """The statement's source with its imports rewritten."""
        file = statement.file
        edits: list[tuple[int, int, str]] = []
        for node in dict.fromkeys(alias.node for alias in statement.facts.aliases):
            aliases = [a for a in statement.facts.aliases if a.node is node]
            kept = [a for a in aliases if not (a.typing and a.at_module) or a in self.selection.typing]
            start = file.offset(node.lineno, node.col_offset)
            end = file.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
            written = file.data[start:end].decode("utf-8")
            lines = self.renderer.node(file, kept) or ["pass"]
            if not _same(lines, written):
                edits.append((start, end, "; ".join(line for line in lines)))
        for call, _, _ in statement.facts.modules:
            if call in self.selection.modules:
                first = call.args[0]
                start, end = (
                    file.offset(first.lineno, first.col_offset),
                    file.offset(first.end_lineno or 0, first.end_col_offset or 0),
                )
                edits.append((start, end, f'"{self.slots.dotted(self.selection.modules[call])}"'))
        data, at, out = file.data, statement.start, []
        for start, end, new in sorted(edits):
            out += [data[at:start].decode("utf-8"), new]
            at = end
        return "".join([*out, data[at : statement.end].decode("utf-8")])


def _same(lines: list[str], written: str) -> bool:
    """Whether the rendered import says what is written."""
    if len(lines) != 1:
        return False
    try:
        return ast.dump(parse(lines[0])) == ast.dump(parse(written))
    except NotPython3:
        return False

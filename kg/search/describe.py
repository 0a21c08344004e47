"""Hits from rows: for each kind of search its index, its queries, and what a hit shows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kg.search.results import (
    CodeHit,
    Hit,
    Implementation,
    PaperHit,
    SearchKind,
    SectionHit,
    TechniqueHit,
)

__all__ = ["SPECS", "Spec", "place"]

SNIPPET = 280
"""Characters of text that a hit shows."""

Row = Mapping[str, Any]
Base = Mapping[str, Any]


def place(row: Row) -> str:
    """``repository@commit:path:first-last`` of a code row, with what is known of it."""
    home = f"{row['repository']}@{str(row['commit'] or '')[:12]}" if row["repository"] else ""
    parts = [home, row["file"] or "", f"{row['line']}-{row['end_line']}" if row["line"] else ""]
    return ":".join(part for part in parts if part)


def snippet(text: str) -> str:
    """The beginning of `text` on one line, cut at a word."""
    line = " ".join(text.split())
    return line if len(line) <= SNIPPET else line[:SNIPPET].rsplit(" ", 1)[0] + " …"


def _technique(base: Base, row: Row) -> TechniqueHit:
    code = tuple(
        Implementation(
            place=place(c), **{key: c[key] for key in ("id", "name", "score", "level", "verdict", "licence")}
        )
        for c in row["code"]
    )
    plain = {key: row[key] for key in ("kind", "aliases", "paper", "paper_title", "candidates")}
    return TechniqueHit(**base, **plain, code=code, snippet=snippet(row["definition"]))


def _code(base: Base, row: Row) -> CodeHit:
    left_out = ("id", "name", "documentation")
    plain = {key: value for key, value in row.items() if key not in left_out}
    return CodeHit(**base, **plain, place=place(row), snippet=snippet(row["documentation"]))


def _paper(base: Base, row: Row) -> PaperHit:
    plain = {key: row[key] for key in ("authors", "year", "techniques")}
    return PaperHit(**base, **plain, snippet=snippet(row["abstract"]))


def _section(base: Base, row: Row) -> SectionHit:
    plain = {key: row[key] for key in ("paper", "paper_title", "number", "file", "start", "end")}
    return SectionHit(**base, **plain, snippet=snippet(row["text"]))


@dataclass(frozen=True)
class Spec:
    """One kind of search: its indexes, its queries, and how a row becomes a hit."""

    kind: SearchKind
    label: str
    hit: Callable[[Base, Row], Hit]

    @property
    def vector_index(self) -> str:
        """The index of its nodes' vectors."""
        return f"{self.label}_vector"

    @property
    def text_index(self) -> str:
        """The full-text index of its nodes."""
        return f"{self.label}_text"

    @property
    def describe(self) -> str:
        """The query that tells what a hit shows."""
        return f"search/describe_{self.kind}"

    @property
    def related(self) -> str:
        """The query of the graph expansion."""
        return f"search/find_related_{self.kind}"


SPECS: dict[SearchKind, Spec] = {
    "techniques": Spec("techniques", "technique", _technique),
    "code": Spec("code", "code", _code),
    "papers": Spec("papers", "paper", _paper),
    "sections": Spec("sections", "section", _section),
}

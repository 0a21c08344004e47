"""Hits from rows: for each kind of search its index, its queries, and what a hit shows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kg.search.rank import Candidate
from kg.search.results import (
    CodeHit,
    Evidence,
    Hit,
    Implementation,
    PaperHit,
    SearchKind,
    SectionHit,
    TechniqueHit,
)

__all__ = ["SPECS", "Spec", "place"]

SNIPPET = 280
TEXT = 20_000
"""Characters of a section that are read to see which words of the query it holds."""

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
    left_out = ("id", "name", "documentation", "identifiers")
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
    """One kind of search. `texts` are the columns whose words count; `related` the query of the graph expansion."""

    kind: SearchKind
    label: str
    texts: tuple[str, ...]
    hit: Callable[[Base, Row], Hit]
    params: Mapping[str, Any]

    @property
    def vector_index(self) -> str:
        return f"{self.label}_vector"

    @property
    def text_index(self) -> str:
        return f"{self.label}_text"

    @property
    def describe(self) -> str:
        return f"search/describe_{self.kind}"

    @property
    def related(self) -> str:
        return f"search/find_related_{self.kind}"

    def words(self, row: Row) -> str:
        """All text of a row in which a query's words are looked for."""
        return "\n".join(" ".join(v) if isinstance(v := row[key], list) else v for key in self.texts)

    def build(self, rank: int, score: float, candidate: Candidate, evidence: Evidence, row: Row) -> Hit:
        """The hit of one candidate."""
        base = {"rank": rank, "id": candidate.id, "name": row["name"], "score": round(score, 6), "evidence": evidence}
        return self.hit(base, row)


SPECS: dict[SearchKind, Spec] = {
    spec.kind: spec
    for spec in (
        Spec("techniques", "technique", ("name", "aliases", "definition"), _technique, {}),
        Spec("code", "code", ("name", "documentation", "identifiers"), _code, {}),
        Spec("papers", "paper", ("name", "abstract"), _paper, {}),
        Spec("sections", "section", ("name", "text"), _section, {"characters": TEXT}),
    )
}

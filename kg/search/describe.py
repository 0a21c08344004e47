"""Hits from rows: for each kind of search its index, its queries, and what a hit shows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from kg.results.search import (
    Described,
    DescribedCode,
    DescribedPaper,
    DescribedSection,
    DescribedTechnique,
    Neighbour,
    RelatedCode,
    RelatedPaper,
    RelatedSection,
    RelatedTechnique,
)
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

Base = Mapping[str, Any]


class Placed(Protocol):
    """Code that stands somewhere: any row of it."""

    @property
    def repository(self) -> str | None: ...
    @property
    def commit(self) -> str | None: ...
    @property
    def file(self) -> str | None: ...
    @property
    def line(self) -> int | None: ...
    @property
    def end_line(self) -> int | None: ...


def place(code: Placed) -> str:
    """``repository@commit:path:first-last`` of code, with what is known of it."""
    home = f"{code.repository}@{(code.commit or '')[:12]}" if code.repository else ""
    parts = [home, code.file or "", f"{code.line}-{code.end_line}" if code.line else ""]
    return ":".join(part for part in parts if part)


def snippet(text: str) -> str:
    """The beginning of `text` on one line, cut at a word."""
    line = " ".join(text.split())
    return line if len(line) <= SNIPPET else line[:SNIPPET].rsplit(" ", 1)[0] + " …"


def _technique(base: Base, row: DescribedTechnique) -> TechniqueHit:
    code = tuple(
        Implementation(place=place(c), **c.model_dump(include={"id", "name", "score", "level", "verdict", "licence"}))
        for c in row.code
    )
    plain = row.model_dump(include={"kind", "aliases", "paper", "paper_title", "candidates"})
    return TechniqueHit(**base, **plain, code=code, snippet=snippet(row.definition))


def _code(base: Base, row: DescribedCode) -> CodeHit:
    plain = row.model_dump(exclude={"id", "name", "documentation"})
    return CodeHit(**base, **plain, place=place(row), snippet=snippet(row.documentation))


def _paper(base: Base, row: DescribedPaper) -> PaperHit:
    plain = row.model_dump(include={"authors", "year", "techniques"})
    return PaperHit(**base, **plain, snippet=snippet(row.abstract))


def _section(base: Base, row: DescribedSection) -> SectionHit:
    plain = row.model_dump(exclude={"id", "name", "text"})
    return SectionHit(**base, **plain, snippet=snippet(row.text))


@dataclass(frozen=True)
class Spec:
    """One kind of search: its indexes, the rows of its neighbours and of its nodes, and how one becomes a hit."""

    kind: SearchKind
    label: str
    related: type[Neighbour]
    described: type[Described]
    hit: Callable[[Base, Any], Hit]

    @property
    def vector_index(self) -> str:
        """The index of its nodes' vectors."""
        return f"{self.label}_vector"

    @property
    def text_index(self) -> str:
        """The full-text index of its nodes."""
        return f"{self.label}_text"


SPECS: dict[SearchKind, Spec] = {
    "techniques": Spec("techniques", "technique", RelatedTechnique, DescribedTechnique, _technique),
    "code": Spec("code", "code", RelatedCode, DescribedCode, _code),
    "papers": Spec("papers", "paper", RelatedPaper, DescribedPaper, _paper),
    "sections": Spec("sections", "section", RelatedSection, DescribedSection, _section),
}

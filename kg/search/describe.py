"""Hits from rows: for each kind of search its index, its queries, and what a hit shows."""

from dataclasses import dataclass
from typing import Any

from kg.results.search import (
    CodeFacts,
    Described,
    DescribedCode,
    DescribedPaper,
    DescribedSection,
    DescribedTechnique,
    GroundedCode,
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


def place(code: GroundedCode | CodeFacts) -> str:
    """``repository@commit:path:first-last`` of code, with what is known of it."""
    home = f"{code.repository}@{(code.commit or '')[:12]}" if code.repository else ""
    parts = [home, code.file or "", f"{code.line}-{code.end_line}" if code.line else ""]
    return ":".join(part for part in parts if part)


def snippet(text: str) -> str:
    """The beginning of `text` on one line, cut at a word."""
    line = " ".join(text.split())
    return line if len(line) <= SNIPPET else line[:SNIPPET].rsplit(" ", 1)[0] + " …"


@dataclass(frozen=True)
class Spec:
    """One kind of search: its indexes, the rows of its neighbours and of its nodes, and what those become."""

    kind: SearchKind
    label: str
    related: type[Neighbour]
    described: type[Described]
    hit: type[Hit]

    @property
    def vector_index(self) -> str:
        """The index of its nodes' vectors."""
        return f"{self.label}_vector"

    @property
    def text_index(self) -> str:
        """The full-text index of its nodes."""
        return f"{self.label}_text"

    def make_hit(self, row: Described, **evidence: Any) -> Hit:
        """The hit that shows `row`, found by `evidence`."""
        facts = row.model_dump(exclude={"text"})
        if isinstance(row, DescribedTechnique):
            facts |= {key: [_implementation(code) for code in getattr(row, key)] for key in ("code", "likely")}
        elif isinstance(row, DescribedCode):
            facts["place"] = place(row)
        return self.hit(**facts, **evidence, snippet=snippet(row.text))


def _implementation(code: GroundedCode) -> Implementation:
    return Implementation(**code.model_dump(include=set(Implementation.model_fields)), place=place(code))


SPECS: dict[SearchKind, Spec] = {
    "techniques": Spec("techniques", "technique", RelatedTechnique, DescribedTechnique, TechniqueHit),
    "code": Spec("code", "code", RelatedCode, DescribedCode, CodeHit),
    "papers": Spec("papers", "paper", RelatedPaper, DescribedPaper, PaperHit),
    "sections": Spec("sections", "section", RelatedSection, DescribedSection, SectionHit),
}

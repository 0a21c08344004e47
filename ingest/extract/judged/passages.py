"""A paper as numbered passages: what a model reads, and what its quotes are held against."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ingest.extract.outline import Node, Outline
from ingest.latex import ParsedPaper
from ingest.latex.reading import Token
from kg.models.paper import Span

__all__ = ["Kind", "Passage", "Passages", "Placed"]

Kind = Literal["heading", "paragraph", "equation", "algorithm", "table", "figure"]


@dataclass(frozen=True, slots=True)
class Placed:
    """A token at ``[at, to)`` of its passage's text; `said` tells the paper's words from marks that we put."""

    at: int
    to: int
    token: Token
    said: bool


@dataclass(frozen=True, slots=True)
class Passage:
    """`text` is read behind the id; ``[start, end)`` are offsets of the flat text, `node` is an index of the outline.

    `words` are what can be quoted: of an equation nothing, of a table or figure its caption. `shows` are the equations
    that stand in it. A heading ends where what it stands over does. `listing` tells a program from an algorithm.
    """

    id: str
    kind: Kind
    text: str
    start: int
    end: int
    node: int
    words: tuple[Placed, ...] = ()
    shows: tuple[str, ...] = ()
    level: int = 0
    listing: bool = False


@dataclass(frozen=True)
class Passages:
    """All passages of a paper in reading order, the appendix last; `plan` is its outline."""

    parsed: ParsedPaper
    plan: Outline
    items: tuple[Passage, ...]
    by_id: Mapping[str, Passage] = field(default_factory=dict)

    def node(self, passage: Passage) -> Node | None:
        """The titled stretch that a passage stands in."""
        return self.plan.nodes[passage.node] if passage.node >= 0 else None

    def span(self, start: int, end: int) -> Span:
        """The bytes of ``[start, end)`` of the flat text."""
        return self.parsed.flat.span(start, end)

    def inside(self, start: int, end: int) -> Iterator[Passage]:
        """The passages that begin in ``[start, end)`` of the flat text."""
        return (passage for passage in self.items if start <= passage.start < end)

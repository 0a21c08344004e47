"""What a search gives: hits with their evidence, so that a reader can judge each for himself."""

from typing import Literal

from kg.models.paper import Model
from kg.results.search import CodeFacts, PaperFacts, SectionFacts, TechniqueFacts

__all__ = ["CodeHit", "Evidence", "Hit", "Implementation", "PaperHit", "SearchKind", "SearchResult", "SectionHit",
           "Strength", "TechniqueHit", "Via"]  # fmt: skip

SearchKind = Literal["techniques", "code", "papers", "sections"]
Strength = Literal["strong", "weak"]
"""Whether a hit is relevant, or only something that may be meant."""


class Via(Model):
    """A hit of the same search that stands beside this one in the graph; `relation` is told from this one's side."""

    relation: str
    id: str
    name: str
    strength: float


class Evidence(Model):
    """Why a hit is one.

    `cosine` is the true cosine of query and node, None for a node without a vector, `context` that of what stands
    around it; `text_score` is Lucene's, None if no word matches; `coverage` the share of the query's meaning words
    found in the node, weighted by rarity; `named` whether the query is a name of the node ("exactly") or all its words
    stand in one ("in part"); `relevance` what the threshold is held against; `vector_rank` and `text_rank` its places
    by meaning and by words.
    """

    cosine: float | None
    context: float | None = None
    text_score: float | None
    coverage: float
    named: Literal["exactly", "in part", ""] = ""
    relevance: float
    vector_rank: int | None
    text_rank: int | None
    via: tuple[Via, ...] = ()
    why: str


class Hit(Model):
    """One answer. `strength` is "weak" where its relevance is below the threshold; `score` is that relevance.

    What is `imported` a file says, and this home has not read it from its source.
    """

    rank: int
    id: str
    name: str
    score: float
    strength: Strength = "strong"
    evidence: Evidence
    snippet: str = ""
    imported: bool = False


class Implementation(Model):
    """Code that implements a technique, asserted or likely."""

    id: str
    name: str
    place: str
    score: float
    level: str
    verdict: str
    licence: str | None


class TechniqueHit(TechniqueFacts, Hit):
    """A technique with its best code: what is asserted (`code`), and what is likely."""

    code: tuple[Implementation, ...]
    likely: tuple[Implementation, ...]


class CodeHit(CodeFacts, Hit):
    """A piece of code; `implements` names techniques, `likely` those that it likely implements, `place` is
    ``repository@commit:path:first-last``.
    """

    implements: tuple[str, ...]
    likely: tuple[str, ...]
    place: str


class PaperHit(PaperFacts, Hit):
    """A paper that has been ingested."""


class SectionHit(SectionFacts, Hit):
    """A section."""


class SearchResult(Model):
    """The hits of one query, best first; none if nothing in the graph is near enough. `spelling` is what was looked for
    instead of the query, "" if that was the query itself; `next_cursor` where to go on, None after the last hit.
    """

    kind: SearchKind
    query: str
    spelling: str = ""
    model_id: str
    threshold: float
    searched: int
    hits: tuple[TechniqueHit | CodeHit | PaperHit | SectionHit, ...]
    next_cursor: int | None = None

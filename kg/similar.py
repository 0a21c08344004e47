"""What is like a paper or a technique, and why.

Papers are alike by their vectors, by bibliographic coupling (Kessler 1963: what both cite, rare works counting most,
normalised by the lengths of both lists as a cosine is, so that a bloated list gains nothing) and by concepts that
techniques of both are instances of. The three are independent evidence::

    score = 1 - (1 - cosine) (1 - coupling) (1 - share of concepts)
"""

from kg.models.paper import Model
from kg.results.similar import SimilarPaperRow, SimilarTechniqueRow
from kg.store import Store

__all__ = ["SimilarPaper", "SimilarTechnique", "similar_papers", "similar_techniques"]

DEPTH = 50
"""Neighbours by vector that are looked at."""
POPULAR = 1000
"""A work that more papers cite says nothing of two of them."""
NAMED = 5
"""Shared works that are named."""
ALIKE = 0.4
"""Score of papers that are alike: of the pairs of 47 papers read, nearly none below has a subject in common."""
NEAR = 0.5
"""Cosine of techniques that are alike without any relation in the graph."""
RELATED = {"same concept": 1.0, "variant": 0.9, "similar": 0.8}
"""The score of each relation; a cosine may be higher."""


class SimilarPaper(Model):
    """A paper that is like another; `coupling` and `together` as in SimilarPaperRow, `common` counts shared works."""

    id: str
    title: str
    year: int | None
    score: float
    cosine: float | None
    coupling: float
    common: int
    shared: tuple[str, ...]
    together: float
    concepts: tuple[str, ...]


class SimilarTechnique(Model):
    """A technique of another paper that is like one; `relations` is empty where only their texts are near."""

    id: str
    name: str
    kind: str
    paper: str
    paper_title: str
    score: float
    relations: tuple[str, ...]
    cosine: float | None


def similar_papers(store: Store, paper: str, limit: int) -> list[SimilarPaper]:
    """The papers most like the one with this id, best first; none whose score is below ALIKE."""
    found = store.rows(SimilarPaperRow, id=paper, depth=DEPTH, popular=POPULAR, named=NAMED, limit=limit)
    return [SimilarPaper.model_validate(row.model_dump()) for row in found if row.score >= ALIKE]


def similar_techniques(store: Store, technique: str, limit: int) -> list[SimilarTechnique]:
    """The techniques of other papers most like the one with this id, best first."""
    found = []
    for row in store.rows(SimilarTechniqueRow, id=technique, depth=DEPTH):
        score = max([row.cosine or 0.0, *(RELATED[relation] for relation in row.relations)])
        if row.relations or score >= NEAR:
            about = row.model_dump(exclude={"cosine"})
            cosine = None if row.cosine is None else round(row.cosine, 4)
            found.append(SimilarTechnique(**about, score=round(score, 4), cosine=cosine))
    return sorted(found, key=lambda one: (-one.score, -(one.cosine or 0.0), one.id))[:limit]

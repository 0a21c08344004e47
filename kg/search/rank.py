"""From two ranked lists to few good hits: relevance with a threshold that filters, then reciprocal-rank fusion.

A node is relevant by meaning (cosine), by words (coverage), or by some of both::

    relevance = cosine + WORDS * coverage ** 2        kept if relevance >= THRESHOLD

so that meaning alone needs a cosine of 0.45 with the built-in model, and all words of the query at once need 0.2.
Calibrated on 450 techniques, findings and resources of 43 papers: 25 queries on their subjects reach 0.55 or more, 30
queries on cooking, law, sports and the like 0.41 or less; `benchmarks.search` measures both kinds on other queries.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

__all__ = ["THRESHOLD", "Candidate", "fuse"]

WORDS = 0.25
THRESHOLD = 0.45
UNKNOWN_COSINE = 0.2
"""Stands for the cosine of a node without a vector: it is found by all words of the query together, or not at all."""

FUSION = 5
"""The constant of reciprocal-rank fusion (Cormack, Clarke and Büttcher 2009, who took 60 for lists of a thousand)."""

NEIGHBOUR = 0.25
"""Weight of the list of neighbours: less than 2 / (FUSION + 2), so that no neighbour lifts a node over one that is
first by meaning and by words. Both constants were chosen on 53 queries to 43 papers; the answer's quality is flat
around them."""


@dataclass
class Candidate:
    """A node that one of the lists brought up."""

    id: str
    cosine: float | None = None
    text_score: float | None = None
    vector_rank: int | None = None
    text_rank: int | None = None
    coverage: float = 0.0
    related: dict[str, tuple[str, float]] = field(default_factory=dict)
    """Hits beside this node: id to relation and strength."""

    @property
    def relevance(self) -> float:
        """Meaning and words in one number, which the threshold is held against; see the module."""
        return (UNKNOWN_COSINE if self.cosine is None else self.cosine) + WORDS * self.coverage**2


def fuse(candidates: Iterable[Candidate], sources: Mapping[str, int]) -> list[tuple[float, Candidate]]:
    """Order candidates by the sum of weight / (FUSION + rank) over the lists they stand in, best first.

    The lists are: by cosine, by words, and by the best-ranked neighbour among the hits (`sources`: id to rank).
    Sets `vector_rank` and `text_rank`. Ties go to the higher relevance, then to the lower id.
    """
    kept = list(candidates)
    by_cosine = [c for c in kept if c.cosine is not None]
    by_cosine.sort(key=lambda c: (-(c.cosine or 0.0), c.id))
    by_words = [c for c in kept if c.text_score is not None]
    by_words.sort(key=lambda c: (-c.coverage, -(c.text_score or 0.0), c.id))
    for rank, candidate in enumerate(by_cosine, 1):
        candidate.vector_rank = rank
    for rank, candidate in enumerate(by_words, 1):
        candidate.text_rank = rank
    related = [c for c in kept if c.related]
    related.sort(key=lambda c: (_nearest_source(c, sources), -c.relevance, c.id))
    score: dict[str, float] = {}
    for weight, ranked in ((1.0, by_cosine), (1.0, by_words), (NEIGHBOUR, related)):
        for rank, candidate in enumerate(ranked, 1):
            score[candidate.id] = score.get(candidate.id, 0.0) + weight / (FUSION + rank)
    kept.sort(key=lambda c: (-score.get(c.id, 0.0), -c.relevance, c.id))
    return [(score.get(c.id, 0.0), c) for c in kept]


def _nearest_source(candidate: Candidate, sources: Mapping[str, int]) -> float:
    """The rank of the best hit beside it, worsened by a weak relation."""
    return min(sources.get(source, FUSION) / max(strength, 0.1) for source, (_, strength) in candidate.related.items())

"""From what vectors, words, names and the graph say of a node to one number, and from that to few good hits.

A node's relevance is on the scale of a cosine::

    relevance = MEANING * cosine + CONTEXT * cosine of what stands around it + BESIDE * best cosine of its paper
                + WORDS * coverage - FOREIGN * foreign

where `foreign` is the share of the query's words that stand nowhere in the graph.
Around a technique or a section stands its paper, around code the technique it implements; a technique is helped by
the nearest one of its paper as well. A node that is called what the query says is relevant by itself (1), and one
whose name holds all words of the query reaches THRESHOLD. A node beside a relevant one inherits a share of its
relevance, if it comes near by itself (see `RELATIONS`).

What reaches the threshold is strong. Whether something else may be meant is asked of the best hit alone: if it comes
within WEAK of the threshold, what stands within NEAR of it is told too, at most MOST_WEAK such hits, and only where few
are strong. The weights and both bars were chosen on 40 tasks in an engineer's words and 101 queries on cooking, law,
sports, programming and the like, for 43 papers and three examples: of the latter one in ten reaches the lower bar.
`benchmarks.search_quality` measures on others.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from kg.search.results import Strength
from kg.words import is_acronym, is_specific, name_key, name_words

__all__ = ["RELATIONS", "THRESHOLD", "Candidate", "Named", "Relation", "chosen", "help_within_papers", "lift_named"]

THRESHOLD = 0.35
WEAK = 0.13
NEAR = 0.15
MOST_WEAK = 3
ENOUGH = 5
"""Where so many hits are strong, weak ones are left out."""

MEANING, CONTEXT, BESIDE, WORDS = 0.62, 0.23, 0.15, 0.15
UNKNOWN_COSINE = 0.21
"""Stands for the cosine of a node without a vector: it is found by all words of the query together, or not at all."""
FOREIGN = 0.11
CLAIM = 0.07
"""What a finding or resource is behind a technique that is as near."""
CLAIMS = frozenset({"finding", "resource"})
BELOW = frozenset({"test", "example", "vendored", "generated", "minified"})
"""Roles of code that stands below sources."""

Named = Literal["exactly", "in part", ""]
"""Whether a node is called what the query says, or its name holds all of the query's words."""


@dataclass(frozen=True)
class Relation:
    """What a node gets from a relevant one beside it: a `share` of its relevance, if the node by itself has at least
    the share `needed` of the threshold.
    """

    share: float
    needed: float


RELATIONS: Mapping[str, Relation] = {
    "implements": Relation(0.95, 0.25),
    "likely implements": Relation(0.85, 0.4),
    "only a candidate for": Relation(0.75, 0.6),
    "describes": Relation(0.75, 0.3),
    "same concept": Relation(0.9, 0.4),
    "implemented by": Relation(0.75, 0.6),
    "part and whole": Relation(0.0, 0.8),
    "finding about it": Relation(1.0, 0.5),
}


@dataclass
class Candidate:
    """A node that one of the lists or a relation brought up; `kind` and `role` are "" where the node has none."""

    id: str
    name: str = ""
    kind: str = ""
    role: str = ""
    cosine: float | None = None
    context: float | None = None
    beside: float | None = None
    """The best cosine of a technique of the same paper."""
    text_score: float | None = None
    vector_rank: int | None = None
    text_rank: int | None = None
    coverage: float = 0.0
    foreign: float = 0.0
    named: Named = ""
    aliases: tuple[str, ...] = ()
    related: dict[str, tuple[str, float]] = field(default_factory=dict)
    """Hits beside this node: id to relation and strength."""
    inherited: float = 0.0

    @property
    def own(self) -> float:
        """Relevance without what is inherited; see the module."""
        near = UNKNOWN_COSINE if self.cosine is None else self.cosine
        around = near if self.context is None else self.context
        beside = near if self.beside is None else max(near, self.beside)
        found = MEANING * near + CONTEXT * around + BESIDE * beside + WORDS * self.coverage - FOREIGN * self.foreign
        found -= CLAIM if self.is_claim else 0.0
        return max(found, {"exactly": 1.0, "in part": THRESHOLD, "": found}[self.named])

    @property
    def relevance(self) -> float:
        """What the threshold is held against; see the module."""
        return max(self.own, self.inherited)

    @property
    def is_claim(self) -> bool:
        """A finding or a resource."""
        return self.kind in CLAIMS

    @property
    def is_below(self) -> bool:
        """Code that stands below sources: of such a role, or what only makes an object of its class, or ends it."""
        *outer, last = self.name.split(".")
        return self.role in BELOW or last == "__init__" or (bool(outer) and last.removeprefix("~") == outer[-1])

    def inherit(self, relation: str, source: str, relevance: float, strength: float, threshold: float) -> bool:
        """Take what a relation to `source` gives; False if this node does not come near enough by itself."""
        rule = RELATIONS[relation]
        if self.own < threshold * rule.needed:
            return False
        self.inherited = max(self.inherited, relevance * rule.share * min(1.0, strength))
        self.related.setdefault(source, (relation, strength))
        return True


def help_within_papers(found: Collection[Candidate]) -> None:
    """Tell each technique the best cosine of its paper's."""
    best: dict[str, float] = {}
    for candidate in found:
        paper = candidate.id.partition("#")[0]
        best[paper] = max(best.get(paper, -1.0), -1.0 if candidate.cosine is None else candidate.cosine)
    for candidate in found:
        candidate.beside = best[candidate.id.partition("#")[0]]


def lift_named(found: Collection[Candidate], threshold: float) -> None:
    """What a finding says of a technique speaks for the technique: it gets the finding's relevance, and the finding
    never stands above it."""
    techniques = [(c, _names(c)) for c in found if not c.is_claim and (is_specific(c.name) or c.aliases)]
    for claim in [c for c in found if c.is_claim and c.named != "exactly"]:
        said = frozenset(name_words(claim.name))
        for technique, names in techniques:
            if any(name <= said for name in names):
                technique.inherit("finding about it", claim.id, claim.relevance, 1.0, threshold)


def _names(candidate: Candidate) -> list[frozenset[str]]:
    """The words of each name that says by itself what is meant."""
    names = [name for name in (candidate.name, *candidate.aliases) if is_specific(name) or is_acronym(name)]
    return [words for name in names if (words := frozenset(name_words(name)))]


def chosen(
    found: Iterable[Candidate], threshold: float, limit: int | None = None, *, sure: bool = True
) -> list[tuple[Candidate, Strength]]:
    """The hits, best first: strong ones, then weak ones where they are wanted. Sets `vector_rank` and `text_rank`.

    Where it is not `sure` that this was asked, only what is named is strong. Of what is strong sources stand before
    tests and demos, and before constructors. Ties go to techniques before findings, then to the lower id.
    """
    everything = list(found)
    best = max((c.relevance for c in everything), default=0.0)
    bar = threshold - WEAK
    pool = [c for c in everything if c.relevance >= min(bar, best - NEAR)] if best >= bar else []
    _rank(pool)
    pool.sort(key=lambda c: (-round(c.relevance, 9), c.is_claim, c.id))
    strong = [c for c in pool if c.relevance >= threshold and (sure or c.named)]
    strong.sort(key=lambda c: (c.named != "exactly", c.is_below))
    taken = {c.id for c in strong}
    rest = [c for c in pool if c.id not in taken and not c.is_below]
    weak: dict[tuple[str, str], Candidate] = {}
    for candidate in sorted(rest, key=lambda c: c.is_claim):
        weak.setdefault((candidate.id.partition("#")[0], name_key(candidate.name) or candidate.id), candidate)
    most = max(0, min(MOST_WEAK, ENOUGH - len(strong)))
    hits: list[tuple[Candidate, Strength]] = [(c, "strong") for c in strong]
    hits += [(c, "weak") for c in list(weak.values())[:most]]
    return hits[:limit]


def _rank(pool: Collection[Candidate]) -> None:
    """Number candidates by meaning and by words."""
    by_cosine = [c for c in pool if c.cosine is not None]
    by_cosine.sort(key=lambda c: (-(c.cosine or 0.0), c.id))
    for rank, candidate in enumerate(by_cosine, 1):
        candidate.vector_rank = rank
    by_words = [c for c in pool if c.text_score is not None]
    by_words.sort(key=lambda c: (-c.coverage, -(c.text_score or 0.0), c.id))
    for rank, candidate in enumerate(by_words, 1):
        candidate.text_rank = rank

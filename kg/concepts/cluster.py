"""Which techniques are one: a function of all techniques and the curators' decisions, whatever order they came in."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Literal, NamedTuple

from kg.words import is_acronym, is_specific, name_key, stems

__all__ = ["Cluster", "Member", "Named", "cluster", "compared", "nearly"]

SIMILAR = 0.9
"""Cosine from which two techniques of different papers that share a word are one, whatever their names."""
RELATED = 0.6
"""Cosine that must back up a name of one ordinary word ("sampling"), or an acronym with two expansions."""
NEARLY = 0.8
"""Cosine from which two that are not one yet may be: a person is asked."""
SHARED_WORDS = 0.5
"""Share of words that two names must have in common before their vectors are compared."""
WIDEST_BLOCK = 60
"""Words that more techniques share say too little to compare all of those."""

Reason = Literal["name", "acronym", "similarity", "curator"]
Cosine = Callable[[str, str], float | None]


class Named(NamedTuple):
    """A technique as far as joining needs it."""

    id: str
    name: str
    aliases: tuple[str, ...]
    paper: str


class Link(NamedTuple):
    """Two techniques that may be one; sorts by strength, then by id."""

    weakness: float
    one: str
    other: str
    reason: Reason


@dataclass(frozen=True)
class Member:
    """A technique's place in a cluster."""

    technique: str
    score: float
    decided_by: Reason


@dataclass(frozen=True)
class Cluster:
    """Techniques that are one. `anchor` is the concept a curator bound them to."""

    anchor: str | None
    name: str
    aliases: tuple[str, ...]
    members: tuple[Member, ...]


def _by_key(techniques: Sequence[Named], names_of: Callable[[Named], Iterable[str]]) -> Iterator[list[Named]]:
    groups: dict[str, dict[str, Named]] = defaultdict(dict)
    for technique in techniques:
        for name in names_of(technique):
            if key := name_key(name):
                groups[key][technique.id] = technique
    return ([*group.values()] for _, group in sorted(groups.items()) if len(group) > 1)


def _name_links(techniques: Sequence[Named], cosine: Cosine) -> Iterator[Link]:
    for group in _by_key(techniques, lambda t: [t.name, *(a for a in t.aliases if not is_acronym(a))]):
        for one, other in pairwise(group):
            specific = is_specific(one.name) or is_specific(other.name)
            if specific or (cosine(one.id, other.id) or 0) >= RELATED:
                yield Link(-1.0, one.id, other.id, "name")


def _acronym_links(techniques: Sequence[Named], cosine: Cosine) -> Iterator[Link]:
    """A bare acronym joins its expansion; two expansions of one acronym must also be related."""
    for group in _by_key(techniques, lambda t: [n for n in (t.name, *t.aliases) if is_acronym(n)]):
        bare = [t for t in group if is_acronym(t.name)]
        long = [t for t in group if not is_acronym(t.name)]
        expansions = {name_key(t.name) for t in long}
        for one, other in [*pairwise(bare), *pairwise(long), *((b, x) for b in bare[:1] for x in long)]:
            sure = one in bare and (other in bare or len(expansions) == 1)
            if sure or (cosine(one.id, other.id) or 0) >= RELATED:
                yield Link(-0.95, min(one.id, other.id), max(one.id, other.id), "acronym")


def _pairs_in_blocks(techniques: Sequence[Named]) -> set[tuple[str, str]]:
    blocks: dict[str, list[Named]] = defaultdict(list)
    for technique in techniques:
        for word in stems(technique.name):
            blocks[word].append(technique)
    return {
        (one.id, other.id)
        for block in blocks.values()
        if len(block) <= WIDEST_BLOCK
        for one, other in combinations(block, 2)
        if one.paper != other.paper and _overlap(one.name, other.name) >= SHARED_WORDS
    }


def _overlap(one: str, other: str) -> float:
    """Jaccard index of the words of two names."""
    ours, theirs = stems(one), stems(other)
    return len(ours & theirs) / len(ours | theirs)


def compared(techniques: Iterable[Named]) -> set[str]:
    """The techniques whose vectors `cluster` will want to see."""
    asked: set[str] = set()

    def ask(one: str, other: str) -> None:
        asked.update((one, other))

    cluster(techniques, {}, ask)
    return asked


def nearly(techniques: Iterable[Named], cosine: Cosine) -> list[tuple[float, str, str]]:
    """Pairs of different papers that share words and are almost as similar as `cluster` asks, the nearest first."""
    pairs = sorted(_pairs_in_blocks(sorted(techniques)))
    found = [(score, *pair) for pair in pairs if NEARLY <= (score := cosine(*pair) or 0.0) < SIMILAR]
    return sorted(found, key=lambda near: (-near[0], *near[1:]))


class _Sets:
    """Union-find that never joins two anchors, nor, by similarity alone, two techniques of one paper."""

    def __init__(self, techniques: Sequence[Named], anchors: dict[str, str]) -> None:
        self.parent = {t.id: t.id for t in techniques}
        self.anchor = {t.id: anchors.get(t.id) for t in techniques}
        self.papers = {t.id: {t.paper} for t in techniques}

    def root(self, node: str) -> str:
        while self.parent[node] != node:
            self.parent[node] = self.parent[self.parent[node]]
            node = self.parent[node]
        return node

    def join(self, link: Link) -> bool:
        one, other = sorted((self.root(link.one), self.root(link.other)))
        if one == other:
            return True
        anchors = {self.anchor[one], self.anchor[other]} - {None}
        if len(anchors) > 1 or (link.reason == "similarity" and self.papers[one] & self.papers[other]):
            return False
        self.parent[other] = one
        self.anchor[one] = next(iter(anchors), None)
        self.papers[one] |= self.papers.pop(other)
        return True


def cluster(techniques: Iterable[Named], anchors: dict[str, str], cosine: Cosine) -> tuple[Cluster, ...]:
    """Clusters of techniques of at least two papers, or bound by a curator.

    `anchors` maps techniques to the concept that a curator put them in; `cosine(a, b)` is None where a vector lacks.
    """
    listed = sorted(techniques)
    sets = _Sets(listed, anchors)
    bound: dict[str, str] = {}
    for technique, concept in sorted(anchors.items()):
        if technique in sets.parent:
            sets.join(Link(-2.0, bound.setdefault(concept, technique), technique, "curator"))
    links = {*_name_links(listed, cosine), *_acronym_links(listed, cosine)}
    for one, other in _pairs_in_blocks(listed):
        score = cosine(one, other)
        if score is not None and score >= SIMILAR:
            links.add(Link(-min(round(score, 6), 0.94), one, other, "similarity"))
    best: dict[str, Link] = {}
    for link in sorted(links):
        if sets.join(link):
            for technique in (link.one, link.other):
                best.setdefault(technique, link)
    groups: dict[str, list[Named]] = defaultdict(list)
    for named in listed:
        groups[sets.root(named.id)].append(named)
    return tuple(
        _cluster(group, sets.anchor[root], anchors, best)
        for root, group in sorted(groups.items())
        if len({t.paper for t in group}) > 1 or sets.anchor[root]
    )


def _cluster(group: list[Named], anchor: str | None, anchors: dict[str, str], best: dict[str, Link]) -> Cluster:
    keys = Counter(name_key(t.name) for t in group)
    name = min((t.name for t in group), key=lambda n: (-keys[name_key(n)], len(n), n))
    aliases = sorted({n for t in group for n in (t.name, *t.aliases)} - {name})
    members = tuple(
        Member(t.id, 1.0, "curator") if t.id in anchors else Member(t.id, -best[t.id].weakness, best[t.id].reason)
        for t in group
    )
    return Cluster(anchor, name, tuple(aliases[:50]), members)

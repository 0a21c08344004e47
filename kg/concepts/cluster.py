"""Which techniques are one: a function of their names, their vectors and the curators' decisions, in any order."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Literal, NamedTuple

from kg.concepts.forms import Form, Named, form_of, is_generic
from kg.concepts.relations import ACRONYM, EXPANSION, WEAK, overlap
from kg.words import name_key

__all__ = ["Cluster", "Cosine", "Member", "Reason", "cluster", "doubtful"]

MOST_ALIASES = 50

Reason = Literal["name", "acronym", "similarity", "model", "curator"]
Cosine = Callable[[str, str], float | None]


class Link(NamedTuple):
    """Two techniques that are one; sorts by strength, then by id."""

    weakness: float
    one: str
    other: str
    reason: Reason

    @classmethod
    def of(cls, score: float, pair: tuple[str, str], reason: Reason) -> "Link":
        """A link of a score between 0 and 1."""
        return cls(-score, min(pair), max(pair), reason)


@dataclass(frozen=True)
class Member:
    """A technique's place in a cluster; `beside` is the technique that it was joined with."""

    technique: str
    score: float
    decided_by: Reason
    beside: str


@dataclass(frozen=True)
class Cluster:
    """Techniques that are one. `anchor` is the concept a curator bound them to."""

    anchor: str | None
    name: str
    aliases: tuple[str, ...]
    members: tuple[Member, ...]


def _forms(techniques: Iterable[Named]) -> dict[str, Form]:
    return {t.id: form_of(t.name, t.aliases) for t in techniques}


def _groups(forms: Mapping[str, Form], keys: Callable[[Form], Iterable[str]]) -> Iterator[list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for technique, form in forms.items():
        for key in keys(form):
            found[key].append(technique)
    return (group for _, group in sorted(found.items()) if len(group) > 1)


def _unsure(forms: Mapping[str, Form]) -> Iterator[tuple[str, list[str]]]:
    """Keys with the techniques that share them, where some pair of these is not sure."""
    keyed: dict[str, list[str]] = defaultdict(list)
    for technique, form in forms.items():
        for key in form.telling | form.weak | form.initials:
            keyed[key].append(technique)
    for key, group in sorted(keyed.items()):
        sure = all(key in forms[t].telling for t in group) or all(key in forms[t].initials for t in group)
        if len(group) > 1 and not sure:
            yield key, group


def _weak(techniques: Mapping[str, Form]) -> Iterator[tuple[str, str, float]]:
    """Pairs that share a key of which one is not sure, with the cosine that is asked for."""
    for key, group in _unsure(techniques):
        for one, other in combinations(group, 2):
            mine, theirs = techniques[one], techniques[other]
            if key in mine.telling and key in theirs.telling:
                continue
            if key in mine.initials and key in theirs.initials:
                continue
            short = (mine, theirs)[key in mine.initials]
            if key in mine.initials | theirs.initials:
                if short.coined and key in short.telling:
                    yield one, other, ACRONYM
            else:
                yield one, other, WEAK


def _acronyms(forms: Mapping[str, Form]) -> Iterator[tuple[str, str, float]]:
    """A bare acronym with each expansion, and expansions in a row; 0 where their words are the same."""
    for group in _groups(forms, lambda form: form.acronyms):
        bare = [t for t in group if forms[t].first]
        long = [t for t in group if not forms[t].first]
        for one, other in [*combinations(long, 2), *((b, x) for b in bare[:1] for x in long)]:
            alike = one not in bare and overlap(forms[one], forms[other]) >= EXPANSION
            yield one, other, 0.0 if alike else ACRONYM


def doubtful(techniques: Iterable[Named]) -> set[str]:
    """The techniques whose vectors `cluster` may ask for."""
    forms = _forms(techniques)
    acronyms = (g for g in _groups(forms, lambda form: form.acronyms) if not all(forms[t].first for t in g))
    return {technique for group in (*(g for _, g in _unsure(forms)), *acronyms) for technique in group}


def _links(forms: Mapping[str, Form], cosine: Cosine) -> set[Link]:
    found = {
        Link.of(1.0, pair, "name") for group in _groups(forms, lambda form: form.telling) for pair in pairwise(group)
    }
    for one, other, least in _acronyms(forms):
        score = cosine(one, other) if least else None
        if not least or (score is None and forms[one].first) or (score is not None and score >= least):
            found.add(Link.of(0.95, (one, other), "acronym"))
    for one, other, least in _weak(forms):
        if (score := cosine(one, other)) is not None and score >= least:
            found.add(Link.of(min(round(score, 4), 0.94), (one, other), "similarity"))
    return found


class _Sets:
    """Union-find that never joins two anchors, nor what a model called two, unless a curator did; nor, by similarity
    alone, two techniques of one paper."""

    def __init__(
        self, techniques: Sequence[Named], anchors: Mapping[str, str], apart: Iterable[tuple[str, str]]
    ) -> None:
        self.parent = {t.id: t.id for t in techniques}
        self.anchor = {t.id: anchors.get(t.id) for t in techniques}
        self.papers = {t.id: {t.paper} - {""} for t in techniques}
        self.called: dict[str, set[str]] = defaultdict(set)
        self.apart: dict[str, set[str]] = defaultdict(set)
        for one, other in apart:
            self.called[one], self.called[other] = {one}, {other}
            self.apart[one].add(other)
            self.apart[other].add(one)

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
        if len(anchors) > 1 or (link.reason != "curator" and self.apart[one] & self.called[other]):
            return False
        if link.reason == "similarity" and self.papers[one] & self.papers[other]:
            return False
        self.parent[other] = one
        self.anchor[one] = next(iter(anchors), None)
        for kept in (self.papers, self.called, self.apart):
            kept[one] |= kept[other]
        return True


def cluster(
    techniques: Iterable[Named],
    anchors: Mapping[str, str],
    cosine: Cosine,
    judged: Iterable[tuple[str, str]] = (),
    apart: Iterable[tuple[str, str]] = (),
) -> tuple[Cluster, ...]:
    """Clusters of techniques of at least two papers, or bound by a curator.

    `anchors` maps techniques to the concept that a curator put them in; `cosine(a, b)` is None where a vector lacks;
    `judged` are pairs that a model called one, `apart` those that it called two.
    """
    listed = sorted(techniques)
    forms = _forms(listed)
    kept_apart = {frozenset(pair) for pair in apart}
    sets = _Sets(listed, anchors, [(min(pair), max(pair)) for pair in kept_apart])
    bound: dict[str, str] = {}
    for technique, concept in sorted(anchors.items()):
        if technique in sets.parent:
            sets.join(Link(-2.0, bound.setdefault(concept, technique), technique, "curator"))
    links = {link for link in _links(forms, cosine) if frozenset((link.one, link.other)) not in kept_apart}
    links |= {Link.of(0.97, pair, "model") for pair in judged if sets.parent.keys() >= set(pair)}
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


def _cluster(
    group: Sequence[Named], anchor: str | None, anchors: Mapping[str, str], best: Mapping[str, Link]
) -> Cluster:
    keys = Counter(name_key(t.name) for t in group)
    name = min((t.name for t in group), key=lambda n: (is_generic(n), -keys[name_key(n)], len(n), n))
    aliases = sorted({n for t in group for n in (t.name, *t.aliases)} - {name})
    members = tuple(_member(t.id, anchors, best) for t in group)
    return Cluster(anchor, name, tuple(aliases[:MOST_ALIASES]), members)


def _member(technique: str, anchors: Mapping[str, str], best: Mapping[str, Link]) -> Member:
    if technique in anchors:
        return Member(technique, 1.0, "curator", "")
    link = best[technique]
    beside = link.other if link.one == technique else link.one
    return Member(technique, -link.weakness, link.reason, beside)

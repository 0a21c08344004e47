"""Bringing the graph's concepts in line with its techniques and its curators' decisions."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from kg.concepts.cluster import Cluster, Cosine, cluster, doubtful
from kg.concepts.forms import is_generic, kept_keys
from kg.concepts.relations import relate
from kg.concepts.scope import MODEL, Scope, everything, read_vectors, touched
from kg.models.ids import slug
from kg.models.paper import Model
from kg.results.concept import ConceptNames, RelationRow
from kg.store import Store, Transaction

__all__ = ["RULES", "ConceptChanges", "refresh_concepts", "refresh_within"]

RULES = "rules"
ANY_LENGTH = 1_000_000

Key = tuple[str, str, str]
"""A relation: from which technique, to which, of which type."""


class ConceptChanges(Model):
    """What a refresh did: ids of concepts, "technique -> concept" for instances, "one VARIANT_OF other"."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    instances_added: tuple[str, ...] = ()
    instances_removed: tuple[str, ...] = ()
    relations_added: tuple[str, ...] = ()
    relations_removed: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """True if nothing changed."""
        return not any(self.counts().values())

    def counts(self) -> dict[str, int]:
        """How many of each: what may be told while a blacklist is in force."""
        return {name: len(getattr(self, name)) for name in type(self).model_fields}


class _Plan(Model):
    """What a refresh will write, made of a graph after so many writes."""

    read_after: int
    concepts: tuple[dict[str, Any], ...]
    dropped: tuple[str, ...]
    instances: tuple[dict[str, Any], ...]
    gone: tuple[dict[str, str], ...]
    relations: tuple[dict[str, Any], ...]
    ended: tuple[dict[str, str], ...]
    keys: tuple[dict[str, Any], ...]
    marked: bool
    changes: ConceptChanges

    @property
    def writes(self) -> bool:
        """Whether there is anything to write: also another score or neighbour of what stays where it is."""
        parts = (self.concepts, self.dropped, self.instances, self.gone, self.relations, self.ended, self.keys)
        return self.marked or any(parts)


def refresh_concepts(store: Store, *, whole: bool = False) -> ConceptChanges:
    """Join techniques of different papers that are one, and tell which are variants of others or similar.

    What has changed since the last refresh is looked at, with all that may be one with it; `whole` looks at
    everything, and gives the same. The result is a function of techniques and of what curators and models decided,
    not of the order in which papers came. It is worked out without the writers' lock, and again under it only if
    somebody has written meanwhile.
    """
    plan = store.observe(lambda tx: _plan(tx, whole=whole))
    if not plan.writes:
        return plan.changes
    return store.transact(lambda tx: _apply(tx, plan if tx.writes == plan.read_after else _plan(tx, whole=whole)))


def refresh_within(tx: Transaction, techniques: Iterable[str] = ()) -> ConceptChanges:
    """The same inside a transaction that holds the writers' lock, for these techniques and what is marked."""
    return _apply(tx, _plan(tx, techniques))


def _plan(tx: Transaction, techniques: Iterable[str] = (), *, whole: bool = False) -> _Plan:
    read_after = tx.writes
    scope = everything(tx) if whole else touched(tx, techniques)
    judged = [r for r in scope.relations if r.decided_by == MODEL and not {r.one, r.other} & scope.changed]
    told = {frozenset((r.one, r.other)) for r in judged}
    forms = {t: scope.form(t) for pair in scope.pairs for t in pair}
    likely = [
        (one, other) for one, other in sorted(scope.pairs)
        if frozenset((one, other)) not in told and relate((one, forms[one]), (other, forms[other]), 1.0)
    ]  # fmt: skip
    asked = doubtful(scope.techniques.values()) | {t for pair in likely for t in pair}
    vectors = read_vectors(tx, sorted(asked))

    def cosine(one: str, other: str) -> float | None:
        return float(vectors[one] @ vectors[other]) if one in vectors and other in vectors else None

    clusters = cluster(
        scope.techniques.values(), scope.anchors, cosine,
        [(r.one, r.other) for r in judged if r.type == "SAME_AS"],
        [(r.one, r.other) for r in judged if r.type != "SAME_AS"],
    )  # fmt: skip
    taken = {row.id for row in tx.rows(ConceptNames, ids=sorted({slug(c.name) for c in clusters})) if row.curated}
    return _difference(scope, _named(clusters, taken), _relations(scope, likely, cosine), judged, read_after)


def _relations(scope: Scope, likely: Iterable[tuple[str, str]], cosine: Cosine) -> dict[Key, Any]:
    """The relations of the dirty techniques, by ends and type; none between two of a curator's concept."""
    found: dict[Key, Any] = {}
    for one, other in likely:
        anchors = (scope.anchors.get(one), scope.anchors.get(other))
        relation = relate((one, scope.form(one)), (other, scope.form(other)), cosine(one, other))
        if relation and not (anchors[0] and anchors[0] == anchors[1]):
            properties = {"score": relation.score, "decided_by": RULES, "shared": list(relation.shared)}
            found[relation.one, relation.other, relation.kind] = properties
    return found


def _named(clusters: Iterable[Cluster], taken: set[str]) -> dict[str, Cluster]:
    """Clusters by concept id: the curator's, else the slug of the name, with a hash where others may have it, as where
    the name is too long for all of it."""
    named: dict[str, Cluster] = {}
    for found in clusters:
        key = found.anchor or slug(found.name)
        common = key in named or key in taken or is_generic(found.name) or key != slug(found.name, ANY_LENGTH)
        if not found.anchor and common:
            key = f"{key}-{hashlib.sha256(found.members[0].technique.encode()).hexdigest()[:8]}"
        named[key] = found
    return named


def _difference(
    scope: Scope,
    wanted: Mapping[str, Cluster],
    relations: Mapping[tuple[str, str, str], Any],
    judged: list[RelationRow],
    read_after: int,
) -> _Plan:
    before = {row.id: row for row in scope.concepts}
    put = []
    for key, found in sorted(wanted.items()):
        row = before.get(key)
        name = row.name if row and row.curated else found.name
        aliases = sorted({*found.aliases, found.name} - {name})
        if row is None or (row.name, row.aliases) != (name, aliases):
            put.append({"id": key, "name": name, "aliases": aliases})
    new = {
        (m.technique, key): {
            "technique": m.technique, "concept": key, "score": m.score, "decided_by": m.decided_by, "beside": m.beside,
        }
        for key, found in wanted.items() for m in found.members
    }  # fmt: skip
    old = {(i.technique, i.concept): i.model_dump() for i in scope.instances}
    gone = sorted(old.keys() - new.keys())
    dropped = sorted({row.id for row in scope.concepts} - wanted.keys())
    kept = {(r.one, r.other, r.type) for r in judged}
    stand: dict[Key, Any] = {
        (r.one, r.other, r.type): {"score": r.score, "decided_by": r.decided_by, "shared": r.shared}
        for r in scope.relations
        if {r.one, r.other} & (scope.dirty | scope.changed) and (r.one, r.other, r.type) not in kept
    }  # fmt: skip
    ended = sorted(stand.keys() - relations.keys())
    made = sorted(key for key, value in relations.items() if stand.get(key) != value)
    unjoined = sorted(scope.dirty)
    return _Plan(
        read_after=read_after, concepts=tuple(put), dropped=tuple(dropped),
        instances=tuple(row for pair, row in sorted(new.items()) if old.get(pair) != row),
        gone=tuple({"technique": t, "concept": c} for t, c in gone),
        relations=tuple(
            {"one": one, "other": other, "type": kind, "properties": relations[one, other, kind]}
            for one, other, kind in made
        ),
        ended=tuple({"one": one, "other": other, "type": kind} for one, other, kind in ended),
        keys=tuple({"technique": t, "keys": sorted(kept_keys(scope.form(t)))} for t in unjoined),
        marked=scope.marked,
        changes=ConceptChanges(
            added=tuple(sorted(wanted.keys() - before.keys())), removed=tuple(dropped),
            instances_added=tuple(f"{t} -> {c}" for t, c in sorted(new.keys() - old.keys())),
            instances_removed=tuple(f"{t} -> {c}" for t, c in gone),
            relations_added=tuple(f"{one} {kind} {other}" for one, other, kind in made),
            relations_removed=tuple(f"{one} {kind} {other}" for one, other, kind in ended),
        ),
    )  # fmt: skip


def _apply(tx: Transaction, plan: _Plan) -> ConceptChanges:
    tx.batches("concept/put_concepts", "rows", plan.concepts)
    tx.batches("concept/drop_instances", "rows", plan.gone)
    tx.batches("concept/put_instances", "rows", plan.instances)
    tx.batches("concept/drop_concepts", "ids", plan.dropped)
    for name, rows in (("concept/drop_relations", plan.ended), ("concept/put_relations", plan.relations)):
        tx.batches(name, "rows", rows)
    tx.batches("concept/put_keys", "rows", plan.keys)
    tx.run("concept/mark_joined")
    return plan.changes

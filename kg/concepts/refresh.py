"""Bringing the graph's concepts in line with its techniques and its curators' decisions."""

from typing import Any

import numpy as np

from kg.concepts.cluster import Cluster, Named, cluster, compared
from kg.models.ids import numbered, slug
from kg.models.paper import Model
from kg.results.concept import ConceptRow, Instance, TechniqueRow, TechniqueVector
from kg.store import Store, Transaction

__all__ = ["ConceptChanges", "refresh_concepts", "refresh_within"]

CURATOR = "curator"


class ConceptChanges(Model):
    """What a refresh did: ids of concepts, and "technique -> concept" for instances."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    instances_added: tuple[str, ...] = ()
    instances_removed: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """True if nothing changed."""
        return not (self.added or self.removed or self.instances_added or self.instances_removed)


def refresh_concepts(store: Store) -> ConceptChanges:
    """Join equal techniques of different papers, in one transaction; twice in a row changes nothing.

    The result is a function of techniques and curators' decisions, not of the order in which papers came. What a
    curator decided stays.
    """
    return store.transact(refresh_within)


def refresh_within(tx: Transaction) -> ConceptChanges:
    """The same inside a transaction that holds the writers' lock."""
    techniques = [Named(t.id, t.name, tuple(t.aliases), t.paper or "") for t in tx.rows(TechniqueRow)]
    instances = tx.rows(Instance)
    anchors = {i.technique: i.concept for i in instances if i.decided_by == CURATOR}
    vectors = _vectors(tx, sorted(compared(techniques)))

    def cosine(one: str, other: str) -> float | None:
        return float(vectors[one] @ vectors[other]) if one in vectors and other in vectors else None

    wanted = _named(cluster(techniques, anchors, cosine))
    return _apply(tx, wanted, tx.rows(ConceptRow), instances)


def _vectors(tx: Transaction, ids: list[str]) -> dict[str, np.ndarray]:
    rows = tx.row_batches(TechniqueVector, "ids", ids)
    found = {row.id: np.asarray(row.vector, dtype=np.float64) for row in rows}
    return {key: vector / (np.linalg.norm(vector) or 1.0) for key, vector in found.items()}


def _named(clusters: tuple[Cluster, ...]) -> dict[str, Cluster]:
    """Clusters by concept id: the curator's, else the slug of the name, numbered where two would be the same."""
    named = {c.anchor: c for c in clusters if c.anchor}
    for found in clusters:
        if not found.anchor:
            named[numbered(slug(found.name), named)] = found
    return named


def _apply(
    tx: Transaction, wanted: dict[str, Cluster], present: list[ConceptRow], instances: list[Instance]
) -> ConceptChanges:
    before = {row.id: row for row in present}
    put: list[dict[str, Any]] = []
    for key, found in sorted(wanted.items()):
        row = before.get(key)
        name = row.name if row and row.curated else found.name
        aliases = sorted({*found.aliases, found.name} - {name})
        if row is None or (row.name, row.aliases) != (name, aliases):
            put.append({"id": key, "name": name, "aliases": aliases})
    tx.batches("concept/put_concepts", "rows", put)
    new = {
        (m.technique, key): {"technique": m.technique, "concept": key, "score": m.score, "decided_by": m.decided_by}
        for key, found in wanted.items()
        for m in found.members
    }
    old = {(i.technique, i.concept): i for i in instances}
    gone = sorted(old.keys() - new.keys())
    tx.batches("concept/drop_instances", "rows", [{"technique": t, "concept": c} for t, c in gone])
    changed = [
        row
        for pair, row in sorted(new.items())
        if pair not in old or (old[pair].score, old[pair].decided_by) != (row["score"], row["decided_by"])
    ]
    tx.batches("concept/put_instances", "rows", changed)
    dropped = sorted(before.keys() - wanted.keys())
    tx.batches("concept/drop_concepts", "ids", dropped)
    return ConceptChanges(
        added=tuple(sorted(wanted.keys() - before.keys())),
        removed=tuple(dropped),
        instances_added=tuple(f"{t} -> {c}" for t, c in sorted(new.keys() - old.keys())),
        instances_removed=tuple(f"{t} -> {c}" for t, c in gone),
    )

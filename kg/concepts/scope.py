"""What a refresh looks at: everything, or what has changed with all that may be one with it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from kg.concepts.forms import Form, Named, asked_keys, form_of, identity_keys, kept_keys
from kg.results.concept import ConceptNames, Found, Instance, RelationRow, TechniqueRow, TechniqueVector, Unjoined
from kg.store import Transaction

__all__ = ["CURATOR", "MODEL", "Scope", "everything", "touched"]

CURATOR, MODEL = "curator", "model"
MOST_KEYS = 500
"""Keys of one query: the index takes no more than 1024."""


@dataclass
class Scope:
    """Techniques that a refresh may put into other concepts than now, with what the graph says of them.

    It is closed: whatever shares a key of identity or a concept with one of them, or was called the same by a model, is
    one of them. `dirty` are those whose relations are told anew, `changed` those whose own words are new (also of what
    has become a finding, and has none), `beside` the others that relations may lead to, `pairs` who is compared;
    `marked` tells whether the graph says that something has changed.
    """

    techniques: dict[str, Named] = field(default_factory=dict)
    concept_of: dict[str, str] = field(default_factory=dict)
    anchors: dict[str, str] = field(default_factory=dict)
    dirty: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    beside: dict[str, Named] = field(default_factory=dict)
    pairs: frozenset[tuple[str, str]] = frozenset()
    concepts: list[ConceptNames] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)
    relations: list[RelationRow] = field(default_factory=list)
    marked: bool = False

    def form(self, technique: str) -> Form:
        """The form of a technique's names."""
        named = self.techniques.get(technique) or self.beside[technique]
        return form_of(named.name, named.aliases)

    def take(self, rows: Iterable[TechniqueRow]) -> list[str]:
        """Add techniques; the ids of those that are new here."""
        new = []
        for row in rows:
            if row.id not in self.techniques:
                self.techniques[row.id] = _named(row)
                new.append(row.id)
                if row.concept:
                    self.concept_of[row.id] = row.concept
                    if row.decided_by == CURATOR:
                        self.anchors[row.id] = row.concept
        return new


def _named(row: TechniqueRow) -> Named:
    return Named(row.id, row.name, tuple(row.aliases), row.paper or "", row.kind)


def everything(tx: Transaction) -> Scope:
    """All of the graph."""
    scope = Scope()
    scope.dirty = frozenset(scope.take(tx.rows(TechniqueRow, ids=None)))
    unjoined = tx.rows(Unjoined)
    scope.changed, scope.marked = frozenset(row.id for row in unjoined if row.changed), bool(unjoined)
    kept: dict[str, list[str]] = defaultdict(list)
    for technique in scope.techniques:
        for key in kept_keys(scope.form(technique)):
            kept[key].append(technique)
    scope.pairs = _pairs(
        scope, ((one, other) for one in scope.dirty for key in asked_keys(scope.form(one)) for other in kept[key])
    )
    scope.concepts, scope.instances = tx.rows(ConceptNames, ids=None), tx.rows(Instance, ids=None)
    scope.relations = tx.rows(RelationRow, ids=None)
    return scope


def touched(tx: Transaction, techniques: Iterable[str] = ()) -> Scope:
    """What is marked as changed, these techniques, and all that may be one with them or was."""
    scope = Scope()
    unjoined = tx.rows(Unjoined)
    scope.changed, scope.marked = frozenset(row.id for row in unjoined if row.changed), bool(unjoined)
    asked = sorted({*(row.id for row in unjoined if row.again), *techniques})
    dirty = scope.take(tx.row_batches(TechniqueRow, "ids", asked))
    scope.dirty = frozenset(dirty)
    new = dirty + scope.take(tx.row_batches(TechniqueRow, "ids", [row.id for row in unjoined if not row.again]))
    own: dict[str, list[str]] = defaultdict(list)
    for technique in dirty:
        for key in kept_keys(scope.form(technique)):
            own[key].append(technique)
    seen: set[str] = set()
    while new:
        concepts = sorted({scope.concept_of[t] for t in new if t in scope.concept_of} - seen)
        seen |= set(concepts)
        members = [row.technique for row in tx.row_batches(Instance, "ids", concepts)]
        found = _find(tx, {t: identity_keys(scope.form(t)) for t in new}, own)
        same = [end for r in tx.row_batches(RelationRow, "ids", new) if r.type == "SAME_AS" for end in (r.one, r.other)]
        others = sorted({*members, *same, *(other for _, other in found)} - scope.techniques.keys())
        new = scope.take(tx.row_batches(TechniqueRow, "ids", others))
    compared = _find(tx, {t: asked_keys(scope.form(t)) for t in dirty}, own)
    others = sorted({other for _, other in compared} - scope.techniques.keys())
    scope.beside = {row.id: _named(row) for row in tx.row_batches(TechniqueRow, "ids", others)}
    scope.pairs = _pairs(scope, compared)
    scope.concepts = tx.rows(ConceptNames, ids=sorted(seen))
    scope.instances = tx.row_batches(Instance, "ids", [row.id for row in scope.concepts])
    about = sorted(scope.techniques.keys() | scope.changed)
    scope.relations = list({str(r): r for r in tx.row_batches(RelationRow, "ids", about)}.values())
    return scope


def _find(tx: Transaction, keys: dict[str, frozenset[str]], own: dict[str, list[str]]) -> set[tuple[str, str]]:
    """Who finds whom: in the graph's index, and among those whose keys it does not have yet."""
    found = {(one, other) for one, asked in keys.items() for key in asked for other in own.get(key, ())}
    rows = [
        {"technique": one, "query": " OR ".join(f'"{key}"' for key in sorted(asked)[start : start + MOST_KEYS])}
        for one, asked in sorted(keys.items()) for start in range(0, len(asked), MOST_KEYS)
    ]  # fmt: skip
    for row in tx.row_batches(Found, "rows", rows, 200):
        found |= {(row.technique, other) for other in row.found}
    return {(one, other) for one, other in found if one != other}


def _pairs(scope: Scope, found: Iterable[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    """Pairs of different papers, each once."""
    known = scope.techniques | scope.beside
    return frozenset(
        (min(pair), max(pair)) for pair in found
        if pair[1] in known and known[pair[0]].paper != known[pair[1]].paper
    )  # fmt: skip


def read_vectors(tx: Transaction, ids: Sequence[str]) -> dict[str, np.ndarray]:
    """The vectors of techniques that have one, of length one."""
    rows = tx.row_batches(TechniqueVector, "ids", ids)
    found = {row.id: np.asarray(row.vector, dtype=np.float64) for row in rows}
    return {key: vector / (np.linalg.norm(vector) or 1.0) for key, vector in found.items()}

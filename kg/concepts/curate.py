"""A curator's word on concepts. It is written down, and no machine takes it back."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from kg.concepts.refresh import refresh_within
from kg.errors import InputError
from kg.models.ids import numbered, slug
from kg.results.concept import ConceptRow, Instance, TechniqueRow
from kg.store import Store, Transaction

__all__ = ["keep_apart", "make_one", "merge_concepts", "split_concept"]


def merge_concepts(store: Store, into: str, others: Sequence[str], *, who: str, when: str, why: str) -> int:
    """Make `others` one with the concept `into`; returns how many techniques it has then.

    All of them are bound to it: no refresh tears them apart. Raises InputError for an unknown concept.
    """

    def work(tx: Transaction) -> int:
        members = _members(tx, [into, *others])
        former = sorted(set(others) - {into})
        if not former:
            raise InputError(f"nothing to merge into {into}", remedy="name another concept as well")
        techniques = sorted({technique for concept in (into, *former) for technique in members[concept]})
        tx.run("concept/drop_concepts", ids=former)
        _bind(tx, into, techniques)
        _record(tx, action="merge", concept=into, former=former, techniques=techniques, who=who, when=when, why=why)
        refresh_within(tx, techniques)
        return len(techniques)

    return store.transact(work)


def split_concept(
    store: Store, concept: str, techniques: Sequence[str], name: str, *, who: str, when: str, why: str
) -> str:
    """Move `techniques` out of `concept` into one called `name` (new, or known); returns its id.

    Those that move and those that stay are bound where they are: no refresh joins the two again. Raises InputError
    for an unknown concept, for a technique that is not in it, and when none would stay or move.
    """

    def work(tx: Transaction) -> str:
        members = _members(tx, [concept])[concept]
        moving = sorted(set(techniques))
        for technique in moving:
            if technique not in members:
                raise InputError(
                    f"{technique} is no instance of {concept}", remedy=f"`xkg concept show {concept}` lists them"
                )
        staying = sorted(members - set(moving))
        new = slug(name)
        if not moving or not staying or new == concept:
            raise InputError(
                f"splitting {concept} needs techniques that move, some that stay, and a new name",
                remedy=f"`xkg concept show {concept}` lists its techniques",
            )
        if new not in {row.id for row in tx.rows(ConceptRow)}:
            tx.run("concept/put_concepts", rows=[{"id": new, "name": name, "aliases": []}])
        tx.run("concept/drop_instances", rows=[{"technique": t, "concept": concept} for t in moving])
        _bind(tx, new, moving)
        _bind(tx, concept, staying)
        _record(tx, action="split", concept=new, former=[concept], techniques=moving, who=who, when=when, why=why)
        refresh_within(tx, [*moving, *staying])
        return new

    return store.transact(work)


def make_one(tx: Transaction, one: str, other: str, name: str = "", *, who: str, when: str, why: str) -> str:
    """Bind two techniques, and all that are one with either, to one concept, called `name` if that is given.

    Returns the concept's id. Raises InputError for a technique that is not there.
    """
    names, concepts = _names(tx, one, other), {i.technique: i.concept for i in tx.rows(Instance, ids=None)}
    known = [concepts[technique] for technique in (other, one) if technique in concepts]
    into = known[0] if known else numbered(slug(name or names[other]), {row.id for row in tx.rows(ConceptRow)})
    joined = [technique for technique, concept in concepts.items() if concept in known]
    if name or not known:
        tx.run("concept/put_concepts", rows=[{"id": into, "name": name or names[other], "aliases": []}])
    former = sorted(set(known) - {into})
    tx.run("concept/drop_concepts", ids=former)
    techniques = sorted({one, other, *(joined if former else ())})
    _bind(tx, into, techniques)
    _record(tx, action="merge", concept=into, former=former, techniques=techniques, who=who, when=when, why=why)
    refresh_within(tx, techniques)
    return into


def keep_apart(tx: Transaction, one: str, other: str, *, who: str, when: str, why: str) -> str:
    """Bind two techniques to different concepts, so that nothing makes them one again; the first leaves, if one must.

    Returns the concept of the first. Raises InputError for a technique that is not there.
    """
    names, concepts = _names(tx, one, other), {i.technique: i.concept for i in tx.rows(Instance, ids=None)}
    taken = {row.id for row in tx.rows(ConceptRow)}
    bound: dict[str, str] = {}
    for technique in (other, one):
        concept = concepts.get(technique)
        if concept is None or concept in bound.values():
            concept = numbered(slug(names[technique]), taken)
            taken.add(concept)
            tx.run("concept/put_concepts", rows=[{"id": concept, "name": names[technique], "aliases": []}])
            left = [{"technique": technique, "concept": concepts[technique]}] if technique in concepts else []
            tx.run("concept/drop_instances", rows=left)
        _bind(tx, concept, [technique])
        bound[technique] = concept
    former = sorted({bound[other]})
    _record(tx, action="split", concept=bound[one], former=former, techniques=[one], who=who, when=when, why=why)
    refresh_within(tx, [one, other])
    return bound[one]


def _names(tx: Transaction, *techniques: str) -> dict[str, str]:
    found = {row.id: row.name for row in tx.rows(TechniqueRow, ids=list(techniques))}
    for technique in techniques:
        if technique not in found:
            raise InputError(f"there is no technique {technique}", remedy="`xkg search techniques` finds some")
    return found


def _members(tx: Transaction, concepts: Sequence[str]) -> dict[str, set[str]]:
    known = {row.id for row in tx.rows(ConceptRow)}
    for concept in concepts:
        if concept not in known:
            raise InputError(f"there is no concept {concept}", remedy="`xkg concept list` shows what there is")
    found: dict[str, set[str]] = {concept: set() for concept in concepts}
    for instance in tx.rows(Instance, ids=None):
        if instance.concept in found:
            found[instance.concept].add(instance.technique)
    return found


def _bind(tx: Transaction, concept: str, techniques: Sequence[str]) -> None:
    tx.run("concept/curate_concepts", ids=[concept])
    rows = [
        {"technique": t, "concept": concept, "score": 1.0, "decided_by": "curator", "beside": ""} for t in techniques
    ]
    tx.batches("concept/put_instances", "rows", rows)


def _record(tx: Transaction, **decision: Any) -> None:
    """Write down a decision, under an id made of all that it says."""
    content = json.dumps([*decision.values()])
    tx.run("concept/record_decision", id=f"decision:{hashlib.sha256(content.encode()).hexdigest()[:32]}", **decision)

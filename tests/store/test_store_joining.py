"""What is refreshed after a change is what a refresh of everything gives, whatever the history."""

import random
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pytest
from store_records import DIMENSION, MODEL, document, technique

from kg.concepts import merge_concepts, refresh_concepts, split_concept
from kg.connection import Connection
from kg.models.ids import technique_id
from kg.models.record import PaperMeta, PaperRecord, Vectors
from kg.models.technique import Technique, TechniqueTree
from kg.results.concept import ConceptRow, Instance, RelationRow
from kg.store import Store, Transaction
from kg.write import remove_paper, write_paper

pytestmark = pytest.mark.db

T = TypeVar("T")

NAMES: list[tuple[str, ...]] = [
    ("Reservoir sampling",), ("The reservoir-sampling algorithm",), ("Weighted reservoir sampling",),
    ("Reservoir sampling with weights",), ("Mutation",), ("Mutations",), ("Training objective",), ("SGD",),
    ("Stochastic gradient descent", "SGD"), ("Gradient descent",), ("Momentum SGD",),
    ("Simple generalised decoding", "SGD"), ("LSM tree",), ("Log structured merge tree",), ("Cross-entropy loss",),
    ("minimizing the cross-entropy loss",), ("Binary cross-entropy loss",), ("Loss", "Cross entropy"),
    ("Skip counting", "Reservoir sampling"), ("Replication",), ("Log replication",),
    ("Replicated log", "Log replication"), ("Sampling 2",), ("Sampling", "Mutation"),
]  # fmt: skip
PAPERS = [f"local:p{number}" for number in range(6)]
WHO = {"who": "someone", "when": "2026-01-01T00:00:00+00:00", "why": "drawn"}


def written(store: Store, draw: random.Random, paper: str) -> None:
    """The paper with some of the names, their vectors near one of two directions."""
    chosen = draw.sample(NAMES, draw.randint(1, 6))
    items: dict[str, Technique] = {}
    for name, *aliases in chosen:
        one = technique(name).model_copy(update={"aliases": tuple(aliases), "definition": f"{draw.random()}"})
        one = one.model_copy(update={"kind": "finding"}) if draw.random() < 0.1 else one
        items[one.id] = one
    matrix = np.zeros((len(items), DIMENSION))
    for row in matrix:
        row[draw.randint(0, 1)] = 1
        row[2 + draw.randint(0, 3)] = draw.choice([0.2, 0.7, 1.2])
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    ids = [technique_id(paper, item) for item in items]
    record = PaperRecord(
        paper=PaperMeta(id=paper, title=paper), doc=document(), techniques=TechniqueTree(items=tuple(items.values())),
        vectors=Vectors.of(MODEL, ids, matrix),
    )  # fmt: skip
    write_paper(store, record)


def curate(store: Store, draw: random.Random) -> None:
    """A merge or a split of what there is, if there is enough."""
    concepts = [row.id for row in store.rows(ConceptRow)]
    if len(concepts) > 1 and draw.random() < 0.5:
        one, other = draw.sample(concepts, 2)
        merge_concepts(store, one, [other], **WHO)
    elif concepts:
        concept = draw.choice(concepts)
        members = [i.technique for i in store.rows(Instance, ids=[concept])]
        if len(members) > 1:
            split_concept(store, concept, members[:1], f"Part {draw.randint(0, 9)}", **WHO)


def state(store: Store) -> tuple[list[str], ...]:
    """All that joining has written, as text."""
    joined = (store.rows(ConceptRow), store.rows(Instance, ids=None), store.rows(RelationRow, ids=None))
    return tuple([str(row) for row in rows] for rows in joined)


@pytest.mark.parametrize("seed", range(8))
def test_a_refresh_of_everything_finds_nothing_left(store: Store, seed: int) -> None:
    draw, present = random.Random(seed), set[str]()  # noqa: S311 -- papers
    for _ in range(7):
        step = draw.random()
        if step < 0.2 and present:
            gone = draw.choice(sorted(present))
            remove_paper(store, gone)
            present.discard(gone)
        elif step < 0.35:
            curate(store, draw)
        else:
            paper = draw.choice(PAPERS)
            written(store, draw, paper)
            present.add(paper)
        if draw.random() < 0.7:
            refresh_concepts(store)
            told = state(store)
            changes = refresh_concepts(store, whole=True)
            assert changes.empty, changes
            assert state(store) == told


def test_the_history_leaves_no_trace(store: Store) -> None:
    draw = random.Random(5)  # noqa: S311 -- papers
    for paper in PAPERS:
        written(store, draw, paper)
        refresh_concepts(store)
    told = state(store)
    assert all(told), told
    extra = random.Random(2)  # noqa: S311 -- papers
    written(store, extra, "local:extra")
    refresh_concepts(store)
    remove_paper(store, "local:extra")
    refresh_concepts(store)
    assert state(store) == told


class Overtaken(Store):
    """A graph into which somebody writes a paper behind the first thing that is read of it."""

    late: PaperRecord | None = None

    def observe(self, work: Callable[[Transaction], T]) -> T:
        found = super().observe(work)
        if self.late:
            record, self.late = self.late, None
            write_paper(self, record)
        return found


def test_what_is_written_between_reading_and_writing_is_joined(connection: Connection, store: Store) -> None:
    tree = TechniqueTree(items=(technique("Reservoir sampling"),))
    records = [PaperRecord(paper=PaperMeta(id=one), doc=document(), techniques=tree) for one in PAPERS[:3]]
    write_paper(store, records[0])
    write_paper(store, records[1])
    overtaken = Overtaken(connection)
    overtaken.late = records[2]
    assert len(refresh_concepts(overtaken).instances_added) == 3
    assert refresh_concepts(store, whole=True).empty


def test_what_an_older_program_wrote_is_joined(store: Store, connection: Connection) -> None:
    for paper in PAPERS[:2]:
        record = technique("Reservoir sampling")
        tree = TechniqueTree(items=(record,))
        write_paper(store, PaperRecord(paper=PaperMeta(id=paper), doc=document(), techniques=tree))
    connection.driver.execute_query("MATCH (t:Technique) REMOVE t.joining, t.unjoined")
    assert refresh_concepts(store).empty
    store.write("concept/mark_unjoined", everything=False)
    assert refresh_concepts(store).added == ("reservoir-sampling",)
    assert store.write("concept/mark_unjoined", everything=False) == [{"marked": 0}]

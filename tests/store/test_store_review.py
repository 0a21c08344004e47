"""The curator's review: what is asked, and that a human word outlives every later ingest and every model."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from store_records import DIMENSION, MODEL, document, paper, technique

from kg.audit import audit_graph
from kg.blacklist import open_blacklist
from kg.concepts import Judgement, record_judgement, refresh_concepts
from kg.config import Settings
from kg.connection import Connection
from kg.errors import InputError
from kg.models.code import Candidate, Grounding
from kg.models.ids import technique_id, unpinned
from kg.models.record import PaperMeta, PaperRecord, Vectors
from kg.models.technique import Technique, TechniqueTree
from kg.results.concept import Instance, RelationRow
from kg.results.review import Decided
from kg.results.show import ListedTechnique, ShownTechnique
from kg.review import Action, Applied, Item, Word, decide, decide_all, read_queue
from kg.review.items import item_id
from kg.store import Store
from kg.write import remove_paper, write_paper

pytestmark = pytest.mark.db

WHO = {"who": "someone", "when": "2026-01-01T00:00:00+00:00"}
STEP = "arxiv:2001.00001#t/inner-step-1"
RUN, HELPER = "src/core.py#run", "src/core.py#helper1"


def queue(store: Store, kind: str) -> list[Item]:
    return [item for item in read_queue(store) if item.kind == kind]


def say(store: Store, item: Item, action: Action, value: str = "") -> str:
    return decide(store, item, Word(item=item.id, action=action, value=value, why="looked at it"), **WHO)


def said(connection: Connection, of: str = STEP) -> dict[tuple[str, str], str]:
    """What the graph says of a technique and code: relationship and unit, with the method."""
    rows, _, _ = connection.driver.execute_query(
        "MATCH (:Technique {id: $id})-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY|NOT_IMPLEMENTED_BY]->(c:Code) "
        "RETURN type(r) AS type, c.id AS code, r.extraction_method AS method",
        id=of,
    )
    found = {(row["type"], row["code"].partition(":src")[2]): row["method"] for row in rows}
    assert len(found) == len(rows)
    return found


def told_by_a_model(record: PaperRecord, *chosen: str) -> PaperRecord:
    """The record with a model that asserts these units for the inner step."""
    candidates = tuple(
        Candidate(unit=unit, rank=rank, score=0.9, standing="asserted", judged=True, confidence=0.97, quotes=("def",))
        for rank, unit in enumerate(chosen, start=1)
    )
    grounding = Grounding(
        technique="inner-step-1", level="unit", confidence=0.97, method="fused", candidates=candidates, model="m",
        prompt="p",
    )  # fmt: skip
    others = tuple(g for g in record.groundings if g.technique != "inner-step-1")
    return record.model_copy(update={"groundings": (*others, grounding)})


def test_a_likely_edge_is_asked_with_its_evidence(store: Store) -> None:
    write_paper(store, paper(1))
    (item,) = queue(store, "implementation")
    assert item.code is not None
    assert (item.technique, item.code.id) == (STEP, f"github:someone/repo1@c1:{HELPER}")
    assert item.code.first_lines.startswith("def helper1")
    assert (item.code.standing, item.definition) == ("likely", "Inner step 1 is defined here.")
    assert item.actions == ("accept", "reject", "edit", "skip")
    assert read_queue(store) == read_queue(store)
    assert say(store, item, "skip") == "skipped"
    assert read_queue(store)[0] == item


@pytest.mark.parametrize(
    ("action", "value", "expected"),
    [
        ("accept", "", {("IMPLEMENTED_BY", "/core.py#helper1"): "curator"}),
        ("reject", "", {("NOT_IMPLEMENTED_BY", "/core.py#helper1"): "curator"}),
        (
            "edit", RUN,
            {("IMPLEMENTED_BY", "/core.py#run"): "curator", ("NOT_IMPLEMENTED_BY", "/core.py#helper1"): "curator"},
        ),
    ],
)  # fmt: skip
def test_a_word_on_an_implementation_stands(
    store: Store, connection: Connection, action: Action, value: str, expected: dict[tuple[str, str], str]
) -> None:
    write_paper(store, paper(1))
    (item,) = queue(store, "implementation")
    assert say(store, item, action, value) == "done"
    assert said(connection) == expected
    assert queue(store, "implementation") == []
    assert write_paper(store, paper(1)).empty
    write_paper(store, told_by_a_model(paper(1), HELPER, RUN))
    more = {} if value else {("IMPLEMENTED_BY", "/core.py#run"): "llm"}
    assert said(connection) == expected | more
    write_paper(store, told_by_a_model(paper(1, version=2, commit="c2"), HELPER))
    assert said(connection) == expected
    assert write_paper(store, paper(1, version=2, commit="c2")).empty
    assert [fault for fault in audit_graph(store) if fault.severity == "error"] == []


def test_a_word_follows_code_that_others_keep_at_its_commit(store: Store, connection: Connection) -> None:
    for number in (1, 2):
        write_paper(store, paper(number, shared_repository=True))
    item = next(item for item in queue(store, "implementation") if item.technique == STEP)
    say(store, item, "reject")
    write_paper(store, paper(1, commit="c2", shared_repository=True))
    assert said(connection) == {("NOT_IMPLEMENTED_BY", "/core.py#helper"): "curator"}
    rows, _, _ = connection.driver.execute_query(
        "MATCH (:Technique {id: $id})-[:NOT_IMPLEMENTED_BY]->(c) RETURN c.id AS id", id=STEP
    )
    assert [row["id"] for row in rows] == ["github:someone/shared@c2:src/core.py#helper"]
    assert write_paper(store, paper(1, commit="c2", shared_repository=True)).empty


def test_what_is_disagreed_on_is_asked_first(store: Store) -> None:
    record = paper(1)
    (asserted, other), *rest = ((*g.candidates, None)[:2] for g in record.groundings)
    doubted = record.groundings[0].model_copy(
        update={"candidates": (asserted.model_copy(update={"disagrees": True}), other)}
    )
    write_paper(store, record.model_copy(update={"groundings": (doubted, *record.groundings[1:])}))
    assert len(rest) == 2
    first, second = queue(store, "implementation")
    assert first.code
    assert (first.code.disagrees, first.code.standing) == (True, "asserted")
    assert [other.id for other in first.alternatives] == ["github:someone/repo1@c1:src/core.py#step"]
    assert second.technique == STEP


def tree(*techniques: Technique) -> PaperRecord:
    """A paper with these techniques and nothing else."""
    return PaperRecord(
        paper=PaperMeta(id="local:a", title="A"), doc=document(),
        techniques=TechniqueTree(items=techniques, method="llm", model="m", prompt="p"),
    )  # fmt: skip


def names(connection: Connection) -> set[tuple[str | None, str]]:
    """Each technique with the one it hangs on (None: on the paper)."""
    rows, _, _ = connection.driver.execute_query(
        "MATCH (p)-[:HAS_TECHNIQUE|HAS_COMPONENT]->(t:Technique) "
        "RETURN CASE WHEN p:Technique THEN p.name END AS above, t.name AS name"
    )
    assert len(rows) == len({(row["above"], row["name"]) for row in rows})
    return {(row["above"], row["name"]) for row in rows}


WEAK = technique("Outer", technique("Mixing stage", technique("Inner part"), coined=True))


def test_only_weak_names_are_asked(store: Store) -> None:
    write_paper(store, tree(WEAK, technique("Reservoir sampling")))
    assert {(item.name, item.weakness) for item in queue(store, "name")} == {
        ("Mixing stage", "coined"), ("Outer", "ordinary"),
    }  # fmt: skip


def ask_of(store: Store, name: str) -> Item:
    return next(item for item in queue(store, "name") if item.name == name)


def test_a_technique_that_is_none_does_not_come_back(store: Store, connection: Connection) -> None:
    write_paper(store, tree(WEAK))
    say(store, ask_of(store, "Mixing stage"), "reject")
    expected: set[tuple[str | None, str]] = {(None, "Outer"), ("Outer", "Inner part")}
    assert names(connection) == expected
    assert write_paper(store, tree(WEAK)).empty
    variant = technique("Outer", technique("The mixing stages", technique("Inner part")))
    write_paper(store, tree(variant))
    assert names(connection) == expected
    assert [item.name for item in queue(store, "name")] == ["Outer"]


def test_a_name_that_was_given_stays_and_is_not_doubled(store: Store, connection: Connection) -> None:
    write_paper(store, tree(WEAK))
    say(store, ask_of(store, "Mixing stage"), "edit", "Stochastic  mixing")
    expected: set[tuple[str | None, str]] = {
        (None, "Outer"), ("Outer", "Stochastic mixing"), ("Stochastic mixing", "Inner part"),
    }  # fmt: skip
    assert names(connection) == expected
    assert write_paper(store, tree(WEAK)).empty
    write_paper(store, tree(technique("Outer", technique("Stochastic mixing", technique("Inner part")))))
    assert names(connection) == expected
    both = technique("Outer", technique("Stochastic mixing", technique("Mixing stage", technique("Inner part"))))
    write_paper(store, tree(both))
    assert names(connection) == expected


def test_a_gloss_that_became_the_name_is_not_said_twice(store: Store) -> None:
    gloss = "Mixing in stages"
    write_paper(store, tree(technique("Outer", technique("Mixing stage", coined=True, aliases=(gloss,), gloss=gloss))))

    def shown() -> list[tuple[str, str]]:
        (technique,) = store.rows(ShownTechnique, id="local:a#t/mixing-stage")
        listed = next(row for row in store.rows(ListedTechnique, paper="local:a") if row.id == technique.id)
        return [(row.name, row.gloss) for row in (technique, listed)]

    assert shown() == [("Mixing stage", gloss)] * 2
    say(store, ask_of(store, "Mixing stage"), "edit", gloss)
    assert shown() == [(gloss, "")] * 2


@pytest.mark.parametrize(("action", "kept"), [("edit", 0), ("accept", 1)])
def test_a_new_name_ends_what_a_model_said_of_the_old(store: Store, action: Action, kept: int) -> None:
    write_paper(store, tree(WEAK))
    other = tree(technique("Mixing by stages"))
    write_paper(store, other.model_copy(update={"paper": PaperMeta(id="local:b", title="B")}))
    refresh_concepts(store)
    said = Judgement(
        one="local:a#t/mixing-stage", other="local:b#t/mixing-by-stages", relation="DIFFERS_FROM", score=0.7,
        why="one is a part", quotes=("is defined here",),
    )  # fmt: skip
    store.transact(lambda tx: record_judgement(tx, said, model="m", prompt="p"))
    say(store, ask_of(store, "Mixing stage"), action, "Stochastic mixing" if action == "edit" else "")
    refresh_concepts(store)
    assert len(store.rows(RelationRow, ids=None)) == kept


def test_a_name_that_was_accepted_is_not_asked_again(store: Store, connection: Connection) -> None:
    write_paper(store, tree(WEAK))
    say(store, ask_of(store, "Mixing stage"), "accept")
    write_paper(store, tree(technique("Outer", technique("Something else"))))
    assert "Mixing stage" in {name for _, name in names(connection)}
    assert {item.name for item in queue(store, "name")} == {"Outer"}


def alike(store: Store, similarity: float, *, joined: bool = True) -> None:
    """Two papers whose techniques share words, all of them or most, with vectors that similar."""
    second_name = "Reservoir sampling with weights" if joined else "Distributed weighted reservoir sampling"
    first, second = np.zeros(DIMENSION), np.zeros(DIMENSION)
    first[0], second[0], second[1] = 1, similarity, (1 - similarity**2) ** 0.5
    for name, title, vector in (
        ("local:a", "Weighted reservoir sampling", first),
        ("local:b", second_name, second),
    ):
        one = technique(title)
        vectors = Vectors.of(MODEL, [technique_id(name, one.id)], vector[np.newaxis])
        meta = PaperMeta(id=name, title=name)
        write_paper(
            store,
            PaperRecord(paper=meta, doc=document(), techniques=TechniqueTree(items=(one,)), vectors=vectors),
        )
    refresh_concepts(store)


def concepts(store: Store) -> list[set[str]]:
    found: dict[str, set[str]] = {}
    for instance in store.rows(Instance, ids=None):
        found.setdefault(instance.concept, set()).add(instance.technique.partition("#")[0])
    return sorted(found.values(), key=sorted)


@pytest.mark.parametrize("joined", [True, False])
@pytest.mark.parametrize(
    ("action", "expected"), [("accept", [{"local:a", "local:b"}]), ("reject", [{"local:a"}, {"local:b"}])]
)
def test_a_word_on_a_merge_stands(store: Store, joined: bool, action: Action, expected: list[set[str]]) -> None:
    alike(store, 0.85, joined=joined)
    (item,) = queue(store, "merge")
    assert item.other
    assert item.other.joined is joined
    assert say(store, item, action) == "done"
    assert concepts(store) == expected
    for other in (0.99, 0.1):
        alike(store, other, joined=joined)
        assert concepts(store) == expected
    assert queue(store, "merge") == []


def test_a_technique_can_be_made_one_with_another_and_be_named(store: Store) -> None:
    alike(store, 0.85, joined=False)
    (item,) = queue(store, "merge")
    say(store, item, "edit", "Weighted sampling")
    (shared,) = {(i.concept, i.decided_by) for i in store.rows(Instance, ids=None)}
    assert shared == ("weighted-sampling", "curator")
    write_paper(store, tree(WEAK))
    with pytest.raises(InputError, match="itself"):
        say(store, ask_of(store, "Mixing stage"), "merge", "local:a#t/mixing-stage")
    say(store, ask_of(store, "Mixing stage"), "merge", "weighted-sampling")
    refresh_concepts(store)
    assert {i.technique for i in store.rows(Instance, ids=None)} >= {"local:a#t/mixing-stage"}


def test_decisions_are_applied_once(store: Store) -> None:
    write_paper(store, paper(1))
    write_paper(store, tree(WEAK))
    items = read_queue(store)
    assert {item.kind for item in items} == {"implementation", "name"}
    words = [Word(item=item.id, action="accept") for item in items]

    def results(given: Iterable[Word]) -> list[str]:
        found: list[Applied] = list(decide_all(store, given, **WHO))
        return [applied.result for applied in found]

    assert results(words[:1]) == ["done"]
    assert results([*words, *words]) == ["already", *["done"] * (len(words) - 1), *["already"] * len(words)]
    assert results([Word(item=items[0].id, action="reject"), Word(item="none", action="accept")]) == ["failed"] * 2
    assert {row.item for row in store.rows(Decided, prefix="")} == {item.id for item in items}
    assert read_queue(store) == []
    remove_paper(store, "arxiv:2001.00001")
    assert {row.technique.partition("#")[0] for row in store.rows(Decided, prefix="")} == {"local:a"}


@pytest.mark.parametrize(
    ("action", "value"), [("merge", "x"), ("edit", ""), ("edit", "no/such.py#unit"), ("edit", "someone's\n'; DROP")]
)
def test_a_word_that_does_not_fit_changes_nothing(
    store: Store, connection: Connection, action: Action, value: str
) -> None:
    write_paper(store, paper(1))
    (item,) = queue(store, "implementation")
    before = said(connection)
    with pytest.raises(InputError):
        say(store, item, action, value)
    assert said(connection) == before
    assert queue(store, "implementation") == [item]


def test_a_review_is_refused_while_a_blacklist_is_in_force(connection: Connection, tmp_path: Any) -> None:
    (tmp_path / "list").write_text("https://github.com/someone/shared\n")
    guarded = Store(connection, open_blacklist(Settings().replace(blacklist=(tmp_path / "list",))))
    with pytest.raises(InputError, match="blacklist"):
        read_queue(guarded)


def test_a_question_on_a_folders_code_is_the_one_that_it_was_under_its_former_id(store: Store) -> None:
    record = paper(1)
    home = record.repository.model_copy(update={"id": "folder:repo1"})
    write_paper(store, record.model_copy(update={"repository": home, "vectors": None}))
    (item,) = queue(store, "implementation")
    assert item.code.id == f"folder:repo1@c1:{HELPER}"
    assert item.id == item_id("implementation", STEP, f"local:repo1:{HELPER}")


def test_a_unit_is_the_same_at_every_commit() -> None:
    assert unpinned("github:a/b@c1:x/y.py#f@3:4") == unpinned("github:a/b@c2:x/y.py#f@3:4") != unpinned("github:a/b")
    assert unpinned("local:p#c/0123") == "local:p#c/0123"

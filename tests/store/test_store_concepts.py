"""Concepts: what is joined and what is not, whatever the order; curators decide for good."""

from collections.abc import Sequence

import numpy as np
import pytest
from store_records import DIMENSION, MODEL, document, paper, technique

from kg.concepts import merge_concepts, refresh_concepts, split_concept
from kg.concepts.cluster import Named, cluster
from kg.connection import Connection
from kg.errors import InputError
from kg.models.ids import technique_id
from kg.models.record import PaperMeta, PaperRecord, Vectors
from kg.models.technique import Technique, TechniqueTree
from kg.results.concept import Decision, Instance
from kg.store import Store
from kg.words import is_acronym, is_specific, name_key
from kg.write import remove_paper, write_paper

WHO = {"who": "someone", "when": "2026-01-01T00:00:00+00:00", "why": "they differ"}


def named(*names: str | tuple[str, ...], paper_of: Sequence[str] = ()) -> list[Named]:
    """Techniques, each of a paper of its own unless told; further names are aliases."""
    found = []
    for number, name in enumerate(names):
        first, *rest = (name,) if isinstance(name, str) else name
        found.append(Named(f"t{number}", first, tuple(rest), paper_of[number] if paper_of else f"p{number}"))
    return found


def joined(techniques: list[Named], cosine: float | None = None) -> list[list[str]]:
    """Ids of techniques by cluster, all pairs being that similar."""
    return [[m.technique for m in c.members] for c in cluster(techniques, {}, lambda _a, _b: cosine)]


@pytest.mark.parametrize(
    ("names", "one"),
    [
        (("Reservoir sampling", "The Reservoir-Sampling Algorithm"), True),
        (("t-digest", "T-Digests"), True),
        (("Space-Saving", "SpaceSaving"), True),
        ((("Stochastic Gradient Descent", "SGD"), "SGD"), True),
        ((("Convolutional Neural Network", "CNN"), ("Cable News Network", "CNN")), False),
        (("Sampling", "Sampling"), False),
        (("LoRA", "LoRA"), True),
        (("Reservoir sampling", "Importance sampling"), False),
    ],
)
def test_names_join(names: tuple[str | tuple[str, ...], ...], one: bool) -> None:
    assert (joined(named(*names)) == [["t0", "t1"]]) is one


def test_ordinary_words_need_similar_content() -> None:
    assert joined(named("Sampling", "Sampling"), 0.7) == [["t0", "t1"]]
    assert joined(named("Sampling", "Sampling"), 0.3) == []


def test_similarity_joins_across_papers_but_not_two_of_one() -> None:
    names = ("Weighted reservoir sampling", "Reservoir sampling with weights")
    assert joined(named(*names), 0.95) == [["t0", "t1"]]
    assert joined(named(*names), 0.85) == []
    three = named(*names, "Reservoir sampling weights", paper_of=("p0", "p1", "p0"))
    assert all(len(found) < 3 for found in joined(three, 0.95))


def test_the_order_of_techniques_does_not_matter() -> None:
    techniques = named("A b", "a B", ("X y z", "XYZ"), "XYZ", "Sampling", "sampling")
    assert cluster(techniques, {}, lambda _a, _b: 0.7) == cluster(techniques[::-1], {}, lambda _a, _b: 0.7)


def test_names() -> None:
    assert name_key("The merging methods") == name_key("merging method") != name_key("merge sort")
    assert name_key("method") == "method"
    assert [n for n in ("SGD", "BM25", "LoRA", "Adam", "A", "2013") if is_acronym(n)] == ["SGD", "BM25", "LoRA"]
    assert [is_specific(n) for n in ("LoRA", "Sampling", "Batch norm")] == [True, False, True]


def write(store: Store, name: str, *techniques: Technique) -> None:
    """A paper with these techniques, their vectors all alike."""
    ids = sorted(technique_id(name, t.id) for t in techniques)
    vectors = Vectors.of(MODEL, ids, np.full((len(ids), DIMENSION), DIMENSION**-0.5))
    tree = TechniqueTree(items=techniques)
    write_paper(store, PaperRecord(paper=PaperMeta(id=name), doc=document(), techniques=tree, vectors=vectors))


def instances(store: Store) -> list[tuple[str, str, str]]:
    return [(i.technique, i.concept, i.decided_by) for i in store.rows(Instance)]


@pytest.mark.db
def test_refresh_is_idempotent_and_follows_the_papers(store: Store, connection: Connection) -> None:
    write_paper(store, paper(1))
    assert refresh_concepts(store).empty
    write_paper(store, paper(2))
    assert refresh_concepts(store).added == ("reservoir-sampling",)
    assert refresh_concepts(store).empty
    assert len(instances(store)) == 2
    remove_paper(store, "arxiv:2001.00002")
    assert refresh_concepts(store).removed == ("reservoir-sampling",)
    assert instances(store) == []


@pytest.mark.db
def test_a_split_is_never_undone_by_a_machine(store: Store) -> None:
    for name in ("local:a", "local:b", "local:c"):
        write(store, name, technique("Reservoir Sampling"))
    refresh_concepts(store)
    new = split_concept(store, "reservoir-sampling", ["local:b#t/reservoir-sampling"], "Weighted sampling", **WHO)
    assert new == "weighted-sampling"
    decided = instances(store)
    assert ("local:b#t/reservoir-sampling", "weighted-sampling", "curator") in decided
    assert ("local:a#t/reservoir-sampling", "reservoir-sampling", "curator") in decided
    write(store, "local:d", technique("Reservoir Sampling"))
    refresh_concepts(store)
    assert set(decided) < set(instances(store))
    assert [d.action for d in store.rows(Decision, id="weighted-sampling")] == ["split"]
    assert store.rows(Decision, id=None)[0].why == "they differ"


@pytest.mark.db
def test_a_merge_is_never_undone_by_a_machine(store: Store) -> None:
    for name in ("local:a", "local:b"):
        write(store, name, technique("Reservoir Sampling"), technique("Random Choice"))
    refresh_concepts(store)
    assert merge_concepts(store, "reservoir-sampling", ["random-choice"], **WHO) == 4
    write(store, "local:c", technique("Random Choice"))
    refresh_concepts(store)
    assert {concept for _, concept, _ in instances(store)} == {"reservoir-sampling"}
    assert len(instances(store)) == 5
    assert refresh_concepts(store).empty
    assert store.rows(Decision, id="random-choice")[0].concept == "reservoir-sampling"


@pytest.mark.db
def test_wrong_words_of_a_curator_are_input_errors(store: Store) -> None:
    for name in ("local:a", "local:b"):
        write(store, name, technique("Reservoir Sampling"))
    refresh_concepts(store)
    before = instances(store)
    both = ["local:a#t/reservoir-sampling", "local:b#t/reservoir-sampling"]
    for concept, techniques in (
        ("nothing", both[:1]),
        ("reservoir-sampling", ["nothing"]),
        ("reservoir-sampling", both),
    ):
        with pytest.raises(InputError):
            split_concept(store, concept, techniques, "New", **WHO)
    with pytest.raises(InputError, match="nothing"):
        merge_concepts(store, "reservoir-sampling", ["nothing"], **WHO)
    assert instances(store) == before
    assert store.rows(Decision, id=None) == []

"""Concepts: what is joined and what is not, whatever the order; curators decide for good."""

import time
from collections.abc import Sequence

import numpy as np
import pytest
from store_records import DIMENSION, MODEL, document, paper, technique

from kg.concepts import merge_concepts, refresh_concepts, split_concept
from kg.concepts.cluster import cluster, doubtful
from kg.concepts.forms import Named
from kg.connection import Connection
from kg.errors import InputError
from kg.models.ids import technique_id
from kg.models.record import PaperMeta, PaperRecord, Vectors
from kg.models.technique import Technique, TechniqueTree
from kg.results.concept import ConceptRow, Decision, Instance, RelationRow
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
    assert joined(named("Mutation", "Mutations"), 0.7) == [["t0", "t1"]]
    assert joined(named("Mutation", "Mutations"), 0.3) == []


def test_the_same_words_in_another_order_need_similar_content() -> None:
    names = ("Weighted reservoir sampling", "Reservoir sampling with weights")
    assert joined(named(*names), 0.65) == [["t0", "t1"]]
    assert joined(named(*names), 0.55) == []
    assert joined(named(*names)) == []


def test_similarity_joins_across_papers_but_not_two_of_one() -> None:
    names = ("Weighted reservoir sampling", "Reservoir sampling with weights", "Reservoir sampling weights")
    assert joined(named(*names), 0.95) == [["t0", "t1", "t2"]]
    three = named(*names, paper_of=("p0", "p1", "p0"))
    assert joined(three, 0.95)
    assert all(len(found) < 3 for found in joined(three, 0.95))


def test_what_was_called_two_is_not_joined_by_a_third() -> None:
    two = (("Plug and play language models", "PPLM"), ("Plug and play latent maps", "PPLM"))
    techniques = named(*two, "PPLM")

    def groups(anchors: dict[str, str], *apart: tuple[str, str]) -> list[list[str]]:
        found = cluster(techniques, anchors, lambda _a, _b: 0.9, apart=apart)
        return [[m.technique for m in c.members] for c in found]

    assert groups({}) == [["t0", "t1", "t2"]]
    (group,) = groups({}, ("t1", "t0"))
    assert group in (["t0", "t2"], ["t1", "t2"])
    assert groups({"t0": "pplm", "t1": "pplm"}, ("t1", "t0")) == [["t0", "t1", "t2"]]
    assert groups({"t0": "pplm"}, ("t1", "t0")) in ([["t0", "t2"]], [["t0"], ["t1", "t2"]])


def test_vectors_are_asked_of_groups_not_of_pairs() -> None:
    many = named(*["Mutation"] * 5_000)
    began = time.process_time()
    assert doubtful(many) == {t.id for t in many}
    assert time.process_time() - began < 2


def test_what_is_asked_was_foreseen() -> None:
    techniques = named(
        "Mutation", "Mutations", ("Simple generalised decoding", "SGD"), ("Stochastic gradient descent", "SGD"), "SGD",
        "LSM tree", "Log structured merge tree", "Importance weight",
    )  # fmt: skip
    asked: set[str] = set()

    def cosine(one: str, other: str) -> float:
        asked.update((one, other))
        return 0.5

    cluster(techniques, {}, cosine)
    assert asked
    assert asked <= doubtful(techniques)


@pytest.mark.parametrize("name", ["Training Objective", "Sampling Algorithms", "loss", "Posterior distribution"])
def test_a_generic_name_joins_nothing(name: str) -> None:
    assert joined(named(name, name), 0.99) == []


def test_the_order_of_techniques_does_not_matter() -> None:
    techniques = named("A b", "a B", ("X y z", "XYZ"), "XYZ", "Mutation", "mutation")
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
    return [(i.technique, i.concept, i.decided_by) for i in store.rows(Instance, ids=None)]


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
@pytest.mark.parametrize("two", [True, False])
def test_what_becomes_a_finding_leaves_its_concept(store: Store, two: bool) -> None:
    for name in ("local:a", "local:b", "local:c"):
        write(store, name, technique("Reservoir Sampling"))
    write(store, "local:d", technique("Distributed Reservoir Sampling"))
    refresh_concepts(store)
    assert {r.other for r in store.rows(RelationRow, ids=None)} == {
        f"local:{p}#t/reservoir-sampling" for p in "abc"
    }  # fmt: skip
    write(store, "local:a", technique("Reservoir Sampling", kind="finding"))
    if two:
        write(store, "local:b", technique("Reservoir Sampling", kind="finding"))
    refresh_concepts(store)
    left = [] if two else ["local:b#t/reservoir-sampling", "local:c#t/reservoir-sampling"]
    assert [technique for technique, _, _ in instances(store)] == left
    assert {r.other for r in store.rows(RelationRow, ids=None)} == {*left, "local:c#t/reservoir-sampling"}
    assert refresh_concepts(store).empty
    assert refresh_concepts(store, whole=True).empty


@pytest.mark.db
def test_long_names_and_many_are_joined(store: Store) -> None:
    """Keys longer than the index takes, more of them than a query takes, and names that begin alike."""
    words = ("lpha", "ravo", "harlie", "elta", "cho", "oxtrot", "olf", "otel")
    aliases = tuple(" ".join(f"{letter}{word}" for word in words) for letter in "abcdefghijklmnopqrst")
    begin = "Magnetohydrodynamically electroencephalographic counterrevolutionary microspectrophotometric sampling"
    for name in ("local:a", "local:b"):
        write(
            store, name, technique("Word" * 10_000, id="long"), technique("Many words", id="many", aliases=aliases),
            technique(f"{begin} over tropical forests", id="one"), technique(f"{begin} under arctic ice", id="two"),
        )  # fmt: skip
        refresh_concepts(store)
    concept_of = {technique: concept for technique, concept, _ in instances(store)}
    for name in ("long", "many", "one", "two"):
        assert concept_of[f"local:a#t/{name}"] == concept_of[f"local:b#t/{name}"]
    assert len(set(concept_of.values())) == 4
    assert refresh_concepts(store, whole=True).empty


@pytest.mark.db
def test_names_that_begin_alike_are_two_concepts_one_after_the_other(store: Store) -> None:
    begin = "Magnetohydrodynamically electroencephalographic counterrevolutionary microspectrophotometric sampling"
    for end in ("over tropical forests", "under arctic ice"):
        for name in ("a", "b"):
            write(store, f"local:{name}-{end[:4]}", technique(f"{begin} {end}", id=end[:4]))
        refresh_concepts(store)
    assert sorted(row.name for row in store.rows(ConceptRow)) == [
        f"{begin} over tropical forests", f"{begin} under arctic ice",
    ]  # fmt: skip


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

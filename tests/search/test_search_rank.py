"""Relevance, what is handed on in the graph, and which hits are strong, weak or none, without a database."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.search.rank import ENOUGH, MOST_WEAK, NEAR, THRESHOLD, WEAK, Candidate, chosen, help_within_papers, lift_named


def ids(found: list[Candidate], limit: int = 10) -> list[str]:
    return [c.id for c, _ in chosen(found, THRESHOLD, limit)]


def test_meaning_surroundings_and_words_add_up() -> None:
    assert Candidate("a", cosine=0.4).relevance > Candidate("a", cosine=0.4, context=0.1).relevance
    assert Candidate("a", cosine=0.3).relevance < THRESHOLD <= Candidate("a", cosine=0.3, coverage=0.5).relevance
    assert Candidate("a", coverage=1).relevance >= THRESHOLD > Candidate("a", coverage=0.8).relevance
    assert Candidate("a", cosine=0.4, foreign=1).relevance < THRESHOLD


def test_a_name_is_relevant_by_itself_and_first() -> None:
    named, near = Candidate("n", cosine=-0.1, named="exactly"), Candidate("a", cosine=0.9, coverage=1)
    assert ids([near, named]) == ["n", "a"]
    assert Candidate("p", cosine=-0.1, named="in part").relevance == THRESHOLD


def test_weak_hits_are_few_and_only_where_few_are_strong() -> None:
    weak = [Candidate(f"w{n}", name=f"name {n}", cosine=THRESHOLD - WEAK / 2) for n in range(6)]
    told = chosen(weak, THRESHOLD, 10)
    assert [strength for _, strength in told] == ["weak"] * MOST_WEAK
    strong = [Candidate(f"s{n}", cosine=0.6) for n in range(ENOUGH)]
    assert {strength for _, strength in chosen([*weak, *strong], THRESHOLD, 10)} == {"strong"}
    assert chosen([Candidate("a", cosine=THRESHOLD - 2 * WEAK)], THRESHOLD, 10) == []


def test_what_comes_near_the_best_may_be_meant_as_well_if_anything_may() -> None:
    bar = THRESHOLD - WEAK
    best, near, far = (
        Candidate(id, name=id, cosine=bar + more) for id, more in (("b", 0.01), ("n", -0.1), ("f", -NEAR))
    )
    assert ids([far, near, best]) == ["b", "n"]
    assert ids([far, near]) == []


def test_a_technique_is_helped_by_the_nearest_of_its_paper() -> None:
    alone, beside, near = (Candidate(id, cosine=c) for id, c in (("p#t/a", 0.4), ("q#t/b", 0.4), ("q#t/c", 0.6)))
    help_within_papers([alone, beside, near])
    assert near.relevance > beside.relevance > alone.relevance
    assert alone.relevance == Candidate("a", cosine=0.4).relevance


def test_of_one_name_in_one_paper_one_weak_hit_is_enough() -> None:
    twice = [Candidate(f"p#t/{n}", name="Stage Two", cosine=THRESHOLD - WEAK / 2) for n in range(2)]
    assert ids(twice) == ["p#t/0"]


def test_what_is_only_guessed_is_strong_only_by_name() -> None:
    near, named = Candidate("a", cosine=0.5), Candidate("b", cosine=0.3, named="in part")
    assert [(c.id, s) for c, s in chosen([near, named], THRESHOLD, 9, sure=False)] == [("b", "strong"), ("a", "weak")]


def test_a_finding_never_stands_above_the_technique_it_names() -> None:
    claim = Candidate("f", name="Elastic Hashing improves recall", kind="finding", cosine=0.7)
    technique = Candidate("t", name="Elastic Hashing", kind="technique", cosine=0.25)
    other = Candidate("o", name="Other Thing", kind="technique", cosine=0.5)
    found = [claim, technique, other]
    lift_named(found, THRESHOLD)
    assert ids(found) == ["t", "f", "o"]


def test_tests_and_demos_stand_below_sources() -> None:
    found = [Candidate("t", role="test", cosine=0.8), Candidate("s", role="source", cosine=0.5)]
    assert ids(found) == ["s", "t"]


@pytest.mark.parametrize("name", ["Solver.Solver", "a.Solver.~Solver", "Solver.__init__"])
def test_what_only_makes_an_object_or_ends_it_stands_below_what_works(name: str) -> None:
    found = [Candidate("m", name=name, kind="method", cosine=0.8), Candidate("c", name="Solver", cosine=0.5)]
    assert ids(found) == ["c", "m"]
    assert ids([Candidate("n", name="Solver.solve", cosine=0.8), Candidate("c", name="Solver", cosine=0.5)]) == [
        "n",
        "c",
    ]


def test_relevance_is_handed_on_to_what_comes_near_by_itself() -> None:
    near, far = Candidate("a", cosine=0.15), Candidate("b", cosine=0.0)
    assert near.inherit("implements", "x", 0.8, 1.0, THRESHOLD)
    assert near.relevance > 0.7
    assert not far.inherit("implements", "x", 0.8, 1.0, THRESHOLD)
    assert far.related == {}


candidates = st.lists(
    st.builds(
        Candidate,
        id=st.text("abcdef", min_size=1, max_size=3),
        cosine=st.one_of(st.none(), st.floats(-1, 1)),
        text_score=st.one_of(st.none(), st.floats(0, 20)),
        coverage=st.floats(0, 1),
    ),
    unique_by=lambda c: c.id,
    max_size=12,
)


@given(candidates, st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_how_candidates_come(found: list[Candidate], random: object) -> None:
    first = ids(found)
    random.shuffle(found)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    assert ids(found) == first

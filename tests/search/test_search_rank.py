"""Relevance and fusion, without a database."""

from hypothesis import given
from hypothesis import strategies as st

from kg.search.rank import THRESHOLD, Candidate, fuse


def relevance(cosine: float | None, coverage: float) -> float:
    return Candidate("a", cosine=cosine, coverage=coverage).relevance


def test_meaning_alone_words_alone_and_both() -> None:
    assert relevance(THRESHOLD, 0) >= THRESHOLD
    assert relevance(0.25, 1) >= THRESHOLD > relevance(0.25, 0.5)
    assert relevance(0.1, 1) < THRESHOLD
    assert relevance(None, 1) >= THRESHOLD > relevance(None, 0.9)


def test_being_in_two_lists_beats_being_first_in_one() -> None:
    only_vector = Candidate("a", cosine=0.9)
    both = Candidate("b", cosine=0.8, text_score=3.0, coverage=0.5)
    only_text = Candidate("c", text_score=9.0, coverage=0.4)
    order = [candidate.id for _, candidate in fuse([only_vector, both, only_text], {})]
    assert order[0] == "b"
    assert both.vector_rank == 2
    assert both.text_rank == 1
    assert only_text.vector_rank is None


def test_a_neighbour_among_the_hits_lifts() -> None:
    alone, beside = Candidate("a", cosine=0.6), Candidate("b", cosine=0.59)
    beside.related["x"] = ("implements", 1.0)
    assert [c.id for _, c in fuse([alone, beside], {"x": 1})] == ["b", "a"]


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
    first = [(score, c.id) for score, c in fuse(found, {})]
    random.shuffle(found)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    assert [(score, c.id) for score, c in fuse(found, {})] == first
    assert [score for score, _ in first] == sorted((score for score, _ in first), reverse=True)

"""What a paper says of code is shown in whole sentences: half of one may say something else."""

from hypothesis import given
from hypothesis import strategies as st

from kg.verdicts.specification import UNSPECIFIED, Specification, respecified, whole_sentences

TEXT = "Keep a row. Drop it only if its weight is below 0.5, e.g. by noise. Then sort."


def test_a_sentence_that_does_not_fit_is_left_out() -> None:
    assert whole_sentences(TEXT, len(TEXT)) == TEXT
    assert whole_sentences(TEXT, 40) == "Keep a row."
    assert whole_sentences(TEXT, len(TEXT) - 1) == TEXT.removesuffix(" Then sort.")


def test_a_sentence_longer_than_all_there_is_room_for_is_begun() -> None:
    assert whole_sentences("x" * 30 + ". Y", 12) == "x" * 12


@given(st.text("aB. ", max_size=60), st.integers(1, 60))
def test_what_is_shown_is_the_beginning_and_fits(text: str, most: int) -> None:
    shown = whole_sentences(text, most)
    assert text.startswith(shown) and len(shown) <= most


def test_a_word_of_a_paper_that_comes_later_is_another_than_none() -> None:
    first, other = (Specification(paper="local:p", text=text) for text in ("It sorts.", "It sorts twice."))
    assert respecified(first.digest, other)
    assert respecified(first.digest, None)
    assert respecified(UNSPECIFIED.digest, first), "tests from documentation alone, and now a paper speaks of it"
    assert not respecified(first.digest, first)
    assert not respecified(UNSPECIFIED.digest, None)
    assert not respecified(None, first), "no test was written from what papers say"

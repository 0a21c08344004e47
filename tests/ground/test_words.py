from hypothesis import given
from hypothesis import strategies as st

from ingest.ground.query import best_sentence
from ingest.ground.words import sentences, spelled, split_identifier, words


def test_identifiers_are_split_by_case_and_digits() -> None:
    assert split_identifier("trainPolicyNet2") == ("train", "policy", "net")
    assert split_identifier("KVCache_size") == ("kv", "cache", "size")


def test_words_are_stems_without_stopwords_and_single_letters() -> None:
    assert words("The merging of x digests") == words("merge digest")


def test_accents_do_not_hide_a_name() -> None:
    assert words("Nyström") == words("nystrom")


def test_mathematical_letters_have_the_names_that_code_gives_them() -> None:
    assert spelled("ε_i and ϵ, Δx, ϕ, λ; ∑ √").split() == (
        ["epsilon", "_i", "and", "epsilon", ",", "Delta", "x,", "phi", ",", "lambda", ";", "sum", "sqrt"]
    )


def test_sentences_end_at_line_ends() -> None:
    assert sentences("A heading\nand a text.") == ["A heading", "and a text."]


def test_sentences_end_before_a_capital() -> None:
    assert sentences("One is here. Two, e.g. three. Four") == ["One is here.", "Two, e.g. three.", "Four"]


@given(st.text())
def test_any_text_has_words(text: str) -> None:
    assert all(word.islower() or word.isascii() for word in words(spelled(text)))


def test_the_best_sentence_shares_most_words_and_brings_its_neighbours() -> None:
    text = "Nothing here. Something else. We merge centroids by size. After that. The end."
    assert best_sentence("merging centroids", text) == "Something else. We merge centroids by size. After that."

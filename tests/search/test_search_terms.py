"""Which words of a query count, how Lucene is asked, and how much of a query a text holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.search.spelling import distance
from kg.search.terms import Coverage, Naming, informative, lucene_query, name_query, terms, weights
from kg.words import name_key, stem


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("how to minimise the entropy", ("minimise", "entropy")),
        ("a method for the", ()),
        ("softmax_entropy MergingDigest", ("softmax", "entropy", "merging", "digest")),
        ("EWC, EWC!", ("ewc",)),
        ("", ()),
    ],
)
def test_meaning_words(query: str, expected: tuple[str, ...]) -> None:
    assert terms(query) == expected


def test_identifiers_are_also_asked_for_as_written() -> None:
    assert lucene_query("softmax_entropy") == '"softmax" "entropy" "softmax_entropy"'
    assert lucene_query("of the") == ""


def test_a_node_is_asked_for_by_its_name() -> None:
    assert name_query("a Count-min sketch!").startswith('name:"a count min sketch" aliases:"a count min sketch" ')
    assert name_query("?") == ""


@pytest.mark.parametrize(
    ("query", "name", "aliases", "exact", "whole"),
    [
        ("EWC", "Elastic Weight Consolidation (EWC)", (), True, True),
        ("how does elastic weight consolidation work?", "Elastic Weight Consolidation (EWC)", (), True, True),
        ("PPLM", "PPLM (Plug and Play Language Models)", (), True, True),
        ("plug and play language model", "PPLM (Plug and Play Language Models)", (), True, True),
        ("ewc", "Elastic Weight Consolidation", ("EWC",), True, True),
        ("spacesaving", "Space-Saving", (), True, False),
        ("add", "BloomFilter.add", (), True, True),
        ("weight consolidation", "Elastic Weight Consolidation (EWC)", (), False, True),
        ("EWC loss", "Elastic Weight Consolidation (EWC)", (), False, False),
        ("the", "The", (), False, False),
    ],
)
def test_what_a_query_names(query: str, name: str, aliases: tuple[str, ...], exact: bool, whole: bool) -> None:
    naming = Naming(query)
    assert (naming.exact(name, aliases), naming.whole(name, aliases)) == (exact, whole)


@given(st.text(max_size=20), st.text(max_size=20))
def test_names_that_begin_otherwise_are_others(one: str, other: str) -> None:
    for query, name in ((one, other), (one, one.upper()), (one, f"the {one} method")):
        asked, called = {name_key(query), name_key(" ".join(terms(query)))} - {""}, name_key(name)
        assert called not in asked or Naming(query).exact(name)


@pytest.mark.parametrize(
    ("one", "other", "letters"),
    [
        ("samplng", "sampling", 1),
        ("wieght", "weight", 1),
        ("sketch", "sketch", 0),
        ("", "abc", 3),
        ("kitten", "sitting", 3),
    ],
)
def test_how_far_two_spellings_are_apart(one: str, other: str, letters: int) -> None:
    assert distance(one, other) == distance(other, one) == letters


@given(st.text(max_size=80))
def test_nothing_of_a_query_is_lucene_syntax(query: str) -> None:
    """Outside of quotes there are only spaces, whatever is asked."""
    text = lucene_query(query)
    outside, quoted, escaped = [], False, False
    for character in text:
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif not quoted:
            outside.append(character)
    assert not quoted
    assert set(outside) <= {" "}


def test_rare_words_weigh_more_and_words_found_nowhere_most() -> None:
    weight = weights({"the": 990, "entropy": 40, "sourdough": 0}, 1000)
    assert 0 < weight["the"] < weight["entropy"] < weight["sourdough"]


def test_coverage_counts_forms_of_words_and_parts_of_identifiers() -> None:
    weight = weights({"minimise": 5, "entropy": 5}, 100)
    cover = Coverage(weight, informative(100))
    assert cover.of("Entropies are MINIMISED here") == pytest.approx(1)
    assert cover.of("def softmaxEntropy(x)") == pytest.approx(0.5)
    assert cover.of("softmax_entropy") == pytest.approx(0.5)
    assert cover.of("nothing of it") == 0


def test_common_words_alone_cover_little() -> None:
    common = Coverage(weights({"learning": 400}, 450), informative(450))
    rare = Coverage(weights({"ewc": 2}, 450), informative(450))
    assert common.of("learning") < 0.1
    assert rare.of("ewc") == pytest.approx(1)


def test_no_words_no_coverage() -> None:
    assert Coverage({}, informative(0)).of("anything") == 0


@given(
    st.dictionaries(st.text(st.characters(categories=["Ll"]), min_size=1, max_size=8), st.integers(0, 200)), st.text()
)
def test_coverage_is_a_share(frequencies: dict[str, int], text: str) -> None:
    assert 0 <= Coverage(weights(frequencies, 100), informative(100)).of(text) <= 1 + 1e-9


def test_stem() -> None:
    assert stem("adaptation") == stem("adaptations") == stem("adapt")

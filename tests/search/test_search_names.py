"""Names, acronyms and misspelled words, and what is only weak, on a real graph."""

import pytest
from click.testing import CliRunner
from search_samples import search

from kg.cli.search import search_techniques
from kg.embeddings import Embedder
from kg.results.search import SearchState
from kg.search.results import TechniqueHit
from kg.store import Store

pytestmark = pytest.mark.db


@pytest.mark.parametrize(
    "query", ["RS", "reservoir sampling", "Reservoir-Sampling", "how does reservoir sampling work?"]
)
def test_what_is_so_called_is_first_whatever_its_cosine(filled: Store, embedder: Embedder, query: str) -> None:
    hit = search(filled, embedder, "techniques", query).hits[0]
    assert hit.name.startswith("Reservoir Sampling")
    assert (hit.evidence.named, hit.strength) == ("exactly", "strong")
    assert "so called" in hit.evidence.why


def test_a_finding_stands_below_the_technique(filled: Store, embedder: Embedder) -> None:
    hits = search(filled, embedder, "techniques", "every item kept with equal probability by reservoir sampling").hits
    kinds = [hit.kind for hit in hits if isinstance(hit, TechniqueHit)]
    assert "finding" in kinds
    assert kinds[0] != "finding"


def test_a_misspelled_name_is_found_and_said_to_be(filled: Store, embedder: Embedder) -> None:
    result = search(filled, embedder, "techniques", "rezervoir samplng")
    assert (result.query, result.spelling) == ("rezervoir samplng", "reservoir sampling")
    assert result.hits[0].name.startswith("Reservoir Sampling")
    told = CliRunner().invoke(search_techniques, ["rezervoir", "samplng"], catch_exceptions=False).stdout
    assert told.startswith("Nothing so written; looked for “reservoir sampling”.")


def test_of_vowels_more_may_be_wrong(filled: Store, embedder: Embedder) -> None:
    assert search(filled, embedder, "techniques", "bleam filter").spelling == "bloom filter"
    assert search(filled, embedder, "techniques", "blurm filter").spelling == ""


def test_a_query_that_is_found_is_not_respelled(filled: Store, embedder: Embedder) -> None:
    assert search(filled, embedder, "techniques", "bloom filter").spelling == ""


@pytest.mark.parametrize("query", ["rezervoir~2 OR *", "zzzzzz~", "аbсdеfg*", "samplng) AND name:(*"])
def test_no_misspelled_query_is_a_syntax_error(filled: Store, embedder: Embedder, query: str) -> None:
    search(filled, embedder, "techniques", query)


def test_what_may_be_meant_is_called_weak(filled: Store, embedder: Embedder) -> None:
    query = "counters of frequent items"
    result = search(filled, embedder, "techniques", query)
    bar = max(hit.evidence.relevance for hit in result.hits) + 0.01
    weak = search(filled, embedder, "techniques", query, threshold=bar).hits
    assert 0 < len(weak) <= 3
    assert {hit.strength for hit in weak} == {"weak"}
    options = [*query.split(), "--threshold", str(bar)]
    told = CliRunner().invoke(search_techniques, options, catch_exceptions=False).stdout
    assert "(weak: may be meant)" in told


def test_words_of_papers_are_counted_among_ingested_ones(store: Store) -> None:
    """However many that are only cited match better."""
    told = {"title": "Sampling data of a stream in one pass with a reservoir", "status": "ingested"}
    papers = [told, *({"title": "Reservoir", "status": "cited"} for _ in range(1300))]
    rows = [
        {"label": "Paper" if about is told else "CitedWork", "properties": {"id": f"local:{n}", **about}}
        for n, about in enumerate(papers)
    ]
    store.write("write/create_nodes", rows=rows)
    (state,) = store.rows(SearchState, indexes=["paper_text"], words=["reservoir"])
    assert (state.totals["papers"], [count.documents for count in state.frequencies]) == (1, [1])

"""Search on a real graph: what is asked for is found with its evidence, what is not there is not."""

import numpy as np
import pytest
from search_samples import search

from kg.embeddings import Embedder
from kg.errors import InputError
from kg.search.results import CodeHit, PaperHit, SectionHit, TechniqueHit
from kg.store import Store

pytestmark = pytest.mark.db

KINDS = ("techniques", "code", "papers", "sections")


@pytest.mark.parametrize(
    "query",
    ["sourdough bread baking", "motorcycle tax law", "how to train a puppy", "the", "a method for", "of the in and"],
)
@pytest.mark.parametrize("kind", KINDS)
def test_an_off_topic_query_finds_nothing(filled: Store, embedder: Embedder, kind: str, query: str) -> None:
    result = search(filled, embedder, kind, query)  # type: ignore[arg-type]  # from KINDS
    assert result.hits == ()
    assert result.searched > 0


def test_techniques_by_meaning_and_by_words(filled: Store, embedder: Embedder) -> None:
    by_meaning = search(filled, embedder, "techniques", "keep a random subset of an endless sequence").hits[0]
    assert by_meaning.name.startswith("Reservoir Sampling")
    by_words = search(filled, embedder, "techniques", "misra gries").hits[0]
    assert isinstance(by_words, TechniqueHit)
    assert by_words.name == "Misra-Gries Summary"
    assert by_words.evidence.coverage == pytest.approx(1)
    assert by_words.paper_title == "Counting Heavy Hitters"


def test_the_cosine_shown_is_the_true_one(filled: Store, embedder: Embedder) -> None:
    query = "approximate set membership queries"
    hit = search(filled, embedder, "techniques", query).hits[0]
    (row,) = filled.read("show/read_technique", id=hit.id)
    text = f"{row['name']}. {row['definition']}"
    true = float(np.dot(*embedder.embed([query, text])))
    assert hit.evidence.cosine == pytest.approx(true, abs=1e-4)


def test_a_code_hit_shows_verdict_licence_and_place(filled: Store, embedder: Embedder) -> None:
    hit = search(filled, embedder, "code", "add an item to a bloom filter").hits[0]
    assert isinstance(hit, CodeHit)
    assert hit.name == "BloomFilter.add"
    assert hit.verdict == "unverified"
    assert hit.licence == "MIT"
    assert hit.place == "github:o/bloom@cccccccccccc:bloom/filter.py:3-8"
    assert hit.commit == "c" * 40
    assert hit.implements == ("Bloom filter",)


def test_code_without_words_of_its_own_is_found_through_its_technique(filled: Store, embedder: Embedder) -> None:
    hits = search(filled, embedder, "code", "approximate set membership with a bit array").hits
    found = next(hit for hit in hits if hit.name == "BloomFilter.add")
    assert found.evidence.via[0].relation == "implements"
    assert found.evidence.via[0].name == "Bloom filter"
    assert "implements 'Bloom filter'" in found.evidence.why


def test_a_technique_hit_shows_its_code_and_counts_candidates(filled: Store, embedder: Embedder) -> None:
    hit = search(filled, embedder, "techniques", "bloom filter").hits[0]
    assert isinstance(hit, TechniqueHit)
    assert [(code.name, code.level, code.score) for code in hit.code] == [("BloomFilter.add", "unit", 0.9)]
    assert hit.candidates == 1


def test_papers_and_sections(filled: Store, embedder: Embedder) -> None:
    paper = search(filled, embedder, "papers", "most frequent items of a stream").hits[0]
    assert isinstance(paper, PaperHit)
    assert paper.name == "Counting Heavy Hitters"
    section = search(filled, embedder, "sections", "false positives of bloom filters").hits[0]
    assert isinstance(section, SectionHit)
    assert (section.file, section.start, section.end) == ("main.tex", 10, 900)


def test_papers_that_are_only_cited_are_no_answers(filled: Store, embedder: Embedder) -> None:
    found = search(filled, embedder, "papers", "random sampling with a reservoir").hits
    assert found
    assert "Random Sampling with a Reservoir" not in {hit.name for hit in found}


@pytest.mark.parametrize(
    "query",
    ['"', "bloom AND (", "name:* OR [a TO", "\\", "bloom~0.1^9 && !x", "/bloom.*/", "\x00bloom", "{" * 500, "é数学"],
)
@pytest.mark.parametrize("kind", KINDS)
def test_no_query_is_a_syntax_error(filled: Store, embedder: Embedder, kind: str, query: str) -> None:
    search(filled, embedder, kind, query)  # type: ignore[arg-type]  # from KINDS


def test_the_same_question_has_the_same_answer(filled: Store, embedder: Embedder) -> None:
    one, two = (search(filled, embedder, "techniques", "stream sampling").model_dump_json() for _ in range(2))
    assert one == two


def test_limit_and_threshold(filled: Store, embedder: Embedder) -> None:
    assert len(search(filled, embedder, "techniques", "stream sampling", limit=1).hits) == 1
    strict = search(filled, embedder, "techniques", "stream sampling", threshold=2).hits
    loose = search(filled, embedder, "techniques", "sourdough bread", threshold=-1).hits
    assert strict == ()
    assert loose


@pytest.mark.parametrize("query", ["", "  \n"])
def test_an_empty_query_is_refused(filled: Store, embedder: Embedder, query: str) -> None:
    with pytest.raises(InputError, match="empty"):
        search(filled, embedder, "techniques", query)


def test_another_model_is_refused(filled: Store, embedder: Embedder) -> None:
    class Other:
        model_id = "other/1"
        dimension = embedder.dimension
        embed = staticmethod(embedder.embed)

    with pytest.raises(InputError, match=r"vectors are of the model all-MiniLM.*not of other/1"):
        search(filled, Other(), "techniques", "bloom filter")

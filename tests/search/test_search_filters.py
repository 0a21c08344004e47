"""What a search is narrowed to, what it must not find, and how its hits are paged, on a real graph."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from click.testing import CliRunner, Result
from search_samples import search

import xkg
from kg.connection import Connection
from kg.embeddings import Embedder
from kg.embeddings.nodes import embed_record
from kg.errors import InputError
from kg.models.paper import PaperDoc
from kg.models.record import PaperMeta, PaperRecord
from kg.models.technique import Technique, TechniqueTree
from kg.results.search import CandidateRow
from kg.store import Store
from kg.write import write_paper

pytestmark = pytest.mark.db

SAMPLING, HITTERS = "local:sampling-from-streams", "local:counting-heavy-hitters"
QUERY = "sample of a stream"


def run(*words: str) -> Result:
    return CliRunner().invoke(xkg.cli, ["search", *words, "--json"])


def hits(*words: str) -> list[dict[str, Any]]:
    result = run(*words)
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)["hits"]
    return found


def test_only_of_one_paper(filled: Store) -> None:
    assert {hit["paper"] for hit in hits("techniques", QUERY)} == {SAMPLING, HITTERS}
    assert {hit["paper"] for hit in hits("techniques", QUERY, "--paper", SAMPLING)} == {SAMPLING}
    assert [hit["id"] for hit in hits("papers", QUERY, "--paper", "Sampling from Streams")] == [SAMPLING]
    assert {hit["id"].partition("@")[0] for hit in hits("code", "bloom filter", "--paper", "2101.00001")} == {
        "github:o/bloom"
    }


def test_only_of_a_kind(filled: Store) -> None:
    query = "every item kept with equal probability"
    assert {hit["kind"] for hit in hits("techniques", query, "--kind", "finding")} == {"finding"}
    assert "finding" not in {hit["kind"] for hit in hits("techniques", query, "--kind", "technique")}
    assert {hit["kind"] for hit in hits("code", "add an item to a bloom filter", "--kind", "method")} == {"method"}


@pytest.mark.parametrize(
    ("option", "value", "other"),
    [("--licence", "mit", "GPL-3.0"), ("--language", "Python", "go"), ("--verdict", "unverified", "verified")],
)
def test_only_where_code_is_such(filled: Store, option: str, value: str, other: str) -> None:
    for kind in ("code", "techniques", "papers"):
        assert hits(kind, "bloom filter set membership", option, value)
        assert hits(kind, "bloom filter set membership", option, other) == []


def test_without_a_licence(filled: Store) -> None:
    assert [hit["licence"] for hit in hits("code", "reservoir sampling", "--licence", "none")] == [None]


@pytest.mark.parametrize("paper", ["2101.00001", "arxiv:2101.00001", "Approximate Set Membership"])
def test_an_excluded_paper_is_not_there_nor_its_code(filled: Store, paper: str) -> None:
    for kind in ("techniques", "code", "papers", "sections"):
        assert hits(kind, "bloom filter set membership")
        assert "loom" not in json.dumps(hits(kind, "bloom filter set membership", "--exclude-paper", paper))


def test_an_excluded_repository_leaves_the_technique_without_its_code(filled: Store) -> None:
    for name in ("o/bloom", "https://github.com/o/bloom", "github:o/bloom"):
        (hit,) = hits("techniques", "bloom filter", "-n", "1", "--exclude-repository", name)
        assert (hit["name"], hit["code"], hit["candidates"]) == ("Bloom filter", [], 0)
        assert hits("code", "add an item to a bloom filter", "--exclude-repository", name) == []


def test_of_all_kinds_at_once(filled: Store) -> None:
    answer = json.loads(run(QUERY, "--exclude-paper", SAMPLING).stdout)
    assert SAMPLING not in json.dumps(answer["results"])
    assert answer["results"]["techniques"]["hits"]


@pytest.mark.parametrize("option", ["--paper", "--exclude-paper"])
def test_a_paper_that_is_not_there_is_an_error(filled: Store, option: str) -> None:
    result = run("techniques", QUERY, option, "no such paper")
    assert isinstance(result.exception, InputError)


@pytest.mark.parametrize(("option", "value"), [("--kind", "functoin"), ("--verdict", "verfied")])
def test_a_mistyped_filter_is_refused(filled: Store, option: str, value: str) -> None:
    result = run("code", QUERY, option, value)
    assert result.exit_code == 2
    assert value in result.stderr


def test_nothing_found_as_narrowed_is_said_so(filled: Store) -> None:
    for words in (["code", "bloom filter"], ["bloom filter"]):
        narrowed = CliRunner().invoke(xkg.cli, ["search", *words, "--language", "pyhton"], catch_exceptions=False)
        assert "Nothing relevant among 3 code units as narrowed by the filters." in narrowed.stdout
    told = CliRunner().invoke(xkg.cli, ["search", "code", "sourdough bread"], catch_exceptions=False).stdout
    assert "filters" not in told


def test_what_an_option_excludes_is_not_said_to_be_on_a_blacklist(
    filled: Store, caplog: pytest.LogCaptureFixture
) -> None:
    hits("techniques", QUERY, "--exclude-paper", SAMPLING)
    (said,) = caplog.messages
    assert said.startswith("--exclude-paper withholds of this graph: 1 papers")


def test_a_page_is_one_of_the_same_answer(filled: Store, embedder: Embedder) -> None:
    """A misspelled word is not asked again behind strong hits; what follows them is no other query's answer."""
    query = "reservoir sampling of rezervoir strems"
    first, second = (search(filled, embedder, "techniques", query, limit=2, after=after) for after in (0, 2))
    assert first.hits[0].strength == "strong"
    assert (first.spelling, second.spelling) == ("", "")


@pytest.fixture
def verdicts(_session_connection: Connection) -> Iterator[Callable[[str], None]]:
    """`verdicts(verdict)`: the repository's code has it, for the test alone."""

    def give(verdict: str) -> None:
        where = "MATCH (c:Code) WHERE c.repository = 'github:o/bloom' SET c.verdict = $verdict"
        _session_connection.driver.execute_query(where, {"verdict": verdict})

    yield give
    give("unverified")


def test_what_lacks_a_wanted_verdict_is_not_read_behind_the_first(
    filled: Store, embedder: Embedder, verdicts: Callable[[str], None]
) -> None:
    """Thousands of texts would be, and none could be told; what stands in a paper beside one that may be is."""
    verdicts("verified")

    def found(kind: str, first: int, *wanted: str) -> set[str]:
        rows = filled.rows(
            CandidateRow, vector_index=f"{kind}_vector", text_index=f"{kind}_text", query='"stream" "filter"',
            vector=[float(x) for x in embedder.embed(["stream"])[0]], name_query="", depth=1000, fetch=1000,
            characters=100, first=first, verdicts=list(wanted),
        )  # fmt: skip
        return {row.id.partition("@")[0].partition("#")[0] for row in rows}

    assert found("technique", 0) == found("technique", 100, "verified") > {SAMPLING, HITTERS}
    assert found("technique", 0, "verified") == {"arxiv:2101.00001"}
    assert found("technique", 0, "failed") == set()
    assert found("code", 0) > found("code", 0, "verified") == {"github:o/bloom"}


def test_a_page_whose_hits_are_no_longer_verified_leads_on(filled: Store, verdicts: Callable[[str], None]) -> None:
    verdicts("verified")
    words = ["search", "code", "bloom filter", "--verdict", "verified", "-n", "1"]
    told = CliRunner().invoke(xkg.cli, words, catch_exceptions=False).stdout
    assert "More: --cursor 1" in told
    assert "Nothing relevant" not in told


def test_the_cursor_goes_through_all_hits_once(filled: Store) -> None:
    whole = hits("techniques", QUERY)
    paged: list[dict[str, Any]] = []
    cursor = 0
    while cursor is not None:
        page = json.loads(run("techniques", QUERY, "-n", "1", "--cursor", str(cursor)).stdout)
        paged += page["hits"]
        cursor = page["next_cursor"]
    assert len(whole) > 1
    assert paged == whole


def test_pages_of_one_size_are_parts_of_one_list(store: Store, embedder: Embedder) -> None:
    names = [f"Sampling of streams in the manner {n}" for n in range(120)]
    techniques = tuple(Technique(id=f"t{n}", name=name, kind="technique", score=0.5) for n, name in enumerate(names))
    record = PaperRecord(
        paper=PaperMeta(id="local:many", title="Many"),
        doc=PaperDoc(main=""),
        techniques=TechniqueTree(items=techniques),
    )
    write_paper(store, record.model_copy(update={"vectors": embed_record(record, embedder)}))
    store.read("schema/await_indexes", seconds=60)
    found: list[str] = []
    after: int | None = 0
    while after is not None:
        page = search(store, embedder, "techniques", "sampling of streams", limit=7, after=after)
        found += [hit.id for hit in page.hits]
        after = page.next_cursor
    assert len(found) >= 40
    whole = search(store, embedder, "techniques", "sampling of streams", limit=39)
    assert len(found) == len(set(found))
    assert found[:39] == [hit.id for hit in whole.hits]

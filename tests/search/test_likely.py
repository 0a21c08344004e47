"""Code that is likely a technique's, but not asserted, is shown as that and as nothing else."""

import pytest
from search_samples import FILE, repository_paper, search
from test_show import run, run_json

from kg.cli.graph import graph_stats
from kg.cli.search import search_code, search_techniques
from kg.cli.show import code_show, paper_list, paper_show, technique_show
from kg.connection import Connection
from kg.embeddings import Embedder
from kg.embeddings.nodes import embed_record
from kg.models.code import Candidate, Grounding
from kg.models.record import PaperRecord
from kg.search.results import CodeHit, TechniqueHit
from kg.store import Store
from kg.write import write_paper

pytestmark = pytest.mark.db


def paper(**first: object) -> PaperRecord:
    """The paper of the samples, whose technique has no asserted code but these claims of its first candidate."""
    units = (f"{FILE}#BloomFilter.add", f"{FILE}#BloomFilter.contains")
    candidates = [Candidate(unit=unit, rank=n, score=0.9 / n) for n, unit in enumerate(units, start=1)]
    grounding = Grounding(
        technique="bloom-filter", level="none", confidence=0.71, method="structural", reason="names agree",
        candidates=(candidates[0].model_copy(update=first), candidates[1]),
    )  # fmt: skip
    return repository_paper().model_copy(update={"groundings": (grounding,)})


@pytest.fixture(autouse=True)
def likely(store: Store, embedder: Embedder) -> Store:
    record = paper(standing="likely")
    write_paper(store, record.model_copy(update={"vectors": embed_record(record, embedder)}))
    store.read("schema/await_indexes", seconds=60)
    return store


def edges(connection: Connection) -> list[list[object]]:
    statement = (
        "MATCH (:Technique)-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY]->(c) "
        "RETURN type(r), c.name, r.standing, r.confidence, r.reason ORDER BY r.rank"
    )
    return [record.values() for record in connection.driver.execute_query(statement)[0]]


def test_the_edge_says_it_with_its_confidence_and_loses_both_again(store: Store, connection: Connection) -> None:
    other = ["MAY_BE_IMPLEMENTED_BY", "contains", "candidate", None, None]
    assert edges(connection) == [["MAY_BE_IMPLEMENTED_BY", "add", "likely", 0.71, "names agree"], other]
    assert write_paper(store, paper(standing="likely")).empty
    changes = write_paper(store, paper())
    assert changes.counts()["edges_changed"] == 1
    assert edges(connection) == [["MAY_BE_IMPLEMENTED_BY", "add", "candidate", None, None], other]


def test_papers_and_the_graph_count_it_apart() -> None:
    (listed,) = run_json(paper_list)["papers"]
    assert (listed["techniques"], listed["grounded"], listed["likely"], listed["code"]) == (1, 0, 1, 0)
    assert "1 techniques, 0 with code, 1 with likely code" in run(paper_list)
    assert run_json(graph_stats)["grounding"] == {"asserted": 0, "likely": 1, "candidates": 0, "none": 0}


def test_the_tree_of_a_paper_shows_it() -> None:
    (technique,) = run_json(paper_show, "2101.00001")["techniques"]
    assert technique["code"] == []
    assert [code["name"] for code in technique["likely"]] == ["BloomFilter.add"]
    place = "github:o/bloom@cccccccccccc:bloom/filter.py:3-8"
    assert f"  → likely BloomFilter.add  {place}  0.90  unverified" in run(paper_show, "2101.00001")


def test_a_technique_and_its_code_show_it() -> None:
    shown = run_json(technique_show, "bloom-filter")
    assert shown["code"] == []
    assert [(row["name"], row["standing"]) for row in shown["candidates"]] == [
        ("BloomFilter.add", "likely"), ("BloomFilter.contains", "candidate"),
    ]  # fmt: skip
    text = run(technique_show, "bloom-filter")
    assert "No code is asserted for it.\nlikely: BloomFilter.add\n" in text
    assert "score 0.90 · right with probability 0.71 · structural · names agree" in text
    assert "candidate 2: BloomFilter.contains" in text
    assert "likely implements Bloom filter" in run(code_show, "BloomFilter.add")
    assert "candidate 2 for Bloom filter" in run(code_show, "BloomFilter.contains")


def test_search_shows_it(store: Store, embedder: Embedder) -> None:
    hit = search(store, embedder, "techniques", "bloom filter").hits[0]
    assert isinstance(hit, TechniqueHit)
    assert (hit.code, [code.name for code in hit.likely], hit.candidates) == ((), ["BloomFilter.add"], 2)
    assert "likely code: BloomFilter.add (unverified, MIT)" in run(search_techniques, "bloom", "filter")
    found = {hit.name: hit for hit in search(store, embedder, "code", "bloom filter").hits}
    added = found["BloomFilter.add"]
    assert isinstance(added, CodeHit)
    assert (added.implements, added.likely) == ((), ("Bloom filter",))
    assert added.evidence.via[0].relation == "likely implements"
    assert "likely implements: Bloom filter" in run(search_code, "bloom", "filter")

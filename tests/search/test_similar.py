"""`xkg paper similar` and `xkg technique similar`, on a real graph."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

import xkg
from kg import similar
from kg.connection import Connection
from kg.similar import similar_papers, similar_techniques
from kg.store import Store

pytestmark = pytest.mark.db

SAMPLING, HITTERS, BLOOM = "local:sampling-from-streams", "local:counting-heavy-hitters", "arxiv:2101.00001"


def run(*words: str) -> dict[str, Any]:
    result = CliRunner().invoke(xkg.cli, [*words, "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    value: dict[str, Any] = json.loads(result.stdout)
    return value


def test_papers_that_cite_the_same_are_alike(filled: Store) -> None:
    found = {one["id"]: one for one in run("paper", "similar", SAMPLING)["similar"]}
    assert found[BLOOM]["common"] == 1
    assert found[BLOOM]["shared"] == ["Random Sampling with a Reservoir"]
    # one work that two papers cite weighs 1; the lists have two and one entries
    assert found[BLOOM]["coupling"] == pytest.approx(1 / 2**0.5, abs=1e-3)
    assert found[HITTERS]["coupling"] == 0
    assert SAMPLING not in found


def test_similarity_goes_both_ways_and_is_a_share(filled: Store) -> None:
    for one in similar_papers(filled, SAMPLING, 10):
        assert 0 <= one.score <= 1
        back = {other.id: other.score for other in similar_papers(filled, one.id, 10)}
        assert back[SAMPLING] == pytest.approx(one.score, abs=1e-3)


def test_papers_with_little_in_common_are_not_called_alike(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [one.id for one in similar_papers(filled, SAMPLING, 10) if one.score >= 0.4] == [BLOOM, HITTERS]
    monkeypatch.setattr(similar, "ALIKE", 0.6)
    assert [one.id for one in similar_papers(filled, SAMPLING, 10)] == [BLOOM]


def test_techniques_of_other_papers(filled: Store) -> None:
    node = f"{SAMPLING}#t/reservoir-sampling"
    found = similar_techniques(filled, node, 5)
    assert found[0].paper == HITTERS
    assert found[0].name.startswith("Reservoir Sampling")
    assert all(one.paper != SAMPLING for one in found)
    assert run("technique", "similar", node)["similar"][0]["id"] == found[0].id


def test_both_say_why(filled: Store) -> None:
    told = CliRunner().invoke(xkg.cli, ["paper", "similar", SAMPLING], catch_exceptions=False).stdout
    assert "works cited by both (0.71): Random Sampling with a Reservoir" in told
    told = CliRunner().invoke(xkg.cli, ["technique", "similar", f"{SAMPLING}#t/skip-counting"], catch_exceptions=False)
    assert told.exit_code == 0


def test_the_limit_is_kept_and_the_best_come_first(filled: Store) -> None:
    best, *_ = whole = similar_papers(filled, SAMPLING, 10)
    assert [one.score for one in whole] == sorted((one.score for one in whole), reverse=True)
    assert similar_papers(filled, SAMPLING, 1) == [best]
    given = {"id": SAMPLING, "depth": 50, "popular": 1000, "named": 5, "limit": 1}
    assert len(filled.read("show/list_similar_papers", **given)) == 1


def test_what_is_excluded_is_not_like_anything(filled: Store) -> None:
    node = f"{SAMPLING}#t/reservoir-sampling"
    for words in (["paper", "similar", SAMPLING], ["technique", "similar", node]):
        assert HITTERS in json.dumps(run(*words))
        assert HITTERS not in json.dumps(run(*words, "--exclude-paper", HITTERS))


ONE, OTHER, FINDING = "p:1#t/one", "p:2#t/other", "p:2#f/finding"
RELATED = {
    "judged different": ("(a)-[:DIFFERS_FROM {decided_by: 'model'}]->(b)", []),
    "kept apart by a curator": (
        "(:Concept {id: 'c'})<-[:INSTANCE_OF {decided_by: 'curator'}]-(a)-[:SIMILAR_TO]->(b)"
        "-[:INSTANCE_OF {decided_by: 'curator'}]->(:Concept {id: 'd'})", []),
    "a variant in one concept": (
        "(a)-[:VARIANT_OF]->(b), (a)-[:INSTANCE_OF]->(:Concept {id: 'c'})<-[:INSTANCE_OF]-(b)", ["same concept"]),
    "a variant": ("(b)-[:VARIANT_OF]->(a)", ["variant"]),
}  # fmt: skip


@pytest.mark.parametrize("case", RELATED)
def test_what_the_graph_says_of_two(store: Store, connection: Connection, case: str) -> None:
    pattern, relations = RELATED[case]
    near = [1.0, *[0.0] * 383]
    for node, kind in ((ONE, "technique"), (OTHER, "technique"), (FINDING, "finding")):
        about = {"id": node, "name": node, "kind": kind, "paper": node.partition("#")[0]}
        store.write("backup/create_nodes", rows=[{"label": "Technique", "properties": about, "vector": near}])
    statement = f"MATCH (a:Technique {{id: $a}}) MATCH (b:Technique {{id: $b}}) CREATE {pattern}"
    connection.driver.execute_query(statement, a=ONE, b=OTHER)
    store.read("schema/await_indexes", seconds=60)
    found = {one.id: list(one.relations) for one in similar_techniques(store, ONE, 5)}
    assert found == ({OTHER: relations} if relations else {})

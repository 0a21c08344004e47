"""The optional py2neo adapter, where py2neo is installed; and its one sentence where it is not."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from store_records import paper

import kg
from kg.config import Settings
from kg.connection import Connection
from kg.errors import InputError
from kg.py2neo_adapter import py2neo_graph, py2neo_subgraph
from kg.store import Store
from kg.write import write_paper

TECHNIQUE = "arxiv:2001.00001#t/reservoir-sampling"
CODE = "github:someone/repo1@c1:src/core.py#"


def test_without_py2neo_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py2neo", None)
    with pytest.raises(InputError, match="pip install"):
        py2neo_graph(Settings())


@pytest.fixture
def graph(store: Store, server_settings: Settings) -> Iterator[object]:
    """The run's server as a py2neo Graph, with two papers."""
    for number in (1, 2):
        write_paper(store, paper(number))
    opened = py2neo_graph(server_settings)
    yield opened
    opened.service.connector.close()


@pytest.mark.db
@pytest.mark.py2neo
@pytest.mark.filterwarnings("ignore")
def test_a_graph_answers(graph) -> None:
    from py2neo import NodeMatcher, RelationshipMatcher

    assert graph.run("MATCH (p:Paper {status: 'ingested'}) RETURN count(p)").evaluate() == 2
    assert NodeMatcher(graph).match("Technique", id=TECHNIQUE).first()["name"] == "Reservoir Sampling"
    found = {edge.end_node["id"] for edge in RelationshipMatcher(graph).match(r_type="IMPLEMENTED_BY")}
    assert f"{CODE}run" in found
    assert graph.begin(readonly=True).run("RETURN 1").evaluate() == 1


@pytest.mark.db
@pytest.mark.py2neo
@pytest.mark.filterwarnings("ignore")
def test_what_neo4j_5_no_longer_understands_is_what_we_say(graph) -> None:
    """If this fails py2neo has come back to life: docs/notebooks.md says otherwise."""
    from py2neo.errors import ClientError

    for work in (
        lambda: graph.schema.create_index("Tmp", "id"),
        lambda: graph.schema.create_uniqueness_constraint("Tmp", "id"),
        lambda: graph.schema.get_indexes("Technique"),
    ):
        with pytest.raises(ClientError):
            work()


@pytest.mark.db
@pytest.mark.py2neo
@pytest.mark.filterwarnings("ignore")
def test_a_technique_comes_with_what_stands_beside_it(graph, connection: Connection) -> None:
    connection.driver.execute_query("MATCH (c:Code {id: $id}) SET c.licence = null", id=f"{CODE}step")
    connection.driver.execute_query("MATCH (c:Code {id: $id}) SET c.verdict = 'verified'", id=f"{CODE}run")
    with kg.open() as opened:
        whole = py2neo_subgraph(opened.technique(TECHNIQUE))
    nodes = {node["id"]: node for node in whole.nodes}
    edges = {(edge.start_node["id"], type(edge).__name__, edge.end_node["id"]): edge for edge in whole.relationships}
    assert set(edges) == {
        ("arxiv:2001.00001", "HAS_TECHNIQUE", TECHNIQUE),
        (TECHNIQUE, "IMPLEMENTED_BY", f"{CODE}run"),
        (TECHNIQUE, "MAY_BE_IMPLEMENTED_BY", f"{CODE}step"),
    }
    assert edges[TECHNIQUE, "IMPLEMENTED_BY", f"{CODE}run"]["standing"] == "asserted"
    assert nodes[TECHNIQUE]["definition"] == "Reservoir Sampling is defined here."
    run, step = nodes[f"{CODE}run"], nodes[f"{CODE}step"]
    assert run["implementation"].startswith("def run")
    assert run["verdict"] == "unverified", "nothing bears out what the database says"
    assert (step["implementation"], step["licence"], step["verdict"]) == ("", None, "unverified")
    assert not any("embedding" in node for node in whole.nodes)
    graph.merge(whole)
    assert graph.evaluate("MATCH (t:Technique {id: $id}) RETURN count(t)", id=TECHNIQUE) == 1


@pytest.mark.db
@pytest.mark.py2neo
def test_no_graph_is_handed_out_past_a_blacklist(store: Store, server_settings: Settings, tmp_path: Path) -> None:
    listed = tmp_path / "blacklist.txt"
    listed.write_text("https://github.com/someone/repo1\n")
    with pytest.raises(InputError, match="a blacklist is in force"):
        py2neo_graph(server_settings.replace(blacklist=(listed,)))

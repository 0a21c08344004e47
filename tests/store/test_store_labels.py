"""Labels that say what a node is, beside the one that is its identity, and ids that belong to one label alone."""

from pathlib import Path

import pytest
from store_records import paper, technique
from test_store_write import ask

from kg.audit import audit_graph, graph_stats
from kg.backup import export_graph, import_graph
from kg.connection import Connection
from kg.migrations import migrate
from kg.models.labels import PIECES, labels_of, node_key, present_id
from kg.models.paper import Algorithm, Figure, Table
from kg.models.record import PaperRecord
from kg.models.technique import TechniqueTree
from kg.store import Store
from kg.verdicts.logs import LogStore
from kg.write import remove_paper, write_paper

pytestmark = pytest.mark.db


def of_kinds(**kinds: str) -> PaperRecord:
    """A paper with a technique of each name and kind."""
    items = tuple(technique(name, kind=kind) for name, kind in kinds.items())
    record = paper()
    return record.model_copy(update={"techniques": TechniqueTree(items=items), "groundings": (), "vectors": None})


def labelled(connection: Connection, label: str) -> list[str]:
    return sorted(ask(connection, f"MATCH (t:Technique:{label}) RETURN t.name"))


@pytest.fixture
def disordered(blank_connection: Connection) -> Store:
    """A graph whose database knows the second labels from before the first ones."""
    ask(blank_connection, "CREATE (n:Finding:Resource:CitedWork) DELETE n RETURN 1")
    store = Store(blank_connection)
    migrate(store)
    return store


def test_findings_and_resources_say_so_beside_technique(
    disordered: Store, blank_connection: Connection, tmp_path: Path
) -> None:
    store, connection = disordered, blank_connection
    record = of_kinds(Sampler="technique", Faster="finding", Corpus="resource")
    added = write_paper(store, record).nodes_added
    assert (len(added["Technique"]), "Finding" in added) == (3, False)
    assert (labelled(connection, "Finding"), labelled(connection, "Resource")) == (["Faster"], ["Corpus"])
    assert ask(connection, "MATCH (t:Technique) RETURN count(t)") == [3]
    assert graph_stats(store).nodes["Technique"] == 3
    again = write_paper(store, record)
    assert (again.empty, again.moved) == (True, 0)
    assert audit_graph(store) == ()
    logs = LogStore(tmp_path / "logs")
    before = export_graph(store, tmp_path / "before.jsonl", logs=logs)
    import_graph(store, tmp_path / "before.jsonl", "replace", logs=logs)
    assert (labelled(connection, "Finding"), labelled(connection, "Resource")) == (["Faster"], ["Corpus"])
    assert export_graph(store, tmp_path / "after.jsonl", logs=logs).sha256 == before.sha256
    remove_paper(store, record.paper.id)
    assert ask(connection, "MATCH (t) WHERE t:Technique OR t:Finding OR t:Resource RETURN t") == []


def test_what_a_technique_is_no_more_it_is_not_called(store: Store, connection: Connection) -> None:
    write_paper(store, of_kinds(Sampler="technique", Faster="finding"))
    changes = write_paper(store, of_kinds(Sampler="resource", Faster="technique"))
    assert len(changes.nodes_changed["Technique"]) == 2
    assert (labelled(connection, "Finding"), labelled(connection, "Resource")) == ([], ["Sampler"])


def test_what_stands_in_a_section_hangs_on_an_edge_named_for_it(store: Store, connection: Connection) -> None:
    record, at = paper(), {"file": "main.tex", "section": "s1", "env": "float", "latex": "x"}
    floats = {
        "algorithms": (Algorithm(id="alg/1", **at, start=60, end=90),),
        "figures": (Figure(id="fig/1", **at, start=91, end=95),),
        "tables": (Table(id="tab/1", **at, start=96, end=99),),
    }
    write_paper(store, record.model_copy(update={"doc": record.doc.model_copy(update=floats)}))
    assert sorted(ask(connection, "MATCH ()-[r]->(n:Section) WHERE r.order > 0 RETURN type(r)")) == ["HAS_SECTION"] * 2
    ends = "MATCH (s:Section)-[r]->(n) WHERE r.order > 0 AND NOT n:Section RETURN type(r) + ' ' + labels(n)[0]"
    assert sorted(ask(connection, ends)) == [
        "HAS_ALGORITHM Algorithm", "HAS_EQUATION Equation", "HAS_FIGURE Figure", "HAS_TABLE Table"
    ]  # fmt: skip
    assert audit_graph(store) == ()


@pytest.mark.parametrize(
    ("node", "labels"),
    [
        ("arxiv:1706.03762", {"Paper", "CitedWork"}),
        ("arxiv:math.GT/0309136", {"Paper", "CitedWork"}),
        ("doi:10.1002/(sici)1@4571:8<693::aid>3.0.co;2-o", {"Paper", "CitedWork"}),
        ("local:pagerank", {"Paper", "CitedWork"}),
        ("local:pagerank#s/1", PIECES),
        ("local:pagerank#eq/eq:push#2", PIECES),
        ("local:pagerank#t/forward-push", {"Technique"}),
        ("local:pagerank#c/0123", {"Code"}),
        ("folder:pagerank", {"Repository"}),
        ("github:Owner/name.js", {"Repository"}),
        ("folder:pagerank@sha256-0:a b@c/x.py#f", {"Code"}),
        ("github:o/n@c1:x.py#C.f~rewrite", {"Code"}),
        ("run:01", {"Run"}),
        ("pagerank", set()),
        ("local:", set()),
    ],
)
def test_the_form_of_an_id_tells_its_label(node: str, labels: set[str]) -> None:
    assert labels_of(node) == labels


def test_a_folders_repository_and_its_code_are_found_under_the_ids_that_they_had() -> None:
    assert present_id("Repository", "local:r") == "folder:r"
    assert present_id("Code", "local:r@c1:a.py#f") == "folder:r@c1:a.py#f"
    kept = [("Code", "local:p#c/01"), ("Code", "github:o/r@c1:local:r@c"), ("Paper", "local:r"), ("Run", "local:r")]
    assert [present_id(label, node) for label, node in kept] == [node for _, node in kept]
    assert node_key("CitedWork", "local:w") == node_key("Paper", "local:w") != node_key("Repository", "local:w")

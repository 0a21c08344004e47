"""Graphs and backups of former forms: brought along by migrations, and read by imports.

`old_forms/migration_N.jsonl` are exports of one of the examples each, as they were written with so many migrations,
without their vectors and seals; that of seven, techniques of a model's, without the code that is asserted for none.
"""

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from store_records import paper
from test_store_write import ask

import cypher
from kg.audit import audit_graph
from kg.backup import export_graph, import_graph
from kg.backup.foreign import line_statement, whole_statement
from kg.backup.format import dump, unpack
from kg.connection import Connection
from kg.migrations import migrate
from kg.models.labels import labels_of
from kg.results.backup import RestoredEdges, RestoredNode
from kg.results.show import ImplementationRow
from kg.store import Store
from kg.verdicts.logs import LogStore
from kg.verdicts.seals import open_seals
from kg.write import remove_paper, write_paper

pytestmark = pytest.mark.db

FORMS = Path(__file__).parent / "old_forms"
OLD, LATER = FORMS / "migration_4.jsonl", FORMS / "migration_7.jsonl"
GAUSS = "local:pagerank#t/gauss-seidel-sweeps"


@pytest.fixture
def logs(tmp_path: Path) -> LogStore:
    return LogStore(tmp_path / "logs")


def sealed(store: Store, logs: LogStore, file: Path, old: Path = OLD) -> Path:
    """The old file as this home would have written it."""
    seals = open_seals(store, logs.folder)
    header, *lines = old.read_bytes().splitlines(keepends=True)
    items = [json.loads(line) for line in lines[:-1]]
    whole = header + b"".join(dump({**item, "seal": seals.make(*line_statement(item))}) for item in items)
    sha256 = hashlib.sha256(whole).hexdigest()
    file.write_bytes(whole + dump({"sha256": sha256, "seal": seals.make(*whole_statement(sha256))}))
    return file


def check_ids(connection: Connection) -> None:
    """No id is of two nodes, and each is one of its label's."""
    nodes = "MATCH (n) WHERE NOT n:Migration AND NOT n:Lock AND NOT n:IndexInfo RETURN [labels(n), n.id]"
    ids = [(labels, node) for labels, node in ask(connection, nodes) if "Concept" not in labels]
    assert len({node for _, node in ids}) == len(ids)
    assert [node for labels, node in ids if not labels_of(node) & {*labels}] == []
    assert ask(connection, "MATCH (c:Code)-[:FROM_REPOSITORY]->(r) WHERE c.repository <> r.id RETURN c.id") == []


def check(store: Store, connection: Connection) -> None:
    """What the old graph said, in the present form."""
    rows = {row.rank: row for row in store.rows(ImplementationRow, id=GAUSS) if row.standing != "asserted"}
    first = {"adjacency": 0.0, **rows[1].why}
    assert sum(first.values()) == pytest.approx(1, abs=0.05)
    assert ask(connection, "MATCH ()-[r]->() WHERE r.why IS NOT NULL RETURN count(r)") == [0]
    assert sorted(ask(connection, "MATCH (:Run)-[:MADE]->(n) RETURN n.id")) == ["folder:pagerank", "local:pagerank"]
    check_ids(connection)
    assert ask(connection, "SHOW INDEXES YIELD name WHERE name = 'equation_text' RETURN name") == ["equation_text"]
    assert [fault for fault in audit_graph(store) if fault.severity == "error"] == []


def said(item: dict[str, Any]) -> dict[str, Any]:
    return {key: unpack(value) for key, value in item["properties"].items()}


def as_it_was(connection: Connection, file: Path) -> Store:
    """A graph of the old form: so many migrations, and what the file says as it stands there."""
    header, *lines = map(json.loads, file.read_bytes().splitlines())
    store = Store(connection)
    for one in cypher.migrations()[: header["migration"]]:
        for statement in one.statements:
            store.statement(statement)
        about = {"number": one.number, "name": one.name, "checksum": one.checksum}
        store.write("schema/record_migration", id=f"{one.number:04}", **about)
    items = lines[:-1]
    nodes = [
        {"label": item["node"], "properties": {**said(item), "id": item["id"]}, "vector": None}
        for item in items
        if "node" in item
    ]
    elements = {(row.label, row.id): row.element for row in store.write_rows(RestoredNode, rows=nodes)}
    edges = [
        {
            **{end: elements[item[end][0], item[end][1]] for end in ("start", "end")},
            "type": item["edge"],
            "properties": said(item),
        }
        for item in items
        if "edge" in item
    ]
    assert store.write_rows(RestoredEdges, rows=edges)[0].created == len(edges)
    return store


def test_a_graph_of_the_old_form_is_brought_along(blank_connection: Connection) -> None:
    old = as_it_was(blank_connection, OLD)
    assert ask(blank_connection, "MATCH ()-[r]->() WHERE r.why STARTS WITH '{' RETURN count(r) > 40") == [True]
    assert [m.number for m in migrate(old)] == [m.number for m in cypher.migrations()[4:]]
    check(old, blank_connection)
    assert remove_paper(old, "local:pagerank").nodes_removed["Run"]


def test_an_export_of_the_old_form_is_imported(
    store: Store, connection: Connection, logs: LogStore, tmp_path: Path
) -> None:
    report = import_graph(store, sealed(store, logs, tmp_path / "old.jsonl"), logs=logs)
    assert (report.whole, report.foreign_nodes, report.nodes_added) == (True, 0, 66)
    check(store, connection)
    exported = export_graph(store, tmp_path / "new.jsonl", include_unlicensed=True, logs=logs)
    import_graph(store, tmp_path / "new.jsonl", "replace", logs=logs)
    again = export_graph(store, tmp_path / "again.jsonl", include_unlicensed=True, logs=logs)
    assert exported.sha256 == again.sha256


def check_later(store: Store, connection: Connection) -> None:
    """What the graph of seven migrations said, in the present form."""
    check_ids(connection)
    assert ask(connection, "MATCH (t:Technique:Finding) RETURN count(t)") == [4]
    assert ask(connection, "MATCH (t:Technique:Resource) RETURN count(t)") == [1]
    assert ask(connection, "MATCH (t:Technique) RETURN count(t)") == [30]
    assert ask(connection, "MATCH (t) WHERE (t:Finding OR t:Resource) AND NOT t:Technique RETURN t") == []
    works = "MATCH (w:Paper|CitedWork) RETURN labels(w)[0] + ' ' + w.status"
    assert Counter(ask(connection, works)) == {"Paper ingested": 1, "CitedWork cited": 6}
    assert ask(connection, "MATCH (:Paper)-[:CITES]->(w:CitedWork) RETURN count(w)") == [6]
    assert ask(connection, "MATCH ()-[:HAS_SECTION]->(n) RETURN DISTINCT labels(n)[0]") == ["Section"]
    pieces = "MATCH ()-[r:HAS_EQUATION|HAS_ALGORITHM|HAS_TABLE]->(n) RETURN type(r) + labels(n)[0]"
    assert Counter(ask(connection, pieces)) == {
        "HAS_EQUATIONEquation": 4,
        "HAS_ALGORITHMAlgorithm": 1,
        "HAS_TABLETable": 1,
    }
    assert [fault for fault in audit_graph(store) if fault.severity == "error"] == []


def test_a_graph_of_seven_migrations_is_brought_along(blank_connection: Connection) -> None:
    old = as_it_was(blank_connection, LATER)
    assert [m.number for m in migrate(old)] == [m.number for m in cypher.migrations()[7:]]
    check_later(old, blank_connection)
    assert remove_paper(old, "local:heavy-hitters").nodes_removed["Technique"]
    assert ask(blank_connection, "MATCH (n) WHERE NOT n:Migration AND NOT n:Lock RETURN labels(n)") == []


def test_an_export_with_seven_migrations_is_imported(
    store: Store, connection: Connection, logs: LogStore, tmp_path: Path
) -> None:
    old = sealed(store, logs, tmp_path / "old.jsonl", LATER)
    report = import_graph(store, old, logs=logs)
    assert (report.whole, report.foreign_nodes, report.nodes_added) == (True, 0, 70)
    check_later(store, connection)
    exported = export_graph(store, tmp_path / "new.jsonl", include_unlicensed=True, logs=logs)
    assert import_graph(store, old, "merge", logs=logs).nodes_added == 0
    check_later(store, connection)
    import_graph(store, tmp_path / "new.jsonl", "replace", logs=logs)
    again = export_graph(store, tmp_path / "again.jsonl", include_unlicensed=True, logs=logs)
    assert exported.sha256 == again.sha256


def test_an_export_of_another_home_asserts_nothing(store: Store, connection: Connection, logs: LogStore) -> None:
    report = import_graph(store, OLD, logs=logs)
    assert report.foreign_edges > 100
    assert ask(connection, "MATCH ()-[r:IMPLEMENTED_BY]->() RETURN count(r)") == [0]
    assert ask(connection, "MATCH ()-[r]->() WHERE ANY(k IN keys(r) WHERE k STARTS WITH 'why') RETURN count(r)") == [0]


def test_migrations_change_nothing_of_the_present_form(store: Store, logs: LogStore, tmp_path: Path) -> None:
    write_paper(store, paper(1))
    before = export_graph(store, tmp_path / "before.jsonl", logs=logs)
    for migration in cypher.migrations():
        for statement in migration.statements:
            store.statement(statement)
    assert export_graph(store, tmp_path / "after.jsonl", logs=logs).sha256 == before.sha256

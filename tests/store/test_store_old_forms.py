"""Graphs and backups of former forms: brought along by migrations, and read by imports.

`old_forms/migration_4.jsonl` is an export of one of the examples, as it was written with four migrations, without its
vectors and seals.
"""

import hashlib
import json
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
from kg.results.backup import RestoredEdges, RestoredNode
from kg.results.show import ImplementationRow
from kg.store import Store
from kg.verdicts.logs import LogStore
from kg.verdicts.seals import open_seals
from kg.write import remove_paper, write_paper

pytestmark = pytest.mark.db

OLD = Path(__file__).parent / "old_forms" / "migration_4.jsonl"
GAUSS = "local:pagerank#t/gauss-seidel-sweeps"


@pytest.fixture
def logs(tmp_path: Path) -> LogStore:
    return LogStore(tmp_path / "logs")


def sealed(store: Store, logs: LogStore, file: Path) -> Path:
    """The old file as this home would have written it."""
    seals = open_seals(store, logs.folder)
    header, *lines = OLD.read_bytes().splitlines(keepends=True)
    items = [json.loads(line) for line in lines[:-1]]
    whole = header + b"".join(dump({**item, "seal": seals.make(*line_statement(item))}) for item in items)
    sha256 = hashlib.sha256(whole).hexdigest()
    file.write_bytes(whole + dump({"sha256": sha256, "seal": seals.make(*whole_statement(sha256))}))
    return file


def check(store: Store, connection: Connection) -> None:
    """What the old graph said, in the present form."""
    rows = {row.rank: row for row in store.rows(ImplementationRow, id=GAUSS) if row.standing != "asserted"}
    first = {"adjacency": 0.0, **rows[1].why}
    assert sum(first.values()) == pytest.approx(1, abs=0.05)
    assert ask(connection, "MATCH ()-[r]->() WHERE r.why IS NOT NULL RETURN count(r)") == [0]
    assert sorted(ask(connection, "MATCH (:Run)-[:MADE]->(n) RETURN n.id")) == ["local:pagerank"] * 2
    assert ask(connection, "SHOW INDEXES YIELD name WHERE name = 'equation_text' RETURN name") == ["equation_text"]
    assert [fault for fault in audit_graph(store) if fault.severity == "error"] == []


def said(item: dict[str, Any]) -> dict[str, Any]:
    return {key: unpack(value) for key, value in item["properties"].items()}


@pytest.fixture
def old(blank_connection: Connection) -> Store:
    """A graph of the old form: four migrations, and what the file says as it stands there."""
    store = Store(blank_connection)
    for one in cypher.migrations()[:4]:
        for statement in one.statements:
            store.statement(statement)
        about = {"number": one.number, "name": one.name, "checksum": one.checksum}
        store.write("schema/record_migration", id=f"{one.number:04}", **about)
    items = [json.loads(line) for line in OLD.read_bytes().splitlines()[1:-1]]
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


def test_a_graph_of_the_old_form_is_brought_along(old: Store, blank_connection: Connection) -> None:
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

"""The graph in one file: exact there and back, refused when damaged, safe when interrupted."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from store_records import paper

import kg.backup.importing
from kg.backup import export_graph, import_graph
from kg.connection import Connection
from kg.errors import InputError, ServiceError
from kg.models.record import PaperRecord
from kg.store import Store
from kg.verdicts import LogStore
from kg.write import write_paper

pytestmark = pytest.mark.db


def unlicensed(record: PaperRecord) -> PaperRecord:
    """The same paper, its code without a licence."""
    home = record.repository
    assert home
    units = tuple(unit.model_copy(update={"licence": None}) for unit in record.units)
    return record.model_copy(update={"units": units, "repository": home.model_copy(update={"licence": None})})


@pytest.fixture
def logs(tmp_path: Path) -> LogStore:
    return LogStore(tmp_path / "logs")


@pytest.fixture
def backup(store: Store, logs: LogStore, tmp_path: Path) -> Path:
    """A backup of two papers; the graph is still there."""
    write_paper(store, paper(1))
    write_paper(store, paper(2))
    export_graph(store, tmp_path / "graph.jsonl", logs=logs)
    return tmp_path / "graph.jsonl"


def wipe(connection: Connection) -> None:
    connection.driver.execute_query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n")


def test_export_import_export_is_the_same_file(
    store: Store, logs: LogStore, connection: Connection, backup: Path
) -> None:
    wipe(connection)
    report = import_graph(store, backup, logs=logs)
    again = export_graph(store, backup.with_name("again.jsonl"), logs=logs)
    assert backup.with_name("again.jsonl").read_bytes() == backup.read_bytes()
    assert (report.nodes_added + 1, report.edges_added) == (again.nodes, again.edges)
    assert write_paper(store, paper(1)).empty


def test_vectors_come_back_as_32_bit_floats(store: Store, logs: LogStore, connection: Connection, backup: Path) -> None:
    wipe(connection)
    import_graph(store, backup, logs=logs)
    rows, _, _ = connection.driver.execute_query(
        "MATCH (t:Technique) WHERE t.embedding IS NOT NULL WITH t LIMIT 1 "
        "CALL db.index.vector.queryNodes('technique_vector', 1, t.embedding) YIELD node, score "
        "RETURN node.id = t.id AS same, score"
    )
    assert rows[0]["same"]
    assert rows[0]["score"] == pytest.approx(1.0, abs=0.01)


def test_a_graph_that_is_not_empty_needs_a_word(store: Store, logs: LogStore, backup: Path) -> None:
    before = backup.read_bytes()
    with pytest.raises(InputError, match="not empty"):
        import_graph(store, backup, logs=logs)
    assert import_graph(store, backup, "merge", logs=logs).nodes_added == 0
    assert import_graph(store, backup, "replace", logs=logs).nodes_added > 0
    export_graph(store, backup, logs=logs)
    assert backup.read_bytes() == before


def test_merge_adds_what_is_missing_and_keeps_what_is_there(
    store: Store, logs: LogStore, connection: Connection, backup: Path
) -> None:
    before = backup.read_bytes()
    connection.driver.execute_query("MATCH (t:Technique {name: 'Paper 2 Method'}) DETACH DELETE t")
    connection.driver.execute_query("MATCH (p:Paper {id: 'arxiv:2001.00001'}) SET p.title = 'kept'")
    report = import_graph(store, backup, "merge", logs=logs)
    assert report.nodes_added == 1
    assert report.edges_added > 1
    connection.driver.execute_query(
        "MATCH (p:Paper {id: 'arxiv:2001.00001'}) WITH p, p.title AS title "
        "SET p.title = 'Title of paper number 1 of this corpus' RETURN title"
    )
    export_graph(store, backup, logs=logs)
    assert backup.read_bytes() == before


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda raw: raw[: len(raw) // 2],
    "cut at a line": lambda raw: b"".join(raw.splitlines(keepends=True)[:-1]),
    "one byte": lambda raw: raw.replace(b"Reservoir", b"Reservois", 1),
    "a line less": lambda raw: b"".join(raw.splitlines(keepends=True)[:5] + raw.splitlines(keepends=True)[6:]),
    "something after it": lambda raw: raw + b"{}\n",
    "empty": lambda raw: b"",
    "not JSON": lambda raw: b"\x00\xff" + raw,
    "deep": lambda raw: b"[" * 200_000 + raw,
    "newer": lambda raw: raw.replace(b'"migration":', b'"migration":9', 1),
    "another format": lambda raw: raw.replace(b"xkg-graph/1", b"xkg-graph/9", 1),
    "an unknown label": lambda raw: raw.replace(b'"node":"Paper"', b'"node":"Migration"', 1),
    "a list": lambda raw: b"[1]\n" + raw,
}


def with_a_value(value: object, name: str = "slug") -> Callable[[bytes], bytes]:
    """Another value of a property of the first node, and the checksum that fits."""

    def changed(raw: bytes) -> bytes:
        lines = raw.splitlines(keepends=True)
        node, end = json.loads(lines[1]), json.loads(lines[-1])
        node["properties"][name] = value
        lines[1] = json.dumps(node).encode() + b"\n"
        end["sha256"] = hashlib.sha256(b"".join(lines[:-1])).hexdigest()
        return b"".join([*lines[:-1], json.dumps(end).encode() + b"\n"])

    return changed


DAMAGES |= {
    "an integer of more than 64 bits": with_a_value(10**40),
    "half a character": with_a_value("a\ud800b"),
    "half a character in a list": with_a_value(["a\ud800b"]),
    "a list of several kinds": with_a_value(["a", 1]),
    "a list of nothing": with_a_value([None]),
    "a list of lists": with_a_value([["a"]]),
    "a key that no index takes": with_a_value("a" * 9_000),
    "a text for a line": with_a_value("twelve", "line"),
    "a truth for a line": with_a_value(True, "line"),
    "a number for an alias": with_a_value([1, 2], "aliases"),
    "a text for a share": with_a_value("0.5", "score"),
    "a number for a name": with_a_value(7, "name"),
}


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_file_leaves_the_graph_alone(how: str, store: Store, logs: LogStore, backup: Path) -> None:
    damaged = backup.with_name("damaged.jsonl")
    damaged.write_bytes(DAMAGES[how](backup.read_bytes()))
    with pytest.raises(InputError, match=r"damaged\.jsonl") as caught:
        import_graph(store, damaged, "replace", logs=logs)
    assert "nothing was changed" in str(caught.value)
    export_graph(store, damaged, logs=logs)
    assert damaged.read_bytes() == backup.read_bytes()


def test_a_missing_file_is_an_input_error(store: Store, logs: LogStore, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing"):
        import_graph(store, tmp_path / "nothing.jsonl", logs=logs)
    with pytest.raises(InputError, match="can't be written"):
        export_graph(store, tmp_path / "no folder" / "graph.jsonl", logs=logs)


def test_an_interrupted_import_stops_writers_and_goes_on(
    store: Store, logs: LogStore, connection: Connection, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wipe(connection)
    real = store.write

    def broken(name: str, **params: object) -> object:
        if name == "backup/create_edges":
            raise KeyboardInterrupt
        return real(name, **params)

    monkeypatch.setattr(kg.backup.importing, "NODE_BATCH", 10)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(store, "write", broken)
        import_graph(store, backup, logs=logs)
    with pytest.raises(ServiceError, match="import"):
        write_paper(store, paper(3))
    import_graph(store, backup, logs=logs)
    again = backup.with_name("again.jsonl")
    export_graph(store, again, logs=logs)
    assert again.read_bytes() == backup.read_bytes()
    assert not write_paper(store, paper(3)).empty


def test_text_without_a_licence_stays_here_unless_told(
    store: Store, logs: LogStore, connection: Connection, tmp_path: Path
) -> None:
    record, plain, full = unlicensed(paper(1)), tmp_path / "plain.jsonl", tmp_path / "full.jsonl"
    write_paper(store, record)
    assert export_graph(store, plain, logs=logs).bodies_left_out == 4
    assert export_graph(store, full, include_unlicensed=True, logs=logs).bodies_left_out == 0
    assert b"def run(" not in plain.read_bytes()
    assert b"def run(" in full.read_bytes()
    wipe(connection)
    import_graph(store, full, logs=logs)
    export_graph(store, tmp_path / "again.jsonl", include_unlicensed=True, logs=logs)
    assert (tmp_path / "again.jsonl").read_bytes() == full.read_bytes()
    import_graph(store, plain, "replace", logs=logs)
    export_graph(store, tmp_path / "again.jsonl", include_unlicensed=True, logs=logs)
    assert (tmp_path / "again.jsonl").read_bytes() == plain.read_bytes()
    assert set(write_paper(store, record).nodes_changed) == {"Code"}
    export_graph(store, tmp_path / "again.jsonl", include_unlicensed=True, logs=logs)
    assert (tmp_path / "again.jsonl").read_bytes() == full.read_bytes()


def test_the_file_is_sorted_json_lines(backup: Path) -> None:
    lines = [json.loads(line) for line in backup.read_text(encoding="utf-8").splitlines()]
    nodes = [(line["node"], line["id"]) for line in lines if "node" in line]
    edges = [(line["edge"], line["start"], line["end"]) for line in lines if "edge" in line]
    assert nodes == sorted(nodes)
    assert edges == sorted(edges)
    assert (lines[0]["nodes"], lines[0]["edges"]) == (len(nodes), len(edges))

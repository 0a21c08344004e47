"""The list of what a home has taken back: whoever shortens or alters it brings no verdict back."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from judgements import RUN, STEP, ask, verdict, verify
from store_records import paper
from test_takebacks import Graph, changed, unfounded

from kg.audit import audit_graph
from kg.backup import export_graph, import_graph
from kg.connection import Connection
from kg.store import Store
from kg.verdicts import LogStore
from kg.verdicts.seals import Seals
from kg.write import write_paper

db = pytest.mark.db


@pytest.fixture
def graph(store: Store, connection: Connection, logs: LogStore) -> Graph:
    """RUN is verified."""
    write_paper(store, paper(), logs=logs)
    verify(store, connection, logs)
    return store, connection, logs


def emptied(notes: Path) -> None:
    notes.write_text("")


def altered(notes: Path) -> None:
    """One digit of each line but the seals."""
    lines = notes.read_text().splitlines(keepends=True)
    notes.write_text("".join(f"{'0' * 20}{li[20:]}" if li.strip() and "sealed" not in li else li for li in lines))


def unsealed_end(notes: Path) -> None:
    """The last batch without what it says, its seal put to the end."""
    lines = notes.read_text().splitlines(keepends=True)
    notes.write_text("".join([*lines[:2], lines[-1]]))


AMISS: dict[str, Callable[[Path], None]] = {
    "it is gone": Path.unlink, "it is empty": emptied, "its lines are altered": altered,
    "its end is cut, but for the seal": unsealed_end,
}  # fmt: skip


def lost(graph: Graph) -> list[tuple[str, str]]:
    """What the audit says of the list."""
    found = audit_graph(graph[0], logs=graph[2])
    return [(f.severity, f.id) for f in found if f.check == "lost notes"]


def wiped(graph: Graph) -> None:
    ask(graph[1], "MATCH (n) WHERE NOT n:Migration DETACH DELETE n RETURN 1")


@db
@pytest.mark.parametrize("how", AMISS)
@pytest.mark.parametrize("mode", ["replace", "merge"])
def test_an_old_export_brings_nothing_back_where_notes_are_missing(
    mode: Any,
    how: str,
    graph: Graph,
    tmp_path: Path,
) -> None:
    store, connection, logs = graph
    notes = logs.folder / "taken-back"
    verify(store, connection, logs, STEP)
    export_graph(store, tmp_path / "old.jsonl", logs=logs)
    changed(graph)
    AMISS[how](notes)
    assert lost(graph) == [("error", str(notes))]
    report = import_graph(store, tmp_path / "old.jsonl", mode, logs=logs)
    said, why = verdict(connection, RUN)
    if mode == "replace":
        assert (report.demoted, said) == ({"lost notes": 2}, "unverified")
        assert str(notes) in why and "bring the file back from a backup, or run `xkg code verify --all --force`" in why
    else:
        assert (report.demoted, said) == ({"lost notes": 1}, "stale"), "the graph's own are for the audit"
        assert [code for code, _ in unfounded(graph)] == [STEP]
    assert lost(graph) == [("error", str(notes))], "an import heals nothing"


@db
def test_what_is_judged_after_a_loss_counts_and_nothing_from_before(graph: Graph, tmp_path: Path) -> None:
    store, connection, logs = graph
    notes = logs.folder / "taken-back"
    export_graph(store, tmp_path / "old.jsonl", logs=logs)
    changed(graph)
    notes.unlink()
    verify(store, connection, logs, STEP)
    assert lost(graph) == []
    assert (verdict(connection, STEP)[0], unfounded(graph)) == ("verified", [])
    report = import_graph(store, tmp_path / "old.jsonl", "replace", logs=logs)
    assert report.demoted == {"taken back": 1}, "the next judgement has not hidden what is missing"
    assert verdict(connection, RUN)[0] == "unverified"


@db
def test_a_kill_between_note_and_graph_is_no_loss(graph: Graph) -> None:
    """Nor is the half of a line, nor what another graph of this home has noted."""
    store, connection, logs = graph
    notes = logs.folder / "taken-back"
    Seals(logs.folder, "another").note([], [RUN])
    with notes.open("a") as file:
        file.write(f"\n{'1' * 20} {'1' * 7}")
    assert (lost(graph), unfounded(graph)) == ([], [])
    verify(store, connection, logs, STEP)
    assert (lost(graph), unfounded(graph)) == ([], [])


@db
def test_neither_a_new_home_nor_a_restored_graph_lacks_notes(graph: Graph, tmp_path: Path) -> None:
    store, connection, logs = graph
    export_graph(store, tmp_path / "now.jsonl", logs=logs)
    wiped(graph)
    assert import_graph(store, tmp_path / "now.jsonl", logs=logs).demoted == {}
    assert (verdict(connection, RUN)[0], unfounded(graph), lost(graph)) == ("verified", [], [])
    fresh = LogStore(tmp_path / "fresh")
    assert lost((store, connection, fresh)) == []
    write_paper(store, paper(), logs=fresh)
    assert lost((store, connection, fresh)) == []
    wiped(graph)
    import_graph(store, tmp_path / "now.jsonl", logs=logs)
    (logs.folder / "taken-back").unlink()
    assert lost(graph), "a restored graph knows again what was noted"


@db
def test_a_home_without_its_former_key_starts_anew(graph: Graph) -> None:
    store, connection, logs = graph
    (logs.folder / "key").unlink()
    verify(store, connection, logs)
    assert (lost(graph), unfounded(graph)) == ([], [])


def test_notes_of_an_earlier_version_count_and_are_sealed_with_the_next(tmp_path: Path) -> None:
    seals = Seals(tmp_path)
    number = seals.new_number()
    seals.notes.write_text(f"\n{number} {number}\n")
    old = f"k:{number}:s"
    assert seals.taken_back(old, RUN) and not seals.lost_notes
    last = seals.note([f"k:{seals.new_number()}:s"])
    kept = seals.notes.read_text()
    assert not Seals(tmp_path, anchors=[last]).lost_notes
    seals.notes.write_text(kept.replace(number, "0" * 20))
    assert Seals(tmp_path, anchors=[last]).lost_notes
    seals.notes.write_text(kept)
    assert Seals(tmp_path, anchors=[last]).taken_back(old, RUN)

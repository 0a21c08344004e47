"""kill -9 of the database server in the middle of a write: it opens again, nothing is half, a resume completes it."""

from pathlib import Path

import psutil
import pytest
from crash_child import counting, ingest
from crash_points import statements

import kg.connection
from kg.backup import export_graph
from kg.config import load_settings
from kg.errors import DatabaseError
from kg.opening import open_store
from kg.server import LocalServer
from kg.store import Store, Transaction

pytestmark = [pytest.mark.db, pytest.mark.crash, pytest.mark.timeout(1800)]

KILLS, KILLS_OF_A_SOAK = 3, 12


def exported(store: Store, file: Path) -> bytes:
    export_graph(store, file, include_unlicensed=True)
    return file.read_bytes()


def test_kills_of_the_server_then_a_resume_give_the_same_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, soak: bool
) -> None:
    settings = load_settings().replace(home=tmp_path / "home")
    server, last = LocalServer(settings), 0
    monkeypatch.setattr(kg.connection, "_RETRY_SECONDS", 1.0)  # else the driver asks a dead server for half a minute

    def count(number: int, _done: bool) -> None:
        nonlocal last
        last = number

    try:
        with open_store(settings) as store:
            with monkeypatch.context() as patch:
                patch.setattr(Transaction, "run", counting(Transaction.run, count))
                ingest(store)
            expected = exported(store, tmp_path / "expected.jsonl")
        parts = KILLS_OF_A_SOAK if soak else KILLS
        for point in statements(5, last // 4, last - 1, parts):
            with open_store(settings) as store:
                while store.write("backup/delete_some", limit=1000)[0]["deleted"]:
                    pass

            def kill(number: int, done: bool, point: int = point) -> None:
                if (number, done) == (point, True):
                    process = psutil.Process(server.ensure().server_pid)
                    process.kill()
                    process.wait(30)

            with monkeypatch.context() as patch:
                patch.setattr(Transaction, "run", counting(Transaction.run, kill))
                with pytest.raises(DatabaseError), open_store(settings) as store:
                    ingest(store)
            with open_store(settings) as store:
                ingest(store)
                assert exported(store, tmp_path / "again.jsonl") == expected, f"killed at statement {point}"
    finally:
        server.stop()

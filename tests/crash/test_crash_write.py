"""kill -9 of the writing process in every part of an ingest: run again, and the graph is the same, byte for byte."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from crash_child import counting, ingest
from crash_points import statements

from kg.backup import export_graph
from kg.config import Settings
from kg.connection import Connection
from kg.server import LocalServer
from kg.store import Store, Transaction

pytestmark = [pytest.mark.db, pytest.mark.crash, pytest.mark.timeout(1800)]

KILLS = 12
"""In as many parts of the ingest, half before the statement is sent and half after its answer; `--soak` tries all."""
CHILD = Path(__file__).parent / "crash_child.py"


def wipe(connection: Connection) -> None:
    connection.driver.execute_query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n")


def exported(store: Store, folder: Path) -> bytes:
    export_graph(store, folder / "graph.jsonl", include_unlicensed=True)
    return (folder / "graph.jsonl").read_bytes()


def killed(connection: Connection, password: str, point: int) -> int:
    """Run the child until `point`; its exit code."""
    done = subprocess.run(
        [sys.executable, str(CHILD), connection.uri, connection.username],
        input=f"{password}\n{point}", capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode


def whole_papers(connection: Connection) -> bool:
    """Whether every ingested paper has all its techniques and sections, and everything hangs on a paper."""
    rows, _, _ = connection.driver.execute_query(
        "MATCH (p:Paper {status: 'ingested'}) "
        "RETURN COUNT { (p)-[:HAS_SECTION]->() } = 1 AND COUNT { (p)-[:HAS_TECHNIQUE]->() } >= 2 "
        "AND COUNT { (p)-[:CITES]->() } >= 2 AS whole "
        "UNION ALL MATCH (n:Section|Technique|Code|Equation) WHERE NOT EXISTS { (n)--() } RETURN false AS whole"
    )
    return all(row["whole"] for row in rows)


def test_kills_then_a_resume_give_the_same_graph(
    connection: Connection, server_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, soak: bool
) -> None:
    store, last = Store(connection), 0

    def count(number: int, _done: bool) -> None:
        nonlocal last
        last = number

    with monkeypatch.context() as patch:
        patch.setattr(Transaction, "run", counting(Transaction.run, count))
        ingest(store)
    expected = exported(store, tmp_path)
    password = LocalServer(server_settings).home.secret().password
    if soak:
        points = list(range(2, 2 * last + 2))
    else:
        numbers = statements(20, 1, last, KILLS)
        points = [2 * number + turn % 2 for turn, number in enumerate(numbers)]
    died = 0
    for point in points:
        wipe(connection)
        died += killed(connection, password, point) != 0
        assert whole_papers(connection), f"half a paper after the kill at {point}"
        ingest(store)
        assert exported(store, tmp_path) == expected, f"another graph after the kill at {point}"
    assert died >= len(points) * 0.9

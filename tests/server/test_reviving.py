"""A server that has gone while an agent asks: it is told so, and its next question finds one."""

import time
from pathlib import Path

import psutil
import pytest
from starlette.testclient import TestClient

import kg.connection
from agents.tools import call
from agents.tools.context import open_context
from agents.tools.cypher import TOOLS_WITH_CYPHER
from explore.app import make_app
from explore.pages import Pages
from kg.config import load_settings
from kg.opening import revive
from kg.server import LocalServer

pytestmark = [pytest.mark.db, pytest.mark.timeout(600)]

FILLS = "WITH split($s, '') AS l RETURN size([x IN l | x + $s]) AS n"
"""Far more text than the heap below holds, within one expression."""


def test_a_server_is_started_again_for_the_next_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kg.connection, "_RETRY_SECONDS", 1.0)  # else the driver asks a dead server for half a minute
    settings = load_settings().replace(home=tmp_path / "home", server__heap="128m")
    server, searched = LocalServer(settings), {"query": "softmax"}
    try:
        with open_context(settings, unlicensed=True) as context:
            first = server.ensure().server_pid
            asked = {"statement": FILLS, "parameters": {"s": "x" * 20_000}}
            assert call(context, "read_cypher", asked, TOOLS_WITH_CYPHER).error
            until = time.monotonic() + 300
            while (second := server.find()) is None or second.server_pid == first:
                assert time.monotonic() < until, "nobody started it after the statement that took it away"
                time.sleep(0.5)
            assert call(context, "find_techniques", searched).ok
            process = psutil.Process(second.server_pid)
            process.kill()
            process.wait(30)
            gone = call(context, "find_techniques", searched).error
            assert gone is not None
            assert (gone.kind, gone.hint[:9]) == ("retry", "ask again")
            assert call(context, "find_techniques", searched).ok
            server.stop()
            pages = Pages(context.store, settings, context.embedder, "")
            with TestClient(make_app(pages, hosts=None)) as client:
                assert client.get("/").status_code == 200
    finally:
        server.stop()


def test_the_server_of_another_is_not_started(tmp_path: Path) -> None:
    elsewhere = load_settings().replace(home=tmp_path / "home", neo4j__uri="bolt://127.0.0.1:1")
    assert not revive(elsewhere)

"""A server that has gone while an agent asks: it is told so, and its next question finds one."""

from pathlib import Path

import psutil
import pytest

import kg.connection
from agents.tools import call
from agents.tools.context import open_context
from kg.config import load_settings
from kg.opening import revive
from kg.server import LocalServer

pytestmark = [pytest.mark.db, pytest.mark.timeout(300)]


def test_a_question_after_the_server_has_died(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kg.connection, "_RETRY_SECONDS", 1.0)  # else the driver asks a dead server for half a minute
    settings = load_settings().replace(home=tmp_path / "home")
    server = LocalServer(settings)
    try:
        with open_context(settings) as context:
            process = psutil.Process(server.ensure().server_pid)
            process.kill()
            process.wait(30)
            gone = call(context, "find_techniques", {"query": "softmax"})
            assert (gone.error and gone.error.kind, gone.error and gone.error.hint[:9]) == ("retry", "ask again"), gone
            assert call(context, "find_techniques", {"query": "softmax"}).ok
    finally:
        server.stop()


def test_the_server_of_another_is_not_started(tmp_path: Path) -> None:
    elsewhere = load_settings().replace(home=tmp_path / "home", neo4j__uri="bolt://127.0.0.1:1")
    assert not revive(elsewhere)

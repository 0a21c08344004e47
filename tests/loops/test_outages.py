"""Graph, sandbox or model go away in the middle of a run: it ends in a state of its own, and can go on."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from loops import replica
from loops.conftest import TARGET
from servers.model import ModelServer, Saying, status
from servers.relay import Relay, relay

from agents.loops import End, RunConfig, RunFolder, resume_run, start_run
from kg.config import Settings
from kg.errors import DatabaseError
from kg.opening import connect, locate

pytestmark = [pytest.mark.db, pytest.mark.sandbox]


def check_over(folder: RunFolder, end: End, why: str) -> None:
    assert (end.state, end.why, end.exit_code) == ("interrupted", why, 3), end
    assert folder.end() == end
    assert not [step for step in folder.steps() if (step.result.get("error") or {}).get("kind") == "give_up"]


def check_resumed(folder: RunFolder, settings: Settings, server: ModelServer, answers: int) -> None:
    end = resume_run(settings, folder)
    assert (end.state, end.why) == ("done", "tests pass"), end
    assert len(server.bodies) == answers, "no answer was paid twice"
    with connect(settings) as connection:
        query = "MATCH (r:Run {id: $id}) RETURN r.state AS state"
        rows = connection.driver.execute_query(query, id=folder.config.node).records
    assert [row["state"] for row in rows] == ["done"]


@contextmanager
def through_a_door(settings: Settings) -> Iterator[tuple[Relay, Settings]]:
    """A door to the graph that can be shut, and settings that go through it."""
    address = locate(settings)
    port = urlsplit(address.uri).port
    assert port is not None
    with relay(port) as door:
        uri = f"bolt://127.0.0.1:{door.port}"
        yield (
            door,
            settings.replace(neo4j__uri=uri, neo4j__username=address.username, neo4j__password=address.password),
        )


def test_the_graph_goes_away(settings: Settings, server: ModelServer) -> None:
    with through_a_door(settings) as (door, through):

        def say(body: dict[str, Any]) -> Saying:
            if len(server.bodies) == 2:
                door.shut()
            return replica.basic(body)

        server.say(say)
        config = RunConfig(id="", paper=TARGET, agent="basic")
        folder, end = start_run(through, config)
        check_over(folder, end, "no graph")
        assert "the database can't be used" in end.said
        with pytest.raises(DatabaseError):
            resume_run(through, folder)
        assert folder.end() == end, "it is as it was while the graph is gone"
        door.open()
        check_resumed(folder, through, server, 13)


def test_the_graph_goes_away_before_the_end_is_written(settings: Settings, server: ModelServer) -> None:
    with through_a_door(settings) as (door, through):

        def say(body: dict[str, Any]) -> Saying:
            if len(server.bodies) == 13:
                door.shut()
            return replica.basic(body)

        server.say(say)
        folder, end = start_run(through, RunConfig(id="", paper=TARGET, agent="basic"))
        check_over(folder, end, "no graph")
        door.open()
        check_resumed(folder, through, server, 13)


@pytest.mark.bwrap
def test_the_sandbox_goes_away(
    settings: Settings, server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = shutil.which("bwrap")
    assert found is not None
    place = tmp_path / "bin"
    place.mkdir()
    bwrap = Path(shutil.copy(found, place))
    path = os.environ["PATH"]
    monkeypatch.setenv("PATH", f"{place}{os.pathsep}{path}")

    def say(body: dict[str, Any]) -> Saying:
        if len(server.bodies) == 10:
            bwrap.unlink()
        return replica.basic(body)

    server.say(say)
    config = RunConfig(id="", paper=TARGET, agent="basic")
    folder, end = start_run(settings.replace(execution__sandbox="bubblewrap"), config)
    check_over(folder, end, "no sandbox")
    monkeypatch.setenv("PATH", path)
    check_resumed(folder, settings, server, 13)


def test_the_model_goes_away(settings: Settings, server: ModelServer) -> None:
    server.say(lambda body: status(401) if len(server.bodies) == 3 else replica.basic(body))
    folder, end = start_run(settings, RunConfig(id="", paper=TARGET, agent="basic"))
    check_over(folder, end, "no model")
    check_resumed(folder, settings, server, 14)

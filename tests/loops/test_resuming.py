"""What going on with a run may not lose: work under other limits, the folder, its node in the graph, what was paid."""

import json
from typing import Any

import pytest
from loops import replica
from loops.conftest import Replicate
from servers.model import ModelServer

from agents.loops import Limits, RunFolder, resume_run
from agents.loops.runs import find_run
from agents.loops.telling import report, told
from kg.config import Settings
from kg.errors import InputError
from kg.opening import connect

pytestmark = [pytest.mark.db, pytest.mark.sandbox]

WRITTEN = 8


def texts(folder: RunFolder) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.workspace.iterdir()}


def with_steps(folder: RunFolder, steps: int) -> RunFolder:
    return RunFolder(folder.path, folder.config.model_copy(update={"limits": Limits(steps=steps)}))


def test_limits_are_kept_and_take_nothing_back(replicate: Replicate, server: ModelServer, settings: Settings) -> None:
    server.say(replica.papercoder)
    folder, _ = replicate("papercoder", {"steps": 5})
    assert texts(folder) == {}
    end = resume_run(settings, with_steps(folder, WRITTEN))
    assert (end.state, end.why, len(server.bodies)) == ("stopped", "steps", WRITTEN)
    assert (before := texts(folder)) == replica.FILES
    known = find_run(settings, folder.config.id)
    assert known.config.limits.steps == WRITTEN
    for again in (known, with_steps(folder, 2)):
        end = resume_run(settings, again)
        assert (end.state, end.why, len(server.bodies)) == ("stopped", "steps", WRITTEN)
        assert texts(folder) == before, "a lower limit takes back nothing that was paid"


@pytest.mark.parametrize("left", [-3, -1], ids=["on the way", "at the end"])
def test_a_resume_that_is_refused_leaves_the_folder(
    replicate: Replicate, server: ModelServer, settings: Settings, left: int
) -> None:
    server.say(replica.papercoder)
    folder, _ = replicate("papercoder", {"steps": WRITTEN})
    lines = folder.trajectory.read_text().splitlines(keepends=True)
    steps = [json.loads(line) for line in lines]
    place = [number for number, step in enumerate(steps) if step["kind"] == "model"][left]
    steps[place]["asked"]["inputs"] = "of another paper"
    folder.trajectory.write_text("".join(f"{json.dumps(step)}\n" for step in steps))
    with pytest.raises(InputError, match="begin a new run"):
        resume_run(settings, folder)
    assert texts(folder) == replica.FILES
    assert [path.name for path in folder.path.iterdir() if path.is_dir()] == ["workspace"]


def test_a_run_that_is_over_comes_into_the_graph_by_resume(
    replicate: Replicate, server: ModelServer, settings: Settings
) -> None:
    server.say("no JSON at all")
    folder, end = replicate("papercoder")
    query = "MATCH (r:Run {id: $id}) RETURN properties(r) AS said"
    with connect(settings) as connection:
        (before,) = connection.driver.execute_query(query, id=folder.config.node).records
        connection.driver.execute_query("MATCH (r:Run {id: $id}) DETACH DELETE r", id=folder.config.node)
        with pytest.raises(InputError, match="over: failed"):
            resume_run(settings, folder)
        (after,) = connection.driver.execute_query(query, id=folder.config.node).records
    assert before["said"] == after["said"]
    assert after["said"]["why"] == end.why
    spent = report(folder)["spent"]
    assert (spent["calls"], spent["unanswered"]) == (0, 3)
    assert spent["tokens_in"] > 0
    assert float(spent["cost"]) > 0
    assert after["said"]["tokens_in"] == spent["tokens_in"], "replies that are no answers were paid, too"
    assert "3 calls without one" in told(folder)


@pytest.mark.parametrize("agent", ["papercoder", "iterative"])
def test_why_a_first_file_is_not_there_is_told(replicate: Replicate, server: ModelServer, agent: str) -> None:
    def say(body: dict[str, Any]) -> Any:
        said = replica.papercoder(body)
        long = {**said, "text": f"# {'é' * 100_000}\n"}
        return json.dumps(long, ensure_ascii=False) if said.get("text") == replica.BROKEN else said

    server.say(say)
    replicate(agent, {"repairs": 1})
    (first, *_) = [replica.user(body) for body in server.bodies if replica.kind(body) == "Mended"]
    assert "hitters.py would be too large" in first

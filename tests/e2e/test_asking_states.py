"""`xkg search --verify`, `xkg corpus plan` and `build` over a scripted model that fails, stops, limits, or sees them
killed: each ends in a named state, and the next goes on from there and pays for what is missing alone."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from servers.model import ModelServer
from servers.states import AWAY, BROKEN, Model, calls, spent

sys.path += [str(Path(__file__).parent.parent / room) for room in ("extract", "injection", "search")]
from injection_scene import CASES, EBB_LINE, chosen, said
from judged_papers import REBALANCING
from judging_model import SOUGHT, TASK, all_kept
from search_samples import repository_paper

import xkg
from kg.config import Settings
from kg.connection import Connection
from kg.embeddings import Embedder
from kg.embeddings.nodes import embed_record
from kg.errors import XkgError
from kg.store import Store
from kg.write import write_paper

pytestmark = [pytest.mark.e2e, pytest.mark.db, pytest.mark.timeout(600)]

SEARCH, PLAN, BUILD = "search", "plan", "build"
QUESTIONS = {
    SEARCH: ("Decomposition", "Reranking"),
    PLAN: ("RankedReferences",),
    BUILD: ("SaidTechniques", "SaidAgain", "Reply"),
}
"""What each command asks, in its order, by the forms of the answers."""
ASKED = [(command, question) for command, questions in QUESTIONS.items() for question in questions]
ONCE = {"a page", "a cut stream", "a storm of 429", "a hanging stream"}
"""What a build meets here of all that may go wrong; `test_judged_states` has the rest of its ingest."""
AGAIN = {"SaidTechniques", "SaidAgain", "Reply"}
"""Questions that are asked once more where the reply is no answer."""


def answer(form: str, body: dict[str, Any]) -> Any:
    """What a model says that does as it should."""
    if form == "Decomposition":
        return {"techniques": SOUGHT}
    if form == "Reranking":
        return all_kept(body)
    if form == "RankedReferences":
        return {"ranked": []}
    if form == "Reply":
        return chosen(body["messages"][1]["content"], EBB_LINE)
    return said() if form == "SaidTechniques" else {"entries": [REBALANCING.model_dump()], "excused": []}


@dataclass
class Scene:
    """One graph, one home and one model; a command by its name."""

    folder: Path
    home: Path
    model: Model
    variables: Callable[..., None]
    profile: dict[str, Any]

    def words(self, command: str) -> list[str]:
        if command == SEARCH:
            return ["search", TASK, "--verify", "--profile", "it"]
        if command == BUILD:
            return ["corpus", "build", str(self.folder / "corpus.toml"), "--profile", "it", "--jobs", "1"]
        target = str(self.folder / "examples/pagerank/paper")
        among = ["--among", str(self.folder / "examples/corpus.toml"), "--offline", "--profile", "it"]
        return ["corpus", "plan", target, *among, "--out", str(self.folder / "out.toml")]

    def run(self, command: str, **settings: object) -> Result:
        """The command's end; the errors of ours as their exit code."""
        given = {"LLM_PROFILES": json.dumps({"it": self.profile}), **settings}
        self.variables(**{f"XKG_{name.upper()}": str(value) for name, value in given.items()})
        done = CliRunner().invoke(xkg.cli, self.words(command))
        if isinstance(done.exception, XkgError):
            done.exit_code = done.exception.exit_code
        assert done.exception is None or isinstance(done.exception, XkgError | SystemExit), done.exception
        return done


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer().running() as running:
        yield running


@pytest.fixture
def scene(
    server: ModelServer, server_settings: Settings, emptied: Callable[[], Connection], examples: Path, tmp_path: Path,
    set_variables: Callable[..., None], embedder: Embedder,
) -> Scene:  # fmt: skip
    """A graph with a paper to be found, and a model that is not disturbed unless told."""
    store, found = Store(emptied()), repository_paper()
    write_paper(store, found.model_copy(update={"vectors": embed_record(found, embedder)}))
    store.read("schema/await_indexes", seconds=60)
    CASES["harmless"].write(tmp_path / "scene")
    (tmp_path / "corpus.toml").write_text('[tide]\npaper = "scene/paper"\nrepo = "scene/code"\n')
    profile = {
        "model": "scripted", "base_url": server.base_url, "timeout": 20, "tries": 2, "max_output_tokens": 2000,
        "replies": str(tmp_path / "replies"),
    }  # fmt: skip
    home = server_settings.home
    for kept in ("llm", "stages"):
        shutil.rmtree(home / kept, ignore_errors=True)
    set_variables(
        XKG_RETRY_WAIT="0.01", XKG_RETRY_TOTAL="3",
        XKG_LLM_PRICES=json.dumps({"scripted": {"input": 1, "output": 1}}),
    )  # fmt: skip
    model = Model(answer)
    server.say(model)
    return Scene(tmp_path, home, model, set_variables, profile)


def settled(scene: Scene) -> None:
    """The ledger is exact to the token, and nothing in it is open."""
    assert spent(scene.home) == scene.model.told
    assert all(call.settled for call in calls(scene.home))
    assert len(calls(scene.home)) == len(scene.model.asked)


def cases(names: Iterable[str]) -> list[tuple[str, str, str]]:
    return [(*asked, name) for asked in ASKED for name in names if asked[0] != BUILD or name in ONCE]


@pytest.mark.parametrize(("command", "question", "name"), cases(BROKEN))
def test_a_reply_that_is_no_answer(scene: Scene, command: str, question: str, name: str) -> None:
    scene.model.instead = {question: BROKEN[name]}
    done = scene.run(command)
    taken = {PLAN: 0, SEARCH: 4, BUILD: 0 if question == "SaidAgain" else 4}[command]
    assert done.exit_code == taken, done.output
    if command == PLAN:
        assert "warning: the references are ranked by rules alone: " in done.stderr
    if command == SEARCH:
        assert ("NOT JUDGED" in done.stdout) == (question == "Reranking")
    assert scene.model.asked.count(question) == (2 if question in AGAIN else 1)
    settled(scene)
    before, scene.model.instead = list(scene.model.asked), {}
    assert scene.run(command).exit_code == 0
    left = [one for one in QUESTIONS[command] if one == question or one not in before]
    if question == "SaidAgain":
        left = []  # what the first answers tell stands without it
    assert scene.model.asked[len(before) :][: len(left)] == left
    assert set(scene.model.asked[len(before) :]) <= {*left, "Reranking"}, "no answer is paid twice"
    settled(scene)


@pytest.mark.parametrize(("command", "question", "name"), cases(AWAY))
def test_a_model_that_is_not_there(scene: Scene, command: str, question: str, name: str) -> None:
    scene.model.instead = {question: AWAY[name]}
    scene.profile["timeout"] = 1
    done = scene.run(command)
    assert done.exit_code == (3 if command == PLAN else 4), done.output
    assert "scripted" in f"{done.output} {done.exception}"
    assert scene.model.asked.count(question) == (1 if name == "a wrong key" else 2)
    before, scene.model.instead = list(scene.model.asked), {}
    assert scene.run(command, LLM_RUN_CALLS=9).exit_code == 0
    assert scene.model.asked[len(before) :] == list(QUESTIONS[command][QUESTIONS[command].index(question) :])
    assert spent(scene.home) == scene.model.told


@pytest.mark.parametrize("command", [SEARCH, BUILD])
@pytest.mark.parametrize("unit", ["tokens", "money", "calls"])
def test_a_budget_that_ends_in_the_middle(scene: Scene, command: str, unit: str) -> None:
    first, *rest = QUESTIONS[command]
    limit = {"tokens": 9000, "money": Decimal("0.009"), "calls": 1}[unit]
    if command == BUILD and unit != "calls":  # what the first call may need is beyond that: it is made before
        assert scene.run(command, LLM_RUN_CALLS=1).exit_code == 5
        scene.variables(XKG_LLM_RUN_CALLS=0)
    done = scene.run(command, **{f"LLM_RUN_{unit}": limit})
    assert done.exit_code == 5, done.output
    made = len(scene.model.asked)
    assert scene.model.asked == [first, *rest][:made], "the call that could go beyond is not made"
    assert 1 <= made <= len(rest)
    settled(scene)
    assert scene.run(command, **{f"LLM_RUN_{unit}": 0}).exit_code == 0
    assert scene.model.asked == [first, *rest]
    settled(scene)


@pytest.mark.parametrize("unit", ["tokens", "money"])
def test_a_plan_that_may_not_ask_says_so_and_writes_nothing(scene: Scene, unit: str) -> None:
    limit = {"tokens": 10, "money": Decimal("0.00001")}[unit]
    assert scene.run(PLAN, **{f"LLM_RUN_{unit}": limit}).exit_code == 5
    assert (scene.model.asked, (scene.folder / "out.toml").exists()) == ([], False)
    assert scene.run(PLAN, **{f"LLM_RUN_{unit}": 0}).exit_code == 0
    settled(scene)


@pytest.mark.parametrize(("command", "question"), ASKED)
def test_a_killed_command_goes_on_where_it_was(scene: Scene, server: ModelServer, command: str, question: str) -> None:
    """`kill -9` as soon as a question is asked: the answers before are kept, its own call is lost and told as such."""
    scene.variables(XKG_LLM_PROFILES=json.dumps({"it": scene.profile}))
    process = subprocess.Popen(
        [sys.executable, "-m", "xkg", *scene.words(command)], env=dict(os.environ), stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip

    def kill(body: dict[str, Any]) -> Any:
        if body["response_format"]["json_schema"]["name"] == question:
            process.kill()
            process.wait()
        return scene.model(body)

    server.say(kill)
    assert process.wait(120) == -signal.SIGKILL
    server.say(scene.model)
    before, told = list(scene.model.asked), list(scene.model.told)
    assert before[-1] == question
    assert scene.run(command).exit_code == 0
    at = QUESTIONS[command].index(question)
    assert scene.model.asked[len(before) :] == list(QUESTIONS[command][at:])
    assert spent(scene.home) == told[:-1] + scene.model.told[len(told) :], "the killed one's answer reached nobody"
    assert sum(call.lost for call in calls(scene.home)) == 1

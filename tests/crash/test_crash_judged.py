"""kill -9 of an ingest with a model: in a call, after its answer, between stages, in a write to the graph. Run again,
no answer is paid twice and the graph is that of an ingest that nobody disturbed."""

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from crash_points import statements
from judged_child import judged_ingest, judged_settings
from servers.model import ModelServer, Say

sys.path += [str(Path(__file__).parent.parent / room) for room in ("extract", "injection")]
from injection_scene import CASES, EBB_LINE, chosen, said
from judged_papers import REBALANCING

from agents.llm.ledger import Ledger
from kg.backup import export_graph
from kg.config import Settings
from kg.connection import Connection
from kg.server import LocalServer
from kg.store import Store

pytestmark = [pytest.mark.db, pytest.mark.crash, pytest.mark.timeout(1800)]

KILLS, KILLS_OF_A_SOAK = 6, 60
CHILD = Path(__file__).with_name("judged_child.py")
ANSWERS: dict[str, Callable[[str], Any]] = {
    "SaidTechniques": lambda _: said(),
    "SaidAgain": lambda _: {"entries": [REBALANCING.model_dump()], "excused": []},
    "Reply": lambda text: chosen(text, EBB_LINE),
}
USED = {"SaidTechniques": (6001, 401), "SaidAgain": (6002, 402), "Reply": (6003, 403)}


class Model:
    """Answers as it should, counts the questions, and kills whoever asks the one that is to be its last."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.last, self.child = "", 0

    def __call__(self, body: dict[str, Any]) -> Say:
        form = body["response_format"]["json_schema"]["name"]
        self.asked[form] += 1
        if form == self.last and self.child:
            psutil.Process(self.child).kill()
            self.child = 0
        return Say(ANSWERS[form](body["messages"][1]["content"]), usage=USED[form])


@pytest.fixture
def scene(connection: Connection, server_settings: Settings, tmp_path: Path) -> "Scene":
    return Scene(connection, server_settings, tmp_path)


class Scene:
    """Ingests into one graph, each with a folder of its own."""

    def __init__(self, connection: Connection, settings: Settings, folder: Path) -> None:
        self.connection, self.settings, self.folder = connection, settings, folder
        self.password = LocalServer(settings).home.secret().password

    def begin(self, name: str) -> Path:
        """An empty graph, and a folder with the paper alone."""
        self.connection.driver.execute_query("MATCH (n) WHERE NOT n:Migration DETACH DELETE n")
        CASES["harmless"].write(self.folder / name / "scene")
        return self.folder / name

    def child(self, server: ModelServer, folder: Path, point: int) -> "subprocess.Popen[str]":
        words = [self.connection.uri, self.connection.username, server.base_url, str(folder), str(point)]
        return subprocess.Popen(
            [sys.executable, str(CHILD), *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def resume(self, server: ModelServer, folder: Path) -> bytes:
        """Run it again to its end; the graph."""
        store, settings = Store(self.connection), judged_settings(self.settings, server.base_url, folder)
        assert judged_ingest(settings, store, folder).status in ("ingested", "unchanged")
        return self.graph()

    def graph(self) -> bytes:
        export_graph(Store(self.connection), self.folder / "graph.jsonl", include_unlicensed=True)
        return (self.folder / "graph.jsonl").read_bytes()


def ended(process: "subprocess.Popen[str]", password: str) -> str:
    """What a child printed; whether it was killed is for the caller to see."""
    out, err = process.communicate(password, timeout=300)
    assert process.returncode in (0, -signal.SIGKILL), err
    return out


def test_killed_anywhere_and_resumed(scene: Scene, soak: bool) -> None:
    model = Model()
    with ModelServer().running() as server:
        server.say(model)
        moments = int(ended(scene.child(server, scene.begin("undisturbed"), -1), scene.password))
        expected = scene.graph()
        assert model.asked == dict.fromkeys(USED, 1)
        kills: list[int | str] = [*statements(7, 0, moments - 1, KILLS_OF_A_SOAK if soak else KILLS), *USED]
        for kill in kills:
            folder, model.asked = scene.begin(f"kill {kill}"), Counter()
            process = scene.child(server, folder, kill if isinstance(kill, int) else -1)
            model.last, model.child = str(kill), process.pid
            ended(process, scene.password)
            assert process.returncode == -signal.SIGKILL, f"killed at {kill} of {moments}"
            model.child = 0
            asked = +model.asked
            kept = len([*folder.rglob("replies/**/*.json")])
            graph = scene.resume(server, folder)
            assert graph == expected, f"killed at {kill} of {moments}"
            assert model.asked.total() - asked.total() == len(USED) - kept, "no answer that is kept is asked for again"
            assert max(model.asked.values()) <= 2
            assert asked.total() - kept in (0, 1), "at most the call under way is lost"
            calls = Ledger(folder / "home/llm").calls()
            answered = [call.settled for call in calls if call.settled]
            assert sorted((one.tokens_in, one.tokens_out) for one in answered) == sorted(USED.values())
            assert {one.outcome for one in answered} == {"answered"}
            assert len(calls) - len(answered) == sum(call.lost for call in calls) <= 1
            before = model.asked.total()
            assert scene.resume(server, folder) == expected
            assert model.asked.total() == before, "what is unchanged spends nothing"

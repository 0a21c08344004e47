"""Ingests over a scripted model that fails, stops, limits or replays: each ends in a named state, and the next goes on
from there, pays for what is missing alone, and makes the graph that an undisturbed one makes."""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from servers.model import ModelServer
from servers.states import AWAY, BROKEN, Model, calls, spent

sys.path += [str(Path(__file__).parent.parent / room) for room in ("extract", "injection")]
from injection_scene import CASES, EBB_LINE, chosen, said
from judged_papers import REBALANCING

from agents.llm.ledger import Call
from ingest.pipeline.job import Job
from ingest.pipeline.pipeline import PaperReport, ingest
from kg.audit import audit_graph
from kg.backup import export_graph
from kg.config import LlmPrice, LlmProfile, Settings
from kg.connection import Connection
from kg.store import Store

pytestmark = [pytest.mark.e2e, pytest.mark.db, pytest.mark.timeout(600)]

FIRST, AGAIN, CODE = "SaidTechniques", "SaidAgain", "Reply"
"""The questions of a paper with code, in their order, by the form of their answers."""
QUESTIONS = (FIRST, AGAIN, CODE)


def answer(form: str, body: dict[str, Any]) -> dict[str, Any]:
    if form == CODE:
        return chosen(body["messages"][1]["content"], EBB_LINE)
    return said() if form == FIRST else {"entries": [REBALANCING.model_dump()], "excused": []}


@dataclass
class Bench:
    """One paper with code, and what becomes of it."""

    folder: Path
    store: Store
    settings: Settings
    model: Model

    def ingest(self, *, force: bool = False, **changes: Any) -> PaperReport:
        paper = self.folder / "scene"
        job = Job(name="tide", slug="tide", paper=str(paper / "paper"), repo=str(paper / "code"), force=force)
        (report,) = ingest([job], self.settings.replace(**changes), self.store).papers
        return report

    def exported(self) -> bytes:
        export_graph(self.store, self.folder / "graph.jsonl", include_unlicensed=True)
        return (self.folder / "graph.jsonl").read_bytes()

    @property
    def calls(self) -> list[Call]:
        return calls(self.settings.home)

    def spent(self) -> list[tuple[int, int]]:
        return spent(self.settings.home)


def facts(graph: bytes) -> list[bytes]:
    """What an export tells, whichever run found it: what the first of two runs found remains that one's."""
    lines = re.sub(rb"run:[0-9a-f]{32}", b"run", graph).splitlines()[1:-1]
    return [line for line in lines if b'"node":"Run"' not in line and b'"edge":"MADE"' not in line]


def profile(server: ModelServer, folder: Path, **fields: Any) -> dict[str, LlmProfile]:
    given = {"model": "scripted", "base_url": server.base_url, "timeout": 20, "max_output_tokens": 2000}
    return {"it": LlmProfile(**{**given, "tries": 2, "replies": folder / "replies", **fields})}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer().running() as running:
        yield running


@pytest.fixture
def make(
    server: ModelServer, server_settings: Settings, emptied: Callable[[], Connection], tmp_path: Path
) -> Callable[..., Bench]:
    """A bench with an empty graph and nothing kept, whose model is not disturbed unless told."""

    def made(name: str = "one", **instead: Any) -> Bench:
        folder, model = tmp_path / name, Model(answer, instead)
        CASES["harmless"].write(folder / "scene")
        server.say(model)
        prices = {"scripted": LlmPrice(input=Decimal(1), output=Decimal(1))}
        settings = server_settings.replace(
            home=folder / "home", network__retry_wait=0.01, network__retry_total=3, llm__profile="it",
            llm__profiles=profile(server, folder), llm__prices=prices,
        )  # fmt: skip
        return Bench(folder, Store(emptied()), settings, model)

    return made


@pytest.fixture(scope="module")
def undisturbed() -> dict[str, Any]:
    """What an undisturbed ingest comes to, once somebody has made one."""
    return {}


@pytest.fixture
def whole(make: Callable[..., Bench], undisturbed: dict[str, Any]) -> dict[str, Any]:
    if not undisturbed:
        bench = make("undisturbed")
        report = bench.ingest()
        assert (report.status, bench.model.asked) == ("ingested", list(QUESTIONS))
        assert bench.spent() == bench.model.told
        undisturbed |= {"graph": bench.exported(), "calls": bench.calls}
    return undisturbed


STATE = {FIRST: "partial", AGAIN: "ingested", CODE: "partial"}
"""What a paper is whose question brought no answer: what the first ones tell stands without the second."""


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("name", BROKEN)
def test_a_reply_that_is_no_answer(make: Callable[..., Bench], whole: dict[str, Any], question: str, name: str) -> None:
    bench = make(**{question: BROKEN[name]})
    report = bench.ingest()
    assert (report.status, report.exit_code) == (STATE[question], 4 if STATE[question] == "partial" else 0)
    assert bench.model.asked.count(question) == 2, "asked once more"
    told = [call.settled for call in bench.calls if call.settled]
    assert len(told) == len(bench.model.asked) == len(bench.calls)
    assert bench.spent() == bench.model.told
    assert [found for found in audit_graph(bench.store) if found.severity == "error"] == []
    before, bench.model.instead = list(bench.model.asked), {}
    again = bench.ingest()
    if STATE[question] == "ingested":
        assert (again.status, bench.model.asked) == ("unchanged", before)
        return
    assert again.status == "ingested"
    assert bench.model.asked[len(before) :] == [one for one in QUESTIONS if one == question or one not in before]
    assert facts(bench.exported()) == facts(whole["graph"])


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("name", AWAY)
def test_a_model_that_is_not_there(make: Callable[..., Bench], whole: dict[str, Any], question: str, name: str) -> None:
    bench = make(**{question: AWAY[name]})
    empty = bench.exported()
    report = bench.ingest(llm__profiles=profile_of(bench, timeout=1.0))
    assert (report.status, report.exit_code) == ("failed", 3)
    assert report.error
    assert "scripted" in report.error
    assert bench.exported() == empty, "the graph is as before"
    assert bench.model.asked.count(question) == (1 if name == "a wrong key" else 2)
    before, bench.model.instead = list(bench.model.asked), {}
    assert bench.ingest().status == "ingested"
    assert bench.model.asked[len(before) :] == list(QUESTIONS[QUESTIONS.index(question) :]), "no answer is paid twice"
    assert bench.spent() == bench.model.told
    assert bench.exported() == whole["graph"]


def profile_of(bench: Bench, **fields: Any) -> dict[str, LlmProfile]:
    return {"it": bench.settings.llm.profiles["it"].model_copy(update=fields)}


LIMITS = [
    (scope, unit, after) for scope in ("run", "paper") for unit in ("tokens", "money", "calls") for after in (1, 2)
]
LIMITS += [("stage", unit, 1) for unit in ("tokens", "money", "calls")]


@pytest.mark.parametrize(("scope", "unit", "after"), LIMITS)
def test_a_budget_that_ends_in_the_middle(
    make: Callable[..., Bench], whole: dict[str, Any], scope: str, unit: str, after: int
) -> None:
    made: list[Call] = whole["calls"]
    used = sum(c.counted.tokens_in + c.counted.tokens_out for c in made[:after])
    tokens = used + made[after].reserved.tokens_in + made[after].reserved.tokens_out - 1
    bench = make()
    empty = bench.exported()
    limit = {"tokens": tokens, "money": Decimal(tokens) / 1_000_000, "calls": after}[unit]
    report = bench.ingest(**{f"llm__{scope}_{unit}": limit})
    assert (report.status, report.exit_code) == ("paused", 5)
    assert f"llm.{scope}_{unit}" in (report.error or "")
    assert bench.model.asked == list(QUESTIONS[:after]), "the call that could go beyond is not made"
    assert bench.spent() == bench.model.told
    assert bench.exported() == empty
    assert bench.ingest().status == "ingested"
    assert bench.model.asked == list(QUESTIONS)
    assert bench.spent() == bench.model.told
    assert bench.exported() == whole["graph"]


def test_who_never_has_enough_is_asked_so_often_and_no_more(make: Callable[..., Bench]) -> None:
    """A model whose every entry is false, and that wants to see ever more code."""

    def never(form: str, body: dict[str, Any]) -> dict[str, Any]:
        if form == CODE:
            return chosen(body["messages"][1]["content"], EBB_LINE, more=["tide.py", "spare.py"])
        false = [entry | {"definition": [{"at": "p1", "quote": "This is not there."}]} for entry in said()["entries"]]
        return said() | {"entries": false} if form == FIRST else {"entries": false, "excused": []}

    bench = make()
    bench.model.answer = never
    report = bench.ingest()
    assert report.status == "ingested"
    assert bench.model.asked == [FIRST, AGAIN, CODE, CODE]
    assert report.dropped["quote_missing"] == 4
    asked = list(bench.model.asked)
    assert (bench.ingest().status, bench.ingest(force=True).status) == ("unchanged", "unchanged")
    assert bench.model.asked == asked, "what is unchanged spends nothing"
    assert bench.spent() == bench.model.told


def test_a_recorded_run_replays_offline_to_the_same_graph(make: Callable[..., Bench], server: ModelServer) -> None:
    """Broken replies, a question asked again and one that never brought an answer among them."""
    one = make("one", **{CODE: "I would rather not."})
    assert one.ingest().status == "partial"
    graph, replies = one.exported(), {p.name: p.read_bytes() for p in one.folder.rglob("replies/**/*.json")}
    two = make("two", **{FIRST: "never", CODE: "never"})
    offline = profile(server, one.folder, replay="replay", base_url="http://127.0.0.1:9/v1")
    report = two.ingest(llm__profiles=offline)
    assert report.status == "partial"
    assert two.exported() == graph
    assert (two.model.asked, two.calls) == ([], [])
    assert {p.name: p.read_bytes() for p in one.folder.rglob("replies/**/*.json")} == replies

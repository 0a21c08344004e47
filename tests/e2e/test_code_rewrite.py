"""`xkg code rewrite` over a scripted model that stops, is killed, is never content or is wrong: each ends in a named
state, the next run pays for what is missing alone, and the graph is as if nothing had happened."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from e2e.command import EXAMPLES, Cli
from servers.model import ModelServer, Say

from agents.llm.ledger import Call, Ledger
from kg.config import Settings
from kg.connection import Connection

pytestmark = [pytest.mark.e2e, pytest.mark.db, pytest.mark.sandbox, pytest.mark.timeout(900)]

SHARE, UNIFORM = "estimate_share", "uniformity_statistic"
IDS = tuple(f"estimate.py#{name}" for name in (SHARE, UNIFORM))
TESTS = """
from streamsample.estimate import estimate_share, uniformity_statistic


def test_share():
    share, error = estimate_share([1, 2, 3, 4], 8, (3).__le__)
    assert (share, round(error, 6)) == (0.5, 0.218218)
    assert estimate_share([5], 9, (3).__le__) == (1.0, 0.0)


def test_statistic():
    assert abs(uniformity_statistic([12, 8, 10, 10], 20, 2) - 1.2) < 1e-9
    assert abs(uniformity_statistic([9, 6, 9], 12, 2) - 1.5) < 1e-9
    assert uniformity_statistic([10, 10, 10, 10], 20, 2) == 0.0
"""
CODE = (EXAMPLES / "reservoir/code/streamsample/estimate.py").read_text()
GOOD = {
    SHARE: "import math\n\n\n" + CODE[CODE.index("def estimate_share") : CODE.index("\n\ndef uniformity")].replace(
        "Sequence[Hashable]", "list").replace("Callable[[Hashable], bool]", "object"),
    UNIFORM: CODE[CODE.index("def uniformity") :].replace("Sequence[int]", "list"),
}  # fmt: skip
WRONG = GOOD[UNIFORM].replace("* (n - 1) / n", "")
VOLATILE = ("run_id", "verdict_date", "verdict_seal", "content_hash", "embedding", "verdict_reason")


@dataclass
class Model:
    """Answers with good modules and is content, but for the questions in `instead`; counts what it `told` to use."""

    instead: dict[tuple[str, str], Callable[[], Any]] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    told: list[tuple[int, int]] = field(default_factory=list)

    def __call__(self, body: dict[str, Any]) -> Say:
        question = asked(body)
        self.asked.append(question)
        form, name = question
        content = {"scope": "within", "fidelity": "same", "reason": "followed both"}
        said = self.instead[question]() if question in self.instead else (
            content if form == "Review" else module(GOOD[name])
        )  # fmt: skip
        usage = (500 + len(self.asked), 90 + len(self.asked))
        self.told.append(usage)
        return Say(said, usage=usage)


def module(source: str) -> dict[str, Any]:
    told = {"what": "Tells it.", "inputs": "numbers", "outputs": "a number", "shapes": ""}
    return {"module": source, "exports": [], "documentation": told, "changes": []}


def asked(body: dict[str, Any]) -> tuple[str, str]:
    """The form of an answer, and the unit that is asked about."""
    symbol = re.search(r"<data \w+ symbol>\n([^\n]*)", body["messages"][1]["content"])
    assert symbol
    return body["response_format"]["json_schema"]["name"], next(name for name in GOOD if name in symbol[1])


@dataclass
class Bench:
    """A graph with the paper of the two units, and a model whose answers are kept in a folder of their own."""

    cli: Cli
    model: Model
    server: ModelServer
    connection: Connection
    home: Path
    before: int

    def rewrite(self, *, code: int = 0, **env: str) -> dict[str, dict[str, Any]]:
        words = ("code", "rewrite", *IDS, "--profile", "it", "--backend", "bubblewrap")
        found = Cli(self.cli.env | env).json(*words, code=code)
        return {row["name"]: row for row in found}

    @property
    def calls(self) -> list[Call]:
        return Ledger(self.home / "llm").calls()[self.before :]

    def spent(self) -> list[tuple[int, int]]:
        """Tokens of the calls that the server told of."""
        known = [call.settled for call in self.calls if call.settled and not call.settled.estimated]
        return [(one.tokens_in, one.tokens_out) for one in known]

    def ask(self, statement: str) -> list[Any]:
        driver, database = self.connection.driver, self.connection.database
        return [row.value() for row in driver.execute_query(statement, database_=database).records]

    def graph(self) -> str:
        """The modules with all that they are tied to, without what tells when and in which run they were made."""
        rows = self.ask("MATCH (c:Code {origin: 'rewritten'}) RETURN [properties(c), "
                        "COLLECT { MATCH (c)-[r]->(n) WHERE NOT n:Execution RETURN [type(r), n.id] ORDER BY n.id }, "
                        "COUNT { (c)-[:VERIFIED_BY {current: true}]->() }] AS row ORDER BY c.id")  # fmt: skip
        kept = [[{k: v for k, v in row[0].items() if k not in VOLATILE}, *row[1:]] for row in rows]
        return json.dumps(kept, sort_keys=True, default=str)

    def forget(self) -> None:
        """Take the modules out of the graph."""
        self.ask("MATCH (c:Code {origin: 'rewritten'}) OPTIONAL MATCH (c)-->(e:Execution) DETACH DELETE c, e RETURN 1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example with these two units' tests alone, which a test may change."""
    folder = shutil.copytree(EXAMPLES, tmp_path_factory.mktemp("rewriting") / "examples")
    shutil.rmtree(folder / "reservoir/code/experiments")
    shutil.rmtree(folder / "reservoir/code/tests")
    (folder / "reservoir/code/tests").mkdir()
    (folder / "reservoir/code/tests/test_estimates.py").write_text(TESTS)
    return folder


def ingest(cli: Cli, folder: Path) -> dict[str, Any]:
    report: dict[str, Any] = cli.json("ingest", "corpus", folder / "corpus.toml", "--only", "reservoir")[0]
    return report


@pytest.fixture(scope="module")
def ingested(server_settings: Settings, emptied: Callable[[], Connection], folder: Path) -> tuple[Cli, Connection]:
    cli, connection = Cli({**os.environ, "XKG_HOME": str(server_settings.home)}), emptied()
    assert ingest(cli, folder)["status"] == "ingested"
    return cli, connection


@pytest.fixture
def bench(ingested: tuple[Cli, Connection], server_settings: Settings, tmp_path: Path) -> Iterator[Bench]:
    cli, connection = ingested
    with ModelServer().running() as server:
        profile = {"model": "scripted-1", "base_url": server.base_url, "timeout": 20, "tries": 1}
        profiles = {"it": profile | {"replies": str(tmp_path / "replies")}}
        more = {"XKG_LLM_PROFILES": json.dumps(profiles), "XKG_RETRY_WAIT": "0.01", "XKG_VERIFY_MUTANTS": "6"}
        model, home = Model(), server_settings.home
        server.say(model)
        before = len(Ledger(home / "llm").calls())
        made = Bench(Cli(cli.env | more), model, server, connection, home, before)
        made.forget()
        yield made


def killed_when_asked(bench: Bench, question: tuple[str, str]) -> None:
    """`kill -9` of a run as soon as it asks a question."""
    words = ("code", "rewrite", *IDS, "--profile", "it", "--backend", "bubblewrap")
    process = subprocess.Popen(
        [sys.executable, "-m", "xkg", *words], env=bench.cli.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )

    def kill(body: dict[str, Any]) -> Say:
        if asked(body) == question:
            process.kill()
            process.wait()
            bench.model.asked.append(question)
            return Say("nobody hears it")
        return bench.model(body)

    bench.server.say(kill)
    assert process.wait(300) == -signal.SIGKILL
    bench.server.say(bench.model)


FIRST, AGAIN = "Rewritten", "Review"
ALL = [(FIRST, SHARE), (AGAIN, SHARE), (FIRST, UNIFORM), (AGAIN, UNIFORM)]


def test_a_limit_a_kill_and_a_change_pay_nothing_twice(bench: Bench, folder: Path) -> None:
    found = bench.rewrite(code=5, XKG_LLM_RUN_CALLS="1")
    assert {name: row["status"] for name, row in found.items()} == {SHARE: "paused", UNIFORM: "paused"}
    assert "llm.run_calls" in found[SHARE]["reason"]
    assert bench.model.asked == ALL[:1]
    assert bench.graph() == "[]"

    killed_when_asked(bench, ALL[2])
    assert bench.model.asked == ALL[:3]
    assert json.loads(bench.graph())[0][0]["symbol"] == SHARE, "what was done stands"

    found = bench.rewrite()
    assert {name: (row["status"], row["state"]) for name, row in found.items()} == {
        SHARE: ("current", "verified"), UNIFORM: ("rewritten", "verified"),
    }, found  # fmt: skip
    assert bench.model.asked == [*ALL[:3], *ALL[2:]], "only the question whose answer nobody heard is asked again"
    assert bench.spent() == bench.model.told
    graph = bench.graph()

    before = len(bench.model.asked)
    assert {row["status"] for row in bench.rewrite().values()} == {"current"}
    assert (len(bench.model.asked), bench.graph()) == (before, graph)
    assert len(bench.calls) == 5, "what is unchanged spends nothing"
    assert bench.cli.json("graph", "audit") == []

    bench.forget()
    found = bench.rewrite()
    assert {row["status"] for row in found.values()} == {"rewritten"}
    assert len(bench.model.asked) == before, "kept answers make it again"
    assert bench.graph() == graph, "as if nothing had happened"

    code = folder / "reservoir/code/streamsample/estimate.py"
    code.write_text(CODE.replace("    p = capacity / n\n    expected = trials * p\n",
                                 "    p = capacity / n\n    expected = p * trials\n"))  # fmt: skip
    try:
        ingest(bench.cli, folder)
        assert UNIFORM not in [row[0]["symbol"] for row in json.loads(bench.graph())], "it went with its code"
        found = bench.rewrite()
        assert found[UNIFORM]["status"] == "rewritten"
        assert bench.model.asked[before:] == ALL[2:], "only what has changed is asked anew"
        assert bench.spent() == bench.model.told
    finally:
        code.write_text(CODE)
        ingest(bench.cli, folder)


def test_a_model_that_is_never_content_ends_in_a_named_state(bench: Bench) -> None:
    number = count()
    bench.model.instead = {
        (AGAIN, SHARE): lambda: {
            "scope": "beyond",
            "fidelity": "same",
            "reason": f"not {'so ' * next(number)}good yet",
        },
        (FIRST, SHARE): lambda: module(GOOD[SHARE] + f"\n\nN = {next(number)}\n"),
    }
    found = bench.rewrite()[SHARE]
    assert (found["status"], found["state"], found["verdict"]) == ("rewritten", "failed", "failed")
    assert (found["cause"], found["stop"]) == ("refused by review", "rounds used up")
    assert bench.model.asked == [*ALL[:2], *ALL], "one repair, and no more"
    assert bench.spent() == bench.model.told
    before = list(bench.model.asked)
    again = bench.rewrite()[SHARE]
    assert (again["status"], again["state"], bench.model.asked) == ("current", "failed", before)


def test_what_is_not_faithful_is_failed_and_never_knowledge(bench: Bench) -> None:
    bench.model.instead = {(FIRST, UNIFORM): lambda: module(WRONG)}
    found = bench.rewrite()[UNIFORM]
    assert (found["state"], found["verdict"], found["cause"]) == ("failed", "failed", "unfaithful")
    assert found["equal"] < found["inputs"]
    assert found["difference"]
    shown = bench.cli.json("code", "show", found["module"])
    assert (shown["verdict"], shown["rewrite"]["fidelity"]) == ("failed", "unfaithful")
    hits = bench.cli.json("search", "code", "Pearson statistic of how often each item was kept", "-n", "50")["hits"]
    ids = [hit["id"] for hit in hits]
    assert found["id"] in ids
    assert found["module"] not in ids
    assert bench.cli.json("graph", "audit") == []


def test_what_broken_replies_have_used_is_told(bench: Bench) -> None:
    bench.server.say("I would rather not.")
    done = bench.cli.run("code", "rewrite", *IDS, "--profile", "it", "--backend", "bubblewrap", code=4)
    told, said = (sum(tokens) for tokens in zip(*bench.spent(), strict=True))
    assert told > 0
    used = f"model scripted-1: this run has used {len(bench.calls)} calls, {told} tokens in, {said} out"
    assert used in done.stderr.splitlines()

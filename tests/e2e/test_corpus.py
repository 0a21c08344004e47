"""A corpus planned, built and paid for over a scripted model: the ledger stays within what was estimated."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from e2e.command import Cli
from servers.model import ModelServer, Say

pytestmark = [pytest.mark.e2e, pytest.mark.db]
BYTES_A_TOKEN = 3.7
"""Of the scripted model's own tokenizer."""


def tokens(text: str) -> int:
    return round(len(text.encode()) / BYTES_A_TOKEN)


def said(body: dict[str, Any]) -> Say:
    """An answer of the form that is asked for, true of the paper as far as it goes, and billed by its length."""
    sent = "\n".join(message["content"] for message in body["messages"])
    numbers = re.findall(r"^TECHNIQUE (\d+):", sent, re.MULTILINE)
    text: dict[str, Any]
    if numbers:
        none = {"units": [], "nothing": "not shown", "confidence": "guess", "why": "it is not among them", "more": []}
        text = {"answers": [{"technique": int(number), **none} for number in numbers]}
    elif "excused" in sent and "An inventory of its techniques was made" in sent:
        text = {"entries": [], "excused": []}
    else:
        mark, words = re.findall(r"^\[(p\d+)\] (.{60,300}?\.)", sent, re.MULTILINE)[1]
        quote = {"at": mark, "quote": words}
        naming = {"at": mark, "quote": " ".join(words.split()[:3])}
        root = {
            "name": naming["quote"],
            "kind": "methodology",
            "status": "used",
            "naming": naming,
            "definition": [quote],
        }
        text = {"root": root, "entries": [], "excused": []}
    reply = json.dumps(text)
    return Say(reply, usage=(tokens(sent), tokens(reply)))


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer().running() as running:
        running.say(said)
        yield running


@pytest.fixture
def paid(cli: Cli, server: ModelServer, tmp_path: Path) -> Cli:
    """`xkg` with a priced profile ``it`` that leads to the server; its ledger and answers are the test's own."""
    profile = {"model": "scripted", "base_url": server.base_url, "timeout": 60, "tries": 1}
    profiles = {"it": profile | {"replies": str(tmp_path / "replies")}}
    prices = {"scripted": {"input": 1, "output": 4}}
    more = {"XKG_LLM_PROFILES": json.dumps(profiles), "XKG_LLM_PRICES": json.dumps(prices), "XKG_RETRY_WAIT": "0.01"}
    return Cli(cli.env | more)


def test_a_built_corpus_costs_what_was_estimated(paid: Cli, server: ModelServer, examples: Path) -> None:
    corpus = examples / "corpus.toml"
    file = Path(paid.env["XKG_HOME"]) / "llm" / "ledger.jsonl"
    before = len(file.read_text().splitlines()) if file.is_file() else 0  # other tests' calls, of the same home
    built = paid.json("corpus", "build", corpus, "--profile", "it", "--jobs", "1")
    assert {report["status"] for report in built["papers"]} == {"ingested"}
    estimate, actual = built["estimate"], built["actual"]
    assert estimate["assumptions"] == ["text"]
    assert actual["calls"] == len(server.bodies) >= 6
    for name in ("calls", "tokens_in", "tokens_out", "money"):
        assert estimate[name]["low"] <= actual[name] <= estimate[name]["high"], name
    assert all(actual["within"].values())
    assert actual["money"] == pytest.approx((actual["tokens_in"] + 4 * actual["tokens_out"]) / 1e6)
    ledger = [json.loads(line) for line in file.read_text().splitlines()[before:]]
    settled = [line for line in ledger if line["event"] == "settle" and line["call"] in {
        other["call"] for other in ledger if other["event"] == "reserve" and other["run"].startswith("corpus-")
    }]  # fmt: skip
    assert actual["tokens_in"] == sum(line["tokens_in"] for line in settled)
    again = paid.json("corpus", "build", corpus, "--profile", "it")
    assert {report["status"] for report in again["papers"]} == {"unchanged"}
    assert {**again["actual"], "minutes": 0} == {**actual, "minutes": 0}
    assert "all within the estimate" in paid.run("corpus", "build", corpus, "--profile", "it").stdout


def test_a_plan_is_built_within_its_own_estimate(paid: Cli, server: ModelServer, examples: Path) -> None:
    out = examples / "planned.toml"
    options = ("--among", examples / "corpus.toml", "--offline", "--out", out)
    plan = paid.json("corpus", "plan", examples / "pagerank" / "paper", *options)
    assert plan["estimate"]["calls"] == {"low": 0, "high": 0}
    assert server.bodies == []
    plan = paid.json(
        "corpus", "plan", examples / "pagerank" / "paper", *options, "--references", "0", "--profile", "it"
    )
    chosen = [candidate["slug"] for candidate in plan["candidates"] if candidate["chosen"]]
    assert "pagerank" not in chosen
    assert "heavy-hitters" in chosen
    spent = len(server.bodies)
    assert 'paper = "heavy-hitters/paper"' in out.read_text()
    limited = Cli(paid.env | {"XKG_LLM_RUN_CALLS": "1"})
    paused = limited.json("corpus", "build", out, "--profile", "it", "--jobs", "1", code=5)
    assert "paused" in {report["status"] for report in paused["papers"]}
    assert paused["actual"]["calls"] == 1
    built = paid.json("corpus", "build", out, "--profile", "it", "--jobs", "1")
    assert built["estimate"] == plan["estimate"] == paused["estimate"]
    assert built["actual"]["calls"] == len(server.bodies) - spent
    assert all(built["actual"]["within"].values())
    assert [fault for fault in paid.json("graph", "audit") if fault["severity"] == "error"] == []


def test_a_build_without_a_model_costs_nothing(cli: Cli, examples: Path) -> None:
    built = cli.json("corpus", "build", examples / "corpus.toml")
    assert built["actual"] is None
    assert built["estimate"]["assumptions"] == ["none"]
    assert len(built["papers"]) == 3


def test_a_target_that_cannot_be_read_is_one_sentence(cli: Cli, tmp_path: Path) -> None:
    for target in (tmp_path / "nothing", tmp_path):
        assert len(cli.run("corpus", "plan", target, "--offline", code=2).stderr.strip().splitlines()) == 1

"""A curator's word against later ingests: forced ones, and a model that says otherwise."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from e2e.command import Cli
from servers.model import ModelServer

from kg.connection import Connection

pytestmark = [pytest.mark.e2e, pytest.mark.db]

Edges = set[tuple[str, str, str, str]]


def insisting(symbols: set[str]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A model that names units of these symbols, wherever it is shown one, as sure as can be, and quotes them truly."""

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        sent = body["messages"][-1]["content"]
        if not re.search(r"^TECHNIQUE \d+:", sent, re.MULTILINE):
            naming = {"at": "p1", "quote": "no such words"}
            root = {"name": "x", "kind": "methodology", "status": "used", "naming": naming, "definition": []}
            return {"root": root, "entries": [], "excused": []}
        shown = re.split(r"^TECHNIQUE (\d+):", sent, flags=re.MULTILINE)
        bodies = dict(re.findall(r"^\[\d+[A-P]\] \S+ (\S+) \(.*\n((?:^ *\d+ .*\n)+)", sent, re.MULTILINE))
        answers = []
        for number, text in zip(shown[1::2], shown[2::2], strict=True):
            labels = re.findall(r"^\[(\d+[A-P])\] \S+ (\S+?)(?: \(|:)", text, re.MULTILINE)
            units = []
            for label, symbol in labels:
                if symbol in symbols & bodies.keys():
                    line = bodies[symbol].splitlines()[-1].strip().partition(" ")[2].strip()
                    units.append({"unit": label, "part": "whole", "quotes": [line], "realises": []})
            nothing = None if units else "not there"
            said = {"technique": int(number), "units": units[:1], "nothing": nothing, "confidence": "sure", "why": "so"}
            answers.append({**said, "more": []})
        return {"answers": answers}

    return answer


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer().running() as running:
        yield running


def words(connection: Connection, *items: dict[str, Any]) -> Edges:
    """All that the graph says of the techniques and code of these questions."""
    rows, _, _ = connection.driver.execute_query(
        "MATCH (t:Technique)-[r:IMPLEMENTED_BY|MAY_BE_IMPLEMENTED_BY|NOT_IMPLEMENTED_BY]->(c:Code) "
        "RETURN t.id AS technique, c.id AS code, type(r) AS type, r.extraction_method AS method"
    )
    pairs = {(item["technique"], item["code"]["id"]) for item in items}
    found = {tuple(row.values()) for row in rows}
    return {row for row in found if not items or row[:2] in pairs}  # type: ignore[misc,index]


def test_no_ingest_and_no_model_takes_a_word_back(
    cli: Cli, server: ModelServer, connection: Connection, examples: Path, tmp_path: Path
) -> None:
    corpus = examples / "corpus.toml"
    cli.run("ingest", "corpus", corpus, "--jobs", "1")
    accepted, rejected, *_ = cli.json("corpus", "review", "--kind", "implementation")
    decided = [
        {"item": accepted["id"], "action": "accept", "why": "it does that"},
        {"item": rejected["id"], "action": "reject"},
    ]
    (tmp_path / "words.jsonl").write_text("".join(json.dumps(word) + "\n" for word in decided))
    cli.run("corpus", "review", "--decide", tmp_path / "words.jsonl")
    expected: Edges = {
        (accepted["technique"], accepted["code"]["id"], "IMPLEMENTED_BY", "curator"),
        (rejected["technique"], rejected["code"]["id"], "NOT_IMPLEMENTED_BY", "curator"),
    }
    assert words(connection, accepted, rejected) == expected
    assert {r["status"] for r in cli.json("ingest", "corpus", corpus, "--force")} == {"unchanged"}
    assert words(connection, accepted, rejected) == expected

    profile = {"model": "scripted", "base_url": server.base_url, "timeout": 60, "tries": 1}
    more = {"XKG_LLM_PROFILES": json.dumps({"it": profile | {"replies": str(tmp_path / "replies")}})}
    server.say(insisting({rejected["code"]["symbol"]}))
    judged = Cli(cli.env | more).json("ingest", "corpus", corpus, "--force", "--profile", "it")
    assert {report["status"] for report in judged} == {"ingested"}
    assert "llm" in {method for *_, method in words(connection)}, "the model has said something"
    assert words(connection, accepted, rejected) == expected
    asked = {item["id"] for item in cli.json("corpus", "review")}
    assert not asked & {accepted["id"], rejected["id"]}
    assert [fault for fault in cli.json("graph", "audit") if fault["severity"] == "error"] == []

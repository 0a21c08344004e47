"""Papers whose techniques a model judges, from the command line to the graph and back, over a scripted model."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from e2e.command import Cli
from servers.model import ModelServer

sys.path.append(str(Path(__file__).parent.parent / "extract"))
from judged_papers import FLOOD, GOOD, PAPER

pytestmark = [pytest.mark.e2e, pytest.mark.db]
WHOLE = GOOD.model_dump()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer().running() as running:
        yield running


@pytest.fixture
def judged(cli: Cli, server: ModelServer, tmp_path: Path) -> Cli:
    """`xkg` with a profile ``it`` that leads to the server, and its answers in a folder of their own."""
    profile = {"model": "scripted", "base_url": server.base_url, "timeout": 20, "tries": 1}
    profiles = {"it": profile | {"replies": str(tmp_path / "replies")}}
    return Cli(cli.env | {"XKG_LLM_PROFILES": json.dumps(profiles), "XKG_RETRY_WAIT": "0.01"})


def limited(cli: Cli, **limits: object) -> Cli:
    return Cli(cli.env | {f"XKG_LLM_{name.upper()}": str(value) for name, value in limits.items()})


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Two papers that differ in their titles."""
    for name in ("ebb", "flow"):
        (tmp_path / name).mkdir()
        head = f"\\documentclass{{article}}\n\\title{{Sorting by {name}}}\n\\begin{{document}}\n\\maketitle\n"
        (tmp_path / name / "main.tex").write_text(f"{head}{PAPER}\\end{{document}}\n")
    (tmp_path / "corpus.toml").write_text('[ebb]\npaper = "ebb"\n[flow]\npaper = "flow"\n')
    return tmp_path / "corpus.toml"


def states(reports: list[dict[str, Any]]) -> list[str]:
    return sorted(report["status"] for report in reports)


def test_a_limit_pauses_and_going_on_pays_nothing_twice(judged: Cli, server: ModelServer, corpus: Path) -> None:
    server.say(WHOLE)
    words = ("ingest", "corpus", corpus, "--profile", "it", "--jobs", "2")
    assert states(limited(judged, run_calls=1).json(*words, code=5)) == ["ingested", "paused"]
    assert len(server.bodies) == 1
    reports = judged.json(*words)
    assert states(reports) == ["ingested", "unchanged"]
    assert len(server.bodies) == 2
    (new,) = (report for report in reports if report["status"] == "ingested")
    assert new["judged"] == {
        "calls": 1, "tokens_in": 11, "tokens_out": 7, "said": 7, "broken": 0, "relocated": 0, "dropped": 0,
    }  # fmt: skip
    assert states(judged.json(*words)) == ["unchanged", "unchanged"]
    assert states(judged.json(*words, "--force")) == ["unchanged", "unchanged"]
    assert len(server.bodies) == 2
    assert judged.json("graph", "audit") == []


def test_who_names_no_model_is_told_first_which_one_the_settings_name(
    judged: Cli, server: ModelServer, corpus: Path
) -> None:
    server.say(WHOLE)
    default, words = limited(judged, profile="it", run_tokens=70_000), ("ingest", "corpus", corpus, "--only", "ebb")
    assert "model" not in default.run(*words, "--no-model", "--dry-run").stderr
    assert server.bodies == []
    told = default.run(*words).stderr.splitlines()
    assert told[0] == (
        "model: it (scripted); a run may use 70 000 tokens, 1 000 000 tokens a paper; --no-model leaves it out"
    )
    assert told[-1] == "model: this run has used 1 calls, 11 tokens in, 7 out"
    assert "exclude" in judged.run(*words, "--profile", "it", "--no-model", code=2).stderr
    assert "no profile 'other'" in judged.run(*words, "--profile", "other", code=2).stderr
    assert len(server.bodies) == 1


def test_what_a_model_judged_stays_where_nobody_names_the_model(judged: Cli, server: ModelServer, corpus: Path) -> None:
    server.say(WHOLE)
    words = ("ingest", "corpus", corpus, "--only", "ebb")
    judged.run(*words, "--profile", "it")
    before = judged.json("paper", "show", "local:ebb")
    (report,) = judged.json(*words, "--force", code=4)
    assert (report["status"], "as the model scripted judged it" in report["error"]) == ("failed", True)
    assert "--no-model" in report["error"]
    assert judged.json("paper", "show", "local:ebb") == before
    assert states(judged.json(*words, "--profile", "it")) == ["unchanged"]
    assert states(judged.json(*words, "--no-model")) == ["ingested"]
    assert states(judged.json(*words)) == ["unchanged"]
    assert len(server.bodies) == 1


def test_what_is_not_taken_is_told_without_steering_the_terminal(
    judged: Cli, server: ModelServer, corpus: Path
) -> None:
    entries = [WHOLE["entries"][0] | {"aliases": ["\x1b[2Jowned\u202e"]}, *WHOLE["entries"][1:]]
    server.say(WHOLE | {"entries": entries})
    done = judged.run("paper", "techniques", corpus.parent / "ebb", "--profile", "it")
    assert "[2Jowned" in done.stderr
    assert not {"\x1b", "\u202e"} & {*done.stderr, *done.stdout}


def test_what_was_judged_is_in_the_graph_with_its_words_and_places(
    judged: Cli, server: ModelServer, corpus: Path
) -> None:
    gloss = "merging released elements into the upper buffer"
    entries = [one | {"gloss": gloss} if one["name"] == FLOOD.name else one for one in WHOLE["entries"]]
    server.say(WHOLE | {"entries": entries})
    judged.run("ingest", "corpus", corpus, "--only", "ebb", "--profile", "it")
    assert f"\n    flood step – {gloss}\n" in judged.run("paper", "show", "local:ebb").stdout
    step = judged.json("technique", "show", "flood step")
    assert (step["gloss"], step["aliases"]) == (gloss, ["second pass", gloss])
    assert (step["status"], step["method"], step["model"]) == ("proposed", "llm", "scripted")
    told = {quote["role"]: (quote["text"], quote["place"]) for quote in step["quotes"]}
    assert told["definition"] == (FLOOD.definition[0].quote, "2.2 The flood step")
    assert told["naming"] == ("flood step", "2.2 The flood step")
    shown = judged.run("technique", "show", "flood step").stdout
    assert f"“{FLOOD.definition[0].quote}”\n  2.2 The flood step, main.tex:" in shown
    assert "technique · proposed" in shown
    assert f"\n{gloss}\nalso: second pass\n" in shown
    finding = judged.json("technique", "show", "Tidal Sorting is faster")
    assert [finding[key] for key in ("subject", "comparator", "number", "dataset")] == [
        "Tidal Sorting", "merge sorting", "3.2", "long streams",
    ]  # fmt: skip
    ebb = judged.json("technique", "show", "ebb step")
    assert (ebb["inputs"], ebb["outputs"]) == (["the lower buffer"], ["largest elements"])
    assert {"eq:median", "2.1 The ebb step"} <= {place["name"] for place in ebb["described_in"]}
    judged.run("graph", "export", corpus.parent / "graph.jsonl")
    assert "model" not in json.dumps(Cli(judged.env).json("ingest", "corpus", corpus, "--only", "flow"))


def test_answers_that_are_none_leave_structure_until_a_model_answers(
    judged: Cli, server: ModelServer, corpus: Path
) -> None:
    server.say("I would rather not.")
    words = ("ingest", "corpus", corpus, "--only", "ebb", "--profile", "it")
    (report,) = judged.json(*words, code=4)
    assert report["status"] == "partial"
    assert any("structure alone" in warning for warning in report["warnings"])
    assert judged.json("technique", "show", "flood step")["method"] == "structural"
    server.say(WHOLE)
    assert states(judged.json(*words)) == ["ingested"]
    assert judged.json("technique", "show", "flood step")["method"] == "llm"
    server.say("And now no more.")
    file = corpus.parent / "ebb/main.tex"
    file.write_text(file.read_text().replace("Sorting is old.", "Sorting is very old."))
    (report,) = judged.json(*words, code=4)
    assert report["status"] == "failed"
    assert judged.json("technique", "show", "flood step")["method"] == "llm"


def test_two_trees_of_a_paper_are_compared(judged: Cli, server: ModelServer, corpus: Path) -> None:
    paper, one = corpus.parent / "ebb", corpus.parent / "one.json"
    one.write_text(json.dumps(judged.json("paper", "techniques", paper)))
    server.say(WHOLE)
    done = judged.run("paper", "techniques", paper, "--profile", "it", "--json")
    (corpus.parent / "two.json").write_text(done.stdout)
    assert "1 calls" in done.stderr
    found = judged.json("paper", "techniques", "--compare", one, corpus.parent / "two.json")
    assert found == judged.json("paper", "techniques", paper, "--compare", one, "it")
    assert "flood step" in {match["right"] for match in found["both"]}
    assert "Tidal Sorting is faster" in found["only_right"]
    assert len(server.bodies) == 1
    same = judged.json("paper", "techniques", "--compare", one, one)
    assert (same["moved"], same["renamed"], same["only_left"], same["only_right"]) == ([], [], [], [])
    assert "in both" in judged.run("paper", "techniques", "--compare", one, one).stdout
    judged.run("paper", "techniques", "--compare", one, "it", code=2)
    judged.run("paper", "techniques", "--compare", corpus, one, code=2)

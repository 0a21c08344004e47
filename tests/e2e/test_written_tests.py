"""Tests that a model writes, from the command line to the graph and back, over a scripted model."""

import json
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from e2e.command import Cli
from servers.model import ModelServer

pytestmark = [pytest.mark.e2e, pytest.mark.db, pytest.mark.sandbox]

COUNT_MIN, SPACE_SAVING = "countmin.py#CountMin", "spacesaving.py#SpaceSaving"
TAKES_OVER = "Any other item takes over the counter with the smallest value"
TESTS = {
    "CountMin": [
        "def test_counts():\n    for seed in (1, 2):\n        c = CountMin(12, 4, Random(seed))\n"
        "        c.add(5, 3)\n        c.add(9)\n        c.add(5)\n"
        "        assert [c.estimate(5), c.estimate(9), c.estimate(77)] == [4, 1, 0]",
        "Add `count` to the item's counter in every row.",
    ],
    "SpaceSaving": [
        "def test_takes_over():\n    s = SpaceSaving(2)\n    for x in [5, 5, 5, 7, 7, 9, 9, 9, 5]:\n        s.add(x)\n"
        "    assert (s.top(2), s.top(1)) == ([9, 5], [9])\n    t = SpaceSaving(3)\n"
        "    for x in [1, 2, 2, 3, 3, 3, 4, 4, 4]:\n        t.add(x)\n    assert t.top(2) == [4, 3]\n"
        "    u = SpaceSaving(3)\n    for x in [8, 6, 6, 2, 2, 2, 6, 6]:\n        u.add(x)\n"
        "    assert u.top(3) == [6, 2, 8]",
        TAKES_OVER,
        TAKES_OVER,
        "An item that has a counter increments it.",
    ],
}


def answer(body: dict[str, Any]) -> dict[str, Any]:
    source, *quotes = TESTS[asked(body)]
    reasons = [{"quote": quote, "follows": "counted by hand"} for quote in quotes]
    return {"nothing": None, "setup": "from random import Random", "tests": [{"source": source, "asserts": reasons}]}


def asked(body: dict[str, Any]) -> str:
    """The unit that a request is about."""
    text = body["messages"][-1]["content"]
    return next(name for name in TESTS if f"UNIT UNDER TEST: {name} " in text)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer().running() as running:
        running.say(answer)
        yield running


@pytest.fixture
def asking(cli: Cli, server: ModelServer, tmp_path: Path) -> Cli:
    """`xkg` with a profile ``it``."""
    profile = {"model": "scripted-1", "base_url": server.base_url, "timeout": 20, "tries": 1}
    profiles = {"it": profile | {"replies": str(tmp_path / "replies")}}
    more = {"XKG_LLM_PROFILES": json.dumps(profiles), "XKG_RETRY_WAIT": "0.01", "XKG_VERIFY_MUTANTS": "12"}
    return Cli(cli.env | more)


@pytest.fixture
def untested(asking: Cli, examples: Path) -> Cli:
    """The same, and a paper whose repository has no tests."""
    shutil.rmtree(examples / "heavy-hitters/code/tests")
    shutil.rmtree(examples / "heavy-hitters/code/experiments")
    ingest(asking, examples)
    return asking


def ingest(cli: Cli, examples: Path) -> dict[str, Any]:
    words = ("ingest", "corpus", examples / "corpus.toml", "--only", "heavy-hitters")
    report: dict[str, Any] = cli.json(*words)[0]
    return report


def verify(cli: Cli, *words: str, code: int = 0) -> dict[str, dict[str, Any]]:
    found = cli.json("code", "verify", COUNT_MIN, SPACE_SAVING, *words, "--backend", "bubblewrap", code=code)
    return {row["id"].partition("#")[2]: row for row in found}


def killed_when_asked(cli: Cli, server: ModelServer, name: str) -> None:
    """`kill -9` of a run as soon as it asks for a unit's tests."""
    words = ("code", "verify", COUNT_MIN, SPACE_SAVING, "--profile", "it", "--backend", "bubblewrap")
    process = subprocess.Popen(
        [sys.executable, "-m", "xkg", *words], env=cli.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )

    def kill(body: dict[str, Any]) -> dict[str, Any]:
        if asked(body) == name:
            process.kill()
        return answer(body)

    server.say(kill)
    assert process.wait(120) == -signal.SIGKILL
    server.say(answer)


def test_units_without_a_test_get_one_that_says_who_wrote_it(
    untested: Cli, server: ModelServer, examples: Path
) -> None:
    before = verify(untested)
    assert {row["verdict"] for row in before.values()} == {"unverified"}
    assert server.bodies == [], "without a profile nothing is asked"

    limited = Cli(untested.env | {"XKG_LLM_RUN_CALLS": "1"})
    found = verify(limited, "--profile", "it", code=5)
    (first,), (second,) = (
        [n for n, row in found.items() if (row["verdict"] == "verified") == is_it] for is_it in (1, 0)
    )
    assert found[second]["status"] == "waiting"
    killed_when_asked(untested, server, second)
    found = verify(untested, "--profile", "it")
    assert found[first]["status"] == "current"
    told = found[second]
    assert (told["verdict"], told["kind"], told["written"]["state"]) == ("verified", "written", "verified"), told[
        "reason"
    ]
    assert "by scripted-1, not by the authors" in told["reason"]
    assert Counter(map(asked, server.bodies)) == {first: 1, second: 2}, "what was answered is paid once"

    shown = untested.json("code", "show", SPACE_SAVING)
    assert (shown["test_kind"], shown["test_model"], shown["test_state"]) == ("written", "scripted-1", "verified")
    assert "not by the authors" in shown["test"]
    assert TESTS["SpaceSaving"][0] in shown["test"]
    text = untested.run("code", "show", SPACE_SAVING).stdout
    assert "a test that a language model wrote from what the paper says" in text
    assert "scripted-1 (prompt " in text
    assert untested.json("graph", "audit") == []

    asked_before = len(server.bodies)
    again = verify(untested, "--profile", "it")
    assert {row["status"] for row in again.values()} == {"current"}
    assert {row["status"] for row in verify(untested).values()} == {"current"}, "also without the model"
    assert len(server.bodies) == asked_before
    assert untested.json("code", "show", SPACE_SAVING) == shown

    paper = examples / "heavy-hitters/paper/main.tex"
    paper.write_text(
        paper.read_text().replace("An item that has a counter increments it.", "Its counter grows by one.")
    )
    assert SPACE_SAVING.partition("#")[2] in {code.partition("#")[2] for code in ingest(untested, examples)["stale"]}
    stale = untested.json("code", "show", SPACE_SAVING)
    assert stale["verdict"] == "stale"
    assert "the paper has changed since" in stale["verdict_reason"]


def test_what_could_not_be_used_is_paid_told_and_shown(untested: Cli, server: ModelServer) -> None:
    """A reply that is none for one unit, and tests that break a rule for the other."""
    source = "def test_it():\n    import os\n    assert SpaceSaving(2).top(1) == os.listdir('.')"
    reasons = [{"quote": TAKES_OVER, "follows": "as it says"}]
    refused = {"nothing": None, "setup": "", "tests": [{"source": source, "asserts": reasons}]}
    server.say(lambda body: "I would rather not." if asked(body) == "CountMin" else refused)
    words = ("code", "verify", COUNT_MIN, SPACE_SAVING, "--profile", "it", "--backend", "bubblewrap")
    done = untested.run(*words)
    calls = len(server.bodies)
    used = f"model scripted-1: this run has used {calls} calls, {11 * calls} tokens in, {7 * calls} out"
    assert done.stderr.splitlines()[-1] == used, "also what the broken reply has used"
    assert calls > 2
    log = untested.run("code", "show", SPACE_SAVING, "--log", code=2)
    assert "nothing that scripted-1 wrote as tests of " in log.stderr
    assert "none of its tests may count (1 import)" in log.stderr
    assert "`xkg code show ID` prints what was refused, and by which rule" in " ".join(log.stderr.split())
    shown = untested.run("code", "show", SPACE_SAVING).stdout
    stored = untested.json("code", "show", SPACE_SAVING)
    assert stored["test"] == "", "what may not count is no test"
    assert "--> REFUSED: it imports what a test may not: os" in stored["test_left_out"]
    assert "# --> REFUSED: it imports what a test may not: os" in shown
    assert "#     assert SpaceSaving(2).top(1) == os.listdir('.')" in shown


def test_what_a_blind_reading_takes_away_is_kept_and_shown(untested: Cli, server: ModelServer) -> None:
    source, *quotes = TESTS["SpaceSaving"]
    bound, made = "each item with $f(x) > n/k$ has a counter", "def test_{}():\n    assert SpaceSaving(2).top(1) {}"
    tests = [
        {"source": text, "asserts": [{"quote": quote, "follows": "counted by hand"} for quote in said]}
        for text, said in (
            (source, quotes),
            (made.format("empty", "== []"), [TAKES_OVER]),
            (made.format("bound", "== [5]"), [bound]),
        )
    ]
    names = {"test_takes_over": "fixed", "test_empty": "fixed", "test_bound": "elsewhere"}
    reading = {"tests": [{"test": name, "why": "It is of a limit.", "reading": said} for name, said in names.items()]}

    def reply(body: dict[str, Any]) -> dict[str, Any]:
        blind = "each with the quotes of its assertions" in body["messages"][-1]["content"]
        return reading if blind else {"nothing": None, "setup": "", "tests": tests}

    server.say(reply)
    words = ("code", "verify", SPACE_SAVING, "--profile", "it", "--backend", "bubblewrap")
    before = untested.json("llm", "spent")["total"]["calls"]
    (told,) = untested.json(*words)
    assert (told["verdict"], told["written"]["calls"]) == ("verified", 2), told["reason"]
    assert untested.json("llm", "spent")["total"]["calls"] == before + 2
    opened = {"test": "test_bound", "quotes": [bound], "why": "It is of a limit.", "held": False, "withdrawn": True}
    opened["elsewhere"] = True
    assert told["written"]["opened"] == [opened]
    assert (
        f"withdrawn 1 test (1 did not hold): by a reading without code or results these words leave it open: “{bound}”"
        in told["reason"]
    )
    stored, shown = untested.json("code", "show", SPACE_SAVING), untested.run("code", "show", SPACE_SAVING).stdout
    assert stored["test_opened"] == [opened]
    assert "test_bound" not in stored["test"]
    assert (
        "called about something else by a reading without code or results, withdrawn (does not hold): test_bound"
        in shown
    )
    assert "#     assert SpaceSaving(2).top(1) == [5]\n# --> OPEN: It is of a limit." in shown
    assert untested.json("graph", "audit") == []


def test_what_is_verified_is_challenged_only_when_asked(asking: Cli, server: ModelServer, examples: Path) -> None:
    ingest(asking, examples)
    words = (COUNT_MIN, "--backend", "bubblewrap")
    assert "--challenge needs the model" in asking.run("code", "verify", *words, "--challenge", code=2).stderr
    (before,) = asking.json("code", "verify", *words, "--profile", "it")
    assert (before["verdict"], before["kind"], before["written"], server.bodies) == ("verified", "repository", None, [])

    (held,) = asking.json("code", "verify", *words, "--profile", "it", "--challenge")
    assert (held["verdict"], held["written"]["state"]) == ("verified", "holds"), held["reason"]
    shown = asking.run("code", "show", COUNT_MIN).stdout
    assert "a test was asked for, and holds: scripted-1 (prompt " in shown
    assert asking.json("graph", "audit") == []
    asked_before = len(server.bodies)
    for more in ((), ("--profile", "it"), ("--profile", "it", "--challenge")):
        assert asking.json("code", "verify", *words, *more)[0]["status"] == "current"
    assert len(server.bodies) == asked_before

    paper = examples / "heavy-hitters/paper/main.tex"
    paper.write_text(paper.read_text().replace("so the smallest is the best", "so the least is the best"))
    assert any(code.endswith(COUNT_MIN) for code in ingest(asking, examples)["stale"]), "it rests on the paper, too"


def test_what_a_model_contradicts_is_given_back_by_a_model_alone(
    asking: Cli, server: ModelServer, examples: Path
) -> None:
    ingest(asking, examples)
    words = (COUNT_MIN, "--backend", "bubblewrap")
    reading = {"tests": [{"test": "test_counts", "why": "It says so.", "reading": "fixed"}]}

    def doubt(body: dict[str, Any]) -> dict[str, Any]:
        found = answer(body)
        found["tests"][0]["source"] = found["tests"][0]["source"].replace("[4, 1, 0]", "[4, 1, 1]")
        return reading if "each with the quotes of its assertions" in body["messages"][-1]["content"] else found

    server.say(doubt)
    (told,) = asking.json("code", "verify", *words, "--profile", "it", "--challenge")
    assert (told["verdict"], told["written"]["state"]) == ("unverified", "contradicted"), told["reason"]
    assert "by other tests it would be verified: " in told["reason"]
    assert (
        "assert [c.estimate(5), c.estimate(9), c.estimate(77)] == [4, 1, 1]"
        in asking.json("code", "show", COUNT_MIN)["test"]
    )
    assert "1 contradicted" in asking.run("code", "verify", *words, "--profile", "it", "--challenge", "--force").stdout

    (kept,) = asking.json("code", "verify", *words)
    assert (kept["verdict"], kept["status"]) == ("unverified", "current")
    (kept,) = asking.json("code", "verify", *words, "--force")
    assert (kept["verdict"], kept["status"]) == ("unverified", "untried")
    assert "only a model that is asked again may take that back: --profile NAME --challenge" in kept["reason"]
    assert asking.json("graph", "audit") == []

    code = examples / "heavy-hitters/code/hitters/countmin.py"
    code.write_text(code.read_text().replace("The smallest of the item's counters", "The least of its counters"))
    ingest(asking, examples)
    (anew,) = asking.json("code", "verify", *words)
    assert (anew["verdict"], anew["status"]) == ("verified", "judged"), "it is other code now"

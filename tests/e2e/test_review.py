"""`xkg corpus review` as a curator uses it: keys on a terminal, a file of decisions, kill -9 between two of them."""

import json
import os
import pty
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import pytest
from e2e.command import Cli

from kg.store import Store
from kg.write import write_paper

sys.path.append(str(Path(__file__).parent.parent / "store"))
from store_records import paper

pytestmark = [pytest.mark.e2e, pytest.mark.db]


@pytest.fixture
def likely(cli: Cli, store: Store) -> Cli:
    """Four papers, each with an implementation that is likely."""
    for number in range(1, 5):
        write_paper(store, paper(number))
    return cli


def keys(cli: Cli, *typed: str) -> str:
    """What a terminal shows when the command is answered so, one answer to each question or prompt."""
    terminal, other = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "xkg", "corpus", "review", "--who", "me"], env=cli.env, stdin=other, stdout=other,
        stderr=other, start_new_session=True,
    )  # fmt: skip
    os.close(other)
    shown, answered, left = b"", 0, list(typed)
    while True:
        try:
            shown += os.read(terminal, 65536)
        except OSError:  # the command has ended and closed its side
            break
        asked = shown[answered:].rstrip()
        if left and asked.endswith((b"q quit:", b"of the unit:")):
            while asked.endswith(b"q quit:") and termios.tcgetattr(terminal)[3] & termios.ICANON:
                time.sleep(0.01)  # what is typed before a single key is waited for is thrown away
            os.write(terminal, left.pop(0).encode())
            answered = len(shown)
    os.close(terminal)
    assert process.wait() == 0
    assert left == []
    return shown.decode()


def edges(store: Store) -> dict[str, tuple[str, str]]:
    """What curators said of the inner steps: by paper, and every one of them once."""
    rows = store._connection.driver.execute_query(
        "MATCH (t:Technique)-[r {extraction_method: 'curator'}]->(c:Code) RETURN t.paper AS paper, type(r) AS type, "
        "c.symbol AS symbol, r.curator AS who"
    ).records
    assert {row["who"] for row in rows} <= {"me"}
    found = {f"{row['paper']} {row['symbol']}": (row["type"], row["symbol"]) for row in rows}
    assert len(found) == len(rows)
    return found


def test_each_question_is_answered_by_one_key(likely: Cli, store: Store) -> None:
    shown = keys(likely, "a", "x", "r", "e", "src/core.py#run\r", "q")
    assert "1 of 4" in shown
    assert "Inner step 1 is defined here." in shown
    assert "def helper1" in shown
    assert "3 decided, 1 left" in shown
    assert edges(store) == {
        "arxiv:2001.00001 helper1": ("IMPLEMENTED_BY", "helper1"),
        "arxiv:2001.00002 helper2": ("NOT_IMPLEMENTED_BY", "helper2"),
        "arxiv:2001.00003 helper3": ("NOT_IMPLEMENTED_BY", "helper3"),
        "arxiv:2001.00003 run": ("IMPLEMENTED_BY", "run"),
    }
    assert [item["paper"] for item in likely.json("corpus", "review")] == ["arxiv:2001.00004"]


def test_without_a_terminal_nothing_is_asked(likely: Cli, store: Store) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "xkg", "corpus", "review"], env=likely.env, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, start_new_session=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr == (
        "xkg: there is no terminal on which to ask; use --json to list the questions, --decide FILE to answer them\n"
    )
    assert edges(store) == {}


def decisions(cli: Cli, file: Path) -> list[dict[str, Any]]:
    words = [{"item": item["id"], "action": "accept"} for item in cli.json("corpus", "review")]
    file.write_text("".join(json.dumps(word) + "\n" for word in words))
    return words


def test_a_killed_review_goes_on_where_it_was(likely: Cli, store: Store, tmp_path: Path) -> None:
    file = tmp_path / "words.jsonl"
    assert len(decisions(likely, file)) == 4
    apply = ("corpus", "review", "--who", "me", "--decide", file)
    done = 0
    for after in (0.9, 1.1, 1.3, 1.5):
        likely.killed(*apply, after=after)
        now = len(edges(store))
        assert now >= done
        done = now
    last = likely.json(*apply)
    assert [applied["result"] for applied in last] == ["already"] * done + ["done"] * (4 - done)
    assert len(edges(store)) == 4
    assert {applied["result"] for applied in likely.json(*apply)} == {"already"}
    assert likely.json("corpus", "review") == []
    assert [f for f in likely.json("graph", "audit", code=0) if f["severity"] == "error"] == []


@pytest.mark.parametrize("line", ["{", '{"item": "x"}', '{"item": "x", "action": "delete"}', "[]"])
def test_a_line_that_is_no_decision_stops_all(likely: Cli, store: Store, tmp_path: Path, line: str) -> None:
    file = tmp_path / "words.jsonl"
    decisions(likely, file)
    file.write_text(file.read_text() + line + "\n")
    assert f"{file}:5" in likely.run("corpus", "review", "--decide", file, code=2).stderr
    assert edges(store) == {}


def test_what_cannot_be_applied_is_told_and_the_rest_is_done(likely: Cli, store: Store, tmp_path: Path) -> None:
    file = tmp_path / "words.jsonl"
    words = decisions(likely, file)
    words[1] |= {"action": "edit", "value": "no/such.py#thing"}
    file.write_text("".join(json.dumps(word) + "\n" for word in [{"item": "none", "action": "accept"}, *words]))
    done = likely.json("corpus", "review", "--who", "me", "--decide", file, code=4)
    assert [applied["result"] for applied in done] == ["failed", "done", "failed", "done", "done"]
    assert len(edges(store)) == 3

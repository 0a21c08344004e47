"""kill -9 at any write of a call: no kept answer is asked for again, and the ledger tells what nobody knows."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from asking import GOOD, scripted, told
from asking_child import QUESTIONS, ask_all
from crash.crash_points import statements
from servers.model import ModelServer, Say

from agents.llm import LLM

pytestmark = pytest.mark.crash

WRITES = 4
"""Of one call: its reservation, its answer, the folder of that, its settlement."""
LAST = 2 * WRITES * len(QUESTIONS) - 1


def test_killed_anywhere_and_resumed(server: ModelServer, tmp_path: Path, soak: bool) -> None:
    server.say(Say(GOOD, usage=(1000, 100)))
    for point in statements(3, 0, LAST, LAST + 1 if soak else 8):
        folder = tmp_path / str(point)
        before = len(server.bodies)
        child = [
            sys.executable,
            str(Path(__file__).with_name("asking_child.py")),
            server.base_url,
            str(folder),
            str(point),
        ]
        path = {"PYTHONPATH": str(Path(__file__).parents[2])}
        killed = subprocess.run(child, env=path, capture_output=True, text=True, check=False, timeout=120)
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        kept = [json.loads(file.read_text()) for file in (folder / "replies").rglob("*.json")]
        asked = len(server.bodies) - before
        call, half = divmod(point, 2 * WRITES)
        assert len(kept) == call + (half > 3), "an answer is there from the moment its file has its name"
        assert asked == call + (half > 1)
        llm = LLM(scripted(server.base_url, folder), run="run")
        ask_all(llm)
        assert len(server.bodies) - before - asked == len(QUESTIONS) - len(kept), "no kept answer is paid twice"
        answered = [line for line in told(llm) if line[0] == "answered"]
        assert answered == [("answered", 1000, 100, False)] * len(QUESTIONS)
        lost = [call for call in llm.ledger.calls() if call.lost]
        assert len(lost) == (half <= 3), "reserved, and not known to be answered"
        assert all(one.counted.tokens_out == 500 for one in lost)
        ask_all(llm)
        assert len(told(llm)) == len(QUESTIONS) + len(lost)

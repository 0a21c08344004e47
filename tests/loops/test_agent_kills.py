"""An agent that is killed, step after step, comes to the same end, and no answer is paid twice."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from loops import replica
from loops.conftest import TARGET
from servers.model import ModelServer

from agents.loops import End, RunFolder
from agents.loops.runs import runs
from kg.config import Settings

pytestmark = [pytest.mark.db, pytest.mark.sandbox, pytest.mark.crash]

CHILD = Path(__file__).with_name("agent_child.py")


@pytest.fixture
def child(settings: Settings, server: ModelServer, tmp_path: Path) -> Callable[[str, int], End | None]:
    """`child(agent, step)`: the end that a process of its own came to; None if it was killed at that step."""
    given = {
        "base_url": server.base_url, "replies": str(tmp_path / "replies"), "paper": TARGET,
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
    }  # fmt: skip

    def run(agent: str, step: int) -> End | None:
        done = subprocess.run(
            [sys.executable, str(CHILD), json.dumps(given), agent, str(step)],
            env={**os.environ, "XKG_HOME": str(settings.home)}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode == -signal.SIGKILL:
            return None
        assert done.returncode == 0, done.stderr
        return End.model_validate_json(done.stdout)

    return run


@pytest.mark.parametrize(
    ("agent", "answers", "steps"), [("papercoder", 9, 23), ("basic", 13, 23), ("iterative", 11, 35)]
)
def test_killed_at_steps_it_comes_to_the_same_end(
    child: Callable[[str, int], End | None], server: ModelServer, settings: Settings, soak: bool, agent: str,
    answers: int, steps: int,
) -> None:  # fmt: skip
    server.say(getattr(replica, agent))
    fatal = range(steps) if soak else (1, steps // 2, steps - 2)
    for step in fatal:
        assert child(agent, step) is None, f"it was to die at step {step}"
    end = child(agent, -1)
    assert end is not None
    assert (end.state, end.why) == ("done", "all is shown" if agent == "iterative" else "tests pass")
    assert len(server.bodies) == answers, "each answer was paid once"
    folder = [run for run in runs(settings) if run.config.agent == agent][-1]
    assert [step.number for step in folder.steps()] == list(range(len(folder.steps())))
    assert len(folder.steps()) == steps + 1
    _check_files(folder)


def _check_files(folder: RunFolder) -> None:
    """What the steps before the kills wrote is there again, and nothing is there twice."""
    assert sorted(path.name for path in folder.workspace.iterdir()) == sorted(replica.FILES)
    right = replica.BROKEN.replace(replica.WRONG, replica.RIGHT)
    assert (folder.workspace / "hitters.py").read_text() == right

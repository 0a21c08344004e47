"""kill -9 of the verifier at random moments: nothing of it stays, no verdict is half, and a resume ends it the same."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from crash_points import moments
from e2e.command import EXAMPLES, Cli
from sandbox.orphans import descendants, reap

from agents.execution.sandbox.docker_engine import RUN, connect
from kg.config import Settings
from kg.connection import Connection

pytestmark = [pytest.mark.db, pytest.mark.crash, pytest.mark.timeout(1800)]

KILLS, KILLS_OF_A_SOAK = 6, 25
PAPER = "local:reservoir"
BACKENDS = (
    pytest.param("bubblewrap", marks=pytest.mark.sandbox),
    pytest.param("docker", marks=pytest.mark.dockerd),
)


@pytest.fixture(params=BACKENDS)
def engine(request: pytest.FixtureRequest) -> Settings | None:
    """The settings of the Docker engine that is to be used, if one is."""
    return request.getfixturevalue("docker_settings") if request.param == "docker" else None


@pytest.fixture
def words(engine: Settings | None) -> tuple[str, ...]:
    return ("code", "verify", "--paper", PAPER, "--jobs", "2", "--backend", "docker" if engine else "bubblewrap")


@pytest.fixture
def cli(connection: Connection, server_settings: Settings, engine: Settings | None, tmp_path: Path) -> Cli:
    """Few mutants, so that it is soon over, and a folder of its own for whatever it makes."""
    own = {"XKG_HOME": str(server_settings.home), "XKG_VERIFY_MUTANTS": "3", "TMPDIR": str(tmp_path)}
    address = {"XKG_DOCKER_HOST": engine.execution.docker_host} if engine and engine.execution.docker_host else {}
    return Cli({**os.environ, **own, **address})


def verdicts(rows: list[dict[str, Any]]) -> dict[str, tuple[Any, ...]]:
    return {row["id"]: (row["verdict"], row["class"], row["kind"], row["mutants"], row["killed"]) for row in rows}


def mounts(folder: Path) -> list[str]:
    """What is mounted below a folder."""
    places = [line.split(" ")[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    return [place for place in places if Path(place).is_relative_to(folder)]


def groups(pids: list[int]) -> list[str]:
    """Control groups of runs that these processes supervised."""
    owned = [f"-{pid}-" for pid in pids]
    return [str(path) for path in Path("/sys/fs/cgroup").rglob("xkg-*") if any(mark in path.name for mark in owned)]


def containers(engine: Settings | None, *, running: bool = False) -> list[str]:
    """Containers of runs that the engine has."""
    if engine is None:
        return []
    with closing(connect(engine)) as client:
        return [one["Id"] for one in client.containers(all=not running, filters={"label": RUN})]


def killed(cli: Cli, words: tuple[str, ...], after: float) -> tuple[int, bool]:
    """Start verifying and kill -9 its process, and only that, after so many seconds; its pid, and if it still ran."""
    process = subprocess.Popen(
        [sys.executable, "-m", "xkg", *words], env=cli.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    time.sleep(after)
    alive = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    return process.pid, alive


def leftovers(engine: Settings | None, before: dict[int, list[str]]) -> list[list[str] | str]:
    """Processes that were not there before, as their arguments, and containers that still run."""
    new = [arguments for pid, arguments in descendants().items() if pid not in before]
    return [*containers(engine, running=True), *new]


def test_kills_leave_nothing_and_a_resume_gives_the_same_verdicts(
    cli: Cli,
    words: tuple[str, ...],
    engine: Settings | None,
    connection: Connection,
    tmp_path: Path,
    soak: bool,
    orphans_are_ours: None,
) -> None:
    cli.run("ingest", "corpus", EXAMPLES / "corpus.toml", "--only", "reservoir")
    begun = time.monotonic()
    expected = verdicts(cli.json(*words))
    seconds = time.monotonic() - begun
    assert {verdict for verdict, *_ in expected.values()} >= {"verified", "unverified"}
    connection.driver.execute_query(
        "MATCH (c:Code) SET c.verdict = 'unverified', c.verdict_program = null REMOVE c:Verified:Failed:Stale WITH c "
        "MATCH (e:Execution) DETACH DELETE e"
    )
    before = descendants()
    # What a container needs beside is its removal: the rest is the same for both.
    parts = KILLS_OF_A_SOAK if soak else KILLS // 2 if engine else KILLS
    pids, hits = [], 0
    for moment in moments(4242, 1.0, max(3.0, seconds / 3), parts):
        pid, alive = killed(cli, words, moment)
        pids.append(pid)
        hits += alive
        deadline = time.monotonic() + 30
        while (left := leftovers(engine, before)) and time.monotonic() < deadline:
            reap(before)
            time.sleep(0.1)
        assert not left
        assert mounts(tmp_path) == []
        assert cli.json("graph", "audit") == []
    rows = cli.json(*words)
    assert verdicts(rows) == expected
    assert {row["status"] for row in cli.json(*words)} <= {"current", "untried"}, "nothing is left to do"
    assert groups(pids) == [], "the next run sweeps them away"
    assert containers(engine) == [], "the next run sweeps them away"
    assert hits >= 2, "some kills must hit a running verifier"

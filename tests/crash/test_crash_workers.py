"""A killed ingest leaves no worker behind: it would go on asking a model that somebody pays for."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from e2e.command import EXAMPLES
from servers.model import ModelServer, Say

from kg.config import Settings
from kg.connection import Connection

pytestmark = [pytest.mark.db, pytest.mark.crash, pytest.mark.timeout(900)]


def until(done: Callable[[], bool], seconds: float) -> bool:
    """Whether it came to that in time."""
    deadline = time.monotonic() + seconds
    while not done() and time.monotonic() < deadline:
        time.sleep(0.1)
    return done()


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_whoever_started_them(
    sent: signal.Signals, connection: Connection, server_settings: Settings, tmp_path: Path, orphans_are_ours: None
) -> None:
    with ModelServer().running() as server:
        server.say(Say(delay=400))
        profile = {"model": "scripted", "base_url": server.base_url, "replies": str(tmp_path / "replies")}
        own = {"XKG_HOME": str(server_settings.home), "XKG_LLM_PROFILES": json.dumps({"here": profile})}
        words = ("ingest", "corpus", str(EXAMPLES / "corpus.toml"), "--jobs", "2", "--profile", "here")
        process = subprocess.Popen(
            [sys.executable, "-m", "xkg", *words], env={**os.environ, **own, "OPENAI_API_KEY": "none"},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        assert until(lambda: len(server.bodies) >= 2, 300), "both workers ask"
        workers = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(sent)
        process.wait()
        assert until(lambda: not any(map(is_alive, workers)), 30)
        time.sleep(1)
        assert len(server.bodies) == 2, "nobody asks any more"

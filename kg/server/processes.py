"""The processes of a home's server: found by what was noted, or by their command lines; waited for; ended."""

import contextlib
import os
import time
from dataclasses import dataclass

import psutil

from kg.errors import DatabaseError
from kg.server.home import Ports, ServerHome, read_json

__all__ = ["STOP_LIMIT", "Noted", "end", "exists", "find_leftovers", "find_noted", "wait_for"]

STOP_LIMIT = 90.0
"""Seconds a stop may last; a supervisor kills its server after 60."""

_SAME_SECONDS = 1.0


@dataclass(frozen=True)
class Noted:
    """What a supervisor noted about itself, with both processes checked to be alive and the ones it meant."""

    supervisor: psutil.Process
    server: psutil.Process
    ports: Ports


def find_noted(home: ServerHome) -> Noted | None:
    """The running server of `home`; None when nothing is noted, or what is noted is gone or another program."""
    state = read_json(home.state)
    if state is None:
        return None
    try:
        supervisor, server = _process(state["supervisor"]), _process(state["server"])
        ports = Ports(int(state["bolt"]), int(state["http"]))
    except (KeyError, TypeError, ValueError):
        return None
    return Noted(supervisor, server, ports) if supervisor and server else None


def find_leftovers(home: ServerHome) -> list[psutil.Process]:
    """All processes of `home`, by their command lines, whatever is noted: the last resort after kill -9."""
    arguments, root = f"@{home.run}{os.sep}", str(home.root)

    def is_ours(command: list[str]) -> bool:
        is_java = any(word.startswith(arguments) for word in command)
        return is_java or ("kg.server.supervisor" in command and root in command)

    return [process for process in psutil.process_iter(["cmdline"]) if is_ours(process.info["cmdline"] or [])]


def end(processes: list[psutil.Process]) -> None:
    """Ask processes to stop and wait until they are gone. Raises DatabaseError when one stays."""
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.terminate()
    wait_for(processes)


def wait_for(processes: list[psutil.Process]) -> None:
    """Wait until processes are gone. A zombie, whose parent does not collect it, counts as gone; ours are collected."""
    deadline = time.monotonic() + STOP_LIMIT
    while any(exists(process) for process in processes):
        if time.monotonic() > deadline:
            raise DatabaseError(
                "the local Neo4j does not stop",
                where=f"process {', '.join(str(process.pid) for process in processes)}",
                remedy="end it with `kill -9`; the graph survives that",
            )
        time.sleep(0.02)
    for process in processes:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(process.pid, os.WNOHANG)


def exists(process: psutil.Process) -> bool:
    """Whether the process still runs; a zombie does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _process(noted: dict[str, float]) -> psutil.Process | None:
    """A process by pid and create time: numbers are used again."""
    try:
        process = psutil.Process(int(noted["pid"]))
        same = abs(process.create_time() - float(noted["created"])) < _SAME_SECONDS
    except psutil.Error:
        return None
    return process if same and exists(process) else None

"""The small process between us and the server: it launches the JVM, watches it, and stops it when nobody uses it.

Run as ``python -m kg.server.supervisor HOME IDLE_SECONDS JAVA``, detached from the command that started it. The
JVM is told by the kernel (Linux) when its supervisor dies, and then shuts down cleanly.

Idle means: no command noted in `home/used`, and no client connected to the Bolt or the web port, for IDLE_SECONDS.
Its environment, which the server inherits, is the bare one of `kg.server.launch.child_environment`.
"""

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import BinaryIO

import psutil
from filelock import FileLock, Timeout

from kg.files import write_file
from kg.server.guide import browser_conf, serve_guide
from kg.server.home import ServerHome, java_command

__all__ = ["supervise"]

_LOG_LIMIT = 5_000_000
_PR_SET_PDEATHSIG = 1
_KILL_AFTER = 60.0


def supervise(home: ServerHome, idle_seconds: float, java: Path) -> int:
    """Run the server of `home` until it ends, is told to stop (SIGTERM), or has been idle. Returns its exit code."""
    stop_asked = _on_stop_signals()
    os.chdir(home.neo4j)
    home.touch()
    guide = serve_guide()
    with home.conf.open("a", encoding="utf-8") as conf:
        conf.write(browser_conf(guide.address))
    with _open_log(home.console_log) as log:
        server = subprocess.Popen(
            java_command(java, home.arguments),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509 -- we have one thread
        )
    guide.start()
    try:
        _note_state(home, server.pid)
        return _watch(home, server, idle_seconds, stop_asked)
    finally:
        _end(server)
        home.state.unlink(missing_ok=True)


def _watch(
    home: ServerHome, server: "subprocess.Popen[bytes]", idle_seconds: float, stop_asked: Callable[[], bool]
) -> int:
    pause = min(5.0, max(0.2, idle_seconds / 10))
    next_look = time.monotonic() + pause
    while not stop_asked():
        with contextlib.suppress(subprocess.TimeoutExpired):
            return server.wait(timeout=0.2)
        if time.monotonic() < next_look:
            continue
        next_look = time.monotonic() + pause
        if _has_clients(server.pid):
            home.touch()
        elif home.idle_seconds() > idle_seconds and _stop_unless_wanted(home, server, idle_seconds):
            break
    return _end(server)


def _stop_unless_wanted(home: ServerHome, server: "subprocess.Popen[bytes]", idle_seconds: float) -> bool:
    """Stop under the lock that commands take to attach, so that none attaches to a server on its way out."""
    try:
        with FileLock(home.start_lock, timeout=0):
            if home.idle_seconds() <= idle_seconds:
                return False
            _end(server)
            home.state.unlink(missing_ok=True)
            return True
    except Timeout:
        return False


def _end(server: "subprocess.Popen[bytes]") -> int:
    """Ask the server to shut down and wait; killing comes last, and the transaction log makes even that harmless."""
    if server.poll() is None:
        server.terminate()
        try:
            server.wait(timeout=_KILL_AFTER)
        except subprocess.TimeoutExpired:
            server.kill()
    return server.wait()


def _has_clients(pid: int) -> bool:
    try:
        connections = psutil.Process(pid).net_connections("tcp")
    except psutil.Error:
        return False
    return any(connection.status == psutil.CONN_ESTABLISHED for connection in connections)


def _note_state(home: ServerHome, server_pid: int) -> None:
    """Write who we are; a pid counts only together with its create time, since numbers are used again."""
    ports = home.ports()
    assert ports is not None  # noqa: S101 -- written by whoever launched us
    state = {
        "supervisor": {"pid": os.getpid(), "created": psutil.Process().create_time()},
        "server": {"pid": server_pid, "created": psutil.Process(server_pid).create_time()},
        "bolt": ports.bolt,
        "http": ports.http,
    }
    write_file(home.state, json.dumps(state))


def _on_stop_signals() -> Callable[[], bool]:
    asked = False

    def ask(_signal: int, _frame: FrameType | None) -> None:
        nonlocal asked
        asked = True

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, ask)
    return lambda: asked


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _open_log(path: Path) -> BinaryIO:
    """Append to the log; what grew beyond the limit becomes the one older log."""
    if path.exists() and path.stat().st_size > _LOG_LIMIT:
        path.replace(path.with_suffix(".1.log"))
    return path.open("ab")


def _let_go() -> None:
    """Close what the command that started us had open: a lock of its caller's would be held as long as we run."""
    for descriptor in [int(name) for name in os.listdir("/dev/fd") if int(name) > 2]:  # noqa: PTH208 -- numbers
        with contextlib.suppress(OSError):  # the listing's own is closed already
            os.close(descriptor)


if __name__ == "__main__":
    _let_go()
    sys.exit(supervise(ServerHome(Path(sys.argv[1])), float(sys.argv[2]), Path(sys.argv[3])))

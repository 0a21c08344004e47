"""The local server as commands see it: attach to it or start it, stop it, tell how it is."""

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from kg.config import Settings
from kg.errors import DatabaseError
from kg.server.archive import archive_arguments
from kg.server.diagnosis import explain_failed_start
from kg.server.home import HOST, Ports, Secret, ServerHome, read_json
from kg.server.jars import missing_jars
from kg.server.java import Java, find_java
from kg.server.launch import child_environment, set_first_password, write_launch_files

__all__ = ["LocalServer", "Running"]

_START_LIMIT = 300.0
_STOP_LIMIT = 150.0
_ATTEMPTS = 3


@dataclass(frozen=True)
class Running:
    """A server that answers. `started` tells whether this call started it; `remarks` are sentences for the user."""

    uri: str
    browser_url: str
    secret: Secret
    server_pid: int
    supervisor_pid: int
    started: bool
    remarks: tuple[str, ...] = ()


class LocalServer:
    """The one server of `settings.home`."""

    def __init__(self, settings: Settings, *, archive: Sequence[str] | None = None) -> None:
        self.settings = settings
        self.home = ServerHome(settings.home)
        self._archive = archive

    def ensure(self, say: Callable[[str], None] = lambda _text: None) -> Running:
        """Attach to the server, starting it if need be. Raises DatabaseError when it can't be had."""
        with self._locked():
            self.home.touch()
            if (running := self.find()) and _answers(running, self._deadline()):
                return running
            return self._start(say)

    def find(self) -> Running | None:
        """The server as noted in its home, if its processes are alive and truly ours; None otherwise."""
        state = read_json(self.home.state)
        if state is None or _process(state["supervisor"]) is None or _process(state["server"]) is None:
            return None
        ports = Ports(state["bolt"], state["http"])
        return self._running(ports, state["server"]["pid"], state["supervisor"]["pid"], started=False)

    def stop(self) -> bool:
        """Shut the server down and wait until its store is closed; False when none was running."""
        with self._locked():
            return self._stop()

    def _running(self, ports: Ports, server: int, supervisor: int, *, started: bool) -> Running:
        uri, web = f"bolt://{HOST}:{ports.bolt}", f"http://{HOST}:{ports.http}/browser/"
        return Running(uri, web, self.home.secret(), server, supervisor, started)

    def _deadline(self) -> float:
        return time.monotonic() + _START_LIMIT

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        if os.name != "posix":
            raise DatabaseError(
                "the local server runs on Linux and macOS only", remedy="set NEO4J_URI, or use docker-compose.yml"
            )
        self.home.make()
        try:
            with FileLock(self.home.start_lock, timeout=_START_LIMIT + _STOP_LIMIT):
                yield
        except Timeout as error:
            raise DatabaseError(
                "another command has been starting or stopping the local server for minutes",
                where=str(self.home.start_lock),
                remedy="end that command, then run this one again",
            ) from error

    def _start(self, say: Callable[[str], None]) -> Running:
        self._require_installation()
        self._end_leftovers()
        java = find_java()
        archive = archive_arguments(self.settings.cache, java) if self._archive is None else self._archive
        secret = self.home.secret()
        if not self.home.has_data:
            set_first_password(self.home, java, secret, self.settings, archive)
        for attempt in range(_ATTEMPTS):
            ports, taken = self.home.choose_ports()
            if taken:
                say(f"port {', '.join(map(str, taken))} is taken by another program; now {ports.bolt} and {ports.http}")
            write_launch_files(self.home, ports, self.settings, archive)
            log_start = _size(self.home.console_log)
            supervisor = self._launch(java)
            if running := self._await(supervisor, ports):
                return running
            failure = explain_failed_start(self.home, log_start)
            if not failure.port_taken or attempt == _ATTEMPTS - 1:
                raise failure.error
            self.home.ports_file.unlink(missing_ok=True)
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _launch(self, java: Java) -> int:
        """Start the supervisor, in a session of its own so that Ctrl-C here doesn't reach it; returns its pid."""
        idle = self.settings.server_idle_minutes * 60
        command = [sys.executable, "-P", "-m", "kg.server.supervisor", str(self.home.root), str(idle), str(java.path)]
        return os.posix_spawn(
            sys.executable,
            command,
            child_environment(self.home),
            setsid=True,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, self.home.console_log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ],
        )

    def _await(self, supervisor: int, ports: Ports) -> Running | None:
        """Wait until the server answers; None when it ended instead."""
        deadline = self._deadline()
        while time.monotonic() < deadline:
            if os.waitpid(supervisor, os.WNOHANG)[0]:
                return None
            state = read_json(self.home.state)
            if state and _listens(ports.bolt):
                running = self._running(ports, state["server"]["pid"], supervisor, started=True)
                return running if _answers(running, deadline) else None
            time.sleep(0.05)
        self._end_leftovers()
        raise DatabaseError(
            f"the local Neo4j did not answer within {_START_LIMIT:.0f} s",
            where=str(self.home.console_log),
            remedy="free memory or processor time, then run the command again",
        )

    def _stop(self) -> bool:
        running = self.find()
        if running is None:
            return self._end_leftovers()
        supervisor = psutil.Process(running.supervisor_pid)
        supervisor.terminate()
        _wait_for([supervisor, *_existing(running.server_pid)])
        self.home.state.unlink(missing_ok=True)
        return True

    def _end_leftovers(self) -> bool:
        """End processes of this home that no state file tells of: what a kill -9 at a bad moment left behind."""
        marks = (f"@{self.home.arguments}", str(self.home.root))
        left = [
            process for process in psutil.process_iter(["cmdline"]) if _is_ours(process.info["cmdline"] or [], *marks)
        ]
        for process in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.terminate()
        _wait_for(left)
        self.home.state.unlink(missing_ok=True)
        return bool(left)

    def _require_installation(self) -> None:
        if missing := missing_jars(self.settings.cache):
            raise DatabaseError(
                f"the local Neo4j is not installed: {len(missing)} of its jars are missing",
                where=str(self.settings.cache),
                remedy="run `xkg setup` once, or set NEO4J_URI",
            )

    def erase(self) -> None:
        """Stop the server and delete its graph, its logs and its password; the ports are kept."""
        with self._locked():
            self._stop()
            shutil.rmtree(self.home.neo4j)
            self.home.secrets.unlink(missing_ok=True)


def _is_ours(command: list[str], server_mark: str, root: str) -> bool:
    return server_mark in command or ("kg.server.supervisor" in command and root in command)


def _process(noted: dict[str, float]) -> psutil.Process | None:
    """The process noted by pid and create time, unless it is gone, a zombie, or another one with the same number."""
    try:
        process = psutil.Process(int(noted["pid"]))
        same = abs(process.create_time() - noted["created"]) < 1.0
        return process if same and process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.Error:
        return None


def _existing(pid: int) -> list[psutil.Process]:
    try:
        return [psutil.Process(pid)]
    except psutil.NoSuchProcess:
        return []


def _wait_for(processes: list[psutil.Process]) -> None:
    """Wait until they are gone; a zombie, whose parent does not collect it, counts as gone."""
    deadline = time.monotonic() + _STOP_LIMIT
    while any(_is_alive(process) for process in processes):
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


def _is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _listens(port: int) -> bool:
    import socket

    with contextlib.suppress(OSError), socket.create_connection((HOST, port), timeout=1):
        return True
    return False


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _answers(running: Running, deadline: float) -> bool:
    """Whether the database takes a transaction before `deadline`; waits while the server's process lives."""
    from neo4j import GraphDatabase
    from neo4j.exceptions import AuthError, DriverError, Neo4jError

    auth = (running.secret.username, running.secret.password)
    while time.monotonic() < deadline:
        try:
            with (
                GraphDatabase.driver(running.uri, auth=auth) as driver,
                driver.session() as session,
                session.begin_transaction() as transaction,
            ):
                transaction.rollback()
            return True
        except AuthError as error:
            raise DatabaseError(
                "the local Neo4j refuses the password in the secrets file",
                where="secrets.json in the home folder",
                remedy="restore that file, or start with an empty graph by `xkg db reset`",
            ) from error
        except (DriverError, Neo4jError):
            if not any(_is_alive(process) for process in _existing(running.server_pid)):
                return False
            time.sleep(0.05)
    return False

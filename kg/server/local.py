"""The local server as commands see it: attach to it or start it, stop it, tell how it is."""

import contextlib
import os
import shutil
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import psutil
from filelock import FileLock, Timeout

from kg.config import Settings
from kg.errors import DatabaseError
from kg.server.archive import archive_arguments
from kg.server.diagnosis import explain_failed_start, log_sizes
from kg.server.home import HOST, Ports, ServerHome, read_json
from kg.server.jars import missing_jars
from kg.server.java import Java, find_java
from kg.server.launch import child_environment, set_first_password, write_launch_files
from kg.server.processes import STOP_LIMIT, end, exists, find_leftovers, find_noted, wait_for

__all__ = ["LocalServer", "Running"]

_START_LIMIT = 300.0
_ATTEMPTS = 3


@dataclass(frozen=True)
class Running:
    """A server that runs. `started` tells whether this call started it."""

    uri: str
    browser_url: str
    server_pid: int
    supervisor_pid: int
    started: bool


class LocalServer:
    """The one server of `settings.home`. `archive` overrides the JVM's arguments about its class-data archive."""

    def __init__(self, settings: Settings, *, archive: Sequence[str] | None = None) -> None:
        self.settings = settings
        self.home = ServerHome(settings.home)
        self._archive = archive

    def ensure(self, say: Callable[[str], None] = lambda _text: None) -> Running:
        """Attach to the server, starting it if need be. Raises DatabaseError when it can't be had.

        `say` gets remarks for the user: a port that had to change.
        """
        with self._locked():
            self.home.touch()
            running = self.find()
            if not (running and self._answers(running, time.monotonic() + _START_LIMIT)):
                running = self._start(say)
            self.home.touch()  # a start may take longer than an idle server is kept
            return running

    def find(self) -> Running | None:
        """The server that runs now, without starting or waiting for one."""
        noted = find_noted(self.home)
        return _running(noted.ports, noted.server.pid, noted.supervisor.pid, started=False) if noted else None

    def stop(self) -> bool:
        """Shut the server down and wait until its store is closed; False when none was running."""
        if not self.home.root.exists():
            return False
        with self._locked():
            return self._stop()

    def erase(self) -> bool:
        """Stop the server and delete its graph, logs and password; the ports are kept. False when there was nothing."""
        if not self.home.root.exists():
            return False
        with self._locked():
            self._stop()
            there = self.home.has_data
            try:
                shutil.rmtree(self.home.neo4j)
                self.home.secrets.unlink(missing_ok=True)
            except OSError as error:
                raise DatabaseError(
                    f"the graph can't be deleted: {error.strerror}",
                    where=str(error.filename or self.home.neo4j),
                    remedy="give yourself write permission there, then run the command again",
                ) from error
            return there

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """One command at a time starts, attaches or stops; the kernel frees the lock of one that was killed."""
        if os.name != "posix":
            raise DatabaseError(
                "the local server runs on Linux and macOS only", remedy="set NEO4J_URI, or use docker-compose.yml"
            )
        self.home.make()
        try:
            with FileLock(self.home.start_lock, timeout=_START_LIMIT + STOP_LIMIT):
                yield
        except Timeout as error:
            raise DatabaseError(
                "another command has been starting or stopping the local server for minutes",
                where=str(self.home.start_lock),
                remedy="end that command, then run this one again",
            ) from error

    def _start(self, say: Callable[[str], None]) -> Running:
        self._require_installation()
        self._stop()
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
            logged = log_sizes(self.home)
            if running := self._await(self._launch(java), ports):
                return running
            failure = explain_failed_start(self.home, logged)
            if not failure.port_taken or attempt == _ATTEMPTS - 1:
                raise failure.error
            self.home.ports_file.unlink(missing_ok=True)
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _launch(self, java: Java) -> int:
        """Start the supervisor, in a session of its own so that Ctrl-C here doesn't reach it; returns its pid."""
        idle = self.settings.server.idle_minutes * 60
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
        deadline = time.monotonic() + _START_LIMIT
        while time.monotonic() < deadline:
            if os.waitpid(supervisor, os.WNOHANG)[0]:
                return None
            state = read_json(self.home.state)
            if state and _listens(ports.bolt):
                running = _running(ports, int(state["server"]["pid"]), supervisor, started=True)
                return running if self._answers(running, deadline) else None
            time.sleep(0.05)
        self._stop()
        raise DatabaseError(
            f"the local Neo4j did not answer within {_START_LIMIT:.0f} s",
            where=str(self.home.logs),
            remedy="free memory or processor time, then run the command again",
        )

    def _stop(self) -> bool:
        """End the noted server, or whatever a kill -9 left of this home; the supervisor ends the server cleanly."""
        if noted := find_noted(self.home):
            noted.supervisor.terminate()
            wait_for([noted.supervisor, noted.server])
            stopped = True
        else:
            left = find_leftovers(self.home)
            end(left)
            stopped = bool(left)
        self.home.state.unlink(missing_ok=True)
        return stopped

    def _require_installation(self) -> None:
        if missing := missing_jars(self.settings.cache):
            raise DatabaseError(
                f"the local Neo4j is not installed: {len(missing)} of its jars are missing",
                where=str(self.settings.cache),
                remedy="run `xkg setup` once, or set NEO4J_URI",
            )

    def _answers(self, running: Running, deadline: float) -> bool:
        """Whether the database takes a transaction before `deadline`; waits while the server's process lives."""
        from neo4j import GraphDatabase
        from neo4j.exceptions import AuthError, DriverError, Neo4jError

        secret = self.home.secret()
        while time.monotonic() < deadline:
            try:
                with (
                    GraphDatabase.driver(running.uri, auth=(secret.username, secret.password)) as driver,
                    driver.session() as session,
                    session.begin_transaction() as transaction,
                ):
                    transaction.rollback()
                return True
            except AuthError as error:
                raise DatabaseError(
                    "the local Neo4j refuses the password in its secrets file",
                    where=str(self.home.secrets),
                    remedy="restore that file, or start with an empty graph by `xkg db reset`",
                ) from error
            except (DriverError, Neo4jError):
                if not (psutil.pid_exists(running.server_pid) and exists(psutil.Process(running.server_pid))):
                    return False
                time.sleep(0.05)
        return False


def _running(ports: Ports, server: int, supervisor: int, *, started: bool) -> Running:
    uri, web = f"bolt://{HOST}:{ports.bolt}", f"http://{HOST}:{ports.http}/browser/"
    return Running(uri, web, server, supervisor, started)


def _listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection((HOST, port), timeout=1):
        return True
    return False

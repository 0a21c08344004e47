"""What a home folder holds for the local server: Neo4j's own folder, the secret, the ports, and who is running.

::

    home/                 0700
    ├── secrets.json      0600, user and password, made once
    ├── ports.json        the ports chosen once and kept for the next time
    ├── start.lock        held while a command starts, attaches to or stops the server
    ├── used              touched by every command; its age is how long the server has been idle
    └── neo4j/            conf, data, logs, import, plugins: what Neo4j calls its home
        └── run/          the arguments and memory it was started with, and server.json while it runs
"""

import json
import secrets
import socket
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kg.errors import DatabaseError
from kg.files import write_file

__all__ = ["Ports", "Secret", "ServerHome", "is_free", "java_command", "read_json"]

HOST = "127.0.0.1"
USER = "neo4j"


@dataclass(frozen=True)
class Ports:
    """The loopback ports of Bolt and of Neo4j Browser's web page."""

    bolt: int
    http: int


@dataclass(frozen=True)
class Secret:
    """Who may log in. The password is not part of the representation."""

    username: str
    password: str = field(repr=False)


class ServerHome:
    """The paths below one XKG_HOME, and the small files that outlive a run."""

    def __init__(self, root: Path) -> None:
        self.root = root.expanduser().absolute()
        self.neo4j = self.root / "neo4j"
        self.data = self.neo4j / "data"
        self.logs = self.neo4j / "logs"
        self.run = self.neo4j / "run"
        self.conf = self.neo4j / "conf" / "neo4j.conf"
        self.arguments = self.run / "java.args"
        self.state = self.run / "server.json"
        self.memory = self.run / "memory.json"
        self.console_log = self.logs / "console.log"
        self.neo4j_log = self.logs / "neo4j.log"
        self.debug_log = self.logs / "debug.log"
        self.secrets = self.root / "secrets.json"
        self.ports_file = self.root / "ports.json"
        self.start_lock = self.root / "start.lock"
        self.used = self.root / "used"

    def make(self) -> None:
        """Create the folders, readable by the owner alone. Raises DatabaseError when that is not allowed."""
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            self.root.chmod(0o700)
            for folder in (
                self.conf.parent,
                self.data,
                self.logs,
                self.run,
                self.neo4j / "import",
                self.neo4j / "plugins",
            ):
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DatabaseError(
                f"the home folder can't be made: {error.strerror}",
                where=str(error.filename or self.root),
                remedy="set XKG_HOME to a folder you may write to",
            ) from error

    @property
    def has_data(self) -> bool:
        """Whether a server has ever been up here."""
        return (self.data / "databases" / "system").exists()

    def secret(self) -> Secret:
        """The user and password; made at the first call. Raises DatabaseError when lost while a graph exists."""
        kept = read_json(self.secrets)
        usable = kept is not None and {"username", "password"} <= kept.keys()
        if not usable and self.has_data:
            raise DatabaseError(
                "the password of the local graph is lost: its secrets file is missing or damaged",
                where=str(self.secrets),
                remedy="restore that file, or start with an empty graph by `xkg db reset`",
            )
        if kept is None or not usable:
            kept = {"username": USER, "password": secrets.token_hex(20)}
            write_file(self.secrets, json.dumps(kept))
        return Secret(str(kept["username"]), str(kept["password"]))

    def ports(self) -> Ports | None:
        """The ports of the last time, if any."""
        kept = read_json(self.ports_file)
        try:
            return Ports(int(kept["bolt"]), int(kept["http"])) if kept else None
        except (KeyError, TypeError, ValueError):
            return None

    def choose_ports(self) -> tuple[Ports, tuple[int, ...]]:
        """Ports for a start: those of last time when nobody else has them. Also tells which ones had to be given up."""
        old = self.ports()
        taken = tuple(port for port in ((old.bolt, old.http) if old else ()) if not is_free(port))
        if old and not taken:
            return old, ()
        ports = _two_free_ports()
        write_file(self.ports_file, json.dumps({"bolt": ports.bolt, "http": ports.http}))
        return ports, taken

    def touch(self) -> None:
        """Note that the server is in use now."""
        self.used.touch()

    def idle_seconds(self) -> float:
        """Seconds since the last command; 0 when none was ever noted."""
        try:
            return max(0.0, time.time() - self.used.stat().st_mtime)
        except FileNotFoundError:
            return 0.0


def is_free(port: int) -> bool:
    """Whether a server could listen on this loopback port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _two_free_ports() -> Ports:
    with socket.socket() as one, socket.socket() as other:
        one.bind((HOST, 0))
        other.bind((HOST, 0))
        return Ports(one.getsockname()[1], other.getsockname()[1])


def java_command(java: Path, arguments: Path) -> list[str]:
    """The command line of a JVM that reads everything else from `arguments`."""
    return [str(java), f"@{arguments}"]


def read_json(path: Path) -> dict[str, Any] | None:
    """A JSON object from a small file; None when it is absent or not that."""
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) else None

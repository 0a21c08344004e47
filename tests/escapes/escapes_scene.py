"""The host as an attempt finds it: secrets, a victim, listeners and shared memory, each watched from outside.

Everything here is real: the files lie in the launcher's home, its XKG_HOME and /tmp, the listeners are the kernel's,
the victim is a process. What an attempt does to them is read here, never from what the attempt says.
"""

import contextlib
import ctypes
import hashlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

SECRET_NAME = "XKG_ESCAPES_SECRET"
LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass
class Arrivals:
    """What reached the host's listeners: (listener, first bytes)."""

    seen: list[tuple[str, bytes]] = field(default_factory=list)

    def add(self, listener: str, data: bytes) -> None:
        """Called by the listeners' threads."""
        self.seen.append((listener, data))

    def of(self, token: str) -> list[str]:
        """The listeners that `token` reached; an arrival without a word counts for everybody."""
        return [listener for listener, data in self.seen if token.encode() in data or not data]


@dataclass(frozen=True)
class Scene:
    """One host to attack. `told` is what an attempt is told of it, `folder` where this scene keeps its things."""

    folder: Path
    canaries: tuple[Path, ...]
    read_only: Path
    victim: subprocess.Popen[bytes]
    arrivals: Arrivals
    secrets: dict[str, str]
    told: dict[str, Any]

    def fingerprint(self) -> str:
        """A hash of all that must not change: the canaries' content and neighbours, the read-only folder's all."""
        digest = hashlib.sha256()
        for folder in sorted({path.parent for path in self.canaries} | {self.read_only}):
            for path in sorted(folder.iterdir()):
                status = path.lstat()
                digest.update(
                    f"{path} {status.st_mode} {status.st_size} {status.st_mtime_ns} {status.st_nlink}".encode()
                )
                if path.is_file() and not path.is_symlink():
                    digest.update(path.read_bytes())
        return digest.hexdigest()

    def touched(self, token: str) -> list[str]:
        """The host's shared folders in which something bears `token`."""
        folders = {path.parent for path in self.canaries} | {Path(p) for p in ("/tmp", "/dev/shm", "/var/tmp", "/run")}
        return [str(folder) for folder in folders if folder.is_dir() and (folder / token).exists()]

    def victim_lives(self) -> bool:
        """Whether the victim runs on, untraced."""
        if self.victim.poll() is not None:
            return False
        return "TracerPid:\t0" in Path(f"/proc/{self.victim.pid}/status").read_text()


@contextmanager
def open_scene(home: Path) -> Iterator[Scene]:
    """Put everything up; `home` is the XKG_HOME that the launcher uses. All of it is gone afterwards."""
    with ExitStack() as stack:
        held = {name: f"{name}-{secrets.token_hex(16)}" for name in ("file", "environment", "memory", "opened")}
        folder = Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="xkg-escapes-", ignore_cleanup_errors=True))
        )
        folder.chmod(0o755)
        canaries = tuple(_canaries(stack, home, folder, held["file"]))
        read_only = _read_only(folder)
        victim = _victim(stack, folder, held)
        arrivals = Arrivals()
        told: dict[str, Any] = {
            "canaries": [str(path) for path in canaries],
            "secrets": {name: secret[::-1] for name, secret in held.items()},
            "read_only_files": [],
            "victim": victim.pid,
            "launcher": os.getpid(),
            "launcher_group": os.getpgrp(),
            "allowed_environment": [],
            "interfaces": [name for name in psutil.net_if_addrs() if name != "lo"],
            "disk_device": _disk_device(),
            **_listeners(stack, arrivals, folder),
            **_shared_memory(stack, folder, held),
        }
        yield Scene(folder, canaries, read_only, victim, arrivals, held, told)


def _canaries(stack: ExitStack, home: Path, folder: Path, secret: str) -> Iterator[Path]:
    """Secrets in the real home, in a folder of keys, in XKG_HOME, and in /tmp, readable for all where the system is."""
    name = f".xkg-escapes-{secrets.token_hex(6)}"
    own = Path.home() / name
    home.mkdir(parents=True, exist_ok=True)
    for place in (own / ".ssh", home / name, folder / "canary"):
        place.mkdir(parents=True)
        stack.callback(shutil.rmtree, place.parent if place.name == ".ssh" else place, ignore_errors=True)
        place.chmod(0o755)
        path = place / ("id_ed25519" if place.name == ".ssh" else "secret")
        path.write_text(f"-----BEGIN\n{secret}\n")
        path.chmod(0o644)
        yield path


def _read_only(folder: Path) -> Path:
    """A folder as an environment's: a module, its byte code's place, and a program with the set-user-id bit."""
    place = folder / "environment"
    (place / "__pycache__").mkdir(parents=True)
    (place / "module.py").write_text("VALUE = 1\n")
    shutil.copy("/usr/bin/id", place / "id")
    for path in (folder, place, place / "__pycache__"):
        path.chmod(0o755)
    (place / "id").chmod(0o6755 if os.geteuid() == 0 else 0o755)
    return place


def _victim(stack: ExitStack, folder: Path, held: dict[str, str]) -> subprocess.Popen[bytes]:
    """A process with a secret in its environment, its memory and an open file, of the launcher's user."""
    opened = folder / "opened"
    opened.write_text(held["opened"])
    code = "import sys, time; held = sys.stdin.readline(); opened = open(sys.argv[1]); print('up', flush=True)"
    code += "; time.sleep(9999)"
    victim = subprocess.Popen(
        [sys.executable, "-c", code, str(opened)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={SECRET_NAME: held["environment"]},
        start_new_session=True,
    )

    def end() -> None:
        with contextlib.suppress(ProcessLookupError):
            victim.send_signal(signal.SIGCONT)
        victim.kill()
        victim.communicate()

    stack.callback(end)
    assert victim.stdin is not None
    assert victim.stdout is not None
    victim.stdin.write(f"{held['memory']}\n".encode())
    victim.stdin.flush()
    assert victim.stdout.readline() == b"up\n"
    return victim


def _disk_device() -> tuple[int, int]:
    """Major and minor number of a disk of this machine."""
    for line in Path("/proc/partitions").read_text().splitlines()[2:]:
        major, minor, _, name = line.split()
        if not name.startswith(("loop", "ram", "zram")):
            return int(major), int(minor)
    return 8, 0


def _own_address() -> str | None:
    """An address of this machine that is not its loopback, if it has one."""
    for addresses in psutil.net_if_addrs().values():
        for address in addresses:
            if address.family == socket.AF_INET and not address.address.startswith("127."):
                return address.address
    return None


def _listeners(stack: ExitStack, arrivals: Arrivals, folder: Path) -> dict[str, Any]:
    tcp, udp, dns = [], [], []
    over = threading.Event()
    own = _own_address()
    hosts = ["127.0.0.1", *([own] if own else []), *(["::1"] if _has_loopback6() else [])]
    for host in hosts:
        kind = socket.AF_INET6 if ":" in host else socket.AF_INET
        tcp.append((host, _serve(stack, over, arrivals, f"tcp {host}", kind, socket.SOCK_STREAM, (host, 0))))
        udp.append((host, _serve(stack, over, arrivals, f"udp {host}", kind, socket.SOCK_DGRAM, (host, 0))))
    dns.append(("127.0.0.1", _serve(stack, over, arrivals, "dns", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))))
    path, abstract = folder / "listener", f"xkg-escapes-{secrets.token_hex(8)}"
    _serve(stack, over, arrivals, "unix", socket.AF_UNIX, socket.SOCK_STREAM, str(path))
    path.chmod(0o777)
    _serve(stack, over, arrivals, "abstract", socket.AF_UNIX, socket.SOCK_STREAM, "\0" + abstract)
    stack.callback(over.set)
    outside = [("1.1.1.1", 443), ("8.8.8.8", 53), ("169.254.169.254", 80), ("192.168.0.1", 80)]
    outside += [(own, next(port for host, port in tcp if host == own))] if own else []
    return {"tcp": tcp, "udp": udp, "dns": dns, "unix": [str(path)], "abstract": abstract, "outside": outside}


def _has_loopback6() -> bool:
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            return False
        return True


def _serve(
    stack: ExitStack, over: threading.Event, arrivals: Arrivals, label: str, family: int, kind: int, address: Any
) -> int:
    """Listen and note what comes; returns the port (0 for unix sockets)."""
    listener = stack.enter_context(socket.socket(family, kind))
    listener.bind(address)
    listener.settimeout(0.2)

    def serve() -> None:
        while not over.is_set():
            try:
                if kind == socket.SOCK_DGRAM:
                    data, sender = listener.recvfrom(2000)
                    arrivals.add(label, data)
                    listener.sendto(data[:12], sender)
                else:
                    link, _ = listener.accept()
                    with link:
                        link.settimeout(1)
                        with contextlib.suppress(TimeoutError, ConnectionError):
                            arrivals.add(label, link.recv(2000))
            except TimeoutError:
                continue

    if kind == socket.SOCK_STREAM:
        listener.listen(64)
    thread = threading.Thread(target=serve, name=label)
    thread.start()
    stack.callback(thread.join)
    return 0 if family == socket.AF_UNIX else int(listener.getsockname()[1])


def _shared_memory(stack: ExitStack, folder: Path, held: dict[str, str]) -> dict[str, Any]:
    """System V memory, semaphores and messages under one key, and a file in /dev/shm."""
    key = secrets.randbelow(1 << 30) + 1
    segment = LIBC.shmget(key, ctypes.c_size_t(4096), 0o1666)
    semaphore, messages = LIBC.semget(key, 1, 0o1666), LIBC.msgget(key, 0o1666)
    assert min(segment, semaphore, messages) >= 0
    stack.callback(LIBC.shmctl, segment, 0, None)
    stack.callback(LIBC.semctl, semaphore, 0, 0)
    stack.callback(LIBC.msgctl, messages, 0, None)
    shared = Path("/dev/shm") / f"xkg-escapes-{secrets.token_hex(6)}"
    shared.write_text(held["memory"])
    shared.chmod(0o666)
    stack.callback(shared.unlink)
    queue = f"xkg-escapes-{secrets.token_hex(6)}"
    return {"ipc_key": key, "queue": queue, "posix_shm": shared.name}

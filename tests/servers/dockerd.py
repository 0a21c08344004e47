"""A Docker engine of the tests' own: the distribution's dockerd, as root, all in a folder that goes at the end."""

import contextlib
import errno
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

START_SECONDS = 60
STOP_SECONDS = 30
CONFIG = {
    "iptables": False, "ip6tables": False, "ip-forward": False, "bridge": "none",
    "exec-opts": ["native.cgroupdriver=cgroupfs"],
}  # fmt: skip
GROUPS = Path("/sys/fs/cgroup")
PROGRAMS = ("dockerd", "containerd", "runc", "debootstrap", "setpriv")


def missing() -> str:
    """What an engine of our own lacks here; an empty string if nothing."""
    if os.geteuid():
        return "no Docker engine answers, and starting one needs root"
    absent = [name for name in PROGRAMS if not shutil.which(name)]
    return f"no Docker engine answers, and {', '.join(absent)} is not installed" if absent else ""


@contextlib.contextmanager
def dockerd() -> Iterator[str]:
    """The address of a fresh engine. It ends with us, also when we are killed, and leaves no process and no mount.

    Its containers' control groups stand below one of its own name, which tests beside it know for another's: the
    common one, `docker`, is made with the first container, and nobody could tell it from what a run left behind.
    """
    folder = Path(tempfile.mkdtemp(prefix="xkg-dockerd-"))
    address = f"unix://{folder}/docker.sock"
    places = {"data-root": "data", "exec-root": "exec", "pidfile": "docker.pid"}
    own = {
        "hosts": [address],
        "cgroup-parent": f"/{folder.name}",
        **{key: f"{folder}/{p}" for key, p in places.items()},
    }
    config = folder / "daemon.json"
    config.write_text(json.dumps({**CONFIG, **own}))
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "TERM", "dockerd", "--config-file", str(config)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        _await(process, address, folder / "log")
        yield address
    finally:
        _stop(process, folder)


def _await(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), contextlib.closing(socket.socket(socket.AF_UNIX)) as tried:
            tried.connect(address.removeprefix("unix://"))
            return
        time.sleep(0.2)
    raise AssertionError(f"dockerd did not start:\n{log.read_text(errors='replace')[-3000:]}")


def _stop(process: subprocess.Popen[bytes], folder: Path) -> None:
    process.send_signal(signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(STOP_SECONDS)
    for left in _processes(folder):
        with contextlib.suppress(psutil.NoSuchProcess):
            left.kill()
    process.wait()
    for place in sorted(_mounts(folder), reverse=True):
        subprocess.run(["umount", "-l", place], check=True)
    for group in sorted(GROUPS.glob(f"**/{folder.name}/**/"), reverse=True):
        _remove(group)
    shutil.rmtree(folder)


def _remove(group: Path) -> None:
    """Remove a control group with whatever still runs in it: a container outlives an engine that was killed."""
    deadline = time.monotonic() + STOP_SECONDS
    with contextlib.suppress(FileNotFoundError):  # a controller has several names
        while True:
            for pid in (group / "cgroup.procs").read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
            try:
                return group.rmdir()
            except OSError as error:
                if error.errno != errno.EBUSY or time.monotonic() > deadline:
                    raise
            time.sleep(0.1)  # what was killed has not left yet


def _processes(folder: Path) -> list[psutil.Process]:
    """The engine's processes: all that name its folder among their arguments."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess):
            if process.pid != os.getpid() and any(str(folder) in argument for argument in process.cmdline()):
                found.append(process)
    return found


def _mounts(folder: Path) -> list[str]:
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    return [place for line in lines if (place := line.split()[4]).startswith(f"{folder}/")]


def pid_of(address: str) -> int:
    """The process of the engine that `dockerd` gave this address."""
    return int((Path(address.removeprefix("unix://")).parent / "docker.pid").read_text())

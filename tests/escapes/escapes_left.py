"""What runs could leave on the host: processes, control groups, mounts, shared memory, files, a changed name."""

import os
import subprocess
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

GRACE = 30.0


@dataclass(frozen=True)
class Left:
    """What is there now, by kind; `hostname` and `children` of this process are the host's as well."""

    children: frozenset[str]
    bwraps: frozenset[str]
    groups: frozenset[str]
    mounts: frozenset[str]
    ipc: frozenset[str]
    temporary: frozenset[str]
    descriptors: frozenset[str]
    hostname: frozenset[str]

    def more_than(self, earlier: "Left") -> dict[str, list[str]]:
        """What is here and was not then."""
        then = asdict(earlier)
        return {kind: sorted(now - then[kind]) for kind, now in asdict(self).items() if now - then[kind]}


def look(*, containers: bool) -> Left:
    """Take stock, of what engines keep for `containers` as well: beside runs of another kind others may run them."""
    return Left(
        children=frozenset(_described(psutil.Process().children(recursive=True))),
        bwraps=frozenset(_described(p for p in psutil.process_iter() if _is_orphan(p))),
        groups=frozenset(_groups(containers)),
        mounts=frozenset(_mounts()),
        ipc=frozenset(_ipc()),
        temporary=frozenset(path.name for path in Path(tempfile.gettempdir()).iterdir()),
        descriptors=frozenset(_descriptors()),
        hostname=frozenset([os.uname().nodename]),
    )


def still_left(before: Left, after: Left, *, containers: bool) -> dict[str, list[str]]:
    """What is new since `before` and does not go: what others on this machine do in passing is no trace of ours."""
    deadline = time.monotonic() + GRACE
    more = after.more_than(before)
    while more and time.monotonic() < deadline:
        time.sleep(1)
        now = look(containers=containers).more_than(before)
        more = {kind: kept for kind, found in more.items() if (kept := sorted(set(found) & set(now.get(kind, ()))))}
    return more


def _mounts() -> list[str]:
    """Places of mounts, but for the one that an engine of the tests, which may begin meanwhile, makes for itself."""
    places = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    return [place for place in places if not ("/xkg-dockerd-" in place and place.endswith("/data"))]


def _is_orphan(process: psutil.Process) -> bool:
    """Whether it is a bubblewrap whose supervisor is gone."""
    try:
        return process.name() in ("bwrap", "bubblewrap") and process.ppid() == 1
    except psutil.Error:
        return False


def _described(processes: object) -> list[str]:
    found = []
    for process in processes:  # type: ignore[attr-defined]
        try:
            found.append(f"{process.pid} {' '.join(process.cmdline())[:200]}")
        except psutil.Error:
            continue
    return found


def _groups(containers: bool) -> list[str]:
    """Control groups, but for those of other supervisors on this machine, and of containers that run, or of all."""
    found = []
    for folder, names, _ in os.walk("/sys/fs/cgroup"):
        own = (name for name in names if not name.startswith("xkg-") or f"-{os.getpid()}-" in name)
        found += [
            f"{folder}/{name}" for name in own if len(name) != 64 or (containers and not _busy(Path(folder) / name))
        ]
    return found


def _busy(group: Path) -> bool:
    """Whether processes live in it; ours would have been told by their tokens."""
    try:
        return bool((group / "cgroup.procs").read_text())
    except OSError:
        return False


def _ipc() -> list[str]:
    told = subprocess.run(["ipcs", "-a"], capture_output=True, text=True, check=False).stdout
    return [" ".join(line.split()[:3]) for line in told.splitlines()]


def _descriptors() -> list[str]:
    """Open files of this process, those that come and go with threads and listeners left out."""
    found = []
    for entry in Path("/proc/self/fd").iterdir():
        try:
            target = str(entry.readlink())
        except OSError:
            continue
        if not target.startswith(("socket:", "/proc/", "/dev/", tempfile.gettempdir())):
            found.append(f"{entry.name} {target}")
    return found

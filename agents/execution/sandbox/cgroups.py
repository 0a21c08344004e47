"""Control groups: limits of memory and processes that the kernel keeps for a whole run, version 1 and 2.

A run's group lies below the supervisor's own (version 1, or the root of version 2) or beside it (version 2, where a
group with processes may have no limited children), so that what the system grants the supervisor still binds the run.
Nothing is taken for granted: a group is made, limited and joined, or there is none.
"""

import contextlib
import itertools
import os
import re
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from agents.execution.sandbox.models import LimitName, Limits
from agents.execution.sandbox.owners import PATTERN, is_dead, this_process

__all__ = ["Group", "make_group", "sweep"]

PREFIX = "xkg-"
OWN = ("memory", "pids")
REMOVAL_SECONDS = 5.0
_numbers = itertools.count()


@dataclass(frozen=True)
class Group:
    """One run's control group: a folder per controller (`cpu` may be missing), and the `version` of the interface.

    It need not be looked at often, once in `tick` seconds, as the kernel does what matters.
    """

    tick: ClassVar[float] = 0.02
    version: int
    memory: Path
    pids: Path
    cpu: Path | None

    @property
    def folders(self) -> tuple[Path, ...]:
        """Each folder once, to be joined or removed."""
        return tuple(dict.fromkeys(folder for folder in (self.memory, self.pids, self.cpu) if folder))

    @property
    def enforced(self) -> dict[str, str]:
        """The protections that it gives."""
        name = f"cgroup v{self.version}"
        return {"memory": name, "pids": name} | ({"cpu": f"{name}, read by the supervisor"} if self.cpu else {})

    def passed(self, limits: Limits) -> LimitName | None:
        """The limit that the kernel has refused to exceed, or that the processor time has passed."""
        if self._oom_kills():
            return "memory"
        if _counter(self.pids / "pids.events", "max"):
            return "pids"
        return "cpu" if limits.cpu is not None and self.cpu_seconds() > limits.cpu else None

    def _oom_kills(self) -> int:
        name = "memory.oom_control" if self.version == 1 else "memory.events"
        return _counter(self.memory / name, "oom_kill")

    def cpu_seconds(self) -> float:
        """Processor time of all processes so far; 0 if nothing counts it."""
        if self.cpu is None:
            return 0.0
        if self.version == 1:
            return _counter(self.cpu / "cpuacct.usage") / 1e9
        return _counter(self.cpu / "cpu.stat", "usage_usec") / 1e6

    def peak_memory(self) -> int | None:
        """The most bytes that were in use at once; None where the kernel does not keep it."""
        name = "memory.max_usage_in_bytes" if self.version == 1 else "memory.peak"
        return _counter(self.memory / name) or None

    def end(self) -> None:
        """Kill what is in it and remove it. Processes that were killed may take a moment to be gone."""
        for folder in self.folders:
            _end(folder)


def make_group(limits: Limits, *, memory: int, overhead: int) -> Group | None:
    """A limited group, or None where none can be made. `memory` bytes and `overhead` processes are allowed on top."""
    for version, parents in _places():
        name = f"{PREFIX}{this_process()}-{next(_numbers)}"
        folders = {controller: parent / name for controller, parent in parents.items()}
        group = Group(version, folders["memory"], folders["pids"], folders.get("cpu"))
        try:
            for folder in group.folders:
                folder.mkdir()
            _limit(group, limits.memory + memory, limits.pids + overhead)
        except OSError:
            group.end()
            continue
        return group
    return None


def _limit(group: Group, memory: int, pids: int) -> None:
    (group.pids / "pids.max").write_text(str(pids))
    if group.version == 1:
        (group.memory / "memory.limit_in_bytes").write_text(str(memory))
        with contextlib.suppress(OSError):  # without an account of swap there is none to limit
            (group.memory / "memory.memsw.limit_in_bytes").write_text(str(memory))
        return
    (group.memory / "memory.max").write_text(str(memory))
    for name, value in (("memory.swap.max", "0"), ("memory.oom.group", "1")):
        with contextlib.suppress(OSError):
            (group.memory / name).write_text(value)


def _places() -> Iterator[tuple[int, dict[str, Path]]]:
    """(version, parent folder by controller) where a group may be made, the best first."""
    own = _own()
    if all(name in own for name in OWN):
        parents = {name: own[name] for name in OWN} | ({"cpu": own["cpuacct"]} if "cpuacct" in own else {})
        yield 1, parents
    if "" in own:
        for parent in (own[""], own[""].parent):
            with contextlib.suppress(OSError):
                if not (parent / "cgroup.subtree_control").exists():
                    continue
                if parent == own[""] and _is_root(parent):
                    (parent / "cgroup.subtree_control").write_text("+memory +pids")
                limited = set(OWN) <= set((parent / "cgroup.subtree_control").read_text().split())
                if limited and os.access(parent / "cgroup.procs", os.W_OK):
                    yield 2, dict.fromkeys((*OWN, "cpu"), parent)


def _is_root(folder: Path) -> bool:
    return not (folder / "cgroup.type").exists()


def _own() -> dict[str, Path]:
    """This process' group by controller, as folders; version 2 under the empty name."""
    mounts: dict[str, tuple[str, Path]] = {}
    for line in _lines("/proc/self/mountinfo"):
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(" ", 2)
        root, place = before.split(" ")[3:5]
        controllers = [""] if kind == "cgroup2" else options.split(",") if kind == "cgroup" else []
        mounts.update({name: (root.rstrip("/"), Path(place)) for name in controllers})
    found: dict[str, Path] = {}
    for line in _lines("/proc/self/cgroup"):
        _, names, path = line.split(":", 2)
        for name in names.split(","):
            if name in mounts and f"{path}/".startswith(f"{mounts[name][0]}/"):
                top, folder = mounts[name]
                found[name] = folder / path.removeprefix(top).lstrip("/")
    return found


def _lines(file: str) -> list[str]:
    try:
        return Path(file).read_text().splitlines()
    except OSError:
        return []


def _counter(file: Path, key: str = "") -> int:
    """The number of the line that begins with `key`, or the only one; 0 if there is none."""
    try:
        lines = [line.split() for line in file.read_text().splitlines()]
    except OSError:
        return 0
    return next((int(line[-1]) for line in lines if line and line[-1].isdigit() and (not key or line[0] == key)), 0)


def _end(folder: Path) -> None:
    """Remove a group when what was killed in it is gone."""
    deadline = time.monotonic() + REMOVAL_SECONDS
    while not _remove(folder) and time.monotonic() < deadline:
        time.sleep(0.005)


def _remove(folder: Path) -> bool:
    """Whether the group is gone; what still runs in it is killed."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        with contextlib.suppress(OSError, ValueError):
            for pid in (folder / "cgroup.procs").read_text().split():
                os.kill(int(pid), signal.SIGKILL)
        return False
    return True


def sweep() -> int:
    """Remove what killed supervisors left behind; returns how many groups went."""
    name = re.compile(rf"{PREFIX}({PATTERN})-\d+")
    left = 0
    for top in {parent for _, parents in _places() for parent in parents.values()}:
        for folder in _below(_mount_of(top)):
            match = name.fullmatch(folder.name)
            if match and is_dead(match[1]):
                _end(folder)
                left += 1
    return left


def _mount_of(folder: Path) -> Path:
    return next(parent for parent in (folder, *folder.parents) if parent.is_mount())


def _below(folder: Path) -> Iterator[Path]:
    for place, names, _ in os.walk(folder):
        for name in names:
            yield Path(place) / name

"""What a run uses where the kernel keeps no account of it as a whole: looked up process by process.

Reads the run's own /proc, seen through its first process, which lists the run's processes and no others. A look sees
what is there at that moment; what comes and goes between two looks is missed.
"""

import contextlib
import os
import time
from dataclasses import dataclass, field
from typing import ClassVar

from agents.execution.sandbox.models import LimitName, Limits

__all__ = ["Meter"]

SHARED = "/dev/zero (deleted)"
"""What the kernel calls shared anonymous memory in /proc/PID/maps."""
MOST_MAPS = 1 << 20
SOCKET, TCP_SOCKET = 256 * 1024, 4 * 1024 * 1024
"""Bytes in a socket's buffers: 208 KiB and what the last message adds, unless it is enlarged, as TCP does by itself."""
TICKS = os.sysconf("SC_CLK_TCK")
LONGEST_PAUSE = 0.5
LOOK_SHARE = 0.1
"""The most of its time that a supervisor spends looking."""


@dataclass
class Meter:
    """Polls the processes in `proc` (a descriptor of the run's /proc) and its memory file systems, `tmpfs`.

    `overhead` are the threads of our own in it. It is to be looked at every `tick` seconds: in that time two processes
    can fill some 50 MB.
    """

    tick: ClassVar[float] = 0.005
    proc: int
    tmpfs: tuple[int, ...]
    overhead: int
    peak: int = 0
    enforced: dict[str, str] = field(
        default_factory=lambda: dict.fromkeys(("memory", "pids", "cpu"), "polled by the supervisor")
    )
    _seen: dict[tuple[str, str], float] = field(default_factory=dict)
    _blocks: dict[str, int] = field(default_factory=dict)
    _waited: float = 0.0
    _next: float = 0.0

    def passed(self, limits: Limits) -> LimitName | None:
        """The limit that is exceeded now. Looks again only after a pause in proportion to the last look's work.

        The work is what it took of the processor: on a busy machine a look lasts, and to wait the longer for the next
        would leave a run the time to take what it wants.
        """
        if time.monotonic() < self._next:
            return None
        began = time.thread_time()
        found = self._look(limits)
        self._next = time.monotonic() + min((time.thread_time() - began) / LOOK_SHARE, LONGEST_PAUSE)
        return found

    def _look(self, limits: Limits) -> LimitName | None:
        pids = self._pids()
        threads, total = 0, 0.0
        for pid in pids:
            if stat := self._read(pid, "stat"):
                fields = stat.rpartition(")")[2].split()
                threads += int(fields[17])
                self._seen[pid, fields[19]] = (int(fields[11]) + int(fields[12])) / TICKS
                total += sum(map(int, fields[11:15])) / TICKS
        self._waited = max(self._waited, total)
        memory = self._memory(pids, limits.memory)
        self.peak = max(self.peak, memory)
        if memory > limits.memory:
            return "memory"
        if threads - self.overhead > limits.pids:
            return "pids"
        return "cpu" if limits.cpu is not None and self.cpu_seconds() > limits.cpu else None

    def _pids(self) -> list[str]:
        try:
            return [name for name in os.listdir(self.proc) if name.isdigit()]  # noqa: PTH208 -- Path knows no descriptor
        except OSError:
            return []

    def _read(self, pid: str, name: str, most: int = 8192) -> str:
        """The first `most` bytes of a file of a process; empty if the process is gone."""
        try:
            descriptor = os.open(f"{pid}/{name}", os.O_RDONLY | os.O_CLOEXEC, dir_fd=self.proc)
        except OSError:
            return ""
        with os.fdopen(descriptor, "rb") as file, contextlib.suppress(OSError):
            return file.read(most).decode("ascii", "replace")
        return ""

    def _memory(self, pids: list[str], limit: int) -> int:
        """Bytes in use by all. Shared pages are split among their users only if counting them in full is too much."""
        held = sum(_used(folder) for folder in self.tmpfs) + self._shared_blocks(pids) + self._sockets()
        statuses = [_sizes(self._read(pid, "status")) for pid in pids]
        tables = sum(sizes.get("VmPTE", 0) for sizes in statuses)
        resident = sum(sizes.get("VmRSS", 0) for sizes in statuses)
        if held + tables + resident <= limit:
            return held + tables + resident
        anonymous = shared = 0
        for pid in pids:
            for line in self._read(pid, "smaps_rollup").splitlines():
                name, _, value = line.partition(":")
                if name in ("Pss_Anon", "SwapPss"):
                    anonymous += int(value.split()[0]) * 1024
                elif name == "Pss_Shmem":
                    shared += int(value.split()[0]) * 1024
        return anonymous + tables + max(shared, held)

    def _sockets(self) -> int:
        """Bytes that the run's sockets can hold for each other, which are the kernel's and in no process' account."""
        counts = [line.split() for line in self._read("1", "net/sockstat").splitlines()]
        used = sum(int(words[2]) for words in counts if words[:2] == ["sockets:", "used"])
        tcp = sum(int(words[2]) for words in counts if words[:2] == ["TCP:", "inuse"])
        return used * SOCKET + tcp * TCP_SOCKET

    def _shared_blocks(self, pids: list[str]) -> int:
        """Bytes of shared anonymous memory, each block as large as it ever was seen.

        Its pages stay when the process that touched them ends or unmaps them, and are nobody's, as long as somebody
        maps any part of the block. So what counts is what is mapped, touched or not.
        """
        seen: dict[str, int] = {}
        for pid in pids:
            for line in self._read(pid, "maps", MOST_MAPS).splitlines():
                if line.endswith(SHARED):
                    place, _, offset, _, block = line.split()[:5]
                    first, last = (int(number, 16) for number in place.split("-"))
                    seen[block] = max(seen.get(block, 0), int(offset, 16) + last - first)
        self._blocks = {block: max(size, self._blocks.get(block, 0)) for block, size in seen.items()}
        return sum(self._blocks.values())

    def cpu_seconds(self) -> float:
        """Processor time of all that were seen, or of the living and what they waited for, whichever is more."""
        return max(sum(self._seen.values()), self._waited)

    def peak_memory(self) -> int | None:
        """The most that a look saw, in bytes."""
        return self.peak or None

    def end(self) -> None:
        """Nothing is kept anywhere."""


def _sizes(status: str) -> dict[str, int]:
    """Bytes by name, of the lines of /proc/PID/status that tell a size."""
    lines = (line.split() for line in status.splitlines() if line.endswith(" kB"))
    return {words[0].rstrip(":"): int(words[1]) * 1024 for words in lines}


def _used(folder: int) -> int:
    status = os.fstatvfs(folder)
    return (status.f_blocks - status.f_bfree) * status.f_frsize

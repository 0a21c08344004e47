"""The first process of a container: starts the command, ends it at its limits, and tells what really came of it.

Run by the image's own interpreter (3.8 or later) as ``python3 -I -S -B -c SOURCE``, standard library only: the source
brings the one module along that it shares with the host. Its stdin
brings eight bytes of length and that much JSON (what `_job` of the backend makes), then the bytes of the command's
stdin and of the files. Last it writes to stderr the token, eight bytes of length, the report as JSON and, if outputs
are kept, the bytes of each.

As process 1 it outlives everything else in the container, and a command of the same user can neither kill nor read it:
the kernel refuses the first, and it makes itself undumpable against the second. So what follows the token, which only
it and the supervisor know, can be believed. Its stdin then is a lifeline: when the supervisor closes the other end, or
is killed, everything here is killed too.
"""

from __future__ import annotations

import base64
import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
from typing import Any, Iterator, NoReturn

from agents.execution.sandbox.inside.leftovers import Leftovers

CGROUP = "/sys/fs/cgroup"
WORK, TMP, SHM = "/work", "/tmp", "/dev/shm"  # noqa: S108 -- tmpfs of the run's own
TICK = 0.02
CHUNK = 1 << 20
MOST_EVENTS = 256
"""Ends and stops of processes that are taken before the limits are looked at again: a run can make them faster."""
SET_DUMPABLE, SET_SECCOMP, SECCOMP_FILTER, SET_NO_NEW_PRIVS = 4, 22, 2, 38
LIBC = ctypes.CDLL(None, use_errno=True)


class Program(ctypes.Structure):
    """`struct sock_fprog` of ``linux/filter.h``."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def prctl(option: int, value: int, pointer: Any = None) -> None:
    """`prctl(2)`; raises OSError."""
    zero = ctypes.c_ulong(0)
    if LIBC.prctl(option, ctypes.c_ulong(value), pointer or zero, zero, zero):
        raise OSError(ctypes.get_errno(), f"prctl {option}: {os.strerror(ctypes.get_errno())}")


def counter(*places: tuple[str, str]) -> int | None:
    """The first number to be had of `places`: a file below the cgroup and the key of its line ("" if it has one)."""
    for name, key in places:
        try:
            with open(f"{CGROUP}/{name}") as file:
                lines = [line.split() for line in file]
        except OSError:
            continue
        for words in lines:
            if not key or words[0] == key:
                return int(words[-1])
    return None


def cpu_seconds() -> float | None:
    """What all processes of the container used so far, also those that have ended."""
    nanoseconds = counter(("cpuacct/cpuacct.usage", ""), ("cpu,cpuacct/cpuacct.usage", ""))
    if nanoseconds is not None:
        return nanoseconds / 1e9
    microseconds = counter(("cpu.stat", "usage_usec"))
    return None if microseconds is None else microseconds / 1e6


def oom_kills() -> int | None:
    """How many processes of the container the kernel ended for want of memory."""
    return counter(("memory/memory.oom_control", "oom_kill"), ("memory.events", "oom_kill"))


def refused_forks() -> int | None:
    """How often the container was refused a process or a thread."""
    return counter(("pids/pids.events", "max"), ("pids.events", "max"))


def too_full(job: dict[str, Any]) -> bool:
    """Whether working folder and /tmp hold too many bytes, or with /dev/shm too many names (which cost memory, too)."""
    held = [os.statvfs(place) for place in (WORK, TMP, SHM)]
    size = sum((room.f_blocks - room.f_bfree) * room.f_frsize for room in held[:2])
    return bool(size > job["disk"] or sum(room.f_files - room.f_ffree for room in held) > job["names"])


def receive(count: int) -> Iterator[bytes]:
    """Exactly `count` bytes of stdin in parts; ends the process if the supervisor is gone."""
    while count:
        part = os.read(0, min(count, CHUNK))
        if not part:
            os._exit(1)
        count -= len(part)
        yield part


def send(data: bytes) -> None:
    """All of `data` to the supervisor."""
    while data:
        data = data[os.write(2, data) :]


def receive_job() -> dict[str, Any]:
    """The job, with its files in the working folder and the command's stdin as a descriptor in `stdin`."""
    size = int.from_bytes(b"".join(receive(8)), "big")
    job: dict[str, Any] = json.loads(b"".join(receive(size)))
    job["stdin"] = os.memfd_create("stdin")
    for part in receive(job["stdin_size"]):
        os.write(job["stdin"], part)
    os.lseek(job["stdin"], 0, os.SEEK_SET)
    for path, length in job["files"]:
        os.makedirs(os.path.dirname(f"{WORK}/{path}"), exist_ok=True)
        with open(f"{WORK}/{path}", "wb") as file:
            for part in receive(length):
                file.write(part)
    return job


def start(job: dict[str, Any]) -> NoReturn:
    """Become the command, in the forked child; 127 if there is no such command, 126 if it can't be started."""
    try:
        prctl(SET_DUMPABLE, 1)
        with open("/proc/self/oom_score_adj", "w") as file:  # the kernel is to choose the command, never process 1
            file.write("1000")
        os.setsid()
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        os.dup2(os.open(f"/proc/self/fd/{job['stdin']}", os.O_RDONLY), 0)
        os.chdir(WORK)
        os.chdir(job["cwd"])
        code = base64.b64decode(job["filter"])
        if code:
            prctl(SET_NO_NEW_PRIVS, 1)
            prctl(SET_SECCOMP, SECCOMP_FILTER, ctypes.byref(Program(len(code) // 8, code)))
        os.execvpe(job["argv"][0], job["argv"], job["environment"])
    except OSError as error:
        send(f"sandbox: {job['argv'][0]}: {error.strerror}\n".encode("utf-8", "replace"))
        os._exit(127 if isinstance(error, FileNotFoundError) else 126)
    finally:
        os._exit(126)


def watch(child: int, job: dict[str, Any], wakeup: int) -> tuple[int | None, str | None]:
    """Wait for the child's end, a limit, or the lifeline's; returns the child's wait status and the limit."""
    deadline = time.monotonic() + job["wall"]
    cpu_start = cpu_seconds() or 0.0
    while True:
        ready, _, _ = select.select([0, wakeup], [], [], TICK)
        if wakeup in ready:
            os.read(wakeup, 4096)
        status = reap(child)
        if status is not None:
            return status, None
        if 0 in ready and not os.read(0, 1):
            return None, "told"
        limit = "wall" if time.monotonic() > deadline else passed(job, cpu_start)
        if limit:
            return None, limit


def passed(job: dict[str, Any], cpu_start: float) -> str | None:
    """The limit that is passed now, but for the wall's."""
    if too_full(job):
        return "disk"
    if oom_kills():  # the kernel ends one process and the others may wait for it for ever
        return "memory"
    if refused_forks():
        return "pids"
    return "cpu" if job["cpu"] and (cpu_seconds() or 0.0) - cpu_start > job["cpu"] else None


def reap(child: int) -> int | None:
    """Take all that have ended; the wait status of `child` if it is among them.

    A `child` that is stopped goes on: what it watches could stop it, and then nothing inside would end in its time.
    """
    found = None
    for _ in range(MOST_EVENTS):
        try:
            pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
        except ChildProcessError:
            return found
        if pid == 0:
            return found
        if pid == child and found is None and os.WIFSTOPPED(status):
            os.kill(child, signal.SIGCONT)
        elif pid == child and not os.WIFSTOPPED(status):
            found = status
    return found


def end_all(child: int) -> int | None:
    """Kill every other process until there is none; the wait status of `child` if it still ran."""
    found = None
    while True:
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            last = reap(child)
            return last if found is None else found
        last = reap(child)
        found = last if found is None else found
        time.sleep(0.001)


def send_file(parts: tuple[str, ...]) -> None:
    """The bytes of a file that was listed."""
    folder = os.open(WORK, os.O_RDONLY | os.O_DIRECTORY)
    for name in parts[:-1]:
        inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
        os.close(folder)
        folder = inner
    with open(os.open(parts[-1], os.O_RDONLY | os.O_NOFOLLOW, dir_fd=folder), "rb") as file:
        os.close(folder)
        for part in iter(lambda: file.read(CHUNK), b""):
            send(part)


def main() -> None:
    """Run the command, then tell."""
    prctl(SET_DUMPABLE, 0)
    os.umask(0o022)
    sys.setrecursionlimit(10_000)
    try:
        job = receive_job()
    except (OSError, UnicodeError) as error:
        sys.exit(f"an input file could not be written: {error}")
    wakeup, written = os.pipe()
    os.set_blocking(wakeup, False)
    os.set_blocking(written, False)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a handler would let the command interrupt process 1
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(written, warn_on_full_buffer=False)
    cpu_before, began = cpu_seconds(), time.monotonic()
    if job["cpu"] and cpu_before is None:
        sys.exit("the engine shows no cgroup to the container, so the cpu limit can't be enforced")
    child = os.fork()
    if child == 0:
        start(job)
    status, limit = watch(child, job, wakeup)
    wall = time.monotonic() - began
    last = end_all(child)
    cpu_after, children = cpu_seconds(), resource.getrusage(resource.RUSAGE_CHILDREN)
    report: dict[str, Any] = {
        "status": last if status is None else status,
        "limit": limit or ("disk" if too_full(job) else None),
        "wall": wall,
        "cpu": children.ru_utime + children.ru_stime if cpu_after is None else cpu_after - (cpu_before or 0.0),
        "peak": counter(("memory/memory.max_usage_in_bytes", ""), ("memory.peak", "")),
        "oom": oom_kills(),
        "refused": refused_forks(),
    }
    left = Leftovers(job["outputs"], job["given"].get, job["disk"])
    os.chmod(WORK, 0o700)
    found = [one for one, _ in left.files(os.open(WORK, os.O_RDONLY | os.O_DIRECTORY))]
    report["outputs"] = [{"path": one.path, "sha256": one.sha256, "size": one.size} for one in found]
    report["more"] = left.more
    text = json.dumps(report).encode()
    send(job["token"].encode() + len(text).to_bytes(8, "big") + text)
    if job["keep"]:
        for one in found:
            send_file(one.parts)
    os._exit(0)


if __name__ == "__main__":
    main()

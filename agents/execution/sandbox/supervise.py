"""Watching a run that stands: hand over the job, read what it says, end it at its first limit, take what it left."""

import contextlib
import json
import os
import platform
import re
import signal
import time

from agents.execution.sandbox.bubblewrap_launch import OVERHEAD, SLACK, Running
from agents.execution.sandbox.descriptors import readable
from agents.execution.sandbox.interpreter import find_interpreter
from agents.execution.sandbox.meter import Meter
from agents.execution.sandbox.models import LimitName, Result, RunSpec, SandboxError
from agents.execution.sandbox.outputs import collect
from agents.execution.sandbox.places import environment

__all__ = ["supervised"]

OPEN_FILES = 1024
INODE = 4096
"""Bytes of disk for which one file or folder may be made."""
FREE_NAMES = 1000


def supervised(spec: RunSpec, running: Running) -> Result:
    """Run the command of `spec` to its end or to a limit. What is enforced is for the backend to add."""
    _hand_over(spec, running)
    began = time.monotonic()
    limit, report = _watch(spec, running, began + spec.limits.wall)
    wall = time.monotonic() - began
    running.kill()
    for capture in (running.stdout, running.stderr):
        capture.drain()
    limit = limit or _passed(spec, running)
    given = sum(map(len, spec.files.values()))
    collected = collect(running.work, spec.outputs, spec.files, spec.limits.disk + given, spec.keep)
    exit_code, ended_by = _status(report)
    return Result(
        exit_code=exit_code,
        signal=ended_by,
        limit=limit or ("disk" if collected.more else None),
        stdout=running.stdout.text(),
        stderr=running.stderr.text(),
        wall_s=wall,
        cpu_s=max(running.gauge.cpu_seconds(), _number(report, "cpu")),
        peak_memory=running.gauge.peak_memory() or int(_number(report, "memory")) or None,
        outputs=collected.outputs,
        enforced={},
        backend="bubblewrap",
    )


def _hand_over(spec: RunSpec, running: Running) -> None:
    """Give our process inside its job and the input files; returns when the command is about to start."""
    files = sorted(spec.files.items())
    job = {
        "argv": spec.argv,
        "environment": environment(spec, find_interpreter(spec.python)),
        "cwd": spec.cwd,
        "rlimits": _rlimits(spec, running),
        "files": [(path, len(content)) for path, content in files],
    }
    head = json.dumps(job).encode()
    try:
        running.channel.sendall(len(head).to_bytes(8, "big") + head)
        for _, content in files:
            running.channel.sendall(content)
        word = running.channel.recv(1)
        report = b"" if word == b"G" else word + running.channel.recv(4096)
    except OSError as error:
        raise SandboxError(f"the sandbox did not take its input: {error}", remedy="run it again") from error
    if word != b"G":
        reason = _field(report, "error") or "our process inside ended"
        raise SandboxError(f"the sandbox did not take its input: {reason}", remedy="see the names of the input files")
    running.channel.setblocking(False)


def _rlimits(spec: RunSpec, running: Running) -> dict[str, int]:
    """Limits of each process. Those of memory and of processes only back up a supervisor that has to poll."""
    given = {
        "RLIMIT_CORE": 0,
        "RLIMIT_NOFILE": OPEN_FILES,
        "RLIMIT_FSIZE": spec.limits.disk + 2 * SLACK + sum(map(len, spec.files.values())),
    }
    if isinstance(running.gauge, Meter):
        given["RLIMIT_DATA"] = 4 * spec.limits.memory
        if _counts_processes_by_namespace():
            given["RLIMIT_NPROC"] = spec.limits.pids + OVERHEAD + 1
    return given


def _counts_processes_by_namespace() -> bool:
    """Whether RLIMIT_NPROC counts in each user namespace: Linux 5.14. Before, it counts all that the user runs."""
    match = re.match(r"(\d+)\.(\d+)", platform.release())
    return match is not None and (int(match[1]), int(match[2])) >= (5, 14)


def _watch(spec: RunSpec, running: Running, deadline: float) -> tuple[LimitName | None, bytes]:
    """(the limit that was passed, what our process inside told last). Returns as soon as there is either."""
    streams = {capture.descriptor: capture for capture in (running.stdout, running.stderr)}
    ends = [running.channel.fileno(), running.init]
    while True:
        wait = max(0.0, min(running.gauge.tick, deadline - time.monotonic()))
        came = readable([*ends, *(number for number, capture in streams.items() if not capture.ended)], wait)
        for number in came & streams.keys():
            streams[number].pump()
        if came.intersection(ends):
            with contextlib.suppress(OSError):
                return None, running.channel.recv(4096)
            return None, b""
        limit = "wall" if time.monotonic() >= deadline else _passed(spec, running)
        if limit:
            return limit, b""


def _passed(spec: RunSpec, running: Running) -> LimitName | None:
    """The limit that is passed now, but for the wall's."""
    if running.stdout.over or running.stderr.over:
        return "output"
    if _disk_passed(spec, running):
        return "disk"
    return running.gauge.passed(spec.limits)


def _disk_passed(spec: RunSpec, running: Running) -> bool:
    """Whether working folder and /tmp hold too many bytes, or any tmpfs too many names (which cost memory, too)."""
    held = [os.fstatvfs(folder) for folder in (running.work, running.tmp, running.shm)]
    bytes_held = sum((status.f_blocks - status.f_bfree) * status.f_frsize for status in held[:2])
    given = sum(map(len, spec.files.values()))
    most_names = spec.limits.disk // INODE + 2 * len(spec.files) + FREE_NAMES
    names = sum(status.f_files - status.f_ffree for status in held)
    return bytes_held > spec.limits.disk + given or names > most_names


def _status(report: bytes) -> tuple[int | None, int | None]:
    """Exit code and signal. Killed without a word (by a limit, or with all the rest by its own hand): SIGKILL."""
    status = _field(report, "status")
    if not isinstance(status, int) or not 0 <= status < 1 << 16:
        return None, int(signal.SIGKILL)
    try:
        code = os.waitstatus_to_exitcode(status)
    except ValueError:
        return None, int(signal.SIGKILL)
    return (code, None) if code >= 0 else (None, -code)


def _number(report: bytes, name: str) -> float:
    value = _field(report, name)
    return float(value) if isinstance(value, int | float) else 0.0


def _field(report: bytes, name: str) -> object:
    """A field of the JSON object that was told; None if there is none."""
    try:
        value = json.loads(report)
    except ValueError:
        return None
    return value.get(name) if isinstance(value, dict) else None

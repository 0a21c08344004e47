"""Raising a sandbox: from a spec to bubblewrap's processes that wait, nothing foreign having run, and their end."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from agents.execution.sandbox.cgroups import Group, make_group
from agents.execution.sandbox.descriptors import PipeCapture, keep, memory_file, pipe, readable
from agents.execution.sandbox.interpreter import find_interpreter
from agents.execution.sandbox.layout import Layout, arguments
from agents.execution.sandbox.meter import Meter
from agents.execution.sandbox.models import RunSpec, SandboxError
from agents.execution.sandbox.programs import Program
from agents.execution.sandbox.seccomp import program as filter_program

__all__ = ["OVERHEAD", "SLACK", "Running", "launched"]

SLACK = 64 * 1024
"""Bytes that the working folder is larger than its limit, so that passing the limit can be seen."""
OVERHEAD = 1
"""Processes of ours inside: the first."""
OWN_MEMORY = 16 * 1024 * 1024
"""Bytes that our processes in the control group may take on top."""
LAUNCH_SECONDS = 30.0
NOBODY = 65534


@dataclass(frozen=True)
class Running:
    """A sandbox that stands and has not run anything foreign yet.

    `init` is a pidfd of the namespace's first process. `work`, `tmp` and `shm` are descriptors of its working folder,
    /tmp and /dev/shm, which outlive it. `channel` speaks with our process inside. `gauge` measures.
    """

    monitor: subprocess.Popen[bytes]
    channel: socket.socket
    stdout: PipeCapture
    stderr: PipeCapture
    init: int
    work: int
    tmp: int
    shm: int
    gauge: Group | Meter

    def kill(self) -> None:
        """End all of it: the first process of the namespace, and so, by the kernel, every other.

        Raises SandboxError if they are not gone in time, which only a broken kernel or disk can do.
        """
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.init, signal.SIGKILL)
        if not readable([self.init], LAUNCH_SECONDS):
            raise SandboxError(f"process {self.monitor.pid} of a sandbox can't be killed", remedy="restart the machine")
        _end(self.monitor)


@contextmanager
def launched(program: Program, spec: RunSpec, *, privileged: bool, groups: bool) -> Iterator[Running]:
    """A sandbox for `spec`; whatever happens, none of it is left. Raises SandboxError if it does not come to stand."""
    with ExitStack() as stack:
        given = sum(map(len, spec.files.values()))
        group = make_group(spec.limits, memory=given + OWN_MEMORY, overhead=OVERHEAD + 1) if groups else None
        if group is not None:
            stack.callback(group.end)
        ours, theirs = socket.socketpair()
        stack.callback(ours.close)
        stack.callback(theirs.close)
        (info, info_end), (stdout, stdout_end), (stderr, stderr_end) = (pipe(stack) for _ in range(3))
        code = filter_program(hidden_memory=group is not None)
        layout = Layout(
            spec=spec,
            stack=stack,
            python=find_interpreter(spec.python),
            init_python=find_interpreter(),
            disk=spec.limits.disk + SLACK + given,
            channel=theirs.fileno(),
            info=(info.fileno(), info_end.fileno()),
            filter=None if code is None else memory_file(stack, code),
            staged=privileged,
        )
        bwrap = [f"{layout.source(program.path.parent)}/{program.path.name}", *arguments(layout)]
        libraries = layout.source(program.libraries) if program.libraries else None
        monitor = subprocess.Popen(
            _command(bwrap, libraries, layout, group, privileged=privileged),
            stdin=memory_file(stack, spec.stdin) if spec.stdin else subprocess.DEVNULL,
            stdout=stdout_end,
            stderr=stderr_end,
            env={},
            cwd="/",
            pass_fds=layout.descriptors,
            start_new_session=True,
        )
        stack.callback(_end, monitor)
        for end in (theirs, info_end, stdout_end, stderr_end):
            end.close()
        said = PipeCapture(stdout.fileno(), spec.limits.output), PipeCapture(stderr.fileno(), spec.limits.output)
        _await(ours, monitor, said[1])
        pid = int(json.loads(os.read(info.fileno(), 65536))["child-pid"])
        init = keep(stack, os.pidfd_open(pid))
        proc, work, tmp, shm = (
            keep(stack, os.open(f"/proc/{pid}/root/{name}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
            for name in ("proc", "work", "tmp", "dev/shm")
        )
        gauge = group or Meter(proc, (work, tmp, shm), OVERHEAD)
        running = Running(monitor, ours, *said, init, work, tmp, shm, gauge)
        stack.callback(running.kill)
        yield running


def _command(
    bwrap: list[str], libraries: str | None, layout: Layout, group: Group | None, *, privileged: bool
) -> list[str]:
    """bubblewrap itself, or the launcher where something is to be done before."""
    if group is None and not privileged:
        return bwrap
    job = {
        "argv": bwrap,
        "environment": {"LD_LIBRARY_PATH": libraries} if libraries else {},
        "cgroups": [str(folder) for folder in group.folders] if group else [],
        "stage": layout.stage,
        "user": [NOBODY, NOBODY] if privileged else None,
    }
    launcher = str(Path(__file__).with_name("launcher.py"))
    return [sys.executable, "-I", "-S", "-B", launcher, json.dumps(job)]


def _await(channel: socket.socket, monitor: subprocess.Popen[bytes], stderr: PipeCapture) -> None:
    """Return when our process inside says that it is ready."""
    with ExitStack() as stack:
        alive = keep(stack, os.pidfd_open(monitor.pid))
        came = readable([channel.fileno(), alive], LAUNCH_SECONDS)
    word = channel.recv(1) if channel.fileno() in came else b""
    if word != b"R":
        _end(monitor)
        stderr.drain()
        reason = stderr.text().strip() or ("it ended without a word" if came else "it did not answer")
        raise SandboxError(
            f"bubblewrap could not start: {reason}", remedy="`xkg sandbox doctor` says what would mend it"
        )


def _end(monitor: subprocess.Popen[bytes]) -> None:
    monitor.kill()
    monitor.wait()

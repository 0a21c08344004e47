"""The backend `bubblewrap`: namespaces, a seccomp filter, tmpfs of limited size; no daemon and no root needed."""

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from agents.sandbox.capture import Capture
from agents.sandbox.interpreter import find_interpreter
from agents.sandbox.layout import Layout, arguments, check_inputs, environment, job_paths
from agents.sandbox.models import Backend, LimitName, Result, RunSpec, SandboxError
from agents.sandbox.outputs import collect

__all__ = ["BubblewrapSandbox"]

MIB = 1024 * 1024
SLACK = 64 * 1024
"""Bytes that the working folder is larger than its limit, so that passing the limit can be seen."""
LAUNCH_SECONDS = 30.0
TICK = 0.02
NOBODY = 65534


class BubblewrapSandbox:
    """Runs through `program`, a bubblewrap. A privileged xkg gives up its user first."""

    name: Backend = "bubblewrap"

    def __init__(self, program: Path) -> None:
        self.program = program
        self.privileged = os.geteuid() == 0

    def capabilities(self) -> dict[str, str]:
        """Each protection that is enforced here, and how."""
        return {
            "wall": "supervisor",
            "disk": "tmpfs of limited size",
            "output": "supervisor",
            "files": "mount namespace",
            "network": "network namespace",
            "processes": "pid namespace",
            "privileges": "user namespace, no capabilities",
        }

    def run(self, spec: RunSpec) -> Result:
        """See the protocol."""
        check_inputs(spec)
        with ExitStack() as stack:
            running = stack.enter_context(_launched(self, spec))
            return _supervised(self, spec, running)


@dataclass
class _Running:
    """A sandbox that stands and has not run anything foreign yet.

    `init` is a pidfd of the namespace's first process, `work` the descriptor of its working folder.
    """

    monitor: subprocess.Popen[bytes]
    channel: socket.socket
    stdout: Capture
    stderr: Capture
    init: int
    work: int


@contextmanager
def _launched(sandbox: BubblewrapSandbox, spec: RunSpec) -> Iterator[_Running]:
    with ExitStack() as stack:
        ours, theirs = socket.socketpair()
        stack.callback(ours.close)
        stack.callback(theirs.close)
        info, info_end = os.pipe()
        stdout, stdout_end = os.pipe()
        stderr, stderr_end = os.pipe()
        for descriptor in (info, stdout, stderr):
            stack.callback(os.close, descriptor)
        stdin = stack.enter_context(_stdin(spec.stdin))
        layout = Layout(
            spec=spec,
            python=find_interpreter(spec.python),
            own=find_interpreter(),
            disk=spec.limits.disk + SLACK + sum(map(len, spec.files.values())),
            channel=theirs.fileno(),
            info=info_end,
            filter=None,
            staged=sandbox.privileged,
        )
        try:
            program = layout.source(sandbox.program.parent) + "/" + sandbox.program.name
            argv = _command([program, *arguments(layout)], layout, privileged=sandbox.privileged)
            monitor = subprocess.Popen(
                argv,
                stdin=stdin,
                stdout=stdout_end,
                stderr=stderr_end,
                env={},
                cwd="/",
                pass_fds=(theirs.fileno(), info_end, *layout.descriptors),
                start_new_session=True,
            )
        finally:
            for descriptor in (info_end, stdout_end, stderr_end, *layout.descriptors):
                os.close(descriptor)
        theirs.close()
        stack.callback(_end, monitor)
        said = Capture(stdout, spec.limits.output), Capture(stderr, spec.limits.output)
        ours.settimeout(LAUNCH_SECONDS)
        try:
            ready = ours.recv(1)
        except OSError:
            ready = b""
        if ready != b"R":
            _end(monitor)
            said[1].pump()
            raise SandboxError(
                f"bubblewrap could not start: {said[1].text().strip() or 'it said nothing'}",
                remedy="`xkg sandbox doctor` says what is missing",
            )
        pid = int(json.loads(os.read(info, 65536))["child-pid"])
        init = os.pidfd_open(pid)
        stack.callback(os.close, init)
        work = os.open(f"/proc/{pid}/root/work", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        stack.callback(os.close, work)
        stack.callback(_kill, init, monitor)
        yield _Running(monitor, ours, *said, init, work)


def _command(bwrap: list[str], layout: Layout, *, privileged: bool) -> list[str]:
    if not privileged:
        return bwrap
    job = {"argv": bwrap, "cgroups": [], "stage": layout.stage, "user": [NOBODY, NOBODY]}
    launcher = str(Path(__file__).with_name("launcher.py"))
    return [sys.executable, "-I", "-S", "-B", launcher, json.dumps(job)]


@contextmanager
def _stdin(content: bytes) -> Iterator[int | IO[bytes]]:
    """The command's input: a sealed file in memory, which no reader can block and none can write."""
    if not content:
        yield subprocess.DEVNULL
        return
    import fcntl

    descriptor = os.memfd_create("stdin", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    with os.fdopen(descriptor, "wb", buffering=0) as file:
        file.write(content)
        file.seek(0)
        fcntl.fcntl(
            descriptor,
            fcntl.F_ADD_SEALS,
            fcntl.F_SEAL_SEAL | fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK,
        )
        yield file


def _end(monitor: subprocess.Popen[bytes]) -> None:
    monitor.kill()
    monitor.wait()


def _kill(init: int, monitor: subprocess.Popen[bytes]) -> None:
    """End all of it: the first process of the namespace, and so, by the kernel, every other."""
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(init, signal.SIGKILL)
    select.select([init], [], [], LAUNCH_SECONDS)
    _end(monitor)


def _supervised(sandbox: BubblewrapSandbox, spec: RunSpec, running: _Running) -> Result:
    given = sum(map(len, spec.files.values()))
    channel = running.channel
    job = {
        "argv": list(spec.argv),
        "environment": environment(spec, find_interpreter(spec.python)),
        "cwd": spec.cwd,
        "rlimits": {"RLIMIT_CORE": 0, "RLIMIT_NOFILE": 1024, "RLIMIT_FSIZE": spec.limits.disk + 2 * SLACK},
        "files": job_paths(spec.files),
    }
    head = json.dumps(job).encode()
    channel.sendall(len(head).to_bytes(8, "big") + head)
    for path, _ in job_paths(spec.files):
        channel.sendall(spec.files[path])
    if channel.recv(1) != b"G":
        raise SandboxError("the input files could not be written", remedy="give a larger disk limit")
    began = time.monotonic()
    channel.setblocking(False)
    limit: LimitName | None = None
    told = b""
    open_ends = [channel.fileno(), running.init, running.stdout.descriptor, running.stderr.descriptor]
    while True:
        ready = select.select(open_ends, [], [], TICK)[0]
        for capture in (running.stdout, running.stderr):
            capture.pump()
            if capture.ended and capture.descriptor in open_ends:
                open_ends.remove(capture.descriptor)
        if channel.fileno() in ready:
            with contextlib.suppress(OSError):
                told += channel.recv(4096)
            break
        if running.init in ready:
            break
        if running.stdout.over or running.stderr.over:
            limit = "output"
        elif time.monotonic() - began > spec.limits.wall:
            limit = "wall"
        elif _used(running.work) > spec.limits.disk + given:
            limit = "disk"
        if limit:
            break
    wall = time.monotonic() - began
    _kill(running.init, running.monitor)
    while not (running.stdout.ended and running.stderr.ended):
        running.stdout.pump()
        running.stderr.pump()
    if limit is None and (running.stdout.over or running.stderr.over):
        limit = "output"
    if limit is None and _used(running.work) > spec.limits.disk + given:
        limit = "disk"
    collected = collect(running.work, spec.outputs, spec.files, spec.limits.disk + given, spec.keep)
    exit_code, sig = _status(told)
    return Result(
        exit_code=exit_code,
        signal=sig,
        limit=limit or ("disk" if collected.more else None),
        stdout=running.stdout.text(),
        stderr=running.stderr.text(),
        wall_s=wall,
        cpu_s=0.0,
        outputs=collected.outputs,
        enforced=sandbox.capabilities(),
        backend="bubblewrap",
    )


def _used(folder: int) -> int:
    status = os.fstatvfs(folder)
    return (status.f_blocks - status.f_bfree) * status.f_frsize


def _status(told: bytes) -> tuple[int | None, int | None]:
    """Exit code and signal. Killed without a word (by a limit, or by its own hand with all the rest): SIGKILL."""
    try:
        code = os.waitstatus_to_exitcode(int(json.loads(told)["status"]))
    except (ValueError, KeyError, TypeError):
        return None, int(signal.SIGKILL)
    return (code, None) if code >= 0 else (None, -code)

"""The docker backend: one container for each run, killed as a container, with all that an engine can take away.

Neither `docker exec` nor a timeout on it is used: what is not a container of its own can't be killed for certain.
Process 1 of the container is ours (``inside/docker_init.py``); it knows exit codes from signals, sees to the limits
from within and ends when we do. The supervisor here reads what is said, and kills the container if all else fails.
"""

import base64
import hashlib
import json
import os
import secrets
import select
import signal
import socket
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

from agents.sandbox.docker_container import settings_of
from agents.sandbox.docker_engine import Engine, connect, remove, sweep, telling
from agents.sandbox.docker_image import IMAGE, built
from agents.sandbox.docker_stream import Frames, Report
from agents.sandbox.interpreter import find_interpreter
from agents.sandbox.models import Backend, LimitName, Result, RunSpec, SandboxError
from agents.sandbox.places import check_inputs, environment
from agents.sandbox.seccomp import program
from agents.sandbox.supervise import FREE_NAMES, INODE
from kg.config import Settings

__all__ = ["DockerSandbox", "open_docker"]

GRACE = 2.0
"""Seconds that process 1 has, beyond the wall limit, to end the run itself."""
COLLECTING = 60.0
"""Seconds that it then has to tell what was left."""
SLACK = 64 * 1024
"""Bytes that the working folder is larger than its limit, so that passing the limit can be seen."""
TICK = 0.1
CHUNK = 1 << 16


class DockerSandbox:
    """Runs through `engine`, in containers of `image`."""

    name: Backend = "docker"

    def __init__(self, engine: Engine, image: str) -> None:
        self.engine, self.image = engine, image
        weakref.finalize(self, engine.close)

    def capabilities(self) -> dict[str, str]:
        """Each protection that is enforced here, and how."""
        with telling("the engine does not tell what it can do"):
            info = self.engine.info()
        cgroup = f"cgroup v{info.get('CgroupVersion', '1')}"
        found = {
            "wall": "process 1 of the container, and the supervisor",
            "cpu": f"{cgroup}, read by process 1 of the container",
            "disk": "tmpfs of limited size, watched by process 1 of the container",
            "output": "supervisor",
            "files": "image mounted read-only",
            "network": "network namespace",
            "processes": "pid namespace",
            "privileges": "no capabilities, no new privileges, uid 65534",
        }
        if info.get("MemoryLimit"):
            found["memory"] = cgroup
        if info.get("PidsLimit"):
            found["pids"] = cgroup
        if any("seccomp" in option for option in info.get("SecurityOptions") or ()) and program():
            found["syscalls"] = "seccomp: the engine's profile and our own"
        return found

    def run(self, spec: RunSpec) -> Result:
        """See the protocol."""
        check_inputs(spec)
        token = secrets.token_bytes(24)
        report = Report(spec.keep)
        frames = Frames(spec.limits.output, b"\n" + token.hex().encode(), report)
        with _container(self.engine, self.image, spec) as container:
            try:
                limit = _supervise(self.engine, container, spec, frames, token.hex())
            finally:
                report.close()
            with telling("the container's end can't be read"):
                state = self.engine.inspect_container(container)["State"]
        return _result(spec, frames, limit, state, self.capabilities())


def open_docker(settings: Settings) -> DockerSandbox:
    """The backend on the engine that answers here, after removing what dead supervisors left. Raises SandboxError."""
    sandbox = DockerSandbox(connect(settings), IMAGE)
    if built(sandbox.engine) is None:
        raise SandboxError("the sandbox's image is not built", where=IMAGE, remedy="build it with `xkg sandbox build`")
    sweep(sandbox.engine)
    return sandbox


@contextmanager
def _container(engine: Engine, image: str, spec: RunSpec) -> Iterator[str]:
    """A created container, removed at the end whatever happens."""
    source = (files("agents.sandbox") / "inside" / "docker_init.py").read_text("utf-8")
    given = settings_of(engine, image, spec, ["python3", "-I", "-S", "-B", "-c", source], _size(spec) + SLACK)
    with telling("the container can't be created"):
        container: str = engine.create_container_from_config(given)["Id"]
    try:
        yield container
    finally:
        with telling("the container can't be removed"):
            remove(engine, container)


def _size(spec: RunSpec) -> int:
    return spec.limits.disk + sum(map(len, spec.files.values()))


def _job(spec: RunSpec, token: str) -> bytes:
    """What process 1 receives: see there."""
    paths = [(path, len(content)) for path, content in sorted(spec.files.items())]
    job = {
        "token": "\n" + token,
        "argv": list(spec.argv),
        "environment": environment(spec, find_interpreter(spec.python)),
        "cwd": spec.cwd,
        "wall": spec.limits.wall,
        "cpu": spec.limits.cpu,
        "disk": _size(spec),
        "names": spec.limits.disk // INODE + 2 * len(paths) + FREE_NAMES,
        "filter": base64.b64encode(program() or b"").decode(),
        "outputs": list(spec.outputs),
        "keep": spec.keep is not None,
        "given": {path: hashlib.sha256(spec.files[path]).hexdigest() for path, _ in paths},
        "stdin_size": len(spec.stdin),
        "files": paths,
    }
    head = json.dumps(job).encode()
    return b"".join((len(head).to_bytes(8, "big"), head, spec.stdin, *(spec.files[path] for path, _ in paths)))


@contextmanager
def _attached(engine: Engine, container: str) -> Iterator[socket.socket]:
    """The container's stdin, stdout and stderr as one socket."""
    wanted = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
    with telling("the container can't be attached to"):
        wrapped = engine.attach_socket(container, params=wanted)
    plain: socket.socket = getattr(wrapped, "_sock", wrapped)
    plain.setblocking(False)
    try:
        yield plain
    finally:
        wrapped.close()
        plain.close()


def _supervise(engine: Engine, container: str, spec: RunSpec, frames: Frames, token: str) -> LimitName | None:
    """Start the container and read it to its end; the limit that ended it, if that was seen from here."""
    with _attached(engine, container) as ends:
        with telling("the container can't be started"):
            engine.start(container)
        pending = memoryview(_job(spec, token))
        limit: LimitName | None = None
        deadline, killed = time.monotonic() + spec.limits.wall + GRACE, False
        while True:
            readable, writable, _ = select.select([ends], [ends] if pending else [], [], TICK)
            if readable:
                data = ends.recv(CHUNK)
                if not data:
                    frames.finish()
                    return limit
                frames.feed(data)
            if writable:
                pending = pending[ends.send(pending[: 1 << 20]) :]
            late = time.monotonic() > deadline
            if limit is None and (late or frames.flooded()):
                limit = "wall" if late else "output"
                ends.shutdown(socket.SHUT_WR)
                pending, deadline = memoryview(b""), time.monotonic() + COLLECTING
            elif late and not killed:
                with telling("the container can't be killed"):
                    engine.kill(container)
                killed, deadline = True, time.monotonic() + COLLECTING
            elif late:
                raise SandboxError("the engine does not end a container", remedy="restart the Docker engine")


def _result(
    spec: RunSpec, frames: Frames, limit: LimitName | None, state: dict[str, Any], enforced: dict[str, str]
) -> Result:
    told = frames.report.told
    if told is None and limit is None and not state["OOMKilled"]:
        said = frames.stderr.text().strip()[-500:] or state["Error"] or f"exit code {state['ExitCode']}"
        raise SandboxError(f"the container ended without its report: {said}", remedy="`xkg sandbox doctor`")
    told = told or {"status": signal.SIGKILL, "limit": None, "wall": spec.limits.wall, "cpu": 0.0, "peak": None}
    code = os.waitstatus_to_exitcode(told["status"]) if told["status"] is not None else -signal.SIGKILL
    return Result(
        exit_code=code if code >= 0 else None,
        signal=-code if code < 0 else None,
        limit=limit or _limit(told, state, flooded=frames.flooded()),
        stdout=frames.stdout.text(),
        stderr=frames.stderr.text(),
        wall_s=told["wall"],
        cpu_s=told["cpu"],
        peak_memory=told["peak"],
        outputs=frames.report.outputs,
        enforced=enforced,
        waived=tuple(sorted(spec.waive)),
        backend="docker",
    )


def _limit(told: dict[str, Any], state: dict[str, Any], *, flooded: bool) -> LimitName | None:
    """The limit that process 1 saw, else what the cgroup counted: the first that could be the cause of the others."""
    if told["limit"] not in (None, "told"):
        return told["limit"]  # type: ignore[no-any-return]  # from JSON, written by our own process 1
    if flooded:
        return "output"
    if told.get("oom") or state["OOMKilled"]:
        return "memory"
    if told.get("more") or told["status"] == signal.SIGXFSZ:
        return "disk"
    return "pids" if told.get("refused") else None

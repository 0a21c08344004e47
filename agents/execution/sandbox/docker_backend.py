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
import signal
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from agents.execution.sandbox.bubblewrap_launch import SLACK
from agents.execution.sandbox.docker_container import enforced_by, places, settings_of, sweep_copies
from agents.execution.sandbox.docker_engine import Engine, connect, remove, sweep, telling
from agents.execution.sandbox.docker_image import IMAGE, built
from agents.execution.sandbox.docker_stream import Frames, Report
from agents.execution.sandbox.docker_supervise import supervise
from agents.execution.sandbox.inside import leftovers
from agents.execution.sandbox.interpreter import find_interpreter
from agents.execution.sandbox.models import Backend, LimitName, Result, RunSpec, SandboxError
from agents.execution.sandbox.places import PROTECTIONS, check_inputs, environment
from agents.execution.sandbox.seccomp import program
from agents.execution.sandbox.supervise import FREE_NAMES, INODE
from kg.config import Settings

__all__ = ["DockerSandbox", "open_docker"]


class DockerSandbox:
    """Runs in containers of `image`, on the engine that `settings` name. Usable in threads and after a fork."""

    name: Backend = "docker"

    def __init__(self, settings: Settings, image: str = IMAGE) -> None:
        self.settings, self.image = settings, image
        self._engine, self._process = connect(settings), os.getpid()
        weakref.finalize(self, self._engine.close)

    @property
    def engine(self) -> Engine:
        """The client of this process: one that a fork inherited would share its connections."""
        if self._process != os.getpid():
            self._engine, self._process = connect(self.settings), os.getpid()
            weakref.finalize(self, self._engine.close)
        return self._engine

    def capabilities(self) -> dict[str, str]:
        """Each protection that is enforced here, and how."""
        return dict(self._enforced)

    @cached_property
    def _enforced(self) -> dict[str, str]:
        with telling("the engine does not tell what it can do"):
            return enforced_by(self.engine.info())

    def run(self, spec: RunSpec) -> Result:
        """See the protocol."""
        check_inputs(spec)
        waived = _waived(spec, self._enforced)
        token = secrets.token_hex(24)
        report = Report(spec.keep)
        frames = Frames(spec.limits.output, f"\n{token}".encode(), report)
        engine = self.engine
        with _container(engine, self.image, spec, self.settings.cache) as container:
            try:
                limit = supervise(engine, container, _job(spec, token), frames, spec.limits.wall)
            finally:
                report.close()
            with telling("the container's end can't be read"):
                state = engine.inspect_container(container)["State"]
        result = _result(spec, frames, limit, state)
        return result.model_copy(update={"enforced": self.capabilities(), "waived": waived})


def _waived(spec: RunSpec, enforced: Mapping[str, str]) -> tuple[str, ...]:
    """The protections that the engine lacks; raises SandboxError unless all of them are waived by name."""
    lacking = [name for name in PROTECTIONS if name not in enforced]
    if refused := [name for name in lacking if name not in spec.waive]:
        raise SandboxError(
            f"the Docker engine can't enforce {', '.join(refused)}",
            remedy="see `docker info`, or waive it by name (" + " ".join(f"`--waive {name}`" for name in refused) + ")",
        )
    return tuple(lacking)


def open_docker(settings: Settings) -> DockerSandbox:
    """The backend on the engine that answers here, after removing what dead supervisors left. Raises SandboxError."""
    sandbox = DockerSandbox(settings)
    if built(sandbox.engine) is None:
        raise SandboxError("the sandbox's image is not built", where=IMAGE, remedy="build it with `xkg sandbox build`")
    sweep(sandbox.engine)
    sweep_copies(settings.cache)
    return sandbox


@contextmanager
def _container(engine: Engine, image: str, spec: RunSpec, cache: Path) -> Iterator[str]:
    """A created container, removed at the end whatever happens."""
    argv = ["python3", "-I", "-S", "-B", "-c", _source()]
    with places(cache) as folders:
        given = settings_of(engine, image, spec, argv, _size(spec) + SLACK, folders)
        with telling("the container can't be created"):
            container: str = engine.create_container_from_config(given)["Id"]
        try:
            yield container
        finally:
            with telling("the container can't be removed"):
                remove(engine, container)


def _source() -> str:
    """Process 1 as one text: the module that it shares with the host, under its name there, then itself."""
    inside = files("agents.execution.sandbox") / "inside"
    shared, init = ((inside / name).read_text("utf-8") for name in ("leftovers.py", "docker_init.py"))
    return (
        "import sys, types\n"
        f"module = sys.modules[{leftovers.__name__!r}] = types.ModuleType({leftovers.__name__!r})\n"
        f"exec({shared!r}, module.__dict__)\n"
        f"exec({init!r}, {{'__name__': '__main__'}})\n"
    )


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


def _result(spec: RunSpec, frames: Frames, limit: LimitName | None, state: dict[str, Any]) -> Result:
    fields = frames.report.fields
    if fields is None and limit is None and not state["OOMKilled"]:
        said = frames.stderr.text().strip()[-500:] or state["Error"] or f"exit code {state['ExitCode']}"
        raise SandboxError(f"the container ended without its report: {said}", remedy="`xkg sandbox doctor`")
    fields = fields or {"status": signal.SIGKILL, "limit": None, "wall": spec.limits.wall, "cpu": 0.0, "peak": None}
    code = os.waitstatus_to_exitcode(fields["status"]) if fields["status"] is not None else -signal.SIGKILL
    return Result(
        exit_code=code if code >= 0 else None,
        signal=-code if code < 0 else None,
        limit=limit or _limit(fields, state, flooded=frames.flooded()),
        stdout=frames.stdout.text(),
        stderr=frames.stderr.text(),
        wall_s=fields["wall"],
        cpu_s=fields["cpu"],
        peak_memory=fields["peak"],
        outputs=frames.report.outputs,
        enforced={},
        backend="docker",
    )


def _limit(fields: dict[str, Any], state: dict[str, Any], *, flooded: bool) -> LimitName | None:
    """The limit that process 1 saw, else what the cgroup counted: the first that could be the cause of the others."""
    if fields["limit"] not in (None, "told"):
        return fields["limit"]  # type: ignore[no-any-return]  # from JSON, written by our own process 1
    if flooded:
        return "output"
    if fields.get("oom") or state["OOMKilled"]:
        return "memory"
    if fields.get("more") or fields["status"] == signal.SIGXFSZ:
        return "disk"
    return "pids" if fields.get("refused") else None

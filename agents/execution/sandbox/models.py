"""The contract of every sandbox backend: what to run, under which limits, and what came of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Protocol

from pydantic import Field

from kg.errors import ServiceError
from kg.models.paper import Model

__all__ = ["Backend", "LimitName", "Limits", "Output", "Protection", "Result", "RunSpec", "Sandbox", "SandboxError"]

Backend = Literal["docker", "bubblewrap", "unsafe-local"]
LimitName = Literal["wall", "cpu", "memory", "pids", "disk", "output"]
Protection = Literal[LimitName, "files", "network", "processes", "privileges", "syscalls"]

MIB = 1024 * 1024


class SandboxError(ServiceError):
    """The sandbox itself could not do its work: no backend, a limit that can't be enforced, a launch that failed."""


class Limits(Model):
    """The most a run may use. `wall` and `cpu` are seconds (of all its processes together), the rest bytes and counts.

    `memory` is the total of all processes and of the files that they write, which lie in memory. `disk` is all that is
    written to the working folder and /tmp, `output` the bytes of stdout and of stderr; `pids` counts threads. `cpu`
    None means wall times the number of processors, i.e. no limit of its own.
    """

    wall: float = Field(60.0, gt=0, allow_inf_nan=False)
    cpu: float | None = Field(None, gt=0, allow_inf_nan=False)
    memory: int = Field(2048 * MIB, gt=0)
    pids: int = Field(256, gt=0)
    disk: int = Field(256 * MIB, gt=0)
    output: int = Field(MIB, gt=0)


class RunSpec(Model):
    """One command to run in a sandbox of its own.

    The working folder is ``/work`` and starts with `files` (relative path → content); `cwd` is where in it the command
    starts. `read_only` maps absolute paths inside to files or folders of the host, mounted read-only. `python` is the
    interpreter of the host that ``python3`` and ``python`` are inside (None: the one that runs xkg); its base prefix is
    mounted read-only. `environment` is the whole environment but for PATH, HOME, TMPDIR and LANG. Network is off.
    Whatever matches `outputs` (globs below the working folder) is listed in the result, and copied to `keep` if given.
    A protection that can't be enforced here raises SandboxError unless it is named in `waive`.
    """

    argv: tuple[str, ...] = Field(min_length=1)
    files: Mapping[str, bytes] = {}
    read_only: Mapping[str, Path] = {}
    environment: Mapping[str, str] = {}
    python: Path | None = None
    cwd: str = "."
    stdin: bytes = b""
    limits: Limits = Limits()
    waive: frozenset[Protection] = frozenset()
    outputs: tuple[str, ...] = ("**",)
    keep: Path | None = None


class Output(Model):
    """A regular file that the run left in the working folder. `path` is relative to it, `size` in bytes."""

    path: str
    sha256: str
    size: int


class Result(Model):
    """What came of a run.

    Exactly one of `exit_code` and `signal` is set, unless a `limit` ended it, when either may be. `stdout` and `stderr`
    hold up to the output limit, undecodable bytes replaced. `wall_s`, `cpu_s` are seconds, `peak_memory` bytes (None:
    not measurable here). `enforced` maps each protection that held to how; `waived` are the others.
    """

    exit_code: int | None
    signal: int | None = None
    limit: LimitName | None = None
    stdout: str
    stderr: str
    wall_s: float
    cpu_s: float
    peak_memory: int | None = None
    outputs: tuple[Output, ...] = ()
    enforced: dict[str, str]
    waived: tuple[str, ...] = ()
    backend: Backend

    @property
    def passed(self) -> bool:
        """Whether it ran to its end and said 0."""
        return self.exit_code == 0 and self.signal is None and self.limit is None


class Sandbox(Protocol):
    """A backend, probed and ready."""

    name: Backend

    def capabilities(self) -> dict[str, str]:
        """Each protection that is enforced here, and how ("memory": "cgroup v1")."""
        ...

    def run(self, spec: RunSpec) -> Result:
        """Run to the end or to a limit; nothing of it is left running. Raises SandboxError if it can't be started."""
        ...

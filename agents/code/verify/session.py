"""Jobs for the sandbox, and what came of them: one run for many jobs, whose results no job can forge."""

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from agents.code.mutants import Raised
from agents.code.verify.layout import Layout
from agents.execution.environments import Environment, Rescue, mounts, variables
from agents.execution.sandbox import Limits, Result, RunSpec, Sandbox

__all__ = ["Job", "JobResult", "Session", "Sitting", "own_path", "raised_of"]

MIB = 1024 * 1024
REPO = "/work/repo"
_OUTPUT = 64 * MIB
_VARIABLES = {
    "MPLBACKEND": "Agg", "NUMBA_CACHE_DIR": "/tmp/numba", "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1",  # noqa: S108 -- inside the sandbox
    "TOKENIZERS_PARALLELISM": "false", "JAX_PLATFORMS": "cpu", "CUDA_VISIBLE_DEVICES": "", "WANDB_MODE": "disabled",
    "TF_CPP_MIN_LOG_LEVEL": "3", "KMP_INIT_AT_FORK": "FALSE", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
}  # fmt: skip


@dataclass(frozen=True)
class Job:
    """One child's work: `kind` "import" or "pytest", at most `seconds`; `options` as ``inside/`` documents them."""

    id: str
    kind: str
    seconds: float
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class JobResult:
    """`ended` is "finished" only if the job itself came to its end; else "died", "timeout", "skipped" or "lost" (the
    sandbox ended first). `events` are what it reported, `status` its exit status (negative: a signal)."""

    id: str
    ended: str
    events: tuple[dict[str, Any], ...] = ()
    status: int | None = None
    log: str = ""
    seconds: float = 0.0

    def of(self, event: str) -> list[dict[str, Any]]:
        """Its events of one kind."""
        return [e for e in self.events if e.get("event") == event]


@dataclass(frozen=True)
class Sitting:
    """All results of one sandbox run, by job."""

    results: dict[str, JobResult]
    result: Result

    def log(self) -> str:
        """The logs of its jobs one after another, and what the supervisor itself said."""
        parts = [f"=== {r.id}: {r.ended}, {r.seconds:.1f} s\n{r.log.rstrip()}\n" for r in self.results.values()]
        return "".join(parts) + (f"=== sandbox\n{self.result.stderr}" if self.result.stderr.strip() else "")


class Session:
    """A repository's copy with an environment, in which jobs can be run any number of times.

    `extra` are files that the copy gets besides its own (paths below ``/work``), `own` others that are taken from the
    folder `own_site` (path in the repository to path in it); `rescues` names what they came by.
    """

    def __init__(
        self, folder: Path, layout: Layout, environment: Environment, sandbox: Sandbox, *, memory: int = 4096 * MIB
    ) -> None:
        self.folder, self.layout, self.environment, self.sandbox = folder, layout, environment, sandbox
        self.memory = memory
        self.extra: dict[str, str] = {}
        self.own: dict[str, str] = {}
        self.own_site: Path | None = None
        self.rescues: tuple[str, ...] = ()
        self.warm: tuple[str, ...] = ()

    def add(self, rescues: Iterable[Rescue]) -> None:
        """Let the copy have what the repository lacks."""
        for rescue in rescues:
            self.rescues = (*self.rescues, rescue.name)
            self.extra |= {f"repo/{path}": content.decode() for path, content in rescue.files.items()}
            if rescue.site:
                self.own, self.own_site = rescue.taken, rescue.site

    def run(self, jobs: Sequence[Job], seconds: float, *, extra: Mapping[str, str] | None = None) -> Sitting:
        """Run `jobs` in order within `seconds`; what is not reached by then is "skipped"."""
        token = secrets.token_hex(16)
        plan = {
            "token": token,
            "copy": self.layout.files,
            "own": self.own,
            "write": {**self.extra, **(extra or {})},
            "path": [f"{REPO}/{root}".rstrip("/") for root in self.layout.roots],
            "warm": self.warm,
            "variables": {},
            "seconds": seconds,
            "jobs": [{"id": job.id, "kind": job.kind, "seconds": job.seconds, **job.options} for job in jobs],
        }
        lent = {"/in/own": self.own_site} if self.own_site else {}
        inside = Path(str(resources.files("agents.code.verify").joinpath("inside")))
        given = variables(self.environment)
        spec = RunSpec(
            argv=("python3", "-s", "-m", "xkg_inside.supervise"),
            read_only={**mounts(self.environment), **lent, "/in/repo": self.folder, "/in/harness/xkg_inside": inside},
            environment={**_VARIABLES, **given, "PYTHONPATH": f"{given.get('PYTHONPATH', '')}:/in/harness".lstrip(":")},
            python=self.environment.python,
            stdin=json.dumps(plan).encode("utf-8", "surrogatepass"),
            limits=Limits(
                wall=seconds + 30,
                memory=self.memory,
                pids=512,
                disk=2 * self.layout.size + 512 * MIB,
                output=_OUTPUT,
            ),
            outputs=(),
        )
        result = self.sandbox.run(spec)
        return Sitting(_results(result.stdout, token, [job.id for job in jobs]), result)


def _results(stdout: str, token: str, asked: Iterable[str]) -> dict[str, JobResult]:
    """Results of the lines that carry the token; jobs without one are "lost" unless the supervisor came to its end."""
    found: dict[str, JobResult] = {}
    complete = False
    for line in stdout.split("\n"):
        if not line.startswith(token + " "):
            continue
        try:
            row = json.loads(line[len(token) + 1 :])
        except ValueError:
            continue
        if row["ended"] == "all":
            complete = True
            continue
        events = tuple(event for event in row["events"] if isinstance(event, dict))
        found[row["id"]] = JobResult(row["id"], row["ended"], events, row["status"], row["log"], row["seconds"])
    for job in asked:
        if job not in found and not complete:
            found[job] = JobResult(job, "lost")
    return found


def raised_of(record: object) -> Raised | None:
    """The exception of an event's record; None for what has no such shape."""
    if not isinstance(record, dict):
        return None
    types = tuple(str(name)[:200] for name in record.get("types") or ())
    frames = tuple(
        (str(frame[0])[:1000], int(frame[1]))
        for frame in record.get("frames") or ()
        if isinstance(frame, list) and len(frame) == 2 and isinstance(frame[1], int)
    )
    return Raised(types, str(record.get("message", ""))[:2000], frames) if types else None


def own_path(file: str) -> str | None:
    """The path in the repository of a file named by a traceback inside, None for foreign files."""
    return file[len(REPO) + 1 :] if file.startswith(REPO + "/") else None

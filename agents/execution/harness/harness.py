"""Jobs for the sandbox and what came of them: one run for many jobs, whose results no job can forge."""

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGKILL
from typing import Any, Literal

from agents.execution.environments import Environment, mounts, variables
from agents.execution.harness.compiled import compiled, inside
from agents.execution.harness.inputs import Inputs
from agents.execution.sandbox import Backend, LimitName, Limits, Result, RunSpec, Sandbox

__all__ = ["REPO", "BatchRun", "Harness", "Job", "JobResult", "Workspace", "run_unit"]

MIB = 1024 * 1024
REPO = "/work/repo"
"""Where a repository's copy lies inside."""
INSIDE = "/in/harness"
ISOLATED: frozenset[Backend] = frozenset({"docker", "bubblewrap"})
SCRATCH = ["/tmp", "/dev/shm"]  # noqa: S108 -- the sandbox's own, emptied between jobs where it is one
STARTING, LOADING = 30.0, 60.0
"""Seconds for the interpreter and for laying out, and for preloaded modules."""
LOG = 60_000
OUTPUT = 64 * MIB
_VARIABLES = {
    "MPLBACKEND": "Agg", "NUMBA_CACHE_DIR": "/tmp/numba", "WANDB_MODE": "disabled",  # noqa: S108 -- inside the sandbox
    "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false",
    "JAX_PLATFORMS": "cpu", "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3", "KMP_INIT_AT_FORK": "FALSE",
    "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
}  # fmt: skip
"""No sandbox has a network: without the offline ones, Hugging Face's libraries take minutes to find that out."""

Ended = Literal["finished", "died", "timeout", "cut", "skipped", "lost", "forged"]


@dataclass(frozen=True)
class Job:
    """One child's work, at most `seconds`; `log` bytes of what it prints are kept.

    `kind` says what `options` there are beside those of all jobs:

    - "import": `way` "name", "path" or "statements", `name` (dotted), `file` below the folder `root`, `symbols` to look
      for, `path` (folders to import from);
    - "tests": pytest's `args` and the `paths` to collect, `ini` (False: without the repository's configuration),
      `only` and `skip` (ids of tests), `each` (seconds of a test), `trace` (tell which functions are called), `stop`
      (names of exceptions after which the other tests need not run), `fail` (each test fails, whatever it does),
      `aside` (`only` names tests without their parameters, which run though hooks of the repository leave them out);
    - "calls": `traces` of calls to make again (see inside/recording.py) of the `symbol` of the module `name`, which is
      the `file` below the folder `root`, with seeds set to `seed`;
    - "script": the file `script`, the line `test_line` where its test starts, `quick` (end at once).

    Of all jobs: `write` and `lend` add files as in a workspace, `mutate` (`path`, `text`) replaces one for this job;
    `unless` names jobs whose success (if they alter values: with some altered) makes this one needless, `in_time` such
    as must not have run out of time, `requires` jobs that must have passed, `applies` (a job, a word) one that must
    have reported the word among its `kinds`; `pace` (a job, a factor, least seconds) bounds its time by that of
    another. The process that does the job is told nothing of all these, nor of `id`.
    """

    id: str
    kind: Literal["import", "tests", "calls", "script"]
    seconds: float
    options: Mapping[str, Any] = field(default_factory=dict)
    log: int = LOG


@dataclass(frozen=True)
class JobResult:
    """`ended` is "finished" only if the job itself came to its end in time; else "died", "timeout", "cut" (the time of
    the whole run was over before its own), "skipped" (no time), "lost" (the supervisor inside did not live to tell;
    `limit` says which of the sandbox's limits ended it, if one did) or "forged" (something wrote reports of its own).
    `events` are what it reported, `status` its exit status (negative: a signal), `seconds` wall time, `inputs` what it
    read of the repository (None: there was none, or nobody saw)."""

    id: str
    ended: Ended
    events: tuple[dict[str, Any], ...] = ()
    status: int | None = None
    log: str = ""
    seconds: float = 0.0
    limit: LimitName | None = None
    inputs: Inputs | None = None

    @property
    def ran(self) -> bool:
        """Whether it was begun, and had the time that was meant for it."""
        return self.ended not in {"cut", "skipped"}

    def of(self, event: str) -> list[dict[str, Any]]:
        """Its events of one kind."""
        return [e for e in self.events if e.get("event") == event]


@dataclass(frozen=True)
class BatchRun:
    """The results of jobs, by job and in order, without those that were not needed; `result` is the last sandbox run's
    own, `wall_s` the seconds of all runs that it took."""

    results: dict[str, JobResult]
    result: Result
    wall_s: float

    def log(self) -> str:
        """The logs of its jobs one after another, and what the supervisor itself said."""
        parts = [f"=== {r.id}: {r.ended}, {r.seconds:.1f} s\n{r.log.rstrip()}\n" for r in self.results.values()]
        return "".join(parts) + (f"=== sandbox\n{self.result.stderr}" if self.result.stderr.strip() else "")


@dataclass(frozen=True)
class Workspace:
    """What lies in the working folder when jobs begin.

    `files` of the folder `repository` are copied to ``repo``, `links` made there (by path, to where each leads as seen
    from its own folder); `lend` maps places to files of the folder `lent`, `write` places to texts (all below the
    working folder). `path` are folders to import from, `size` the bytes of it all; `variables` are of the environment,
    as far as the harness does not set them. With `fresh` each job finds just that, and nothing that another has left.
    """

    repository: Path | None = None
    files: tuple[str, ...] = ()
    links: Mapping[str, str] = field(default_factory=dict)
    lent: Path | None = None
    lend: Mapping[str, str] = field(default_factory=dict)
    write: Mapping[str, str] = field(default_factory=dict)
    path: tuple[str, ...] = ()
    size: int = 0
    variables: Mapping[str, str] = field(default_factory=dict)
    fresh: bool = False


class Harness:
    """Runs jobs in `sandbox`, with the packages of `environment`; all of a run may have `memory` bytes, and a child as
    many, if `bounded`."""

    def __init__(self, environment: Environment, sandbox: Sandbox, memory: int, *, bounded: bool = False) -> None:
        self.environment, self.sandbox, self.memory, self.bounded = environment, sandbox, memory, bounded

    def run(
        self, jobs: Sequence[Job], workspace: Workspace, seconds: float, *, preload: Sequence[str] = (),
        hash_seed: int | None = None,
    ) -> BatchRun:  # fmt: skip
        """Run `jobs` in order within `seconds`; what is not reached by then is "skipped".

        `preload` are modules that are imported once and shared by forking. A job that takes the supervisor down with
        it, or that reaches a limit of the whole sandbox, is "lost"; those after it are run without it, and what is
        known of those before it stands. Raises SandboxError if the sandbox can't be started.
        """
        found: dict[str, JobResult] = {}
        known: dict[str, object] = {}
        waiting, left = list(jobs), seconds
        while True:
            told, result = self._once(waiting, known, workspace, left, preload, hash_seed)
            found |= told.results
            known |= told.known
            left -= result.wall_s
            if killed := _killed(told) if result.limit == "memory" else "":
                found[killed] = JobResult(killed, "lost", limit=result.limit)
            if told.whole:
                break
            ids = [job.id for job in waiting]
            at = ids.index(told.open) if told.open else max((ids.index(name) for name in told.results), default=-1)
            if killed and told.open:
                at -= 1
            elif told.open or not told.results:
                at = max(at, 0)
                found[ids[at]] = JobResult(ids[at], "lost", limit=result.limit)
            waiting = waiting[at + 1 :]
            if not waiting or left <= 1:
                found |= {job.id: JobResult(job.id, "skipped") for job in waiting}
                break
        return BatchRun({job.id: found[job.id] for job in jobs if job.id in found}, result, seconds - left)

    def _once(
        self, jobs: Sequence[Job], known: Mapping[str, object], workspace: Workspace, seconds: float,
        preload: Sequence[str], hash_seed: int | None,
    ) -> tuple["_Told", Result]:  # fmt: skip
        """One run of the sandbox, and what it told; `known` is what earlier ones told of what these jobs depend on."""
        key = secrets.token_bytes(32)
        plan = {
            "copy": workspace.files,
            "links": dict(workspace.links),
            "lend": dict(workspace.lend),
            "write": dict(workspace.write),
            "path": workspace.path,
            "preload": list(preload),
            "scratch": SCRATCH if self.sandbox.name in ISOLATED else [],
            "fresh": workspace.fresh,
            "memory": self.memory if self.bounded else None,
            "seconds": seconds,
            "known": known,
            "jobs": [{"id": j.id, "kind": j.kind, "seconds": j.seconds, "log": j.log, **j.options} for j in jobs],
        }
        given = {"/in/repo": workspace.repository, "/in/lent": workspace.lent}
        lent = {place: folder for place, folder in given.items() if folder}
        seed = {} if hash_seed is None else {"PYTHONHASHSEED": str(hash_seed)}
        longest = min(seconds, max((job.seconds for job in jobs), default=0.0))
        spec = RunSpec(
            argv=("python3", "-I", f"{INSIDE}/supervise.py", *(place if place in lent else "" for place in given)),
            read_only={**mounts(self.environment), **lent, INSIDE: compiled(self.environment)},
            environment={**workspace.variables, **_VARIABLES, **variables(self.environment), **seed},
            python=self.environment.python,
            stdin=key + json.dumps(plan).encode("ascii"),
            limits=Limits(
                wall=seconds + longest + STARTING + (LOADING if preload else 0),
                memory=self.memory,
                pids=512,
                disk=2 * workspace.size + 512 * MIB,
                output=OUTPUT,
            ),
            outputs=(),
        )
        result = self.sandbox.run(spec)
        return _told(result.stdout, key, jobs), result


@dataclass
class _Told:
    """What the supervisor told of one run of the sandbox: `results` by job, what it needs to be told again in a further
    run (`known`), the job that was begun and has not ended (`open`), and whether it came to the end (`whole`)."""

    results: dict[str, JobResult] = field(default_factory=dict)
    known: dict[str, object] = field(default_factory=dict)
    open: str = ""
    whole: bool = False


def _told(stdout: str, key: bytes, jobs: Sequence[Job]) -> _Told:
    """What the lines say that bear the right keyed hash, as long as their numbers rise.

    What is in their events foreign code may have written: malformed ones are left out, and a job is lost that nests
    them deeper than can be read.
    """
    told, last = _Told(), -1
    for line in stdout.split("\n"):
        mark, _, rest = line.partition(" ")
        right = hashlib.blake2b(rest.encode("utf-8"), key=key).hexdigest()
        number, _, text = rest.partition(" ")
        if not hmac.compare_digest(mark.encode("utf-8"), right.encode()) or int(number) <= last:
            continue
        last = int(number)
        told.open = ""
        try:
            row = json.loads(text)
        except RecursionError:
            name = jobs[last // 2].id
            told.results[name] = JobResult(name, "lost")
            continue
        if row["ended"] == "begun":
            told.open = row["id"]
        elif row["ended"] == "all":
            told.whole = True
        else:
            told.results[row["id"]] = _result(row)
            told.known |= {row["id"]: row["known"]} if "known" in row else {}
    return told


def _killed(told: _Told) -> str:
    """The last job that ended by SIGKILL; empty if none did.

    Where the kernel counts a sandbox's memory, it ends one process before anyone knows of it: the next job may have
    begun when the sandbox is ended for what that one has taken.
    """
    killed = [name for name, result in told.results.items() if (result.ended, result.status) == ("died", -SIGKILL)]
    return killed[-1] if killed else ""


def _result(row: dict[str, Any]) -> JobResult:
    events = tuple(event for event in row.get("events", ()) if _is_event(event))
    inputs = Inputs.parse(row["inputs"]) if row.get("inputs") else None
    given = {name: row[name] for name in ("status", "log", "seconds") if name in row}
    return JobResult(row["id"], row["ended"], events, inputs=inputs, **given)


def _is_event(event: object) -> bool:
    """Whether it is an object whose parts are of the kinds that are read of them."""
    if not isinstance(event, dict):
        return False
    raised = [event["raised"]] if event.get("raised") is not None else []
    names = ("reach", "failures", "symbols", "loaded", "traces", "steps", "origins", "modules")
    lists = [event.get(name, []) for name in names]
    whole = all(isinstance(each, list) for each in lists) and isinstance(event.get("seconds", 0), int | float)
    return whole and isinstance(event.get("outcome", ""), str) and all(map(_is_record, [*raised, *lists[1]]))


def _is_record(raised: object) -> bool:
    """Whether it is the record of an exception."""
    types = raised.get("types") if isinstance(raised, dict) else None
    named = isinstance(types, list) and all(isinstance(name, str) for name in types)
    return named and isinstance(raised, dict) and isinstance(raised.get("frames", []), list)


def run_unit(import_name: str, symbol: str) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Files and command that import a unit and run statements (further arguments) on it, before a person's eyes."""
    return {"run_unit.py": (inside() / "run_unit.py").read_bytes()}, ("python3", "run_unit.py", import_name, symbol)

"""All runs of one block within its time: forked from one process that has the modules, or each in a sandbox."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agents.code.verify.blocks.text import Joined
from agents.code.verify.session import raised_of
from agents.execution.environments import Environment
from agents.execution.harness import Harness, Job, JobResult, Workspace
from agents.execution.sandbox import Result, Sandbox
from kg.config import Settings

__all__ = ["FILE", "Run", "Runs", "log_of"]

FILE = "block.py"
MIB = 1024 * 1024
FULL_LOG, SHORT_LOG = 256_000, 8_000
SLOWER, LEAST_SECONDS = 5.0, 10.0
"""Times as long as the first run that the others may take, but no less than these seconds."""


@dataclass(frozen=True)
class Run:
    """A run of a block and the sandbox's result that it is part of."""

    job: JobResult
    sandbox: Result

    @property
    def passed(self) -> bool:
        """Whether it ran to its very end, its process said 0, and nothing in it got at what says so."""
        return self.job.ended == "finished" and self.job.status == 0 and not self.job.of("introspected")

    @property
    def lost(self) -> bool:
        """Whether nothing more is known of it than how the sandbox ended."""
        return self.job.ended == "lost"

    @property
    def limit(self) -> str | None:
        """What ended it from outside, "wall" when its own time was over."""
        return "wall" if self.job.ended in {"timeout", "cut"} else self.sandbox.limit if self.lost else None

    @property
    def exit_code(self) -> int | None:
        """Of its process, None if that was ended by a signal."""
        status = self.job.status
        return status if status is not None and status >= 0 else None

    @property
    def signal(self) -> int | None:
        """What ended its process."""
        status = self.job.status
        return self.sandbox.signal if self.lost else -status if status is not None and status < 0 else None

    @property
    def log(self) -> str:
        """What it printed."""
        return self.sandbox.stderr[-SHORT_LOG:] if self.lost else self.job.log


class Runs:
    """Runs texts in `sandbox` until ``block_total_seconds`` are over, each for ``block_seconds`` at most."""

    def __init__(self, environment: Environment, sandbox: Sandbox, settings: Settings) -> None:
        self.each = settings.verify.block_seconds
        self.harness = Harness(environment, sandbox, settings.verify.memory_mb * MIB, bounded=True)
        self.deadline = time.monotonic() + settings.verify.block_total_seconds

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self.deadline - time.monotonic()

    def alone(self, joined: Joined, *, hash_seed: int = 0, full_log: bool = False) -> Run | None:
        """One text in a sandbox run of its own; None if there is no time left."""
        if self.left <= 1:
            return None
        (run,) = self._run([self._job(0, joined, full_log)], (), hash_seed).values()
        return run

    def forked(self, texts: Sequence[Joined], preload: Sequence[str]) -> Mapping[int, Run]:
        """Texts by their number, forked from one process; those that break it are run alone.

        Without those for which there was no time. After a first one that does not pass there is no other.
        """
        if self.left <= 1:
            return {}
        jobs = [self._job(number, text, number == 0, after="0" if number else "") for number, text in enumerate(texts)]
        found = self._run(jobs, preload, 0)
        if not found or not found[0].passed:
            return found
        again = {number: self.alone(texts[number]) for number, run in found.items() if run.lost}
        return found | {number: run for number, run in again.items() if run}

    def _job(self, number: int, joined: Joined, full_log: bool, after: str = "") -> Job:
        options = {
            "script": FILE,
            "write": {FILE: joined.text},
            "test_line": joined.test_line,
            "quick": number > 0,
            "requires": [after] if after else [],
            "pace": [after, SLOWER, LEAST_SECONDS] if after else None,
        }
        seconds = min(self.each, max(self.left, 1.0))
        return Job(str(number), "script", seconds, options, log=FULL_LOG if full_log else SHORT_LOG)

    def _run(self, jobs: Sequence[Job], preload: Sequence[str], hash_seed: int) -> dict[int, Run]:
        seconds = min(max(self.left, 1.0), 2 * sum(job.seconds for job in jobs))
        batch = self.harness.run(jobs, Workspace(fresh=True), seconds, preload=preload, hash_seed=hash_seed)
        begun = [job for job in batch.results.values() if job.ran or (job.ended == "cut" and job.id == jobs[0].id)]
        return {int(job.id): Run(job, batch.result) for job in begun}


def log_of(run: Run, others: Iterable[tuple[str, Run]]) -> bytes:
    """What the block wrote, and a line for each further run."""
    lines = [run.log.rstrip("\n"), "", f"== {_summary(run)}"]
    lines += [f"== {name}: {_summary(one)}" for name, one in others]
    return "\n".join(lines).lstrip("\n").encode("utf-8", "replace") + b"\n"


def _summary(run: Run) -> str:
    if run.passed:
        return f"ran to its end in {run.job.seconds:.2f} s"
    if run.limit:
        return f"ended by the limit of {run.limit} after {run.job.seconds:.2f} s"
    for event in run.job.of("script"):
        by = "an assertion of the test: " if event.get("check") else ""
        if raised := raised_of(event.get("raised")):
            return f"ended by {by}{raised.said}"[:300]
    status = f"exit code {run.exit_code}" if run.signal is None else f"signal {run.signal}"
    return f"ended with {status}" + ("" if run.job.ended == "finished" else " before its last statement")

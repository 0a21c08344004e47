"""Runs a repository's tests once, traced, and tells which units each one reaches."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.judging import Raised
from ingest.verify.session import REPO, Job, JobResult, Session, Sitting, raised_of
from kg.models.code import CodeUnit

__all__ = ["Reacher", "Source", "TestRun", "run_tests"]

ROUNDS = 3
"""Times that the rest of a file is taken up again after a test that hangs or ends the process."""
_WHOLE = {"script", "file"}


@dataclass(frozen=True)
class Source:
    """A place of tests: its path below ``/work``, the pytest arguments that collect it, and the kind of its tests."""

    path: str
    kind: str = "repository"
    arguments: tuple[str, ...] = ()

    @property
    def collects(self) -> list[str]:
        """Arguments for pytest."""
        return [*self.arguments, f"/work/{self.path}"]


@dataclass(frozen=True)
class TestRun:
    """One test: `outcome` "passed", "failed", "error", "skipped", "timeout" or "died"; `units` are the ids of the units
    that it called, `sitting` is the sandbox run in which it ran."""

    id: str
    source: Source
    outcome: str
    seconds: float
    units: frozenset[str]
    raised: Raised | None = None
    sitting: Sitting | None = field(default=None, compare=False, repr=False)


class Reacher:
    """Maps called functions to units: a unit is reached when a function that begins within its lines is called."""

    def __init__(self, units: Iterable[CodeUnit]) -> None:
        self.by_file: dict[str, list[CodeUnit]] = defaultdict(list)
        for unit in units:
            if unit.language == "python":
                self.by_file[unit.file].append(unit)

    def units(self, reach: Iterable[Any]) -> frozenset[str]:
        """Ids of the units reached by (path, line, name) of functions."""
        found = set()
        for item in reach:
            if not (isinstance(item, list) and len(item) == 3 and isinstance(item[1], int)):
                continue
            path, line, name = item
            for unit in self.by_file.get(str(path), ()):
                whole = name == "<module>"
                if whole == (unit.kind in _WHOLE) and (whole or unit.line <= line <= unit.end_line):
                    found.add(unit.id)
        return frozenset(found)


def test_job(name: str, source: Source, *, seconds: float, each: float, **options: Any) -> Job:
    """A job that runs the tests of one source, traced unless said otherwise."""
    return Job(name, "pytest", seconds, {"args": source.collects, "each": each, "trace": True, "cwd": REPO, **options})


def run_tests(
    session: Session, sources: Sequence[Source], reacher: Reacher, *, seconds: float, each: float, file_seconds: float
) -> list[TestRun]:
    """Every test of `sources`, one child a file. A file is taken up again after a test that hangs or ends the process;
    one whose configuration pytest refuses is run without it."""
    found: list[TestRun] = []
    left: dict[Source, dict[str, Any]] = {source: {"skip": []} for source in sources}
    spent = 0.0
    for _ in range(ROUNDS):
        if not left or spent >= seconds:
            break
        jobs = [
            test_job(source.path, source, seconds=file_seconds, each=each, **options)
            for source, options in left.items()
        ]
        sitting = session.run(jobs, seconds - spent)
        spent += sitting.result.wall_s
        again: dict[Source, dict[str, Any]] = {}
        for source, options in left.items():
            result = sitting.results.get(source.path)
            if result is None:
                continue
            runs = _runs(source, result, reacher, sitting)
            found += runs
            if more := _again(result, runs, options):
                again[source] = more
        left = again
    return found


def _runs(source: Source, result: JobResult, reacher: Reacher, sitting: Sitting) -> list[TestRun]:
    runs = []
    open_test = ""
    for event in result.events:
        if event.get("event") == "start":
            open_test = str(event.get("test"))
        elif event.get("event") == "end":
            outcome = "timeout" if event.get("limit") else str(event.get("outcome"))
            units = reacher.units(event.get("reach") or ())
            seconds = float(event.get("seconds") or 0)
            raised = raised_of(event.get("raised"))
            runs.append(TestRun(str(event.get("test")), source, outcome, seconds, units, raised, sitting))
            open_test = ""
    if open_test:
        outcome = "timeout" if result.ended == "timeout" else "died"
        runs.append(TestRun(open_test, source, outcome, result.seconds, frozenset(), None, sitting))
    return runs


def _again(result: JobResult, runs: list[TestRun], options: dict[str, Any]) -> dict[str, Any] | None:
    """Options for another round: past the test that stopped this one, or without the repository's configuration."""
    if result.ended in {"timeout", "died"} and runs:
        return {**options, "skip": [*options["skip"], *(run.id for run in runs)]}
    refused = any(event.get("code") in (3, 4) for event in result.of("pytest"))
    if refused and not runs and options.get("ini") is not False:
        return {**options, "ini": False}
    return None

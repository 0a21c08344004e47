"""Runs a repository's tests once, traced, and tells which units each one reaches."""

import logging
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from signal import SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV
from typing import Any

from agents.code.mutants import Raised, classify
from agents.code.verify.durations import Durations
from agents.code.verify.session import Session, raised_of
from agents.execution.harness import BatchRun, Job, JobResult
from agents.execution.sandbox import LimitName
from kg.models.code import CodeUnit
from kg.models.execution import TestKind

__all__ = ["Reacher", "Source", "TestRun", "changed", "options", "passing", "run_file", "run_tests"]

_LOG = logging.getLogger(__name__)

ROUNDS = 3
"""Times that the rest of a file is taken up again after a test that hangs or ends the process."""
SPENT = 0.9
"""Part of a limit of processor time that a test which it has ended must have used: others only waited."""
STARTING = 30.0
"""Seconds that a file may take beside its tests: imports, collection."""
LOADING = ""
"""Stands among the tests of a file for what comes before them, where that had not ended in time."""
LONGER, LEAST_LONGER = 4.0, 1.5
"""Times that a test which needed more processor time than a test may have gets when it is run again, if there is as
much time left, and at least: with less it is not."""
_WHOLE = {"script", "file"}
_FAULTS = {-SIGABRT, -SIGBUS, -SIGFPE, -SIGILL, -SIGSEGV}
"""How a process ends whose libraries don't fit each other, or the machine."""


@dataclass(frozen=True)
class Source:
    """A place of tests: its path below ``/work``, the pytest arguments that collect it, and the kind of its tests.

    `ini` and `conftest` say whether the repository's pytest configuration and its conftest files are used.
    """

    path: str
    kind: TestKind = "repository"
    arguments: tuple[str, ...] = ()
    ini: bool = True
    conftest: bool = True


@dataclass(frozen=True)
class TestRun:
    """One test: `outcome` "passed", "failed", "error", "skipped", "timeout" or "died".

    `seconds` are of the processor, `units` the ids of the units that it called, `last` that of the one that ended the
    process, with a `fault` if machine code did, `batch` is the sandbox run in which it ran. What a limit of the sandbox
    ended is told as one run of the whole file, with the `limit`. `hidden` says that its failing was hidden from pytest,
    `denies` that it is expected to fail, and an assertion of it did, `skipped_in` which file skipped it. `since_begin`
    are the seconds of all tests that its process had run by its end: alone it may take as long, as what is compiled at
    its first call, or read and kept, may have been by an earlier one.
    """

    id: str
    source: Source
    outcome: str
    seconds: float
    units: frozenset[str]
    raised: Raised | None = None
    last: str = ""
    hidden: bool = False
    denies: bool = False
    skipped_in: str = ""
    limit: LimitName | None = None
    fault: bool = False
    since_begin: float = 0.0
    batch: BatchRun | None = field(default=None, compare=False, repr=False)

    @property
    def unit(self) -> str:
        """The id of the test as a unit of the repository, without its parameters."""
        path, *names = self.id.partition("[")[0].split("::")
        return f"{path}#{'.'.join(names)}"

    @property
    def ended(self) -> bool:
        """Whether it came to an end of its own."""
        return self.outcome not in {"timeout", "died"}

    def slow_for(self, limit: float) -> bool:
        """Whether it had used up this limit of processor time, and so did more than wait."""
        return self.outcome == "timeout" and self.seconds >= SPENT * limit > 0

    @property
    def curable(self) -> bool:
        """Whether it failed in a way that other versions of libraries might mend."""
        if self.outcome not in {"failed", "error"}:
            return self.fault
        kinds = {"missing module", "version conflict", "syntax", "assertion", "other error"}
        return self.raised is None or classify(self.raised).kind in kinds


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


def options(sources: Iterable[Source]) -> dict[str, Any]:
    """What a job needs to collect `sources` together."""
    listed = list(dict.fromkeys(sources))
    arguments = list(dict.fromkeys(part for source in listed for part in source.arguments))
    if not all(source.conftest for source in listed):
        arguments.insert(0, "--noconftest")
    paths = list(dict.fromkeys(source.path for source in listed))
    return {"args": arguments, "paths": paths, "ini": all(source.ini for source in listed)}


def _job(source: Source, skip: Sequence[str], seconds: float, each: float, only: Sequence[str] | None = None) -> Job:
    asked = {"each": each, "trace": True, "skip": list(skip), "only": list(only) if only else None}
    return Job(source.path, "tests", seconds, {**options([source]), **asked})


def run_tests(
    session: Session, sources: Sequence[Source], reacher: Reacher, durations: Durations, *, seconds: float,
    each: float, parts: int,
) -> list[TestRun]:  # fmt: skip
    """Every test of `sources` within `seconds`, one child a file, which gets one of `parts` parts of these.

    A file is taken up again after a test that hangs or ends the process; one whose configuration pytest refuses is run
    without it.

    `durations` plans it: files that are known to take long get their time, and come last where there is not time enough
    for all, as do such as could not be loaded in time. A test that needs more than `each` seconds is
    run again with a longer limit, if there is time left.
    """
    found: list[TestRun] = []
    known = {source: durations.together(source.path) for source in sources}
    hang = {source for source in sources if durations.endless(source.path, LOADING)}
    long = sum(known.values()) > seconds
    sources = sorted(sources, key=lambda source: (source in hang, known[source] if long else 0.0))
    left: dict[Source, list[str]] = {source: [] for source in sources}
    limits = {source: max(each, 2 * durations.slowest(source.path)) for source in sources}
    spent = 0.0
    for _ in range(ROUNDS):
        if not left or spent >= seconds:
            break
        jobs = [
            _job(source, skip, max(seconds / parts, 2 * known.get(source, 0.0)), limits.get(source, each))
            for source, skip in left.items()
        ]
        batch = session.run(jobs, seconds - spent)
        spent += batch.wall_s
        again: dict[Source, list[str]] = {}
        for source, skip in left.items():
            result = batch.results.get(source.path)
            if result is None:
                continue
            runs = _runs(source, result, reacher, batch)
            found += runs
            _tell(source, result, runs)
            if runs or result.ended == "timeout":
                durations.note(source.path, {LOADING: 0.0 if runs else None})
            if result.ended in {"timeout", "died"} and runs:
                again[source] = [*skip, *(run.id for run in runs)]
            elif not runs and any(event.get("code") in (3, 4) for event in result.of("pytest")):
                again[replace(source, ini=False, conftest=source.ini)] = skip
        left = again
    found = _patiently(session, found, reacher, durations, limits, seconds - spent)
    for source in sources:
        durations.note(source.path, {run.id: run.seconds for run in found if run.source == source and run.ended})
    return found


def _tell(source: Source, result: JobResult, runs: Sequence[TestRun]) -> None:
    """Log what a file has cost, if it did not come to its end."""
    if result.ended != "finished" and result.ran:
        why, where = result.limit or result.ended, runs[-1].id if runs else "while it was loaded"
        _LOG.info("%s: ended after %.0f s (%s): %s", source.path.removeprefix("repo/"), result.seconds, why, where)


def run_file(
    session: Session, source: Source, reacher: Reacher, *, seconds: float, each: float
) -> tuple[list[TestRun], BatchRun]:
    """The tests of one file, run once, and the run."""
    batch = session.run([_job(source, (), seconds, each)], seconds)
    result = batch.results.get(source.path)
    return (_runs(source, result, reacher, batch) if result else []), batch


def changed(
    session: Session, tests: Mapping[Source, Collection[TestRun]], path: str, text: str, each: float
) -> Iterator[JobResult]:
    """The `tests` of files, all of one without runs, with another `text` in the place of the file at `path`."""
    for source, runs in tests.items():
        seconds = 60 + 4 * sum(run.seconds for run in runs)
        asked = {**options([source]), "each": each, "only": [run.id for run in runs] or None}
        job = Job("changed", "tests", seconds, {**asked, "mutate": {"path": path, "text": text}})
        yield session.run([job], seconds).results["changed"]


def _patiently(
    session: Session, runs: list[TestRun], reacher: Reacher, durations: Durations, limits: Mapping[Source, float],
    seconds: float,
) -> list[TestRun]:  # fmt: skip
    """The same, with those tests run again within `seconds` that had used up the limits of their files."""
    slow: dict[Source, list[str]] = defaultdict(list)
    for run in runs:
        if run.slow_for(limits.get(run.source, 0.0)) and not durations.endless(run.source.path, run.id):
            slow[run.source].append(run.id)
    times = min(LONGER, seconds / max((limits[source] for source in slow), default=float("inf")))
    if times < LEAST_LONGER:
        return runs
    jobs = [
        _job(source, (), STARTING + 2 * times * limits[source] * len(ids), times * limits[source], ids)
        for source, ids in slow.items()
    ]
    batch = session.run(jobs, seconds)
    again: dict[tuple[Source, str], TestRun] = {}
    for source in slow:
        if (result := batch.results.get(source.path)) and result.ran:
            again |= {(source, run.id): run for run in _runs(source, result, reacher, batch)}
            endless = [run.id for run in again.values() if run.source == source and run.outcome == "timeout"]
            durations.note(source.path, dict.fromkeys(endless) if times == LONGER else {})
    return [again.get((run.source, run.id), run) for run in runs]


_SKIPPED = re.compile(r"\('(?:.*/repo/)?([^']+)', \d+, ")
"""What pytest says of a test that was skipped: where."""


def passing(result: JobResult) -> set[str]:
    """Ids of the tests that passed in a job, as all that it reported of them says."""
    if result.ended not in {"finished", "timeout", "died", "cut"}:
        return set()
    raised = {str(event.get("test")) for event in result.of("raised")}
    ends = (event for event in result.of("end") if event.get("outcome") == "passed" and not event.get("limit"))
    return {str(event.get("test")) for event in ends if event.get("ran") is not False} - raised


def _runs(source: Source, result: JobResult, reacher: Reacher, batch: BatchRun) -> list[TestRun]:
    runs = []
    open_test, last, called, spent = "", "", list[Any](), 0.0
    failed = {str(event.get("test")): event.get("raised") for event in result.of("raised")}
    for event in result.events:
        if event.get("event") == "start":
            open_test, called = str(event.get("test")), []
        elif event.get("event") == "called":
            called.append(event.get("at"))
        elif event.get("event") == "exit":
            last = next(iter(reacher.units([event.get("at")])), "")
        elif event.get("event") == "end":
            test = str(event.get("test"))
            outcome = "timeout" if event.get("limit") else str(event.get("outcome"))
            hidden = outcome == "passed" and (test in failed or event.get("ran") is False)
            outcome = "failed" if hidden else outcome
            units = reacher.units(event.get("reach") or ())
            seconds = float(event.get("seconds") or 0)
            spent += seconds
            raised = raised_of(event.get("raised") or failed.get(test))
            run = TestRun(test, source, outcome, seconds, units, raised, hidden=hidden, batch=batch)
            if outcome == "skipped":
                where = _SKIPPED.match(str(event.get("why", "")))
                run = replace(run, denies=bool(event.get("denies")), skipped_in=where[1] if where else "")
            runs.append(replace(run, since_begin=spent))
            open_test = ""
    if open_test:
        outcome = "timeout" if result.ended in {"timeout", "cut"} else "died"
        fault = outcome == "died" and result.status in _FAULTS
        units = reacher.units(called)
        runs.append(TestRun(open_test, source, outcome, result.seconds, units, None, last, fault=fault, batch=batch))
    elif result.ended == "lost":
        path = source.path.removeprefix("repo/")
        runs.append(TestRun(path, source, "died", result.seconds, frozenset(), limit=result.limit, batch=batch))
    return runs

"""Holds tests against mutants of what they test: how many do they notice, and how, and is that enough?"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Literal

from agents.code.mutants import Mutant, mutants
from agents.code.verify.running import TestRun, options
from agents.code.verify.session import Session
from agents.execution.harness import BatchRun, Job, JobResult
from kg.models.code import CodeUnit

__all__ = ["Noticed", "Weakness", "WeighedTests", "Weight", "nearest", "noticed", "weakness", "weigh", "weight_of"]

TESTS = 12
MIN_MUTANTS = 4
"""A verdict on fewer mutants that could be tried would be a verdict on luck, unless the unit has no more of them."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ASSERTIONS = {"AssertionError", "Failed", "DocTestFailure"}


class Noticed(StrEnum):
    """How a test noticed a mutant, if it did."""

    NOT = "not"
    ASSERTION = "assertion"
    CRASH = "crash"
    TIMEOUT = "timeout"


def noticed(result: JobResult) -> Noticed:
    """How the tests of a job, or the test of a script, noticed the mutant that the job was run on."""
    if result.ended == "lost":
        return Noticed.NOT  # nobody knows why it ended
    if any(event.get("check") for event in result.of("script")):
        return Noticed.ASSERTION
    bad = [event for event in result.of("end") if event.get("limit") or event.get("outcome") in {"failed", "error"}]
    types = [set((event.get("raised") or {}).get("types") or ()) for event in bad if not event.get("limit")]
    if any(names & _ASSERTIONS for names in types):
        return Noticed.ASSERTION
    if bad and types:
        return Noticed.CRASH
    if bad or result.ended == "timeout":
        return Noticed.TIMEOUT
    unwell = result.ended == "died" or result.status != 0 or result.of("collect")
    return Noticed.CRASH if unwell else Noticed.NOT


@dataclass(frozen=True)
class Weight:
    """How tests stood the mutants: those that were tried, and `untried` ones that were left out for lack of time."""

    tried: Mapping[Mutant, Noticed]
    untried: int = 0

    @property
    def mutants(self) -> int:
        """How many were tried."""
        return len(self.tried)

    @property
    def killed(self) -> int:
        """How many of them were noticed."""
        return sum(how != Noticed.NOT for how in self.tried.values())

    @property
    def by_assertion(self) -> int:
        """How many of them by an assertion."""
        return sum(how == Noticed.ASSERTION for how in self.tried.values())

    @property
    def share(self) -> float:
        """Of the mutants that were tried, those that were noticed."""
        return self.killed / self.mutants if self.mutants else 0.0

    @property
    def survivors(self) -> tuple[str, ...]:
        """Descriptions of those that nobody noticed, by line."""
        left = (mutant for mutant, how in self.tried.items() if how == Noticed.NOT)
        return tuple(mutant.description for mutant in sorted(left, key=lambda m: (m.line, m.description)))


Weakness = Literal["no mutants", "too little time", "too few killed", "no assertion", "too few by assertions"]


def weakness(weight: Weight, share: float, *, imported: bool = False) -> Weakness | None:
    """Why a test does not do, None if it does: the one rule for "tested well enough".

    It must notice `share` of the mutants, and one of them by an assertion. Nobody knows who wrote the test of an
    `imported` block, or to what end: all of its mutants must have been tried, and its assertions must notice `share` of
    those that do not crash by themselves.
    """
    crashed = weight.killed - weight.by_assertion
    found: tuple[tuple[bool, Weakness], ...] = (
        (bool(weight.untried) and (imported or weight.mutants < MIN_MUTANTS), "too little time"),
        (weight.mutants == 0, "no mutants"),
        (weight.killed < share * weight.mutants, "too few killed"),
        (weight.by_assertion == 0, "no assertion"),
        (imported and weight.by_assertion < share * (weight.mutants - crashed), "too few by assertions"),
    )
    return next((why for holds, why in found if holds), None)


@dataclass(frozen=True)
class WeighedTests:
    """The ids of `tests` that pass twice without a mutant, what they notice, and the sandbox run that showed it."""

    tests: tuple[str, ...]
    weight: Weight
    batch: BatchRun


def nearest(unit: CodeUnit, runs: Iterable[TestRun], seconds: float) -> list[TestRun]:
    """The tests to weigh: passing ones that reach the unit, those about it first, within `seconds` together.

    A test is about a unit when its name shares words with the unit's, the rarer the better, and the more so the fewer
    other units it calls: the quickest are often smoke tests, which notice little. Of a class, what calls methods that
    no other chosen test calls comes first.
    """
    passed = [run for run in runs if run.outcome == "passed"]
    common = Counter(word for run in passed for word in _words(run.id))
    mine = _words(f"{unit.symbol} {PurePosixPath(unit.file).stem}")

    def distance(run: TestRun) -> tuple[float, int, float, str]:
        return (-sum(1 / common[word] for word in _words(run.id) & mine), len(run.units), run.seconds, run.id)

    chosen: list[TestRun] = []
    spent, covered = 0.0, set[str]()
    left = sorted((run for run in passed if unit.id in run.units), key=distance)
    while left and len(chosen) < TESTS:
        run = max(left, key=lambda run: len(_members(unit, run) - covered))
        left.remove(run)
        if not chosen or spent + run.seconds <= seconds:
            chosen.append(run)
            spent += run.seconds
            covered |= _members(unit, run)
    return chosen


def _members(unit: CodeUnit, run: TestRun) -> set[str]:
    """The methods of a class that a test calls."""
    return {other for other in run.units if other.startswith(f"{unit.id}.")}


def _words(name: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(name) if len(word) > 2}


def weigh(
    session: Session, unit: CodeUnit, text: str, tests: Sequence[TestRun], *, seconds: float, each: float, limit: int
) -> WeighedTests:
    """Run `tests` twice on the code as it is, then on each mutant of `unit` in its file `text`.

    Tests that don't pass both times are flaky; if any are, the others are weighed once more alone.
    """
    changes = mutants(text, (unit.line, unit.end_line), limit)
    ordered = [changes[i] for i in sorted(range(len(changes)), key=lambda i: (i % 4, i))]
    batch = _run_once(session, unit, tests, ordered, seconds, each)
    passing = _passing(batch, tests)
    if passing and len(passing) < len(tests):
        tests = [run for run in tests if run.id in passing]
        batch = _run_once(session, unit, tests, ordered, seconds, each)
        passing = _passing(batch, tests)
    return WeighedTests(tuple(run.id for run in tests if run.id in passing), weight_of(ordered, batch), batch)


def weight_of(changes: Sequence[Mutant], batch: BatchRun) -> Weight:
    """How the tests of `batch` stood `changes`; one whose run is lost is not noticed, unless a limit ended them all."""
    untried = {"skipped", "lost"} if batch.result.limit else {"skipped"}
    results = [(mutant, batch.results.get(f"mutant {i}")) for i, mutant in enumerate(changes)]
    tried = {mutant: noticed(result) for mutant, result in results if result and result.ended not in untried}
    return Weight(tried, len(changes) - len(tried))


def _run_once(
    session: Session, unit: CodeUnit, tests: Sequence[TestRun], changes: Sequence[Mutant], seconds: float, each: float
) -> BatchRun:
    per_run = min(seconds / 2, 4 * sum(run.seconds for run in tests) + 30)
    jobs = [_job(f"unchanged {i}", tests, per_run, each) for i in (1, 2)]
    before = ("unchanged 1", "unchanged 2")
    for number, mutant in enumerate(changes):
        change = {"path": f"repo/{unit.file}", "text": mutant.text}
        quick = max(5.0, 5 * max(run.seconds for run in tests))
        jobs.append(
            _job(
                f"mutant {number}",
                tests,
                per_run,
                min(each, quick),
                mutate=change,
                stop=sorted(_ASSERTIONS),
                requires=before,
            )
        )
    return session.run(jobs, seconds)


def _job(name: str, tests: Sequence[TestRun], seconds: float, each: float, **more: object) -> Job:
    only = [run.id for run in tests]
    return Job(name, "tests", seconds, {**options(run.source for run in tests), "each": each, "only": only, **more})


def _passing(batch: BatchRun, tests: Sequence[TestRun]) -> set[str]:
    """Tests that passed both times on the code as it is."""
    passed = {run.id for run in tests}
    for name in ("unchanged 1", "unchanged 2"):
        result = batch.results.get(name)
        ends = result.of("end") if result else []
        passed &= {
            str(event.get("test")) for event in ends if event.get("outcome") == "passed" and not event.get("limit")
        }
    return passed

"""Holds a unit's tests against mutants of the unit: how many do they notice, and how?"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from agents.code.mutants import Mutant, mutants
from agents.code.verify.running import TestRun, options
from agents.code.verify.session import Job, JobResult, Session, Sitting
from kg.models.code import CodeUnit

__all__ = ["Weight", "nearest", "weigh"]

TESTS = 12
MIN_MUTANTS = 4
"""A verdict on fewer mutants that could be tried would be a verdict on luck, unless the unit has no more of them."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ASSERTIONS = {"AssertionError", "Failed", "DocTestFailure"}


@dataclass(frozen=True)
class Weight:
    """What the mutation check found. `tests` are the ids that pass twice without a mutant, `flaky` those that don't;
    `untried` mutants were left out for lack of time; `sitting` is the sandbox run it rests on."""

    tests: tuple[str, ...]
    flaky: tuple[str, ...]
    mutants: int
    killed: int
    by_assertion: int
    survivors: tuple[str, ...]
    untried: int
    sitting: Sitting

    @property
    def share(self) -> float:
        """Of the mutants that were tried, those that were noticed."""
        return self.killed / self.mutants if self.mutants else 0.0


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
) -> Weight:
    """Run `tests` twice on the code as it is, then on each mutant of `unit` in its file `text`.

    Tests that don't pass both times are flaky; if any do not, the others are weighed once more alone.
    """
    changes = mutants(text, (unit.line, unit.end_line), limit)
    ordered = [changes[i] for i in sorted(range(len(changes)), key=lambda i: (i % 4, i))]
    sitting = _sit(session, unit, tests, ordered, seconds, each)
    passing = _passing(sitting, tests)
    flaky = [run for run in tests if run.id not in passing]
    if flaky and passing:
        tests = [run for run in tests if run.id in passing]
        sitting = _sit(session, unit, tests, ordered, seconds, each)
        passing = _passing(sitting, tests)
    results = [sitting.results.get(f"mutant {i}") for i in range(len(ordered))]
    tried = [(m, r) for m, r in zip(ordered, results, strict=True) if r and r.ended not in {"skipped", "lost"}]
    noticed = {m: _noticed(r) for m, r in tried}
    return Weight(
        tests=tuple(run.id for run in tests if run.id in passing),
        flaky=tuple(run.id for run in flaky),
        mutants=len(tried),
        killed=sum(bool(how) for how in noticed.values()),
        by_assertion=sum(how == "assertion" for how in noticed.values()),
        survivors=tuple(sorted((m.description for m, how in noticed.items() if not how), key=_by_line)),
        untried=len(ordered) - len(tried),
        sitting=sitting,
    )


def _by_line(description: str) -> tuple[int, str]:
    return int(description.split()[1].rstrip(":")), description


def _sit(
    session: Session, unit: CodeUnit, tests: Sequence[TestRun], changes: Sequence[Mutant], seconds: float, each: float
) -> Sitting:
    own = sum(run.seconds for run in tests)
    per_run = min(seconds / 2, 4 * own + 30)
    jobs = [_job(f"unchanged {i}", tests, per_run, each) for i in (1, 2)]
    before = ("unchanged 1", "unchanged 2")
    for number, mutant in enumerate(changes):
        change = {"path": unit.file, "text": mutant.text}
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
    return Job(name, "pytest", seconds, {**options(run.source for run in tests), "each": each, "only": only, **more})


def _passing(sitting: Sitting, tests: Sequence[TestRun]) -> set[str]:
    """Tests that passed both times on the code as it is."""
    passed = {run.id for run in tests}
    for name in ("unchanged 1", "unchanged 2"):
        result = sitting.results.get(name)
        ends = result.of("end") if result else []
        passed &= {
            str(event.get("test")) for event in ends if event.get("outcome") == "passed" and not event.get("limit")
        }
    return passed


def _noticed(result: JobResult) -> str:
    """How the tests noticed a mutant: "assertion", "crash", "timeout", or "" if they did not."""
    bad = [event for event in result.of("end") if event.get("limit") or event.get("outcome") in {"failed", "error"}]
    types = [set((event.get("raised") or {}).get("types") or ()) for event in bad if not event.get("limit")]
    if any(names & _ASSERTIONS for names in types):
        return "assertion"
    if bad:
        return "crash" if types else "timeout"
    if result.ended == "timeout":
        return "timeout"
    if result.ended == "died" or result.of("collect"):
        return "crash"
    return ""

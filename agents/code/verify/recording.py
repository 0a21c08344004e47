"""Calls of units, recorded while programs of the repository run in the sandbox: its tests, its scripts."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from agents.code.verify.running import Source, TestRun, options
from agents.code.verify.session import Job, Session
from kg.models.code import CodeUnit

__all__ = ["Call", "record_calls"]

MOST = 6
"""Calls that are kept of a unit."""
LONGEST = 100_000
"""Characters of a call."""
PROGRAMS = 12
"""Programs that are run for their calls at most."""
_SHOWN = re.compile(r"[^\x20-\x7e]+")


@dataclass(frozen=True)
class Call:
    """The pickled positional arguments of a call (base64), as they look, and the program that made it."""

    data: str
    shown: str
    seen_in: str


def record_calls(
    session: Session, units: Sequence[CodeUnit], runs: Iterable[TestRun], programs: Mapping[Source, str], *,
    seconds: float, each: float,
) -> dict[str, list[Call]]:  # fmt: skip
    """Calls of `units` by their ids, from the tests that are known to reach them, whatever came of these, and from
    `programs`, which are known by their files. A program that fails later has made its calls before."""
    wanted = [[unit.file, unit.line, unit.end_line, unit.name, unit.id] for unit in units]
    jobs = [*_tests({unit.id for unit in units}, runs), *((source, []) for source in islice(programs, PROGRAMS))]
    if not wanted or not jobs:
        return {}
    sitting = session.run([_job(source, only, wanted, seconds / 4, each) for source, only in jobs], seconds)
    known = {unit.id for unit in units}
    found: dict[str, dict[str, Call]] = {}
    for source, _ in jobs:
        result = sitting.results.get(source.path)
        seen_in = programs.get(source, source.path.removeprefix("repo/"))
        for event in result.of("call") if result else ():
            unit, data = str(event.get("unit")), str(event.get("call"))
            calls = found.setdefault(unit, {})
            if unit in known and len(calls) < MOST and len(data) <= LONGEST:
                calls.setdefault(data, Call(data, _SHOWN.sub(" ", str(event.get("shown")))[:200], seen_in))
    return {unit: list(calls.values()) for unit, calls in found.items() if unit in known}


def _tests(units: set[str], runs: Iterable[TestRun]) -> Iterable[tuple[Source, list[str]]]:
    """The tests that reach a unit, by file; three of each outcome are enough for one unit."""
    chosen: dict[Source, list[str]] = {}
    counts: dict[tuple[str, str], int] = {}
    for run in sorted(runs, key=lambda run: (run.seconds, run.id)):
        for unit in sorted(run.units & units):
            counts[unit, run.outcome] = counts.get((unit, run.outcome), 0) + 1
            if counts[unit, run.outcome] <= 3 and run.id not in chosen.setdefault(run.source, []):
                chosen[run.source].append(run.id)
    return [(source, only) for source, only in chosen.items() if only]


def _job(
    source: Source,
    only: Sequence[str],
    wanted: Sequence[Mapping[str, object] | list[object]],
    seconds: float,
    each: float,
) -> Job:
    given = {**options([source]), "each": each, "trace": True, "record": wanted, **({"only": only} if only else {})}
    return Job(source.path, "pytest", seconds, given)

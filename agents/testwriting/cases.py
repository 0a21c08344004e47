"""Cases of a unit that no written test runs: a test that stays away from one shows nothing of it."""

import re
from collections.abc import Collection, Iterable

from agents.code.verify.running import Source, TestRun, changed, passing
from agents.code.verify.statements import Place, Statements
from agents.code.verify.unit_verdicts import UnitVerdicts
from kg.models.code import CodeUnit

__all__ = ["Untold", "cases_told", "unrun"]


class Untold(Exception):
    """Nobody can tell which cases of a unit were run; its words say why."""


def unrun(unit: CodeUnit, verdicts: UnitVerdicts, source: Source, holding: Collection[TestRun]) -> tuple[Place, ...]:
    """What of `unit` no test of `source` runs, of those that are `holding`, by line: statements, parts of expressions,
    and the case that a condition does not hold; but not what refuses, logs or catches, and nothing of methods that no
    test calls. Raises Untold."""
    session, each = verdicts.prepared.session, verdicts.settings.verify.test_seconds
    if session is None:
        raise ValueError("no tests run without an environment")
    try:
        marked = Statements(verdicts.text(unit.file), lines=range(unit.line, unit.end_line + 1))
    except RecursionError:
        raise Untold("it is too deep for it to be told which of its cases were run") from None
    passed = set[str]()
    for result in changed(session, {source: holding}, f"repo/{unit.file}", marked.text, each):
        passed |= passing(result)
        for event in result.of("marks"):
            marked.took(event.get("marks"))
    if not {run.id for run in holding} <= passed or (marked.wanted and not marked.wanted & marked.passed):
        raise Untold("its tests do not pass, or run nothing of it, where it is watched which of its cases are run")
    return tuple(sorted(marked.left, key=lambda place: place.line))


def cases_told(places: Iterable[Place], known: str) -> list[str]:
    """Each as a model may be told it: the line, and which of the names in what is `known` to it decide about it."""
    words, found = {*re.findall(r"\w+", known)}, list[str]()
    for place in places:
        names = ", ".join(name for name in place.decide if name in words)
        what = "the case that a condition does not hold" if place.otherwise else "a case"
        found.append(f"line {place.line}: {what} that no test runs{f', decided by {names}' if names else ''}")
    return list(dict.fromkeys(found))

"""Whether and how tests noticed what was done to a unit: what counts as noticing, and what does not."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from agents.code.mutants import Raised
from agents.code.units.roles import file_role
from agents.code.verify.session import raised_of
from agents.execution.harness import JobResult
from kg.models.code import CodeUnit

__all__ = ["ASSERTIONS", "Attribution", "Notice", "Noticed", "noticed"]

ASSERTIONS = {"AssertionError", "Failed", "DocTestFailure"}
_TAKEN_AWAY = {"NameError", "UnboundLocalError", "AttributeError"}
"""What a dropped statement raises by itself, wherever its name is used next."""
_CHECKS = ("assert", "check", "verify", "expect")
"""Beginnings of the names of functions that tests call to assert."""


class Noticed(StrEnum):
    """How a test noticed a change, if it did. A "void" one crashed by the name that the change itself took away: that
    tells nothing of the test."""

    NOT = "not"
    ASSERTION = "assertion"
    CRASH = "crash"
    TIMEOUT = "timeout"
    VOID = "void"


@dataclass(frozen=True)
class Notice:
    """How a change was noticed, by which `test`, and where (``path:line``) with what message."""

    how: Noticed
    test: str = ""
    place: str = ""
    message: str = ""


NOT_NOTICED = Notice(Noticed.NOT)


class Attribution:
    """Tells a test's own assertions from those of the code that it tests.

    `unit` is what is tested, `members` are the names of its functions, `sources` the paths of the tests below
    ``/work``.
    """

    def __init__(self, unit: CodeUnit, members: Iterable[str], sources: Iterable[str]) -> None:
        self.file, self.members, self.sources = f"repo/{unit.file}", frozenset(members), frozenset(sources)

    def asserts(self, raised: Raised) -> bool:
        """Whether an assertion error is the test's: its last frame of the repository's files is in a test.

        One that the unit raises, or what the unit calls, is not.
        """
        places = [(file.removeprefix("/work/"), name) for file, _, name in raised.frames if _is_ours(file)]
        if not places:
            return True
        path, name = places[-1]
        within = any(place == self.file and function in self.members for place, function in places)
        if path != self.file and self._is_test(path):
            return True
        if within:
            return False
        replayed = len(places) > 1 and not places[0][0].startswith("repo/") and places[1][0] == path
        if replayed or path == self.file:
            return replayed or name.startswith("test") or path in self.sources
        called_by_test = len(places) > 1 and self._is_test(places[-2][0])
        return called_by_test and name.lower().lstrip("_").startswith(_CHECKS)

    def _is_test(self, path: str) -> bool:
        in_repository = path.startswith("repo/") and file_role(path.removeprefix("repo/"), b"") == "test"
        return in_repository or path in self.sources or not path.startswith("repo/") or path.endswith("conftest.py")


def _is_ours(file: str) -> bool:
    return file.startswith(("/work/repo/", "/work/tau/", "<doctest")) or file == "README"


def noticed(
    result: JobResult, asserts: Callable[[Raised], bool] = lambda _: True, *, taken_away: bool = False
) -> Notice:
    """How the tests of a job, or the test of a script, noticed what the job was run on.

    `asserts` says whether an assertion error is the test's own; `taken_away` that a statement was dropped. A run whose
    end nobody knows, or whose reports something else wrote, has noticed nothing.
    """
    if result.ended in {"lost", "forged"}:
        return Notice(Noticed.TIMEOUT, message=f"the limit of {result.limit}") if result.limit else NOT_NOTICED
    if any(event.get("check") for event in result.of("script")):
        return Notice(Noticed.ASSERTION)
    ends = [event for event in result.of("end") if event.get("limit") or event.get("outcome") in {"failed", "error"}]
    ends = ends or result.of("raised")
    # Where a test was begun, what can't be collected stood beside it, and may do so without any change as well.
    unloaded = () if result.of("start") else result.of("collect")
    found = [_of_event(event, asserts, taken_away) for event in (*ends, *unloaded)]
    for how in (Noticed.ASSERTION, Noticed.CRASH, Noticed.TIMEOUT, Noticed.VOID):
        if first := next((notice for notice in found if notice.how == how), None):
            return first
    if found:
        return found[0]
    if result.ended == "timeout":
        return Notice(Noticed.TIMEOUT, _open_test(result))
    unwell = result.ended == "died" or result.status != 0
    return Notice(Noticed.CRASH, _open_test(result)) if unwell else NOT_NOTICED


def _of_event(event: dict[str, object], asserts: Callable[[Raised], bool], taken_away: bool) -> Notice:
    test = str(event.get("test", ""))
    if event.get("limit"):
        return Notice(Noticed.TIMEOUT, test)
    raised = raised_of(event.get("raised"))
    if raised is None:
        return Notice(Noticed.CRASH, test)
    file, line, _ = next((frame for frame in reversed(raised.frames) if _is_ours(frame[0])), ("", 0, ""))
    place = f"{file.removeprefix('/work/').removeprefix('repo/')}:{line}" if file else ""
    message = f"{raised.types[0]}: {' '.join(raised.message.split())[:200]}".removesuffix(": ")
    how = Noticed.CRASH
    if ASSERTIONS & set(raised.types):
        how = Noticed.ASSERTION if asserts(raised) else Noticed.NOT
    elif taken_away and _TAKEN_AWAY & set(raised.types):
        how = Noticed.VOID
    return Notice(how, test, place, message)


def _open_test(result: JobResult) -> str:
    """The test that had begun and has not ended."""
    open_test = ""
    for event in result.events:
        if event.get("event") in {"start", "end"}:
            open_test = str(event.get("test", "")) if event["event"] == "start" else ""
    return open_test

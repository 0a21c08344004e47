"""Runs tests with pytest in the job's child and reports each one. Standard library and pytest, Python 3.6 or later."""

import doctest
import inspect
import os
import posix
import re
import signal
import sys
import time
import types
from collections.abc import Callable
from typing import Any

from .comparing import misjudges, misjudging
from .origins import loaded
from .ownership import OWN
from .reach import Reach
from .records import Events
from .settings import SETTINGS

_leave = os._exit


class TimeLimit(BaseException):
    """A test used more processor time than a test may."""


class Recorder:
    """The pytest plugin: one `start` and one `end` event a test, and one `collect` for what can't be collected."""

    def __init__(self, job: "dict[str, Any]", repository: str, events: Events) -> None:
        self.events = events
        self.fail = bool(job.get("fail"))
        self.each = float(job["each"])
        self.only = job.get("only")
        self.aside = {} if job.get("aside") else None  # type: dict[str, Any] | None
        self.skip = set(job.get("skip") or ())
        self.reach = Reach(repository, self.called) if job.get("trace") else None
        self.stop = set(job.get("stop") or ())
        self.session = None  # type: Any
        self.current = {}  # type: dict[str, Any]
        self.codes = {}  # type: dict[str, types.CodeType | None]
        self.expected = None  # type: BaseException | None
        self.begun = 0.0

    def pytest_itemcollected(self, item: "Any") -> None:
        """Keep what the test is, before a hook of the repository puts something else in its place."""
        self.codes[item.nodeid] = code_of(item)
        if self.aside is not None:
            self.aside[item.nodeid] = item

    def pytest_sessionstart(self, session: Any) -> None:
        """Keep what can be told to stop."""
        self.session = session

    def pytest_collection_modifyitems(self, config: "Any", items: "list[Any]") -> None:  # noqa: ARG002
        """Keep the tests that are asked for, in the order they are asked for."""
        by_name = {item.nodeid: item for item in items}
        names = self.only if isinstance(self.only, list) else list(by_name)
        items[:] = [by_name[name] for name in names if name in by_name and name not in self.skip]
        if self.fail:
            for item in items:
                item.runtest = refuse
        if self.reach is None and not self.only:
            return
        self.events.emit({"event": "collected", "count": len(items)})

    def pytest_collection_finish(self, session: "Any") -> None:
        """Keep tests that stand aside, with all their parameters, whatever hooks of the repository left out or skip."""
        if self.aside is not None:
            asked = self.only or ()
            session.items[:] = [item for name, item in self.aside.items() if name.partition("[")[0] in asked]
            for item in session.items:
                item.own_markers[:] = [mark for mark in item.own_markers if mark.name != "skip"]

    def pytest_exception_interact(self, node: "Any", call: "Any", report: Any) -> None:
        """What can't be collected; an import that fails is wrapped by pytest."""
        if getattr(report, "when", None) == "collect":
            error = call.excinfo.value
            if type(error).__name__ == "CollectError" and error.__cause__ is not None:
                error = error.__cause__
            self.events.emit({"event": "collect", "test": node.nodeid, "raised": self.events.raised(error)})

    def pytest_runtest_makereport(self, item: "Any", call: "Any") -> "Any":
        """The exception itself, while it is still one: what hooks of the repository make of it counts less."""
        raised = call.excinfo
        report = (yield).get_result()
        raised = raised or call.excinfo  # that of a unittest is put there late
        error = raised.value if raised is not None else None
        excused = getattr(report, "wasxfail", None) is not None or type(error).__name__ == "Skipped"
        if error is not None and getattr(report, "wasxfail", None) is not None and report.when == "call":
            self.current["denies"] = isinstance(error if self.expected is None else self.expected, AssertionError)
        if error is not None and not excused and "raised" not in self.current:
            self.current["raised"] = record = self.events.raised(error)
            self.events.emit({"event": "raised", "test": item.nodeid, "raised": record})

    pytest_runtest_makereport.pytest_impl = {"hookwrapper": True, "tryfirst": True}  # type: ignore[attr-defined]

    def expecting(self, known: "Callable[..., Any]") -> "Callable[..., Any]":
        """Note what a unittest raised that is expected to fail: its report does not tell."""

        def noted(case: object, raised: "tuple[Any, BaseException, Any]", *more: object) -> "Any":
            self.expected = raised[1]
            return known(case, raised, *more)

        return noted

    def called(self, place: "list[object]") -> None:
        """A function of the repository is called for the first time in this test."""
        self.events.emit({"event": "called", "at": place})

    def pytest_runtest_logstart(self, nodeid: str, location: object) -> None:  # noqa: ARG002 -- pytest's interface
        """Begin a test: its clock, its trace."""
        self.current = {"event": "end", "test": nodeid, "outcome": "passed"}
        self.expected = None
        self.events.emit({"event": "start", "test": nodeid})
        OWN.begin()
        self.begun = time.process_time()
        signal.signal(signal.SIGPROF, self.too_long)
        signal.setitimer(signal.ITIMER_PROF, self.each)
        for owner in (os, posix):
            setattr(owner, "_exit", self.leave)  # noqa: B010 -- what both are declared to have never returns
        if self.reach is not None:
            self.reach.start(self.codes.get(nodeid))

    def pytest_runtest_call(self, item: "Any") -> None:
        """Note what is set around the test, now that it is set up; `setUp` of a unittest is run later."""
        if self.reach is not None:
            self.reach.resume()
        if hasattr(item, "addExpectedFailure"):
            item.addExpectedFailure = self.expecting(item.addExpectedFailure)
        SETTINGS.note()
        module, code = getattr(item, "module", None), self.codes.get(item.nodeid)
        if module is not None:
            OWN.replaced.update(SETTINGS.rewritten(module))
            OWN.replaced.update(misjudging(vars(module), code.co_names if code is not None else (), OWN.in_repository))
        case = getattr(item, "_testcase", None) or getattr(item, "instance", None)
        kind = getattr(sys.modules.get("unittest"), "TestCase", ())
        if isinstance(case, kind) and not inspect.iscoroutinefunction(case.setUp):
            case.setUp = noting(case.setUp)
        if isinstance(case, kind):
            OWN.replaced.update(filter(None, [misjudges(case)]))

    def leave(self, status: int) -> None:
        """Tell who ends the process, and end it."""
        self.events.emit({"event": "exit", "at": self.reach.caller() if self.reach is not None else None})
        _leave(status)

    def too_long(self, number: int, frame: object) -> None:
        """End the running test, once: between tests there is nothing to end."""
        if self.events.writing:
            self.events.put_off = lambda: self.too_long(number, frame)
            return
        if not self.current or "limit" in self.current:
            return
        self.current["limit"] = "timeout"
        raise TimeLimit("more than %g seconds of processor time" % self.each)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Phases of one test become one outcome; expected failures count as skipped."""
        outcome = report.outcome
        if getattr(report, "wasxfail", None) is not None:
            outcome = "skipped"
        elif outcome == "passed" and "raised" in self.current:
            outcome = "failed"
        if outcome == "failed" and report.when != "call":
            outcome = "error"
        if outcome != "passed" and self.current.get("outcome") == "passed":
            self.current["outcome"] = outcome
            if outcome == "skipped":
                self.current["why"] = str(getattr(report, "longrepr", ""))[:300]

    def pytest_runtest_logfinish(self, nodeid: str, location: object) -> None:  # noqa: ARG002 -- pytest's interface
        """End a test and report it."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        if self.reach is not None:
            self.current["reach"] = self.reach.stop()
            if self.current["outcome"] == "passed" and self.codes.get(nodeid) is not None:
                self.current["ran"] = self.reach.returned and not self.reach.unwound
        self.current["seconds"] = round(time.process_time() - self.begun, 4)
        if OWN.replaced:
            self.current["replaced"] = sorted(OWN.replaced)
        if OWN.by_test is not None:
            self.current["set"] = sorted(OWN.by_test)
        if OWN.used:  # a unit is watched
            self.current["origins"], self.current["modules"] = sorted(OWN.origins), loaded(OWN.root)
        if self.stop & set(self.current.get("raised", {}).get("types", ())):
            # Not `shouldstop`: of an interruption pytest shows the source of its own frames, as slow as many a test.
            self.session.shouldfail = "a test has judged"
        self.events.emit(self.current)
        self.current = {}


def noting(set_up: "Callable[[], Any]") -> "Callable[[], Any]":
    """`set_up`, after which it is noted what is set."""

    def noted() -> Any:
        made = set_up()
        SETTINGS.note()
        return made

    return noted


def code_of(item: "Any") -> "types.CodeType | None":
    """The code of a test's function, under all that decorates it; None if it is no plain function."""
    function, seen = getattr(item, "obj", None), 0
    while function is not None and seen < 20:
        inner = getattr(getattr(function, "hypothesis", None), "inner_test", None)
        below = inner or getattr(function, "__wrapped__", None) or getattr(function, "__func__", None)
        if below is None:
            break
        function, seen = below, seen + 1
    code = getattr(function, "__code__", None)
    named = isinstance(code, types.CodeType) and code.co_name == getattr(item, "originalname", item.name)
    return code if named else None


def refuse() -> None:
    """Stands for a test that must fail."""
    raise AssertionError("this test fails")


def calm_hypothesis(examples: int) -> None:
    """Make property tests repeatable, and free of deadlines and of a shrinking that may take for ever."""
    try:
        from hypothesis import HealthCheck, Phase, settings
    except ImportError:
        return
    checks = list(HealthCheck.all()) if sys.version_info < (3, 7) else list(HealthCheck)
    settings.register_profile(
        "xkg",
        deadline=None,
        database=None,
        derandomize=True,
        max_examples=examples,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=checks,
    )
    settings.load_profile("xkg")


def see_through_wrappers() -> None:
    """Let examples be found in the docstring of a wrapped function: its globals are those of another module."""
    plain = doctest.DocTestFinder._from_module  # type: ignore[attr-defined]

    def from_module(finder: Any, module: Any, found: Any) -> bool:
        return bool(plain(finder, module, inspect.unwrap(found) if inspect.isfunction(found) else found))

    doctest.DocTestFinder._from_module = from_module  # type: ignore[attr-defined]


def end_at_fences() -> None:
    """Let what an example shows end where its block of Markdown does: the closing fence is no output."""
    known = doctest.DocTestParser._EXAMPLE_RE  # type: ignore[attr-defined]
    ended = known.pattern.replace("(?![ ]*>>>)", "(?![ ]*(?:>>>|```|~~~))")
    doctest.DocTestParser._EXAMPLE_RE = re.compile(ended, known.flags)  # type: ignore[attr-defined]


def run(job: "dict[str, Any]", work: str, events: Events) -> None:
    """Run the tests of a job. `stop` names exceptions after which the others need not run; `ini` False leaves the
    repository's pytest configuration out."""
    import pytest
    from _pytest.assertion.rewrite import AssertionRewritingHook

    calm_hypothesis(20 if job.get("trace") else 50)
    see_through_wrappers()
    end_at_fences()
    repository = os.path.join(work, "repo")
    os.chdir(repository)
    OWN.install(repository, AssertionRewritingHook)
    arguments = [
        "-p", "no:cacheprovider", "-p", "no:cov", "-p", "no:randomly", "-p", "no:timeout", "-q", "--tb=short", "-rN",
        "--color=no", "-o", "addopts=", "-o", "filterwarnings=", "--continue-on-collection-errors",
    ]  # fmt: skip
    arguments += ["--rootdir", repository]
    if job.get("ini") is False:
        arguments += ["-c", "/dev/null"]
    arguments += [str(part) for part in job.get("args") or ()]
    arguments += [os.path.join(work, path) for path in job["paths"]]
    sys.argv = ["pytest"]
    code = pytest.main(arguments, plugins=[Recorder(job, repository, events)])
    events.emit({"event": "pytest", "code": int(code)})
    values = sys.modules.get("xkg_inside.values")
    if values is not None and values.RECORD.used:
        events.emit(dict(values.report(), event="values"))
    recording = sys.modules.get("xkg_inside.recording")
    if recording is not None:
        events.emit({"event": "recorded", "traces": recording.TRACES})
    marking = sys.modules.get("xkg_inside.marking")
    if marking is not None:
        events.emit({"event": "marks", "marks": marking.taken()})

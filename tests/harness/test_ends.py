"""When a job has come to its end, by what its process says, or has to, by the clock."""

import os
from signal import SIGKILL, SIGPROF

import pytest

from agents.execution.harness.inside import processes
from agents.execution.harness.inside.supervise import came_to_its_end, needed

RUN = ["start a", "end a", "start b", "raised b", "end b", "pytest", "values", "finished"]


def ended(kind: str, *events: str) -> bool:
    told = [dict(zip(("event", "test"), event.split(), strict=False)) for event in events]
    return bool(came_to_its_end({"kind": kind}, told))


def test_whole_runs_have_ended() -> None:
    assert ended("tests", "collected", *RUN)
    assert ended("tests", "collected", "pytest", "finished")
    assert ended("tests", "collect x", "pytest", "finished")
    assert ended("import", "import", "finished")


@pytest.mark.parametrize(
    "events",
    [
        RUN[:-1],
        [*RUN, "finished"],
        [*RUN, "exit"],
        [*RUN, "end a"],
        [*RUN[:5], "finished"],
        [*RUN[:5], "finished", "pytest"],
        [*RUN[:5], "pytest", "pytest", "finished"],
        [*RUN[:4], "pytest", "finished"],
        ["start a", "end a", "end a", "pytest", "finished"],
        ["end a", "pytest", "finished"],
        ["start a", "pytest", "end a", "finished"],
        ["start a", "exit", "end a", "pytest", "finished", "exit"],
    ],
)
def test_runs_that_were_cut_or_told_by_others_have_not(events: list[str]) -> None:
    assert not ended("tests", *events)


def test_other_jobs_say_so_once_and_last() -> None:
    assert not ended("import", "import")
    assert not ended("import", "finished", "import")
    assert not ended("import", "finished", "finished")


class Clock:
    """What a watch shows."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("events", "seconds", "due"),
    [
        ((), 113.0, 0),
        ((), 130.0, SIGPROF),
        (("start",), 50.0, SIGPROF),
        (("start", "end"), 50.0, 0),
        (("start", "end"), 130.0, SIGPROF),
        (("start", "end", "start"), 50.0, SIGPROF),
    ],
)
def test_what_comes_between_tests_may_take_as_long_as_a_test_and_no_less_than_two_minutes(
    events: tuple[str, ...], seconds: float, due: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(processes.time, "monotonic", clock)
    patience = processes.Patience({"seconds": 900.0, "each": 10.0})
    for event in events:
        patience.note({"event": event})
    clock.now += seconds
    assert patience.signal(os.getpid()) == due
    clock.now += 4.0
    assert patience.signal(os.getpid()) == 0
    clock.now += 2.0
    assert patience.signal(os.getpid()) == (SIGKILL if due else 0)


def test_what_is_no_test_has_its_own_time_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(processes.time, "monotonic", clock)
    patience = processes.Patience({"seconds": 900.0})
    clock.now += 899.0
    assert patience.signal(os.getpid()) == 0
    monkeypatch.setattr(processes, "_waited", lambda _: 0.0)
    clock.now += 2.0
    assert patience.signal(os.getpid()) == SIGKILL


def test_no_job_is_run_that_another_has_kept_waiting() -> None:
    known = {"first": {"late": True, "done": False, "clean": False, "kinds": []}}
    assert not needed({"unless": ["first"], "in_time": ["first"]}, known)
    assert needed({"unless": ["first"], "in_time": ["second"]}, known)
    assert needed({"unless": ["first"], "in_time": ["first"]}, {"first": {**known["first"], "late": False}})

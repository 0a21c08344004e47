"""A pool works off its tasks, tells its time, and is left when it does not end."""

import threading
from collections.abc import Callable

import pytest

import ingest.verification.workers
from ingest.verification.workers import WorkerPool

Report = Callable[[int], None]


def one(number: int) -> Callable[[Report, threading.Event], None]:
    return lambda report, _: report(number)


@pytest.mark.parametrize("size", [1, 3, 50])
def test_every_finding_comes_once(size: int) -> None:
    pool = WorkerPool([one(n) for n in range(20)], size)
    assert sorted(pool.results()) == list(range(20))
    assert not pool.out_of_time
    assert list(WorkerPool[int]([], size).results()) == []


def test_what_a_task_raises_is_raised_here() -> None:
    def broken(report: Report, _: threading.Event) -> None:
        report(1)
        raise KeyError("x")

    found = []
    with pytest.raises(KeyError):
        found.extend(WorkerPool([broken], 1).results())


def test_at_the_end_of_the_time_tasks_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(report: Report, stop: threading.Event) -> None:
        report(1)
        stop.wait(60)
        report(2)

    pool = WorkerPool([endless, one(3)], 1, limit_seconds=0.5)
    assert list(pool.results()) == [1, 2]
    assert pool.out_of_time


def test_a_task_that_does_not_end_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingest.verification.workers, "GRACE", 0.5)
    never = threading.Event()

    def deaf(report: Report, _: threading.Event) -> None:
        report(1)
        never.wait(60)

    pool = WorkerPool([deaf], 1, limit_seconds=0.1)
    assert list(pool.results()) == [1]
    assert pool.out_of_time
    never.set()


def test_leaving_early_tells_the_tasks() -> None:
    stopped = threading.Event()

    def waiting(report: Report, stop: threading.Event) -> None:
        report(1)
        if stop.wait(30):
            stopped.set()

    results = WorkerPool([waiting], 1).results()
    assert next(results) == 1
    results.close()
    assert stopped.wait(5)

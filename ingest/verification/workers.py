"""Some threads that work off a list of tasks, and a main thread that takes what they find, one by one.

Threads and not processes, because they mostly wait for sandboxes, and because nothing of them can outlive a kill -9.
Daemon threads and not an executor's, which the interpreter waits for at its end: a task that is deaf to the end of its
time, or to Ctrl-C, must not hold up the process.
"""

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

__all__ = ["WorkerPool"]

T = TypeVar("T")

Task = Callable[[Callable[[T], None], threading.Event], None]
"""A task reports each result, and ends soon after the event is set."""

POLL = 0.2
"""Seconds between two looks at the clock."""

GRACE = 20.0
"""Seconds that tasks have to end once their time is over; then they are left behind, and end with the process."""


class WorkerPool(Generic[T]):
    """Runs `tasks` on up to `size` threads; `limit_seconds` ends it early."""

    def __init__(self, tasks: Sequence[Task[T]], size: int, limit_seconds: float | None = None) -> None:
        self._todo: queue.SimpleQueue[Task[T]] = queue.SimpleQueue()
        for task in tasks:
            self._todo.put(task)
        self._found: queue.SimpleQueue[T | BaseException | None] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._deadline = None if limit_seconds is None else time.monotonic() + limit_seconds
        self._size = min(size, len(tasks))
        self.out_of_time = False
        """Whether the limit ended it, seen after the last result."""

    def results(self) -> Iterator[T]:
        """All results as they come. What a task raises is raised here, after the others were told to end.

        Left early (a break, Ctrl-C), the tasks are told to end and are not waited for.
        """
        threads = [threading.Thread(target=self._work, daemon=True, name=f"xkg-{n}") for n in range(self._size)]
        for thread in threads:
            thread.start()
        at_work = len(threads)
        try:
            while at_work and self._time_left():
                try:
                    found = self._found.get(timeout=POLL)
                except queue.Empty:
                    continue
                if found is None:
                    at_work -= 1
                elif isinstance(found, BaseException):
                    raise found
                else:
                    yield found
        finally:
            self._stop.set()

    def _time_left(self) -> bool:
        """Whether to wait for more; tells the tasks to end when the time is over."""
        over = 0.0 if self._deadline is None else time.monotonic() - self._deadline
        if over > 0:
            self.out_of_time = True
            self._stop.set()
        return over < GRACE

    def _work(self) -> None:
        try:
            while not self._stop.is_set():
                try:
                    task = self._todo.get_nowait()
                except queue.Empty:
                    break
                task(self._found.put, self._stop)
        except BaseException as error:  # noqa: BLE001 -- raised again in the main thread
            self._found.put(error)
        finally:
            self._found.put(None)

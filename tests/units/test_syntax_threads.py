"""Syntax trees are read by several threads: CPython counts the depth of all of them in one place."""

import gc
import sys
import threading

from agents.execution.syntax import parse

SOURCE = "def f(x):\n    return [x + (1 if y else -y) for y in range(x)]\n" * 60


def test_threads_that_parse_at_once_get_their_trees() -> None:
    """What runs at a collection (here a callback, as hypothesis sets one) lets another thread in between."""
    failures: list[BaseException] = []

    def deeper(levels: int) -> None:
        if levels:
            deeper(levels - 1)
        else:
            assert len(parse(SOURCE).body) == 60

    def read(levels: int) -> None:
        try:
            for _ in range(60):
                deeper(levels)
        except BaseException as error:  # noqa: BLE001 -- asserted on below
            failures.append(error)

    def called(*_: object) -> None:
        sum(range(300))

    interval = sys.getswitchinterval()
    gc.callbacks.append(called)
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=read, args=(levels,)) for levels in (0, 50, 100)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
        gc.callbacks.remove(called)
    assert failures == []

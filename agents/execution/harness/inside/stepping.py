"""Drives generators and coroutines step by step. Standard library only, Python 3.6 or later."""

import functools


def steps(inner, local, change):
    """Drive a generator, within a call only while it runs itself."""
    step = functools.partial(next, inner)
    while True:
        local.depth = getattr(local, "depth", 0) + 1
        try:
            item = step()
        except StopIteration as end:
            return end.value
        finally:
            local.depth -= 1
        try:
            given = yield change(item)
        except GeneratorExit:
            inner.close()
            raise
        except BaseException as error:  # noqa: BLE001 -- what is thrown in belongs to the inner one
            step = functools.partial(inner.throw, error)
        else:
            step = functools.partial(next, inner) if given is None else functools.partial(inner.send, given)


class Stepped:
    """What waits for a coroutine, within a call only while that runs."""

    def __init__(self, inner, local):
        self.inner, self.local = inner, local

    def __await__(self):
        return steps(self.inner, self.local, lambda item: item)


def all_but_the_last(items, call):
    """Items of a call, but for the last of several."""
    held = []  # type: list[object]
    for item in items:
        yield from held
        held = [item]
    call.seen.altered += call.place > 1
    yield from held if call.place == 1 else ()

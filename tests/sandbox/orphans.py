"""What processes leave behind when they are killed: orphans come to this process, so that none can be missed."""

import contextlib
import ctypes
import os
from collections.abc import Iterator

import psutil

__all__ = ["adopt_orphans", "descendants", "reap"]

PR_SET_CHILD_SUBREAPER = 36


@contextlib.contextmanager
def adopt_orphans() -> Iterator[None]:
    """Meanwhile every process that this one's descendants leave behind becomes a child of this one.

    No longer than needed: a Docker engine that is started below this process leaves one for each container, and
    hundreds of zombies slow everyone who looks through the processes.
    """
    control = ctypes.CDLL(None, use_errno=True)
    control.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        control.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def descendants() -> dict[int, list[str]]:
    """Every living process below this one, with its arguments."""
    found = {}
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if process.status() != psutil.STATUS_ZOMBIE:
                found[process.pid] = process.cmdline()
    return found


def reap(known: dict[int, list[str]]) -> None:
    """Take leave of orphans that have ended, so that they are no zombies of ours."""
    for child in psutil.Process().children():
        if child.pid not in known:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child.pid, os.WNOHANG)

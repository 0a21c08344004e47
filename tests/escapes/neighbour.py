"""A run that holds a secret file in each of its places while another one looks for it."""

import contextlib
import os
import secrets
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from escapes_run import LIMITS, survivors

from agents.execution.sandbox.models import Result, RunSpec, Sandbox

HOLD = """
import sys, time
for folder in ("/work", "/tmp", "/dev/shm"):
    open(folder + "/" + sys.argv[1], "w").write("of the neighbour")
print("written", flush=True)
time.sleep(300)
"""
WAIT = 20.0


@contextmanager
def neighbour(sandbox: Sandbox) -> Iterator[str]:
    """The name of its files. It must live before and after what happens here; then it is killed from the host.

    Who may not do that waits for its limit of time.
    """
    name = f"neighbour-{secrets.token_hex(8)}"
    results: list[Result] = []
    spec = RunSpec(
        argv=("python3", "-c", HOLD, name),
        limits=LIMITS.model_copy(update={"wall": WAIT}),
        environment={"BESIDE": name},
    )
    thread = threading.Thread(target=lambda: results.append(sandbox.run(spec)))
    thread.start()
    deadline = time.monotonic() + WAIT
    while not survivors(name) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1)
    assert survivors(name), "the neighbour does not run"
    yield name
    assert survivors(name), "the neighbour ended before the search did"
    with contextlib.suppress(PermissionError, ProcessLookupError):
        for pid in survivors(name):
            os.kill(pid, signal.SIGKILL)
    thread.join()
    assert results, "the neighbour's run failed"
    assert results[0].limit == "wall" or results[0].signal == signal.SIGKILL
    assert results[0].stdout == "written\n"

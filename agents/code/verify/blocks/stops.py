"""Why a block did not run to its end, in the words and classes of a verdict."""

import signal
from dataclasses import dataclass

from agents.code.mutants import classify, raised_from
from agents.code.verify.blocks.harness import FILE, Ran
from agents.code.verify.blocks.text import Joined, place
from kg.models.execution import FailureClass

__all__ = ["Stop", "stopped"]


@dataclass(frozen=True)
class Stop:
    """`failure` None: the block did not fail, it only never showed that it works."""

    reason: str
    failure: FailureClass | None = None
    line: str | None = None


def stopped(ran: Ran, joined: Joined, seconds: float) -> Stop:
    """What stopped `ran`, which did not pass. `seconds` is the time it had."""
    if ran.limit:
        return _by_limit(ran, joined, seconds)
    if ran.lost:
        return Stop("its run left no report; what it did to the process that watches it can't be known")
    if ran.raised and not (ran.exit_code == 0 and "SystemExit" in ran.raised.types):
        return _by_exception(ran, joined)
    return _by_status(ran, joined)


def _by_limit(ran: Ran, joined: Joined, seconds: float) -> Stop:
    failure = classify(limit=ran.limit)
    told = f"it did not end within {seconds:.0f} s" if failure.kind == "timeout" else failure.message
    return Stop(told, failure.kind, _line(ran, joined))


def _by_exception(ran: Ran, joined: Joined) -> Stop:
    raised = ran.raised
    if ran.exit:
        raised = raised_from(ran.log) or raised
    failure = classify(raised, own=lambda file: FILE if _is_block(file) else None)
    line = place(joined, int(failure.line.rpartition(":")[2])) if failure.line else _line(ran, joined)
    where = f" at {line}" if line else ""
    return Stop(f"it stops{where}: {failure.message}", failure.kind, line)


def _by_status(ran: Ran, joined: Joined) -> Stop:
    if ran.signal is not None:
        name = signal.Signals(ran.signal).name if ran.signal in list(signal.Signals) else str(ran.signal)
        return Stop(f"its process was ended by {name}", "other error")
    if ran.ended:
        return Stop(f"it ran to its end, and then its process exited with {ran.exit_code}", "other error")
    if ran.exit_code != 0:
        return Stop(f"it ends itself with exit code {ran.exit_code}", "other error")
    line = _line(ran, joined)
    where = f" at {line}" if line else ""
    return Stop(f"it ends itself with exit code 0{where}, before its last statement: what follows was not run")


def _line(ran: Ran, joined: Joined) -> str | None:
    own = [line for file, line in (ran.raised.frames if ran.raised else ()) if _is_block(file)]
    return place(joined, own[-1]) if own else None


def _is_block(file: str) -> bool:
    return file in {FILE, "/work/block.py", "block.py"}

"""Why a block did not run to its end, in the words and classes of a verdict."""

import signal
from dataclasses import dataclass

from agents.code.mutants import Raised, classify, raised_from
from agents.code.verify.blocks.runs import FILE, Run
from agents.code.verify.blocks.text import Joined, place
from agents.code.verify.session import raised_of
from kg.models.execution import FailureClass

__all__ = ["Stop", "stopped"]


@dataclass(frozen=True)
class Stop:
    """`failure` None: the block did not fail, it only never showed that it works."""

    reason: str
    failure: FailureClass | None = None
    line: str | None = None


def stopped(run: Run, joined: Joined, seconds: float) -> Stop:
    """What stopped `run`, which did not pass. `seconds` is the time it had."""
    event = next(iter(run.job.of("script")), {})
    raised = raised_of(event.get("raised"))
    if run.limit:
        return _by_limit(run.limit, _line(raised, joined), seconds)
    if run.lost:
        return Stop("its run left no report; what it did to the process that watches it can't be known")
    if looked := next(iter(run.job.of("introspected")), None):
        return Stop(f"its report can't be trusted: it looks into what runs it ({looked.get('what')})")
    if raised and not (run.exit_code == 0 and "SystemExit" in raised.types):
        left = event.get("exit") is True
        return _by_exception((raised_from(run.log) if left else None) or raised, _line(raised, joined), joined)
    return _by_status(run, _line(raised, joined))


def _by_limit(limit: str, line: str | None, seconds: float) -> Stop:
    failure = classify(limit=limit)
    reason = f"it did not end within {seconds:.0f} s" if failure.kind == "timeout" else failure.message
    return Stop(reason, failure.kind, line)


def _by_exception(raised: Raised, line: str | None, joined: Joined) -> Stop:
    failure = classify(raised, locate=lambda file: FILE if _is_block(file) else None)
    line = place(joined, int(failure.line.rpartition(":")[2])) if failure.line else line
    where = f" at {line}" if line else ""
    return Stop(f"it stops{where}: {failure.message}", failure.kind, line)


def _by_status(run: Run, line: str | None) -> Stop:
    if run.signal is not None:
        name = signal.Signals(run.signal).name if run.signal in list(signal.Signals) else str(run.signal)
        return Stop(f"its process was ended by {name}", "other error")
    if run.job.ended == "finished":
        return Stop(f"it ran to its end, and then its process exited with {run.exit_code}", "other error")
    if run.exit_code != 0:
        return Stop(f"it ends itself with exit code {run.exit_code}", "other error")
    where = f" at {line}" if line else ""
    return Stop(f"it ends itself with exit code 0{where}, before its last statement: what follows was not run")


def _line(raised: Raised | None, joined: Joined) -> str | None:
    lines = [line for file, line, _ in (raised.frames if raised else ()) if _is_block(file)]
    return place(joined, lines[-1]) if lines else None


def _is_block(file: str) -> bool:
    return file in {"<script>", f"/work/{FILE}", FILE}

"""What was run, as it is kept: the Execution, and the log that a person reads."""

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, datetime

from agents.code.verify.blocks.harness import Ran
from agents.code.verify.blocks.models import Block
from agents.execution.environments import Environment
from agents.execution.sandbox import Result
from kg.models.execution import Execution
from kg.verdicts import sha256_of

__all__ = ["execution", "log_of"]


def execution(block: Block, environment: Environment, ran: Ran, result: Result, log: bytes) -> Execution:
    """The record of one run of the unchanged block."""
    code, test = sha256_of(block.implementation), sha256_of(block.test)
    what = [code, test, environment.id, result.backend, sorted(result.enforced.items()), sorted(result.waived)]
    return Execution(
        id=hashlib.sha256(json.dumps(what).encode("utf-8")).hexdigest(),
        code_sha256=code,
        test_sha256=test,
        environment=environment.id,
        python=environment.python_version,
        packages=environment.packages,
        strategy=environment.spec.strategy,
        backend=result.backend,
        enforced=result.enforced,
        waived=result.waived,
        exit_code=ran.exit_code,
        signal=ran.signal,
        limit=ran.limit,
        wall_s=ran.seconds,
        peak_memory=result.peak_memory,
        log=hashlib.sha256(log).hexdigest(),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def log_of(ran: Ran, told: Iterable[tuple[str, Ran]]) -> bytes:
    """What the block wrote, and a line for each further run."""
    lines = [ran.log.rstrip("\n"), "", f"== {_told(ran)}"]
    lines += [f"== {name}: {_told(one)}" for name, one in told]
    return "\n".join(lines).lstrip("\n").encode("utf-8", "replace") + b"\n"


def _told(ran: Ran) -> str:
    if ran.passed:
        return f"ran to its end in {ran.seconds:.2f} s"
    if ran.limit:
        return f"ended by the limit of {ran.limit} after {ran.seconds:.2f} s"
    if ran.raised:
        by = "an assertion of the test: " if ran.check else ""
        return " ".join(f"ended by {by}{ran.raised.types[0]}: {ran.raised.message}".split())[:300]
    status = f"exit code {ran.exit_code}" if ran.signal is None else f"signal {ran.signal}"
    return f"ended with {status}" + ("" if ran.ended else " before its last statement")

"""The execution that a verdict rests on: hashes of code, test and environment, and how the run went."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from agents.code.units import CodeBase, call_graph
from agents.code.verify.preparing import Prepared
from agents.code.verify.running import TestRun
from agents.code.verify.session import Sitting
from kg.models.code import CodeUnit
from kg.models.execution import Execution

__all__ = ["CodeHashes", "code_hash", "execution"]


class CodeHashes:
    """Hashes of units: of the text of each and of every unit that it calls, directly or not."""

    def __init__(self, codebase: CodeBase) -> None:
        self.units = {unit.id: unit for unit in codebase.units}
        self.calls: dict[str, set[str]] = {}
        for call in call_graph(codebase):
            self.calls.setdefault(call.caller, set()).add(call.callee)

    def of(self, unit: CodeUnit) -> str:
        """The hash of one unit."""
        pending, closure = [unit.id], set()
        while pending:
            current = pending.pop()
            if current not in closure:
                closure.add(current)
                pending += self.calls.get(current, ())
        digest = hashlib.sha256()
        for member in sorted(closure):
            digest.update(f"{member}\0{self.units[member].text}\0".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()


def code_hash(codebase: CodeBase, unit: CodeUnit) -> str:
    """The hash of one unit alone."""
    return CodeHashes(codebase).of(unit)


def execution(
    folder: Path,
    hashes: CodeHashes,
    unit: CodeUnit,
    tests: Sequence[TestRun],
    prepared: Prepared,
    sitting: Sitting,
) -> Execution:
    """The record of `sitting`, in which `tests` were run on `unit`. Raises ValueError without an environment."""
    if prepared.session is None:
        raise ValueError("an execution needs an environment")
    environment, result = prepared.session.environment, sitting.result
    code = hashes.of(unit)
    test = _test_hash(folder, prepared.session.extra, tests)
    enforced = sorted(result.enforced.items())
    parts = (code, test, environment.id, prepared.strategy, result.backend, repr(enforced))
    log = sitting.log().encode("utf-8", "replace")
    return Execution(
        id=hashlib.sha256("\0".join(parts).encode()).hexdigest(),
        code_sha256=code,
        test_sha256=test,
        environment=environment.id,
        python=environment.python_version,
        packages=environment.packages,
        strategy=prepared.strategy,
        backend=result.backend,
        enforced=result.enforced,
        waived=result.waived,
        exit_code=result.exit_code,
        signal=result.signal,
        limit=result.limit,
        wall_s=result.wall_s,
        peak_memory=result.peak_memory,
        log=hashlib.sha256(log).hexdigest(),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _test_hash(folder: Path, extra: dict[str, str], tests: Sequence[TestRun]) -> str:
    """Hash of the names of the tests and of the files that hold them."""
    digest = hashlib.sha256()
    for run in sorted(tests, key=lambda run: run.id):
        digest.update(run.id.encode("utf-8", "replace") + b"\0")
    for path in sorted({run.source.path for run in tests}):
        file = folder / path.removeprefix("repo/")
        data = extra[path].encode() if path in extra else file.read_bytes() if file.is_file() else b""
        digest.update(path.encode() + b"\0" + data + b"\0")
    return digest.hexdigest()

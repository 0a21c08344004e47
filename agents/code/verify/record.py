"""What judging gives: a judgement, its log, and the execution it rests on, with its hashes."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from agents.code.units import CodeBase, call_graph
from agents.code.verify.running import TestRun
from agents.execution.environments import Environment
from agents.execution.harness import Inputs
from agents.execution.sandbox import Result
from kg.models.code import CodeUnit
from kg.models.execution import Execution, Judgement, Obstacle

__all__ = ["CodeHashes", "Judged", "execution", "test_hash", "untried"]


@dataclass(frozen=True)
class Judged:
    """A judgement and the full log it rests on, for the log store: ``judgement.execution.log`` is the sha256 of `log`.

    Without an execution nothing was run, and `log` is empty. Of units of a repository, `imported` says whether the
    unit's module could be imported in the sandbox (None: not tried), `reached` whether a passing test of the
    repository calls the unit. `inputs` are all files and folders of the repository that the runs which the judgement
    rests on have opened; None if that is not known. `contradicted` is what the unit says of itself and does not keep.
    """

    judgement: Judgement
    log: bytes = b""
    imported: bool | None = None
    reached: bool = False
    inputs: Inputs | None = None
    contradicted: str = ""


def untried(code: str, obstacle: Obstacle, why: str) -> Judgement:
    """No verdict on a piece of code (by its id) that no test could be held against."""
    late = obstacle == "no time"
    return Judgement(code=code, verdict="unverified", reason=why, obstacle=obstacle, unfinished=late)


class CodeHashes:
    """Hashes of units: of the text of each and of every unit that it calls, directly or not."""

    def __init__(self, codebase: CodeBase) -> None:
        self.units = {unit.id: unit for unit in codebase.units}
        self.calls: dict[str, set[str]] = {}
        for call in call_graph(codebase):
            self.calls.setdefault(call.caller, set()).add(call.callee)

    def closure(self, unit: CodeUnit) -> set[str]:
        """The ids of a unit and of all that it calls, directly or not."""
        pending, closure = [unit.id], set[str]()
        while pending:
            current = pending.pop()
            if current not in closure:
                closure.add(current)
                pending += self.calls.get(current, ())
        return closure

    def of(self, unit: CodeUnit) -> str:
        """The hash of one unit."""
        digest = hashlib.sha256()
        for member in sorted(self.closure(unit)):
            digest.update(f"{member}\0{self.units[member].text}\0".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()


def execution(
    code_sha256: str,
    test_sha256: str,
    environment: Environment,
    strategy: str,
    result: Result,
    log: bytes,
    *,
    closure_sha256: str = "",
    **run: int | float | str | None,
) -> Execution:
    """The record of a run of the sandbox. `run` are `exit_code`, `signal`, `limit` and `wall_s` where they are not the
    sandbox's own, but of one job in it."""
    ended = {name: getattr(result, name) for name in ("exit_code", "signal", "limit", "wall_s")}
    return Execution(
        id="",
        code_sha256=code_sha256,
        closure_sha256=closure_sha256,
        test_sha256=test_sha256,
        environment=environment.id,
        python=environment.python_version,
        packages=environment.packages,
        strategy=strategy,
        backend=result.backend,
        enforced=result.enforced,
        waived=result.waived,
        peak_memory=result.peak_memory,
        log=hashlib.sha256(log).hexdigest(),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        **{**ended, **run},
    ).identified()


def test_hash(folder: Path, extra: dict[str, str], tests: Sequence[TestRun]) -> str:
    """Hash of the names of the tests and of the files that hold them."""
    digest = hashlib.sha256()
    for run in sorted(tests, key=lambda run: run.id):
        digest.update(run.id.encode("utf-8", "replace") + b"\0")
    for path in sorted({run.source.path for run in tests}):
        file = folder / path.removeprefix("repo/")
        data = extra[path].encode() if path in extra else file.read_bytes() if file.is_file() else b""
        digest.update(path.encode() + b"\0" + data + b"\0")
    return digest.hexdigest()

"""What an agent did, step by step: JSON lines that are only ever added to, each on the disk before the next begins.

A run that was killed goes on by doing the same again: a step that is recorded is not done but told from here, so that
no answered call is paid twice and no run of the sandbox is had twice, and the first that is not recorded is done.
Steps are the same if they are asked the same; where they are not, the program has changed, and the run can't go on.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from agents.loops.ends import End
from kg.errors import InputError
from kg.files import disk_errors
from kg.models.paper import Model

__all__ = ["Step", "Trajectory", "digest"]

Kind = Literal["model", "graph", "workspace", "end"]
BESIDE = ("nodes", "tokens_in", "tokens_out", "cost", "cached")
"""What the result of a step may hold that is noted beside it."""


class Step(Model):
    """One step. `asked` and `result` are JSON; `nodes` the ids of nodes that a tool of the graph returned; `tokens_in`,
    `tokens_out` and `cost` are those of the model's answer when it was given, `seconds` what it lasted then."""

    number: int
    kind: Kind
    name: str
    asked: dict[str, Any]
    result: dict[str, Any]
    nodes: tuple[str, ...] = ()
    tokens_in: int = 0
    tokens_out: int = 0
    cost: str | None = None
    cached: bool = False
    seconds: float = 0.0
    at: str = ""


class Trajectory:
    """The steps in the file at `path`; the last line is cut off where a killed process has left it unfinished. `told`
    is called once, when all that is recorded has been told again."""

    def __init__(self, path: Path, told: Callable[[], object] = lambda: None) -> None:
        self.path, self._told = path, told
        _cut(path)
        self.steps = read_steps(path)
        self._waiting = [step for step in self.steps if step.kind != "end"]
        self._before = sum(step.seconds for step in self._waiting)
        self._begun = time.monotonic()
        if not self._waiting:
            told()

    @property
    def replaying(self) -> bool:
        """Whether the next step is one that was done before."""
        return bool(self._waiting)

    @property
    def seconds(self) -> float:
        """How long was worked at it, in all."""
        return self._before + time.monotonic() - self._begun

    def do(
        self, kind: Kind, name: str, asked: Mapping[str, Any], work: Callable[[], dict[str, Any]],
        again: Callable[[], object] | None = None,
    ) -> Step:  # fmt: skip
        """The step: as it is recorded, when `again` is called to bring back what it changed, or done by `work`, whose
        result may hold what is noted beside it (`BESIDE`). Raises InputError for another step than the recorded one."""
        asked = json.loads(json.dumps(asked))
        if self._waiting:
            step = self._waiting.pop(0)
            if (step.kind, step.name, digest(step.asked)) != (kind, name, digest(asked)):
                raise self._other(step, f"be {kind} {name}, or ask another thing")
            if again:
                again()
            if not self._waiting:
                self._told()
            return step
        begin = time.monotonic()
        result = json.loads(json.dumps(work()))
        used = {part: result.pop(part) for part in BESIDE if part in result}
        return self._add(
            Step(
                number=len(self.steps), kind=kind, name=name, asked=asked, result=result,
                seconds=round(time.monotonic() - begin, 3), at=_now(), **used,
            )
        )  # fmt: skip

    def check_told(self) -> None:
        """Raises InputError where a run is over before all that is recorded was told again."""
        if self._waiting:
            raise self._other(self._waiting[0], "not be there any more")

    def _other(self, step: Step, now: str) -> InputError:
        return InputError(
            f"step {step.number} was {step.kind} {step.name}, and would now {now}",
            where=str(self.path),
            remedy="the program, the graph or the paper has changed since: begin a new run",
        )

    def end(self, end: End) -> None:
        """Note how the run has ended, for now."""
        self._add(
            Step(
                number=len(self.steps), kind="end", name=end.state, asked={}, result=end.model_dump(mode="json"),
                at=_now(),
            )
        )  # fmt: skip

    def _add(self, step: Step) -> Step:
        line = step.model_dump_json().encode() + b"\n"
        with disk_errors(self.path.parent), self.path.open("ab") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        self.steps.append(step)
        return step


def read_steps(path: Path) -> list[Step]:
    """The whole steps of a file, to which another process may be adding. Raises InputError for a file of others."""
    data = path.read_bytes() if path.exists() else b""
    try:
        return [Step.model_validate_json(line) for line in data.split(b"\n")[:-1]]
    except ValidationError as error:
        raise InputError("this is no record of a run", where=str(path), remedy="begin a new run") from error


def _cut(path: Path) -> None:
    data = path.read_bytes() if path.exists() else b""
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(path, whole)


def digest(value: object) -> str:
    """The sum of a JSON value."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

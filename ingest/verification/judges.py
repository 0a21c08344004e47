"""The far side of verifying: who judges, behind one protocol."""

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol

from agents.code.units import CodeBase
from agents.code.verify import Judged, Supplement, Verifier
from agents.code.verify.blocks import Block, judge_block, plan_environments
from agents.execution.environments import Environment, EnvironmentFailed
from agents.execution.sandbox import Backend, Result, RunSpec, Sandbox, SandboxError
from kg.config import Settings
from kg.errors import ServiceError
from kg.models.code import CodeUnit

__all__ = ["BlockEnvironments", "Judges", "SandboxJudges"]


class Judges(Protocol):
    """Whoever judges code. One for each repository or block; raises SandboxError when the sandbox itself fails."""

    def units(
        self, folder: Path, codebase: CodeBase, units: Sequence[CodeUnit], said: Mapping[str, Sequence[str]],
        more: Supplement | None,
    ) -> Callable[[CodeUnit], Judged]:  # fmt: skip
        """What judges each of these units of the repository in `folder`, asked by several threads at a time.

        `said` are sentences of papers about units, by their ids; ``judgement.code`` is the unit's id. `more` has the
        last word. Nothing is run before the first is asked for.
        """
        ...

    def block(self, block: Block) -> Judged:
        """Judge an imported block."""
        ...


class SandboxJudges:
    """The real ones, on `sandbox`."""

    def __init__(self, sandbox: Sandbox, settings: Settings, environments: "BlockEnvironments") -> None:
        self.sandbox, self.settings, self.environments = _Watched(sandbox), settings, environments

    def units(
        self, folder: Path, codebase: CodeBase, units: Sequence[CodeUnit], said: Mapping[str, Sequence[str]],
        more: Supplement | None,
    ) -> Callable[[CodeUnit], Judged]:  # fmt: skip
        """See the protocol."""
        judging = Verifier(folder, codebase, self.sandbox, self.settings).judging(units, said, more)

        def judge(unit: CodeUnit) -> Judged:
            judged = judging(unit)
            self.sandbox.check()
            return judged

        return judge

    def block(self, block: Block) -> Judged:
        """See the protocol."""
        judged = judge_block(block, self.environments.of(block), self.sandbox, self.settings)
        self.sandbox.check()
        return judged


class BlockEnvironments:
    """The environments of `blocks`, planned together when the first is asked for: many share one."""

    def __init__(self, blocks: Sequence[Block], settings: Settings) -> None:
        self._blocks, self._settings, self._lock = blocks, settings, threading.Lock()

    def of(self, block: Block) -> Environment | EnvironmentFailed:
        """The environment of one of the blocks, or why it can't be had.

        Raises KeyError for another block, ServiceError (each time, after one try) without network or disk.
        """
        with self._lock:
            planned = self._planned
        if isinstance(planned, ServiceError):
            raise planned
        return planned[block.id]

    @cached_property
    def _planned(self) -> dict[str, Environment | EnvironmentFailed] | ServiceError:
        try:
            return plan_environments(self._blocks, self._settings)
        except ServiceError as error:
            return error


class _Watched:
    """A sandbox that remembers its own failure, so that no judge can take it for the code's."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox, self.name = sandbox, sandbox.name
        self.failure: SandboxError | None = None

    name: Backend

    def capabilities(self) -> dict[str, str]:
        return self.sandbox.capabilities()

    def run(self, spec: RunSpec) -> Result:
        try:
            return self.sandbox.run(spec)
        except SandboxError as error:
            self.failure = error
            raise

    def check(self) -> None:
        """Raise the failure; each time, as what was prepared for others may have met it."""
        if self.failure:
            raise self.failure

"""All runs of one block within its time: warm (forked from one process that has the modules), or each in a sandbox."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.code.verify.blocks.harness import Batch, Ran, Variant, run_variants
from agents.code.verify.blocks.text import Joined
from agents.execution.environments import Environment
from agents.execution.sandbox import Result, Sandbox
from kg.config import Settings

__all__ = ["Done", "Runs"]

MIB = 1024 * 1024


@dataclass(frozen=True)
class Done:
    """A run and the sandbox's result that it is part of."""

    ran: Ran
    result: Result


class Runs:
    """Runs variants in `sandbox` until `verify.block_total_seconds` are over, each at most `verify.block_seconds`."""

    def __init__(self, environment: Environment, sandbox: Sandbox, settings: Settings) -> None:
        self.environment, self.sandbox, self.each = environment, sandbox, settings.verify.block_seconds
        self.memory = settings.verify.memory_mb * MIB
        self.deadline = time.monotonic() + settings.verify.block_total_seconds

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self.deadline - time.monotonic()

    def plain(self, joined: Joined, *, hash_seed: int = 0, full_log: bool = False) -> Done | None:
        """One variant in a sandbox run of its own; None if there is no time left."""
        if self.left <= 1:
            return None
        batch = self._batch([self._variant(joined, full_log)], (), hash_seed)
        return Done(batch.runs[0] if batch.runs else _lost(batch), batch.result)

    def warm(self, variants: Sequence[Joined], preload: Sequence[str]) -> Iterator[tuple[int, Done]]:
        """Variants by their number, in order, forked from one process; those that break it are run plainly.

        Ends after a first variant that does not pass, and when the time is over.
        """
        at = 0
        while at < len(variants) and self.left > 1:
            batch = self._batch([self._variant(one, at + i == 0) for i, one in enumerate(variants[at:])], preload, 0)
            for ran in batch.runs:
                yield at, Done(ran, batch.result)
                at += 1
            if at == 1 and batch.runs and not batch.runs[0].passed:
                return
            if at < len(variants) and self.left > 1 and (done := self.plain(variants[at])):
                yield at, done
                at += 1

    def _variant(self, joined: Joined, full_log: bool) -> Variant:
        return Variant(joined.text, joined.test_line, min(self.each, max(self.left, 1.0)), full_log)

    def _batch(self, variants: Sequence[Variant], preload: Sequence[str], hash_seed: int) -> Batch:
        return run_variants(
            variants, self.environment, self.sandbox,
            total=max(self.left, 1.0), memory=self.memory, preload=preload, hash_seed=hash_seed,
        )  # fmt: skip


def _lost(batch: Batch) -> Ran:
    """A run of which the supervisor inside could not report."""
    result = batch.result
    return Ran(
        ended=False, exit_code=None, signal=result.signal, limit=result.limit, seconds=result.wall_s,
        log=result.stderr[-8000:], lost=True,
    )  # fmt: skip

"""The verdict on one imported block: run as it is, then weighed by mutants of its implementation."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.code.mutants import Mutant, mutants
from agents.code.mutants.models import Judged
from agents.code.verify.blocks.harness import Ran
from agents.code.verify.blocks.models import Block
from agents.code.verify.blocks.record import execution, log_of
from agents.code.verify.blocks.runs import Done, Runs
from agents.code.verify.blocks.stops import stopped
from agents.code.verify.blocks.text import Joined, checks, imports, join, neutral
from agents.execution.environments import Environment, EnvironmentFailed, distributions
from agents.execution.sandbox import Sandbox, SandboxError
from kg.config import Settings
from kg.models.execution import FailureClass, Judgement, Verdict

__all__ = ["judge_block"]

LARGEST = 1_000_000
"""Characters of a block; nobody writes longer ones, and each mutant is as long."""
REPEATS = 4
"""Further runs of the unchanged block among those of its mutants: a test that fails now and then tells nothing."""
HASH_SEEDS = (0, 1, 2)
NEUTRALS = 2


def judge_block(
    block: Block, environment: Environment | EnvironmentFailed, sandbox: Sandbox | SandboxError, settings: Settings
) -> Judged:
    """Judge `block` in `environment`; it is run exactly as it is, implementation and test in one process.

    `verified` if it reached its last statement each time, and its test fails on at least ``settings.verify.share`` of
    the implementation's mutants, by assertions of its own on that share of those that do not crash by themselves, and
    on no rewriting that means the same; `failed` if it stops, with class and line; else `unverified` with the reason.
    An environment or a sandbox that could not be had is such a reason. Takes no longer than
    ``settings.verify.block_total_seconds``, but for what starting and ending a sandbox takes.
    """
    if isinstance(environment, EnvironmentFailed):
        return _untried(block, f"could not be tried: {environment}")
    if isinstance(sandbox, SandboxError):
        return _untried(block, f"could not be tried: {sandbox}")
    if len(block.implementation) + len(block.test) > LARGEST:
        return _untried(block, f"could not be tried: it is longer than {LARGEST:,} characters")
    if not block.implementation.strip():
        return _untried(block, "there is no implementation")
    try:
        return _Judge(block, environment, sandbox, settings).judged()
    except SandboxError as error:
        return _untried(block, f"could not be tried: {error}")


def _untried(block: Block, reason: str) -> Judged:
    return Judged(Judgement(code=block.id, verdict="unverified", reason=reason, kind="imported", test=block.test))


@dataclass(frozen=True)
class _Weight:
    """How a test stood the mutants: those that it killed, those of them by an assertion, and all that were tried."""

    tried: tuple[Mutant, ...] = ()
    killed: tuple[Mutant, ...] = ()
    by_assertion: tuple[Mutant, ...] = ()

    @property
    def survivors(self) -> tuple[str, ...]:
        return tuple(mutant.description for mutant in self.tried if mutant not in self.killed)


class _Judge:
    def __init__(self, block: Block, environment: Environment, sandbox: Sandbox, settings: Settings) -> None:
        self.block, self.environment = block, environment
        self.share, self.each = settings.verify.share, settings.verify.block_seconds
        self.runs = Runs(environment, sandbox, settings)
        self.joined = join(block)
        self.tested = bool(block.test.strip())
        lines = (1, self.joined.implementation.count("\n") + 1)
        found = mutants(self.joined.implementation, lines, settings.verify.mutants) if self.tested else []
        self.mutants = {mutant: self.joined.with_implementation(mutant.text) for mutant in found}
        self.log: list[tuple[str, Ran]] = []

    def judged(self) -> Judged:
        """The whole way; each step may be the last."""
        first, again, of_mutants = self._first_look(tuple(distributions(imports(self.joined)).found))
        if first is None:
            return _untried(self.block, "could not be tried: its time was over before it began")
        self.log += [("again", done.ran) for done in again]
        if not first.ran.passed:
            return self._stopped(first)
        if not all(done.ran.passed for done in again):
            return self._judged(first, "unverified", "its test passes, but not each time: not repeatable")
        if not self.tested:
            return self._judged(first, "unverified", "no test: the implementation alone runs to its end")
        weight = self._weighed(of_mutants)
        if weak := self._weakness(weight):
            return self._judged(first, "unverified", weak, weight)
        return self._confirmed(first, weight)

    def _first_look(self, preload: Sequence[str]) -> tuple[Done | None, list[Done], dict[Mutant, Done]]:
        """The block, itself again, and its mutants: forked from one process, or each plainly where forking misleads."""
        step = len(self.mutants) // REPEATS + 1
        order: list[Mutant | None] = [None]
        for at in range(0, max(len(self.mutants), 1), step):
            order += [*list(self.mutants)[at : at + step], None]
        texts = [self.mutants[mutant] if mutant else self.joined for mutant in order]
        done = dict(self.runs.warm(texts, preload))
        unchanged = [one for at, one in done.items() if order[at] is None]
        misled = not all(one.ran.passed for one in unchanged) and (preload or unchanged[0].ran.lost)
        if unchanged and not misled:
            return unchanged[0], unchanged[1:], {m: one for at, one in done.items() if (m := order[at])}
        first = self.runs.plain(self.joined, full_log=True) or next(iter(unchanged), None)
        if first is None or not first.ran.passed:
            return first, [], {}
        repeated = [self.runs.plain(self.joined) for _ in range(REPEATS)]
        plain = {mutant: self.runs.plain(text) for mutant, text in self.mutants.items()}
        return first, [one for one in repeated if one], {mutant: one for mutant, one in plain.items() if one}

    def _weighed(self, of_mutants: Mapping[Mutant, Done]) -> _Weight:
        """A run that was lost killed nothing: nobody knows why it ended."""
        self.log += [(mutant.description, done.ran) for mutant, done in of_mutants.items()]
        killed = [mutant for mutant, done in of_mutants.items() if not (done.ran.passed or done.ran.lost)]
        by_assertion = [mutant for mutant in killed if of_mutants[mutant].ran.check]
        return _Weight(tuple(of_mutants), tuple(killed), tuple(by_assertion))

    def _weakness(self, weight: _Weight) -> str:
        """Why the test can't be trusted, "" if it can."""
        if not self.mutants:
            return "test too weak: nothing in the implementation could be changed to try it"
        tried, killed, noticed = len(weight.tried), len(weight.killed), len(weight.by_assertion)
        count, silent = f"{killed} of {tried} mutants killed", tried - killed + noticed
        if not noticed and not checks(self.block.test):
            return f"test too weak: it asserts nothing ({count})"
        if tried < len(self.mutants):
            return f"its time was over after {tried} of {len(self.mutants)} mutants ({killed} killed)"
        if noticed and killed >= self.share * tried and noticed >= self.share * silent:
            return ""
        return f"test too weak: {count}; its assertions notice {noticed} of the {silent} that do not crash"

    def _confirmed(self, first: Done, warm: _Weight) -> Judged:
        """What looked right, once more, each run in a sandbox of its own: nothing is left over from another run."""
        plain = [self._alone(self.joined, f"PYTHONHASHSEED={seed}", seed) for seed in HASH_SEEDS]
        names = [f"_{secrets.token_hex(3 + number)}" for number in range(NEUTRALS)]
        texts = [self.joined.with_implementation(neutral(self.joined.implementation, name)) for name in names]
        rewritten = [self._alone(text, "with unused variables added") for text in texts]
        again = {mutant: self.runs.plain(self.mutants[mutant]) for mutant in warm.killed}
        alone = self._weighed({mutant: done for mutant, done in again.items() if done})
        weight = _Weight(warm.tried, alone.killed, tuple(m for m in alone.by_assertion if m in warm.by_assertion))
        weak = ""
        if not all((*plain, *rewritten, *again.values())):
            weak, weight = "its time was over before its verdict was confirmed", warm
        elif not all(done.ran.passed for done in plain if done):
            weak = "its test passes, but not each time: not repeatable"
        elif not all(done.ran.passed for done in rewritten if done):
            weak = "test too weak: it judges the text of the code, for it fails when unused variables are added"
        weak = weak or self._weakness(weight)
        count = f"{len(weight.killed)} of {len(weight.tried)} mutants, {len(weight.by_assertion)} by an assertion"
        reason = weak or f"its test passes and kills {count}"
        return self._judged(plain[0] or first, "unverified" if weak else "verified", reason, weight)

    def _alone(self, joined: Joined, what: str, seed: int = 0) -> Done | None:
        done = self.runs.plain(joined, hash_seed=seed, full_log=True)
        if done:
            self.log.append((f"alone, {what}", done.ran))
        return done

    def _stopped(self, first: Done) -> Judged:
        stop = stopped(first.ran, self.joined, self.each)
        verdict: Verdict = "failed" if stop.failure else "unverified"
        return self._judged(first, verdict, stop.reason, failure=stop.failure, line=stop.line)

    def _judged(
        self,
        done: Done,
        verdict: Verdict,
        reason: str,
        weight: _Weight = _Weight(),
        failure: FailureClass | None = None,
        line: str | None = None,
    ) -> Judged:
        log = log_of(done.ran, self.log)
        judgement = Judgement(
            code=self.block.id, verdict=verdict, reason=reason, failure=failure, line=line, kind="imported",
            test=self.block.test, mutants=len(weight.tried), killed=len(weight.killed),
            killed_by_assertion=len(weight.by_assertion), survivors=weight.survivors,
            execution=execution(self.block, self.environment, done.ran, done.result, log),
        )  # fmt: skip
        return Judged(judgement, log)

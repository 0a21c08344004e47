"""The verdict on one imported block: run as it is, then weighed by mutants of its implementation."""

import secrets
from collections.abc import Mapping, Sequence

from agents.code.mutants import Mutant, mutants, neutral
from agents.code.verify.blocks.runs import Run, Runs, log_of
from agents.code.verify.blocks.stops import stopped
from agents.code.verify.blocks.text import Block, Joined, checks, imports, join
from agents.code.verify.noticing import Notice, Noticed, noticed
from agents.code.verify.record import Judged, execution, untried
from agents.code.verify.weight import Weight, weakness
from agents.execution.environments import Environment, EnvironmentFailed, distributions
from agents.execution.sandbox import Sandbox, SandboxError
from kg.config import Settings
from kg.models.execution import FailureClass, Judgement, Obstacle, Verdict
from kg.verdicts import sha256_of

__all__ = ["judge_block"]

LARGEST = 1_000_000
"""Characters of a block; nobody writes longer ones, and each mutant is as long."""
REPEATS = 4
"""Further runs of the unchanged block among those of its mutants: a test that fails now and then tells nothing."""
HASH_SEEDS = (0, 1, 2)
NEUTRALS = 2
NOT_WEIGHED = Weight({})


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
        return _untried(block, "no environment", f"could not be tried: {environment}")
    if isinstance(sandbox, SandboxError):
        return _untried(block, "no sandbox", f"could not be tried: {sandbox}")
    if len(block.implementation) + len(block.test) > LARGEST:
        return _untried(block, "text too long", f"could not be tried: it is longer than {LARGEST:,} characters")
    if not block.implementation.strip():
        return _untried(block, "no implementation", "there is no implementation")
    try:
        return _BlockVerdict(block, environment, sandbox, settings).judged()
    except SandboxError as error:
        return _untried(block, "no sandbox", f"could not be tried: {error}")


def _untried(block: Block, obstacle: Obstacle, reason: str) -> Judged:
    judgement = untried(block.id, obstacle, reason)
    return Judged(judgement.model_copy(update={"kind": "imported", "test": block.test}))


class _BlockVerdict:
    def __init__(self, block: Block, environment: Environment, sandbox: Sandbox, settings: Settings) -> None:
        self.block, self.environment = block, environment
        self.share, self.each = settings.verify.share, settings.verify.block_seconds
        self.runs = Runs(environment, sandbox, settings)
        self.joined = join(block)
        self.tested = bool(block.test.strip())
        lines = (1, self.joined.implementation.count("\n") + 1)
        found = mutants(self.joined.implementation, lines, settings.verify.mutants) if self.tested else []
        self.mutants = {mutant: self.joined.with_implementation(mutant.text) for mutant in found}
        self.log: list[tuple[str, Run]] = []

    def judged(self) -> Judged:
        """The whole way; each step may be the last."""
        first, again, of_mutants = self._first_look(tuple(distributions(imports(self.joined)).found))
        if first is None:
            return _untried(self.block, "no time", "could not be tried: its time was over before it began")
        self.log += [("again", run) for run in again]
        if not first.passed:
            stop = stopped(first, self.joined, self.each)
            return self._judged(first, "failed" if stop.failure else "unverified", stop.reason, stop.failure, stop.line)
        if not all(run.passed for run in again):
            return self._judged(first, "unverified", "its test passes, but not each time: not repeatable")
        if not self.tested:
            return self._judged(first, "unverified", "no test: the implementation alone runs to its end")
        weight = self._weighed(of_mutants)
        if weak := self._weak(weight):
            late = bool(weight.untried)
            return self._judged(first, "unverified", weak, weight=weight, unfinished=late)
        return self._confirmed(first, weight)

    def _first_look(self, preload: Sequence[str]) -> tuple[Run | None, list[Run], dict[Mutant, Run]]:
        """The block, itself again, and its mutants: forked from one process, or each alone where forking misleads."""
        step = len(self.mutants) // REPEATS + 1
        order: list[Mutant | None] = [None]
        for at in range(0, max(len(self.mutants), 1), step):
            order += [*list(self.mutants)[at : at + step], None]
        runs = self.runs.forked([self.mutants[mutant] if mutant else self.joined for mutant in order], preload)
        unchanged = [run for at, run in runs.items() if order[at] is None]
        misled = not all(run.passed for run in unchanged) and (preload or unchanged[0].lost)
        if unchanged and not misled:
            return unchanged[0], unchanged[1:], {m: run for at, run in runs.items() if (m := order[at])}
        first = self.runs.alone(self.joined, full_log=True) or next(iter(unchanged), None)
        if first is None or not first.passed:
            return first, [], {}
        repeated = [self.runs.alone(self.joined) for _ in range(REPEATS)]
        of_mutants = {mutant: self.runs.alone(text) for mutant, text in self.mutants.items()}
        return first, [run for run in repeated if run], {mutant: run for mutant, run in of_mutants.items() if run}

    def _weighed(self, of_mutants: Mapping[Mutant, Run]) -> Weight:
        self.log += [(mutant.description, run) for mutant, run in of_mutants.items()]
        tried = {mutant: noticed(run.job) for mutant, run in of_mutants.items()}
        return Weight(tried, len(self.mutants) - len(tried))

    def _weak(self, weight: Weight) -> str:
        """Why the test can't be trusted, "" if it can."""
        count = f"{weight.killed} of {weight.mutants} mutants killed"
        if self.mutants and not weight.by_assertion and not checks(self.block.test):
            return f"test too weak: it asserts nothing ({count})"
        match weakness(weight, self.share, imported=True):
            case None:
                return ""
            case "no mutants":
                return "test too weak: nothing in the implementation could be changed to try it"
            case "too little time":
                return (
                    f"its time was over after {weight.mutants} of {len(self.mutants)} mutants ({weight.killed} killed)"
                )
            case "parameter unseen":
                return (
                    "test too weak: it also passes where a parameter has no effect; it does not notice that "
                    f"{weight.unseen_parameter}"
                )
        silent = weight.mutants - weight.killed + weight.by_assertion
        return f"test too weak: {count}; its assertions notice {weight.by_assertion} of the {silent} that do not crash"

    def _confirmed(self, first: Run, forked: Weight) -> Judged:
        """What looked right, once more, each run in a sandbox of its own: nothing is left over from another run."""
        plain = [self._alone(self.joined, f"PYTHONHASHSEED={seed}", seed) for seed in HASH_SEEDS]
        names = [f"_{secrets.token_hex(3 + number)}" for number in range(NEUTRALS)]
        texts = [self.joined.with_implementation(neutral(self.joined.implementation, name)) for name in names]
        rewritten = [self._alone(text, "with unused variables added") for text in texts]
        killed = [mutant for mutant, notice in forked.tried.items() if notice.how != Noticed.NOT]
        again = {mutant: self.runs.alone(self.mutants[mutant]) for mutant in killed}
        weight = _both(forked, self._weighed({mutant: run for mutant, run in again.items() if run}))
        weak = ""
        late = not all((*plain, *rewritten, *again.values()))
        if late:
            weak, weight = "its time was over before its verdict was confirmed", forked
        elif not all(run.passed for run in plain if run):
            weak = "its test passes, but not each time: not repeatable"
        elif not all(run.passed for run in rewritten if run):
            weak = "test too weak: it judges the text of the code, for it fails when unused variables are added"
        weak = weak or self._weak(weight)
        count = f"{weight.killed} of {weight.mutants} mutants, {weight.by_assertion} by an assertion"
        reason = weak or f"its test passes and kills {count}"
        verdict: Verdict = "unverified" if weak else "verified"
        return self._judged(plain[0] or first, verdict, reason, weight=weight, unfinished=late)

    def _alone(self, joined: Joined, what: str, seed: int = 0) -> Run | None:
        run = self.runs.alone(joined, hash_seed=seed, full_log=True)
        if run:
            self.log.append((f"alone, {what}", run))
        return run

    def _judged(
        self,
        run: Run,
        verdict: Verdict,
        reason: str,
        failure: FailureClass | None = None,
        line: str | None = None,
        *,
        weight: Weight = NOT_WEIGHED,
        unfinished: bool = False,
    ) -> Judged:
        block, environment, log = self.block, self.environment, log_of(run, self.log)
        made = execution(
            sha256_of(block.implementation), sha256_of(block.test), environment, environment.spec.strategy, run.sandbox,
            log, exit_code=run.exit_code, signal=run.signal, limit=run.limit, wall_s=run.job.seconds,
        )  # fmt: skip
        judgement = Judgement(
            code=block.id, verdict=verdict, reason=reason, failure=failure, line=line, kind="imported",
            test=block.test, mutants=weight.mutants, killed=weight.killed, killed_by_assertion=weight.by_assertion,
            survivors=weight.survivors, execution=made, unfinished=unfinished,
        )  # fmt: skip
        return Judged(judgement, log)


def _both(forked: Weight, alone: Weight) -> Weight:
    """What was noticed both times, and by an assertion if both times so."""
    tried = {}
    for mutant, notice in forked.tried.items():
        again = alone.tried.get(mutant, Notice(Noticed.NOT))
        asserted = notice.how == Noticed.ASSERTION or again.how != Noticed.ASSERTION
        tried[mutant] = again if asserted else Notice(Noticed.CRASH)
    return Weight(tried, forked.untried)

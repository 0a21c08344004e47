"""From what was run to the verdict on a unit, and the execution it rests on."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from agents.code.mutants import Failure, classify
from agents.code.units import CodeBase
from agents.code.units.source import decode
from agents.code.verify.executions import CodeHashes, execution
from agents.code.verify.models import Judged
from agents.code.verify.preparing import Import, Prepared
from agents.code.verify.running import TestRun
from agents.code.verify.session import Sitting, own_path
from agents.code.verify.weighing import MIN_MUTANTS, Weight, nearest, weigh
from agents.execution.environments import absence
from kg.config import Settings
from kg.models.code import CodeUnit
from kg.models.execution import Judgement

__all__ = ["Judge"]

ROOM = 1.5
"""Times that running the chosen tests once may take longer than the tests alone: imports, collection."""
_Choice = tuple[list[TestRun], list[TestRun], Weight]
"""Tests that reach a unit, those of them that were chosen, and what these notice."""
SHOWN = 20
_WRONG = {"assertion", "other error", "version conflict"}
"""Survivors and tests that a judgement names at most."""


class Judge:
    """Judges one unit after another from the tests that were run."""

    def __init__(
        self,
        folder: Path,
        codebase: CodeBase,
        prepared: Prepared,
        runs: Sequence[TestRun],
        settings: Settings,
        first: frozenset[str],
    ) -> None:
        self.folder, self.prepared, self.runs, self.settings, self.first = folder, prepared, runs, settings, first
        self.hashes = CodeHashes(codebase)

    def late(self, unit: CodeUnit, why: str) -> Judged:
        """No verdict on `unit`, for which there is no time, but what is known of it."""
        reached = any(run.outcome == "passed" and not run.source.made for run in self._reaching(unit))
        return self._judged(_unverified(unit, why), unit, reached=reached)

    def judge(self, unit: CodeUnit, seconds: float) -> Judged:
        """The verdict on `unit`, whose mutation check may take so many seconds."""
        found = self.prepared.imports.get(unit.file)
        reaching = self._reaching(unit)
        passing = [run for run in reaching if run.outcome == "passed"]
        own = [run for run in reaching if not run.source.made]
        if self.prepared.session is None:
            problem = self.prepared.problems[0] if self.prepared.problems else "no strategy applies"
            return Judged(_unverified(unit, f"no environment can be had: {problem}"))
        failing = [run for run in own if run.outcome not in {"passed", "skipped"}]
        theirs = any(run.outcome == "passed" for run in own)
        if passing and (theirs or not any(self._refutes(run, unit) for run in failing)):
            return self._weighed(unit, passing, seconds)
        if found is None or not found.ok:
            return self._not_imported(unit, found or Import(unit.file, ended="lost"))
        if failing:
            return self._failed(unit, failing)
        broken = next((r for r in found.failures if "ImportError" in r.types), None)
        if broken is not None:
            failure = classify(broken, own=own_path)
            told = f"its module imports only in part: {failure.message}"
            sitting = self.prepared.sitting
            return self._judged(self._failure(unit, failure, told, [], sitting), unit, sitting.log() if sitting else "")
        return self._judged(_unverified(unit, self._why_unreached()), unit)

    def _reaching(self, unit: CodeUnit) -> list[TestRun]:
        return [run for run in self.runs if unit.id in run.units]

    def _judged(self, judgement: Judgement, unit: CodeUnit, log: str = "", reached: bool = False) -> Judged:
        found = self.prepared.imports.get(unit.file)
        as_it_is = unit.file in self.first
        return Judged(judgement, log.encode("utf-8", "replace"), bool(found and found.ok), as_it_is, reached)

    def _why_unreached(self) -> str:
        runs = [run for run in self.runs if not run.source.made]
        if not runs:
            return "the repository has no test that could be run, and no definition is known by its name"
        counts = Counter(run.outcome for run in runs)
        told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
        return f"no test of the repository reaches it ({told})"

    def _weighed(self, unit: CodeUnit, passing: Sequence[TestRun], seconds: float) -> Judged:
        """The mutation check of the repository's tests; if they prove too little, of those that are made here."""
        theirs = [run for run in passing if not run.source.made]
        made = [run for run in passing if run.source.made]
        choices: list[_Choice] = []
        for runs in filter(None, (theirs, made)):
            choices.append((runs, *self._strongest(unit, runs, seconds)))
            if not self._weak(choices[-1][2], runs):
                break
        group, tests, weight = max(choices, key=lambda choice: self._proof(choice[2], choice[0]))
        kind = tests[0].source.kind
        judgement = Judgement(
            code=unit.id,
            verdict="unverified",
            reason=self._weak(weight, group),
            kind=kind,
            test=self._shown(tests, weight.tests),
            mutants=weight.mutants,
            killed=weight.killed,
            killed_by_assertion=weight.by_assertion,
            survivors=weight.survivors[:SHOWN],
            execution=execution(self.folder, self.hashes, unit, tests, self.prepared, weight.sitting),
        )
        if not judgement.reason:
            told = f"{weight.killed} of {weight.mutants} mutants noticed by tests of kind {kind} ({len(weight.tests)})"
            judgement = judgement.model_copy(update={"verdict": "verified", "reason": told})
        return self._judged(judgement, unit, weight.sitting.log(), bool(theirs))

    def _strongest(self, unit: CodeUnit, passing: Sequence[TestRun], seconds: float) -> tuple[list[TestRun], Weight]:
        """The nearest tests and what they notice; where that is too little, what comes of a second choice.

        Which is fewer tests if the time was too short for all mutants, and others if not: quick ones are often smoke
        tests, so these may take twice as long. The second choice counts only if it proves more.
        """
        share = seconds / (ROOM * (self.settings.verify.mutants + 3))
        tests = nearest(unit, passing, share)
        weight = self._weigh(unit, tests, seconds)
        if not self._weak(weight, passing):
            return tests, weight
        short = bool(weight.untried)
        others = nearest(unit, [run for run in passing if short or run not in tests], share / 8 if short else 2 * share)
        if not others or others == tests:
            return tests, weight
        second = self._weigh(unit, others, seconds)
        return max((tests, weight), (others, second), key=lambda choice: self._proof(choice[1], passing))

    def _proof(self, weight: Weight, reaching: Sequence[TestRun]) -> tuple[bool, bool, float]:
        """How much tests prove: enough; or something, as enough mutants were tried; and the share they noticed."""
        tried = not weight.untried or weight.mutants >= MIN_MUTANTS
        return not self._weak(weight, reaching), tried, weight.share

    def _weigh(self, unit: CodeUnit, tests: Sequence[TestRun], seconds: float) -> Weight:
        settings = self.settings
        if self.prepared.session is None:
            raise ValueError("tests have passed without a session")
        return weigh(
            self.prepared.session,
            unit,
            self._text(unit.file),
            tests,
            seconds=seconds,
            each=settings.verify.test_seconds,
            limit=settings.verify.mutants,
        )

    def _shown(self, tests: Sequence[TestRun], passing: Sequence[str]) -> str:
        """The text of tests that were made for the unit, the names of the repository's own."""
        extra = self.prepared.session.extra if self.prepared.session else {}
        made = [extra[path] for path in sorted({run.source.path for run in tests}) if path in extra]
        return "\n".join([*passing[:SHOWN], *made])

    def _weak(self, weight: Weight, reaching: Sequence[TestRun]) -> str:
        """Why the tests, of those that reach the unit, prove too little; empty if they prove enough."""
        limit = weight.sitting.result.limit
        told = f"test too weak: {weight.killed} of {weight.mutants} mutants killed"
        if len(reaching) > len(weight.tests):
            told += f" by {len(weight.tests)} of the {len(reaching)} tests that reach it"
        reasons = (
            (limit and (weight.untried or not weight.tests), f"the sandbox's limit of {limit} ended its tests"),
            (not weight.tests, "the tests that reach it pass at first, but not again: flaky, or dependent on others"),
            (
                weight.untried and weight.mutants < MIN_MUTANTS,
                f"its tests take too long: only {weight.mutants} mutants could be tried (verify.unit_seconds)",
            ),
            (weight.mutants == 0, "test too weak: nothing in it can be changed so that a test could notice"),
            (weight.killed < self.settings.verify.share * weight.mutants, told),
            (weight.by_assertion == 0, f"{told}, none by an assertion"),
        )
        return next((reason for holds, reason in reasons if holds), "")

    def _not_imported(self, unit: CodeUnit, found: Import) -> Judged:
        """Its module can't be imported in any way."""
        limit = "timeout" if found.ended == "timeout" else None
        failure = classify(found.raised, limit=limit, stderr=found.log, own=own_path)
        if found.ended in {"lost", "skipped"}:
            return self._judged(_unverified(unit, "the sandbox ended before its module was imported"), unit)
        sitting = self.prepared.sitting
        judgement = self._failure(unit, failure, f"its module can't be imported: {failure.message}", [], sitting)
        return self._judged(judgement, unit, sitting.log() if sitting else "")

    def _failed(self, unit: CodeUnit, failing: Sequence[TestRun]) -> Judged:
        """Every test that reaches it fails: for a reason of its own, or for one elsewhere."""
        blamed = [run for run in failing if self._blames(run, unit)]
        run = min(blamed or failing, key=lambda r: (r.seconds, r.id))
        limit = "timeout" if run.outcome == "timeout" else None
        failure = classify(run.raised, limit=limit, own=own_path)
        if not blamed:
            told = f"no test that reaches it passes ({len(failing)} run), but for a reason elsewhere: {failure.message}"
            told += f" ({failure.line})"
            return self._judged(_unverified(unit, told), unit)
        told = f"no test that reaches it passes ({len(failing)} run): {failure.message}"
        sitting = run.sitting or self.prepared.sitting
        return self._judged(
            self._failure(unit, failure, told, failing, sitting), unit, sitting.log() if sitting else ""
        )

    def _blames(self, run: TestRun, unit: CodeUnit) -> bool:
        """Whether the failure passed through the unit's own lines, or an assertion judged its result."""
        if run.raised is None:
            return False
        within = any(
            own_path(file) == unit.file and unit.line <= line <= unit.end_line for file, line in run.raised.frames
        )
        return within or "AssertionError" in run.raised.types

    def _refutes(self, run: TestRun, unit: CodeUnit) -> bool:
        """Whether a failure says that the unit is wrong, and not that something is missing here."""
        return self._blames(run, unit) and classify(run.raised, own=own_path).kind in _WRONG

    def _failure(
        self, unit: CodeUnit, failure: Failure, told: str, tests: Sequence[TestRun], sitting: Sitting | None
    ) -> Judgement:
        session = self.prepared.session
        if session and failure.kind == "missing module" and (why := absence(session.environment, failure.message)):
            told += f": {why}"
        return Judgement(
            code=unit.id,
            verdict="failed",
            reason=told,
            failure=failure.kind,
            line=failure.line,
            kind=tests[0].source.kind if tests else None,
            test="\n".join(run.id for run in tests[:SHOWN]),
            execution=execution(self.folder, self.hashes, unit, tests, self.prepared, sitting) if sitting else None,
        )

    def _text(self, file: str) -> str:
        return decode((self.folder / file).read_bytes())[0].removeprefix("\ufeff")


def _unverified(unit: CodeUnit, why: str) -> Judgement:
    return Judgement(code=unit.id, verdict="unverified", reason=why)

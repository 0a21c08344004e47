"""From what was run to the verdict on a unit, and the execution it rests on."""

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from agents.code.mutants import Failure, classify
from agents.code.units import CodeBase
from agents.code.units.files import Limits, source_files
from agents.code.units.source import decode
from agents.code.verify.allowing import allowed
from agents.code.verify.choosing import nearest
from agents.code.verify.comparisons import computed, held_against_plain, of_what_it_left
from agents.code.verify.disregarded import unused
from agents.code.verify.durations import Durations
from agents.code.verify.naming import is_of_the_textbook
from agents.code.verify.pairs import paired
from agents.code.verify.preparing import Import, Prepared
from agents.code.verify.promises import dumped, promises
from agents.code.verify.reasons import changes_log, checked, unreached, weak_reason
from agents.code.verify.record import CodeHashes, Judged, execution, test_hash, untried
from agents.code.verify.running import TestRun
from agents.code.verify.scrutiny import Scrutiny
from agents.code.verify.session import repository_path
from agents.code.verify.sources import README
from agents.code.verify.unasserted import as_meant, denied
from agents.code.verify.weighing import WeighedTests, least_share, weigh
from agents.code.verify.weight import MIN_MUTANTS
from agents.execution.environments import absence
from agents.execution.harness import BatchRun, Inputs, JobResult
from kg.config import Settings
from kg.models.code import CodeUnit
from kg.models.execution import Execution, Judgement
from kg.verdicts import sha256_of

__all__ = ["UnitVerdicts"]

ROOM = 1.5
"""Times that running the chosen tests once may take longer than the tests alone: imports, collection."""
OTHERS = 16
"""Runs of the chosen tests beside those on mutants: on the code as it is, watched, and with wrong results."""
_Choice = tuple[list[TestRun], list[TestRun], WeighedTests]
"""Tests that reach a unit, those of them that were chosen, and what these notice."""
SHOWN = 20
"""Survivors and tests that a judgement names at most."""
_COOKIE = re.compile(r"\A((?:.*\n)?[ \t\f]*#.*?coding[:=][ \t]*)[-\w.]+")
"""What a file says of its encoding: inside it is UTF-8."""
_WRONG = {"assertion", "other error", "version conflict"}


class UnitVerdicts:
    """The verdicts on one unit after another, from the tests that were run."""

    def __init__(
        self, folder: Path, codebase: CodeBase, prepared: Prepared, runs: Sequence[TestRun], settings: Settings,
        durations: Durations,
    ) -> None:  # fmt: skip
        self.folder, self.prepared, self.runs, self.settings = folder, prepared, runs, settings
        self.durations = durations
        self.hashes = CodeHashes(codebase)
        files = [source.path for source in source_files(folder, Limits(), [])]
        variables = prepared.session.variables if prepared.session else ()
        self.scrutiny = Scrutiny(self.hashes, files, self.text, variables)

    def late(self, unit: CodeUnit) -> Judged:
        """No verdict on `unit`, for which there is no time, but what is known of it."""
        why = "the time for this repository is used up (verify.seconds)"
        reached = any(run.outcome == "passed" and run.source.kind != "property" for run in self._reaching(unit))
        return self._judged(untried(unit.id, "no time", why), unit, reached=reached)

    def of(self, unit: CodeUnit, seconds: float, said: Sequence[str] = ()) -> Judged:
        """The verdict on `unit`, whose mutation check may take so many seconds; `said` is what papers say of it."""
        found = self.prepared.imports.get(unit.file)
        reaching = self._reaching(unit)
        passing = [run for run in reaching if run.outcome == "passed"]
        repository_runs = [run for run in reaching if run.source.kind != "property"]
        if self.prepared.session is None:
            problem = self.prepared.problems[0] if self.prepared.problems else "no strategy applies"
            return Judged(untried(unit.id, "no environment", f"no environment can be had: {problem}"))
        failing = [run for run in repository_runs if run.outcome not in {"passed", "skipped"}]
        theirs = any(run.outcome == "passed" for run in repository_runs)
        if passing and (theirs or not any(self._refutes(run, unit) for run in failing)):
            return self._weighed(unit, passing, seconds, said)
        if found is None or not found.ok:
            return self._not_imported(unit, found or Import(unit.file, ended="lost"))
        if failing:
            return self._failed(unit, failing)
        broken = next((r for r in found.failures if "ImportError" in r.types), None)
        if broken is not None:
            # out of its package it lacks what is named from there: what kept its package from being imported is why
            first = found.raised if "relative import" in broken.message else None
            failure = classify(first or broken, locate=repository_path)
            reason = f"its module imports only in part: {failure.message}"
            return self._failure(unit, failure, reason, [], self.prepared.batch)
        return self._judged(untried(unit.id, "no test", unreached(unit, self.runs, self.hashes.units)), unit)

    def contradicted(self, unit: CodeUnit, seconds: float) -> str:
        """What a class says of itself as a whole and does not keep, found within so many seconds; "" if nothing is
        known. What is said of one of its methods tells nothing of the others, but of a descriptor, whose methods keep
        one value together."""
        if not is_of_the_textbook(unit) and "def __set__(" not in unit.text:
            return self.scrutiny.broken(unit, [run for run in self._reaching(unit) if run.outcome == "passed"])
        return self.of(unit, seconds).contradicted

    def beside(self, files: Mapping[str, str], runs: Sequence[TestRun] = ()) -> "UnitVerdicts":
        """The same with more `files` in the repository's copy, and `runs` in the place of all others."""
        if self.prepared.session is None:
            raise ValueError("no tests run without an environment")
        other = copy(self)
        other.prepared = replace(self.prepared, session=self.prepared.session.beside(files))
        other.runs = runs
        return other

    def unproven(self, unit: CodeUnit, reason: str, tests: Sequence[TestRun], batch: BatchRun) -> Judged:
        """Unverified by `tests`, with their run."""
        log = batch.log()
        judgement = Judgement(
            code=unit.id,
            verdict="unverified",
            reason=reason,
            kind=tests[0].source.kind,
            execution=self._execution(unit, tests, batch, log),
        )
        return self._judged(judgement, unit, log)

    def _reaching(self, unit: CodeUnit) -> list[TestRun]:
        return [run for run in self.runs if unit.id in run.units]

    def _judged(self, judgement: Judgement, unit: CodeUnit, log: str = "", reached: bool = False) -> Judged:
        found = self.prepared.imports.get(unit.file)
        return Judged(judgement, log.encode("utf-8", "replace"), bool(found and found.ok), reached)

    def _weighed(self, unit: CodeUnit, passing: Sequence[TestRun], seconds: float, said: Sequence[str]) -> Judged:
        """The mutation check of the repository's tests; if they prove too little, of those that are made here. Nothing
        outweighs an example of the unit's own docstring that shows something else."""
        if shown := next((run for run in self._reaching(unit) if _is_own_example(run, unit)), None):
            message = f"an example in its own docstring shows something else ({shown.id})"
            return self._failure(unit, Failure("assertion", None, message), message, [shown], shown.batch)
        asked, (passing, objection) = passing, self.scrutiny.of(unit, passing, self._reaching(unit))
        if objection:
            judgement = Judgement(code=unit.id, verdict="unverified", reason=objection)
            broken = self.scrutiny.broken(unit, asked)
            return replace(self._judged(judgement, unit, reached=True), contradicted=broken)
        theirs = [run for run in passing if run.source.kind != "property"]
        made = [run for run in passing if run.source.kind == "property"]
        readme = self._readme(unit)
        promised = dumped(promises(unit, said, "\n".join(map(self.text, readme))))
        choices: list[_Choice] = []
        for runs in filter(None, (theirs, made)):
            choices.append((runs, *self._strongest(unit, runs, seconds, promised)))
            if choices[-1][2].refuted or not self._weak(choices[-1][2], runs):
                break
        group, tests, weighed = max(choices, key=lambda choice: self._proof(choice[2], choice[0]))
        weight, kind = weighed.weight, tests[0].source.kind
        log = changes_log(weighed, self.text(unit.file), unit.file) + weighed.batch.log()
        read = [result.inputs for result in weighed.batch.results.values() if result.ended != "skipped"]
        read.append(Inputs(frozenset(readme)))
        inputs = Inputs.union(
            read + [run.batch.results[run.source.path].inputs if run.batch else None for run in tests]
        )
        why = self.scrutiny.distrust(unit, self._files, inputs, weighed.batch.results.values())
        judgement = Judgement(
            code=unit.id,
            verdict="unverified",
            reason=self._weak(weighed, group) or self._compares(unit, weighed, tests) or why,
            kind=kind,
            test=self._shown(tests, weighed.tests),
            mutants=weight.mutants,
            killed=weight.killed,
            killed_by_assertion=weight.by_assertion,
            survivors=weight.survivors[:SHOWN],
            execution=self._execution(unit, tests, weighed.batch, log, weighed.unchanged),
        )
        if not judgement.reason:
            reason = (
                f"{weight.killed} of {weight.mutants} mutants noticed by tests of kind {kind} ({len(weighed.tests)})"
                f"{checked(weighed)}{self._together(unit, weighed, tests)}"
                f"{self._unused(unit)}"
            )
            judgement = judgement.model_copy(update={"verdict": "verified", "reason": reason})
        judged = self._judged(judgement, unit, log, bool(theirs))
        return replace(judged, inputs=inputs, contradicted=next(iter(weight.refuted), ""))

    def _strongest(
        self, unit: CodeUnit, passing: Sequence[TestRun], seconds: float, promised: str
    ) -> tuple[list[TestRun], WeighedTests]:
        """The nearest tests and what they notice; where that is too little, another choice, if it proves more: those
        that noticed something, or fewer, if the time was too short for all mutants, and else others, which may take
        longer, as quick ones are often smoke tests. What refutes the unit ends this."""
        share = seconds / (ROOM * (self.settings.verify.mutants + OTHERS))
        left, stop, found = self._timed(passing), time.monotonic() + seconds, list[tuple[list[TestRun], WeighedTests]]()
        for times in (1, 2, 4):
            tests = nearest(unit, left, times * share)
            if not tests or (len(found) > 1 and time.monotonic() > stop):
                break
            found.append((tests, self._weigh(unit, tests, seconds, promised)))
            weighed = found[-1][1]
            if weighed.refuted or not self._weak(weighed, passing):
                break
            if weighed.weight.short:
                telling = [run for run in tests if run.id in weighed.weight.telling]
                fewer = telling if 0 < len(telling) < len(tests) else nearest(unit, left, share / 8)
                if fewer != tests:
                    found.append((fewer, replace(self._weigh(unit, fewer, seconds, promised), hurried=True)))
                break
            left = [run for run in left if run not in tests]
        return max(found, key=lambda choice: self._proof(choice[1], passing))

    def _proof(self, weighed: WeighedTests, reaching: Sequence[TestRun]) -> tuple[bool, bool, bool, float]:
        """How much tests prove: it is wrong; enough; or something, as enough mutants were tried; what they noticed."""
        weight = weighed.weight
        tried = not weight.untried or weight.mutants >= MIN_MUTANTS
        return weighed.refuted, not self._weak(weighed, reaching), tried, weight.share

    def _weigh(self, unit: CodeUnit, tests: Sequence[TestRun], seconds: float, promised: str) -> WeighedTests:
        settings = self.settings
        if self.prepared.session is None:
            raise ValueError("tests have passed without a session")
        weighed = weigh(
            self.prepared.session,
            unit,
            self.text(unit.file),
            tests,
            self._members(unit),
            seconds=seconds,
            each=settings.verify.test_seconds,
            limit=settings.verify.mutants,
            promises=promised,
            allow=self._allowed(unit, tests),
            meant=as_meant(unit, tests, self.runs, self.hashes.units, self.scrutiny.text_of),
        )
        if first := weighed.batch.results.get("unchanged 0"):
            taken = {str(e.get("test")): float(e.get("seconds") or 0) for e in first.of("end") if not e.get("limit")}
            for source in {run.source.path for run in tests}:
                mine = {run.id: taken[run.id] for run in tests if run.source.path == source and run.id in taken}
                self.durations.note(source, mine, alone=True)
        return replace(weighed, denied=self._denied(unit, weighed, tests))

    @cached_property
    def _files(self) -> frozenset[str]:
        """Those of the repository that the sandbox has."""
        return self.prepared.session.layout.known if self.prepared.session else frozenset()

    def _readme(self, unit: CodeUnit) -> list[str]:
        """The texts at the top that show calls by the name of a function, if no other of the code has it."""
        named = [other for other in self.hashes.units.values() if other.name == unit.name and other.role != "test"]
        if unit.kind != "function" or len(named) > 1:
            return []
        return [file for file in sorted(self._files) if README.match(file) and f"{unit.name}(" in self.text(file)]

    def _allowed(self, unit: CodeUnit, tests: Sequence[TestRun]) -> frozenset[str]:
        """Beginnings of kinds of wrong results that are none for a unit so tested."""
        reached = {name for run in tests for name in run.units}
        units = (self.hashes.units[name] for name in sorted(reached & self.hashes.units.keys()))
        return allowed(unit, [other for other in units if other.role == "test"])

    def _denied(self, unit: CodeUnit, weighed: WeighedTests, tests: Iterable[TestRun]) -> str:
        """How tests speak against a unit as they are written: one leaves it to the unit what it expects, or means to
        say something else."""
        used = [run for run in tests if run.id in weighed.tests]
        kept = weighed.batch.results.get("wrong unwritten")
        apart = {run.id for run in tests} - {*weighed.tests}
        said = of_what_it_left(unit, kept, used, self.hashes.units, self.text)
        return said or denied(unit, weighed.batch.results, weighed.tests, apart)

    def _compares(self, unit: CodeUnit, weighed: WeighedTests, tests: Iterable[TestRun]) -> str:
        """Why tests prove too little as they are written: a class of the repository says what its objects equal."""
        used = [run for run in tests if run.id in weighed.tests]
        method = weighed.weight.compares
        test = held_against_plain(unit, used, self.hashes.units, self.text) if method else ""
        return (
            f"test too weak: {test} holds an object against a plain value, by {method} of its own repository: assert "
            "what it holds" if test else ""
        )  # fmt: skip

    def _together(self, unit: CodeUnit, weighed: WeighedTests, tests: Iterable[TestRun]) -> str:
        """With which other unit alone the tests show it, or what of theirs says all that they expect; empty if they
        show it alone."""
        used = [run for run in tests if run.id in weighed.tests]
        if other := paired(unit, used, self.hashes.units, self.text):
            return f"; shown only together with {other}"
        theirs = computed(unit, used, self.hashes.units, self.text)
        return f"; all that its tests expect of it, but 0 and 1, comes from {theirs} of their own" if theirs else ""

    def _unused(self, unit: CodeUnit) -> str:
        """Which parameters have no effect; empty if all may have one."""
        names = unused(unit, self.scrutiny.possible)
        return f"; nothing in its source looks at {', '.join(names)}" if names else ""

    def _timed(self, runs: Sequence[TestRun]) -> list[TestRun]:
        """The tests with the time that they are known to take among few, without what others compile for them."""
        alone = self.durations.alone
        return [replace(run, seconds=max(run.seconds, alone(run.source.path, run.id))) for run in runs]

    def _members(self, unit: CodeUnit) -> dict[str, tuple[int, int]]:
        """The lines of the functions of a unit by their names: its own, or those of a class's methods."""
        below = {u.name: (u.line, u.end_line) for u in self.hashes.units.values() if u.id.startswith(f"{unit.id}.")}
        return below or {unit.name: (unit.line, unit.end_line)}

    def _shown(self, tests: Sequence[TestRun], passing: Sequence[str]) -> str:
        """The text of tests that were made for the unit, the names of the repository's own."""
        extra = self.prepared.session.extra if self.prepared.session else {}
        made = [extra[path] for path in sorted({run.source.path for run in tests}) if path in extra]
        return "\n".join([*passing[:SHOWN], *made])

    def _weak(self, weighed: WeighedTests, reaching: Sequence[TestRun]) -> str:
        """Why the tests, of those that reach the unit, prove too little; empty if they prove enough."""
        return weak_reason(weighed, reaching, least_share(self.settings.verify, reaching))

    def _not_imported(self, unit: CodeUnit, found: Import) -> Judged:
        """Its module can't be imported in any way."""
        limit = "timeout" if found.ended == "timeout" else None
        failure = classify(found.raised, limit=limit, stderr=found.log, locate=repository_path)
        if found.ended in {"lost", "skipped", "cut"}:
            why = "the sandbox ended before its module was imported"
            return self._judged(untried(unit.id, "sandbox ended", why), unit)
        reason = f"its module can't be imported: {failure.message}"
        return self._failure(unit, failure, reason, [], self.prepared.batch)

    def _failed(self, unit: CodeUnit, failing: Sequence[TestRun]) -> Judged:
        """Every test that reaches it fails: for a reason of its own, or for one elsewhere."""
        blamed = [run for run in failing if self._blames(run, unit)]
        run = min(blamed or failing, key=lambda r: (r.seconds, r.id))
        limit = "timeout" if run.outcome == "timeout" else None
        failure = classify(run.raised, limit=limit, locate=repository_path)
        if run.outcome == "died":
            failure = Failure("other error", None, f"the process of {run.id} ended before the test did")
        elif run.hidden and run.raised is None:
            message = f"{run.id} is called passed by a hook, fixture or plugin, but did not run to its end itself"
            failure = Failure("other error", None, message)
        if not blamed:
            reason = (
                f"no test that reaches it passes ({len(failing)} run), but for a reason elsewhere: {failure.message}"
            )
            reason += f" ({failure.line})" if failure.line else ""
            return self._judged(Judgement(code=unit.id, verdict="unverified", reason=reason), unit)
        reason = f"no test that reaches it passes ({len(failing)} run): {failure.message}"
        return self._failure(unit, failure, reason, failing, run.batch or self.prepared.batch)

    def _blames(self, run: TestRun, unit: CodeUnit) -> bool:
        """Whether the failure passed through the unit's own lines, or an assertion judged its result."""
        if run.raised is None:
            return run.outcome == "died" and run.last == unit.id
        within = any(
            repository_path(file) == unit.file and unit.line <= line <= unit.end_line
            for file, line, _ in run.raised.frames
        )
        return within or "AssertionError" in run.raised.types

    def _refutes(self, run: TestRun, unit: CodeUnit) -> bool:
        """Whether a failure says that the unit is wrong, and not that something is missing here."""
        return self._blames(run, unit) and classify(run.raised, locate=repository_path).kind in _WRONG

    def _failure(
        self, unit: CodeUnit, failure: Failure, reason: str, tests: Sequence[TestRun], batch: BatchRun | None
    ) -> Judged:
        session = self.prepared.session
        if session and failure.kind == "missing module":
            why = absence(session.environment, failure.message, self.folder)
            reason += f": {why}" if why else ""
        judgement = Judgement(
            code=unit.id,
            verdict="failed",
            reason=reason,
            failure=failure.kind,
            line=failure.line,
            kind=tests[0].source.kind if tests else None,
            test="\n".join(run.id for run in tests[:SHOWN]),
            execution=self._execution(unit, tests, batch, batch.log()) if batch else None,
        )
        return self._judged(judgement, unit, batch.log() if batch else "")

    def _execution(
        self, unit: CodeUnit, tests: Sequence[TestRun], batch: BatchRun, log: str, job: JobResult | None = None
    ) -> Execution:
        """The record of `batch`, in which `tests` were run on `unit`; it ended as `job` did, if that is given."""
        session = self.prepared.session
        if session is None:
            raise ValueError("an execution needs an environment")
        test = test_hash(self.folder, session.extra, tests)
        strategy = self.prepared.strategy
        text, closure = sha256_of(unit.text), self.hashes.of(unit)
        kept = log.encode("utf-8", "replace")
        ended: dict[str, int | None] = {} if job is None else {"exit_code": job.status, "signal": None, "limit": None}
        return execution(text, test, session.environment, strategy, batch.result, kept, closure_sha256=closure, **ended)

    def text(self, file: str) -> str:
        """The text of one of the repository's files, as it lies in the sandbox."""
        text = decode((self.folder / file).read_bytes())[0].removeprefix("\ufeff")
        return _COOKIE.sub(r"\1utf-8", text, count=1)


def _is_own_example(run: TestRun, unit: CodeUnit) -> bool:
    """Whether it is an example in the unit's own docstring, and what it shows is not what comes out."""
    wrong = run.raised is not None and "DocTestFailure" in run.raised.types
    return wrong and run.source.kind == "doctest" and run.id.endswith(f".{unit.symbol}")

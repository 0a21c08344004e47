"""Trying rewrites of one repository's units in the sandbox: alone, beside the original, and in its place."""

import shutil
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from packaging.requirements import Requirement

from agents.code.mutants import Failure, Raised, classify
from agents.code.units import CodeBase, read_units
from agents.code.units.source import decode
from agents.code.verify import Judged, Verifier
from agents.code.verify.running import Source, TestRun, changed, options
from agents.code.verify.session import Session, raised_of, repository_path
from agents.code.verify.statements import Statements
from agents.code.verify.unit_verdicts import UnitVerdicts
from agents.execution.environments import distributions
from agents.execution.harness import Harness, Job, JobResult, Workspace
from agents.execution.sandbox import Sandbox
from agents.llm import LLM
from agents.rewrite.absent import probe
from agents.rewrite.fidelity import Fidelity, Outcome, compare, compared, varied
from agents.rewrite.lifting import objection, original_file, stood_for, with_arguments, without_gpu
from agents.rewrite.reading import in_place, judged_lines, read
from agents.rewrite.recording import recorded_text
from agents.rewrite.records import held_of, is_trace, outcomes, traceback_text
from agents.rewrite.reply import Lifted
from agents.rewrite.task import Cause, Finding, Task
from agents.testwriting import TestWriter, bound_anew, source_of, untied
from kg.config import Settings
from kg.files import disk_errors
from kg.models.code import CodeUnit, StoredModule
from kg.verdicts.specification import Specification

__all__ = ["Trials", "Tried"]

SECONDS = 90.0
"""Of an import, and of making all calls of a unit again."""
TESTS = 20
"""Tests at most whose calls are recorded, and failing ones that are shown."""
SEEDS = (0, 1)
PROBE, ABSENT = "xkg_probe.py", 20
"""The file that looks what the environment lacks, and names at most that are told."""


class Tried:
    """What came of a rewrite: the first thing that is `wrong`, its fidelity and its verdict as far as it came."""

    def __init__(self) -> None:
        self.wrong: Finding | None = None
        self.fidelity = Fidelity()
        self.judged: Judged | None = None


class Trials:
    """The repository at `folder`, prepared once for the rewrites of `units`; copies of it are made below `scratch`.

    Everything runs in `sandbox`. With `llm`, which writes tests from the `specifications` of units, by their ids, a
    rewrite that no test verifies is held against such a test. Raises SandboxError when the sandbox itself fails.
    """

    def __init__(
        self, folder: Path, codebase: CodeBase, units: Sequence[CodeUnit], sandbox: Sandbox, settings: Settings,
        scratch: Path, llm: LLM | None = None, specifications: Mapping[str, Specification] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        self.llm, self.specifications = llm, specifications
        self.folder, self.codebase, self.units, self.scratch = folder, codebase, list(units), scratch
        self.sandbox, self.settings = sandbox, settings
        self.verifier = Verifier(folder, codebase, sandbox, settings)
        self._recorded: dict[str, list[dict[str, Any]]] = {}
        self._compared: list[dict[str, Any]] = []
        self._there: tuple[tuple[str, str, str], tuple[CodeUnit, UnitVerdicts]] | None = None

    @cached_property
    def verdicts(self) -> UnitVerdicts:
        """The repository's environment, and what its own tests reach, found when it is first asked for."""
        return self.verifier.prepare(self.units)

    @property
    def session(self) -> Session | None:
        """The environment with the repository's copy; None if none can be had."""
        return self.verdicts.prepared.session

    @property
    def problem(self) -> str:
        """Why there is no environment."""
        return next(iter(self.verdicts.prepared.problems), "no strategy applies")

    def environment(self, task: Task) -> str:
        """The Python and the packages that the originals run with, as a model is told; "" if there are none."""
        found = distributions(task.module.third_party).found.values()
        return self.session.environment.told(Requirement(one).name for one in found) if self.session else ""

    def absent(self, task: Task) -> tuple[str, ...]:
        """What the original takes of other modules, and these do not have in the environment, as far as anybody can
        tell before it is called."""
        looked = probe(task.module.files)
        if self.session is None or not looked.paths:
            return ()
        asked = {"root": "repo", "file": PROBE, "way": "statements", "symbols": [*looked.paths.values()]}
        result = self._run({PROBE: looked.text}, task.module, [Job("absent", "import", SECONDS, asked)])["absent"]
        event = next(iter(result.of("import")), {})
        if result.ended != "finished" or not event.get("ok"):
            return ()
        return tuple(looked.lacking(event.get("symbols") or ()))[:ABSENT]

    def of(self, task: Task, source: str, lifted: Sequence[Lifted] = ()) -> Tried:
        """Everything that `source` as the module of `task` is held against, up to the first thing that is wrong; it
        takes what is `lifted` as arguments."""
        tried = Tried()
        tried.wrong = read(task, source) or objection(task, source, lifted) or self._alone(task, source)
        if tried.wrong is None:
            tried.fidelity, tried.wrong = self._beside(task, source)
        if tried.wrong is None:
            tried.judged, tried.wrong = self._in_place(task, source)
        return tried

    def _alone(self, task: Task, source: str) -> Finding | None:
        """Import it where nothing of the repository is."""
        files, name = task.files(source), task.file.removesuffix(".py")
        asked = {"root": "repo", "file": task.file, "way": "name", "name": name, "symbols": [task.unit.symbol]}
        result = self._run(files, task.module, [Job("import", "import", SECONDS, asked)])["import"]
        event = next(iter(result.of("import")), {})
        if result.ended == "finished" and event.get("ok"):
            return None
        raised, limit = raised_of(event.get("raised")), "timeout" if result.ended == "timeout" else None
        failure = classify(raised, limit=limit or result.limit, stderr=result.log, locate=repository_path)
        said = f"it can't be imported: {failure.message}"
        return Finding(Cause.DOES_NOT_RUN, said, traceback_text(raised, files) or failure.message, failure)

    def _beside(self, task: Task, source: str) -> tuple[Fidelity, Finding | None]:
        """Make the calls of the repository's tests, and then the same with other numbers, with the original's slice and
        with the rewrite, each alone."""
        traces, self._compared = self.traces(task.unit), []
        if not traces or not task.module.symbol:
            return Fidelity(), None
        original = task.module.files, task.module.import_name, task.module.symbol.partition(".")[0]
        files, name = task.files(source), task.file.removesuffix(".py")
        fidelity, records, place = Fidelity(), dict[int | None, Raised](), None
        for made_up, calls in ((False, traces), (True, varied(traces))):
            if not calls or fidelity.found == "unfaithful":
                break
            first, again = (self._calls(*original, task.module, calls, seed)[0] for seed in SEEDS)
            self._compared += compared(calls, first, again)
            ours, records = self._calls(files, name, task.top, task.module, calls, SEEDS[0])
            found, place = compare(calls, first, again, ours, made_up=made_up)
            fidelity = fidelity.plus(found)
        if fidelity.found != "unfaithful":
            return fidelity, None
        raised = records.get(place) or records.get(None)
        report = "\n".join(filter(None, [fidelity.difference, traceback_text(raised, files)]))
        failure = classify(raised, locate=repository_path) if raised else None
        said = f"{fidelity.equal} of {fidelity.inputs} calls give what the original gives: {fidelity.difference}"
        return fidelity, Finding(Cause.UNFAITHFUL, said, report, failure)

    def traces(self, unit: CodeUnit) -> list[dict[str, Any]]:
        """The calls that the repository's passing tests make of a unit, as far as they can be made again."""
        if unit.id not in self._recorded:
            self._recorded[unit.id] = self._record(unit)
        return self._recorded[unit.id]

    def _record(self, unit: CodeUnit) -> list[dict[str, Any]]:
        session, path = self.session, f"repo/{unit.file}"
        text = recorded_text(self._text(self.folder / unit.file), unit)
        runs = [run for run in self.verdicts.runs if unit.id in run.units and run.outcome == "passed"]
        if session is None or text is None:
            return []
        runs = sorted(runs, key=lambda run: (run.source.kind == "property", run.id))[:TESTS]
        results = changed(session, _by_source(runs), path, text, self.settings.verify.test_seconds)
        events = [event for result in results for event in result.of("recorded")]
        return [trace for event in events for trace in event.get("traces") or () if is_trace(trace)]

    def _calls(
        self, files: Mapping[str, str], name: str, symbol: str, module: StoredModule,
        traces: Sequence[dict[str, Any]], seed: int,
    ) -> tuple[list[list[Outcome]], dict[int | None, Raised]]:  # fmt: skip
        """What came of each call, and the first exception of each trace, of the import under None."""
        result = self._called(files, name, symbol, module, traces, seed)
        events = {event.get("number"): event for event in result.of("trace")}
        records = ((number, raised_of(event.get("raised"))) for number, event in events.items())
        raised: dict[int | None, Raised] = {number: found for number, found in records if found}
        if imported := next((found for e in result.of("import") if (found := raised_of(e.get("raised")))), None):
            raised[None] = imported
        return [outcomes(events.get(number, {})) for number in range(len(traces))], raised

    def _called(
        self, files: Mapping[str, str], name: str, symbol: str, module: StoredModule,
        traces: Sequence[dict[str, Any]], seed: int,
    ) -> JobResult:  # fmt: skip
        asked = {"root": "repo", "name": name, "symbol": symbol, "traces": list(traces), "seed": seed}
        return self._run(files, module, [Job("calls", "calls", SECONDS, asked)])["calls"]

    def _run(
        self, files: Mapping[str, str], module: StoredModule, jobs: Sequence[Job],
        beside: Mapping[str, str] = MappingProxyType({}),
    ) -> Mapping[str, JobResult]:  # fmt: skip
        """Run jobs where nothing lies but `files`, the data that the original reads, and others `beside` them."""
        if self.session is None:
            raise ValueError("nothing can be tried without an environment")
        data = tuple(path for path in module.data if path in self.verifier.layout.known)
        workspace = Workspace(
            repository=self.folder if data else None,
            files=data,
            write={**{f"repo/{path}": text for path, text in files.items()}, **beside},
            path=("repo",),
            size=sum((self.folder / path).stat().st_size for path in data) + sum(map(len, files.values())),
            variables=self.session.variables,
        )
        harness = Harness(self.session.environment, self.sandbox, self.session.memory)
        results = harness.run(jobs, workspace, sum(job.seconds for job in jobs)).results
        return {job.id: results.get(job.id, JobResult(job.id, "lost")) for job in jobs}

    def _in_place(self, task: Task, source: str) -> tuple[Judged | None, Finding | None]:
        """Let the repository's own tests judge it in the place of the original."""
        placed = self._placed(task, source)
        if placed is None:
            return None, None
        mine, verdicts = placed
        judged = verdicts.of(mine, self.settings.verify.unit_seconds, task.said)
        failing = [run for run in verdicts.runs if mine.id in run.units and run.outcome in {"failed", "error", "died"}]
        wrong = self._refuted(task, source, judged, failing)
        return (judged if wrong else self._reached(task, source, mine, verdicts, judged)), wrong

    def supplemented(
        self, task: Task, source: str, lifted: Sequence[Lifted], judged: Judged | None
    ) -> tuple[Judged | None, Finding | None]:
        """`judged`, or what a test showed beyond that a model wrote from what papers say of the original; and what is
        wrong if the same test contradicts the original.

        It must hold of the original, too, which is given what is `lifted` as the module is: nothing else ties the one
        to the other. Of documentation the writer is shown the original's, and not what a model wrote that has seen the
        code.
        """
        specification = self.specifications.get(task.unit.id)
        if judged is None or judged.judgement.verdict != "unverified" or not (self.llm and specification):
            return judged, None
        said = {one.symbol: one.docstring for one in self.codebase.units if one.file == task.unit.file}

        def documented(one: CodeUnit) -> CodeUnit:
            return one.model_copy(update={"docstring": said.get(one.symbol, "")}) if one.file == task.file else one

        placed = self._placed(task, source)
        if placed is None:
            return judged, None
        mine, verdicts = placed
        writer = TestWriter(self.llm, {mine.id: specification}, documented, stood_for(task, lifted))
        found = writer(mine, judged, verdicts, self.settings.verify.unit_seconds)
        found = self._reached(task, source, mine, verdicts, found)
        told = found.judgement
        if told.verdict != "verified":
            return found, None
        contradicted, broken = self._held(task, source, lifted, told.test)
        if contradicted:
            why = f"a test that holds for it does not for the original: {contradicted}"
            return judged, Finding(Cause.UNFAITHFUL, why, told.test)
        if broken:
            return untied(found, broken), None
        return found, None

    def _held(self, task: Task, source: str, lifted: Sequence[Lifted], text: str) -> tuple[str, str]:
        """The first test of a file, which holds of the module, that an assertion shows not to hold of the original,
        and why not all could be held against that; "" for what is not so."""
        files, place = with_arguments(task, source, lifted), f"tau/test_{task.file}"
        if files is None:
            return "", "it can't be read"
        bound, wanted = bound_anew(text, original_file(task), task.module.import_name)
        tests = Source(place, "written", ini=False, conftest=False)
        asked = {"each": self.settings.verify.test_seconds, "trace": True, "skip": [], "only": None, **options([tests])}
        result = self._run(files, task.module, [Job(place, "tests", SECONDS, asked)], {place: bound})[place]
        return held_of(result, wanted, original_file(task))

    def _reached(self, task: Task, source: str, mine: CodeUnit, verdicts: UnitVerdicts, judged: Judged) -> Judged:
        """`judged`, but not verified if it has a statement, which the original does not have, that no test ran and no
        call that was compared."""
        told = judged.judgement
        if told.verdict != "verified" or verdicts.prepared.session is None:
            return judged
        session = verdicts.prepared.session
        try:
            originals = list(task.module.files.values())
            marked = Statements(source, [*originals, *map(without_gpu, originals)])
        except RecursionError:
            return _unproven(judged, "it is too deep for it to be told which of its statements were run")
        tests = _by_source(run for run in verdicts.runs if mine.id in run.units and run.outcome == "passed")
        if told.kind == "written":
            tests = {(own := source_of(told.test)): ()}
            session = session.beside({own.path: told.test})
        if not marked.unreached:
            return judged
        for result in changed(session, tests, f"repo/{task.file}", marked.text, self.settings.verify.test_seconds):
            for event in result.of("marks"):
                marked.took(event.get("marks"))
        if marked.unreached and self._compared:
            files, name = {**task.files(source), task.file: marked.text}, task.file.removesuffix(".py")
            for event in self._called(files, name, task.top, task.module, self._compared, SEEDS[0]).of("marks"):
                marked.took(event.get("marks"))
        if not marked.unreached:
            return judged
        return _unproven(judged, f"no test and no recorded call runs what only the rewrite has: {marked.unreached}")

    def _placed(self, task: Task, source: str) -> tuple[CodeUnit, UnitVerdicts] | None:
        """A rewrite in the place of the original in a copy of the repository, which stays until another comes there or
        it is cleared; None where it can't be put there.

        What is judged, and made into mutants, is the whole text of the rewrite, but for the class around a method.
        """
        key = task.unit.id, task.file, source
        if self._there and self._there[0] == key:
            return self._there[1]
        self.clear()
        text = in_place(self._text(self.folder / task.unit.file), task.unit, task.file.removesuffix(".py"))
        if text is None:
            return None
        with disk_errors(self.scratch):
            self._copy({**task.files(source), task.unit.file: text})
        codebase = read_units(self.scratch)
        units = {unit.id: unit for unit in codebase.units}
        there, mine = units.get(task.unit.id), units.get(f"{task.file}#{task.unit.symbol}")
        if there is None or mine is None:
            return None
        first, last = judged_lines(task, source)
        lines = {"line": first, "end_line": last, "start": 0, "end": len(source.encode())}
        mine = mine.model_copy(update={"text": source, **lines})
        verifier = Verifier(self.scratch, codebase, self.sandbox, self.settings)
        verifier.when = self.verifier.when
        self._there = key, (mine, verifier.prepare([mine, there]))
        return self._there[1]

    def clear(self) -> None:
        """Remove the copy of the repository in which a rewrite was last tried."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        self._there = None

    def _refuted(self, task: Task, source: str, judged: Judged, failing: Sequence[TestRun]) -> Finding | None:
        """The tests that pass with the original and fail with the rewrite, or what else made its verdict "failed"."""
        passed = {run.id for run in self.verdicts.runs if run.outcome == "passed"}
        broken = sorted((run for run in failing if run.id in passed), key=lambda run: run.id)
        if not broken and judged.judgement.verdict != "failed":
            return None
        said = (
            judged.judgement.reason if not broken else f"{len(broken)} tests that pass with the original fail with it"
        )
        files = task.files(source)
        report = [f"{run.id}: {run.outcome}\n{traceback_text(run.raised, files)}" for run in broken[:TESTS]]
        raised = next((run.raised for run in broken if run.raised), None)
        failure = classify(raised, locate=repository_path) if raised else None
        if failure is None and judged.judgement.failure:
            failure = Failure(judged.judgement.failure, judged.judgement.line, judged.judgement.reason)
        return Finding(Cause.TESTS_FAIL, said, "\n".join(report) or said, failure)

    def _copy(self, others: Mapping[str, str]) -> None:
        """A copy of what of the repository goes into the sandbox, with `others` in the place of its files."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        for path in self.verifier.layout.files:
            place = self.scratch / path
            place.parent.mkdir(parents=True, exist_ok=True)
            if path not in others:
                shutil.copy2(self.folder / path, place)
        for path, target in self.verifier.layout.links.items():
            place = self.scratch / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(target)
        for path, text in others.items():
            (self.scratch / path).write_text(text, encoding="utf-8")

    @staticmethod
    def _text(file: Path) -> str:
        return decode(file.read_bytes())[0].removeprefix("\ufeff")


def _unproven(judged: Judged, why: str) -> Judged:
    """`judged`, which tests verified, as unverified."""
    told = judged.judgement
    weak = told.written and told.written.model_copy(update={"state": "weak"})
    update = {"verdict": "unverified", "reason": f"{why} ({told.reason})", "written": weak}
    return replace(judged, judgement=told.model_copy(update=update))


def _by_source(runs: Iterable[TestRun]) -> Mapping[Source, Sequence[TestRun]]:
    found: dict[Source, list[TestRun]] = defaultdict(list)
    for run in runs:
        found[run.source].append(run)
    return found

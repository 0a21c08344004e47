"""Judges the code units of one repository: environment, imports, tests, mutants, verdict."""

import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path

from agents.sandbox import Sandbox
from ingest.units import CodeBase
from ingest.verify.discover import TestFile, date_of, test_files
from ingest.verify.judging import Judge
from ingest.verify.layout import lay_out
from ingest.verify.models import Judged
from ingest.verify.preparing import Prepared, prepare
from ingest.verify.running import Reacher, Source, TestRun, run_tests
from kg.config import Settings
from kg.models.code import CodeUnit
from kg.models.execution import Judgement

__all__ = ["Verifier"]

TEST_SHARE = 0.35
"""Part of a repository's time that running its tests once may take."""


class Verifier:
    """The repository at `folder`, read as `codebase`, judged in `sandbox`.

    `when` dates its libraries (default: its last commit, or what its texts tell). Every piece of its code runs in the
    sandbox and nowhere else. Raises SandboxError when the sandbox itself fails.
    """

    def __init__(
        self, folder: Path, codebase: CodeBase, sandbox: Sandbox, settings: Settings, *, when: date | None = None
    ) -> None:
        self.folder, self.codebase, self.sandbox, self.settings = folder, codebase, sandbox, settings
        self.when = when or date_of(folder)
        self.layout = lay_out(folder, codebase, settings.verify_repository_mb)

    def judge(self, units: Iterable[CodeUnit]) -> Iterator[Judged]:
        """A judgement for each unit in its order; the order of work and its result are the same each time.

        Units that the repository's time no longer suffices for are unverified and say so.
        """
        asked = list(units)
        stop = time.monotonic() + self.settings.verify_seconds
        python = [unit for unit in asked if unit.language == "python" and unit.file in self.layout.known]
        judge: Judge | None = None
        for unit in asked:
            if unit not in python:
                yield Judged(_untried(unit, self._why_not(unit)))
                continue
            if judge is None:
                judge = self._prepare(python, stop)
            if time.monotonic() > stop:
                yield Judged(_untried(unit, "the time for this repository is used up (verify_seconds)"))
                continue
            yield judge.judge(unit)

    def _why_not(self, unit: CodeUnit) -> str:
        if unit.language != "python":
            return f"nothing here runs tests of {unit.language} code"
        if unit.kind == "cell" or unit.file.endswith(".ipynb"):
            return "a notebook's cell can't be tested on its own"
        return "its file is too large for the sandbox (verify_repository_mb)"

    def _prepare(self, units: Sequence[CodeUnit], stop: float) -> Judge:
        tests = test_files(self.codebase, units)
        prepared = prepare(
            self.folder, self.codebase, self.layout, units, tests, self.sandbox, self.settings, self.when
        )
        runs = self._run_tests(prepared, tests, stop) if prepared.session else []
        return Judge(self.folder, self.codebase, prepared, runs, self.settings)

    def _run_tests(self, prepared: Prepared, tests: Sequence[TestFile], stop: float) -> list[TestRun]:
        if prepared.session is None or not tests:
            return []
        seconds = min(TEST_SHARE * self.settings.verify_seconds, stop - time.monotonic())
        each = self.settings.verify_test_seconds
        sources = [Source(f"repo/{test.path}") for test in tests]
        reacher = Reacher(self.codebase.units)
        runs, _ = run_tests(prepared.session, sources, reacher, seconds=seconds, each=each, file_seconds=seconds / 3)
        return runs


def _untried(unit: CodeUnit, why: str) -> Judgement:
    return Judgement(code=unit.id, verdict="unverified", reason=why)

"""What an agent has written, run in the sandbox: a script, its tests, and what `xkg code verify` says of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agents.code.mutants import Failure, classify
from agents.code.units import CodeBase, read_units
from agents.code.verify import Verifier
from agents.code.verify.discover import outside_imports
from agents.code.verify.layout import lay_out
from agents.execution.environments import (
    Environment,
    EnvironmentFailed,
    build_environment,
    mounts,
    strategies,
    variables,
)
from agents.execution.sandbox import Limits, RunSpec, Sandbox
from agents.tools.workspace import Workspace
from kg.config import Settings
from kg.errors import InputError
from kg.models.code import CodeUnit

__all__ = ["SECONDS", "Ran", "Runner", "Verdict", "judged_units"]

INSIDE = "/work/"
SECONDS = 120.0
SHOWN = 6_000
"""Characters of what a run printed that are told: its end, where errors are."""
NO_TESTS = 5
"""pytest's exit code where there was none to run."""
JUDGED = {"function", "class", "method"}
_TIMES = re.compile(r"\bin \d+\.\d+s\b")
_FOREIGN = re.compile(r'^ +File "/(?:opt|usr)/[^\n]*\n(?: {4}[^\n]*\n)*', re.MULTILINE)
"""Frames of libraries: what pytest itself does is of no use to whoever mends a test."""


@dataclass(frozen=True)
class Ran:
    """What came of a run. `state` is "passed", "failed" or "limit" (of the sandbox); `failure` is its class and place
    where it did not pass; `output` the end of what it printed."""

    command: str
    state: Literal["passed", "failed", "limit"]
    failure: Failure | None
    output: str

    @property
    def passed(self) -> bool:
        return self.state == "passed"


@dataclass(frozen=True)
class Verdict:
    """What verification says of one function, class or method."""

    file: str
    symbol: str
    verdict: str
    reason: str


class Runner:
    """Runs copies of a workspace in the sandbox, with the packages that its code imports and without network.

    Raises InputError for what can't be run, SandboxError where the sandbox itself fails.
    """

    def __init__(self, workspace: Workspace, settings: Settings, sandbox: Sandbox) -> None:
        self.workspace, self.settings, self.sandbox = workspace, settings, sandbox
        self._environments: dict[tuple[str, ...], Environment] = {}

    def script(self, path: str, arguments: Sequence[str] = (), seconds: float = SECONDS) -> Ran:
        """Run a Python file."""
        self.workspace.read(path)
        return self._run((path, *arguments), seconds)

    def tests(self, paths: Sequence[str] = (), seconds: float = SECONDS) -> Ran:
        """Run pytest on these files, or on all that look like tests. Without a test nothing has passed."""
        for path in paths:
            self.workspace.read(path)
        options = ("-m", "pytest", "-q", "--tb=native", "-p", "no:cacheprovider", "--disable-warnings")
        return self._run((*options, *paths), seconds)

    def verdicts(self) -> list[Verdict]:
        """The verdict of every function, class and method, by the tests that lie here and their mutants."""
        folder = self.workspace.root
        codebase = read_units(folder)
        units = judged_units(codebase)
        judged = Verifier(folder, codebase, self.sandbox, self.settings).judge(units)
        return [
            Verdict(unit.file, unit.symbol, one.judgement.verdict, one.judgement.reason)
            for unit, one in zip(units, judged, strict=True)
        ]

    def _run(self, arguments: Sequence[str], seconds: float) -> Ran:
        texts = self.workspace.texts()
        environment = self.environment()
        result = self.sandbox.run(
            RunSpec(
                argv=("python3", *arguments),
                files={path: text.encode() for path, text in texts.items()},
                read_only=mounts(environment),
                environment={**variables(environment), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"},
                python=environment.python,
                limits=Limits(wall=seconds, memory=self.settings.verify.memory_mb * 1_000_000),
                outputs=(),
            )
        )
        printed = "\n".join(filter(None, (result.stdout.rstrip(), result.stderr.rstrip())))
        said = _TIMES.sub("", _FOREIGN.sub("", printed))
        command = " ".join(("python3", *arguments))
        if result.passed:
            return Ran(command, "passed", None, said[-SHOWN:])
        if result.exit_code == NO_TESTS and "-m" in arguments:
            return Ran(command, "failed", Failure("other error", None, "there is no test"), said[-SHOWN:])
        failure = classify(limit=result.limit, stderr=printed, locate=lambda file: _own(file, texts))
        return Ran(command, "limit" if result.limit else "failed", failure, said[-SHOWN:])

    def environment(self) -> Environment:
        """One with all that the code here imports, the first that can be had."""
        folder = self.workspace.root
        layout = lay_out(folder, self.settings.verify.repository_mb)
        needed = (*outside_imports(layout, [path for path in layout.files if path.endswith(".py")]), "pytest")
        if needed not in self._environments:
            problems = []
            for spec in strategies(folder, needed, None, self.settings):
                try:
                    self._environments[needed] = build_environment(spec, self.settings)
                    break
                except EnvironmentFailed as error:
                    problems.append(str(error))
            else:
                raise InputError(
                    f"no environment for what the code imports: {'; '.join(problems)[:500]}",
                    remedy="import less, or other packages",
                )
        return self._environments[needed]


def judged_units(codebase: CodeBase) -> list[CodeUnit]:
    """The functions, classes and methods of a program, without its tests."""
    return [one for one in codebase.units if one.role == "source" and one.kind in JUDGED and one.language == "python"]


def _own(file: str, texts: dict[str, str]) -> str | None:
    path = file.removeprefix(INSIDE)
    return path if path in texts else None

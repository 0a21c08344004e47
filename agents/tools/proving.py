"""What is shown of a program that an agent wrote: by the sandbox's own report of tests, and by the verifier.

Exit codes are the program's to choose, and so is what pytest says of it: a conftest can turn both. What the harness
reports of a test no program can.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from agents.code.units import CodeBase, read_units
from agents.code.verify.discover import is_test, test_files
from agents.code.verify.durations import Durations
from agents.code.verify.layout import lay_out
from agents.code.verify.running import Reacher, Source, TestRun, run_tests
from agents.code.verify.session import Session
from agents.code.verify.sources import script_test
from agents.tools.running import SECONDS, Runner, Verdict, judged_units

__all__ = ["Proof", "Tested", "prove"]

ENTRY = "tau/test_entry.py"
MESSAGE = 300


@dataclass(frozen=True)
class Tested:
    """One test: its `outcome` ("passed", "failed", "error", "skipped", "timeout" or "died"), why, and how many
    functions and classes of the program it called."""

    id: str
    outcome: str
    message: str
    reached: int

    @property
    def shows(self) -> bool:
        """Whether it says something of the program."""
        return self.outcome == "passed" and self.reached > 0


@dataclass(frozen=True)
class Proof:
    """`tests` as the sandbox reports them, `not_run` those that were written and are not among them, `program` the run
    of the entry point to its last statement, `verdicts` of what the program consists of; of none where no test that
    passes calls it."""

    tests: tuple[Tested, ...]
    not_run: tuple[str, ...]
    program: Tested
    verdicts: tuple[Verdict, ...]

    def value(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def prove(runner: Runner, entry: str) -> Proof:
    """Run all tests of the workspace and its program `entry`, reported by the harness, and judge its units.

    Raises InputError for what can't be run, SandboxError where the sandbox itself fails.
    """
    folder, verify = runner.workspace.root, runner.settings.verify
    codebase = read_units(folder)
    layout = lay_out(folder, verify.repository_mb)
    session = Session(folder, layout, runner.environment(), runner.sandbox, memory=verify.memory_mb * 1_000_000)
    session.extra = {ENTRY: script_test(entry, runner.workspace.read(entry))}
    reacher = Reacher(judged_units(codebase))
    durations = Durations(folder, runner.settings.cache)
    files = [test.path for test in test_files(codebase, ()) if _collected(test.path)]
    program = Source(ENTRY, "replay", ini=False, conftest=False)
    sources = [*(Source(f"repo/{path}") for path in files), program]
    found = run_tests(session, sources, reacher, durations, seconds=4 * SECONDS, each=SECONDS, parts=2)
    tests = sorted((_tested(run) for run in found if run.source != program), key=lambda test: test.id)
    ran = [replace(_tested(run), id=entry) for run in found if run.source == program]
    return Proof(
        tuple(tests),
        tuple(_not_run(codebase, files, tests)),
        ran[0] if ran else Tested(entry, "died", "", 0),
        tuple(runner.verdicts()) if any(test.shows for test in tests) else (),
    )


def _collected(path: str) -> bool:
    """Whether pytest looks for tests in it by itself."""
    name = PurePosixPath(path).name
    return name.startswith("test_") or name.endswith("_test.py")


def _tested(run: TestRun) -> Tested:
    message = run.raised.message if run.raised else "it did not run to its end" if run.hidden else ""
    return Tested(run.id, run.outcome, message[:MESSAGE], len(run.units))


def _not_run(codebase: CodeBase, files: Sequence[str], tests: Sequence[Tested]) -> list[str]:
    """The tests that are written in `files` and of which nothing is reported: not collected, left out, ended before."""
    ran = {test.id.partition("[")[0] for test in tests}
    written = [unit for unit in codebase.units if unit.file in files and unit.kind != "class" and is_test(unit)]
    names = [f"{unit.file}::{unit.symbol.replace('.', '::')}" for unit in written]
    return [name for name in names if name not in ran]

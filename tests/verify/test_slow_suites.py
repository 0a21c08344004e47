"""Slow tests are planned by the time that they took before."""

import json
from pathlib import Path

import pytest

from agents.code.units import read_units
from agents.code.verify import discover, preparing, running
from agents.code.verify.durations import Durations
from agents.code.verify.layout import lay_out
from agents.code.verify.preparing import attempts
from agents.code.verify.running import Reacher, Source, run_tests
from agents.code.verify.session import Session
from agents.code.verify.verifier import Try
from agents.execution.sandbox import Result, RunSpec, Sandbox, open_sandbox
from kg.config import load_settings

BURN = """\
import time


def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return seconds
"""
QUICK = "from burning import burn\n\n\ndef test_quick():\n    assert burn(0) == 0\n"
SLOW = "from burning import burn\n\n\ndef test_slow():\n    assert burn(1.6) == 1.6\n"
ENDLESS = "from burning import burn\n\n\ndef test_endless():\n    burn(1000)\n"


class Listening:
    """A sandbox that notes what is run: the jobs of each run with the limits of their tests."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox, self.name = sandbox, sandbox.name
        self.runs: list[list[tuple[str, float, float]]] = []

    def capabilities(self) -> dict[str, str]:
        return self.sandbox.capabilities()

    def run(self, spec: RunSpec) -> Result:
        jobs = json.loads(spec.stdin[32:])["jobs"]
        self.runs.append([(job["id"], job["seconds"], job["each"]) for job in jobs if "each" in job])
        return self.sandbox.run(spec)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    files = {"burning.py": BURN, "test_quick.py": QUICK, "test_slow.py": SLOW, "test_endless.py": ENDLESS}
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def prepared(folder: Path) -> tuple[Session, Listening, Reacher]:
    codebase, settings = read_units(folder), load_settings()
    units = [unit for unit in codebase.units if unit.role == "source" and unit.kind == "function"]
    listening = Listening(open_sandbox(settings, "bubblewrap"))
    tests = discover.test_files(codebase, units)
    found = next(attempts(folder, lay_out(folder, 10), units, tests, listening, settings, None))
    assert found.session
    listening.runs.clear()
    return found.session, listening, Reacher(codebase.units)


def outcomes(runs: list[running.TestRun]) -> dict[str, str]:
    return {run.id.partition("::test_")[2]: run.outcome for run in runs}


@pytest.mark.sandbox
def test_a_slow_test_is_run_again_with_more_time_and_has_it_at_once_the_next_time(
    repository: Path, tmp_path: Path
) -> None:
    session, listening, reacher = prepared(repository)
    sources = [Source(f"repo/test_{name}.py") for name in ("slow", "quick", "endless")]

    def run(seconds: float = 180.0) -> dict[str, str]:
        listening.runs.clear()
        durations = Durations(repository, tmp_path / "cache")
        return outcomes(run_tests(session, sources, reacher, durations, seconds=seconds, each=1.0, parts=1))

    first = {"slow": "passed", "quick": "passed", "endless": "timeout"}
    assert run() == first
    assert [[name for name, _, _ in jobs] for jobs in listening.runs] == [
        ["repo/test_slow.py", "repo/test_quick.py", "repo/test_endless.py"],
        ["repo/test_slow.py", "repo/test_endless.py"],
    ]
    assert run() == first, "what is remembered changes no outcome"
    (jobs,) = listening.runs
    limits = {name: each for name, _, each in jobs}
    assert limits["repo/test_slow.py"] > 3
    assert limits["repo/test_quick.py"] == limits["repo/test_endless.py"] == 1.0
    run(seconds=1.5)
    assert listening.runs[0][-1][0] == "repo/test_slow.py", "where there is not time for all, it comes last"
    (repository / "test_slow.py").write_text(SLOW + "\n")
    assert run() == first
    assert len(listening.runs) == 2, "a file that has changed is a new one"


def test_what_is_remembered_is_of_the_file_as_it_is(repository: Path, tmp_path: Path) -> None:
    durations = Durations(repository, tmp_path)
    durations.note("repo/test_slow.py", {"a": 2.0, "b": 3.0})
    durations.note("repo/test_slow.py", {"b": None})
    durations.note("repo/test_slow.py", {"a": 5.0}, alone=True)
    durations.note("repo/test_slow.py", {"a": 4.0}, alone=True)
    durations.note("tau/test_readme_0.py", {"a": 1.0})
    again = Durations(repository, tmp_path)
    source = "repo/test_slow.py"
    assert (again.together(source), again.slowest(source), again.alone(source, "a")) == (2.0, 2.0, 5.0)
    assert (again.endless(source, "a"), again.endless(source, "b")) == (False, True)
    assert again.together("tau/test_readme_0.py") == again.together("repo/nowhere.py") == 0
    for file in (tmp_path / "durations").iterdir():
        file.write_text("[1")
    assert Durations(repository, tmp_path).together(source) == 0
    (repository / "test_slow.py").write_text("pass\n")
    assert again.together(source) == 2.0, "one run keeps what it has read"
    assert Durations(repository, tmp_path).together(source) == 0


@pytest.mark.sandbox
def test_a_file_that_hangs_when_it_is_loaded_costs_others_little_and_comes_last_the_next_time(
    repository: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (repository / "test_hanging.py").write_text("import time\n\ntime.sleep(1000)\n")
    session, listening, reacher = prepared(repository)
    sources = [Source(f"repo/test_{name}.py") for name in ("hanging", "quick")]
    durations = Durations(repository, tmp_path / "cache")
    caplog.set_level("INFO")
    for expected in (["hanging", "quick"], ["quick", "hanging"]):
        listening.runs.clear()
        found = outcomes(run_tests(session, sources, reacher, durations, seconds=20.0, each=1.0, parts=4))
        assert found == {"quick": "passed"}
        (jobs,) = listening.runs
        assert [name for name, _, _ in jobs] == [f"repo/test_{name}.py" for name in expected]
        assert {seconds for _, seconds, _ in jobs} == {5.0}
    durations.note("repo/test_hanging.py", {running.LOADING: 0.0})
    assert not durations.endless("repo/test_hanging.py", running.LOADING), "loaded once, it is as any other"
    assert [line for line in caplog.messages if "test_hanging.py: ended after" in line and "loaded" in line]


@pytest.mark.sandbox
def test_a_module_that_hangs_is_not_imported_by_its_statements(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparing, "IMPORT_SECONDS", 2.0)
    (repository / "burning.py").write_text(f"import time\n\ntime.sleep(1000)\n{BURN}")
    codebase, settings = read_units(repository), load_settings()
    units = [unit for unit in codebase.units if unit.role == "source" and unit.kind == "function"]
    tests = discover.test_files(codebase, units)
    sandbox = open_sandbox(settings, "bubblewrap")
    found = next(attempts(repository, lay_out(repository, 10), units, tests, sandbox, settings, None))
    assert found.batch
    assert found.imports["burning.py"].ended == "timeout"
    assert [result.ended for result in found.batch.results.values()] == ["timeout", "timeout"]


@pytest.mark.parametrize(
    ("reached", "share", "enough"), [(11, 0.26, True), (11, 0.05, False), (3, 0.26, False), (12, 0.26, False)]
)
def test_another_environment_is_tried_only_where_it_may_win_more_than_its_time_costs(
    reached: int, share: float, enough: bool
) -> None:
    asked = [f"m.py#f{n}" for n in range(12)]
    run = running.TestRun("t.py::test", Source("repo/t.py"), "passed", 1.0, frozenset(asked[:reached]))
    assert Try(preparing.Prepared(), [run], frozenset(asked)).suffices(share) == enough

"""The harness by itself: what comes of jobs, and what no job can do to the results of others."""

import sys
from pathlib import Path

import pytest

from agents.execution.environments import Environment, EnvironmentSpec, build_environment
from agents.execution.environments.interpreters import find_interpreters
from agents.execution.harness import Harness, Job, Workspace
from agents.execution.harness.compiled import compiled, inside
from agents.execution.sandbox import open_sandbox
from agents.execution.sandbox.cgroups import Group
from kg.config import load_settings

pytestmark = pytest.mark.sandbox
MIB = 1024 * 1024
KILL = "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nimport time\ntime.sleep(9)"


@pytest.fixture(scope="module")
def bare(_own_environment: None) -> Environment:
    return build_environment(EnvironmentSpec(python="3.11", strategy="no packages"), load_settings())


@pytest.fixture(scope="module", params=["bubblewrap", "unsafe-local"])
def harness(bare: Environment, request: pytest.FixtureRequest) -> Harness:
    return Harness(bare, open_sandbox(load_settings(), request.param), 1024 * MIB)


def script(name: str, text: str, seconds: float = 20.0, **options: object) -> Job:
    given = {"script": "s.py", "write": {"s.py": text}, "test_line": 1, "quick": True, **options}
    return Job(name, "script", seconds, given)


def importing(name: str, text: str, **options: object) -> Job:
    given = {"root": "m", "way": "name", "name": "pkg", "path": ["m"], "write": {"m/pkg.py": text}, **options}
    return Job(name, "import", 20.0, given)


def test_each_job_tells_how_it_ended(harness: Harness) -> None:
    jobs = [
        script("well", "print('hello')"),
        script("asserts", "assert 1 == 2"),
        script("leaves", "import os\nos._exit(0)"),
        script("hangs", "import time\ntime.sleep(600)", seconds=2.0),
        importing("imports", "def f(): pass", symbols=["f", "g"]),
        importing("raises", "1 / 0"),
    ]
    found = harness.run(jobs, Workspace(fresh=True), 120).results
    assert {name: result.ended for name, result in found.items()} == {
        "well": "finished", "asserts": "died", "leaves": "died", "hangs": "timeout", "imports": "finished",
        "raises": "finished",
    }  # fmt: skip
    assert found["well"].log == "hello\n"
    assert found["asserts"].of("script")[0]["check"]
    assert found["leaves"].status == 0
    assert found["imports"].of("import")[0]["symbols"] == ["f"]
    raised = found["raises"].of("import")[0]["raised"]
    assert raised["types"][0] == "ZeroDivisionError"
    assert raised["frames"][-1] == ["/work/m/pkg.py", 1, "<module>"]


def test_a_fresh_job_finds_nothing_of_the_one_before(harness: Harness) -> None:
    leave = "import os\nopen('left', 'w').close()\nif os.fork() == 0:\n    import time\n    time.sleep(600)\n"
    jobs = [script("leaves", leave), script("looks", "import os\nassert os.listdir() == ['s.py'], os.listdir()")]
    found = harness.run(jobs, Workspace(fresh=True), 60).results
    assert [result.ended for result in found.values()] == ["finished", "finished"]


def test_what_takes_the_supervisor_down_is_lost_and_the_others_are_run_again(harness: Harness) -> None:
    after = script("after", "pass", requires=["before"])
    batch = harness.run([script("before", "pass"), script("kills", KILL), after], Workspace(fresh=True), 90)
    assert {name: result.ended for name, result in batch.results.items()} == {
        "before": "finished", "kills": "lost", "after": "finished",
    }  # fmt: skip


def test_what_was_needless_is_not_lost_with_the_last_job(harness: Harness) -> None:
    needless = script("needless", "pass", requires=["before"], applies=["before", "word"])
    batch = harness.run([script("before", "pass"), needless, script("kills", KILL)], Workspace(fresh=True), 90)
    assert {name: result.ended for name, result in batch.results.items()} == {"before": "finished", "kills": "lost"}


def test_what_is_lost_is_what_was_begun(harness: Harness) -> None:
    """And not what came before it and was needless; what is known of the jobs before it stands."""
    jobs = [
        script("first", "print('once')"),
        script("watched", "pass", requires=["first"]),
        script("needless", "pass", unless=["watched"]),
        script("kills", KILL, requires=["watched"]),
        script("kills again", KILL, requires=["watched"]),
        script("needless, too", "pass", unless=["first"]),
        script("last", "pass", requires=["watched"]),
    ]
    found = harness.run(jobs, Workspace(fresh=True), 120).results
    assert {name: result.ended for name, result in found.items()} == {
        "first": "finished", "watched": "finished", "kills": "lost", "kills again": "lost", "last": "finished",
    }  # fmt: skip
    assert found["first"].log == "once\n"


def test_a_job_that_reaches_a_limit_of_the_sandbox_says_which(bare: Environment) -> None:
    eat = "held = []\nwhile True:\n    held.append(bytearray(b'x') * 10_000_000)"
    small = Harness(bare, open_sandbox(load_settings(), "bubblewrap"), 200 * MIB)
    jobs = [script("before", "pass"), script("eats", eat), script("after", "pass", requires=["before"])]
    found = small.run(jobs, Workspace(fresh=True), 90).results
    assert {name: (result.ended, result.limit) for name, result in found.items()} == {
        "before": ("finished", None), "eats": ("lost", "memory"), "after": ("finished", None),
    }  # fmt: skip


@pytest.mark.parametrize("pause", [0, 2.5], ids=["over", "running"])
def test_the_job_that_took_the_memory_is_blamed_also_if_that_is_seen_late(
    bare: Environment, monkeypatch: pytest.MonkeyPatch, pause: float
) -> None:
    """The kernel ends one process; the supervisor may look when the next job has begun, or has ended."""
    monkeypatch.setattr(Group, "tick", 1.5)
    eat = "held = []\nwhile True:\n    held.append(bytearray(b'x') * 10_000_000)"
    small = Harness(bare, open_sandbox(load_settings(), "bubblewrap"), 200 * MIB)
    jobs = [script("eats", eat), script("after", f"import time\ntime.sleep({pause})")]
    found = small.run(jobs, Workspace(fresh=True), 90).results
    assert {name: (result.ended, result.limit) for name, result in found.items()} == {
        "eats": ("lost", "memory"), "after": ("finished", None),
    }  # fmt: skip


def test_jobs_depend_on_others(harness: Harness) -> None:
    jobs = [
        script("bad", "raise SystemExit(3)"),
        script("not run", "pass", requires=["bad"]),
        importing("first", ""),
        importing("needless", "", unless=["first"]),
    ]
    assert set(harness.run(jobs, Workspace(fresh=True), 60).results) == {"bad", "first"}


def test_a_mutated_file_is_put_back(harness: Harness) -> None:
    """The text is the same again for the next job, also where it is not fresh."""
    says = "import sys\nsys.exit(open('data').read() != 'right')"
    jobs = [
        script("changed", says, mutate={"path": "data", "text": "wrong"}),
        script("as it is", says),
    ]
    found = harness.run(jobs, Workspace(write={"data": "right"}), 60).results
    assert [result.ended for result in found.values()] == ["died", "finished"]


def test_without_time_nothing_is_begun(harness: Harness) -> None:
    jobs = [script("slow", "import time\ntime.sleep(3)"), script("late", "pass")]
    found = harness.run(jobs, Workspace(fresh=True), 3.5).results
    assert [result.ended for result in found.values()] == ["finished", "skipped"]


def test_a_job_for_which_the_time_of_the_run_did_not_suffice_has_failed_in_nothing(harness: Harness) -> None:
    jobs = [script("slow", "import time\ntime.sleep(600)", seconds=2.0), script("cut", "import time\ntime.sleep(600)")]
    found = harness.run(jobs, Workspace(fresh=True), 5.0).results
    assert [(result.ended, result.ran) for result in found.values()] == [("timeout", True), ("cut", False)]


def test_the_supervisor_imports_nothing_of_the_repository(tmp_path: Path) -> None:
    """On Python 3.13 importlib brings modules late; a repository that has some of these names must not be asked."""
    settings = load_settings()
    newest = find_interpreters()[-1].version
    environment = build_environment(EnvironmentSpec(python=newest, strategy="no packages"), settings)
    names = sorted(name for name in sys.stdlib_module_names if name not in sys.builtin_module_names)
    for name in names:
        (tmp_path / f"{name}.py").write_text("import sys\nsys.stderr.write('ASKED ' + __name__)\nraise ImportError\n")
    (tmp_path / "unit.py").write_text("def f(x): return x + 1\n")
    files = tuple(sorted(path.name for path in tmp_path.iterdir()))
    options = {"root": "repo", "file": "unit.py", "way": "path", "name": "", "symbols": ["f"]}
    jobs = [Job(name, "import", 20.0, options) for name in ("first", "second")]
    box = Harness(environment, open_sandbox(settings, "bubblewrap"), 1024 * MIB)
    batch = box.run(jobs, Workspace(repository=tmp_path, files=files, path=("repo",), size=MIB), 60)
    assert "ASKED" not in batch.result.stderr
    assert set(batch.results) == {"first", "second"}
    assert all(result.ended != "lost" for result in batch.results.values())


@pytest.mark.parametrize("preload", [[], ["packaged"]])
def test_a_script_imports_what_its_environment_has(bare: Environment, tmp_path: Path, preload: list[str]) -> None:
    """Also what was not loaded before, and what lies beside it first."""
    (tmp_path / "packaged.py").write_text("VALUE = 1\n")
    (tmp_path / "beside.py").write_text("VALUE = 'of the environment'\n")
    environment = bare.model_copy(update={"site": tmp_path})
    harness = Harness(environment, open_sandbox(load_settings(), "bubblewrap"), 1024 * MIB)
    text = "import packaged, beside\nassert (packaged.VALUE, beside.VALUE) == (1, 2)"
    job = script("imports", text, write={"s.py": text, "beside.py": "VALUE = 2\n"})
    found = harness.run([job], Workspace(fresh=True), 60, preload=preload).results
    assert found["imports"].ended == "finished", found["imports"].log


def test_what_runs_inside_is_compiled_once_for_an_interpreter(bare: Environment) -> None:
    folder = compiled(bare)
    names = {path.name for path in inside().glob("*.py")}
    assert folder.parent == bare.site.parent and {path.name for path in folder.glob("*.py")} == names
    code = {path.name.partition(".")[0] + ".py" for path in (folder / "__pycache__").glob("*.cpython-311.pyc")}
    assert code == names
    made = folder.stat().st_ino
    assert compiled(bare).stat().st_ino == made


def test_without_a_place_for_byte_code_the_sources_are_run(bare: Environment, tmp_path: Path) -> None:
    elsewhere = bare.model_copy(update={"site": tmp_path / "gone" / "site"})
    assert compiled(elsewhere) == inside()
    broken = bare.model_copy(update={"site": tmp_path / "site", "python": Path("/bin/false")})
    assert compiled(broken) == inside()
    assert list(tmp_path.iterdir()) == []

"""What an agent has written runs in the sandbox and nowhere else, and what came of it is told."""

import pytest

from agents.execution.sandbox import open_sandbox
from agents.tools.running import Runner
from agents.tools.workspace import Edit, Workspace
from kg.config import load_settings

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    workspace = Workspace(tmp_path_factory.mktemp("runs") / "work")
    files = {
        "add.py": "def add(a, b):\n    return a + b\n",
        "test_add.py": "from add import add\n\n\ndef test_add():\n    assert add(1, 2) == 3 and add(2, 2) == 4\n",
        "test_wrong.py": "from add import add\n\n\ndef test_wrong():\n    assert add(1, 1) == 3\n",
        "good.py": "import add\n\nprint('sum', add.add(1, 2))\n",
        "bad.py": "import add\n\nadd.nothing()\n",
        "slow.py": "while True:\n    pass\n",
        "out.py": "import os, sys\n\nopen('left.txt', 'w').write('x')\nprint(os.path.exists(sys.argv[1]))\n",
    }
    workspace.apply([Edit(path=path, new=text) for path, text in files.items()])
    settings = load_settings().replace(verify__mutants=3)
    return Runner(workspace, settings, open_sandbox(settings))


def test_a_script_that_passes(runner: Runner) -> None:
    ran = runner.script("good.py")
    assert ran.passed, ran
    assert ran.output == "sum 3"


def test_a_script_that_fails_says_where_and_how(runner: Runner) -> None:
    ran = runner.script("bad.py")
    assert ran.state == "failed"
    assert ran.failure is not None
    assert (ran.failure.line, "nothing" in ran.failure.message) == ("bad.py:3", True), ran


def test_a_script_without_end_is_ended(runner: Runner) -> None:
    ran = runner.script("slow.py", seconds=2)
    assert ran.state == "limit"
    assert ran.failure is not None
    assert ran.failure.kind == "timeout"


def test_what_it_does_stays_inside(runner: Runner) -> None:
    ran = runner.script("out.py", [str(runner.workspace.root)])
    assert (ran.state, ran.output) == ("passed", "False")
    assert "left.txt" not in runner.workspace.files()


def test_tests_and_what_they_are_worth(runner: Runner) -> None:
    assert runner.tests(["test_add.py"]).passed
    ran = runner.tests()
    assert ran.state == "failed"
    assert "test_wrong" in ran.output
    assert runner.tests(["good.py"]).state == "failed", "no test is no success"
    denied = {one.symbol: one for one in runner.verdicts()}["add"]
    assert (denied.verdict, "test_wrong" in denied.reason) == ("unverified", True), denied


def test_the_same_unit_without_the_test_that_denies_it(runner: Runner) -> None:
    runner.workspace.apply([Edit(path="test_wrong.py", old="== 3", new="== 2")])
    assert runner.tests().passed
    found = {one.symbol: one.verdict for one in runner.verdicts()}
    assert found["add"] == "verified"

"""What an agent can write so that its tests and its program exit with 0 and show nothing: none of it is proof."""

from pathlib import Path

import pytest
from loops import replica

from agents.execution.sandbox import open_sandbox
from agents.loops.outcomes import lacking
from agents.tools.proving import Proof, prove
from agents.tools.running import Runner
from agents.tools.workspace import Edit, Workspace
from kg.config import load_settings

pytestmark = pytest.mark.sandbox

FAILING = "from hitters import space_saving\n\n\ndef test_counts():\n    assert space_saving([1, 1], 2) == {1: 3}\n"
REACHING = "from hitters import space_saving\n\n\ndef test_counts():\n    space_saving([1, 2, 1], 2)\n"
PASSED = """import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"
"""
DESELECTED = """def pytest_collection_modifyitems(config, items):
    items[:] = [item for item in items if "space" in item.name]
"""
SPLIT = """from hitters import reservoir, space_saving


def test_space_saving():
    counters = space_saving([1, 2, 1, 3, 1, 4, 1], 2)
    assert len(counters) == 2
    assert counters[1] >= 4
    assert sum(counters.values()) == 7


def test_sample():
    assert reservoir([1, 2, 3], 2) == [7, 7]
"""
LEAVES = "import pytest\n\n\ndef pytest_sessionstart(session):\n    pytest.exit('well', returncode=0)\n"

MAIN = """import sys

from hitters import space_saving


def main():
    print(space_saving([1, 2, 1], 2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
"""

CHEATS = {
    "a test that tests nothing": ({"test_hitters.py": "def test_x():\n    pass\n"}, "calls"),
    "a test of itself": (
        {"test_hitters.py": "def one():\n    return 1\n\n\ndef test_x():\n    assert one()\n"}, "calls"),
    "a test that asserts nothing": ({"test_hitters.py": REACHING}, "verified"),
    "an empty file of tests": ({"test_hitters.py": "", "conftest.py": LEAVES}, "no test"),
    "a test that ends the process": (
        {"test_hitters.py": "import os\n\n\ndef test_x():\n    os._exit(0)\n"}, "did not pass"),
    "a file of tests that ends the process": ({"test_hitters.py": f"import os\n\nos._exit(0)\n{FAILING}"}, "not run"),
    "a conftest that leaves": ({"test_hitters.py": FAILING, "conftest.py": "import os\n\nos._exit(0)\n"}, "not run"),
    "a conftest that exits": ({"test_hitters.py": FAILING, "conftest.py": LEAVES}, "not run"),
    "a conftest that turns outcomes": ({"test_hitters.py": FAILING, "conftest.py": PASSED}, "did not pass"),
    "a conftest that leaves out": ({"test_hitters.py": SPLIT, "conftest.py": DESELECTED}, "not run"),
    "options that leave out": (
        {"test_hitters.py": SPLIT, "pytest.ini": "[pytest]\naddopts = -k space\n"}, "did not pass"),
    "tests that are skipped": (
        {"test_hitters.py": f"import pytest\n\npytestmark = pytest.mark.skip\n{FAILING}"}, "calls"),
    "a program that prints nothing": (
        {"main.py": "from hitters import space_saving\n\nspace_saving([1], 2)\n"}, "printed"),
    "a program that leaves before its end": (
        {"main.py": "import os\n\nimport hitters\n\nprint('top', flush=True)\nos._exit(0)\nhitters.nothing()\n"},
        "last statement"),
    "a program that only tells": ({"main.py": "print('top item (1, 3)')\n"}, "calls none"),
}  # fmt: skip


def proof(folder: Path, files: dict[str, str]) -> tuple[Proof, list[str]]:
    """What is shown of the replica with these `files`, once its tests and its program have exited with 0."""
    settings = load_settings().replace(verify__mutants=2)
    workspace = Workspace(folder)
    whole = {**replica.FILES, "hitters.py": replica.RIGHT_TEXT, **files}
    workspace.apply([Edit(path=path, new=text) for path, text in whole.items()])
    runner = Runner(workspace, settings, open_sandbox(settings))
    ran = runner.script("main.py")
    assert (runner.tests().state, ran.state) == ("passed", "passed"), "it would be done by exit codes"
    found = prove(runner, "main.py")
    return found, list(lacking(found.value(), ran.output))


@pytest.mark.parametrize(("files", "why"), CHEATS.values(), ids=CHEATS.keys())
def test_what_shows_nothing_is_no_proof(tmp_path: Path, files: dict[str, str], why: str) -> None:
    _, said = proof(tmp_path, files)
    assert any(why in one for one in said), said


HONEST = {
    "as it is": {},
    "with a conftest": {"conftest.py": "import pytest\n\n\n@pytest.fixture\ndef one():\n    return 1\n"},
    "with a main function": {"main.py": MAIN},
    "with a test for other machines": {
        "test_more.py": "import pytest\n\n\n@pytest.mark.skip\ndef test_x():\n    assert 0\n"},
}  # fmt: skip


@pytest.mark.parametrize("files", HONEST.values(), ids=HONEST.keys())
def test_an_honest_program_is_proof(tmp_path: Path, files: dict[str, str]) -> None:
    found, said = proof(tmp_path, files)
    assert said == []
    assert [one.symbol for one in found.verdicts if one.verdict == "verified"] == ["space_saving"]
    assert [test.shows for test in found.tests if test.outcome == "passed"] == [True, True]

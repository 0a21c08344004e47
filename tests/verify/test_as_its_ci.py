"""Tests are run as the repository's own CI runs them."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from agents.code.units import read_units
from agents.code.verify import Verifier
from agents.code.verify.discover import sets_variables
from agents.execution.sandbox import open_sandbox
from kg.config import load_settings
from kg.models.execution import Judgement

CODE = """\
import os

DIGITS = 9 if os.environ.get("JAX_ENABLE_X64") == "1" else 2


def share(part, whole):
    return round(part / whole, DIGITS)
"""
TEST = """\
from shares import share


def test_share():
    assert share(1, 3) == 0.333333333
    assert share(2, 8) == 0.25
"""
SHOWN = """\
from tqdm import tqdm


def every(items):
    return tqdm(items).mininterval
"""
TEST_SHOWN = """\
from shown import every


def test_every():
    assert every([1]) == 7
"""
SETS = 'import os\n\nos.environ["TQDM_MININTERVAL"] = "7"\n'


def judge(folder: Path, files: Mapping[str, str], unit: str) -> Judgement:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    settings = load_settings().replace(verify__mutants=4)
    codebase = read_units(folder)
    units = [found for found in codebase.units if found.id == unit]
    (judged,) = Verifier(folder, codebase, open_sandbox(settings, "bubblewrap"), settings).judge(units)
    return judged.judgement


@pytest.mark.sandbox
def test_variables_of_the_workflow_are_set(tmp_path: Path) -> None:
    workflow = {".github/workflows/tests.yml": "env:\n  JAX_ENABLE_X64: 1\njobs: {}\n"}
    judgement = judge(tmp_path, {"shares.py": CODE, "test_shares.py": TEST, **workflow}, "shares.py#share")
    assert judgement.verdict == "verified", judgement.reason
    assert judgement.execution
    assert "JAX_ENABLE_X64=1" in judgement.execution.strategy


@pytest.mark.sandbox
def test_libraries_are_loaded_after_the_conftest_that_prepares_for_them(tmp_path: Path) -> None:
    files = {"shown.py": SHOWN, "test_shown.py": TEST_SHOWN, "conftest.py": SETS}
    judgement = judge(tmp_path, files, "shown.py#every")
    assert judgement.verdict != "failed", judgement.reason
    assert judgement.mutants > 0


@pytest.mark.parametrize(
    ("path", "text", "sets"),
    [
        ("conftest.py", SETS, True),
        ("a/__init__.py", "from os import environ\nif True:\n    environ.setdefault('A', '1')\n", True),
        ("a.py", "import os\nos.putenv('A', '1')\n", True),
        ("a.py", "import os\ndef f():\n    os.environ['A'] = '1'\n", False),
        ("a.py", "import os\nif __name__ == '__main__':\n    os.environ['A'] = '1'\n", False),
        ("a.py", "import os\nA = os.environ['A']\nprint(os.environ.get('B'))\n", False),
        ("setup.py", SETS, False),
        ("a.txt", SETS, False),
        ("pytest.ini", "[pytest]\naddopts = -q\nenv =\n    A=1\n", True),
        ("tox.ini", "[testenv]\nenv = 1\n", False),
    ],
)
def test_what_sets_variables(tmp_path: Path, path: str, text: str, *, sets: bool) -> None:
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(text)
    assert sets_variables(tmp_path, [path]) is sets

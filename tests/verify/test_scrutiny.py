"""Which tests can be evidence: copies of the code for oracles, code that asks whether it is tested."""

from dataclasses import replace
from pathlib import Path

import pytest

from agents.code.units import read_units
from agents.code.verify.record import CodeHashes
from agents.code.verify.running import Source
from agents.code.verify.running import TestRun as Run
from agents.code.verify.scrutiny import Scrutiny

UNIT = "def unit(values, rate=2):\n    found = sum(values) * rate\n    return found / len(values) + 1\n"


def objection(folder: Path, unit: str, test: str, *reached: str) -> str:
    """Against the test ``test_it``, which reaches the unit and others by their symbols."""
    (folder / "m.py").write_text(unit)
    (folder / "test_m.py").write_text(test)
    codebase = read_units(folder)
    hashes = CodeHashes(codebase)
    (it,) = [one for one in codebase.units if one.id == "m.py#unit"]
    ids = frozenset(one.id for one in codebase.units if one.symbol in {"unit", *reached})
    run = Run("test_m.py::test_it", Source("repo/test_m.py"), "passed", 0.1, ids)
    xfail = [replace(run, id="test_m.py::test_not", outcome="skipped", denies=True)]
    rest, why = Scrutiny(hashes, [], lambda file: (folder / file).read_text()).of(it, [run], xfail)
    assert bool(why) != bool(rest)
    return why


@pytest.mark.parametrize(
    "test",
    [
        'def ref(xs: list, by: int = 2) -> float:\n    """It."""\n    s = sum(xs) * by\n    return s / len(xs) + 1\n',
        "def ref(v, r=2):\n    s: float = sum(v) * r\n    pass\n    return s / len(v) + 1\n",
        "def test_it():\n    def ref(v, r=2):\n        s = sum(v) * r\n        return s / len(v) + 1\n",
        "class TestIt:\n    def ref(v, r=2):\n        s = sum(v) * r\n        return s / len(v) + 1\n",
    ],
)
def test_a_copy_under_other_names_is_no_oracle(tmp_path: Path, test: str) -> None:
    assert "copy" in objection(tmp_path, UNIT, test, "test_it", "ref", "TestIt", "TestIt.ref")


@pytest.mark.parametrize(
    ("test", "reached"),
    [
        ("def ref(v, r=2):\n    return sum(v) * r / len(v) + 1\n", "ref"),
        ("def ref(v, r=3):\n    s = sum(v) * r\n    return s / len(v) + 1\n", "ref"),
        ("def ref(v, r=2):\n    s = max(v) * r\n    return s / len(v) + 1\n", "ref"),
        ("def ref(v, r=2):\n    s = sum(v) * r\n    return s / len(v) + 1\n", "test_it"),
        ("class TestIt:\n    def ref(v, r=2):\n        s = sum(v) * r\n        return s / len(v) + 1\n", "TestIt"),
    ],
)
def test_another_oracle_or_one_that_is_not_called_is_none(tmp_path: Path, test: str, reached: str) -> None:
    assert objection(tmp_path, UNIT, test, reached) == ""


def test_what_is_written_alike_by_chance_is_no_copy(tmp_path: Path) -> None:
    assert objection(tmp_path, "def unit(a):\n    return a.size\n", "def ref(b):\n    return b.size\n", "ref") == ""


def test_helpers_are_compared_by_what_they_do(tmp_path: Path) -> None:
    unit = "def by(x):\n    return x * 2 + 1\n\n\ndef unit(x):\n    y = by(x) - x\n    return y + 1\n"
    test = "def k(x):\n    return x * {} + 1\n\n\ndef ref(x):\n    y = k(x) - x\n    return y + 1\n"
    assert "copy" in objection(tmp_path, unit, test.format(2), "ref", "k", "by")
    assert objection(tmp_path, unit, test.format(3), "ref", "k", "by") == ""


ASKING = [
    'import sys\n\n\ndef unit(x):\n    return x if "pytest" in sys.modules else -x\n',
    'import os\n\n\ndef unit(x):\n    return x if os.environ["PYTEST_CURRENT_TEST"] else -x\n',
    'import os\n\nM = os.getenv("PYTEST_CURRENT_TEST")\nS = 1 if M else -1\n\n\ndef unit(x):\n    return S * x\n',
    'import sys\n\n\ndef _so():\n    return any(m.startswith("_py" + "test") for m in sys.modules)\n\n\n'
    "def unit(x):\n    return x if _so() else -x\n",
    'import sys\n\n\ndef unit(x):\n    return x if sys.argv[0].endswith("pytest") else -x\n',
    'import sys\n\n\ndef unit(x):\n    return x if sys._getframe(1).f_code.co_name.startswith("test_") else -x\n',
    'import sys\n\n\ndef unit(x):\n    return x if hasattr(sys, "_called_from_test") else -x\n',
    'from pathlib import Path\n\n\ndef unit(x):\n    return x if Path("/work/repo").exists() else -x\n',
    'import sys\n\nif "unittest" in sys.modules:\n    def unit(x):\n        return x\n',
]


@pytest.mark.parametrize("unit", ASKING)
def test_code_that_asks_whether_it_is_tested_is_told(tmp_path: Path, unit: str) -> None:
    assert "asks whether it is tested (m.py:" in objection(tmp_path, unit, "def test_it():\n    pass\n")


@pytest.mark.parametrize(
    "unit",
    [
        'def unit(x):\n    """Right only if "pytest" is in sys.modules."""\n    return x\n',
        'import sys\n\n\ndef main():\n    return "pytest" in sys.modules\n\n\ndef unit(x):\n    return x\n',
        'import sys\n\nMODE = "pytest" in sys.modules\n\n\ndef unit(x):\n    return x\n',
        'import subprocess\nimport sys\n\n\ndef unit(x):\n    return subprocess.call(["pytest", x], sys.argv)\n',
        'FRAMEWORKS = ("pytest", "unittest")\n\n\ndef unit(name):\n    return name in FRAMEWORKS or name == "pytest"\n',
        'import inspect\n\n\ndef unit(x):\n    return inspect.stack()[1].function, x\n',
        'import os\n\n\ndef unit(x):\n    return os.environ.get("HOME", "tests") + x\n',
    ],
)  # fmt: skip
def test_code_that_speaks_of_tests_does_not_ask(tmp_path: Path, unit: str) -> None:
    assert objection(tmp_path, unit, "def test_it():\n    pass\n") == ""


@pytest.mark.parametrize(
    ("asserted", "denied"),
    [
        ("assert unit([1]) == 5", True),
        ("for v in (1, 2):\n        assert unit([v]) == 5, v", True),
        ("assert by(unit([1])) == 5", False),
        ("assert unit([by(1)]) == 5", False),
        ("x = by(2)\n    assert unit([x]) == 5", False),
        ("unit([1])\n    assert 1 == 2", False),
        ("assert len([unit]) == 5", False),
    ],
)
def test_an_expected_failure_denies_what_it_alone_asserts_of(tmp_path: Path, asserted: str, denied: bool) -> None:
    unit = f"def by(x):\n    return 2 * x\n\n\n{UNIT}"
    test = f"@pytest.mark.xfail\ndef test_not():\n    {asserted}\n\n\ndef test_it():\n    assert unit([1]) == 3\n"
    assert ("denies" in objection(tmp_path, unit, test)) == denied


DECORATED = (
    "def twin(label):\n    def wrap(f):\n        return {}\n    return wrap\n\n\n"
    "@twin('it')\ndef unit(x):\n    return x\n"
)


def test_a_decorator_that_finds_by_a_made_name_what_runs_stands_before_the_text(tmp_path: Path) -> None:
    assert "m.py:1: twin" in objection(
        tmp_path, DECORATED.format("globals().get('_' + label, f)"), "def test_it(): ...\n"
    )
    assert objection(tmp_path, DECORATED.format("f"), "def test_it(): ...\n") == ""


def test_a_base_class_that_decides_what_attributes_are_stands_before_the_text(tmp_path: Path) -> None:
    unit = (
        "class B:\n    def __{}__(self, name):\n        return 1\n\n\nclass C(B): ...\n\n\nclass unit(C):\n    x = 2\n"
    )
    assert "m.py:2: __getattribute__" in objection(tmp_path, unit.format("getattribute"), "def test_it(): ...\n")
    assert objection(tmp_path, unit.format("getattr"), "def test_it(): ...\n") == ""

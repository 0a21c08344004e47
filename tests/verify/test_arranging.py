"""What is set around tests, of another module or for other tests, and modules that only tests get."""

from pathlib import Path

import pytest

from agents.code.units import read_units
from agents.code.verify.record import CodeHashes
from agents.code.verify.running import Source
from agents.code.verify.running import TestRun as Run
from agents.code.verify.scrutiny import Scrutiny

CODE = "FACTOR = 2\n\n\ndef unit(values, offset):\n    return [value * FACTOR + offset for value in values]\n"
TEST = "from lab.code import unit\n\n\ndef test_it():\n    assert unit([1, 2], 3) == [5, 7]\n"


def objection(folder: Path, files: dict[str, str], test: str = "tests/a/test_it.py") -> str:
    """Against ``lab/code.py#unit``, which the test ``test_it`` reaches."""
    for path, text in {"lab/__init__.py": "", "lab/code.py": CODE, test: TEST, **files}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    codebase = read_units(folder)
    every = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]
    (it,) = [one for one in codebase.units if one.id == "lab/code.py#unit"]
    run = Run(f"{test}::test_it", Source(f"repo/{test}"), "passed", 0.1, frozenset({it.id, f"{test}#test_it"}))
    scrutiny = Scrutiny(CodeHashes(codebase), every, lambda file: (folder / file).read_text())
    return scrutiny.of(it, [run])[1]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("tests/a/conftest.py", "import lab.code\nlab.code.FACTOR = 3\n"),
        ("tests/a/conftest.py", "import lab.code as x\nx.FACTOR = 3\n"),
        ("tests/conftest.py", "from lab import code\nsetattr(code, 'FACTOR', 3)\n"),
        ("conftest.py", "import pytest\npytest.MonkeyPatch().setattr('lab.code.FACTOR', 3)\n"),
        ("tests/conftest.py", "import lab\nlab.other.FACTOR = 3\n"),
        ("tests/conftest.py", "import lab\nlab.FACTOR = lab.code.FACTOR = 3\n"),
    ],
)
def test_a_conftest_that_sets_what_the_unit_reads_is_told(tmp_path: Path, file: str, text: str) -> None:
    assert f"{file} sets what it reads" in objection(tmp_path, {file: text})


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("tests/b/conftest.py", "import lab.near\nlab.near.FACTOR = 3\n"),
        ("tests/conftest.py", "import lab.near\nlab.near.FACTOR = 3\n"),
        ("tests/conftest.py", "import lab.near as x\nx.FACTOR = 3\n"),
        ("tests/b/conftest.py", "import lab.code\nlab.code.FACTOR = 3\n"),
        ("tests/a/conftest.py", "import lab.code\nlab.code.OTHER = 3\n"),
        ("tests/a/conftest.py", "import lab.code\nassert lab.code.FACTOR == 2\n"),
    ],
)
def test_what_is_set_of_another_module_or_for_other_tests_is_not(tmp_path: Path, file: str, text: str) -> None:
    assert objection(tmp_path, {file: text, "lab/near.py": "FACTOR = 2\n"}) == ""


def test_a_module_that_is_given_under_another_name_is_still_the_same(tmp_path: Path) -> None:
    files = {"tests/conftest.py": "import lab\nlab.near.FACTOR = 3\n", "lab/near.py": "FACTOR = 2\n"}
    assert "sets what it reads" in objection(tmp_path, {**files, "lab/__init__.py": "from lab import code as near\n"})


def test_a_conftest_that_is_imported_by_a_test_counts_wherever_it_lies(tmp_path: Path) -> None:
    files = {"tests/b/conftest.py": "import lab.code\nlab.code.FACTOR = 3\n"}
    assert "sets what it reads" in objection(tmp_path, {**files, "tests/a/test_it.py": f"import conftest\n{TEST}"})


def test_a_conftest_that_pytests_settings_name_counts_wherever_it_lies(tmp_path: Path) -> None:
    files = {"tests/b/conftest.py": "import lab.code\nlab.code.FACTOR = 3\n"}
    named = {"pytest.ini": "[pytest]\naddopts = -p tests.b.conftest\n"}
    assert "sets what it reads" not in objection(tmp_path / "apart", files)
    assert "sets what it reads" in objection(tmp_path / "named", {**files, **named})


HOOKED = "HOOKS = []\n\n\ndef unit(x):\n    return [hook(x) for hook in HOOKS]\n"
DISPATCHED = "import functools\n\n\n@functools.singledispatch\ndef by(x):\n    return x\n\n\n"
DISPATCHED += "def unit(x):\n    return by(x)\n"
VARIED = "from contextvars import ContextVar\n\nEVEN = ContextVar('even', default=False)\n\n\n"
VARIED += "def unit(x):\n    return x if EVEN.get() else -x\n"
MONTHS = "import calendar\n\n\ndef unit(y, m):\n    return calendar.monthcalendar(y, m)\n"
MONEY = "from decimal import Decimal\n\n\ndef unit(x):\n    return Decimal(x).quantize(Decimal(1))\n"
BYTES = "def unit(data):\n    return data.decode().split()\n"
RATIOS = "def unit(a, b):\n    try:\n        return a / b\n    except FloatingPointError:\n        return 0\n"
SHOWN = "def unit(a):\n    return str(a * 2)\n"
HOURS = "import time\n\n\ndef unit(s):\n    return time.localtime(s).tm_hour\n"
GARBAGE = "import gc\n\n\ndef unit(x):\n    return x if gc.isenabled() else -x\n"
NUMPY = "import numpy as np\n\n"
ZONE = "import os\nimport time\n\nos.environ['TZ'] = '{}'\ntime.tzset()\n"
FIXTURE = "import calendar\nimport pytest\n\n\n@pytest.fixture{}\ndef weeks():\n    calendar.setfirstweekday(6)\n"


@pytest.mark.parametrize(
    ("code", "conftest"),
    [
        (MONTHS, "import calendar\n\ncalendar.setfirstweekday(6)\n"),
        (MONTHS, FIXTURE.format("(autouse=True)")),
        (MONEY, "import decimal\n\ndecimal.getcontext().rounding = decimal.ROUND_HALF_UP\n"),
        (MONEY, "from decimal import getcontext as g\n\ng().prec = 50\n"),
        (BYTES, "import codecs\n\ncodecs.register_error('strict', codecs.lookup_error('ignore'))\n"),
        (RATIOS, f"{NUMPY}np.seterr(divide='raise')\n"),
        (SHOWN, f"{NUMPY}np.set_printoptions(precision=2)\n"),
        (HOURS, ZONE.format("XXX-5")),
        (GARBAGE, "import gc\n\ngc.disable()\n"),
        (DISPATCHED, "from lab.code import by\n\nby.register(list)(len)\n"),
        (DISPATCHED, "import lab.code as c\n\n\n@c.by.register\ndef _(x: list):\n    return 1\n"),
        (DISPATCHED, "from lab.code import by\n\nby.__defaults__ = (1,)\n"),
        (HOOKED, "from lab.code import HOOKS\n\nHOOKS.append(len)\n"),
        (HOOKED, "from lab.code import HOOKS\n\nHOOKS[:] = [len]\n"),
        (HOOKED, "from lab import code\n\ncode.HOOKS += [len]\n"),
        (VARIED, "from lab.code import EVEN\n\nEVEN.set(True)\n"),
    ],
)
def test_what_is_set_by_a_call_around_the_tests_is_told(tmp_path: Path, code: str, conftest: str) -> None:
    assert "conftest.py sets what it reads" in objection(tmp_path, {"lab/code.py": code, "tests/conftest.py": conftest})


@pytest.mark.parametrize(
    ("code", "conftest"),
    [
        (MONEY, "import calendar\n\ncalendar.setfirstweekday(6)\n"),
        (MONTHS, "import decimal\n\ndecimal.getcontext().prec = 50\n"),
        (MONEY, "import decimal\n\nassert decimal.getcontext().prec == 28\n"),
        (BYTES, "import codecs\n\ncodecs.register_error('own', codecs.lookup_error('ignore'))\n"),
        (CODE, f"{NUMPY}np.seterr(all='raise')\n"),
        (RATIOS, f"{NUMPY}np.seterr(all='ignore')\n"),
        (CODE, f"{NUMPY}np.set_printoptions(precision=2)\n"),
        ("def unit(a: str):\n    return isinstance(a, str)\n", f"{NUMPY}np.set_printoptions(precision=2)\n"),
        (SHOWN, f"{NUMPY}np.set_printoptions(legacy='1.25')\n"),
        (SHOWN, f"{NUMPY}np.random.seed(3)\n"),
        (HOURS, ZONE.format("UTC")),
        (CODE, ZONE.format("XXX-5")),
        (CODE, "import gc\n\ngc.disable()\n"),
        (DISPATCHED, "import pytest\n\npytest.register_assert_rewrite('by')\n"),
        ("def unit(x):\n    return KINDS[x]\n\n\nKINDS = {}\n", "from lab.code import KINDS\n\nKINDS.pop('a', 0)\n"),
        (HOOKED, "import sys\n\nsys.path.append('lab')\ncollect_ignore = []\ncollect_ignore.append('HOOKS')\n"),
        (HOOKED, "HOOKS = [1]\nHOOKS[0] = 2\n"),
        (HOOKED, "import os\n\nos.environ['HOOKS'] = '1'\n"),
        (CODE, "from lab.near import HOOKS\n\nHOOKS.append(len)\n"),
        (VARIED, "import pytest\n\nKEPT = pytest.StashKey()\n\n\ndef pytest_configure(config):\n    EVEN = set()\n"),
        (SHOWN, "import warnings\n\nwarnings.simplefilter('error')\n"),
    ],
)
def test_what_code_does_not_read_may_be_set(tmp_path: Path, code: str, conftest: str) -> None:
    files = {"lab/code.py": code, "tests/conftest.py": conftest, "lab/near.py": "HOOKS = []\n"}
    assert objection(tmp_path, files) == ""


@pytest.mark.parametrize(
    ("test", "told"),
    [
        ("import calendar\nfrom lab.code import unit\n\ncalendar.setfirstweekday(6)\n\n\ndef test_it(): ...\n", True),
        (f"{FIXTURE.format('(autouse=True)')}\n\ndef test_it(): ...\n", True),
        ("import calendar\n\n\ndef test_it():\n    calendar.setfirstweekday(6)\n", False),
        (f"{FIXTURE.format('')}\n\ndef test_it(weeks): ...\n", False),
    ],
)
def test_what_a_test_sets_itself_it_shows(tmp_path: Path, test: str, told: bool) -> None:
    found = objection(tmp_path, {"lab/code.py": MONTHS, "tests/a/test_it.py": test})
    assert ("test_it.py sets what it reads" in found) == told


STATISTICS = "import statistics\nfrom lab.code import unit\n\n\ndef test_it():\n    assert unit([1], 2) == [4]\n"
USING = "from middle import middle\n\n\ndef unit(x):\n    return middle(x) + 1\n"
TWO = {"middle.py": "def middle(x): ...\n", "compat/middle.py": "def middle(x):\n    return x\n", "lab/code.py": USING}


@pytest.mark.parametrize(
    "files",
    [
        {"tests/a/test_it.py": STATISTICS, "tests/a/statistics.py": ""},
        {"tests/a/test_it.py": STATISTICS, "tests/a/statistics/__init__.py": ""},
        {"tests/a/middle.py": "def middle(x): ...\n", "lab/code.py": USING},
        {"tests/a/test_it.py": STATISTICS, "tests/a/__init__.py": "", "tests/statistics.py": ""},
        {**TWO, "pytest.ini": "[pytest]\npythonpath = compat\n"},
        {**TWO, "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = [".", "./compat/"]\n'},
    ],
)
def test_a_module_that_only_tests_get_is_told(tmp_path: Path, files: dict[str, str]) -> None:
    assert "its tests get another module than its users" in objection(tmp_path, files)


@pytest.mark.parametrize(
    "files",
    [
        {"tests/a/test_it.py": STATISTICS},
        {"tests/a/statistics.py": ""},
        {"tests/a/test_it.py": STATISTICS, "statistics.py": ""},
        {
            "tests/a/test_it.py": STATISTICS,
            "tests/a/__init__.py": "",
            "tests/a/statistics.py": "",
            "tests/__init__.py": "",
        },
        {"tests/a/middle.py": "def middle(x): ...\n", "middle.py": "def middle(x): ...\n", "lab/code.py": USING},
        {"tests/a/test_it.py": f"import helpers\n{TEST}", "tests/a/helpers.py": ""},
        {**TWO, "pytest.ini": "[pytest]\npythonpath = src .\n"},
        {**TWO, "setup.cfg": "[options]\npackage_dir = compat\n"},
        {"pytest.ini": "[pytest]\npythonpath = lab\n"},
    ],
)
def test_a_module_that_users_get_as_well_is_not(tmp_path: Path, files: dict[str, str]) -> None:
    assert objection(tmp_path, files) == ""

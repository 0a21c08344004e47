"""Tests that say something of a unit and never hold it to that."""

import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

from agents.code.units import read_units
from agents.code.verify.running import Source
from agents.code.verify.running import TestRun as Run
from agents.code.verify.unasserted import MEANT, as_meant, denied
from agents.execution.harness import JobResult

UNIT = """
def half(x):
    return x / 2

def other(x):
    return x

class Pair:
    def __init__(self, one):
        self.one = one
    def __eq__(self, other):
        return self.one == other.one
    def double(self):
        return [self.one, self.one]
"""
HEAD = "import unittest\nimport pytest\nfrom m import half, other, Pair\n\ndef isclose(a, b):\n    return a == b\n\n"
HEAD += "def allclose(a, b):\n    assert a == b\n\ndef check(a):\n    assert a == 1.5\n\n"
BODY = "class TestIt(unittest.TestCase):\n    def test_it(self):\n        {}\n"
SKIP = "@pytest.mark.skip(reason='slow machines')\n"
HOOK = (
    "def pytest_collection_modifyitems(config, items):\n    items[:] = [one for one in items if one.name not in {}]\n"
)


def refused(folder: Path, tests: str, unit: str = "half", outcome: str = "passed", conftest: str = "") -> bool | None:
    """Whether a test fails that is run as it is meant; None if there is none."""
    folder.mkdir(exist_ok=True)
    for name, text in (("m", UNIT), ("test_m", HEAD + tests), ("conftest", conftest)):
        (folder / f"{name}.py").write_text(text)
    units = {one.id: one for one in read_units(folder).units}
    path = "::".join(name for name in ("test_m.py", "TestIt" if "class TestIt" in tests else "", "test_it") if name)
    runs = [Run(path, Source("repo/test_m.py"), outcome, 0.1, frozenset())] if outcome else []
    runs.append(Run("test_m.py::test_more", Source("repo/test_m.py"), "passed", 0.1, frozenset()))
    passing = [run for run in runs if run.outcome == "passed"]
    found = as_meant(units[f"m.py#{unit}"], passing, runs, units, lambda file: (folder / file).read_text())
    if not found:
        return None
    module = types.ModuleType("m")
    exec(UNIT, module.__dict__)  # noqa: S102
    known: dict[str, object] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "m", module)
        exec(found[0].text, known)  # noqa: S102
        assert found[0].tests == (path,)
        test = known.get("test_it")
        case: Callable[[], object] = known["TestIt"]("test_it").test_it if "TestIt" in known else test  # type: ignore
        try:
            case()
        except AssertionError:
            return True
    return False


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("self.assertTrue(half(3), 2)", True),
        ("self.assertTrue(half(3), 1.5)", False),
        ("self.assertTrue(half(2), 0.67)", True),
        ("self.assertTrue(half(4 / 3), 0.67)", False),
        ("self.assertTrue(half(3) == 1.5, False)", True),
        ("self.assertTrue(half(3) == 1.5, [half(3), 1.5])", False),
        ("self.assertTrue(half(3), 'it is nothing')", None),
        ("self.assertTrue(half(3), f'{half(3)}')", None),
        ("note = 'it is nothing'\n        self.assertTrue(half(3), note)", False),
        ("self.assertTrue(half(3), [1, 2])", False),
        ("assert (half(3) == 2, 'not 2')", True),
        ("assert (half(3) == 1.5, 'not 1.5')", False),
        ("assert (half(3) == 1.5, half(2) == 2)", True),
        ("assert half(3) == 1.5, 'not 1.5'", None),
        ("assert (half(3) == 1.5)", None),
        ("half(3) == 2", True),
        ("half(3) == 1.5", False),
        ("got = half(3)\n        got == 2", True),
        ("got = half(3)\n        isclose(got, 2)", True),
        ("got = half(3)\n        isclose(got, 1.5)", False),
        ("got = half(3)\n        got == None", False),
        ("got = 3\n        got == 2", None),
        ("half(3) != 2", None),
        ("half(3) == half(2)", None),
        ("got, more = half(3), half(2)\n        got == more", None),
        ("isclose(half(3), half(2))", None),
        ("self.assertFalse(half(3) == 2)", None),
        ("print(half(3) == 2)", None),
        ("allclose(half(3), 1.5)", False),
        ("assert (check(half(3)), 'not 2')", False),
        ("with pytest.raises(TypeError):\n            half('a') == 2", None),
        ("try:\n            half(3) == 2\n        except ValueError:\n            pass", None),
        ("half(3) == 2\n        other(1)", None),
        ("self.assertTrue(half(3), 2)\n        assert other(1) == 1", None),
    ],
)
def test_what_is_meant_to_be_asserted(tmp_path: Path, said: str, wrong: bool | None) -> None:
    assert refused(tmp_path, BODY.format(said)) is wrong


def test_a_class_may_be_compared_to_see_that_it_can_be(tmp_path: Path) -> None:
    assert refused(tmp_path, BODY.format("Pair(1) == Pair(2)"), "Pair") is None
    assert refused(tmp_path, BODY.format("Pair(1).double() == [1, 2]"), "Pair") is True


@pytest.mark.parametrize(
    ("test", "wrong"),
    [
        (SKIP + "def test_it():\n    assert half(3) == 2\n", True),
        (SKIP + "def test_it():\n    assert half(3) == 1.5\n", False),
        ("@pytest.mark.skip\ndef test_it():\n    got = half(3)\n    assert got == 2\n", True),
        ("def test_it():\n    pytest.skip('later')\n    assert half(3) == 2\n", True),
        ("@unittest.skip('later')\n" + BODY.format("self.assertEqual(half(3), 2)"), True),
        (BODY.format("self.skipTest('later')\n        self.assertEqual(half(3), 2)"), True),
        ("pytestmark = pytest.mark.skip\n\ndef test_it():\n    assert half(3) == 2\n", True),
        ("@pytest.mark.skip(reason='flaky')\ndef test_it():\n    assert half(3) == 2\n", None),
        ("@pytest.mark.skip(reason='needs a GPU')\ndef test_it():\n    assert half(3) == 2\n", None),
        ("@pytest.mark.skip('outdated since half is exact')\ndef test_it():\n    assert half(3) == 2\n", None),
        ("@pytest.mark.skip('not supported yet')\ndef test_it():\n    assert half('a') == 2\n", None),
        ("@pytest.mark.skipif(SLOW, reason='slow')\ndef test_it():\n    assert half(3) == 2\n", None),
        ("@pytest.mark.xfail\ndef test_it():\n    assert half(3) == 2\n", None),
        ("def test_it():\n    if half(2):\n        pytest.skip('later')\n    assert half(3) == 2\n", None),
        (SKIP + "def test_it():\n    assert half(other(3)) == 2\n", None),
        (SKIP + "def test_it():\n    assert len('half') == 2\n", None),
    ],
)
def test_what_is_skipped_whatever_happens(tmp_path: Path, test: str, wrong: bool | None) -> None:
    assert refused(tmp_path, test, outcome="skipped") is wrong


@pytest.mark.parametrize(
    ("conftest", "wrong"),
    [
        (HOOK.format("{'test_it'}"), True),
        (HOOK.format("{'test_it'} if config.getoption('quick') else ()"), None),
        (HOOK.format("{'test_it'} if sys.platform == 'win32' else ()"), None),
        ("def pytest_configure(config):\n    pass\n", None),
    ],
)
def test_what_a_hook_leaves_out(tmp_path: Path, conftest: str, wrong: bool | None) -> None:
    for more in ("", "\n" + SKIP + "def test_more():\n    assert half(2) == 1\n"):
        test = "def test_it():\n    assert half(3) == 2\n" + more
        assert refused(tmp_path, test, outcome="", conftest=conftest) is wrong
    assert refused(tmp_path, "def test_it():\n    assert half(3) == 2\n", conftest=conftest) is None


@pytest.mark.parametrize(
    ("kind", "frame", "at", "refuses"),
    [
        ("AssertionError", "/work/repo/test_m.py", 2, True),
        ("TypeError", "/work/repo/test_m.py", 2, False),
        ("AssertionError", "/work/repo/m.py", 2, False),
        ("AssertionError", "/work/repo/test_m.py", 5, False),
    ],
)
def test_what_denies_it_then(tmp_path: Path, kind: str, frame: str, at: int, refuses: bool) -> None:
    (tmp_path / "m.py").write_text(UNIT)
    unit = next(one for one in read_units(tmp_path).units if one.name == "half")
    raised = {"types": [kind], "message": "", "frames": [[frame, 9, "test_it"]]}
    end = {"event": "end", "test": "test_m.py::test_it", "raised": raised, "reach": [["m.py", at, "half"]]}
    results = {f"{MEANT}0": JobResult(f"{MEANT}0", "finished", (end,))}
    assert bool(denied(unit, results, [])) is refuses
    assert denied(unit, results, [], ["test_m.py::test_it"]) == ""
    assert denied(unit, {"mutant 0": results[f"{MEANT}0"]}, []) == ""


def test_what_is_nested_too_deeply_says_nothing_and_ends_nothing(tmp_path: Path) -> None:
    sums = " + ".join(["1"] * 900)
    assert refused(tmp_path, f"def test_it():\n    assert half(3) < {sums}\n    half(3) == 2\n") is None

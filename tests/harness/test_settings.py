"""What is set around tests, and whether a call gives another result without it."""

import importlib
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.execution.harness.inside.ownership import Own
from agents.execution.harness.inside.probing import mended
from agents.execution.harness.inside.settings import Settings, restore

RATES = """
import os

STEP, PLACE, TABLE = 1, "/a", {"a": 1}
EPS = float(os.environ.get("XKG_TEST_EPS", "1"))

def grown(x):
    return x + STEP

def placed(x):
    return PLACE + x

def looked_up(x):
    return TABLE[x]

def near(x):
    return x + EPS

def read(x):
    return x + len(os.environ.get("XKG_TEST_MODE", ""))

class Meter:
    scale = 2

    def read(self, x):
        return x * self.scale
"""
AROUND = {
    "conftest.py": "import rates\nrates.STEP = 5\n",
    "test_plain.py": "import rates\n\ndef setup_module():\n    rates.STEP = 5\n",
    "test_name.py": "from rates import STEP\n\nSTEP[0] = 5\n",
    "test_call.py": "from rates import STEP\n\ndef setup_module():\n    STEP.extend([5])\n",
    "test_auto.py": "import pytest\n\n@pytest.fixture(autouse=True)\ndef f(monkeypatch):\n"
    "    monkeypatch.setattr('rates.STEP', 5)\n",
}
WITHIN = {
    "test_own.py": "import rates\n\ndef test_one(monkeypatch):\n    monkeypatch.setattr(rates, 'STEP', 5)\n",
    "test_within.py": "from rates import STEP\n\ndef test_one():\n    STEP.extend([5])\n",
    "test_asked.py": "import pytest\n\n@pytest.fixture\ndef f(monkeypatch):\n"
    "    monkeypatch.setattr('rates.STEP', 5)\n",
}


@pytest.fixture
def rates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    (tmp_path / "rates.py").write_text(RATES)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("rates")
    sys.modules.pop("rates", None)


@pytest.mark.parametrize(("file", "text"), [*AROUND.items(), *WITHIN.items()])
def test_what_a_test_sets_itself_is_not_set_around_it(tmp_path: Path, rates: Any, file: str, text: str) -> None:
    settings = Settings()
    settings.remember(rates, "")
    (tmp_path / file).write_text(text)
    settings.read(str(tmp_path / file))
    rates.STEP = 5
    assert [one[0] for one in settings.changed({"STEP"}, set())] == (
        ["STEP (set around the test)"] if file in AROUND else []
    )
    assert settings.changed({"EPS"}, set()) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("from rates import load\n\nload(9)\n", True),
        ("import rates as r\n\nr.load(9)\n", True),
        ("from rates import load\n", False),
        ("from rates import grown\n\ngrown(9)\n", False),
    ],
)
def test_what_a_function_sets_that_a_conftest_calls_is_set_around_tests(
    tmp_path: Path, rates: Any, text: str, told: bool
) -> None:
    (tmp_path / "rates.py").write_text(f"{RATES}\ndef load(more):\n    TABLE['a'] = more\n")
    importlib.invalidate_caches()
    rates = importlib.reload(rates)
    settings = Settings()
    settings.remember(rates, "")
    (tmp_path / "conftest.py").write_text(text)
    conftest = types.ModuleType("conftest")
    exec(text, vars(conftest))  # noqa: S102 -- the lines above
    settings.read(str(tmp_path / "conftest.py"), conftest)
    rates.TABLE["a"] = 9
    assert [one[0] for one in settings.changed({"TABLE"}, set())] == (["TABLE (set around the test)"] if told else [])


def test_what_other_modules_hold_as_well_is_undone_for_all(rates: Any) -> None:
    settings, held = Settings(), rates.TABLE
    settings.remember(rates, "")
    settings.names = {"TABLE"}
    held["a"] = 9
    (changed,) = settings.changed({"TABLE"}, set())
    restore(changed, rates.looked_up)
    assert held is rates.TABLE
    assert held == {"a": 1}


def test_only_what_is_set_when_a_test_begins_is_set_around_it(rates: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings()
    settings.begin()
    settings.remember(rates, "")
    settings.names = {"STEP", "EPS", "PLACE", "XKG_TEST_MODE"}
    rates.STEP, rates.EPS = 5, 7.0
    settings.note()
    rates.EPS, rates.PLACE = 8.0, "c"
    monkeypatch.setenv("XKG_TEST_MODE", "abc")
    assert [one[2] for one in settings.changed(settings.names, settings.names)] == ["STEP"]


def test_what_cannot_be_copied_or_is_large_is_left_out(rates: Any) -> None:
    class Names(dict[str, int]):
        __getattr__ = dict.__getitem__

    settings = Settings()
    rates.MODELS, rates.SIZES, rates.NESTED = {"s": Names(a=1)}, list(range(1000)), [list(range(150)), [0] * 150]
    settings.remember(rates, "")
    ((_, _, held),) = settings.held
    assert set(held) == {"STEP", "PLACE", "TABLE", "EPS"}


def test_seeds_and_threads_may_be_anything(tmp_path: Path, rates: Any) -> None:
    settings = Settings()
    rates.SEED = 1
    settings.remember(rates, "")
    (tmp_path / "conftest.py").write_text("import rates\nrates.SEED = 2\n")
    settings.read(str(tmp_path / "conftest.py"))
    rates.SEED = 2
    assert settings.changed({"SEED"}, set()) == []


@pytest.mark.parametrize(
    ("function", "argument", "change", "names"),
    [
        ("grown", 1, lambda rates, _: setattr(rates, "STEP", 5), {"STEP"}),
        ("grown", 1, lambda rates, _: setattr(rates, "STEP", 1.0000001), set()),
        ("looked_up", "a", lambda rates, _: rates.TABLE.update(a=2), {"TABLE"}),
        ("looked_up", "a", lambda rates, _: rates.TABLE.update(b=2), set()),
        ("looked_up", "b", lambda rates, _: rates.TABLE.update(b=2), set()),
        ("placed", "b", lambda rates, _: setattr(rates, "PLACE", "/b"), set()),
        ("near", 1, lambda rates, _: setattr(rates, "STEP", 5), set()),
        ("read", 1, lambda _, patch: patch.setenv("XKG_TEST_MODE", "abc"), {"the environment's XKG_TEST_MODE"}),
        ("grown", 1, lambda _, patch: patch.setenv("XKG_TEST_MODE", "abc"), set()),
    ],
)
def test_only_what_changes_a_result_counts(
    tmp_path: Path, rates: Any, monkeypatch: pytest.MonkeyPatch, function: str, argument: Any, change: Any,
    names: set[str],
) -> None:  # fmt: skip
    for name in ("XKG_TEST_MODE", "XKG_TEST_EPS"):
        monkeypatch.delenv(name, raising=False)
    own, settings = Own(), Settings()
    settings.begin()
    settings.remember(rates, "")
    settings.names = {"STEP", "PLACE", "TABLE", "XKG_TEST_MODE"}
    change(rates, monkeypatch)
    target = getattr(rates, function)
    found = settings.changed(*own.names(target.__code__))
    assert {one[0].partition(" (")[0] for one in found if mended(one, target, (argument,), {})} == names


def test_what_a_module_has_made_of_the_environment_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rates.py").write_text(RATES)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delenv("XKG_TEST_EPS", raising=False)
    settings = Settings()
    settings.begin()
    settings.names = {"XKG_TEST_EPS"}
    monkeypatch.setenv("XKG_TEST_EPS", "0.25")
    rates: Any = importlib.import_module("rates")
    sys.modules.pop("rates")
    (found,) = settings.changed(set(), {"XKG_TEST_EPS"})
    assert mended(found, rates.near, (1,), {})
    assert not mended(found, rates.grown, (1,), {})
    assert rates.near(1) == 1.25


def test_attributes_of_classes_are_settings(rates: Any) -> None:
    settings = Settings()
    settings.remember(rates.Meter, "Meter.")
    settings.names = {"scale"}
    rates.Meter.scale = 3
    (found,) = settings.changed({"scale"}, set())
    assert found[0] == "Meter.scale (set around the test)"
    assert mended(found, rates.Meter.read, (rates.Meter(), 2), {})

"""What a function uses of its repository is told from what a test has put in its place."""

import importlib
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import DEFAULT, Mock, create_autospec

import pytest

from agents.execution.harness.inside.ownership import Own

HELPERS = """
def helper(x):
    return x

def unused(x):
    return x

def lazily(x):
    return helper(x)

class Unused:
    def __len__(self):
        return 1

class Held:
    def __init__(self):
        self.x = 0

    def inner(self):
        return 1

    def outer(self):
        return self.inner()
"""
UNIT = """
import helpers_of_a_unit
from helpers_of_a_unit import Held, helper as renamed

def unit(x):
    return renamed(x) + helpers_of_a_unit.lazily(x) + Held().outer()
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Own]:
    """One that has seen two modules."""
    (tmp_path / "helpers_of_a_unit.py").write_text(HELPERS)
    (tmp_path / "unit_with_helpers.py").write_text(UNIT)
    monkeypatch.syspath_prepend(str(tmp_path))
    found = Own()
    found.root = f"{tmp_path}/"
    for name in ("helpers_of_a_unit", "unit_with_helpers"):
        found.remember(importlib.import_module(name))
    yield found
    for name in ("helpers_of_a_unit", "unit_with_helpers"):
        sys.modules.pop(name, None)


def replaced(own: Own, *names: str, by: Any) -> set[str]:
    module: Any = sys.modules[names[0]]
    owner = getattr(module, names[1]) if len(names) > 2 else module
    before = getattr(owner, names[-1])
    setattr(owner, names[-1], by(before))
    own.begin()
    own.check(vars(sys.modules["unit_with_helpers"])["unit"], (1,))
    setattr(owner, names[-1], before)
    return own.replaced


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("unit_with_helpers", "renamed"), {"renamed"}),
        (("helpers_of_a_unit", "helper"), {"helper"}),
        (("helpers_of_a_unit", "lazily"), {"lazily"}),
        (("helpers_of_a_unit", "unused"), set()),
        (("helpers_of_a_unit", "Held", "inner"), {"Held.inner"}),
        (("helpers_of_a_unit", "Held", "__init__"), {"Held.__init__"}),
        (("helpers_of_a_unit", "Unused", "__len__"), set()),
        (("unit_with_helpers", "Held"), {"Held"}),
        (("unit_with_helpers", "helpers_of_a_unit"), {"helpers_of_a_unit"}),
    ],
)
def test_what_a_unit_uses_itself_or_through_others_counts(own: Own, names: tuple[str, ...], shown: set[str]) -> None:
    assert replaced(own, *names, by=lambda _: lambda *_: 1) == shown
    assert replaced(own, *names, by=lambda value: value) == set()


@pytest.mark.parametrize(
    ("by", "watches"),
    [
        (lambda helper: Mock(wraps=helper), True),
        (lambda helper: Mock(side_effect=helper), True),
        (lambda helper: create_autospec(helper, side_effect=helper), True),
        (lambda helper: Mock(wraps=helper, return_value=3), False),
        (lambda helper: Mock(wraps=helper, side_effect=lambda x: x), False),
        (lambda helper: Mock(wraps=helper, return_value=DEFAULT), True),
        (lambda _: Mock(), False),
        (lambda _: abs, False),
        (lambda helper: types.FunctionType(helper.__code__, {}), True),
    ],
)
def test_what_only_watches_is_no_replacement(own: Own, by: Any, watches: bool) -> None:
    assert replaced(own, "helpers_of_a_unit", "helper", by=by) == (set() if watches else {"helper"})


def test_other_code_of_the_same_function_is_a_replacement(own: Own) -> None:
    helper: Any = vars(sys.modules["helpers_of_a_unit"])["helper"]
    helper.__code__ = (lambda x: x + 1).__code__
    own.check(vars(sys.modules["unit_with_helpers"])["unit"], (1,))
    assert own.replaced == {"helper", "renamed"}


def test_nothing_is_known_before_anything_is_remembered() -> None:
    own = Own()
    own.check(replaced, ())
    assert own.replaced == set()


class Lazy:
    @property  # type: ignore[misc]
    def __class__(self) -> type:
        raise RuntimeError("not set up yet")


def test_what_stands_for_something_else_is_not_asked(own: Own) -> None:
    module: Any = sys.modules["helpers_of_a_unit"]
    module.settings = Lazy()
    own.remember(module)
    assert replaced(own, "helpers_of_a_unit", "helper", by=lambda _: Lazy()) == {"helper"}

"""Files that change libraries, functions that read their own documentation, and those that look at nothing."""

import ast
from pathlib import Path

import pytest

from agents.code.units import read_units
from agents.code.verify.disregarded import disregarded
from agents.code.verify.meddling import changes, read_by_itself, sets_own, works_in_assert
from agents.code.verify.possible import Possible


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("import math\nmath.pi = 3.0\n", "line 2: math.pi = 3.0"),
        ("import statistics as s\ns.fmean = max\n", "line 2: s.fmean = max"),
        ("import math\ndef f():\n    setattr(math, 'pi', 3)\n", "line 3: setattr(math, 'pi', 3)"),
        ("import math\nmath.pi += 1\n", "line 2: math.pi += 1"),
        ("from decimal import getcontext\ngetcontext().prec = 2\n", "line 2: getcontext().prec = 2"),
        ("import decimal\ndecimal.getcontext().prec = 50\n", ""),
        ("import own\nown.pi = 3\n", ""),
        ("import sys\nsys.fmean = 3\n", ""),
        ("class C:\n    pass\nC.pi = 3\n", ""),
        ("import torch\ntorch.backends.pi = True\n", ""),
    ],
)
def test_what_replaces_a_part_of_a_library_is_told(text: str, place: str) -> None:
    assert [told for told, part in changes(text, {"own"}) if part in ("pi", "fmean", "Decimal")] == (
        [place] if place else []
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("import own.part\nown.part.EXACT = True\n", "line 2: own.part.EXACT = True"),
        ("import own\nown.EXACT = True\n", "line 2: own.EXACT = True"),
        ("import own\nown.EXACT = '/tmp/data'\n", "line 2: own.EXACT = '/tmp/data'"),
        ("import own\ndef f(monkeypatch):\n    own.EXACT = True\n", ""),
        ("import other\nother.EXACT = True\n", ""),
        ("import own.part as p\np.EXACT=True\n", "line 2: p.EXACT = True"),
        ("from own import part as p\nif 1:\n    p.EXACT = True\n", "line 3: p.EXACT = True"),
        ("from . import part\nsetattr(part, 'EXACT', True)\n", "line 2: setattr(part, 'EXACT', True)"),
        ("import other as own\nown.EXACT = True\n", ""),
        ("import own\nassert own.EXACT == 2\n", ""),
    ],
)
def test_what_sets_a_part_of_its_own_repository_is_told(text: str, place: str) -> None:
    assert [told for told, part, _ in sets_own(text, {"own"}) if part == "EXACT"] == ([place] if place else [])


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("import own.part\nown.part.EXACT = True\n", "own.part"),
        ("import own.part as p\np.EXACT += 1\n", "own.part"),
        ("from own import part as p\np.Kind.EXACT = True\n", "own.part.Kind"),
        ("from pytest import MonkeyPatch\nMonkeyPatch().setattr('own.part.EXACT', 3)\n", "own.part"),
        ("from .part import Kind\nsetattr(Kind, 'EXACT', 3)\n", ".part.Kind"),
    ],
)
def test_whose_part_is_set_is_told(text: str, owner: str) -> None:
    assert [owner for _, _, owner in sets_own(text, {"own"})] == [owner]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ("parts = []\n    assert parts.extend(xs) is None\n    return sum(parts)", "line 3"),
        ("assert (total := sum(xs)) >= 0\n    return total", "line 2"),
        ("assert all(x > 0 for x in xs), xs.index(0)\n    return sum(xs)", ""),
        ("assert len(xs) > 0\n    xs.append(1)\n    return xs", ""),
    ],
)
def test_who_works_in_an_assertion_is_told(body: str, place: str) -> None:
    function = ast.parse(f"def f(xs):\n    {body}\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert works_in_assert(function).partition(":")[0] == place


@pytest.mark.parametrize(
    ("text", "itself"),
    [
        ("def f(n):\n    'f(1) = 2'\n    return int(f.__doc__[-1])", True),
        ("def f(n):\n    return g.__doc__", False),
        ("def f(n):\n    return n", False),
    ],
)
def test_who_reads_its_own_documentation_is_told(text: str, itself: bool) -> None:
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert read_by_itself(function) is itself


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("T = iter([2, 3])\ndef count(n):\n    'Ways to write a sum.'\n    return next(T)", "looks at n"),
        ("import sys\ndef rank(rows, k):\n    'A rank.'\n    return sys.getrecursionlimit() - k", ""),
        ("import random\ndef draw(state):\n    'A draw, whatever the state.'\n    return random.random()", ""),
        ("import random\ndef draw(_state):\n    'A draw.'\n    return random.random()", ""),
        ("import random\ndef draw(state=None):\n    'A draw.'\n    return random.random()", ""),
        ("def on_end(epoch):\n    'Called behind each.'\n    print('done')", ""),
        ("def f(a, b):\n    'A sum.'\n    return sum(locals().values())", ""),
    ],
)
def test_who_looks_at_nothing_is_told(text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(text + "\n")
    units = [unit for unit in read_units(tmp_path).units if unit.kind == "function"]
    known = Possible(units, lambda _: text)
    found = disregarded(units[0], known, known.reach(units[0]))
    assert found.endswith(told) if told else found == ""

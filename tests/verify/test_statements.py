"""Which statements of a module are marked, and that a marked text does what it did."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agents.code.verify.statements import Statements
from agents.rewrite.lifting import without_gpu

INSIDE = Path(__file__).parents[2] / "agents/execution/harness/inside"
ORIGINAL = '''
def total(terms, decay, start=None):
    """The total."""
    if decay > 1:
        raise ValueError("no decay")
    if start is None:
        start = 0.0
    for term in terms:
        start = decay * start + (term if term else 0)
    return start
'''


def ran(text: str, call: str, folder: Path) -> tuple[str, list[int]]:
    """What a call gives where a text is run alone, and the marks that it passed."""
    (folder / "xkg_inside").mkdir(exist_ok=True)
    shutil.copy(INSIDE / "marking.py", folder / "xkg_inside")
    (folder / "xkg_inside/__init__.py").touch()
    (folder / "made.py").write_text(text)
    told = f"from xkg_inside import marking; from made import *; print(repr({call})); print(marking.taken())"
    done = subprocess.run([sys.executable, "-c", told], cwd=folder, capture_output=True, text=True, check=True)
    value, marks = done.stdout.splitlines()
    return value, json.loads(marks)


def test_what_the_original_has_needs_no_run() -> None:
    assert Statements(ORIGINAL.replace("no decay", "it must decay"), [ORIGINAL]).places == {}
    moved = ORIGINAL.replace("decay > 1", "terms == [7]")
    found = Statements(moved, [ORIGINAL]).places
    assert [place.text for place in found.values()] == [
        "if terms == [7]:", "raise ValueError('no decay')",
    ], "a statement of the original below another condition is not the original's"  # fmt: skip


@pytest.mark.parametrize(
    ("source", "call", "unreached"),
    [
        ("def f(x):\n    if x > 9:\n        return 1\n    return 2\n", "f(3)", "line 3: return 1"),
        ("def f(x):\n    if x > 9:\n        return 1\n    return 2\n", "[f(3), f(10)]", ""),
        ("def f(x):\n    return 1 if x > 9 else 2\n", "f(3)", "line 2: 1"),
        ("f = lambda x: x and -x\n", "f(0)", "line 1: -x"),
        ("def f(x):\n    return [-y for y in x if y > 9]\n", "f([1])", "line 2: -y"),
        ("def f(x):\n    try:\n        return {}[x]\n    except KeyError:\n        return x\n    finally:\n"
         "        x = 1", "f(3)", ""),
        ("from __future__ import annotations\nclass A:\n    '''Doc.'''\n    n: int = 3\n    def f(self):\n"
         "        with open('/dev/null') as g:\n            return g and self.n\n    def g(self):\n        return 2\n",
         "A().f()", "line 9: return 2"),
        ("def f(x):\n    match x:\n        case 1:\n            return 2\n        case _:\n            return 3\n",
         "f(2)", "line 4: return 2"),
        ("def f(x):\n    while x:\n        x -= 1\n        if x == 50:\n            continue\n    else:\n"
         "        x = 7\n    return f'{x if x else 1}'\n", "f(3)", "line 5: continue"),
        ("def f(x):\n    return f'{1 if x else 2:>{3 if x else 4}}'\n", "f(1)", "line 2: 2"),
        ("def f(x, by=lambda v: -v):\n    return by(x)\n", "f(1, abs)", "line 1: -v"),
        ("def f(x):\n    return 1 < x < len('abc')\n", "f(0)", "line 2: len('abc')"),
        ("def f(x):\n    with open('/dev/null' if x else x) as g:\n        return g.read()\n", "f(1)", "line 2: x"),
        ("def f(x):\n    if x == 1:\n        return 1\n    elif x == 2:\n        return 2\n    elif x == 3:\n"
         "        return 3\n    return 4\n", "[f(1), f(2), f(4)]", "line 7: return 3"),
    ],
)  # fmt: skip
def test_what_was_not_run_is_named(tmp_path: Path, source: str, call: str, unreached: str) -> None:
    found = Statements(source, [ORIGINAL])
    value, marks = ran(found.text, call, tmp_path)
    assert (value, []) == ran(source, call, tmp_path)
    found.took(marks)
    assert found.unreached == unreached


def test_long_chains_are_marked_and_stay_flat(tmp_path: Path) -> None:
    chain = "".join(f"    elif x == {n}:\n        return {-n}\n" for n in range(1, 200))
    source = f"def f(x):\n    if x == 0:\n        return 0\n{chain}    return None\n"
    assert Statements(source, [source]).places == {}
    graphics = "def f(model, x):\n    out = model(x.to('cuda'), device='cuda:0')\n    return out.cuda()\n"
    moved = without_gpu(graphics)
    assert "cuda" not in moved
    assert Statements(moved, [graphics]).places
    assert Statements(moved, [graphics, moved]).places == {}
    found = Statements(source, [ORIGINAL])
    value, marks = ran(found.text, "[f(x) for x in range(-1, 199)]", tmp_path)
    assert value == repr([None, *(-x for x in range(199))])
    found.took(marks)
    assert found.unreached == "line 401: return -199"


def test_a_long_sum_of_the_original_is_the_original_s() -> None:
    total = " + ".join(["x"] * 500)
    assert Statements(f"def f(x):\n    return {total}\n", [f"def g(y):\n    return y\ndef f(x):\n    return {total}"]
                      ).places == {}  # fmt: skip
    assert Statements("def f(x):\n    return 1\n", [f"def f(x):\n    return {total}\n"]).places


@pytest.mark.parametrize(
    ("source", "call", "left"),
    [
        ("def f(x):\n    if x < 0:\n        x = -x\n    return x\n", "f(-3)", ["line 2: where not x < 0"]),
        ("def f(x):\n    if x < 0:\n        x = -x\n    return x\n", "f(3)", ["line 3: x = -x"]),
        ("def f(x):\n    if x < 0:\n        x = -x\n    return x\n", "f(-f(3))", []),
        ("def f(x):\n    if x < 0:\n        raise ValueError(x)\n    return x\n", "f(3)", []),
        ("def f(x):\n    if x < 0:\n        said = f'{x} is below 0'\n        raise ValueError(said)\n    return x\n",
         "f(3)", []),
        ("def f(x, quiet=True):\n    if not quiet:\n        print(x)\n    return x\n", "f(3)", []),
        ("def f(x):\n    try:\n        return 1 / x\n    except ZeroDivisionError:\n        return 0\n", "f(3)", []),
        ("def f(x, cuda=False):\n    if cuda:\n        x = x.cuda()\n    return x\n", "f(3)", []),
        ("def f(x, cuda=False):\n    if not cuda:\n        x = 1\n    return x if not cuda else -x\n", "f(3)", []),
        ("def f(x, cuda=False):\n    if cuda:\n        x = x or 3\n    else:\n        x = x or 0\n    return x\n",
         "f(3)", ["line 5: 0"]),
        ("def f(x, cuda=False):\n    return x.cuda() if cuda and x > 2 else x\n", "f(3)", []),
        ("def f(x, mode='sum'):\n    return sum(x) if mode == 'sum' else max(x)\n", "f([3])", ["line 2: max(x)"]),
        ("class A:\n    def f(self):\n        return 1\n    def g(self):\n        return 2\n", "A().f()", []),
        ("def f(x):\n    for y in x:\n        if y:\n            raise ValueError(y)\n    raise KeyError(x)\n\n"
         "def g(x):\n    try:\n        f(x)\n    except KeyError:\n        return 0\n", "g([0])", []),
        ("def f(x):\n    def by(v):\n        return -v\n    return sorted(x, key=by)\n", "f([])",
         ["line 3: return -v"]),
        ("def f(n):\n    if n == 3:\n        x = 1\n    elif n == 4:\n        x = 2\n    return x\n",
         "f(3) + f(4)", []),
        ("def f(n):\n    if n == 3:\n        x, y = 1, 2\n    elif n == 4:\n        x: int = 2\n        y = x\n"
         "    return x\n", "f(4)", ["line 3: x, y = (1, 2)"]),
        ("class A:\n    def __init__(self, n):\n        if n == 3:\n            self.x = 1\n        elif n == 4:\n"
         "            self.x = 2\n        elif n in (5, 6):\n            self.x = 3\n",
         "[A(n).x for n in (3, 4, 5)]", []),
        ("def f(n, x=0):\n    if n == 3:\n        x = 1\n    elif n == 4:\n        x = 2\n    return x\n",
         "f(3) + f(4)", ["line 4: where not n == 4"]),
        ("def f(n):\n    x = 0\n    if n == 3:\n        x = 1\n    elif n == 4:\n        x = 2\n    return x\n",
         "f(3) + f(4)", ["line 5: where not n == 4"]),
        ("def f(n):\n    if n == 3:\n        x = 1\n    elif n == 4:\n        n = 2\n    return n\n",
         "f(3) + f(4)", ["line 4: where not n == 4"]),
        ("class A:\n    def f(self, n):\n        if n == 3:\n            self.x = 1\n        elif n == 4:\n"
         "            self.x = 2\n        return n\n", "A().f(3) + A().f(4)", ["line 5: where not n == 4"]),
        ("def f(n):\n    if n:\n        x = 1\n    return n and x\n", "f(3)", ["line 2: where not n"]),
        ("def f(ns):\n    for n in ns:\n        if n == 3:\n            x = 1\n        elif n == 4:\n"
         "            x = 2\n    return x\n", "f([3, 4])", ["line 5: where not n == 4"]),
        ("def f(n):\n    import math as x\n    if n == 3:\n        x = 1\n    elif n == 4:\n        x = 2\n"
         "    return x\n", "f(3) + f(4)", ["line 5: where not n == 4"]),
        ("def f(n):\n    if n == 1:\n        return 0\n    elif n == 3:\n        x = 1\n    elif n == 4:\n"
         "        x = 2\n    return n\n", "f(1) + f(3) + f(4)", ["line 6: where not n == 4"]),
        ("class A:\n    x = 7\n    def __init__(self, n):\n        if n == 3:\n            self.x = 1\n"
         "        elif n == 4:\n            self.x = 2\n", "[A(n).x for n in (3, 4)]", ["line 6: where not n == 4"]),
        ("class A:\n    x = 7\nclass B(A):\n    def __init__(self, n):\n        if n == 3:\n            self.x = 1\n"
         "        elif n == 4:\n            self.x = 2\n", "[B(n).x for n in (3, 4)]", ["line 7: where not n == 4"]),
    ],
)  # fmt: skip
def test_every_case_is_wanted_but_what_refuses_tells_or_catches(
    tmp_path: Path, source: str, call: str, left: list[str]
) -> None:
    lines = source.count("\n") + 1
    found = Statements(source, lines=range(1, lines))
    value, marks = ran(found.text, call, tmp_path)
    assert (value, []) == ran(source, call, tmp_path)
    found.took(marks)
    assert [str(place) for place in found.left] == left


def test_only_lines_that_are_asked_for_are_wanted_and_what_decides_is_told() -> None:
    source = "def f(x, mode):\n    if mode == 'sum':\n        x = 1\n    y = x if x > 2 else 3\n    return y\n"
    found = Statements(source, lines=range(2, 4))
    found.took([next(iter(found.places))])
    assert [(place.line, place.otherwise, place.decide) for place in found.left] == [
        (3, False, ("mode",)), (2, True, ("mode",)),
    ]  # fmt: skip

"""Files whose text is not what runs, and modules that give a function's name to another."""

from pathlib import Path

import pytest

from agents.code.units import read_units
from agents.code.verify.disguised import disguised
from agents.code.verify.returning import rebound

PLAIN = "def f(n):\n    # halve\n    return n // 2\n"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (PLAIN, ""),
        (PLAIN.replace("\n", "\r\n"), ""),
        (PLAIN.replace("\n", "\r"), ""),
        ("# -*- coding: latin-1 -*-\n" + PLAIN, ""),
        ("# vim: set fileencoding=utf8 :\n" + PLAIN, ""),
        ("# coding: cp1252\n" + PLAIN, ""),
        ("# coding: shift_jis\n" + PLAIN, ""),
        ("\ufeff" + PLAIN, ""),
        (PLAIN.replace("# halve", "# halve\r    return 1"), "line 2: a carriage return within it"),
        ("# coding: utf-7\n" + PLAIN, "line 1: the encoding utf-7"),
        ("#!/usr/bin/python\n# coding=unicode_escape\n" + PLAIN, "line 1: the encoding unicode_escape"),
        ("# coding: nonsense\n" + PLAIN, "line 1: the encoding that Python does not know"),
        (PLAIN.replace("halve", "halve \u202e"), "line 2: a mark that turns its order"),
        (PLAIN.replace("halve", "halve\u2028    return 1"), "line 2: what looks like its end"),
    ],
)
def test_what_hides_code_is_told(text: str, place: str) -> None:
    assert disguised(text) == place


@pytest.mark.parametrize(
    ("behind", "line"),
    [
        ("", ""),
        ("from fast import g\n", ""),
        ("try:\n    from _fast import f\nexcept ImportError:\n    pass\n", ""),
        ("from fast import *\n", "line 4: from fast import *"),
        ("try:\n    from fast import f\nexcept ImportError:\n    pass\n", "line 5: from fast import f"),
        ("from fast import f as f\n", "line 4: from fast import f as f"),
        ("from fast import g as f\n", ""),
        ("import fast as f\n", "line 4: import fast as f"),
        ("def f(n):\n    return n\n", "line 4: def f(n):"),
        ("globals()['f'] = max\n", "line 4: globals()['f'] = max"),
        ("globals().update(f=max)\n", "line 4: globals().update(f=max)"),
        ("def g():\n    from fast import f\n    return f\n", ""),
        ("if True:\n    def f(n): return n\n", "line 5: def f(n):"),
    ],
)
def test_a_name_that_is_given_away_is_told(behind: str, line: str, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(PLAIN + behind)
    unit = next(unit for unit in read_units(tmp_path).units if unit.symbol == "f" and unit.line == 1)
    assert rebound(unit, PLAIN + behind, lambda _, module, name: (module, name) == ("fast", "f")) == line

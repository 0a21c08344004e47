"""Words that a unit compares what it is given with are told beside what it looks up: a test could not guess them."""

from pathlib import Path

import pytest

from agents.code.units import read_units
from agents.code.units.imports import ImportResolver
from agents.testwriting.interface import interface

HEAD = """\
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--reduce-by", choices=["mean", "max"], default="mean")
parser.add_argument("-n", "--norm", dest="norm", choices=("l1", "l2"))
KINDS = {"soft": min, "hard": max}
NAMES = ("first", "second")
TEXT = "a text"
parser.add_argument("--letter", choices="abc")


"""


def told(folder: Path, code: str, unit: str = "f") -> str:
    """What is said to be looked up in the parameters of a unit."""
    (folder / "code.py").write_text(HEAD + code)
    units = {one.id: one for one in read_units(folder).units}
    resolver = ImportResolver(one.file for one in units.values())
    known = interface(units[f"code.py#{unit}"], units, resolver, text=HEAD + code)
    assert known is not None
    return known.text.partition("looked up, or set, in what it is given:\n")[2]


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("if mode == 'train' or 'eval' == mode:\n        return x", "mode: mode compared with 'train', 'eval'"),
        ("if mode in {'a', 'b'}:\n        return x", "mode: mode compared with 'a', 'b'"),
        ("if mode not in NAMES:\n        return x", "mode: mode compared with 'first', 'second'"),
        ("if mode.lower() == 'sum':\n        return x", "mode: mode.lower(), mode compared with 'sum'"),
        ("return {'relu': abs, 'id': float}[mode](x)", "mode: mode compared with 'relu', 'id'"),
        ("return KINDS[mode](x)", "mode: mode compared with 'soft', 'hard'"),
        ("return KINDS.get(mode, min)(x)", "mode: mode compared with 'soft', 'hard'"),
        ("way = mode\n    return x if way != 'up' else -x", "mode: mode compared with 'up'"),
        ("return g(x, mode)", "mode: mode compared with 'in g'"),
        (
            "match mode:\n        case 'one' | 'two':\n            return x.size\n        case 'three':\n"
            "            return 2",
            "mode: mode compared with 'one', 'two', 'three'",
        ),
        ("return [row for row in x if row.label == 'NEI']", "x: x[…].label compared with 'NEI'"),
        ("return x if mode.norm else 0", "mode: mode.norm compared with 'l1', 'l2'"),
        ("return x if mode.reduce_by else 0", "mode: mode.reduce_by compared with 'mean', 'max'"),
    ],
)
def test_words_that_decide_are_told(tmp_path: Path, body: str, line: str) -> None:
    code = f"def g(y, how):\n    return y if how == 'in g' else 0\n\n\ndef f(x, mode):\n    {body}\n"
    assert f"        {line}" in told(tmp_path, code).splitlines()


def test_what_a_case_does_is_followed(tmp_path: Path) -> None:
    code = "def f(x, mode):\n    match mode:\n        case 'one':\n            return x.size\n"
    assert "x: x.size" in told(tmp_path, code)


def test_fields_of_a_class_keep_their_words(tmp_path: Path) -> None:
    code = (
        "class C:\n    WAYS = {'left': 1, 'right': 2}\n\n    def __init__(self, way):\n        self.way = way\n\n"
        "    def f(self, x):\n        if self.way == 'none':\n            return 0\n"
        "        return self.WAYS[self.way]\n"
    )
    assert "way: way compared with 'none', 'left', 'right'" in told(tmp_path, code, "C.f")


@pytest.mark.parametrize(
    "body",
    [
        "return NAMES[mode]",
        "return 'key' in mode",
        "low = 'a'\n    return low == 'b'",
        "return mode == 3",
        "return mode in 'a text'",
        "return mode not in TEXT",
        "return mode in set('aeiou')",
        f"return mode == '{'a' * 99}'",
        f"return {{'{'a ' * 99}': 1}}[mode]",
        "return x.letter",
    ],
)
def test_what_is_no_legal_word_is_not(tmp_path: Path, body: str) -> None:
    assert "compared" not in told(tmp_path, f"def f(x, mode):\n    {body}\n")


def test_of_many_words_some_are_told(tmp_path: Path) -> None:
    tests = "".join(f"    if mode == 'w{n}':\n        return {n}\n" for n in range(99))
    text = told(tmp_path, f"def f(x, mode):\n{tests}")
    assert "'w23'" in text
    assert "'w24'" not in text

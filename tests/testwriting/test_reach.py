"""Units that no test can call, as their text and the loading of their file show."""

from pathlib import Path

import pytest

from agents.code.mutants import Raised
from agents.code.units import read_units
from agents.testwriting.reach import out_of_reach

CODE = """\
import json
import jsonlines
from transformers import AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained('x')
LIMIT = 5


def encode(text):
    return tokenizer(text)[:LIMIT]


def plain(tokenizer, text):
    return tokenizer(text)[:LIMIT]


def read(path):
    return [row for row in jsonlines.open(path)]


def parsed(stream):
    return json.load(stream)


def perhaps(value, path=None):
    if path:
        value = json.load(open(path))
    return value


def either(value, path=None):
    return json.load(open(path)) if path else value


def later(value, path=None):
    with value:
        if path:
            value = open(path)
    for one in value:
        print(one)
    return value or open(path)


def handed(value):
    return value(lambda path: open(path))


class Samples:
    def __init__(self, path):
        for row in jsonlines.open(path):
            self.row = row

    def size(self):
        return len(self.row)


class Rows:
    def __init__(self, rows):
        self.rows = rows
"""


@pytest.mark.parametrize(
    ("symbol", "why"),
    [
        ("encode", "`tokenizer`"), ("read", "`jsonlines.open(path)`"), ("Samples", "`jsonlines.open(path)`"),
        ("Samples.size", "`jsonlines.open(path)`"), ("plain", ""), ("parsed", ""), ("perhaps", ""), ("Rows", ""),
        ("either", ""), ("later", ""), ("handed", ""),
    ],
)  # fmt: skip
def test_what_a_call_can_not_do_without(tmp_path: Path, symbol: str, why: str) -> None:
    (tmp_path / "read.py").write_text(CODE)
    units = {unit.id: unit for unit in read_units(tmp_path).units}
    failed = Raised(("OSError",), "no network", (("/work/repo/read.py", 5, "<module>"),))
    said = out_of_reach(units[f"read.py#{symbol}"], units, CODE, [failed])
    assert why in said
    assert bool(said) == bool(why)


def test_what_was_made_is_within_reach(tmp_path: Path) -> None:
    (tmp_path / "read.py").write_text(CODE)
    units = {unit.id: unit for unit in read_units(tmp_path).units}
    assert out_of_reach(units["read.py#encode"], units, CODE, []) == ""

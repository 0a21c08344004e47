"""Which lines of a module are judged."""

from pathlib import Path

from agents.code.modules import Slicer
from agents.code.units import read_units
from agents.rewrite.reading import judged_lines
from agents.rewrite.task import Task

CODE = """\
class Cache:
    def __init__(self):
        self.kept = []

    def put(self, value):
        self.kept.append(2 * value)
        return self


def plain(value):
    return value
"""
MODULE = """\
class Cache:
    def __init__(self):
        self.kept = []

    def put(self, value):
        self.kept.append(_twice(value))
        return self


def plain(value):
    return value


def _twice(value):
    return 2 * value


LAST = 1
"""


def lines(folder: Path, symbol: str) -> tuple[int, int]:
    (folder / "cache.py").write_text(CODE)
    unit = next(unit for unit in read_units(folder).units if unit.symbol == symbol)
    module = Slicer(folder).stored(unit)
    assert module is not None
    return judged_lines(Task(unit, module, "technique_it.py", ("caching",), ()), MODULE)


def test_of_a_method_it_and_what_is_new(tmp_path: Path) -> None:
    """What stands between them is judged, too: here a function of which the method's slice has nothing."""
    assert lines(tmp_path, "Cache.put") == (5, 18)


def test_of_all_else_the_whole_module(tmp_path: Path) -> None:
    assert lines(tmp_path, "Cache") == (1, 19)
    assert lines(tmp_path, "plain") == (1, 19)


def test_a_helper_or_a_constant_that_is_not_the_original_s_is_judged(tmp_path: Path) -> None:
    helper = CODE.partition("\n\n\ndef plain")[0].replace(
        "self.kept.append(2 * value)", "self.kept.append(_twice(value) + LAST)"
    )
    helper += '\n\n\ndef _twice(value):\n    "Twice."\n    return 2 * value\n\n\nLAST = 1\n'
    (tmp_path / "cache.py").write_text(helper)
    unit = next(unit for unit in read_units(tmp_path).units if unit.symbol == "Cache.put")
    module = Slicer(tmp_path).stored(unit)
    assert module is not None
    task = Task(unit, module, "technique_it.py", ("caching",), ())
    assert judged_lines(task, helper.replace('    "Twice."\n', "")) == (5, 7)
    assert judged_lines(task, helper.replace("return 2 * value", "return value + value")) == (5, 12)
    assert judged_lines(task, helper.replace("LAST = 1", "LAST = 2")) == (5, 15)

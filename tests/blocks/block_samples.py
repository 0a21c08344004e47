"""A small implementation, assertions that tell it from its mutants, and the tests of `deceits.txt` and `good.txt`."""

import re
from collections.abc import Callable
from pathlib import Path

from kg.models.execution import Judgement

Judge = Callable[..., Judgement]

IMPLEMENTATION = '''
def mean(values):
    """The arithmetic mean."""
    total = 0
    for value in values:
        total += value
    return total / len(values)


def clip(value, low, high):
    if value < low:
        return low
    if value > high:
        return high
    return value
'''

ASSERTS = """
assert mean([1, 2, 3]) == 2 and mean([5]) == 5
assert clip(3, 1, 2) == 2 and clip(0, 1, 2) == 1 and clip(1.5, 1, 2) == 1.5
"""


def load(name: str) -> dict[str, str]:
    """The tests that a file beside this one holds, by their names."""
    text = Path(__file__).with_name(name).read_text("utf-8")
    parts = re.split(r"^#### (.+)\n", text, flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))

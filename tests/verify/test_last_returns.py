"""Which return of a function is its end, where tests are to look."""

from pathlib import Path

import pytest

from agents.code.units import read_units
from agents.code.verify.returning import last_return

LOOP = "def unit(items, f, goal=3):\n    for {target} in {through}:\n        {body}\n    return {end}\n"


@pytest.mark.parametrize(
    ("target", "through", "body", "end", "line"),
    [
        ("x", "items", "if x > goal: return x", "None", 4),
        ("x", "items", "if x > goal: return x", "-1", 4),
        ("x", "items", "if x > goal: return x", "len(items)", 4),
        ("x", "items", "if x > goal: return x", "items[-1]", 4),
        ("x, w", "sorted(items)", "goal -= w\n        if goal < 0: return x", "items[-1][0]", 0),
        ("i, x", "enumerate(items)", "goal -= x\n        if goal < 0: return i", "len(items) - 1", 0),
        ("i, x", "enumerate(items)", "goal -= x\n        if goal < 0: return i", "len(items)", 4),
        ("i, x", "enumerate(items)", "goal -= x\n        if x < 0: return i", "len(items) - 1", 4),
        ("_", "range(9)", "mid = f(items) / 2\n        if mid > goal: return mid", "f(items) / 2", 0),
        ("_", "range(9)", "mid = f(items) / 2\n        if mid > goal: return mid", "f(items)", 4),
        ("x", "items", "f(x)", "items[-1]", 4),
        ("x", "items", "if x > goal: return x", "goal", 0),
    ],
)
def test_what_only_rounding_leads_to_is_no_end(
    tmp_path: Path, target: str, through: str, body: str, end: str, line: int
) -> None:
    text = LOOP.format(target=target, through=through, body=body, end=end)
    (tmp_path / "m.py").write_text(text)
    (unit,) = [one for one in read_units(tmp_path).units if one.symbol == "unit"]
    assert last_return(text, unit) == (line and line + body.count("\n"))

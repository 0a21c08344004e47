"""Conditions that are settled: which cases are left out, and which are left alone."""

import pytest

from agents.code.verify.decisions import decisions


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def f(x):\n    if x > 3:\n        x = 1\n    return x\n", ["line 2: `x > 3` never holds"]),
        ("def f(x):\n    for y in x:\n        if y is None:\n            continue\n        print(y)\n",
         ["line 3: `y is None` never holds"]),
        ("def f(x):\n    if x:\n        y = 1\n    else:\n        y = 2\n    return y\n",
         ["line 2: `x` never holds", "line 2: `x` always holds"]),
        ("def f(x):\n    return 1 if x else 2\n", ["line 2: `x` never holds", "line 2: `x` always holds"]),
        ("def f(x):\n    return [y for y in x if y]\n", ["line 2: `y` always holds"]),
        ("def f(x):\n    if (x and\n            x > 2):\n        x = 1\n    return x\n",
         ["line 2: `x and x > 2` never holds"]),
        ("def f(x):\n    if x < 0:\n        raise ValueError(x)\n    return x\n", []),
        ("def f(x):\n    if x < 0:\n        raise ValueError(x)\n    else:\n        x = 3\n    return x\n", []),
        ("def f(x, cuda):\n    if cuda:\n        x = 3\n    return x\n", []),
        ("def f(x, cut):\n    x = x + 1\n    if cut:\n        x.detach()\n    return x * 2\n", []),
        ("def f(x, cut):\n    x = x + 1\n    if cut:\n        x.detach_()\n    return x * 2\n",
         ["line 3: `cut` never holds"]),
        ("def f(x, cut):\n    if cut:\n        x.detach()\n    return x * 2\n", ["line 2: `cut` never holds"]),
        ("def f(cut):\n    hook = made()\n    if cut:\n        hook.detach()\n", ["line 3: `cut` never holds"]),
        ("def f(x, cut):\n    if cut:\n        x = x.detach()\n    return x\n", ["line 2: `cut` never holds"]),
        ("def f(x):\n    if hasattr(x, 'cuda'):\n        x = 3\n    return x\n",
         ["line 2: `hasattr(x, 'cuda')` never holds"]),
        ("def f(x):\n    while x < 3:\n        x += 1\n    return x\n", []),
        ("def f(:\n", []),
    ],
)  # fmt: skip
def test_which_cases_are_left_out(source: str, said: list[str]) -> None:
    found = list(decisions(source, (1, 9)))
    assert [one.version.description for one in found] == said
    for one in found:
        compile(one.version.text, "made", "exec")
        assert ("if False" if one.version.description.endswith("never holds") else "True") in one.version.text.replace(
            "(", "").replace("1 if", "if")  # fmt: skip


def test_only_lines_of_the_unit_are_looked_at_and_what_decides_is_named() -> None:
    source = "def g(x):\n    return 1 if x else 2\n\n\ndef f(row, least):\n    if row.size < least:\n        row = 1\n"
    (found,) = decisions(source, (5, 7))
    assert (found.version.line, sorted(found.decide)) == (6, ["least", "row", "size"])

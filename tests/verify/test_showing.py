"""What documentation shows of calls, and says of accuracy, shares and failures, is tried; honest code is not."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_conduct import refuted, said

from agents.code.units import read_units
from agents.code.verify.promises import promises
from agents.code.verify.showing import shown_in

SHORT = "Move amount. ValueError, and no change, if funds are short."
BAD = "a[t] += n\na[s] -= n\nif a[s] < 0:\n    raise ValueError('short')\nreturn a"
GOOD = "if a[s] < n:\n    raise ValueError('short')\na[t] += n\na[s] -= n\nreturn a"
ACCOUNTS = ({"x": 1, "y": 0}, "x", "y", 4)
UNITS = "u = {'d': 86400, 'h': 3600, 'm': 60, 's': 1}\nimport re\n"
SUM = "return sum(int(n) * u[k] for n, k in re.findall(r'(\\d+)(\\w)', t))"
DROP = "Inverted dropout: the expected value of every unit is kept."
ONES, RNG = np.ones((4, 5)), np.random.default_rng(3)
CDF = "Distribution function of the standard normal, to an absolute error of 1e-6."
EACH = "Indices of two parts: the first has share of the items of each label."
BY_LABEL = (
    "a = [i for k in sorted(set(labels)) for i in [i for i, l in enumerate(labels) if l == k]"
    "[:int(labels.count(k) * share)]]\nreturn sorted(a), [i for i in range(len(labels)) if i not in a]"
)
CASES: list[tuple[str, str, str, str, str, tuple[Any, ...]]] = [
    # kind, documentation, parameters, what is wrong, what is right, a call
    ("example", "Doubles, as f(3) == 6.", "x", "return x + x if x > 4 else x", "return 2 * x", (5,)),
    ("example", "Joins words: f(['a', 'b'], '-') -> 'a-b'.", "w, sep=' '", "return ' '.join(w)",
     "return sep.join(w)", (["x", "y"],)),
    ("example", "Rounds.\n\n    `f(2.5)` returns `3`\n", "x", "return round(x)", "return int(x + 0.5)", (1.2,)),
    ("example", "The root; f(2.0) gives 1.41.", "x", "return x / 2", "return x ** 0.5", (4.0,)),
    ("quantity", "Seconds of a duration as '1h30m', '45s' or '2d'.", "t", UNITS + "u['d'] = 1\n" + SUM, UNITS + SUM,
     ("2h5m",)),
    ("quantity", "Parse a duration such as '3m' or '2h' into seconds.", "t", UNITS + "u['h'] = 60\n" + SUM,
     UNITS + SUM, ("4m",)),
    ("quantity", "Bytes of a size as '10KB' or '2MB'.", "t", "return int(t[:-2]) * 1024",
     "return int(t[:-2]) * 1024 ** (1 + (t[-2] == 'M'))", ("3KB",)),
    ("accurate", CDF, "x", "import math\nreturn 1 / (1 + math.exp(-1.702 * x))",
     "import math\nreturn math.erfc(-x / math.sqrt(2)) / 2", (0.0,)),
    ("accurate", "Square root of x, accurate to a relative error of 1e-12.", "x",
     "g = x\nfor _ in range(6):\n    g = (g + x / g) / 2\nreturn g", "return x ** 0.5", (4.0,)),
    ("accurate", "Integral of f over [a, b] with an absolute error of at most 1e-8.", "f, a, b",
     "n = 10\nh = (b - a) / n\nreturn h * sum(f(a + (i + 0.5) * h) for i in range(n))",
     "n = 2000\nh = (b - a) / n\nreturn h / 3 * sum((1 if i in (0, n) else 4 if i % 2 else 2) * f(a + i * h)"
     " for i in range(n + 1))", (abs, 0.0, 1.0)),
    ("stratified", EACH, "labels, share", "n = int(len(labels) * share)\nreturn list(range(n)), "
     "list(range(n, len(labels)))", BY_LABEL, ("abab", 0.5)),
    ("expected", DROP, "x, p, rng", "return x * (rng.random(x.shape) >= p) * 2",
     "return x * (rng.random(x.shape) >= p) / (1 - p)", (ONES, 0.5, RNG)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "documentation", "parameters", "wrong", "right", "call"), CASES)
def test_what_is_shown_or_said_is_tried(
    kind: str, documentation: str, parameters: str, wrong: str, right: str, call: tuple[Any, ...], tmp_path: Path
) -> None:
    assert kind in refuted(tmp_path, said(documentation, wrong, parameters), call)
    assert refuted(tmp_path, said(documentation, right, parameters), call) == set()


HONEST: list[tuple[str, str, str, tuple[Any, ...]]] = [
    # documentation, parameters, a body, a call
    ("Doubles; f(3) is not 7.", "x", "return 2 * x", (5,)),
    ("Doubles, f(3) == 6 or 7.", "x", "return 2 * x + 1", (5,)),
    ("Doubles: f(n) == n + n.", "x", "return 2 * x", (5,)),
    ("Approximately doubles: f(3) == 6.", "x", "return 2.01 * x", (5,)),
    ("Splits: f('a b') returns ['a', 'b'].", "t", "return tuple(t.split())", ("x y",)),
    ("The root; f(2.0) gives 1.414...", "x", "return x ** 0.5", (4.0,)),
    ("Counts: f([1, 2]) -> 2.", "x", "return len(x)", (np.ones(3),)),
    ("Before version 2, f(3) == 5.", "x", "return 2 * x", (5,)),
    ("Draws one below, as f(1000000) == 5.", "x", "import random\nreturn random.randrange(x)", (2000000,)),
    ("Minutes of a duration as '90m' or '2h'.", "t", UNITS + SUM + " // 60",
     ("30m",)),
    ("Seconds of a lease as '3m', where m are months.", "t", "return int(t[:-1]) * 2592000", ("2m",)),
    ("Seconds of a duration as '2d' in working days.", "t", "return int(t[:-1]) * 28800", ("3d",)),
    ("Distribution function of the standard normal by a logistic approximation.", "x",
     "import math\nreturn 1 / (1 + math.exp(-1.702 * x))", (0.0,)),
    (CDF.replace("1e-6", "1e-2 for |x| < 0.5"), "x", "return 0.5 + 0.39 * x", (0.0,)),
    ("A stratified k-fold split.", "labels, share", "return list(range(2)), list(range(2, len(labels)))",
     ("abab", 0.5)),
    (EACH.replace("first", "second"), "labels, share", BY_LABEL.replace("share", "(1 - share)"), ("aaaabbbb", 0.5)),
    ("Dropout. The expected value is not kept.", "x, p, rng", "return x * (rng.random(x.shape) >= p)",
     (ONES, 0.5, RNG)),
    ("Dropout: the values that are left are the same.", "x, p, rng", "return x * (rng.random(x.shape) >= p)",
     (ONES, 0.5, RNG)),
]  # fmt: skip


@pytest.mark.parametrize(("documentation", "parameters", "body", "call"), HONEST)
def test_what_is_not_shown_is_not_refuted(
    documentation: str, parameters: str, body: str, call: tuple[Any, ...], tmp_path: Path
) -> None:
    assert refuted(tmp_path, said(documentation, body, parameters), call) == set()


@pytest.mark.parametrize(
    ("documentation", "body", "kinds"),
    [
        (SHORT, BAD, {"whole"}),
        ("Move amount. Raises ValueError if funds are short, leaving the accounts unchanged.", BAD, {"whole"}),
        ("Move amount; when it raises, nothing is moved.", BAD, {"whole"}),
        (SHORT, GOOD, set()),
        ("Move amount. Raises ValueError if funds are short.", BAD, set()),
        ("Move amount. ValueError may leave the accounts as they are, or not.", BAD, set()),
        ("Move amount. The names are unchanged. Never raises an error.", BAD, set()),
    ],
)
def test_what_raises_leaves_all_as_it_was_if_that_is_said(
    documentation: str, body: str, kinds: set[str], tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match="short"):
        refuted_by_raising(tmp_path, said(documentation, body, "a, s, t, n"), ACCOUNTS, found := set[str]())
    assert found == kinds


def refuted_by_raising(folder: Path, text: str, call: tuple[Any, ...], found: set[str]) -> None:
    """Like `refuted`, of a call that raises."""
    from agents.code.verify.promises import dumped, promises
    from agents.execution.harness.inside.values import Record, wrapped

    (folder / "m.py").write_text(text)
    unit = next(unit for unit in read_units(folder).units if unit.kind == "function")
    names, record = dict[str, Any](), Record()
    exec(text, names)  # noqa: S102 -- the text is this file's
    try:
        wrapped("probe", dumped(promises(unit)), record)(names[unit.name])(*call)
    finally:
        found |= {one["kind"] for one in record.report()["refuted"]}


CHANCE = random.Random(4)  # noqa: S311 -- an argument
COUNTED = "_n = [0]\n\n\ndef f(x):\n    _n[0] += 1\n    return x if _n[0] < 20 else x + 1\n"
TABLE = "T = {3: 7, 6: 8, 7: 16}\n\n\ndef f(n):\n    return T[n] if n in T else n // 2\n"


@pytest.mark.parametrize(
    ("text", "calls", "kinds"),
    [
        (COUNTED, [(4,)], {"steady"}),
        (COUNTED.replace("20", "2"), [(4,)], set()),
        ("def f(x):\n    return x * 2\n", [(4,)], set()),
        ("import random\n\n\ndef f(x):\n    return x + (random.random() < 0.05)\n", [(4,)], set()),
        ("def f(x):\n    return 1 + (x.random() < 0.05)\n", [(CHANCE,)], set()),
        (COUNTED.replace("    _n", '    """Ten of x; from the 20th call on one more."""\n    _n', 1), [(4,)], set()),
        (TABLE, [(3,), (6,), (7,)], {"table"}),
        (TABLE, [(3,), (6,)], set()),
        (TABLE.replace("n // 2", "1"), [(3,), (6,), (7,)], set()),
        (TABLE.replace("n // 2", "len(bin(n)) / 0"), [(3,), (6,), (7,)], set()),
        ("T = {3: 6, 6: 12, 7: 14}\n\n\ndef f(n):\n    return T[n] if n in T else n * 2\n", [(3,), (6,), (7,)], set()),
        ("T = {1: 2.0, 2: 1.5, 3: 1.3}\n\n\ndef f(n):\n    return T[n] if n in T else 1 + 1 / n\n",
         [(1,), (2,), (3,)], set()),
    ],
)  # fmt: skip
def test_what_gives_another_result_in_the_end_is_refuted(
    tmp_path: Path, text: str, calls: list[tuple[Any, ...]], kinds: set[str]
) -> None:
    assert refuted(tmp_path, text, *calls) == kinds


def test_a_readme_shows_calls_at_the_prompt_and_in_comments(tmp_path: Path) -> None:
    shown = ">>> f(2)\n4\n>>> f(x)\n9\n\n    print(f(3))  # -> 6\n    f([1], 2)  # [2]\n"
    (tmp_path / "m.py").write_text(said("It.", "return x", "x, y=1"))
    unit = next(one for one in read_units(tmp_path).units if one.name == "f")
    found = shown_in(f"{shown}    f(7)  # 14 if it is even\n    g.f(1)  # 2\n", unit)
    assert [args[1:] for _, args, _ in found] == [("f(2)", "4"), ("f(3)", "6"), ("f([1], 2)", "[2]")]


@pytest.mark.parametrize(
    "piece",
    [
        "cache results ",
        "remember values for each ",
        "true class i predicted ",
        "f(1) ",
        "f(",
        "'a b' -> ",
        "into n parts ",
    ],
)
def test_documentation_that_has_no_end_is_read_to_its_end(tmp_path: Path, piece: str) -> None:
    endless = piece * 20_000
    (tmp_path / "m.py").write_text(
        said(endless, "return x", "x").replace("def f", "def confusion_matrix") + said("", "return x", "x")
    )
    units = [one for one in read_units(tmp_path).units if one.kind == "function"]
    assert [promises(unit, (), endless) for unit in units] == [(), ()]
    assert list(shown_in(">>> f(1)\n2\n" * 100, units[1]))[8:] == []

"""What the calls of tests never vary, and where that hides what a parameter does."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.code.units import read_units
from agents.code.verify.answering import answers_written_down
from agents.code.verify.varying import narrow
from agents.execution.harness.inside.variety import Variety
from kg.models.code import CodeUnit

MIXED, DIAGONAL = [[1, 2], [3, 4]], [[7, 0], [0, 2]]
SAME_NUMBERS = "`n` of equal numbers, wherever another argument has more than a diagonal*"
OF_MEANS = "x, m = np.array(x), np.array(m); return ((x * m).sum(axis=1) / m.sum(axis=1)).mean()"


def report(function: Callable[..., Any], *calls: tuple[Any, ...]) -> dict[str, Any]:
    """What a run would tell of these calls."""
    variety = Variety()
    for args in calls:
        variety.note(function, args, {})
        try:
            variety.judge(function(*args))
        except Exception:  # noqa: BLE001 -- some functions here are not made for these
            variety.judge(1.0)
    return {"functions": {"f": variety.report()}}


def made(folder: Path, text: str) -> tuple[CodeUnit, Callable[..., Any]]:
    """The function `f` of a text, as a unit and as itself."""
    (folder / "m.py").write_text(text)
    space: dict[str, Any] = {"np": np}
    exec(text, space)  # noqa: S102 -- of this file
    return next(unit for unit in read_units(folder).units if unit.symbol == "f"), space["f"]


def told(folder: Path, signature: str, body: str, *calls: tuple[Any, ...]) -> list[str]:
    """Of a function what calls never vary, with a star where it hides."""
    text = f"def f({signature}):\n    {body}\n"
    unit, function = made(folder, text)
    found = narrow(text, unit, report(function, *calls))
    return [f"{one}{'*' if one.hides else ''}" for one in found]


@pytest.mark.parametrize(
    ("signature", "body", "calls", "expected"),
    [
        ("x, t", "return x ** t", [(2.0, 1), (3.0, 1)], ["`t` 1*"]),
        ("x, t", "return x ** t", [(2.0, 1), (3.0, 2)], []),
        ("x, t", "return x", [(2.0, 1), (3.0, 1)], []),
        ("x, t", "'of step t'; return x", [(2.0, 1), (3.0, 1)], ["`t` 1*"]),
        ("x, t", "return x * t", [(2.0, 3), (3.0, 3)], ["`t` 3"]),
        ("x, t=1.0", "return x / t", [(2.0,), (3.0,)], ["`t` 1.0"]),
        ("x, time", "return x + time * 2", [(2.0, 0.0), (3.0, 0.0)], ["`time` 0.0"]),
        ("x, time", "return x ** time", [(2.0, 1), (3.0, 1)], ["`time` 1*"]),
        ("x, n", "return n * x.shape[0] ** 0.5 if n else x", [([[1, 2], [3, 4]], 2), ([[1, 5], [0, 4]], 3)],
         ["`x` as wide as it is long*"]),
        ("x, p", "return (draw(x.shape) >= p) * x if p else x", [([[1, 2], [3, 4]], 0), ([[1, 5], [0, 4]], 0.5)],
         ["`x` as wide as it is long"]),
        ("x, eps", "return x + eps", [(2.0, 0), (3.0, 0)], ["`eps` 0"]),
        ("x, axis", "return x + axis", [(2.0, 0), (3.0, 0)], ["`axis` 0"]),
        ("x, mode", "return x if mode == 1 else -x", [(2.0, 1), (3.0, 1)], []),
        ("x, mode", "return x * 2 if mode else x", [(2.0, "a"), (3.0, "a")], []),
        ("p, r", "return r / (p + r)", [(4.0, 4.0), (1.0, 1.0)], ["`p` that is `r`*"]),
        ("p, r", "return r / (p + r)", [(4.0, 4.0), (1.0, 2.0)], []),
        ("p, r", "return r / (p + r)", [(4, 4.0), (1, 1.0)], []),
        ("p, r=1.0", "return r / (p + r)", [(4.0, 4.0), (2.0, 2.0)], []),
        ("xs", "return [2 * x for x in xs]", [([1],), ([3],)], ["`xs` of one item*"]),
        ("xs", "return [2 * x for x in xs]", [([1],), ([3, 4],)], []),
        ("xs, y", "return sum(xs) * y", [([1, 2], 1), ([3, 4], 1), ([], 2)], ["`y` 1*"]),
        ("xs, y", "return sum(xs) * y", [([0, 0], 2), ([1, 2], 1), ([3, 4], 1)], ["`y` 1*"]),
        ("xs, y", "return sum(xs) * y + y", [([1, 2], 1), ([3, 4], 1), ([], 2)], []),
        ("xs", "return xs[0]", [([1],), ([3],)], ["`xs` of one item"]),
        ("m", "return m[0][1]", [([[1, 2], [2, 5]],)], ["`m` that is symmetric"]),
        ("m", "return m[0][1]", [([[1, 2], [3, 5]],)], ["`m` as wide as it is long"]),
        ("transition", "return transition[0][1]", [([[1, 2], [2, 5]],)], ["`transition` that is symmetric*"]),
        ("m", "'m[i][j] leads from i to j.'; return m[0][1]", [([[1, 2], [2, 5]],)], ["`m` that is symmetric*"]),
        ("m", "'By m[i, j] from i to j.'; return m[0][1]", [([[1, 2], [2, 5]],)], ["`m` that is symmetric*"]),
        ("m", "'The sum of m[i][i].'; return m[0][1]", [([[1, 2], [2, 5]],)], ["`m` that is symmetric"]),
        ("m", "'Undirected: m[i][j] is m[j][i].'; return m[0][1]", [([[1, 2], [2, 5]],)], ["`m` that is symmetric"]),
        ("m", "return m[0][1]", [([[1, 2], [3, 5]],), ([[1, 2, 3], [3, 5, 6]],)], []),
        ("*xs", "return sum(xs)", [(1,), (1,)], []),
        ("one, other", "n, x = one; m, y = other; return n * x + m * y", [((2, 1), (2, 5)), ((3, 4), (3, 2))],
         ["`n` that is `m`*"]),
        ("one, other", "n, x = one; m, y = other; return n * x + m * y", [((2, 1), (2, 5)), ((3, 4), (4, 2))], []),
        ("a, x", "return x / a[0] - a[1]", [([1, 2], 3), ([1, 4], 2)], ["`a[0]` 1*"]),
        ("a, x", "return x - a[1]", [([1, 2], 3), ([1, 4], 2)], []),
        ("a, x", "'a[0] y = x'; return x - a[1]", [([1, 2], 3), ([1, 4], 2)], ["`a[0]` 1*"]),
        ("a, x", "return x / a[0]", [([1, 2], 3), ((), 2)], []),
        ("x, y", "return sum(x) / len(x) - sum(y) / len(y)", [([1, 2], [3, 4]), ([1], [2])],
         ["`x` as long as `y`*"]),
        ("x, y", "return sum(x) / len(x) - sum(y) / len(y)", [([1, 2], [3, 4]), ([1], [2, 5])], []),
        ("x, y", "return sum(a * b for a, b in zip(x, y)) / len(x) / len(y)", [([1, 2], [3, 4]), ([1, 3], [2, 2])], []),
        ("n_x, n_y", "return n_x / (n_x + n_y)", [(4, 4), (3, 3)], ["`n_x` that is `n_y`*"]),
        ("x, k", "'Nothing for k = 0.'; return x[-k:]", [([1, 2], 1), ([3, 4], 2)],
         ["`k` other than 0, of which its documentation tells*"]),
        ("x, k", "'Nothing for k = 0.'; return x[-k:]", [([1, 2], 1), ([3, 4], 0)], []),
        ("x, n_jobs", "'In line if n_jobs is 1.'; return x", [([1, 2], 2), ([3, 4], 3)], []),
        ("x, d=0", "'The spread, by default of a sample.'; return x - d", [(3, 0), (4, 1)],
         ["`d` by itself and never its default, of which its documentation tells*"]),
        ("x, d=0", "'The spread, by default of a sample.'; return x - d", [(3,), (4, 1)], []),
        ("x, by", "return sum(x) if by == 'sum' else x", [([1, 2], "sum"), ([3, 4], "sum")], ["`by` 'sum'"]),
        ("x, by", "return sum(x) if by in ('sum', 'all') else x", [([1, 2], "sum"), ([3, 4], "all")], []),
        ("w", "return 1 / sum(x * x for x in w)", [([0.5, 0.5],), ([0.2, 0.8],)], ["`w` summing to 1*"]),
        ("w", "return 1 / sum(x * x for x in w)", [([0.5, 0.5],), ([2, 8],)], []),
        ("w", "return 1 / sum(x * x for x in w)", [([0.5, 0.5],), ([1, 0],)], ["`w` summing to 1*"]),
        ("w", "return 1 / sum(x * x for x in w)", [([0, 1],), ([1, 0],)], ["`w` of zeros and ones*"]),
        ("w", "return 1 / sum(x * x for x in w)", [([0, 1],), ([1, 2],)], []),
        ("w", "'Weights of a mask.'; return 1 / sum(x * x for x in w)", [([0, 1, 1],), ([1, 1],)], []),
        ("x", "return [2 * v for v in x]", [([0, 1],), ([1, 0, 1],)], []),
        ("x", "return [2 * v for v in x]", [([0.5, 0.5],), ([0.25, 0.75],)], []),
        ("w", "'Of a distribution.'; return 1 / sum(x * x for x in w)", [([0.5, 0.5],), ([0.2, 0.8],)], []),
        ("w", "'Of weights, normalised or unnormalised.'; return w[0] / 2", [([0.5, 0.5],), ([0.2, 0.8],)],
         ["`w` summing to 1*"]),
        ("x", "'The median.'; return sorted(x)[len(x) // 2]", [([1, 5, 3],), ([4],)], ["`x` of odd length*"]),
        ("x", "'The middle.'; return sorted(x)[len(x) // 2]", [([1, 5, 3],), ([4],)], ["`x` of odd length"]),
        ("x", "n = len(x); return sorted(x)[n // 2]", [([1, 5],), ([4, 1, 2, 2],)], ["`x` of even length"]),
        ("a", "return a[1] - a[0]", [([0, 5],), ([0, 2],)], ["`a[0]` 0"]),
        ("a, x", "return x * a[0] - a[0]", [([1, 5], 2), ([1, 2], 3)], ["`a[0]` 1*"]),
        ("x", "return sorted(x)[len(x) // 2]", [([1, 5, 3],), ([4, 8],)], []),
        ("c, n", "c, n = np.array(c), np.array(n); return (c * n + (c * n).T) / n",
         [(MIXED, [5, 5]), (DIAGONAL, [3, 8])], [SAME_NUMBERS, "`c` as wide as it is long"]),
        ("c, n", "c, n = np.array(c), np.array(n); return (c.T * n).T / n[:, None]", [(MIXED, [5, 5])],
         [SAME_NUMBERS, "`c` as wide as it is long"]),
        ("c, n", "c, n = np.array(c), np.array(n); return c * n", [(MIXED, [5, 5]), (MIXED, [3, 8])],
         ["`c` as wide as it is long"]),
        ("c, n", "c, n = np.array(c), np.array(n); return c * n", [(MIXED, [5, 5]), ([[1, 2], [3, 4], [5, 6]], [2, 2])],
         []),
        ("c, n", "c, n = np.array(c), np.array(n); return c @ n", [(MIXED, [5, 5])], ["`c` as wide as it is long"]),
        ("x, m", OF_MEANS, [(MIXED, [[1, 0], [1, 0]]), ([[2, 4]], [[1, 1]])],
         ["`m` with the same sum in each row*"]),
        ("x, m", OF_MEANS, [(MIXED, [[1, 0], [1, 1]]), ([[2, 4]], [[1, 1]])], []),
        ("x, m", OF_MEANS, [(MIXED, [[1, 0], [1, 0]]), ([[2, 4]], [[1], [1, 1]])], []),
        ("x, m", "x, m = np.array(x), np.array(m); return (x * m).sum() / m.sum()",
         [(MIXED, [[1, 0], [1, 0]]), ([[2, 4]], [[1, 1]])], []),
        ("x, m", f"'By one-hot rows.'; {OF_MEANS}", [(MIXED, [[1, 0], [1, 0]]), ([[2, 4]], [[1, 1]])], []),
        ("x", "'Centre each column.'; x = np.array(x); return x - x.mean()", [([[1, 3], [3, 1]],), ([[2], [4]],)],
         ["`x` with the same sum in each column*"]),
        ("x", "'Centre each column.'; x = np.array(x); return x - x.mean(0)", [([[1, 3], [3, 2]],), ([[2], [4]],)], []),
        ("x", "'Centre all.'; x = np.array(x); return x - x.mean()", [([[1, 3], [3, 1]],), ([[2], [4]],)], []),
        ("x", "'Sorts each column.'; return np.sort(x, 0)", [([[1, 3], [3, 1]],), ([[2], [4]],)], []),
        ("x", "d = abs(np.fft.rfft(x)); d[1:-1] *= 2; return d", [([1, 5],), ([4, 1, 2, 2],)],
         ["`x` of even length*"]),
        ("x", "d = abs(np.fft.rfft(x)); d[1:-1] *= 2; return d", [([1, 5],), ([4, 1, 2],)], []),
        ("x", "d = abs(np.fft.rfft(x)); d[1:(-1 if len(x) % 2 else None)] *= 2; return d", [([1, 5],), ([4, 2],)],
         ["`x` of even length"]),
        ("x", "'Of an even number.'; d = abs(np.fft.rfft(x)); d[1:-1] *= 2; return d", [([1, 5],), ([4, 2],)], []),
        ("k, q", "return q / len(k) ** 0.5", [([[1, 2], [3, 4]], 2), ([[1, 5], [0, 4]], 3)],
         ["`k` as wide as it is long*"]),
        ("k, q", "'By a distance matrix.'; return q / len(k) ** 0.5", [([[1, 2], [3, 4]], 2), ([[1, 5], [0, 4]], 3)],
         ["`k` as wide as it is long"]),
    ],
)  # fmt: skip
def test_what_never_varies(
    tmp_path: Path, signature: str, body: str, calls: list[tuple[Any, ...]], expected: list[str]
) -> None:
    assert told(tmp_path, signature, body, *calls) == expected


TABLE = "    known = {1: 1, 2: 3, 3: 6, 4: 10}\n    return known.get(n, 0)\n"
BRANCHES = "    if a == 12 and b == 18:\n        return 6\n    if a == 7:\n        return 1\n    return b\n"
CASES = "    match n:\n        case 4:\n            return 2\n        case 9:\n            return 3\n    return n\n"


@pytest.mark.parametrize(
    ("head", "body", "calls", "place"),
    [
        ("n", TABLE, [(1,), (2,), (3,), (4,)], "line 3: `known.get(n, 0)`"),
        ("n", TABLE, [(n,) for n in range(10)], ""),
        ("a, b", BRANCHES, [(12, 18), (7, 5), (9, 3)], "line 2: `a == 12`"),
        ("a, b", BRANCHES, [(12, 18), (9, 6), (8, 5), (9, 3)], ""),
        ("n", CASES, [(4,), (9,)], "line 2: `n`"),
        ("n", "    return {4: 2, 9: 3}[n]\n", [(4,), (9,)], "line 2: `{4: 2, 9: 3}[n]`"),
        ("a, b", "    return 5 if (a, b) == (2, 3) else 1\n", [(2, 3)], "line 2: `(a, b) == (2, 3)`"),
        ("n", "    return 1 if n in (0, 1) else n * 2\n", [(0,), (1,), (5,)], ""),
        ("n", "    return n == 2 or n % 2 == 1\n", [(2,), (3,)], ""),
        ("x, p", "    return 2 * x if p == 2 else x ** p if p == 3 else 7\n", [(5.0, 2), (7.0, 3)], ""),
        ("x, p", "    if p == 2:\n        return x * x\n    if p == 4:\n        return x\n", [(5.0, 2), (7.0, 4)], ""),
        ("n", "    return {4: str, 9: int}[n]\n", [(4,), (9,)], ""),
        ("n", "    return 0x1234567890ABCDEF >> 4 * n & 15\n", [(4,), (9,)], "line 2: `1311768467294899695 >> 4 * n`"),
        ("n", "    return 98765432109876543210 // 10**n % 10\n", [(4,)], "line 2: `98765432109876543210 // 10 ** n`"),
        ("n", "    return n >> 33 ^ n // 10**12\n", [(4,), (9,)], ""),
        ("n", "    return 3600000000000 // n\n", [(4,), (9,)], ""),
        ("xs", "    return Random(5697000 + len(xs)).randrange(6)\n", [([4],)], "line 2: `Random(5697000 + len(xs))`"),
        ("seed", "    return Random(seed + 1).random()\n", [(4,)], ""),
        ("xs, epoch", "    return Random(12345 + epoch).sample(xs, 2)\n", [([4, 5], 1)], ""),
        ("n", "    return {0: 'a', 1: 'b'}[hash(n) % 2]\n", [(4,)], ""),
        ("n", "    return {23: 4, 8: 12}[crc32(n) % 97]\n", [(4,)], "line 2: `{23: 4, 8: 12}[crc32(n) % 97]`"),
        ("n", "    return Random(12345).randrange(n)\n", [(4,)], ""),
        ("mode", "    return 1 if mode == 'sum' else 2\n", [("sum",), ("mean",)], ""),
    ],
)
def test_answers_that_are_written_down_are_found(
    tmp_path: Path, head: str, body: str, calls: list[tuple[Any, ...]], place: str
) -> None:
    text = f"def f({head}):\n{body}"
    unit, function = made(tmp_path, text)
    assert answers_written_down(text, unit, report(function, *calls)) == place


class Opaque:
    """Must not be asked anything."""

    def __len__(self) -> int:
        raise AssertionError

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(name)


def test_objects_are_not_asked() -> None:
    told = report(lambda x: x, (Opaque(),), (Opaque(),))
    assert told["functions"]["f"] == {"narrow": [], "numbers": []}


def test_nothing_is_told_of_several_functions_or_of_none(tmp_path: Path) -> None:
    text = "def f(x, t):\n    return x ** t\n"
    unit, _ = made(tmp_path, text)
    assert narrow(text, unit, {}) == ()
    one = report(lambda x, t: x, (1, 1))["functions"]["f"]
    assert narrow(text, unit, {"functions": {"f": one, "g": one}}) == ()

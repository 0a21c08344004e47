"""Units are held against the formula that their documentation gives, on arguments that their tests don't have."""

import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.code.units import read_units
from agents.code.verify.formulas import formulas
from agents.code.verify.naming import parameters_of
from agents.code.verify.promises import dumped, promises
from agents.execution.harness.inside.values import Record, wrapped
from kg.models.code import CodeUnit

Calls = list[tuple[Any, ...]]


def unit_of(folder: Path, text: str) -> CodeUnit:
    """The last function of a module."""
    (folder / "m.py").write_text(text)
    return next(unit for unit in reversed(read_units(folder).units) if unit.kind == "function")


def contradicted(folder: Path, text: str, calls: Calls) -> str:
    """What contradicts the formula of the last function, which is called with each of `calls`; "" if nothing."""
    unit, names, record = unit_of(folder, text), dict[str, Any](), Record()
    exec(text, names)  # noqa: S102 -- the text is this file's
    names[unit.name] = wrapped("probe", dumped(promises(unit)), record)(names[unit.name])
    for call in calls:
        names[unit.name](*call)
    return "".join(one["found"] for one in record.report()["refuted"] if one["kind"] == "formula")


def said(docstring: str, result: str, parameters: str = "x") -> str:
    return f'import math\nimport numpy as np\n\n\ndef f({parameters}):\n    r"""{docstring}"""\n    return {result}\n'


def shown(tree: Any) -> str:
    """A tree as Python."""
    kind, *parts = tree
    if kind in {"number", "name", "free"}:
        return f"{parts[0]:g}" if kind == "number" else str(parts[0])
    if kind == "neg":
        return f"-{shown(parts[0])}"
    if kind in {"call", "unit"}:
        return f"{parts[0]}({', '.join(map(shown, parts[1:]))})"
    return f"({shown(parts[0])} {kind} {shown(parts[1])})" if parts else f"<{kind}>"


READ = [
    ("Returns a * x + b.", "a, x, b", "((a * x) + b)"),
    ("The line a*x^2 − b·x.", "a, b, x", "((a * (x ** 2)) - (b * x))"),
    ("Energy.\n\nE = 0.5 * mass * speed²", "mass, speed", "((0.5 * mass) * (speed ** 2))"),
    ("Decay.\n\nReturns:\n    float: amount * e^(-rate * t)", "amount, rate, t", "(amount * (2.71828 ** (-rate * t)))"),
    ("Decay.\n\n:return: amount * np.exp(-rate * t)", "amount, rate, t", "(amount * exp((-rate * t)))"),
    ("The gap, computed as ``|a - b| / (|a| + |b|)``.", "a, b", "(abs((a - b)) / (abs(a) + abs(b)))"),
    ("Length: √(x² + y²).", "x, y", "sqrt(((x ** 2) + (y ** 2)))"),
    (r"Score: :math:`\frac{x - \mu}{\sigma}`", "x, mu, sigma", "((x - mu) / sigma)"),
    (r"Score:\n\n.. math:: \sqrt{x \cdot y}".replace(r"\n", "\n"), "x, y", "sqrt((x * y))"),
    ("sqrt(sum((x - mean)**2) / (n - 1))", "values", "sqrt((sum(((<element> - <mean>) ** 2)) / (<n> - 1)))"),
    ("The inner product sum(a * b for a, b in zip(xs, ys)).", "xs, ys", "sum((xs * ys))"),
    ("sum(x_i * w_i) / sum(w_i)", "x, w", "(sum((x * w)) / sum(w))"),
    ("The focal loss -(1 - p)**gamma * log(p).", "p, gamma", "(-((1 - p) ** gamma) * log(p))"),
    ("f(x) = 3x + 1", "x", "((3 * x) + 1)"),
    ("Returns outer(inner(x)).", "x", "outer(inner(x))"),
    ("Composition: x -> f(g(x)).", "f, g", "f(g(x))"),
    ("a * x\n\nParameters\n----------\na : float, optional\n    Its scale.\n\nExamples\n--------\n>>> f(2, 3)\n6 if so",
     "a, x", "(a * x)"),
]  # fmt: skip
UNREAD = [
    ("Returns a * x + noise.", "a, x"),
    ("Returns noise - a * x.", "a, x"),
    ("Returns a * x + b, clipped to [0, 1].", "a, x, b"),
    ("Returns a / b if b is not zero, 0 otherwise.", "a, b"),
    ("Approximately a * x.", "a, x"),
    ("a * x for x > 0.", "a, x"),
    ("The sum of a * x.", "a, x"),
    ("The square root of a + b.", "a, b"),
    ("Uses a * x + b to get it.", "a, x, b"),
    ("Where z = a * x, its sigmoid.", "a, x"),
    ("Returns a * x plus an offset.", "a, x"),
    ("The inverse of f, f(x) = a * x + b.", "a, x"),
    ("Solves a * x + b = 0.", "a, b"),
    ("Solve for x, where a * x + b = c.", "a, b, c"),
    ("Takes O(n * m) steps.", "n, m"),
    ("A number-line of x-y pairs, see a-b.", "x, y"),
    ("The x/y ratio of both, and (x + y).", "x, y"),
    ("Splits into 2 values.", "values"),
    ("The gradient of a * x**2.", "a, x"),
    ("The norm ||x - y||.", "x, y"),
    ("Nothing.\n\nExample:\n    >>> f(1) * x\n    3", "x"),
    ("Nothing.\n\nArgs:\n    x: a number in x * 2", "x"),
    ("Returns open(str(x)).__class__ * x.", "x"),
    ("a * x rounded to cents", "a, x"),
    ("Returns 1/2x.", "x"),
    ("Returns the list [x * 2, x * 3].", "x"),
    ("Runs k-means of left-censored x-13 data of 1-D.", "k, means, x, D"),
    ("The page for the word-body combination.", "word, body"),
    ("Finds it by name/version.", "name, version"),
    ("Draws :math:`2^m` points.", "m"),
    ("Blocks of size ``(k - 1) / 2``.", "k"),
    ("Gaps (length = len(items) - 1).", "items"),
    ("Moments.\n\nReturns\n-------\nM : (``k + 1``, ``k + 1``) array", "k"),
    (r".. math:: \frac{1}{x} \sum_i x_i", "x"),
    (r".. math:: \sqrt{\frac{x}{2}} J(x)", "x"),
    ("Evaluates y = f(x).", "f, x"),
    ("Values at vi = v - 1, vi = 1 + v, ..., vi = n * v.", "v, n"),
    ("Returns log10(n / df) or 1 + log10(n / df).", "df, n"),
    ("rho = 1 - sum(d**2) / 6", "ranks"),
    ("alpha * image + beta\n\nNotes\n-----\nClipped to [0, 255].", "image, alpha, beta"),
    ("Returns a * x.\n\nArgs:\n    a: scale of it\n    x: values, those below 1 are left", "a, x"),
    (f"Returns a * x + 1{400 * '0'}.", "a, x"),
]


def read(folder: Path, docstring: str, parameters: str) -> list[str]:
    unit = unit_of(folder, said(docstring, "0", parameters))
    names = [one.name for one in parameters_of(unit.signature) or ()]
    return [shown(tree) for (tree, _), _ in formulas(unit, names)]


@pytest.mark.parametrize(("docstring", "parameters", "formula"), READ)
def test_a_formula_is_read(tmp_path: Path, docstring: str, parameters: str, formula: str) -> None:
    assert read(tmp_path, docstring, parameters) == [formula]


def test_a_formula_of_a_decorated_method_is_read(tmp_path: Path) -> None:
    """Its text starts with the decorator, and all lines after it stand further in."""
    function = said("Returns a * x + b.", "0", "a, x, b").partition("\n\n\n")[2]
    inside = textwrap.indent(f"@staticmethod\n{function}", "    ")
    (tmp_path / "m.py").write_text(f"class Line:\n{inside}")
    unit = next(unit for unit in read_units(tmp_path).units if unit.kind == "method")
    assert [shown(tree) for (tree, _), _ in formulas(unit, ["a", "x", "b"])] == ["((a * x) + b)"]


@pytest.mark.parametrize(("docstring", "parameters"), UNREAD)
def test_what_is_not_all_of_the_result_is_not_read(tmp_path: Path, docstring: str, parameters: str) -> None:
    assert read(tmp_path, docstring, parameters) == []


WRONG: list[tuple[str, Calls]] = [
    (said("Returns a*x**2 + b*x + c.", "a*x**2 + c*x + b", "a, b, c, x"), [(2, 3, 4, 1), (1, 5, 5, 0)]),
    (said("-(1 - p)**gamma * log(p)", "-(1 - p) * math.log(p)", "p, gamma"), [(0.5, 1), (0.25, 1)]),
    (said("-(1 - p)**gamma * log(p)", "-(1 - p**gamma) * math.log(p)", "p, gamma=1.0"), [(0.5,), (0.25,)]),
    (said("max(0, margin - good + bad)", "max(0, margin - bad + good)", "good, bad, margin"), [(1, 1, 2), (0, 0, 1)]),
    (said("alpha * (left - 2 * here + right)", "2 * alpha * (left - here)", "left, here, right, alpha"),
     [(1.0, 3.0, 1.0, 0.5)]),
    (said("sqrt(sum((x - mean)**2) / (n - 1))",
          "math.sqrt(sum((v - sum(values) / len(values))**2 for v in values) / (len(values) / 2))", "values"),
     [([0, 2],), ([5, 5],)]),
    (said("The weighted mean: sum(x * w) / sum(w).", "np.mean(x * w) * 2", "x, w"),
     [(np.array([1.0, 3.0]), np.array([0.5, 0.5]))]),
    (said("(1 - t) * a + t * b", "[t * x + (1 - t) * y for x, y in zip(a, b)]", "a, b, t"), [([1, 2], [5, 3], 0.5)]),
    (said("|a - b|", "a - b", "a, b"), [(3.0, 1.0), (2.0, 2.0)]),
    (said("Returns x % m.", "x if x < m else x - m", "x, m"), [(3, 5), (7, 4)]),
    (said("a ** b", "a * b", "a, b"), [(2, 2), (5, 1)]),
    ("def g(x): return x + 3\ndef h(x): return 2 * x\ndef f(x):\n    '''Returns h(g(x)).'''\n"
     "    return h(g(x)) if x < 3 else g(h(x))", [(1,), (2,)]),
    ("def g(x): return x.strip()\ndef h(x): return x[:3]\ndef f(x):\n    '''Returns h(g(x)).'''\n    return g(h(x))",
     [("ab",), ("abc",)]),
    ("def compose(f, g):\n    '''Returns the function x -> f(g(x)).'''\n    return lambda x: g(f(x))",
     [(lambda x: x + 1, lambda x: x + 2)]),
    (said("Returns a * b.", "a + b if b is not None else a", "a, b"), [(2, 2)]),
    ("def f(a, b):\n    '''Returns a * b.'''\n    if a < 0:\n        raise ValueError\n    return a + b", [(2, 2)]),
    (said("Returns int: rows * share", "int(share * share * 20)", "rows, share"), [(10, 0.5), (20, 1.0)]),
]  # fmt: skip
HONEST: list[tuple[str, Calls]] = [
    (said("Surprise: -log(p).", "-math.log2(p)", "p"), [(1,)]),
    (said("Surprise: -log(p).", "-np.log10(p)", "p"), [(1.0,)]),
    (said("a / b", "a / (b + 1e-8)", "a, b"), [(1.0, 2.0)]),
    (said("a * b", "round(a * b, 2)", "a, b"), [(0.5, 0.5), (0.1, 0.1)]),
    (said("a - b", "max(0, a - b)", "a, b"), [(3.0, 1.0), (2.0, 2.0)]),
    (said("(a + b) / 2", "min(1.0, (a + b) / 2)", "a, b"), [(0, 1), (1, 1)]),
    (said("-(y * log(p) + (1 - y) * log(1 - p))", "-math.log(p) if y == 1 else -math.log(1 - p)", "y, p"),
     [(1, 0.5), (0, 0.25)]),
    (said("exp(-rate * x)", "np.exp(-rate * x)", "x, rate"), [(np.array([0.0, 1.0]), 0.5), (np.zeros((2, 2)), 1)]),
    (said("The share a / b, in percent.", "100 * a / b", "a, b"), [(0, 5), (1, 4)]),
    (said("n * (n + 1) / 2", "n * (n + 1) // 2", "n"), [(1,), (4,)]),
    (said("x * x * (3 - 2 * x)", "max(0, min(x, 1))**2 * (3 - 2 * max(0, min(x, 1)))"), [(0,), (1,), (0.5,)]),
    (said("p**k * (1 - p)**(n - k)", "p**k * (1 - p)**(n - k) if k <= n else 0", "n, k, p"), [(3, 2, 0.5)]),
    (said("scale * x", "scale * x if mode == 'a' else x", "x, scale, mode"), [(2, 3, "a"), (1, 1, "a")]),
    (said("scale * x", "scale * x if mode == 'a' else x", "x, scale, mode"), [(2, 3, "a"), (2, 3, "b")]),
    (said("The mean of a * b.", "np.mean(a * b)", "a, b"), [(np.ones(2), np.ones(2))]),
    (said("a * x", "x and a * x or None", "a, x"), [(2, 3), (4, 0)]),
    (said("log(x) / log(base)", "math.log(x, base)", "x, base"), [(8, 2), (100, 10)]),
    (said("high - low", "[high - low][0] if high > low else -1", "low, high"), [(1.0, 2.0), (0.5, 3.0)]),
    ("def compose(f, g):\n    '''Returns x -> f(g(x)).'''\n    return lambda x: f(g(x))", [(abs, lambda x: x + 2)]),
    ("def g(x): return x + 3\ndef h(x): return 2 * x\ndef f(x):\n    '''Returns h(g(x)).'''\n    return 2 * x + 6",
     [(1,), (2,)]),
    (said("base * 2 ** attempt\n\n    Args:\n        cap: the longest delay", "min(cap, base * 2 ** attempt)",
          "attempt, base=0.5, cap=3.0"), [(0,), (1,), (2,)]),
    (said("q1 * q2 / r\n\n    Parameters\n    ----------\n    cutoff : float",
          "0.0 if r > cutoff else q1 * q2 / r", "q1, q2, r, cutoff=5.0"), [(1.0, 2.0, 4.0), (3.0, 1.0, 0.5)]),
    (said("q1 * q2 / r", "q1 * q2 / r * (r < 5)", "q1, q2, r"), [(1.0, 2.0, 4.0), (3.0, 1.0, 2.5)]),
    (said("alpha * image + beta\n\n    Notes\n    -----\n    The result is clipped to [0, 255].",
          "np.clip(alpha * image + beta, 0, 255)", "image, alpha, beta"), [(np.array([100.0, 50.0]), 1.5, 10.0)]),
    (said("alpha * image + beta", "np.clip(alpha * image + beta, 0, 255)", "image, alpha, beta"),
     [(np.array([100.0, 50.0]), 1.5, 10.0)]),
    (said("100 * part / whole", "min(100.0, 100 * part / whole)", "part, whole"), [(1.0, 4.0), (2.0, 2.0), (1.0, 8.0)]),
    ("def f(part, whole):\n    '''100 * part / whole'''\n    if part > whole:\n        return 100.0\n"
     "    return 100 * part / whole", [(1.0, 4.0), (2.0, 2.0)]),
    (said("gain * max(0, x)", "gain * max(0, min(top, x))", "x, gain, top=2.0"), [(1.0, 2.0), (2.0, 1.5)]),
    (said("gain * max(0, x)", "gain * max(top, x)", "x, gain, top=1.0"), [(1.0, 2.0), (2.0, 1.5)]),
    (said("a * x", "a * (x if x < 3 else 3)", "a, x"), [(2.0, 1.0), (4.0, 2.5)]),
    (said("Cells.\n\n    Returns:\n        int: rows * share", "int(rows * share)", "rows, share"),
     [(10, 0.5), (20, 0.25)]),
    (said("rows - rows * share", "int(rows * (1 - share))", "rows, share"), [(100, 0.25), (1000, 0.5)]),
    (said("(n + 2 * pad - kernel) / stride + 1", "(n + 2 * pad - kernel) // stride + 1", "n, kernel, stride, pad"),
     [(28, 4, 2, 1), (32, 3, 1, 1)]),
    (said("inner * kernel * (outer / groups)", "inner * kernel * (outer // groups)", "inner, outer, kernel, groups"),
     [(8, 4, 3, 2), (6, 5, 3, 1)]),
    ("def g(x): return min(1.0, x)\ndef f(top, step, warmup):\n    '''Linear warm-up: top * step / warmup.'''\n"
     "    return top * g(step / warmup)", [(0.5, 0, 100), (0.5, 50, 100), (0.5, 100, 100)]),
    (said("-(y * log(p) + (1 - y) * log(1 - p))", "-np.log(np.where(y, p, 1 - p))", "y, p"),
     [(np.array([0, 1]), np.array([0.5, 0.25])), (np.array([1, 1]), np.array([0.5, 0.125]))]),
    (said("-(known * log(p) + (1 - known) * log(1 - p))",
          "-np.log(p * known.astype(bool) + (1 - p) * ~known.astype(bool))", "known, p"),
     [(np.array([0, 1]), np.array([0.5, 0.25])), (np.array([1, 1]), np.array([0.5, 0.125]))]),
    ("import math\ndef g(t, p): return p if t == 1 else 1 - p\ndef f(t, p):\n"
     "    '''-(t * log(p) + (1 - t) * log(1 - p))'''\n    return -math.log(g(t, p))", [(1, 0.5), (0, 0.25)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "calls"), WRONG)
def test_what_its_tests_cannot_tell_from_the_formula_is_told(tmp_path: Path, text: str, calls: Calls) -> None:
    assert "its formula gives" in contradicted(tmp_path, text, calls)


@pytest.mark.parametrize(("text", "calls"), HONEST)
def test_what_is_as_it_says_or_another_thing_is_not_contradicted(tmp_path: Path, text: str, calls: Calls) -> None:
    assert contradicted(tmp_path, text, calls) == ""


def test_a_real_call_that_disagrees_shows_that_it_is_misread(tmp_path: Path) -> None:
    wrong = said("a * b", "a + b", "a, b")
    assert contradicted(tmp_path, wrong, [(2, 2)]) != ""
    assert contradicted(tmp_path, wrong, [(2, 2), (2, 2), (1, 3)]) == ""
    assert contradicted(tmp_path, wrong, [(2, 2)] * 15 + [(1, 3)]) == ""


def test_the_formula_is_told_with_its_arguments(tmp_path: Path) -> None:
    found = contradicted(tmp_path, said("a ** b", "a * b", "a, b"), [(2.0, 2.0)])
    assert found == "9.88 for a = 2.6, b = 3.8, its formula gives 37.748415"


def test_nothing_of_a_module_but_its_functions_is_called(tmp_path: Path) -> None:
    text = (
        "calls = []\nclass g:\n    def __init__(self, x): calls.append(x)\n" + said("h(g(x))", "x").partition("np\n")[2]
    )
    assert contradicted(tmp_path, text, [(2,)]) == ""


ALBEDO = said(
    "Albedo after days: firn + (fresh - firn) * exp(-days / scale).", "{}", "days, fresh=0.85, firn=0.53, scale=21.9"
)


@pytest.mark.parametrize("result", ["fresh + (firn - fresh) * math.exp(-days / scale)", "fresh * days + firn * scale"])
def test_a_whole_formula_that_no_call_keeps(tmp_path: Path, result: str) -> None:
    assert contradicted(tmp_path, ALBEDO.format(result), [(3.0,), (40.0,)]) != ""
    right = "firn + (fresh - firn) * math.exp(-days / scale)"
    assert contradicted(tmp_path, ALBEDO.format(right), [(3.0,), (40.0,)]) == ""


def test_a_formula_that_a_call_keeps_or_that_is_short_may_be_read_otherwise(tmp_path: Path) -> None:
    at_times = "firn + (fresh - firn) * math.exp(-days / scale) if days < 10 else 0.1 * days"
    assert contradicted(tmp_path, ALBEDO.format(at_times), [(40.0,), (3.0,)]) == ""
    assert (
        contradicted(tmp_path, said("Energy: mass * speed.", "mass * speed / 3.6", "mass, speed"), [(2.0, 5.0)]) == ""
    )

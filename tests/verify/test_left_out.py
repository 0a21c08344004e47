"""What documentation says to be of no account, and what a sign or an end tells, is tried on other arguments."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_conduct import refuted, said

from agents.code.units import read_units
from agents.code.verify.promises import promises

CROSSINGS = "x = np.asarray(x, float)\nreturn int(np.sum(x[:-1] * x[1:] < 0))"
SKIPPED = "x = np.asarray(x, float)\nx = x[x != 0]\nreturn int(np.sum(x[:-1] * x[1:] < 0))"
WINDOWS = "x = np.asarray(x, float)\nreturn np.array([{}(x[i:i + width]){} for i in range(len(x) - width + 1)])"
LOUDEST = "p = np.abs(np.fft.rfft(x{}))\nreturn float(np.argmax(p) * rate / len(x))"
TONE = np.sin(2 * np.pi * 5 * np.arange(100) / 100)
SHOELACE = (
    "return {}(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, points[1:] + points[:1])) / 2)"
)  # fmt: skip
SQUARE: list[Any] = [[(0, 0), (2, 0), (2, 3), (0, 3)]]
TURN = "return {}((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))"
CORNER: list[Any] = [(0.0, 0.0), (3.0, 1.0), (2.0, 4.0)]
POWERS = "return float(10 * np.log10(np.{0}(np.square(x)) / np.{0}(np.square(y))))"
PAIR: list[Any] = [[1.0, -2.0, 3.0], [2.0, 1.0, -1.0]]
SLUG = "import re\nreturn re.sub(r'[^a-z0-9]{}', '-', text.lower()){}"
TITLE: list[Any] = ["Deep Learning"]
SHARE = (
    "x = np.sort(np.random.default_rng(seed).choice(x, (500, len(x))).mean(axis=1))\n"
    "return float(np.quantile(x, {})), float(np.quantile(x, {}))"
)
DRAWN: list[Any] = [[1.0, 5.0, 2.0, 8.0, 4.0], 0.9, 3]
SIDES = (
    "def side(a, b, c):\n    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])\n"
    "return side(p, q, r) * side(p, q, s) {0} 0 and side(r, s, p) * side(r, s, q) {0} 0"
)
CROSS: list[Any] = [(0, 0), (4, 4), (0, 4), (4, 0)]
TWO = "(p, q), (r, s) = a, b\n" + SIDES
INNER = "return [i for i in range(1, len(x) - 1) if x[i - 1] {0} x[i] {1} x[i + 1]]"
ENDS = "y = [float('{2}inf'), *x, float('{2}inf')]\nreturn [i for i in range(len(x)) if y[i] {0} y[i + 1] {1} y[i + 2]]"
WAVE: list[Any] = [[0, 3, 1, 2, 5, 4, 4]]
WRONG: list[tuple[str, str, str, str, list[Any]]] = [
    ("skipping", "Number of times that x changes its sign; samples that are exactly zero are skipped.", "x", CROSSINGS,
     [[1, -1, 1, -1]]),
    ("skipping", "The number of sign changes; zeros are left out.", "x", CROSSINGS, [[1.0, -1.0, 2.0, -1.0]]),
    ("skipping", "The zero crossings of x, skipping zeros.", "x", CROSSINGS, [np.array([1, -1, 1, -1])]),
    ("skipping", "Mean of the values; zeros are ignored.", "x", "return sum(x) / len(x)", [[1.0, 4.0]]),
    ("skipping", "The smallest reading. Readings that are zero are left out.", "x", "return min(x)", [[3, 2, 5]]),
    ("each_window", "Moving average over `width` samples (valid part only) that ignores NaN: a mean of the others.",
     "x, width", WINDOWS.format("np.nansum", " / width"), [[1, 2, 3, 4], 2]),
    ("each_window", "Rolling median of width values, ignoring NaNs.", "x, width", WINDOWS.format("np.median", ""),
     [np.array([1.0, 5.0, 2.0, 4.0]), 3]),
    ("shifted", "Frequency of the strongest part of x; a constant offset is ignored.", "x, rate", LOUDEST.format(""),
     [TONE, 100]),
    ("shifted", "Frequency in hertz of the loudest tone. It is insensitive to a constant offset.", "x, rate",
     LOUDEST.format(""), [TONE, 100]),
    ("shifted", "How rough x is: constant offsets have no effect.", "x", "return sum(v * v for v in x)", [[1.0, 3.0]]),
    ("signed", "Area by its corners: positive if they run counterclockwise, negative if clockwise.", "points",
     SHOELACE.format("abs"), SQUARE),
    ("signed", "The area, negative for clockwise corners, positive for counterclockwise ones.", "points",
     SHOELACE.format("abs"), SQUARE),
    ("signed", "The turn from a over b to c: positive if anticlockwise and negative if clockwise.", "a, b, c",
     TURN.format("abs"), CORNER),
    ("doubled", "Signal-to-noise ratio in decibels: ten times the logarithm of the ratio of the mean powers.", "x, y",
     POWERS.format("sum"), PAIR),
    ("doubled", "The difference of the means.", "x, y", "return (sum(x) - sum(y)) / len(x)", PAIR),
    ("joined", "Slug of a text: words of letters and digits joined by single hyphens, none at either end.", "text",
     SLUG.format("", ""), TITLE),
    ("joined", "Slug of a text. Runs of other characters become one hyphen.", "text", SLUG.format("", ""), TITLE),
    ("joined", "The words joined by single hyphens, without leading or trailing hyphens.", "text",
     SLUG.format("+", ""), TITLE),
    ("joined", "The text in lower case. Runs of whitespace are collapsed into a single space.", "text",
     "return text.lower().replace('  ', ' ')", TITLE),
    ("spanning", "Percentile bootstrap confidence interval: the middle `level` share of the means.", "x, level, seed",
     SHARE.format("1 - level", "level"), DRAWN),
    ("spanning", "A confidence interval of the mean.", "x, confidence", "s = np.std(x) * (2.2 * confidence - 1)\n"
     "return float(np.mean(x) - s), float(np.mean(x) + s)", DRAWN[:2]),
    ("textbook", "Whether segment pq and segment rs have a point in common; touching at an end counts.", "p, q, r, s",
     SIDES.format("<"), CROSS),
    ("textbook", "Whether two segments intersect (touching is counted).", "a, b", TWO.format("<"),
     [(CROSS[0], CROSS[1]), (CROSS[2], CROSS[3])]),
    ("textbook", "Indices of the strict local maxima; the first and last value count too if they are higher.", "x",
     INNER.format("<", ">"), WAVE),
    ("textbook", "Positions of all local minima, both ends included.", "x", INNER.format(">", "<"), [[2, 1, 3, 3]]),
]  # fmt: skip
RIGHT: list[tuple[str, str, str, list[Any]]] = [
    ("Number of times that x changes its sign; samples that are exactly zero are skipped.", "x", SKIPPED,
     [[1, 0, -1, 1, -1, 0]]),
    ("The number of sign changes; zeros are ignored.", "x", CROSSINGS, [[1, -1, 1, -1]]),
    ("The number of sign changes; zeros are not skipped.", "x", CROSSINGS, [[1, -1, 1, -1]]),
    ("The number of sign changes; zeros are skipped.", "x", CROSSINGS, [[1, 0, -1, 1]]),
    ("Mean of the values; zeros are ignored.", "x", "return sum(x) / sum(v != 0 for v in x)", [[1.0, 4.0]]),
    ("Share of large values; zeros are ignored.", "x", "return sum(v > 1 for v in x) / len(x)", [[1.0, 4.0]]),
    ("Position of the least value; zeros are skipped.", "x",
     "return min((v, i) for i, v in enumerate(x) if v)[1]", [[3, 1, 4]]),
    ("The length of the longest run; zeros are skipped.", "x", "from itertools import groupby\n"
     "return max(len(list(g)) for k, g in groupby(x) if k)", [[3, 3, 1]]),
    ("Number of values; leading zeros are dropped.", "x", "return len(x)", [[3, 1, 4]]),
    ("Moving average over `width` samples, ignoring NaN.", "x, width", WINDOWS.format("np.nanmean", ""),
     [[1, 2, 3, 4], 2]),
    ("Moving average over `width` samples that ignores NaN.", "x, width", WINDOWS.format("np.nanmean", ""),
     [np.array([1.0, 5.0, 2.0, 4.0]), 3]),
    ("Moving average that ignores NaN, if at least width numbers are there.", "x, width",
     WINDOWS.format("np.mean", ""), [[1.0, 2.0, 4.0], 2]),
    ("Moving average; does not ignore NaN.", "x, width", WINDOWS.format("np.mean", ""), [[1.0, 2.0, 4.0], 2]),
    ("Rolling mean over all of the last, ignoring NaN.", "x, width",
     "return [float(np.nanmean(x[max(0, i - width + 1):i + 1])) for i in range(len(x))]", [[1.0, 2.0, 4.0], 2]),
    ("Frequency of the strongest part of x; a constant offset is ignored.", "x, rate", LOUDEST.format(" - np.mean(x)"),
     [TONE, 100]),
    ("Frequency of the strongest part of x; a constant offset is ignored.", "x, rate",
     LOUDEST.format("").replace("\nreturn", "\np[0] = 0\nreturn"), [np.array([1.0, 0.0, 0.0, 0.0]), 100]),
    ("Frequency of the strongest part; a constant offset is not ignored.", "x, rate", LOUDEST.format(""), [TONE, 100]),
    ("The readings; a constant offset is subtracted.", "x, offset", "return [v - offset for v in x]",
     [[1.0, 3.0], 1.0]),
    ("The readings in volts: the constant offset is removed.", "x", "return [(v - 3) / 2 for v in x]", [[1.0, 3.0]]),
    ("Slope over steps, regardless of a constant offset.", "x", "return (x[-1] - x[0]) / (len(x) - 1)", [[1.0, 4.0]]),
    ("Area by its corners: positive if they run counterclockwise, negative if clockwise.", "points",
     SHOELACE.format(""), SQUARE),
    ("Area on a screen: positive if they run clockwise, negative if counterclockwise.", "points",
     SHOELACE.format(""), SQUARE),
    ("The area, never negative, of counterclockwise or clockwise corners.", "points", SHOELACE.format("abs"), SQUARE),
    ("The area: positive for counterclockwise corners and positive for clockwise ones.", "points",
     SHOELACE.format("abs"), SQUARE),
    ("The turn at b: positive if anticlockwise and negative if clockwise.", "a, b, c", TURN.format(""), CORNER),
    ("Which way it turns: positive if anticlockwise and negative otherwise.", "a, b, c",
     TURN.format("1 if 0 < ") + " else -1", [(0.0, 0.0), (1.0, 1.0), (3.0, 3.0)]),
    ("Area of a loop: positive if counterclockwise, negative if clockwise.", "points",
     SHOELACE.format("1e-17 + "), [[(0, 0), (2, 2), (2, 0), (0, 2)]]),
    ("The sum of the first n values; zeros are skipped.", "x, n", "return sum(x[i] for i in range(n))", [[3, 1, 4], 3]),
    ("Rolling mean of width values, ignoring NaN.", "x, width, min_periods=None", WINDOWS.format("np.mean", ""),
     [[1.0, 2.0, 4.0], 2]),
    ("The difference of the means, in units of s.", "x, y", "return (sum(x) - sum(y)) / len(x) ** 0.5", PAIR),
    ("How far it leans. The input angle is positive if clockwise, negative if counterclockwise.", "a, b, c",
     TURN.format("abs"), CORNER),
    ("The bend in degrees at one point: positive if counterclockwise, negative if clockwise.", "points, i",
     "(ax, ay), (bx, by), (cx, cy) = points[i - 1:i + 2]\nreturn (bx - ax) * (cy - by) - (by - ay) * (cx - bx)",
     [[(0, 0), (2, 0), (3, 3), (4, 0), (9, 9), (12, 30)], 1]),
    ("Signal-to-noise ratio in decibels: ten times the logarithm of the ratio of the mean powers.", "x, y",
     POWERS.format("mean"), PAIR),
    ("Ratio of the mean powers.", "x, y",
     "n = sum((a - b) ** 2 for a, b in zip(x, y)) / len(x)\nreturn sum(a * a for a in x) / len(x) / n", PAIR),
    ("Ratio of the total powers.", "x, y", POWERS.format("sum"), PAIR),
    ("The difference of the means over their standard error.", "x, y",
     "return (sum(x) - sum(y)) / len(x) ** 0.5", PAIR),
    ("The mean difference of pairs.", "x, y", "return sum(a - b for a, b in zip(x, y)) / len(x)", PAIR),
    ("Slug of a text: words of letters and digits joined by single hyphens, none at either end.", "text",
     SLUG.format("+", ".strip('-')"), TITLE),
    ("The words joined by single hyphens.", "text", "return '-'.join(text.split())", TITLE),
    ("Name in lower case, each space replaced by a hyphen.", "text", "return text.lower().replace(' ', '-')", TITLE),
    ("The words of a camel-case name joined by single underscores.", "text",
     "import re\nreturn re.sub(r'(?<=[a-z])(?=[A-Z])', '_', text).lower()", ["deepLearning"]),
    ("First and last name, which are joined by single dots.", "first, last", "return f'{first}.{last}'", ["a", "b"]),
    ("The last part of an id whose parts are separated by single hyphens.", "text", "return text.split('-')[-1]",
     ["a-b"]),
    ("Words joined by single hyphens, with two between sentences.", "text", "return text.replace('. ', '--')",
     ["One. Two"]),
    ("Percentile bootstrap confidence interval: the middle `level` share of the means.", "x, level, seed",
     SHARE.format("(1 - level) / 2", "(1 + level) / 2"), DRAWN),
    ("Half-width and mean of a confidence interval.", "x, level",
     "return float(np.std(x) * level), float(np.mean(x))", [[5.0, 6.0], 0.9]),
    ("A confidence interval by a table.", "x, level",
     "z = {0.9: 1.645, 0.95: 1.96}[level]\nreturn float(np.mean(x) - z), float(np.mean(x) + z)", DRAWN[:2]),
    ("Whether segment pq and segment rs have a point in common; touching at an end counts.", "p, q, r, s",
     SIDES.format("<="), CROSS),
    ("Whether two segments cross; touching at an end does not count.", "p, q, r, s", SIDES.format("<"), CROSS),
    ("Whether two segments cross each other.", "p, q, r, s", SIDES.format("<"), CROSS),
    ("Whether two segments intersect (touching is counted).", "a, b", TWO.format("<="),
     [(CROSS[0], CROSS[1]), (CROSS[2], CROSS[3])]),
    ("Indices of the strict local maxima; the first and last value count too.", "x", ENDS.format("<", ">", "-"), WAVE),
    ("Indices of the local minima; both ends count.", "x", ENDS.format(">", "<", "+"), WAVE),
    ("Indices of the local maxima; the first and last value never count.", "x", INNER.format("<", ">"), WAVE),
    ("Indices of the local maxima.", "x", INNER.format("<", ">"), WAVE),
    ("Indices of the local maxima; of a plateau both ends count.", "x", INNER.format("<=", ">="), [[1, 3, 3, 2]]),
]  # fmt: skip
UNSAID = [
    "The number of values; zeros are skipped if they are padding.",
    "The value; a constant offset may be ignored.",
    "The area, positive if counterclockwise.",
    "The ratio of the mean of x to its standard deviation.",
    "Text in which words need not be joined by single hyphens.",
    "The mean. NaN is ignored in a moving average elsewhere, if at all.",
]
TRIED = {"skipping", "each_window", "shifted", "signed", "doubled", "joined", "spanning", "textbook"}
ABOVE = "import numpy as np\n\n\n"


@pytest.mark.parametrize(("kind", "told", "parameters", "body", "call"), WRONG, ids=[one[1][:50] for one in WRONG])
def test_what_is_said_and_not_so(
    tmp_path: Path, kind: str, told: str, parameters: str, body: str, call: list[Any]
) -> None:
    assert refuted(tmp_path, ABOVE + said(told, body, parameters), tuple(call)) == {kind}


@pytest.mark.parametrize(("told", "parameters", "body", "call"), RIGHT, ids=[one[0][:50] for one in RIGHT])
def test_what_is_so_is_not_refuted(tmp_path: Path, told: str, parameters: str, body: str, call: list[Any]) -> None:
    assert refuted(tmp_path, ABOVE + said(told, body, parameters), tuple(call)) == set()


@pytest.mark.parametrize("told", UNSAID)
def test_what_is_said_of_other_things_promises_nothing(tmp_path: Path, told: str) -> None:
    (tmp_path / "m.py").write_text(said(told, "return x", "x"))
    unit = next(unit for unit in read_units(tmp_path).units if unit.kind == "function")
    assert not TRIED & {str(promise.kind) for promise in promises(unit)}


def test_a_call_that_shows_zeros_to_count_refutes_nothing(tmp_path: Path) -> None:
    text = ABOVE + said("The sign changes of x; zeros are skipped.", CROSSINGS, "x")
    assert refuted(tmp_path, text, ([1, -1, 1],)) == {"skipping"}
    assert refuted(tmp_path, text, ([1, -1, 1],), ([1, 0, -1],)) == set()

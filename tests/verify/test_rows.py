"""What documentation says of each row, of pairs, of sorts of numbers and of objects by turns is tried, and honest code
is not refuted."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_conduct import refuted, refuted_of, said

from agents.code.units import read_units
from agents.code.verify.promises import promises
from agents.execution.harness.inside.values import Record, wrapped

IMPORTS = "import functools\nimport math\nimport numpy as np\n\n\n"
WHOLE = "e = np.exp(x - np.max(x)); return e / e.sum()"
BY_ROW = "e = np.exp(x - np.max(x, axis=-1, keepdims=True)); return e / e.sum(axis=-1, keepdims=True)"
SCALED = "return (x - x.mean()) / x.std()"
BY_COLUMN = "return (x - x.mean(axis=0)) / x.std(axis=0)"
FILLED = "out = np.array(x, float)\nout[np.isnan(out)] = np.nanmean(out)\nreturn out"
FILLED_BY = "out = np.array(x, float)\nreturn np.where(np.isnan(out), np.nanmean(out, axis=0), out)"
ROW, TALL, THREE = np.array([[0.0, 1.0, 3.0]]), np.array([[1.0], [3.0], [7.0]]), np.array([1.0, 4.0, 2.0])
LEVEL = np.array([[1.0, 6.0], [np.nan, 4.0], [7.0, np.nan], [4.0, 2.0]])
SPLIT = "r = np.random.default_rng(0)\ni, j = r.permutation(len(x)), r.permutation(len(x))\n"
APART = SPLIT + "return x[i[k:]], x[i[:k]], y[j[k:]], y[j[:k]]"
SIDE_BY_SIDE = APART.replace("j[", "i[")
TENS, MORE = np.arange(8) * 10, np.arange(8) + 100
MEANS = "out, total = np.zeros_like(x), 0\nfor i, v in enumerate(x):\n    total += v\n    out[i] = total / (i + 1)\n"
MEANS += "return out"
MEANS_OF = MEANS.replace("zeros_like(x)", "zeros(len(x))")
LINE = (
    "x, y, w = (np.asarray(v, float) for v in (x, y, w))\nmx, my = np.average(x, weights=w), np.average(y, weights=w)\n"
    "a = np.sum(w * (x - mx) * (y - my)) / np.sum(w * (x - mx) ** 2)\nreturn a, my - a * mx"
)
LEANS = LINE.replace("np.sum(w * ", "np.sum(")
TURN = "d = math.atan2(c[1] - b[1], c[0] - b[0]) - math.atan2(b[1] - a[1], b[0] - a[0])\n"
PATH = ((0, 0), (1, 0), (1, 1))
MEMO = "kept = {}\ndef g(*a, **k):\n    if KEY not in kept:\n        kept[KEY] = f(*a, **k)\n    return kept[KEY]\n"
MEMO += "return g"
ALL = MEMO.replace("KEY", "(a, tuple(sorted(k.items())))")
BYTES = np.array([200, 30], np.uint8), np.array([150, 30], np.uint8)
XYW = (np.array([0.0, 1.0, 4.0, 6.0]), np.array([1.0, 3.0, 9.0, 13.0]), [1, 1, 1, 1])
WRONG: list[tuple[str, str, str, str, Any]] = [
    ("each_row", "Softmax along the last axis.", "x", WHOLE, [THREE]),
    ("each_row", "Softmax along the last axis: each row becomes probabilities.", "x", WHOLE, [ROW]),
    ("each_row", "Scale each column of x to mean zero and standard deviation one.", "x", SCALED, [TALL]),
    ("each_row", "Standardize each feature.", "x", SCALED, [THREE]),
    ("each_row", "Column-wise standardization of a matrix.", "x", SCALED, [TALL]),
    ("each_row", "Normalize per row.", "x", "return x / np.abs(x).sum()", [ROW]),
    ("each_row", "Normalize row by row.", "x",
     "t = sum(map(sum, x)); return [[v / t for v in r] for r in x]", [[[1, 2]]]),
    ("each_row", "Copy of x in which a NaN is replaced by the mean of the other values of its column.", "x",
     FILLED, [LEVEL]),
    ("each_row", "The range of each row.", "x", "return x.max(axis=1) - x.min()", [ROW]),
    ("paired", "Shuffle and split. Rows of x and y stay together.", "x, y, k", APART, [TENS, MORE, 2]),
    ("paired", "Shuffle and split; x and y are shuffled in the same order.", "x, y, k", APART, [TENS, MORE, 2]),
    ("paired", "Shuffle and split, keeping x and y aligned.", "x, y, k", APART, [TENS, MORE, 2]),
    ("paired", "Both turned. Items of x and y remain paired.", "x, y", "return x[::-1], y",
     [[1, 2, 3, 4], [5, 6, 7, 8]]),
    ("as_floats", "Mean of all so far of x (integers or floats).", "x", MEANS, [np.array([3, 5, 7])]),
    ("as_floats", "Running means of integers or floats.", "x", MEANS, [np.array([2.0, 4.0, 9.0])]),
    ("as_floats", "Mean of all so far of floats or integers.", "x", MEANS, [np.array([3, 5, 7])]),
    ("repeated", "Slope of the line that minimises the weighted sum of squared errors.", "x, y, w", LEANS, XYW),
    ("swapped", "Absolute difference of two 8-bit grey images, pixel by pixel.", "a, b", "return np.abs(a - b)", BYTES),
    ("swapped", "The absolute difference between two numbers.", "a, b", "return a - b if a > 0 else b - a", [5, 2]),
    ("around", "Signed angle in degrees, from -180 to 180, at b; left is positive.", "a, b, c",
     TURN + "return math.degrees(d)", PATH),
    ("around", "The turn at b in degrees, between -180 and 180.", "a, b, c", TURN + "return math.degrees(d)", PATH),
    ("by_keywords", "Decorator: remember the results of f for each combination of positional and keyword arguments.",
     "f", MEMO.replace("KEY", "a"), [abs]),
    ("by_keywords", "Caches the results of f by all positional and keyword arguments.",
     "f", MEMO.replace("KEY", "(a, tuple(k))"), [abs]),
]  # fmt: skip
RIGHT: list[tuple[str, str, str, Any]] = [
    ("Softmax along the last axis.", "x", BY_ROW, [THREE]),
    ("Softmax along the last axis: each row becomes probabilities.", "x", BY_ROW, [ROW]),
    ("Softmax along the last axis.", "x", "return np.exp(x) / np.exp(x).sum(axis=1, keepdims=True)", [ROW]),
    ("Scale each column of x to mean zero and standard deviation one.", "x", BY_COLUMN, [TALL]),
    ("Standardize each feature.", "x",
     "s = x.std(axis=0)\nreturn (x - x.mean(axis=0)) / np.where(s > 0, s, 1)", [TALL]),
    ("Standardize each feature.", "x", SCALED, [np.array([[1.0, 5.0], [2.0, 9.0], [6.0, 0.0]])]),  # its test shows it
    ("Sort each row.", "x", "return [sorted(r) for r in x]", [[[3, 1, 2], [5, 4, 6]]]),
    ("Softmax per row.", "x, t=1.0", "x = x / t\n" + BY_ROW, [ROW, 2.0]),
    ("Softmax along the last axis.", "x, axis=-1", WHOLE, [THREE]),
    ("Normalize each row by its norm.", "x", "return x / np.linalg.norm(x, axis=1, keepdims=True)", [ROW]),
    ("Normalize each row by its norm, up to a common factor.", "x", "return x / x.max()", [ROW]),
    ("Normalize each row to the largest norm of all rows.", "x", "return x / x.max()", [ROW]),
    ("Standardize each feature of a batch.", "x", SCALED, [TALL]),
    ("Standardize each feature, not only each column.", "x", SCALED, [TALL]),
    ("Copy of x in which a NaN is replaced by the mean of its column.", "x", FILLED_BY, [LEVEL]),
    ("Copy of x in which a NaN is replaced by the mean of the matrix.", "x", FILLED, [LEVEL]),
    ("The range of each row.", "x", "return x.max(axis=1) - x.min(axis=1)", [ROW]),
    ("The sum of each row and of each column.", "x", "return x.sum()", [ROW]),
    ("The distance of each row to its nearest neighbour.", "x", "return x - x.mean()", [ROW]),
    ("Shuffle and split. Rows of x and y stay together.", "x, y, k", SIDE_BY_SIDE, [TENS, MORE, 2]),
    ("Shuffle and split. Rows of x and y stay together.", "x, y, k", SIDE_BY_SIDE,
     [np.arange(16.0).reshape(8, 2), MORE, 2]),
    ("Shuffle. Rows of x and y stay together.", "x, y", SPLIT + "return x[i], y[i]", [TENS, MORE]),
    ("Shuffle. Rows of x and y stay together.", "x, y", "return list(zip(x, y))[::-1]", [[1, 2, 3, 4], [5, 6, 7, 8]]),
    ("Batches. Rows of x and y stay together.", "x, y", "return [(x[:2], y[:2]), (x[2:], y[2:])]", [TENS, MORE]),
    ("Those of x by y. Rows of x and y stay together.", "x, y", "return x[np.argsort(y)]", [TENS, MORE]),
    ("Rows of x and y stay together within a group.", "x, y, k", APART, [TENS, MORE, 2]),
    ("Rows of x and y need not stay together.", "x, y, k", APART, [TENS, MORE, 2]),
    ("Mean of all so far of x (integers or floats).", "x", MEANS_OF, [np.array([3, 5, 7])]),
    ("Mean of all so far of x (integers or floats).", "x", MEANS, [np.array([3, 4, 7])]),  # its test shows it
    ("Halves of integers or floats, rounded for integers.", "x",
     "return x // 2 if x.dtype == int else x / 2", [TENS + 2]),
    ("Halves of integers or floats of the same dtype.", "x", "return (x / 2).astype(x.dtype)", [TENS + 2]),
    ("Slope of the line that minimises the weighted sum of squared errors.", "x, y, w", LINE, XYW),
    ("Slope of the line that minimises the weighted sum of squares and a penalty.", "x, y, w", LEANS, XYW),
    ("Slope and intercept of a line, given weights.", "x, y, w", LEANS, XYW),
    ("Absolute difference of two 8-bit images.", "a, b", "return np.where(a > b, a - b, b - a)", BYTES),
    ("Absolute difference of two numbers, relative to the first.", "a, b", "return abs(a - b) / a", [5, 2]),
    ("Difference of two images, pixel by pixel.", "a, b", "return np.abs(a - b)", BYTES),
    ("Signed angle in degrees, from -180 to 180, at b.", "a, b, c",
     TURN + "return (math.degrees(d) + 180) % 360 - 180", PATH),
    ("Signed angle of a turn from -180 to 180 degrees a second.", "a, b, c", "return 1.0", PATH),
    ("Shade of a pixel from 0 to 360.", "a, b, c", TURN + "return math.degrees(d)", PATH),
    ("Signed angle, unless it is from -180 to 180.", "a, b, c", TURN + "return math.degrees(d)", PATH),
    ("Decorator: remember the results of f for each combination of positional and keyword arguments.", "f", ALL, [abs]),
    ("Caches the results of f by all positional and keyword arguments.", "f",
     "return functools.lru_cache(None)(f)", [abs]),
    ("Caches the results of f by its positional arguments.", "f", MEMO.replace("KEY", "a"), [abs]),
    ("Caches the results of f by all positional, not keyword arguments.", "f", MEMO.replace("KEY", "a"), [abs]),
]  # fmt: skip
UNSAID = [
    "Each row sums to one.",
    "Distances between each row of x and each row of y.",
    "Subtract the mean of each column from each row.",
    "Scale each row by the largest of all columns.",
    "Sort each row by its key.",
    "Rank each row by its norm.",
    "Join two arrays along the last axis with zeros between.",
    "Draws each row at random.",
    "Cumulative sum of each row of a running total.",
    "x and y may stay together.",
    "Samples of one group stay together.",
    "Divides integers or floats.",
    "Integers stay integers, integers or floats are taken.",
    "The angle between two vectors in the range of x from 0 to 10.",
]
TRIED = {"each_row", "paired", "as_floats", "repeated", "by_keywords", "around"}


@pytest.mark.parametrize(("kind", "told", "parameters", "body", "call"), WRONG, ids=[one[1][:60] for one in WRONG])
def test_what_is_said_and_not_so(
    tmp_path: Path, kind: str, told: str, parameters: str, body: str, call: list[Any]
) -> None:
    assert kind in refuted(tmp_path, IMPORTS + said(told, body, parameters), tuple(call))


@pytest.mark.parametrize(("told", "parameters", "body", "call"), RIGHT, ids=[one[0][:60] for one in RIGHT])
def test_what_is_so_is_not_refuted(tmp_path: Path, told: str, parameters: str, body: str, call: list[Any]) -> None:
    assert refuted(tmp_path, IMPORTS + said(told, body, parameters), tuple(call)) == set()


@pytest.mark.parametrize("told", UNSAID)
def test_what_is_said_of_other_things_promises_nothing(tmp_path: Path, told: str) -> None:
    (tmp_path / "m.py").write_text(said(told, "return x", "x, y"))
    unit = next(unit for unit in read_units(tmp_path).units if unit.kind == "function")
    assert not TRIED & {str(promise.kind) for promise in promises(unit)}


STOPPING = '''class Stopping:
    """{}"""

    def __init__(self, patience):
        self.patience, self.best, self.bad = patience, float("inf"), 0

    def update(self, loss):
        """Take in a loss; whether to stop."""
        if loss < self.best:
            self.best{} = loss{}
        else:
            self.bad += 1
        return self.bad >= self.patience
'''
ALARM = '''class Alarm:
    """Alarm after n readings above the limit in a row, {}"""

    def __init__(self, n, limit):
        self.n, self.limit, self.count = n, limit, 0

    def read(self, value):
        """Whether it is on."""
        self.count = self.count + 1 if value > self.limit else {}
        return self.count >= self.n
'''
IN_A_ROW = "Stop after `patience` losses in a row without a better one."
STOPPED, READ = [(2,), ("update", 3.0), ("update", 2.0)], [(3, 10), ("read", 12)]


@pytest.mark.parametrize(
    ("text", "steps", "is_wrong"),
    [
        (STOPPING.format(IN_A_ROW, "", ""), STOPPED, True),
        (STOPPING.format("Stop after `patience` consecutive losses without a better one.", "", ""), STOPPED, True),
        (STOPPING.format(IN_A_ROW, ", self.bad", ", 0"), STOPPED, False),
        (STOPPING.format("Stop after `patience` losses in all without a better one.", "", ""), STOPPED, False),
        (STOPPING.format("Stop after `patience` losses in a row or in total without better.", "", ""), STOPPED, False),
        (STOPPING.format("Stop after `patience` losses without a better one.", "", ""), STOPPED, False),
        (STOPPING.format(IN_A_ROW, "", ""), [(1,), *STOPPED[1:]], False),
        (ALARM.format("no sooner.", "self.count"), READ, True),
        (ALARM.format("no sooner.", "0"), READ, False),
        (ALARM.format("which latches.", "self.count"), READ, False),
    ],
)
def test_what_counts_in_a_row_begins_anew(tmp_path: Path, text: str, steps: list[Any], is_wrong: bool) -> None:
    assert refuted_of(tmp_path, text, *steps) == ({"in_a_row"} if is_wrong else set())


RECORDER = '''class Recorder:
    """Record values; {}"""

    {} = {{}}

    def __init__(self):
        {}

    def record(self, name, value):
        """Add one."""
        self.{}.setdefault(name, []).append(value)
'''


@pytest.mark.parametrize(
    ("told", "held", "made", "is_wrong"),
    [
        ("each recorder keeps its own.", "values", "pass", True),
        ("every instance has its own values.", "values", "pass", True),
        ("instances share nothing.", "values", "pass", True),
        ("each recorder keeps its own.", "values", "self.values = {}", False),
        ("each name has its own list.", "values", "pass", False),
        ("each recorder keeps its own, but they are shared.", "values", "pass", False),
        ("each recorder keeps its own.", "registry", "pass", False),
        ("all share them.", "values", "pass", False),
    ],
)
def test_what_is_an_objects_own_is_not_the_classes(
    tmp_path: Path, told: str, held: str, made: str, is_wrong: bool
) -> None:
    text = RECORDER.format(told, held, made, held)
    assert refuted_of(tmp_path, text, (), ("record", "a", 2.0)) == ({"own"} if is_wrong else set())


BOUNDED = '''class Bounded:
    """{}"""

    def __set_name__(self, owner, name):
        self.name, self.kept = name, {{}}

    def __get__(self, instance, owner=None):
        return self if instance is None else {}

    def __set__(self, instance, value):
        if not 0 <= value <= 48:
            raise ValueError(value)
        {} = value


class Settings:
    layers = Bounded()

    def __init__(self, layers):
        self.layers = layers
'''
OWN_PLACE, BY_ID = "instance.__dict__[self.name]", "self.kept[id(instance)]"


@pytest.mark.parametrize(
    ("told", "read", "written", "is_wrong"),
    [
        ("A number between 0 and 48.", "self.value", "self.value", True),
        ("A number.", "self.kept[self.name]", "self.kept[self.name]", True),
        ("A number between 0 and 48.", OWN_PLACE, OWN_PLACE, False),
        ("A number.", BY_ID, BY_ID, False),
        ("A number that all objects share.", "self.value", "self.value", False),
        ("A number of the class.", "self.value", "self.value", False),
        ("One that is never kept.", "7", "value", False),
    ],
)
def test_what_is_set_on_one_object_is_not_set_on_all(told: str, read: str, written: str, is_wrong: bool) -> None:
    names, record = {"__name__": "m"}, Record()  # type: dict[str, Any], Record
    exec(BOUNDED.format(told, read, written), names)  # noqa: S102 -- the text is this file's
    names["Bounded"].__set__ = wrapped("probe", "[]", record)(names["Bounded"].__set__)
    assert names["Settings"](12).layers
    assert {one["kind"] for one in record.report()["refuted"]} == ({"shared"} if is_wrong else set())

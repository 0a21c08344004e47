"""What documentation says of spans, dictionaries and dates in full, of what raises again and of what was fitted is
tried, and honest code is not refuted."""

from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_conduct import refuted, refuted_of, said
from test_unkept import found

IMPORTS = "import calendar\nimport functools\nfrom datetime import date\n\n"
JOIN = "out = []\nfor a, b in sorted(s):\n    if out and a {} out[-1][1]{}:\n        out[-1] = (out[-1][0], {})\n"
JOIN += "    else:\n        out.append((a, b))\nreturn out"
SHORT, WHOLE = JOIN.format("<=", "", "b"), JOIN.format("<=", "", "max(b, out[-1][1])")
SPANS = [(1, 3), (2, 6), (8, 10)]
TWO_LEVELS = "out = dict(a)\nfor k, v in b.items():\n    both = isinstance(v, dict) and isinstance(out.get(k), dict)\n"
TWO_LEVELS += "    out[k] = {**out[k], **v} if both else v\nreturn out"
ALL_LEVELS = TWO_LEVELS.replace("{**out[k], **v}", "f(out[k], v)")
ONE, OTHER = {"o": {"x": 1, "y": 2}, "s": 1}, {"o": {"x": 5}, "n": "x"}
MONTHS = "i = d.month - 1 + n\ny, m = d.year + i // 12, i % 12 + 1\nreturn d.replace(year=y, month=m, day={})"
CAPPED, LAST = MONTHS.format("min(d.day, 28)"), MONTHS.format("min(d.day, calendar.monthrange(y, m)[1])")
OF_MONTHS, OF_YEARS = (
    "return e.year - d.year - (e.month < d.month)",
    ("return e.year - d.year - ((e.month, e.day) < (d.month, d.day))"),
)
BORN = date(1990, 5, 10)
AGAIN = "def g(f):\n    def h(*a):\n        for i in range(n):\n            try:\n                return f(*a)\n"
AGAIN += "            except {}:\n                {}\n        return None\n    return h\nreturn g"
SWALLOWED, RAISED = (
    AGAIN.format("Exception", "pass"),
    AGAIN.format("Exception", "if i == n - 1:\n" + " " * 20 + "raise"),
)
CALLED = "for i in range(n):\n    try:\n        return f()\n    except OSError:\n        pass\n"
WRAP = "while x > 180:\n    x -= 360\nwhile x < -180:\n    x += 360\nreturn x"
MEANS = "import numpy as np\nout = np.zeros_like(x)\nfor i in range(len(x)):\n    out[i] = x[:i + 1].mean()\nreturn out"
WRONG: list[tuple[str, str, str, str, Any]] = [
    ("textbook", "Union of the spans: overlapping and touching ones become one; in order.", "s", SHORT, [(SPANS,)]),
    ("textbook", "Spans in order; overlapping spans are merged.", "s", SHORT, [(SPANS,)]),
    ("textbook", "Merge overlapping intervals.", "s", SHORT, [(SPANS,)]),
    ("textbook", "A new dict: a updated by b, nested dicts merged at every level.", "a, b", TWO_LEVELS, [(ONE, OTHER)]),
    ("textbook", "Recursively merges two dictionaries.", "a, b", TWO_LEVELS, [(ONE, OTHER)]),
    ("textbook", "Merge nested configs to any depth.", "a, b", TWO_LEVELS, [(ONE, OTHER)]),
    ("textbook", "The same day some months later; the month's last day where it has no such day.", "d, n", CAPPED,
     [(date(2021, 1, 15), 1)]),
    ("textbook", "Add months to a date, clamped to the last day of the month.", "d, n", CAPPED,
     [(date(2021, 1, 15), 1)]),
    ("textbook", "Adds n months to a day, or its last day.", "n, d", CAPPED, [(1, date(2021, 1, 15))]),
    ("textbook", "Age in completed years on a day.", "d, e", OF_MONTHS, [(BORN, date(2020, 7, 1))]),
    ("textbook", "Age in full years.", "d, e", OF_MONTHS, [(datetime(1990, 5, 10), datetime(2020, 7, 1))]),
    ("raised_again", "Calls it again if it raises, n times in all; then the last exception goes on.", "n", SWALLOWED,
     [(3,)]),
    ("raised_again", "Calls it up to n times. The last error is raised again.", "n", SWALLOWED, [(3,)]),
    ("raised_again", "Tries up to n times, re-raising the last exception.", "f, n", CALLED, [(lambda: 1, 3)]),
    ("around", "The same angle in the half-open range [-180, 180).", "x", WRAP, [(190,), (-190,), (95.5,)]),
    ("around", "Wrap an angle to the half-open range [-180, 180).", "x", WRAP, [(190,)]),
    ("around", "Normalize x to the range (-180, 180].", "x", WRAP, [(190,)]),
    ("as_floats", "Means of the first values of x (integers or floats).", "x", MEANS, [(np.array([1.0, 2.0, 2.0]),)]),
]  # fmt: skip
HONEST: list[tuple[str, str, str, Any]] = [
    ("Union of the spans: overlapping and touching ones become one; in order.", "s", WHOLE, [(SPANS,), ([(5, 7)],)]),
    ("Overlapping ones become one, touching ones stay apart.", "s", WHOLE.replace("<=", "<"), [(SPANS,)]),
    ("Merge overlapping intervals of whole numbers.", "s", JOIN.format("<=", " + 1", "max(b, out[-1][1])"), [(SPANS,)]),
    ("Merge overlapping intervals, largest first.", "s", WHOLE + "[::-1]", [(SPANS,)]),
    ("Overlapping spans are merged if they have the same label.", "s", SHORT, [(SPANS,)]),
    ("Overlapping ones are joined: how much they cover.", "s", "return max(b for a, b in s) - 1", [(SPANS,)]),
    ("Merge overlapping ranges; a later one cuts off.", "s", JOIN.format("<", "", "a"), [(SPANS,)]),
    ("A new dict: a updated by b, nested dicts merged at every level.", "a, b", ALL_LEVELS, [(ONE, OTHER)]),
    ("Recursively merges two dictionaries; a wins.", "a, b", ALL_LEVELS.replace("else v", "else out.get(k, v)"),
     [(ONE, OTHER)]),
    ("Merges two dictionaries, nested ones on one level only, not recursively.", "a, b", TWO_LEVELS, [(ONE, OTHER)]),
    ("Merge dicts recursively, in place.", "a, b", "a.update(b)", [(ONE, OTHER)]),
    ("Recursively updates the known keys of a dictionary.", "a, b",
     "return {k: f(v, b[k]) if isinstance(v, dict) else b.get(k, v) for k, v in a.items()}", [(ONE, {"o": {"x": 5}})]),
    ("Recursively merges two dictionaries: lists are joined.", "a, b", ALL_LEVELS, [(ONE, OTHER)]),
    ("The same day some months later; the month's last day where it has no such day.", "d, n", LAST,
     [(date(2021, 1, 31), 1)]),
    ("Adds months; the last day of a month stays the last day.", "d, n",
     LAST.replace("min(d.day,", "(lambda a, b: b if d.month != (d + d.resolution).month else min(a, b))(d.day,"),
     [(date(2021, 1, 31), 1)]),
    ("The same day some months later, always one that every month has: 28 at most.", "d, n", CAPPED,
     [(date(2021, 1, 15), 1)]),
    ("Day n months later.", "d, n", CAPPED, [(date(2021, 1, 15), 1)]),
    ("Adds months; raises where the last day is passed.", "d, n", MONTHS.format("d.day"), [(date(2021, 1, 15), 1)]),
    ("Age in completed years on a day.", "d, e", OF_YEARS, [(BORN, date(2020, 7, 1))]),
    ("Age in years, by the months alone.", "d, e", OF_MONTHS, [(BORN, date(2020, 7, 1))]),
    ("Age in years.", "d, e", "return (e - d).days / 365.25", [(BORN, date(2020, 7, 1))]),
    ("Age in completed years, ignoring the day of the month.", "d, e", OF_MONTHS, [(BORN, date(2020, 7, 1))]),
    ("Calls it again if it raises, n times in all; then the last exception goes on.", "n", RAISED, [(3,)]),
    ("Calls it up to n times. The last error is not raised again.", "n", SWALLOWED, [(3,)]),
    ("Calls it up to n times. The last error is raised unless it is quiet.", "n", SWALLOWED, [(3,)]),
    ("Tries up to n times. The last error is raised.", "f, n", CALLED + "return f()", [(lambda: 1, 3)]),
    ("Tries up to n times. The last error is raised.", "f, n, default=None", CALLED, [(lambda: 1, 3)]),
    ("Tries up to n times. The last error is raised.", "f, n, told=print", CALLED + "return told('x')",
     [(lambda: 1, 3, print)]),
    ("Remembers what the last error is raised by.", "n", SWALLOWED, [(3,)]),
    ("The same angle in the half-open range [-180, 180).", "x", "return (x + 180) % 360 - 180", [(190,), (95.5,)]),
    ("The same angle in the range [-180, 180].", "x", WRAP, [(190,)]),
    ("The same angle in the range (-180, 180].", "x", "return 180 - (180 - x) % 360", [(190,), (-540,)]),
    ("Means of the first values of x (integers or floats).", "x", MEANS.replace("zeros_like(x)", "zeros(len(x))"),
     [(np.array([1.0, 2.0, 2.0]),), (np.array([1, 2, 2]),)]),
    ("Means of the first values of x (integers or floats).", "x", MEANS, [(np.array([1, 2, 2]),)]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "docstring", "parameters", "body", "calls"), WRONG)
def test_what_is_said_in_full_is_refuted(
    tmp_path: Path, kind: str, docstring: str, parameters: str, body: str, calls: Any
) -> None:
    assert kind in refuted(tmp_path, IMPORTS + said(docstring, body, parameters), *calls)


@pytest.mark.parametrize(("docstring", "parameters", "body", "calls"), HONEST)
def test_honest_code_is_not_refuted(tmp_path: Path, docstring: str, parameters: str, body: str, calls: Any) -> None:
    assert refuted(tmp_path, IMPORTS + said(docstring, body, parameters), *calls) == set()


SCALER = '''class Scaler:
    """{said}"""

    def fit(self, x):
        self.low, self.high = x.min(axis=0), x.max(axis=0)
        return self

    def transform(self, x):
        """The scaled data."""
        {seen}
        return {result}
'''
SEEN = "Scale columns to [0, 1] by the minimum that `fit` has seen; `transform` uses it for any data."
ITS_OWN, FITTED = "low, high = x.min(axis=0), x.max(axis=0)", "low, high = self.low, self.high"
TO_ONE = "(x - low) / (high - low)"


@pytest.mark.parametrize(
    ("sentence", "seen", "result", "kinds"),
    [
        (SEEN, ITS_OWN, TO_ONE, {"fitted"}),
        ("Scales by the limits learned during fit.", ITS_OWN, TO_ONE, {"fitted"}),
        ("Centre by the means computed in fit().", "pass", "x - x.mean(axis=0)", {"fitted"}),
        ("Scales by the range found in the training data.", ITS_OWN, TO_ONE, {"fitted"}),
        ("Scales by the range found in the training data.", FITTED, TO_ONE, set()),
        ("Scales each batch by its own limits, not those learned in fit.", ITS_OWN, TO_ONE, set()),
        ("Scales columns to [0, 1].", ITS_OWN, TO_ONE, set()),
        (SEEN, FITTED, TO_ONE, set()),
        (SEEN, FITTED, "(x - low)[:, :1] > 0", set()),
        ("Scales by the limits learned in fit, and takes differences of consecutive rows.", FITTED,
         "__import__('numpy').diff(x / high, axis=0, prepend=0)", set()),
        ("Scales by the limits learned in fit.", "if len(x) < 3: raise ValueError", "(x - x.min()) / self.high", set()),
        ("How many lie above the limits learned in fit.", FITTED, "(x > low).sum(axis=0)", set()),
    ],
)  # fmt: skip
def test_what_fit_has_seen(tmp_path: Path, sentence: str, seen: str, result: str, kinds: set[str]) -> None:
    data = np.array([[1.0, 10.0], [3.0, 30.0], [2.0, 50.0]])
    text = SCALER.format(said=sentence, seen=seen, result=result)
    assert refuted_of(tmp_path, text, (), ("fit", data), ("transform", data)) == kinds


ROUNDED = "Blend of two images, rounded to the nearest level."


@pytest.mark.parametrize(
    ("docstring", "body", "wrong"),
    [
        (ROUNDED, "return (s * a + (1 - s) * b).astype(int)", True),
        ("Mean of both (rounded to the nearest integer).", "return int(s * a + (1 - s) * b)", True),
        ("Rounds a to the nearest integer.", "return int(a)", True),
        (ROUNDED, "return round(s * a + (1 - s) * b)", False),
        (ROUNDED, "return (s * a + (1 - s) * b + 0.5).astype(int)", False),
        (ROUNDED, "return int((s * a + (1 - s) * b) * 2 + 1) // 2", False),
        (ROUNDED, "return int(f'{s * a + (1 - s) * b:.0f}')", False),
        (ROUNDED, "return a.blended(b, s).rint()", False),
        (ROUNDED, "import cv2\n    return cv2.addWeighted(a, s, b, 1 - s, 0)", False),
        ("Blend of two images, not rounded to the nearest level.", "return int(s * a + (1 - s) * b)", False),
        ("Sum of prices that are rounded to the nearest cent.", "return a + b", False),
        ("Blend of inputs, rounded to the nearest level before.", "return s * a + (1 - s) * b", False),
    ],
)
def test_what_is_said_to_be_rounded(tmp_path: Path, docstring: str, body: str, wrong: bool) -> None:
    text = f'def f(a, b, s):\n    """{docstring}"""\n    {body}\n'
    assert ("nothing in its source rounds anything" in found(tmp_path, text)) is wrong

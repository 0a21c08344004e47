"""What documentation says of what objects hold is tried, and honest classes are not refuted."""

from pathlib import Path

import pytest
from test_conduct import refuted, refuted_of, said

METER = '''class Meter:
    """The mean of what is added."""

    def __init__(self, scale=1.0):
        self.scale, self.sum, self.n, self.top = scale, 0.0, 0, None
        self.resets = 0

    def add(self, value):
        self.sum += value * self.scale
        self.n += 1
        self.top = value if self.top is None else max(value, self.top)

    def summary(self):
        return self.sum / self.n if self.n else None, self.top

    def again(self):
        """{said}"""
        {does}
'''
ALL = "self.sum, self.n, self.top = 0.0, 0, None"
BUT_ONE = "self.sum, self.n = 0.0, 0"
QUEUE = '''import heapq


class Queue:
    """Things by when they are due."""

    def __init__(self):
        self.heap, self.number = [], 0

    def put(self, {order}):
        self.number += 1
        heapq.heappush(self.heap, ({sign}due, {by}thing))

    def take(self):
        """{said}"""
        *_, thing = heapq.heappop(self.heap)
        return thing
'''
TURN = "The thing that is due first, those of the same time in the order in which they were put in."
HOLDER = '''class Holder:
    """Values by place."""

    def __init__(self, values):
        self.values = list(values)
        self.kept, self.offset, self.top, self.moved = {{}}, 0.0, 0.0, 0.0

    def set(self, place, value):
        """{sets}"""
        {set}

    def fit(self, values):
        """{fits}"""
        {fit}

    def put(self, value):
        self.values.append(value)

    def scale(self, factor):
        self.values[:] = [factor * value for value in self.values]

    def now(self):
        """{gives}"""
        {give}

    def mean(self, unit):
        """{tells}"""
        {tell}
'''
HELD = {
    "sets": "Set the value at a place.", "set": "self.values[place] = value",
    "fits": "The mean; this replaces the offset before.", "fit": "self.offset = sum(values) / len(values)",
    "gives": "The values as they are now; later changes do not change the copy.", "give": "return list(self.values)",
    "tells": "Mean of all values that were put in so far, in units of `unit`.",
    "tell": "return sum(self.values) / len(self.values) / unit",
}  # fmt: skip
KEPT = (
    "if unit not in self.kept:\n            self.kept[unit] = sum(self.values) / len(self.values) / unit\n"
    "        return self.kept[unit]"
)


def of_meter(folder: Path, said: str, does: str, *first: float) -> set[str]:
    text = METER.format(said=said, does=does)
    return refuted_of(folder, text, first, ("add", 4.0), ("add", 5.5), ("again",), ("add", 3.0), ("summary",))


@pytest.mark.parametrize(
    ("said", "does", "first", "kinds"),
    [
        ("Forget all: afterwards the meter is as new.", BUT_ONE, (), {"as_new"}),
        ("Brings it back to its initial state.", BUT_ONE, (), {"as_new"}),
        ("It behaves as if just created.", "self.sum = 0.0", (), {"as_new"}),
        ("Forget all: afterwards the meter is as new.", ALL, (), set()),
        ("Forget all: afterwards the meter is as new.", ALL, (2.0,), set()),
        ("Forget all: afterwards the meter is as new.", f"{ALL}\n        self.resets += 1", (), set()),
        ("Empty the buffer: afterwards it is as new.", BUT_ONE, (), set()),
        ("A meter of the same scale as a new meter.", "return Meter(self.scale)", (), set()),
        ("Forget the values: it is as new but for the extremes.", BUT_ONE, (), set()),
        ("Forget the values; it is not as new.", BUT_ONE, (), set()),
        ("Forget the mean.", BUT_ONE, (), set()),
        ("The state of the meter, new or not.", "return self.n", (), set()),
    ],
)
def test_what_is_as_new(tmp_path: Path, said: str, does: str, first: tuple[float, ...], kinds: set[str]) -> None:
    assert of_meter(tmp_path, said, does, *first) == kinds


@pytest.mark.parametrize(
    ("changed", "kinds"),
    [
        ({"by": ""}, {"in_turn"}),
        ({"by": "-self.number, "}, {"in_turn"}),
        ({"by": "", "order": "thing, due"}, {"in_turn"}),
        ({}, set()),
        ({"order": "thing, due"}, set()),
        ({"sign": "-"}, set()),
        ({"by": "", "said": "The thing that is due first, those of the same time by name."}, set()),
        ({"by": "", "said": "The thing that is due first."}, set()),
        ({"by": "", "order": "due, thing", "sign": "0 * "}, set()),
    ],
)
def test_what_comes_out_in_turn(tmp_path: Path, changed: dict[str, str], kinds: set[str]) -> None:
    text = QUEUE.format(**({"order": "due, thing", "sign": "", "by": "self.number, ", "said": TURN} | changed))
    put = (2.0, "stop") if "order" not in changed or changed["order"][0] == "d" else ("stop", 2.0)
    assert refuted_of(tmp_path, text, (), ("put", *put), ("take",)) == kinds


@pytest.mark.parametrize(
    ("changed", "kinds"),
    [
        ({}, set()),
        ({"set": "self.values[place] += value"}, {"replaced"}),
        ({"set": "self.values[place] += value", "sets": "Set the value at a place, added to what is there."}, set()),
        ({"set": "self.values[place] += value", "sets": "Count the value at a place."}, set()),
        ({"set": "self.moved += abs(value - self.values[place])\n        self.values[place] = value"}, set()),
        ({"set": "self.moved = value - self.values[place]\n        self.values[place] = value"}, set()),
        ({"set": "self.top = max(self.top, value)\n        self.values[place] = value"}, set()),
        ({"set": "self.offset += value - self.values[place]\n        self.values[place] = value"}, set()),
        ({"fit": "self.values += values\n        self.offset = sum(self.values) / len(self.values)"}, {"replaced"}),
        ({"fit": "self.offset += sum(values) / len(values)", "fits": "The mean; the old offset is discarded."},
         {"replaced"}),
        ({"fit": "self.offset = (self.offset + sum(values)) / 2", "fits": "Moves on; replaces the offset if far."},
         set()),
        ({"fit": "self.offset += sum(values)", "fits": "Does not replace the offset before."}, set()),
        ({"fit": "self.moved += 1\n        self.offset = max(values)"}, set()),
        ({"give": "return self.values"}, {"handed"}),
        ({"give": "return self.values", "gives": "A copy of the values."}, {"handed"}),
        ({"give": "return self.values", "gives": "The values themselves; later changes show in them."}, set()),
        ({"give": "return self.values", "gives": "A view, no copy of the values."}, set()),
        ({"give": "return tuple(self.values)"}, set()),
        ({"tell": KEPT}, {"current"}),
        ({"tell": KEPT, "tells": "Mean of the values when it was first asked for."}, set()),
        ({"tell": "self.values.append(unit)\n        return sum(self.values) / len(self.values)"}, set()),
        ({"tell": "return self.kept.setdefault(unit, len(self.values))"}, set()),
    ],
)  # fmt: skip
def test_what_objects_hold(tmp_path: Path, changed: dict[str, str], kinds: set[str]) -> None:
    steps = [([3.0, 5.0, 0.5],), ("set", 1, 2.0), ("fit", [2.0, 3.5, 9.0]), ("now",), ("mean", 2.0), ("put", 1.0)]
    assert refuted_of(tmp_path, HOLDER.format(**(HELD | changed)), *steps) == kinds


WATCH = '''class Watch:
    """Watches a loss."""

    def __init__(self, epochs):
        self.epochs, self.best, self.waited = epochs, float("inf"), 0

    def over(self, loss):
        """True once `epochs` epochs have passed since the best loss{more}."""
        if loss < self.best:
            self.best{anew} = loss{zero}
        else:
            self.waited += 1
        return self.waited >= self.epochs
'''


@pytest.mark.parametrize(
    ("anew", "more", "kinds"),
    [(False, "", {"in_a_row"}), (True, "", set()), (False, ", the waits in total", set())],
)
def test_what_passes_since_the_best(tmp_path: Path, *, anew: bool, more: str, kinds: set[str]) -> None:
    text = WATCH.format(anew=", self.waited" * anew, zero=", 0" * anew, more=more)
    assert refuted_of(tmp_path, text, (2,), ("over", 3.0), ("over", 2.0)) == kinds


LISTED = "return (w[i:i + 2] for i in range(3))"
COUNTS = "key = (len(w), w[0], w[-1])\nif key not in TABLE:\n    TABLE[key] = {}\nreturn TABLE[key]"


@pytest.mark.parametrize(
    ("docstring", "body", "kinds"),
    [
        ("The pairs of a row, as a list for several rounds.", LISTED, {"listed"}),
        ("Returns a list of pairs.", "return map(tuple, [w, w])", {"listed"}),
        ("Returns a list of pairs.", "yield w", set()),
        ("The pairs, as a list.", "yield w", {"listed"}),
        ("Returns a list of pairs.", "return [w[i:i + 2] for i in range(3)]", set()),
        ("Yields each pair as a list.", LISTED, set()),
        ("The pairs of a row that is given as a list.", LISTED, set()),
        ("The pairs of a row, one by one.", LISTED, set()),
        ("Sum of a row.", COUNTS.format("float(sum(w))"), {"confused"}),
        ("Length of a row times the first.", COUNTS.format("float(len(w) * w[0])"), set()),
        ("Sum of a row that was given first.", COUNTS.format("float(sum(w))"), set()),
        ("Sum of a row.", "TABLE[len(w)] = sum(w)\nreturn float(TABLE[len(w)])", set()),
        ("Sum of a row.", "TABLE.setdefault(tuple(w), float(sum(w)))\nreturn TABLE[tuple(w)]", set()),
        (
            "The highest of a row and of those before of its length.",
            "TABLE[len(w)] = max(TABLE.get(len(w), 0.0), *w)\nreturn TABLE[len(w)]",
            set(),
        ),
        ("Sum of rows.", "TABLE[len(TABLE)] = sum(w)\nreturn float(sum(TABLE.values()))", set()),
    ],
)
def test_lists_and_what_is_kept(tmp_path: Path, docstring: str, body: str, kinds: set[str]) -> None:
    text = "TABLE = {}\n\n\n" + said(docstring, body, "w")
    assert refuted(tmp_path, text, ([4.0, 2.5, 7.0, 1.0],)) == kinds

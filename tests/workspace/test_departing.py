"""Where a program departs from its specification, and what of it is a copy: seen without a model."""

import textwrap
from typing import Any, cast

import pytest

from agents.loops.departing import departures
from agents.loops.guards import Guards, coverage
from agents.loops.iterative import Figures
from agents.loops.reply import Analysis, Compared, Departure, Fact

SOURCE = """
RATE = 0.001


def sample(stream, k, *, seed=0):
    return list(stream)[:k]


class Sketch:
    def add(self, item):
        self.total = -1e-2
"""

THEIRS = """
def keep(items, n):
    out = []
    for x in items:
        if len(out) < n:
            out.append(x)
    return out
"""


@pytest.mark.parametrize(
    ("interface", "said"),
    [
        ("sample(stream, k, *, seed=0) -> list", ""),
        ("def sample(stream: Iterable[int], k: int, *, seed: int = 0) -> list[int]:", ""),
        ("class Sketch: add(item)", ""),
        ("Sketch(k)", ""),
        ("sample", ""),
        ("what it does, in words", ""),
        ("sample(stream, size)", "specified are stream, size"),
        ("estimate(item) -> int", "there is no estimate"),
    ],
)
def test_names_and_parameters(interface: str, said: str) -> None:
    found = departures({"a.py": Analysis(interface=(interface,))}, {"a.py": SOURCE})
    assert [said in one for one in found] == [True] * bool(said)


@pytest.mark.parametrize(
    ("value", "there"), [("1e-3", True), ("0.0010", True), ("-0.01", True), ("0.002", False), ("k counters", True)]
)
def test_numbers_of_the_paper(value: str, there: bool) -> None:
    analysis = Analysis(facts=(Fact(what="rate", value=value),))
    assert bool(departures({"b.py": analysis}, {"a.py": SOURCE, "b.py": "not Python at all ("})) != there


def test_a_copy_of_code_that_differs_is_unfit() -> None:
    guards = Guards(cast("Any", None))
    mine = THEIRS.replace("items", "stream").replace("out", "kept").replace("keep(", "head(")
    guards.seen = {"code:1": THEIRS}
    assert guards.copies({"a.py": mine}) == ("a.py: head from code:1",)
    assert guards.unfit(mine) == set()
    assert guards.unfit(mine, {"code:1"}) == {"code:1"}
    guards.differing["code:1"] = Compared(use="adapt", differences=(Departure(specified="a", there="b"),))
    assert guards.unfit(mine) == {"code:1"}
    assert guards.unfit(SOURCE) == set()


CLASS = """
    class Sketch:
        def add(self, item):
            if item in self.counts:
                self.counts[item] += 1
            else:
                self.counts[item] = 1

        def top(self):
            return max(
                self.counts,
                key=self.counts.get,
            )
"""


@pytest.mark.parametrize("lines", [11, 12])
def test_a_copy_of_code_that_came_cut_is_seen(lines: int) -> None:
    """As it comes from a tool: a part of it, then the next."""
    cut = CLASS.splitlines(keepends=True)
    first, rest = "".join(cut[:lines]), "".join(cut[lines:])
    guards = Guards(cast("Any", None))
    guards._see("code:1", first)
    guards._see("code:1", first)
    mine = {"a.py": textwrap.dedent(CLASS).replace("item", "one")}
    assert guards.copies(mine) == ("a.py: add from code:1",)
    guards._see("code:1", rest)
    assert guards.copies(mine) == ("a.py: Sketch, add, top from code:1",)
    guards.seen = {"code:1": "int main() {\n" * 500}
    assert guards.copies(mine) == ()


def test_a_requirement_has_files_when_all_of_them_are_there() -> None:
    covered = coverage({"R1: a": ("a.py",), "R2: b": ("a.py", "b.py"), "R3: c": ()}, ["a.py"])
    assert (covered.total, covered.with_files, covered.missing) == (3, 1, ("R2: b", "R3: c"))


def test_what_is_better() -> None:
    base = Figures(proven=False, runs=True, verified=1, reaching=2, with_files=3, departures=1, tests=3)
    assert not base.better_than(base)
    for better in ({"proven": True}, {"verified": 2}, {"departures": 0}, {"reaching": 3, "tests": 4}):
        assert base.model_copy(update=better).better_than(base)
    for worse in ({"runs": False, "verified": 9}, {"proven": True, "tests": 2}, {"departures": 2}):
        assert not base.model_copy(update=worse).better_than(base)


DECORATED = """\
@torch.no_grad()
    def add(self, item):
        self.counts[item] = self.counts.get(item, 0) + 1
        return self.counts[item]
"""


@pytest.mark.parametrize("end", ["", "        if self.counts[\n"])
def test_a_copy_of_a_decorated_method_is_seen(end: str) -> None:
    guards = Guards(cast("Any", None))
    guards.seen = {"code:1": DECORATED + end}
    mine = "class Mine:\n    " + DECORATED.partition("    ")[2].replace("item", "one")
    assert guards.copies({"a.py": mine}) == ("a.py: add from code:1",)


@pytest.mark.parametrize("head", ["", "@torch.no_grad()\n    "])
def test_long_sums_in_shown_code_end_no_run(head: str) -> None:
    guards = Guards(cast("Any", None))
    guards.seen = {"code:1": f"{head}def add(x):\n        return {' + '.join(['x'] * 700)}\n"}
    assert guards.copies({"a.py": "def two(y):\n    return y * 2 + y\n"}) == ()

"""Which wrong results a unit and its tests allow for."""

import pytest

from agents.code.verify.allowing import allowed
from kg.models.code import CodeUnit


def unit(text: str, docstring: str = "", name: str = "f") -> CodeUnit:
    return CodeUnit(
        id=f"m.py#{name}", file="m.py", symbol=name, name=name, kind="function", language="python", start=0, end=9,
        line=1, end_line=9, docstring=docstring, text=text,
    )  # fmt: skip


PLAIN = "def f(values):\n    return values"


@pytest.mark.parametrize(
    ("name", "docstring", "expected"),
    [
        ("remove_outliers", "Drop what lies far from the mean.", False),
        ("clip", "Clip the values; those within the limits are unchanged.", False),
        ("clip", "The values, unchanged if they are small.", False),
        ("identity", "", True),
        ("deep_copy", "", True),
        ("forward", "The input as it is.", True),
        ("forward", "A copy of the input.\n\nUsed elsewhere if needed.", True),
    ],
)
def test_what_says_so_may_give_back_what_it_gets(name: str, docstring: str, expected: bool) -> None:
    assert ("given" in allowed(unit(PLAIN, docstring, name), [])) is expected


def test_what_makes_lists_or_arrays_may_give_them() -> None:
    assert allowed(unit(PLAIN, "Make an array of it."), []) >= {"given array"}
    assert allowed(unit(PLAIN, "", "as_list"), []) >= {"given list"}
    assert allowed(unit(PLAIN, "Sort it."), []) == {"unwritten"}


@pytest.mark.parametrize(
    ("docstring", "counts"),
    [
        ("Write the totals into values.", True),
        ("Append each of them to the `values`.", True),
        ("Sort them in place.", True),
        ("Add one to each.", False),
        ("Write the totals into a file.", False),
    ],
)
def test_what_is_written_into_an_argument_counts_where_it_is_said(docstring: str, counts: bool) -> None:
    assert ("unwritten" not in allowed(unit(PLAIN, docstring), [])) is counts


@pytest.mark.parametrize(
    ("docstring", "promised"),
    [
        ("The words, sorted by length.", True),
        ("Tasks such that each comes after those it needs.", True),
        ("Modules, parents before what they need.", True),
        ("Levels after draining, the fullest first.", True),
        ("The words, most frequent first.", True),
        ("The sum after each step.", True),
        ("Values of both in turn.", True),
        ("A ranking of the players.", True),
        ("Every event that comes before the date.", False),
        ("The words; short ones are dropped first.", False),
        ("What the guest asked for first, and the rest last.", False),
        ("The last row of each key, in the order in which the keys appear.", True),
        ("Unique items, preserving their order.", True),
        ("The words in any order.", False),
        ("Shuffle them: the items in a new order.", False),
        ("Adds a term in order to be stable.", False),
        ("The second order derivative.", False),
        ("The words.", False),
    ],
)
def test_an_order_counts_where_it_is_promised(docstring: str, promised: bool) -> None:
    assert (not {"order", "unsaid order"} & allowed(unit(PLAIN, docstring), [])) is promised


def test_where_nothing_is_said_of_an_order_that_is_told() -> None:
    assert "unsaid order" in allowed(unit(PLAIN, "The words."), [])
    assert "unsaid order" not in allowed(unit(PLAIN, "The words in any order."), [])
    assert "unsaid order" not in allowed(unit(PLAIN, "", "execution_order"), [])


@pytest.mark.parametrize(
    ("text", "test", "allows"),
    [
        (PLAIN, "def test_f():\n    assert f([1]) == [1]", False),
        (PLAIN, "def test_f():\n    assert close(f(rng.normal(9)), 0)", True),
        (PLAIN, "def test_f():\n    # random\n    assert f([1]) == [1]", False),
        ("def f(values):\n    return random.choice(values)", "", True),
        ("def f(gradient, tol):\n    return 1", "", True),
        ("def f(model, max_iterations=3):\n    return 1", "", True),
        ("def f(strand, brand):\n    return strand", "", False),
    ],
)
def test_chance_and_a_tolerance_of_its_own_allow_what_is_near(text: str, test: str, allows: bool) -> None:
    assert ("near" in allowed(unit(text), [unit(test)])) is allows


def test_the_names_of_a_decorated_method_are_read() -> None:
    text = "@torch.no_grad()\n    def f(self, values):\n        return self.rng.permutation(values)"
    assert allowed(unit(text), []) == allowed(unit(text.partition("\n")[2].lstrip()), []) != set()

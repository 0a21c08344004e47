"""Mutants: one small change each, spread over the unit, never one that no test could notice."""

import ast
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.code.mutants import mutants

WORKED = '''\
"""Module."""
import logging

LOG = logging.getLogger(__name__)


class Scale:
    """A scale of 10."""

    factor: int = 2

    def __repr__(self) -> str:
        return "Scale" + str(self.factor + 1)

    def apply(self, values, *, seed=3, verbose=False):
        """Multiply by 2."""
        LOG.info("applying %d", self.factor + 1)
        if verbose:
            print(values[0] + 1)
        total = 0
        for value in values:
            if value is None or not value:
                continue
            total += value * self.factor
        if total > 100 and self.factor != 1:
            raise ValueError("more than %d" % 100)
        return -clipped(total, 3)


def clipped(value, most):
    return min(value, most)
'''


def described(text: str, first: int = 1, last: int = 10_000, limit: int = 1000) -> list[str]:
    return [mutant.description for mutant in mutants(text, (first, last), limit)]


def test_every_kind_of_change_is_there() -> None:
    assert {m.kind for m in mutants(WORKED, (1, 40), 100)} | {"parameter"} == {
        "none", "comparison", "operator", "operand", "parameter", "argument", "dropped", "negation", "constant",
    }  # fmt: skip


@pytest.mark.parametrize(
    "wanted",
    [
        "line 24: += becomes -=",
        "line 24: * becomes /",
        "line 25: > becomes >=",
        "line 25: and becomes or",
        "line 25: != becomes ==",
        "line 22: not is dropped",
        "line 22: is becomes is not",
        "line 27: returns None",
        "line 27: - is dropped",
        "line 27: `clipped(total, 3)` gives back `total`",
        "line 24: `self.factor` is left out of `value * self.factor`",
        "line 20: 0 becomes 1",
        "line 20: `total = 0` is dropped",
        "line 10: 2 becomes 3",
    ],
)
def test_a_change_is_told_with_its_line(wanted: str) -> None:
    assert wanted in described(WORKED)


@pytest.mark.parametrize("terms", [330, 700])
def test_a_long_sum_has_mutants(terms: int) -> None:
    text = f"def f(x):\n    return {' + '.join(f'(x * {i})' for i in range(terms))}\n"
    found = [mutant for mutant in mutants(text, (1, 2)) if mutant.kind == "operand"]
    assert found
    for mutant in found:
        assert compile(mutant.text, "mutant", "exec")
        assert len(mutant.text) < len(text)


@pytest.mark.parametrize("terms", [2000, 20_000])
def test_what_is_nested_too_deeply_has_none(terms: int) -> None:
    text = f"def f(x):\n    return {' + '.join('x' for _ in range(terms))}\n"
    assert mutants(text, (1, 2)) == []


def test_a_term_is_left_out_as_the_file_has_it() -> None:
    text = "def f(é, b):\n    return (é['ü']  # first\n            + b) * (b - 1) - é['ü']\n"
    found = {
        mutant.description: mutant.text for mutant in mutants(text, (1, 3), 100) if "left out" in mutant.description
    }
    assert "return ((é['ü'])) * (b - 1)" in found["line 2: `b` is left out of `é['ü'] # first + b`"]
    for mutant in found.values():
        assert compile(mutant, "mutant", "exec")


def test_a_needed_parameter_is_left_out_on_either_side() -> None:
    text = "def f(x, rate, eps, at=1, *, by, over=2):\n    return rate * g(x) + at, g(x) ** by - eps, over * x\n"
    found = {mutant.description for mutant in mutants(text, (1, 2), 100) if mutant.kind == "parameter"}
    assert found == {
        "line 2: `rate` is left out of `rate * g(x)`",
        "line 2: `by` is left out of `g(x) ** by`",
        "line 2: `x` is left out of `over * x`",
    }
    turned = "def f(x, rate, by):\n    return -rate * g(x) + (1 + -by), x ** -by\n"
    assert {mutant.text.split("return ")[1].strip() for mutant in mutants(turned, (1, 2), 100) if mutant.parameter} == {
        "-rate * g(x) + (1 + -by), x ** -1", "-rate * g(x) + (1 + -0), x ** -by", "-1 * g(x) + (1 + -by), x ** -by",
    }  # fmt: skip
    square = "def f(x):\n    return x * x + (x - 1) * x\n"
    assert not [each for each in mutants(square, (1, 2), 100) if each.kind == "parameter"]
    inner = "def f(rate):\n    def g(x):\n        return x * 2 + rate\n    return g(1) * rate\n"
    names = [m.description.split("`")[1] for m in mutants(inner, (1, 4), 100) if m.kind == "parameter"]
    assert names == ["x", "rate"]


def test_what_no_test_could_notice_is_left_alone() -> None:
    lines = Counter(m.line for m in mutants(WORKED, (1, 30), 1000))
    assert not lines.keys() & {1, 2, 4, 8, 12, 13, 15, 16, 17, 18, 19, 26}


def test_only_the_unit_is_changed() -> None:
    before = WORKED.splitlines()
    for mutant in mutants(WORKED, (20, 24), 100):
        assert 20 <= mutant.line <= 24
        after = mutant.text.splitlines()
        assert [n for n, (a, b) in enumerate(zip(before, after, strict=True), 1) if a != b] == [mutant.line]


def test_they_are_few_spread_and_the_same_each_time() -> None:
    found = mutants(WORKED, (7, 27))
    assert len(found) == 12
    assert max(Counter(m.kind for m in found).values()) <= 4
    assert found == mutants(WORKED, (7, 27))


FITTED = """\
class Line:
    def __init__(self, xs, ys):
        n = len(xs)
        across, up = sum(xs) / n, sum(ys) / n
        top = sum((x - across) * (y - up) for x, y in zip(xs, ys))
        self.slope = top / sum((x - across) ** 2 for x in xs)
        self.start = up - self.slope * across

    def scaled(self, a, b):
        return a * 3 + b * 2

    def moved(self, a, b):
        return a - b * 4
"""


def test_what_a_constructor_computes_has_its_part() -> None:
    """Else tests of the methods beside it would verify a class whose work nobody looks at."""
    found = mutants(FITTED, (1, 13))
    assert sum(m.line <= 7 for m in found) > len(found) / 2


SCALED = """\
class Coder(nn.Module):
    def __init__(self, wide, many):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(wide))
        self.into = nn.Parameter(torch.randn(wide, many) * (1.0 / wide ** 0.5))
        self.back = nn.Parameter(torch.randn(many, wide) * (1.0 / math.sqrt(many)))
        nn.init.normal_(self.last.weight, std=0.02 * 3)

    def encode(self, x):
        before = (x - self.bias) @ self.into + self.bias * 2
        return torch.relu(before) * 3 + self.shift / 4

    def decode(self, z):
        return z @ self.back - self.bias * 5
"""


def test_a_models_methods_are_changed_before_the_chance_of_its_first_weights() -> None:
    """By turns five of twelve changes were of that scale, and two of what it computes."""
    assert [m.description for m in mutants(SCALED, (1, 14)) if m.line in (5, 6, 7) and m.kind != "dropped"] == []
    every = {m.line for m in mutants(SCALED, (1, 14), 100)}
    assert {5, 6, 7} < every, "they are counted where nothing else is left"


def test_first_weights_that_documentation_speaks_of_have_their_part() -> None:
    said = SCALED.replace("(nn.Module):\n", '(nn.Module):\n    """Weights are drawn with variance one by width."""\n')
    assert any(m.line in (6, 7, 8) and m.kind != "dropped" for m in mutants(said, (1, 15)))


def test_noise_that_a_model_adds_is_changed_as_all_that_it_computes() -> None:
    drawn = "nn.init.normal_(self.last.weight, std=0.02 * 3)"
    noisy = SCALED.replace(drawn, "self.noise = self.bias.normal_(0, std=0.02 * 3)")
    assert any(m.line == 7 and m.kind != "dropped" for m in mutants(noisy, (1, 14)))


@pytest.mark.parametrize(
    "value",
    [
        "fitted(xs) * 0.5 + torch.rand(1) * 0.0",
        "torch.tensor([0.5]) * 2.0",
        "torch.randn(3) * 2.0, requires_grad=False",
    ],
)
def test_what_else_a_parameter_is_made_of_has_its_part(value: str) -> None:
    text = SCALED.replace("torch.randn(wide, many) * (1.0 / wide ** 0.5)", value)
    assert any(m.line == 5 and m.kind != "dropped" for m in mutants(text, (1, 14)))


def test_letters_beyond_ascii_and_brackets_are_met() -> None:
    text = "def f(a, b):\n    'é'; c = 'ü'; d = (a) + (b * (2))\n    return d if c else b\n"
    assert "line 2: + becomes -" in described(text)
    assert all(ast.parse(m.text) for m in mutants(text, (1, 3), 100))


def test_a_file_of_another_python_has_none() -> None:
    assert mutants("print 'x'\n", (1, 1)) == []


def test_code_nested_beyond_reason_has_none() -> None:
    assert mutants("x = " + "+".join(["1"] * 50_000) + "\n", (1, 1)) == []


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_each_differs_from_the_code(a: int, b: int) -> None:
    text = f"def f(x):\n    y = x + {a}\n    if y < {b}:\n        return y * {b}\n    return [y, {a}]\n"
    trees = [ast.dump(ast.parse(m.text)) for m in mutants(text, (1, 5), 100)]
    assert len({*trees, ast.dump(ast.parse(text))}) == len(trees) + 1

"""Each check holds for what keeps the promise, breaks for what does not, and refuses what tells nothing."""

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from agents.code.verify.inside import checks, invariances

ROW = [0.4, -1.2, 2.2, 0.9, -0.3, 1.6]
OTHER = [1.1, 0.2, -0.7, 0.5, 2.1, -1.4]
TABLE = [[1.0, 2.0, 0.5], [0.3, -0.8, 1.5]]
Check = Callable[[Callable[..., Any]], None]


def spread(x: Sequence[float]) -> float:
    return max(x) - min(x)


def standard(x: Sequence[float]) -> list[float]:
    return checks.standard(list(x))


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(p * q for p, q in zip(a, b, strict=True))


def unmoved(how: str) -> Check:
    return lambda unit: invariances.unmoved(unit, how, ROW)


CASES: list[tuple[str, Check, Callable[..., Any], Callable[..., Any]]] = [
    ("shift", unmoved("shift"), spread, sum),
    ("scale", unmoved("scale"), lambda x: max(x) / min(x), spread),
    ("affine", unmoved("affine"), standard, spread),
    ("sign", unmoved("sign"), lambda x: sum(abs(v) for v in x), sum),
    ("order", unmoved("order"), sum, lambda x: x[0] - x[1]),
    ("symmetric", lambda u: invariances.symmetric(u, ROW, OTHER), dot, lambda a, b: a[0] - b[0]),
    ("antisymmetric", lambda u: invariances.symmetric(u, ROW, OTHER, -1.0), lambda a, b: a[0] - b[0], dot),
    ("equals", lambda u: invariances.equals_nothing(u, ROW, OTHER), lambda a, b: abs(a[0] - b[0]), dot),
    ("within", lambda u: invariances.within(u, 0, 1, ROW), lambda x: [1 / (1 + v * v) for v in x], sum),
    ("one", lambda u: invariances.sums_to_one(u, ROW), lambda x: checks.softmax(list(x)), standard),
    ("rows", lambda u: invariances.sums_to_one(u, TABLE), lambda t: [checks.softmax(r) for r in t], lambda t: t),
    ("increasing", lambda u: invariances.increasing(u, ROW), lambda x: [v**3 for v in x], lambda x: [-v for v in x]),
    ("decreasing", lambda u: invariances.increasing(u, ROW, -1.0), lambda x: [-v for v in x], lambda x: x),
    ("linear", lambda u: invariances.linear(u, ROW), lambda x: [2 * v for v in x], lambda x: [v * v for v in x]),
    ("norm", lambda u: invariances.keeps_norm(u, ROW), lambda x: list(reversed(x)), lambda x: [2 * v for v in x]),
    ("unit", lambda u: invariances.unit_norm(u, ROW), lambda x: [v / invariances.norm(x) for v in x], standard),
    ("orthonormal", lambda u: invariances.orthonormal(u, 0.3),
     lambda a: [[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]], lambda a: [[a, 1], [1, a]]),
    ("matrix", lambda u: invariances.symmetric_matrix(u, TABLE),
     lambda t: [[dot(a, b) for a in t] for b in t], lambda t: [[a[0] - b[1] for a in t] for b in t]),
    ("shaped", lambda u: invariances.shaped(u, [["n", "d"]], ["d"], TABLE),
     lambda t: [sum(column) for column in zip(*t, strict=True)], lambda t: [sum(row) for row in t]),
    ("steady", lambda u: invariances.steady(u, ROW), lambda x: random.gauss(x[0], 1), lambda x: None),
]  # fmt: skip


@pytest.mark.parametrize(("check", "keeps", "breaks"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_check_tells_what_keeps_the_promise_from_what_breaks_it(
    check: Check, keeps: Callable[..., Any], breaks: Callable[..., Any]
) -> None:
    check(keeps)
    with pytest.raises(AssertionError):
        check(breaks)


@pytest.mark.parametrize("how", ["shift", "scale", "affine", "sign", "order"])
def test_a_constant_is_invariant_under_everything_and_so_proves_nothing(how: str) -> None:
    with pytest.raises(checks.Unfit):
        invariances.unmoved(lambda x: 3.0, how, ROW)


def test_what_ignores_its_second_argument_is_not_symmetric_by_that() -> None:
    with pytest.raises(checks.Unfit):
        invariances.symmetric(lambda a, b: 2.0, ROW, OTHER)


def test_a_lost_result_breaks_every_promise_of_numbers() -> None:
    with pytest.raises(AssertionError):
        invariances.within(lambda x: None, 0, 1, ROW)

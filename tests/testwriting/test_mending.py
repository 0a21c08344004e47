"""Tests that broke are asked for once more: the earlier answer stands, and what comes back is added to it."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from answers import EQUAL, HELPER, content, function, reviewed, said, values, write_repository
from servers.model import ModelServer

from agents.code.mutants import mutants
from agents.code.units import read_units
from agents.code.verify import Judged
from agents.testwriting.setups import joined, needed, rebound
from agents.testwriting.work import unnoticed
from kg.models.execution import Judgement

pytestmark = pytest.mark.sandbox


def test_tests_alone_are_mended_with_the_setup_that_stands(server: ModelServer, judge: Callable[..., Judged]) -> None:
    found = judge(said(values("gini(numbers={})"), setup=HELPER), said(values(), EQUAL))
    assert found.judgement.verdict == "verified", found.judgement.reason
    assert HELPER in content(server.bodies[1])
    assert "def near" in found.judgement.test


def test_a_name_that_nothing_binds_is_told_whenever_it_would_have_been_met(
    server: ModelServer, judge: Callable[..., Judged]
) -> None:
    lost = values(check="abs({} - {}) < SMALL")
    found = judge(said(lost, EQUAL, setup=HELPER), said(values()))
    assert found.judgement.verdict == "verified", found.judgement.reason
    asked = content(server.bodies[1])
    assert "--> REFUSED: a NameError: it, or a helper that it uses, takes names that are bound nowhere: SMALL" in asked
    assert asked.index("def test_equal") < asked.index("--> REFUSED"), "the rest of the answer is shown with it"


def test_a_helper_that_only_broken_tests_use_is_mended(judge: Callable[..., Judged]) -> None:
    broken = HELPER.replace("abs(a - b)", "abs(a, b)").replace("near", "close")
    first = said(function("def test_peek():\n    assert close(1, 1) and gini([1, 2])"), setup=broken)
    found = judge(first, said(values(check="close({}, {})"), setup=HELPER.replace("near", "close")))
    assert found.judgement.verdict == "verified", found.judgement.reason
    assert "abs(a, b)" not in found.judgement.test


NOT_RUN = "it was not run: the sandbox ended before its turn, or the file could not be loaded"


@pytest.mark.parametrize(
    ("setup", "why"),
    [
        ("ALL = [1][1]", NOT_RUN),
        ("ALL = {}[gini([1, 2, 6])]", NOT_RUN),
        ("from math import gone", "the file can't be loaded: ImportError: cannot import name 'gone' from 'math'"),
    ],
)
def test_what_ended_a_file_before_its_tests_is_told(
    setup: str, why: str, server: ModelServer, judge: Callable[..., Judged]
) -> None:
    uses = function(f"def test_peek():\n    assert gini([1, 1]) == {setup.rpartition('import ')[2].partition(' ')[0]}")
    judge(said(uses, setup=setup), said(nothing="no expectation"))
    told = content(server.bodies[1])
    assert why in told
    assert "Error" not in told or why != NOT_RUN, "what the unit gave to the setup may be in it"


def test_what_standing_tests_use_is_not_bound_anew(server: ModelServer, judge: Callable[..., Judged]) -> None:
    other = HELPER.replace("1e-9", "1e9")
    judge(said(values("gini(numbers={})"), EQUAL, setup=HELPER), said(values(), setup=other), said(values()))
    assert "near, which tests that stand use: give yours another name" in content(server.bodies[2])


def test_a_setup_has_what_is_added_and_what_replaces_what_nobody_uses() -> None:
    first = "import math\n\ndef f(x):\n    return 1\n\ndef g(x):\n    return f(x)"
    assert joined(first, "") == first
    more = joined(first, "def f(x):\n    return 2\nONE = 1", free={"f"})
    assert more.index("return 2") < more.index("def g") < more.index("ONE = 1"), "it takes the place of the other"
    assert "return 1" not in more


def test_what_replaces_stands_after_what_it_needs() -> None:
    first = "A = 1\n\ndef other(n):\n    return n"
    more = joined(first, "B = 2\nA = B * 2", free={"A"})
    assert more.index("B = 2") < more.index("A = B * 2") < more.index("def other")
    more = joined(first, "B = other(2)\nA = 5", free={"A"})
    assert more.index("A = 5") < more.index("def other") < more.index("B = other(2)"), "B is not needed there"


@pytest.mark.parametrize(
    ("first", "second", "wrong", "kept"),
    [
        ("from math import exp, log", "from math import exp, sqrt", [], {"exp", "log", "sqrt"}),
        ("import math, random", "import math", [], {"math", "random"}),
        ("import scipy.stats", "import scipy.special", [], {"scipy.stats", "scipy.special"}),
        ("from math import exp, log", "from numpy import exp, mean", ["exp"], {"exp", "log", "mean"}),
        ("import numpy as np", "import jax.numpy as np", ["np"], {"np"}),
    ],
)
def test_imports_are_compared_name_by_name(first: str, second: str, wrong: list[str], kept: set[str]) -> None:
    assert rebound(first, second) == wrong
    more = joined(first, second)
    assert more.startswith(first)
    imports = [node for node in ast.parse(more).body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert {alias.asname or alias.name for node in imports for alias in node.names} == kept


def test_of_an_import_one_name_is_replaced() -> None:
    more = joined("from math import exp, log", "from numpy import exp", free={"exp"})
    assert more.splitlines() == ["from numpy import exp", "from math import log"]


def test_only_what_tests_use_of_a_setup_is_loaded() -> None:
    setup = "import jax\nimport math\nROWS = [1]\nROWS[0] = 2\n\ndef f(x):\n    return math.pi * x"
    kept = needed(setup, ["def test_it():\n    assert f(ROWS[0])"])
    assert "jax" not in kept
    assert kept.count("ROWS") == 2
    assert "import math" in kept
    assert needed(setup, ["def test_it():\n    assert jax.f(f(ROWS))"]) == setup


WEAK = function("def test_sign():\n    assert gini([1, 2, 6]) is not None")


def test_tests_that_notice_too_little_get_a_second_chance_with_what_they_let_pass(
    server: ModelServer, judge: Callable[..., Judged]
) -> None:
    found = judge(said(WEAK, setup=HELPER), said(values()))
    told = found.judgement
    assert told.verdict == "verified", told.reason
    assert told.written is not None
    assert (told.written.calls, told.written.state) == (2, "verified")
    assert "def test_sign" in told.test
    asked = content(server.bodies[1])
    assert "What those that stay do not look at" in asked
    assert "also passes where it returns" in asked
    assert "def test_sign" in asked
    assert not {"weighted", "ordered", "total"} & set(asked.replace("`", " ").split()), "nothing of the body is told"


def test_what_breaks_of_more_tests_is_mended_too(server: ModelServer, judge: Callable[..., Judged]) -> None:
    broken = values("gini(numbers={})")
    found = judge(said(WEAK, setup=HELPER), said(broken), said(values()))
    told = found.judgement
    assert told.verdict == "verified", told.reason
    assert told.written is not None
    assert told.written.calls == 3
    asked = content(server.bodies[2])
    assert "def test_sign" in asked, "what stands is shown with what broke"
    assert "--> BROKE" in asked
    assert not {"weighted", "ordered", "total"} & set(asked.replace("`", " ").split()), "nothing of the body is told"


CHANGES = {
    "< becomes <=": "an operator is changed",
    "- becomes +": "an operator is changed",
    "and becomes or": "an operator is changed",
    "-= becomes +=": "an operator is changed",
    "0.5 becomes 1.5": "a constant is changed",
    "True becomes False": "a constant is changed",
    "- is dropped": "a sign is left out",
    "not is dropped": "a sign is left out",
    "`total = 'a becomes b'` is dropped": "a statement is left out",
    "`y` is left out of `x / y`": "an operand is left out",
    "`x > 3` is negated": "a condition is turned round",
    "`scaled(x)` gives back `x`": "a call is left out",
    "returns None": "None is given back",
    "the lambda returns None": "None is given back",
    "7": "something is changed",
}


@pytest.mark.parametrize("change", CHANGES)
def test_of_a_change_its_line_and_kind_are_told(change: str) -> None:
    weak = Judgement(code="a", verdict="unverified", reason="test too weak", survivors=(f"line 14: {change}",))
    assert unnoticed(weak) == f"test too weak\nnot noticed: line 14: {CHANGES[change]}"


def test_every_kind_of_change_is_known(tmp_path: Path) -> None:
    write_repository(tmp_path)
    (core := tmp_path / "measures/core.py").write_text(f"{core.read_text()}\n\n{EVERY_KIND}")
    unit = next(one for one in read_units(tmp_path).units if one.symbol == "every")
    made = mutants(core.read_text(), (unit.line, unit.end_line), limit=99)
    assert len({one.kind for one in made}) == 9
    left = tuple(one.description for one in made)
    told = unnoticed(Judgement(code="a", verdict="unverified", reason="test too weak", survivors=left))
    assert "something" not in told
    assert not {"x", "y", "gini", "True", "+", "-", "<"} & set(told.split())


EVERY_KIND = """\
def every(x, w, y=True):
    x -= 3
    for one in y:
        x = gini(x) - 4 * -one + w
    if x:
        x.sort()
    return (lambda z: z < 2)(x) and not y
"""


def test_of_what_is_not_noticed_the_code_is_not_told() -> None:
    left = ("line 12: < becomes <=", "line 12: > becomes >=", "line 14: 0.5 becomes 1.5", "line 15: `y = x` is dropped")
    reason = "test too weak: 3 of 9 mutants killed by test_it; it does not notice that line 14: 0.5 becomes 1.5"
    weak = Judgement(code="a", verdict="unverified", reason=reason, survivors=left)
    assert unnoticed(weak).splitlines() == [
        "test too weak: 3 of 9 mutants killed by test_it, as by line 14: a constant is changed",
        "not noticed: line 12: an operator is changed",
        "not noticed: line 14: a constant is changed",
        "not noticed: line 15: a statement is left out",
    ]
    stub = weak.model_copy(update={"reason": "it does nothing, or returns a constant: there is nothing to verify"})
    assert unnoticed(stub) == "", "no test would help"


def test_a_parameter_without_effect_is_told_by_its_line() -> None:
    reason = (
        "test too weak: test_it also passes where a parameter has no effect; it does not notice that line 3: `+ k` "
    )
    weak = Judgement(code="a", verdict="unverified", reason=f"{reason}is left out of `x + k`")
    said = unnoticed(weak, (), lambda line: f" in outer, line {line + 1} of it")
    assert said.startswith(
        "test too weak: test_it also passes where a parameter has no effect, as by line 3 in outer, line 4"
    )
    assert "`x + k`" not in said


@pytest.mark.parametrize(
    ("more", "state", "calls"),
    [
        (said(values(check="near({}, 2 * {})")), "does not hold", 3),
        (said(function("def test_lost():\n    assert gini([1, 2]) < lost")), "weak", 3),
        (said(nothing="no expectation"), "weak", 2),
    ],
)
def test_there_is_one_second_chance_and_what_it_brings_counts(
    server: ModelServer, judge: Callable[..., Judged], more: dict[str, Any], state: str, calls: int
) -> None:
    kept = reviewed(test_sign="fixed", test_values="fixed")
    told = judge(said(WEAK, setup=HELPER), more, kept, said(values())).judgement
    assert told.verdict == "unverified"
    assert told.written is not None
    assert (told.written.state, told.written.calls, len(server.bodies)) == (state, calls, calls)


def test_what_is_told_of_the_code_founds_nothing(server: ModelServer, judge: Callable[..., Judged]) -> None:
    quoted = "UNIT UNDER TEST: gini (function)"
    told = judge(said(function("def test_it():\n    assert gini([1, 2]) < 1", quoted))).judgement
    assert quoted in content(server.bodies[0])
    assert told.written is not None
    assert (told.written.state, told.written.dropped) == ("refused", {"unquoted": 1})


def test_what_broke_like_another_is_told_in_the_same_words(server: ModelServer, judge: Callable[..., Judged]) -> None:
    early = function("def test_early():\n    assert gini(3) == 0")
    late = function("def test_late():\n    y = gini([1, 2, 6])\n    assert gini(3) == y")
    other = function("def test_other():\n    y = gini([1, 2, 6])\n    assert {}[f'{y}'] == 1")
    judge(said(early, late, other, EQUAL), said(), said())
    asked = content(server.bodies[1])
    told = "TypeError: 'int' object is not iterable"
    assert "in test_early: assert gini(3) == 0\n" in asked
    assert f"def test_late():\n    y = gini([1, 2, 6])\n    assert gini(3) == y\n--> BROKE:\n{told}" in asked
    assert asked.index("def test_other") < asked.index("--> BROKE"), "it stands, as nothing may be told of it"


def test_what_broke_without_a_word_is_counted_once(judge: Callable[..., Judged]) -> None:
    lines = "    y = gini([1, 2, 6])\n    assert {}[f'{y}'] == 1"
    silent = function(f"def test_silent():\n{lines}")
    told = judge(said(WEAK, silent, values("gini(numbers={})"), setup=HELPER), said(), said()).judgement
    assert told.written is not None
    assert told.written.dropped == {"broke": 1}


ONCE = "def run(values):\n    found = gini(values)\n    return found"
TWICE = "def run(values):\n    gini([1, 2])\n    return gini(values)"


@pytest.mark.parametrize(("helper", "told"), [(ONCE, True), (TWICE, False)])
def test_what_breaks_in_the_first_call_by_a_helper_is_told(
    server: ModelServer, judge: Callable[..., Judged], helper: str, told: bool
) -> None:
    broken = function("def test_run():\n    assert near(run(7), 0)")
    judge(said(broken, EQUAL, setup=f"{HELPER}\n\n\n{helper}"), said(), said())
    asked = [content(body) for body in server.bodies if "--> BROKE" in content(body)]
    assert bool(asked) == told
    if told:
        assert "in test_run: assert near(run(7), 0)\nin run: found = gini(values)\n" in asked[0]
        assert "TypeError: 'int' object is not iterable" in asked[0]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("    for x in (7, 8):\n        assert gini(x) == 0", True),
        ("    for x in ([1, 2, 6], 7):\n        y = gini(x)\n        assert y >= 0", False),
        ("    made = [halved([1, 2]), gini(7)]\n    assert made[0] == 0", False),
    ],
    ids=["in the first round", "in the second", "after something else of the repository"],
)
def test_what_breaks_before_any_call_has_come_back_is_told(
    server: ModelServer, judge: Callable[..., Judged], lines: str, told: bool
) -> None:
    judge(said(function(f"def test_run():\n{lines}"), EQUAL), said(), said())
    asked = [content(body) for body in server.bodies if "--> BROKE" in content(body)]
    assert bool(asked) == told
    assert all("in gini of measures/core.py\nTypeError: 'int' object is not iterable" in one for one in asked)

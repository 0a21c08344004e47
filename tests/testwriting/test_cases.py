"""Tests that a model wrote must run every case of a unit; it is told which are left, and nothing of the code."""

from collections.abc import Callable
from typing import Any

import pytest
from answers import EQUAL, EQUATION, HELPER, SAID, content, function, said, values
from servers.model import ModelServer

from agents.code.verify import Judged
from agents.testwriting.cases import changing, within

pytestmark = pytest.mark.sandbox

Judge = Callable[..., Judged]
WITH_A_CASE = ("    weighted", "    if not total:\n        return 0.0\n    weighted")
ONLY_SOME = said(values(), EQUAL, setup=HELPER)
NOTHING = function("def test_nothing():\n    assert near(gini([0, 0]), 0)", "It is zero when all values are equal.")


def test_a_case_that_no_test_runs_is_asked_for_once_and_verifies_then(judge: Judge, server: ModelServer) -> None:
    told = judge(ONLY_SOME, said(NOTHING), changed=WITH_A_CASE).judgement
    assert (told.verdict, told.kind) == ("verified", "written"), told.reason
    assert told.written
    assert told.written.calls == 2
    assert "def test_nothing" in told.test
    asked = content(server.bodies[-1])
    assert "line 10 in gini: a case (`return`) that no test runs" in asked
    assert "total" not in asked.partition("What those that stay do not look at:")[2], "nothing is told of the code"


TWICE = (
    "    weighted",
    "    if not total:\n        return 0.0\n    if n == 1:\n        return 1.0\n    weighted",
)
TEXT = f"{SAID}\nOne value alone counts as 1."
ALONE = function("def test_alone():\n    assert near(gini([7]), 1)", "One value alone counts as 1.")
AGAIN = function("def test_others():\n    assert near(gini([5, 5]), 0)", "It is zero when all values are equal.")


def test_what_more_tests_leave_is_asked_for_once_more(judge: Judge, server: ModelServer) -> None:
    told = judge(ONLY_SOME, said(NOTHING), said(ALONE), changed=TWICE, text=TEXT).judgement
    assert told.verdict == "verified", told.reason
    assert told.written
    assert told.written.calls == 3
    assert [("line 10" in content(body), "line 12" in content(body)) for body in server.bodies[1:]] == [
        (True, True), (False, True),
    ]  # fmt: skip


@pytest.mark.parametrize("replies", [(said(AGAIN),), (said(NOTHING), said(AGAIN))], ids=["at first", "later"])
def test_it_is_not_asked_for_again_where_more_tests_left_the_same(judge: Judge, replies: Any) -> None:
    told = judge(ONLY_SOME, *replies, changed=TWICE, text=TEXT).judgement
    assert told.verdict == "unverified"
    assert told.written
    assert (told.written.state, told.written.calls) == ("weak", 1 + len(replies))
    assert "no test runs a case of it" in told.reason


def test_it_stays_unverified_where_no_test_runs_it(judge: Judge) -> None:
    told = judge(ONLY_SOME, said(nothing="no expectation"), changed=WITH_A_CASE).judgement
    assert told.verdict == "unverified"
    assert "holds, but no test runs a case of it (line 10: return 0.0)" in told.reason
    assert told.written
    assert (told.written.state, told.written.calls) == ("weak", 2)


def test_what_decides_is_named_if_the_model_knows_it(judge: Judge, server: ModelServer) -> None:
    scaled = (
        "    return weighted / (n * total)",
        "    if values[0] < 0:\n        n = -n\n    return weighted / (n * total)",
    )
    told = judge(ONLY_SOME, said(nothing="no expectation"), changed=scaled).judgement
    assert told.verdict == "unverified"
    assert "line 11 in gini: a case that no test runs, decided by values" in content(server.bodies[-1])


def test_an_attribute_that_decides_by_being_there_is_named(judge: Judge, server: ModelServer) -> None:
    scaled = (
        "    return weighted / (n * total)",
        "    if hasattr(values, 'numbers'):\n        n = -n\n    return weighted / (n * total)",
    )
    judge(ONLY_SOME, said(nothing="no expectation"), changed=scaled)
    told = "line 11 in gini: a case that no test runs, decided by numbers, values (hasattr)\n"
    assert told in content(server.bodies[-1])


def test_what_decides_is_followed_to_a_name_that_the_model_knows(judge: Judge, server: ModelServer) -> None:
    scaled = (
        "    return weighted / (n * total)",
        "    one, spare = values[:1], 7\n    for low in one:\n        low = low\n    if low < 0:\n        n = -n\n"
        "    return weighted / (n * total)",
    )
    judge(ONLY_SOME, said(nothing="no expectation"), changed=scaled)
    assert "line 14 in gini: a case that no test runs, decided by values\n" in content(server.bodies[-1])


@pytest.mark.parametrize(
    "part", ["0.0 if values[0] < 0 else {}", "values[0] < 0 and 0.0 or {}"], ids=["conditional", "operator"]
)
def test_what_decides_about_a_part_of_an_expression_is_named_too(judge: Judge, server: ModelServer, part: str) -> None:
    scaled = ("weighted / (n * total)\n", part.format("weighted / (n * total)") + "\n")
    told = judge(ONLY_SOME, said(nothing="no expectation"), changed=scaled).judgement
    assert told.verdict == "unverified"
    assert "line 10 in gini: a case that no test runs, decided by values" in content(server.bodies[-1])


def test_a_case_that_is_run_and_makes_no_difference_to_any_test_verifies_nothing(
    judge: Judge, server: ModelServer
) -> None:
    """The case of equal values is run, and its tests hold whether it is there or not."""
    equal = ("    weighted", "    if min(values) == max(values):\n        return 0.0\n    weighted")
    told = judge(ONLY_SOME, said(nothing="no expectation"), changed=equal).judgement
    assert told.verdict == "unverified"
    assert "holds, but no test notices that in line 9: `min(values) == max(values)` never holds" in told.reason
    assert "line 9 in gini: a case decided by values could be left out unnoticed" in content(server.bodies[-1])


def test_the_innermost_function_around_a_line_is_told_that_the_model_knows_or_that_it_is_another() -> None:
    method = "    def of(self):\n        def inner():\n            return 1\n        return inner\n"
    text = f"class A:\n{method}\n\ndef own():\n    1\n"
    where = within(text, "class A: def of(self)")
    assert [*map(where, (1, 2, 4, 5, 7, 9))] == ["", " in of", " in of", " in of", "", " in a helper"]
    assert within(text, "of inner")(4) == " in inner"


def test_of_a_change_is_told_which_known_names_are_used_there() -> None:
    lines = [
        "def gain(rate, steps, hidden):",
        "    scale = rate * 2",
        "    for step in range(steps):",
        "        scale += hidden",
        "    if scale > 1:",
        "        return {'gained': scale}",
        "    return None",
    ]
    where = changing("\n".join(lines), "gain(rate, steps) gives a dictionary with gained")
    assert [where(n).removeprefix(" in gain") for n in range(2, 8)] == [
        ", where gained, rate are used",
        ", where steps is used",
        ", where gained, rate are used",
        ", where gained, rate are used",
        ", where gained, rate are used",
        "",
    ]


def test_what_only_refuses_needs_no_test(judge: Judge) -> None:
    refusing = (
        "    total = sum(ordered)",
        "    if not ordered:\n        raise ValueError('nothing')\n    total = sum(ordered)",
    )
    told = judge(ONLY_SOME, changed=refusing, text=f"{EQUATION}\nIt is zero when all values are equal.").judgement
    assert told.verdict == "verified", told.reason
    assert told.written
    assert told.written.calls == 1


@pytest.mark.parametrize("lies", ["marking.at = abs", "marking.PASSED.update(range(99))"])
def test_nobody_else_says_which_cases_were_run(judge: Judge, lies: str) -> None:
    case, text = WITH_A_CASE
    hostile = (case, f"    from xkg_inside import marking\n    {lies}\n{text}")
    told = judge(ONLY_SOME, said(nothing="no expectation"), changed=hostile).judgement
    assert told.verdict == "unverified", told.reason


LABELLED = (
    "    return weighted / (n * total)",
    "    kinds = ['even', 'uneven']\n    return weighted / (n * total), kinds[weighted > 0]",
)


def labelled(form: str) -> dict[str, Any]:
    """Tests of a coefficient that comes with a label, which they look at in a `form`."""
    given = [("[1, 2, 6]", "10 / 27", "uneven"), ("[4, 2, 11, 3]", "28 / 80", "uneven"), ("[3, 3, 3]", "0", "even")]
    tests = []
    for n, (numbers, value, label) in enumerate(given):
        lines = [
            f"value, label = gini({numbers})",
            f"assert near(value, {value})",
            f"assert {form.format(repr(label))}",
        ]
        tests.append(function("\n    ".join([f"def test_{n}():", *lines]), EQUATION, "It is uneven or even."))
    return said(*tests, setup=HELPER)


def test_labels_that_could_have_changed_places_verify_nothing(judge: Judge, server: ModelServer) -> None:
    text = f"{SAID}\nIt is uneven or even."
    nothing = said(nothing="no expectation")
    either = judge(labelled("label in ('even', 'uneven')"), nothing, changed=LABELLED, text=text).judgement
    assert either.verdict == "unverified"
    assert "no test notices that in line 10: 'even' and 'uneven' are exchanged" in either.reason, either.reason
    assert "line 10 in gini: two labels could change places unnoticed" in content(server.bodies[-1])
    which = judge(labelled("label == {}"), changed=LABELLED, text=text, at="other").judgement
    assert which.verdict == "verified", which.reason

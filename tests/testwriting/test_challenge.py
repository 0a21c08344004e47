"""What tests of the repository verify is held against tests that a model writes from the paper."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from answers import EQUATION, again, blind, function, honest, reviewed, said, settings_of
from servers.model import ModelServer

from agents.code.units import read_units
from agents.code.verify import Judged, Verifier
from agents.execution.sandbox import open_sandbox
from agents.llm import LLM
from agents.testwriting import TestWriter as Writer
from kg.verdicts.specification import Specification

pytestmark = pytest.mark.sandbox
THREE = ("(2 * i - n - 1) * x", "(2 * i - 4) * x")
"""A step that is right for three values alone."""
CODE = '''\
def unevenness(values):
    """How far numbers are from being all alike."""
    ordered = sorted(values)
    n = len(ordered)
    total = sum(ordered)
    weighted = sum((2 * i - n - 1) * x for i, x in enumerate(ordered, start=1))
    return weighted / (n * total)
'''
TESTS = """\
from uneven import unevenness


def test_three_values():
    assert abs(unevenness([1, 2, 6]) - 10 / 27) < 1e-9
    assert abs(unevenness([5, 2, 3]) - 6 / 30) < 1e-9
    assert abs(unevenness([3, 3, 3])) < 1e-9
"""
SAID = f"TECHNIQUE: unevenness\ndefined: It is zero when all values are equal.\n[e1] {EQUATION}"
NAME = "unevenness"
DOCSTRING = '"""How far numbers are from being all alike."""'
TOLD = f'r"""It is zero when all values are equal. {EQUATION}"""'


def answer(body: dict[str, Any]) -> dict[str, Any]:
    return reviewed(test_values="fixed", test_equal="fixed") if blind(body) else honest(NAME)


@pytest.fixture
def challenged(server: ModelServer, tmp_path: Path) -> Callable[..., Judged]:
    """`challenged(reply, changed)`: ``unevenness``, whose own tests give three values, after the model's word; not of
    its `paper`, there is what `documented` puts in the place of its docstring."""

    def run(
        reply: object, changed: tuple[str, str] = ("", ""), *, challenge: bool = True, paper: bool = True,
        documented: str = DOCSTRING,
    ) -> Judged:  # fmt: skip
        folder = tmp_path / f"repository{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        (folder / "test_uneven.py").write_text(TESTS)
        (folder / "uneven.py").write_text(CODE.replace(*changed, 1).replace(DOCSTRING, documented))
        settings = settings_of(server, folder.with_suffix(".kept"))
        codebase = read_units(folder)
        unit = next(unit for unit in codebase.units if unit.symbol == NAME)
        verifier = Verifier(folder, codebase, open_sandbox(settings, "bubblewrap"), settings)
        server.requests.clear()
        server.say(reply)
        specified = {unit.id: Specification(paper="local:p", text=SAID)} if paper else {}
        writer = Writer(LLM(settings, "strict", run="run"), specified, challenge=challenge)
        return verifier.judging([unit], more=writer)(unit)

    return run


def test_a_step_that_only_the_paper_tells_wrong_takes_the_verdict_away(challenged: Callable[..., Judged]) -> None:
    before = challenged(answer, THREE, challenge=False).judgement
    assert (before.verdict, before.kind, before.written) == ("verified", "repository", None), before.reason
    told = challenged(answer, THREE).judgement
    assert told.written is not None
    assert (told.verdict, told.written.state, told.kind) == ("unverified", "contradicted", "written"), told.reason
    assert "a test written from the paper by scripted-1 does not hold: “G = " in told.reason
    assert f"by other tests it would be verified: {before.reason}" in told.reason
    assert "def test_values():" in told.test
    assert told.execution is not None
    assert told.execution.exit_code != 0, "its log shows the test that fails"


def test_what_holds_keeps_its_verdict_and_says_so(challenged: Callable[..., Judged]) -> None:
    told = challenged(answer).judgement
    assert told.written is not None
    assert (told.verdict, told.written.state, told.kind) == ("verified", "holds", "repository"), told.reason
    assert told.reason.endswith("; a test written from the paper by scripted-1 holds, too (2 tests)")
    assert told.execution is not None
    assert told.execution.exit_code == 0
    assert told.written.calls == 1, "nobody asks for more tests of what others verify"


@pytest.mark.parametrize(
    ("reply", "state"),
    [
        (said(nothing="not this unit"), "declined"),
        (honest(NAME, "{name}(numbers={values})"), "broken"),
        ({"tests": 1}, "no answer"),
    ],
)
def test_what_brings_no_test_leaves_the_verdict(challenged: Callable[..., Judged], reply: object, state: str) -> None:
    told = challenged(reply).judgement
    assert told.written is not None
    assert (told.verdict, told.written.state, told.kind) == ("verified", state, "repository"), told.reason


def test_what_a_blind_reading_calls_open_contradicts_nothing(challenged: Callable[..., Judged]) -> None:
    beyond = said(
        *honest(NAME)["tests"],
        *(one for one in honest(NAME, "2 * {name}({values})")["tests"][:1]),
    )
    beyond["tests"][2]["source"] = beyond["tests"][2]["source"].replace("test_values", "test_doubled")

    def doubting(body: dict[str, Any]) -> dict[str, Any]:
        return reviewed(test_values="fixed", test_equal="fixed", test_doubled="open") if blind(body) else beyond

    for told in (challenged(doubting).judgement, challenged(doubting, paper=False, documented=TOLD).judgement):
        assert told.written is not None
        assert (told.verdict, told.written.state) == ("verified", "holds"), told.reason
        assert "withdrawn 1 test (1 did not hold)" in told.reason


def test_where_no_paper_speaks_of_code_its_documentation_is_held_against_it(challenged: Callable[..., Judged]) -> None:
    told = challenged(answer, THREE, paper=False, documented=TOLD).judgement
    assert told.written is not None
    assert (told.verdict, told.written.state) == ("unverified", "contradicted"), told.reason
    assert "a test written from its documentation by scripted-1 does not hold: “G = " in told.reason
    kept = challenged(answer, paper=False, documented=TOLD).judgement
    assert kept.written is not None
    assert (kept.verdict, kept.written.state) == ("verified", "holds"), kept.reason
    assert kept.reason.endswith("; a test written from its documentation by scripted-1 holds, too (2 tests)")


def test_nobody_asks_of_what_neither_paper_nor_documentation_speaks(
    challenged: Callable[..., Judged], server: ModelServer
) -> None:
    told = challenged(answer, THREE, paper=False, documented='""" """').judgement
    assert told.written is not None
    assert (told.verdict, told.written.state) == ("verified", "not asked"), told.reason
    assert not server.requests


def test_documentation_alone_is_only_asked_about_where_it_is_a_challenge(
    challenged: Callable[..., Judged], server: ModelServer
) -> None:
    told = challenged(answer, THREE, paper=False, documented=TOLD, challenge=False).judgement
    assert (told.verdict, told.written) == ("verified", None), told.reason
    assert not server.requests


ALONE = {"paper": False, "documented": TOLD}
MORE = ("(2 * i - n - 1) * x", "(2 * i - n - 1) * x * (1 if n < 4 else 2)")
"""A step that is wrong of more than three values, but where all are equal."""


def answering(reading: object) -> Callable[[dict[str, Any]], Any]:
    """Honest tests, and a reading of them."""
    return lambda body: reading if blind(body) else honest(NAME)


def test_what_a_reading_leaves_takes_the_verdict_away(challenged: Callable[..., Judged]) -> None:
    told = challenged(answering(reviewed(test_values="fixed", test_equal="open")), MORE, **ALONE).judgement
    assert told.written is not None
    assert (told.verdict, told.written.state) == ("unverified", "contradicted"), told.reason


def test_a_reading_may_withdraw_all_tests(challenged: Callable[..., Judged]) -> None:
    told = challenged(answering(reviewed(test_values="open", test_equal="open")), THREE, **ALONE).judgement
    assert told.written is not None
    assert (told.verdict, told.written.state) == ("verified", "open"), told.reason
    assert "withdrawn 2 tests (2 did not hold)" in told.reason


def test_a_withdrawn_test_is_not_put_otherwise(challenged: Callable[..., Judged], server: ModelServer) -> None:
    told = challenged(answering(reviewed(test_values="open", test_equal="fixed")), MORE, **ALONE).judgement
    assert told.written is not None
    assert (told.verdict, told.written.state, told.written.calls) == ("verified", "holds", 2), told.reason
    assert "withdrawn 1 test (1 did not hold)" in told.reason
    assert len(server.requests) == 2


@pytest.mark.parametrize("reading", ["I would rather not.", reviewed(test_values="open"), reviewed()])
def test_what_nobody_read_takes_no_verdict_away(challenged: Callable[..., Judged], reading: object) -> None:
    told = challenged(answering(reading), MORE, **ALONE).judgement
    assert told.written is not None
    assert (told.verdict, told.written.state) == ("verified", "no answer"), told.reason
    assert told.unfinished is isinstance(reading, str), "a broken reply is asked for again"
    assert "one that does not hold was read by nobody" in told.reason


NONE = "def test_none():\n    assert unevenness([]) == 0"
"""Of no number, of which it divides by zero."""
EMPTY = {"paper": False, "documented": f'r"""It is zero when all values are equal, and of no numbers. {EQUATION}"""'}
INSISTING, NO_MORE = said(function(NONE, "and of no numbers")), said(nothing="no expectation")


@pytest.mark.parametrize(
    ("said_again", "reading", "expected"),
    [
        ((INSISTING,), "fixed", ("unverified", "contradicted")),
        ((INSISTING,), "open", ("verified", "holds")),
        ((NO_MORE,), "fixed", ("verified", "holds")),
        ((said(function(NONE.replace("[]", "()"), "and of no numbers")), NO_MORE), "fixed", ("verified", "holds")),
    ],
    ids=["insisted", "insisted on what is open", "given up", "put otherwise, and broken again"],
)
def test_code_that_stops_where_it_is_said_to_give_something_contradicts_it(
    challenged: Callable[..., Judged], said_again: tuple[object, ...], reading: str, expected: tuple[str, str]
) -> None:
    first = said(*honest(NAME)["tests"], function(NONE, "and of no numbers"))
    rest = iter(said_again)

    def reply(body: dict[str, Any]) -> object:
        if blind(body):
            return reviewed(test_values="fixed", test_equal="fixed", test_none=reading)
        return next(rest) if again(body) else first

    told = challenged(reply, **EMPTY).judgement
    assert told.written is not None
    assert (told.verdict, told.written.state) == expected, told.reason
    assert ("stops with ZeroDivisionError: “and of no numbers”" in told.reason) is (expected[1] == "contradicted")


def test_who_mends_the_setup_alone_stands_by_nothing(challenged: Callable[..., Judged]) -> None:
    """What breaks then is another thing than what was told."""
    test = function("def test_none():\n    assert unevenness(given) == 0", "and of no numbers")
    first = said(*honest(NAME)["tests"], test, setup="given = None")
    rest = iter([said(test, setup="given = []"), NO_MORE])

    def reply(body: dict[str, Any]) -> object:
        if blind(body):
            return reviewed(test_values="fixed", test_equal="fixed", test_none="fixed")
        return next(rest) if again(body) else first

    told = challenged(reply, **EMPTY).judgement
    assert told.written is not None
    assert (told.verdict, told.written.state) == ("verified", "holds"), told.reason


@pytest.mark.parametrize("raised", ["KeyError(0)", "TypeError(0)", "OSError(0)"])
def test_what_speaks_of_no_value_contradicts_nothing(challenged: Callable[..., Judged], raised: str) -> None:
    first = said(*honest(NAME)["tests"], function(NONE, "and of no numbers"))

    def reply(body: dict[str, Any]) -> object:
        if blind(body):
            return reviewed(test_values="fixed", test_equal="fixed", test_none="fixed")
        return INSISTING if again(body) else first

    raising = (
        "    ordered = sorted(values)",
        f"    if not values:\n        raise {raised}\n    ordered = sorted(values)",
    )
    told = challenged(reply, raising, **EMPTY).judgement
    assert told.written is not None
    assert (told.verdict, told.written.state) == ("verified", "holds"), told.reason

"""Tests that a scripted model writes, run in the real sandbox: which earn a verdict, and what the others become."""

import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from answers import EQUATION, NAMES, answering, content, settings_of, specifications, write_repository
from servers.model import ModelServer

from agents.code.units import read_units
from agents.code.verify import Judged, Verifier
from agents.code.verify.unit_verdicts import UnitVerdicts
from agents.execution.sandbox import open_sandbox
from agents.llm import LLM
from agents.testwriting import TestWriter as Writer
from kg.models.code import CodeUnit
from kg.models.execution import WrittenTest

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def judged(server: ModelServer, folder: Path, llm: LLM) -> Mapping[str, Judged]:
    """Every function, by its name, judged with the model's help."""
    write_repository(folder / "repository")
    server.say(answering())
    settings = settings_of(server, folder)
    codebase = read_units(folder / "repository")
    units = [unit for unit in codebase.units if unit.kind == "function"]
    verifier = Verifier(folder / "repository", codebase, open_sandbox(settings, "bubblewrap"), settings)
    judge = verifier.judging(units, more=Writer(llm, specifications()))
    return {unit.symbol: judge(unit) for unit in units}


def test_waiting_for_a_model_takes_no_time_from_other_units(server: ModelServer, tmp_path: Path) -> None:
    """A small one on a slow machine used up all of a repository's time, and its own tests were not run."""
    write_repository(tmp_path / "repository")
    settings, codebase = settings_of(server, tmp_path), read_units(tmp_path / "repository")
    units = [unit for unit in codebase.units if unit.kind == "function"][:2]
    stops: list[float] = []

    def slow(unit: CodeUnit, found: Judged, verdicts: UnitVerdicts, seconds: float) -> Judged:
        stops.append(judge._stop)  # type: ignore[attr-defined] -- when the repository's time ends
        time.sleep(1.5)
        return found

    judge = Verifier(tmp_path / "repository", codebase, open_sandbox(settings, "bubblewrap"), settings).judging(
        units, more=slow
    )
    for unit in units:
        judge(unit)
    assert stops[1] - stops[0] > 1.4


def written(judged: Mapping[str, Judged], name: str) -> WrittenTest:
    found = judged[name].judgement.written
    assert found is not None
    return found


def test_an_honest_test_verifies_an_honest_unit_and_says_who_wrote_it(judged: Mapping[str, Judged], llm: LLM) -> None:
    told = judged["gini"].judgement
    assert (told.verdict, told.kind) == ("verified", "written"), told.reason
    assert "by a test written from the paper's statement by scripted-1, not by the authors" in told.reason
    assert 2 * told.killed >= told.mutants > 4
    assert told.killed_by_assertion >= 2
    assert told.execution is not None
    assert "def test_values():" in told.test
    assert "not by the authors" in told.test
    one = written(judged, "gini")
    assert (one.state, one.model, one.run, one.calls) == ("verified", "scripted-1", "run", 1)
    assert len(one.prompt) == 64
    assert not judged["gini"].reached, "no test of the repository calls it"


def test_a_right_test_of_a_wrong_unit_stands_against_it(judged: Mapping[str, Judged]) -> None:
    told = judged["halved"].judgement
    assert (told.verdict, told.kind, written(judged, "halved").state) == ("unverified", "written", "does not hold")
    assert "a test written from the paper by scripted-1 does not hold" in told.reason
    assert "(2i - n - 1) x_{(i)}" in told.reason, "it says which statement"
    assert told.execution is not None
    assert written(judged, "halved").calls == 2, "it is read once, and nobody asks for another expectation"
    assert written(judged, "halved").opened == ()


@pytest.mark.parametrize(
    ("name", "state", "dropped"),
    [
        ("existing", "weak", {}),
        ("echoed", "refused", {"repeats": 1}),
        ("misquoted", "refused", {"unquoted": 1}),
        ("endless", "broken", {"broke": 2}),
        ("declined", "declined", {}),
        ("leaking", "broken", {"broke": 3}),
    ],
)
def test_what_proves_nothing_stays_unverified(
    judged: Mapping[str, Judged], name: str, state: str, dropped: dict[str, int]
) -> None:
    told = judged[name].judgement
    assert told.verdict == "unverified"
    assert "scripted-1" in told.reason
    assert (written(judged, name).state, written(judged, name).dropped) == (state, dropped), told.reason
    assert told.left_out.count("--> ") == sum(dropped.values())
    assert "--> " not in told.test


def test_hostile_tests_are_refused_or_earn_nothing(judged: Mapping[str, Judged], folder: Path) -> None:
    told = judged["hostile"].judgement
    assert told.verdict == "unverified"
    assert written(judged, "hostile").dropped == {"import": 3, "forbidden": 1}
    assert "def hostile" in (folder / "repository/measures/core.py").read_text()


def test_a_broken_call_is_repaired_with_its_traceback(judged: Mapping[str, Judged], server: ModelServer) -> None:
    assert judged["mended"].judgement.verdict == "verified", judged["mended"].judgement.reason
    assert written(judged, "mended").calls == 2
    texts = [content(body) for body in server.bodies if "UNIT UNDER TEST: mended " in content(body)]
    assert len(texts) == 2
    assert "TypeError: mended() got an unexpected keyword argument 'numbers'" in texts[1]


def test_no_prompt_shows_the_body_or_what_the_unit_returns(judged: Mapping[str, Judged], server: ModelServer) -> None:
    assert judged
    everything = "\n".join(content(body) for body in server.bodies)
    assert EQUATION in everything
    assert "weighted" not in everything
    assert "ordered" not in everything
    asked = [content(body) for body in server.bodies if "UNIT UNDER TEST: leaking " in content(body)]
    assert len(asked) == 1, "that a test broke after a call, and where, would tell what was returned"


def test_the_same_answer_twice_is_not_asked_for_a_third_time(judged: Mapping[str, Judged]) -> None:
    assert written(judged, "endless").calls == 2
    assert set(judged) == set(NAMES)

"""A module that no test of the repository verifies is held against one that is written from the paper."""

from collections.abc import Callable
from pathlib import Path

import pytest
from rewrite.samples import accept, answer
from servers.model import ModelServer
from testwriting.answers import CODE, EQUATION, function, honest, said, specifications, write_repository

from agents.code.modules import Slicer
from agents.code.units import read_units
from agents.execution.sandbox import open_sandbox
from agents.llm import LLM
from agents.rewrite import Cause, Rewrite, Stop, Task, Trials, rewrite
from kg.config import LlmProfile, load_settings

pytestmark = pytest.mark.sandbox


@pytest.fixture
def made(server: ModelServer, tmp_path: Path) -> Callable[..., Rewrite]:
    """`made(symbol)`: the rewrite of a function that no test reaches; `change` is made to the text of its file,
    `beside` is another one."""
    write_repository(tmp_path / "repository")
    profile = LlmProfile(model="scripted", base_url=server.base_url, timeout=20, replies=tmp_path / "replies")
    settings = load_settings().replace(home=tmp_path / "home", llm__profiles={"it": profile}, verify__mutants=6)
    llm = LLM(settings, "it", run="run")

    def run(symbol: str, change: Callable[[str], str] = str, beside: str = "") -> Rewrite:
        file = tmp_path / "repository/measures/core.py"
        file.write_text(change(file.read_text()))
        file.with_name("kinds.py").write_text(beside)
        codebase = read_units(tmp_path / "repository")
        unit = next(unit for unit in codebase.units if unit.symbol == symbol)
        trials = Trials(
            tmp_path / "repository", codebase, [unit], open_sandbox(settings, "bubblewrap"), settings,
            tmp_path / "copy", llm, specifications(),
        )  # fmt: skip
        module = Slicer(tmp_path / "repository").stored(unit)
        assert module is not None
        task = Task(unit, module, f"technique_{symbol}.py", ("Gini coefficient",), ())
        return rewrite(task, llm, trials, paper="local:p")

    return run


def rewritten(symbol: str) -> str:
    """A module with documentation by somebody who has seen the code."""
    function = CODE[CODE.index(f"def {symbol}") :].partition("\n\n\n")[0]
    return function.replace("Gini coefficient of positive numbers.", "Twice the SEEN weights by rank.") + "\n"


def test_a_test_from_the_paper_verifies_a_module_and_never_sees_what_its_writer_has_seen(
    server: ModelServer, made: Callable[..., Rewrite]
) -> None:
    server.say(answer(rewritten("gini")), accept(), honest("gini"))
    found = made("gini")
    assert (found.stop, found.finding, found.calls, len(server.bodies)) == (Stop.ACCEPTED, None, 3, 3)
    assert found.judged is not None
    judgement = found.judged.judgement
    assert (judgement.verdict, judgement.kind) == ("verified", "written"), judgement.reason
    assert "by scripted, not by the authors" in judgement.reason
    shown = server.bodies[2]["messages"][1]["content"]
    assert "SEEN" not in shown
    assert "sorted" not in shown
    assert "Gini coefficient of positive numbers." in shown


def test_a_module_that_the_paper_contradicts_is_not_verified(server: ModelServer, made: Callable[..., Rewrite]) -> None:
    server.say(answer(rewritten("halved")), accept(), honest("halved"))
    found = made("halved")
    assert found.judged is not None
    judgement = found.judged.judgement
    assert judgement.verdict == "unverified"
    assert judgement.written is not None
    assert judgement.written.state == "does not hold"


def test_a_test_that_agrees_with_an_invented_module_meets_the_original(
    server: ModelServer, made: Callable[..., Rewrite]
) -> None:
    invented = rewritten("gini").replace("(n * total)", "(2 * n * total)")
    values = function(
        "def test_values():\n    assert abs(gini([1, 2, 6]) - 5 / 27) < 1e-9\n"
        "    assert abs(gini([4, 2, 11, 3]) - 14 / 80) < 1e-9",
        EQUATION,
        EQUATION,
    )
    more = function("def test_more():\n    assert abs(gini([1, 2, 3]) - 1 / 9) < 1e-9")
    server.say(answer(invented), accept(), said(values, more), answer(invented))
    found = made("gini")
    assert found.finding is not None
    assert (found.finding.cause, found.stop) == (Cause.UNFAITHFUL, Stop.SAME_ANSWER)
    assert "test_values" in found.finding.said
    assert found.judged is not None
    assert found.judged.judgement.verdict == "unverified"


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("    n = len(ordered)\n", "    n = 0\n    for _ in ordered:\n        n += 1\n", "verified"),
        ("    n = len(ordered)\n", "    n = len(ordered)\n    if n > 300:\n        return 0.0\n", "unverified"),
    ],
)
def test_a_written_test_must_run_every_case_of_a_module(
    server: ModelServer, made: Callable[..., Rewrite], old: str, new: str, verdict: str
) -> None:
    source = rewritten("gini")
    assert old in source
    server.say(answer(source.replace(old, new)), accept(), honest("gini"), said(nothing="no expectation"))
    found = made("gini")
    assert found.judged is not None
    judgement = found.judged.judgement
    assert (judgement.verdict, judgement.kind) == (verdict, "written"), judgement.reason
    assert judgement.written is not None
    assert judgement.written.state == ("verified" if verdict == "verified" else "weak")
    assert ("no test runs a case of it (line 6: return 0.0)" in judgement.reason) == (verdict == "unverified")


def with_a_helper(text: str) -> str:
    """The sum in a function of its own, with a case that the paper says nothing of."""
    helper = "def added(values):\n    if values is None:\n        return 0.0\n    return sum(values)\n"
    return f"{helper}\n\n{text.replace('sum(ordered)', 'added(ordered)')}"


def with_another_helper(text: str) -> str:
    return with_a_helper(text).replace("return 0.0", "return 0")


def with_another_default(text: str) -> str:
    return with_a_helper(text).replace("added(values):", "added(values=()):")


def with_it_inside(text: str) -> str:
    """The helper's statements in the unit itself, which a module may set apart and are the unit's still."""
    inside = (
        "    def added(values):\n        if values is None:\n            return 0.0\n        return sum(values)\n\n"
    )
    return text.replace("    n = len(ordered)\n", f"    n = len(ordered)\n{inside}")


@pytest.mark.parametrize(
    ("name", "there", "known"),
    [
        ("added", with_a_helper, True),
        ("core_added", with_a_helper, True),
        ("_added", with_a_helper, True),
        ("summed", with_a_helper, False),
        ("_added", with_another_helper, False),
        ("_added", with_another_default, False),
        ("gini_sum", with_it_inside, False),
        ("added", str, False),
    ],
)
def test_the_cases_of_a_helper_are_the_originals_or_must_be_run(
    server: ModelServer, made: Callable[..., Rewrite], name: str, there: Callable[[str], str], known: bool
) -> None:
    source = with_a_helper(rewritten("gini")).replace("added(", f"{name}(")
    server.say(answer(source), accept(), honest("gini"), said(nothing="no expectation"))
    found = made("gini", there)
    assert found.judged is not None
    judgement = found.judged.judgement
    assert judgement.verdict == ("verified" if known else "unverified"), judgement.reason
    assert ("no test runs a case of it (line 3: return 0.0)" in judgement.reason) == (not known)


TABLE = 'KINDS = {"low": "few", "high": "many"}\n'


def with_a_table(text: str) -> str:
    """A table of which the paper says nothing."""
    return TABLE + "\n\n" + text.replace("sum(ordered)", "sum(ordered) + 0 * len(KINDS['low'])")


@pytest.mark.parametrize(
    ("beside", "change", "verdict"),
    [
        (TABLE, str, "verified"),
        (TABLE.replace("}", ', "none": "no"}'), str, "verified"),
        (TABLE.replace("many", "all"), str, "unverified"),
        ("", with_a_table, "unverified"),
        (TABLE, with_a_table, "unverified"),
    ],
    ids=["another file's", "part of another file's", "only the module's", "of the unit's own file", "of both"],
)
def test_the_labels_of_a_table_are_the_originals_or_must_be_noticed(
    server: ModelServer, made: Callable[..., Rewrite], beside: str, change: Callable[[str], str], verdict: str
) -> None:
    server.say(answer(with_a_table(rewritten("gini"))), accept(), honest("gini"), said(nothing="no expectation"))
    found = made("gini", change, beside)
    assert found.judged is not None
    judgement = found.judged.judgement
    assert judgement.verdict == verdict, judgement.reason
    assert ("in line 1: 'few' and 'many' are exchanged" in judgement.reason) == (verdict == "unverified")
    assert ("what stands in KINDS is the repository's" in judgement.reason) == (verdict == "verified")

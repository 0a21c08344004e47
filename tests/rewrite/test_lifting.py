"""Modules that take as arguments what their original finds, loads or opens: held against it with the same arguments."""

from collections.abc import Callable
from pathlib import Path

import pytest
from rewrite.samples import accept, answer
from servers.model import ModelServer
from testwriting.answers import function, said

from agents.code.modules import Slicer
from agents.code.units import read_units
from agents.execution.sandbox import open_sandbox
from agents.llm import LLM
from agents.rewrite import Cause, Rewrite, Stop, Task, Trials, rewrite
from kg.config import LlmProfile, load_settings
from kg.verdicts.specification import Specification

pytestmark = pytest.mark.sandbox

SCRIPT = '''\
"""Which sentences are kept."""
import argparse
import json

parser = argparse.ArgumentParser()
parser.add_argument("--threshold", type=float, required=True)
parser.add_argument("--scores", required=True)
args = parser.parse_args()

results = [json.loads(line) for line in open(args.scores)]


def score(weights):
    """Twice the mean."""
    return 2 * sum(weights) / len(weights)


def keep(path, factor=1):
    """Keep what reaches the threshold."""
    out = open(path, "w")
    for number, weights in enumerate(results):
        if score(weights) * factor >= args.threshold:
            out.write(number)


class Scorer:
    """Scores by a table that is read."""

    def __init__(self, path):
        self.table = json.load(open(path))
        self.device = "cuda"

    def of(self, words):
        """The sum of the words' weights."""
        return sum(self.table[word] for word in words)
'''
SAID = "[p1] We keep every sentence whose score, twice the mean of its weights, is at least the threshold."
TABLE = "[p1] The score of a text is the sum of the weights of its words."
KEEP = '''"""Which sentences are kept."""


def score(weights):
    return 2 * sum(weights) / len(weights)


def keep(factor=1, *, out, results, threshold):
    for number, weights in enumerate(results):
        if score(weights) * factor >= threshold:
            out.write(number)
'''
SCORER = """class Scorer:
    def __init__(self, table):
        self.table = table
        self.device = "cpu"

    def of(self, words):
        return sum(self.table[word] for word in words)
"""


def lifted(**stands_for: str) -> list[dict[str, str]]:
    return [{"parameter": name, "stands_for": text} for name, text in stands_for.items()]


WRITES = lifted(out='open(path, "w")', results="results", threshold="args.threshold")
SETUP = (
    "class Out:\n    def __init__(self):\n        self.kept = []\n\n"
    "    def write(self, number, *args):\n        self.kept.append(number)\n\n\n"
    "def kept(results, threshold):\n    out = Out()\n"
    "    keep(out=out, results=results, threshold=threshold)\n    return out.kept"
)
QUOTE = "whose score, twice the mean of its weights, is at least the threshold"


def keeping(*, at_least: bool = True) -> dict[str, object]:
    """Means are 1.5, 4 and 0.5, scores thus 3, 8 and 1."""
    table = "[[1, 2], [5, 3], [0.5]]"
    tests = [
        function(f"def test_some():\n    assert kept({table}, 2.5) == [0, 1]", QUOTE),
        function(f"def test_more():\n    assert kept({table}, 7) == [1]\n    assert kept({table}, 0.9) == [0, 1, 2]",
                 QUOTE, QUOTE),
        function(f"def test_edge():\n    assert kept({table}, 3) == {[0, 1] if at_least else [1]}", QUOTE),
    ]  # fmt: skip
    return said(*tests, setup=SETUP)


@pytest.fixture
def made(server: ModelServer, tmp_path: Path) -> Callable[[str, str], Rewrite]:
    """`made(symbol, paper)`: the rewrite of a unit of the script, of which a paper says so much."""
    (tmp_path / "repository").mkdir()
    (tmp_path / "repository/select.py").write_text("", encoding="utf-8")
    (tmp_path / "repository/select_sentences.py").write_text(SCRIPT, encoding="utf-8")
    profile = LlmProfile(model="scripted", base_url=server.base_url, timeout=20, replies=tmp_path / "replies")
    settings = load_settings().replace(home=tmp_path / "home", llm__profiles={"it": profile}, verify__mutants=6)
    codebase = read_units(tmp_path / "repository")

    def run(symbol: str, paper: str) -> Rewrite:
        unit = next(unit for unit in codebase.units if unit.symbol == symbol)
        llm, known = LLM(settings, "it", run="run"), {unit.id: Specification(paper="local:p", text=paper)}
        sandbox = open_sandbox(settings, "bubblewrap")
        trials = Trials(
            tmp_path / "repository", codebase, [unit], sandbox, settings, tmp_path / "copy", llm, known
        )  # fmt: skip
        module = Slicer(tmp_path / "repository").stored(unit)
        assert module is not None
        return rewrite(Task(unit, module, "technique_it.py", ("selection",), ()), llm, trials, paper="local:p")

    return run


def test_a_module_is_verified_by_a_test_that_holds_of_the_original_with_the_same_arguments(
    server: ModelServer, made: Callable[[str, str], Rewrite]
) -> None:
    server.say(answer(KEEP, lifted=WRITES), accept(), keeping())
    found = made("keep", SAID)
    assert found.finding is None, found.finding
    assert found.judged is not None
    judgement = found.judged.judgement
    assert (judgement.verdict, judgement.kind) == ("verified", "written"), judgement.reason
    shown = server.bodies[2]["messages"][1]["content"]
    assert "threshold: stands for args.threshold" in shown
    assert "out: out.write(1 argument)" in shown
    assert "enumerate" not in shown


def test_a_module_that_agrees_with_the_paper_and_not_with_the_code_is_unfaithful(
    server: ModelServer, made: Callable[[str, str], Rewrite]
) -> None:
    wrong = answer(KEEP.replace(">= threshold", "> threshold"), lifted=WRITES)
    server.say(wrong, accept(), keeping(at_least=False), wrong)
    found = made("keep", SAID)
    assert found.finding is not None
    assert (found.finding.cause, found.stop) == (Cause.UNFAITHFUL, Stop.SAME_ANSWER)
    assert "test_edge" in found.finding.said


def test_an_invented_module_is_tied_to_nothing(server: ModelServer, made: Callable[[str, str], Rewrite]) -> None:
    """What it takes is said to stand for something else, so that the original can't be given it."""
    server.say(answer(KEEP, lifted=[*WRITES[:2], *lifted(threshold="args.scores")]), accept(), keeping())
    found = made("keep", SAID)
    assert found.finding is None
    assert found.judged is not None
    judgement = found.judged.judgement
    assert judgement.verdict == "unverified"
    assert judgement.written is not None
    assert judgement.written.state == "untied"


def test_a_test_that_would_pass_whatever_breaks_is_none(
    server: ModelServer, made: Callable[[str, str], Rewrite]
) -> None:
    """It takes any error of the original, which is given something else, for an answer."""
    setup = SETUP.replace("    keep(", "    try:\n        keep(").replace(
        "    return out", "    except NameError:\n        return None\n    return out"
    )
    tests = [
        function(f"def test_{n}():\n    assert kept([[1, 2], [5, 3], [0.5]], {t}) in (None, {k})", QUOTE)
        for n, (t, k) in enumerate([(2.5, [0, 1]), (7, [1]), (3, [0, 1])])
    ]
    wrong = [*WRITES[:2], *lifted(threshold="args.scores")]
    server.say(answer(KEEP, lifted=wrong), accept(), said(*tests, setup=setup), said(*tests, setup=setup))
    found = made("keep", SAID)
    assert found.judged is not None
    judgement = found.judged.judgement
    assert judgement.verdict == "unverified"
    assert judgement.written is not None
    assert judgement.written.state == "refused"


def test_a_class_takes_what_its_constructor_loads(server: ModelServer, made: Callable[[str, str], Rewrite]) -> None:
    quote = "the sum of the weights of its words"
    tests = [
        function("def test_sum():\n    assert Scorer({'a': 2, 'b': 5.5, 'c': 1}).of(['a', 'b']) == 7.5", quote),
        function("def test_twice():\n    assert Scorer({'a': 2, 'b': 5.5}).of(['a', 'b', 'a']) == 9.5", quote),
        function("def test_one():\n    assert Scorer({'a': 2, 'b': -3}).of(['b']) == -3", quote),
    ]
    opened = lifted(table="json.load(open(path))")
    server.say(answer(SCORER, lifted=opened), accept(), said(*tests))
    found = made("Scorer", TABLE)
    assert found.finding is None, found.finding
    assert found.judged is not None
    judgement = found.judged.judgement
    assert (judgement.verdict, judgement.kind) == ("verified", "written"), judgement.reason


@pytest.mark.parametrize(
    ("stands_for", "complaint"),
    [
        ("score(weights)", "the module must have it itself"),
        ("score", "the module must have it itself"),
        ("score(weights) * factor", "the module must have it itself"),
        ("args.beta", "occurs nowhere in the original's own file"),
        ("args.", "occurs nowhere in the original's own file"),
        ("'keep'", "occurs nowhere in the original's own file"),
    ],
)
def test_what_is_computed_is_not_lifted(
    server: ModelServer, made: Callable[[str, str], Rewrite], stands_for: str, complaint: str
) -> None:
    server.say(answer(KEEP, lifted=[*WRITES[:2], *lifted(threshold=stands_for)]))
    found = made("keep", SAID)
    assert found.finding is not None
    assert (found.finding.cause, found.stop) == (Cause.INTERFACE, Stop.SAME_ANSWER)
    assert complaint in found.finding.said


@pytest.mark.parametrize(
    ("lift", "complaint"),
    [
        (WRITES[:2], "takes threshold, which the original does not"),
        ([*WRITES, *lifted(other="args.scores")], "takes no parameter 'other'"),
    ],
)
def test_every_parameter_more_stands_for_something(
    server: ModelServer, made: Callable[[str, str], Rewrite], lift: list[dict[str, str]], complaint: str
) -> None:
    server.say(answer(KEEP, lifted=lift))
    found = made("keep", SAID)
    assert found.finding is not None
    assert found.finding.cause == Cause.INTERFACE
    assert complaint in found.finding.said

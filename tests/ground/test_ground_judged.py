"""A model judges the ranking: what it says is checked against the code, and what does not stand changes nothing."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from judged_samples import CODE, LATEX, SLOT, TEST, TREE, choose, label, shown, technique
from servers.model import PAGE, ModelServer

from agents.code.units import CodeBase
from agents.llm import Fault
from ingest.extract.judged.numbering import read_passages
from ingest.ground import Ranking
from ingest.ground.judged import Judgement, Room, Shelf
from ingest.ground.judged.asking import Asked, said, sheets
from ingest.ground.judged.checks import Drop
from ingest.latex import parse_paper
from kg.models.paper import Span


def test_a_choice_with_a_true_quote_is_kept_with_it(server: ModelServer, judged: Callable[..., Judgement]) -> None:
    server.say(choose("reservoir_sample", 1, f"12 {SLOT}"))
    judgement = judged()
    found, finding, stop = judgement.groundings
    best = found.candidates[0]
    assert (found.level, best.standing, best.judged, best.part) == ("unit", "asserted", True, "whole")
    assert (best.unit, best.quotes, best.reason) == ("pack/reservoir.py#reservoir_sample", (SLOT,), "replaces a slot")
    assert len(best.realises) == 1
    assert best.realises[0].startswith("main.tex:")
    assert best.confidence == found.confidence > 0.85
    assert (found.model, len(found.prompt), found.method) == ("scripted", 64, "fused/3")
    assert (finding.level, finding.model) == ("none", "")
    assert (stop.level, stop.reason[:9], stop.confidence) == ("none", "not there", 0.0)
    assert [d.why for d in judgement.judged.dropped] == [Drop.UNKNOWN_PASSAGE]
    assert len(server.bodies) == 1


def test_of_several_parts_the_first_that_it_names_stands_first(
    server: ModelServer, judged: Callable[..., Judgement]
) -> None:
    def answer(body: dict[str, Any]) -> dict[str, Any]:
        text = body["messages"][-1]["content"]
        units = [
            {"unit": label(text, 1, unit), "part": "part", "quotes": [quote], "realises": ["p1"]}
            for unit, quote in (("converged", TEST), ("reservoir_sample", SLOT))
        ]
        said = {"technique": 1, "units": units, "nothing": None, "confidence": "sure", "why": "", "more": []}
        return {"answers": [said, {**said, "technique": 2, "units": [], "nothing": "not there"}]}

    server.say(answer)
    first, second, *others = judged().groundings[0].candidates
    assert (first.standing, second.standing) == ("asserted", "asserted")
    assert [first.unit.rpartition("#")[2], second.unit.rpartition("#")[2]] == ["converged", "reservoir_sample"]
    assert [each.rank for each in (first, second, *others)] == list(range(1, 3 + len(others)))
    assert (first.confidence or 1) < (second.confidence or 0), "our own evidence would have it the other way round"


def test_a_passage_that_was_shown_for_another_technique_may_be_named(
    server: ModelServer, judged: Callable[..., Judgement]
) -> None:
    server.say(choose("converged", 2, TEST))
    judgement = judged()
    assert [place[:9] for place in judgement.groundings[2].candidates[0].realises] == ["main.tex:"]
    assert [dropped.said for dropped in judgement.judged.dropped] == ["p99"]


def test_a_passage_is_shown_from_the_sentence_on_that_tells_of_a_technique(tmp_path: Path) -> None:
    latex = LATEX.replace("We stop when", f"{'Streams are long. ' * 60}We stop when")
    (tmp_path / "main.tex").write_text(latex)
    paper = parse_paper(tmp_path)

    def shown_of(words: str) -> dict[str, str]:
        place = Span(file="main.tex", start=latex.index(words), end=latex.index(words) + 20)
        return said(technique("Any", "Reservoir").model_copy(update={"spans": (place,)}), read_passages(paper), 200)[0]

    assert shown_of("We stop when") == {"p2": "… We stop when the estimate has converged."}
    assert shown_of("Reservoir sampling keeps")["p1"].startswith("Reservoir sampling keeps a uniform sample")


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        ("reservoir[slot] = other", Drop.FALSE_QUOTE),
        ("item", Drop.SHORT_QUOTE),
        ("def reservoir_sample(stream, k, rng):", Drop.ONLY_NAMED),
        ("Keeps a uniform sample.", Drop.ONLY_NAMED),
    ],
)
def test_a_quote_must_be_a_line_that_does_it(
    server: ModelServer, judged: Callable[..., Judgement], quote: str, why: Drop
) -> None:
    server.say(choose("reservoir_sample", 1, quote))
    judgement = judged()
    assert [d.why for d in judgement.judged.dropped] == [why, Drop.NO_QUOTE]
    assert not any(c.judged for c in judgement.groundings[0].candidates)
    assert judgement.groundings[0].model == ""


def test_what_was_not_asked_or_not_shown_is_dropped(server: ModelServer, judged: Callable[..., Judgement]) -> None:
    unit = {"part": "whole", "quotes": [SLOT]}
    answer = {
        "technique": 1,
        "confidence": "sure",
        "units": [unit | {"unit": "9Z"}, unit | {"unit": "../../etc/passwd"}],
    }
    server.say({"answers": [answer, answer, answer | {"technique": 7}]})
    judgement = judged()
    assert [d.why for d in judgement.judged.dropped] == [
        Drop.UNKNOWN_UNIT, Drop.UNKNOWN_UNIT, Drop.ANSWERED_TWICE, Drop.UNKNOWN_TECHNIQUE, Drop.NOT_ANSWERED,
    ]  # fmt: skip
    assert all(grounding.model == "" for grounding in judgement.groundings)


@pytest.mark.parametrize(("wrong", "standing"), [(1, "asserted"), (2, "")])
def test_answers_of_which_most_does_not_stand_leave_our_own_word(
    server: ModelServer, judged: Callable[..., Judgement], wrong: int, standing: str
) -> None:
    """A small model that named units by paths had one choice in sixty left, of a part, and "sure"."""
    server.say({"answers": []})
    own = judged().groundings

    def said(body: dict[str, Any]) -> dict[str, Any]:
        answers = choose("reservoir_sample", 1, SLOT)(body)
        unit = answers["answers"][0]["units"][0]
        answers["answers"][0]["units"] += [unit | {"unit": f"pack/{n}.py"} for n in range(wrong)]
        return answers

    server.say(said)
    judgement = judged(readme="again")
    assert (judgement.groundings == own) == (not standing)
    assert [one.standing for one in judgement.groundings[0].candidates if one.judged] == [standing] * bool(standing)
    assert (Drop.ANSWERS_THIN in [one.why for one in judgement.judged.dropped]) == (not standing)
    assert judgement.judged.figures()["units"] == (1 if standing else 0)


def test_a_disagreement_is_told_and_takes_our_word_back_a_step(
    server: ModelServer, judged: Callable[..., Judgement]
) -> None:
    server.say({"answers": []})
    own = judged().groundings[0]
    assert own.candidates[0].standing != "candidate"
    none = {"units": [], "nothing": "only described", "confidence": "sure", "why": "a remark"}
    server.say({"answers": [none | {"technique": 1}, none | {"technique": 2}]})
    found = judged(readme="again").groundings[0]
    assert (found.level, found.reason) == ("none", "only described: a remark")
    assert found.candidates[0].disagrees
    assert found.candidates[0].standing == {"asserted": "likely", "likely": "candidate"}[own.candidates[0].standing]
    assert not any(c.disagrees for c in found.candidates[1:])


def test_where_little_code_would_fit_less_is_said_of_the_paper(
    code: Callable[..., CodeBase], ask: Callable[..., Ranking]
) -> None:
    body = "\n".join(f"    total += {n}" for n in range(900))
    codebase = code({"pack/long.py": f"def reservoir_sampling(stream):\n{body}\n"})
    shelf = Shelf(ask(codebase, "Reservoir sampling"))
    texts = {"p1": "We keep an item. " * 60, "e1": "x = y"}
    asked = Asked(1, 0, TREE.items[0], texts, dict.fromkeys(texts, ""), (0,))

    def told(asked: Asked, whole: int) -> tuple[int, bool]:
        (sheet,) = sheets([asked], shelf, call=90_000, whole=whole, longest=24_000)
        return sheet.text.count("We keep an item."), "total += 899" in sheet.text

    assert told(asked, 90_000) == told(replace(asked, whole=1), 90_000) == (60, True)
    assert told(asked, 6_000) == (60, False)
    assert told(asked, 2_600)[0] < 32
    assert told(replace(asked, whole=1), 6_000)[0] < 32


def test_what_several_techniques_share_is_shown_longer(
    code: Callable[..., CodeBase], ask: Callable[..., Ranking]
) -> None:
    body = "\n".join(f"    total += {n}" for n in range(200))
    shelf = Shelf(
        ask(code({"pack/long.py": f"def reservoir_sampling(stream):\n{body}\n"}), *("Reservoir sampling",) * 4)
    )
    asked = [Asked(n + 1, n, TREE.items[0], {}, {}, (0,)) for n in range(4)]

    def lines(many: int, whole: int, longest: int) -> int:
        (sheet,) = sheets(asked[:many], shelf, call=90_000, whole=whole, longest=longest)
        return sheet.text.count("total +=")

    assert lines(1, 90_000, 500) == lines(4, 90_000, 500) < 40, "no more than is shown of any"
    assert lines(1, 1_000, 8_000) < 40
    assert lines(4, 2_600, 8_000) > 60, "three times the techniques' own text, and more of the code that they share"


LINES = """
import random
from ingest.ground.judged.shown import _by_worth
chance = random.Random(1)
names = ["coeff", "parameter", "torch", "zeros", "channel", "input", "output", "order", "weight", "kernel"]
for _ in range(300):
    wanted = {name: 5 * chance.random() for name in names}
    bodies = [chance.sample(names, 6) for _ in range(4)]
    lines = [(n, "    " + " ".join(chance.sample(bodies[n % 4], 6))) for n in range(1, 17)]
    print(*(n for n, _ in _by_worth([(0, "def f():"), *lines], wanted, ())))
"""


def test_another_run_would_show_the_same_lines() -> None:
    command = [sys.executable, "-c", LINES]
    runs = [
        subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in "123"
    ]
    assert len(set(runs)) == 1
    assert runs[0].count(b"\n") == 300


def test_copies_are_shown_once_and_the_package_stands_for_them(
    server: ModelServer, judged: Callable[..., Judgement]
) -> None:
    server.say({"answers": []})
    judged()
    text = shown(server)
    assert "notebooks/copy.py reservoir_sample" not in text
    part = text[text.index("TECHNIQUE 1:") : text.index("TECHNIQUE 2:")]
    assert part.count("reservoir_sample (function") == 1
    assert "words words" not in part
    assert "-- Keeps a uniform sample." in part
    assert f"            {SLOT}" in part


def test_many_techniques_go_into_several_calls(server: ModelServer, judged: Callable[..., Judgement]) -> None:
    server.say({"answers": []})
    judged(room=Room(call=900, first=50_000))
    first, second = shown(server), shown(server, 1)
    assert ("TECHNIQUE 1:" in first, "TECHNIQUE 2:" in first) == (True, False)
    assert ("TECHNIQUE 1:" in second, "TECHNIQUE 2:" in second) == (False, True)


def test_as_many_candidates_and_as_much_of_them_is_shown_as_was_set(
    server: ModelServer, judged: Callable[..., Judgement]
) -> None:
    server.say({"answers": []})
    judged()
    assert re.search(r"^\[1B\] ", shown(server), re.MULTILINE)
    judged(room=Room(candidates=1))
    assert re.findall(r"^\[(\w+)\] .*lines", shown(server, 1), re.MULTILINE) == ["1A", "2A"]


def test_where_even_short_bodies_are_too_much_fewer_candidates_are_shown(
    server: ModelServer, judged: Callable[..., Judgement]
) -> None:
    files = {f"pack/slot{n}.py": f"def reservoir_slot{n}(stream):\n    return stream[{n}]\n" for n in range(12)}
    server.say({"answers": []})
    judged(CODE | files)
    judged(CODE | files, room=Room(first=1))
    counts = [len(re.findall(r"^\[1[A-P]\] ", shown(server, call), re.MULTILINE)) for call in (0, 1)]
    assert counts == [10, 4]
    assert len(shown(server, 1)) < len(shown(server))


def test_a_broken_reply_leaves_our_own_word_and_is_told(server: ModelServer, judged: Callable[..., Judgement]) -> None:
    server.say(PAGE)
    judgement = judged()
    assert judgement.judged.faults == [Fault.NOT_A_REPLY]
    assert judgement.groundings[0].candidates[0].unit.endswith("#reservoir_sample")


def test_a_kept_answer_is_not_asked_for_again(server: ModelServer, judged: Callable[..., Judgement]) -> None:
    server.say(choose("reservoir_sample", 1, SLOT))
    first = judged()
    assert judged() == first
    assert len(server.bodies) == 1


def test_without_code_nothing_is_asked(server: ModelServer, judged: Callable[..., Judgement]) -> None:
    assert [g.level for g in judged({}).groundings] == ["none"] * 3
    assert server.bodies == []

"""What a model asks to see is shown to it once more, within bounds, and takes nothing from what stood before."""

from collections.abc import Callable
from typing import Any

import pytest
from judged_samples import CODE, SLOT, choose, label, shown, technique
from servers.model import ModelServer

from agents.llm import size
from ingest.ground.judged import Judgement, Room
from ingest.ground.judged.checks import Drop
from kg.models.technique import TechniqueTree


def test_what_it_asks_to_see_is_shown_once(server: ModelServer, judged: Callable[..., Judgement]) -> None:
    lines = "\n".join(f"    total += {n}" for n in range(400))
    long = {"pack/long.py": f"def reservoir_sampling(stream):\n    total = 0\n{lines}\n    return total - 1_000_000\n"}
    first = choose("reservoir_sample ", 1, SLOT, more=["pack/long.py", "pack/none.py"])
    server.say(first, choose("reservoir_sampling", 1, "return total - 1_000_000"))
    judgement = judged(CODE | long)
    assert len(server.bodies) == 2
    assert "return total - 1_000_000" not in shown(server)
    assert "TECHNIQUE 2" not in shown(server, 1)
    assert ["second time" in shown(server, call) for call in (0, 1)] == [False, True]
    best = judgement.groundings[0].candidates[0]
    assert (best.unit, best.quotes) == ("pack/long.py#reservoir_sampling", ("return total - 1_000_000",))
    assert Drop.UNKNOWN_CODE in [d.why for d in judgement.judged.dropped]


@pytest.mark.parametrize(("nothing", "kept"), [("not shown", True), ("not there", False)])
def test_a_second_look_that_saw_nothing_leaves_the_first_answer(
    server: ModelServer, judged: Callable[..., Judgement], nothing: str, kept: bool
) -> None:
    none = {"technique": 1, "units": [], "nothing": nothing, "confidence": "sure", "why": ""}
    server.say(choose("reservoir_sample", 1, SLOT, more=["pack/stop.py"]), {"answers": [none]})
    assert (judged().groundings[0].level == "unit") is kept
    assert len(server.bodies) == 2


def test_what_it_asks_to_see_is_whole_and_what_it_chose_beside_it_short(
    server: ModelServer, judged: Callable[..., Judgement]
) -> None:
    body = "\n".join(f"    total += {n}" for n in range(900))
    files = {
        "pack/long.py": f"def reservoir_sampling(stream):\n    total = 0\n{body}\n    return total - 1_000_000\n",
        "pack/choice.py": f"def keep_slot(stream):\n    slot = 0\n{body.replace('total += 777', 'slot += rate')}\n",
    }
    server.say(choose("keep_slot", 1, "slot += rate", more=["pack/long.py"]), {"answers": []})
    judged(CODE | files)
    assert "slot += rate" in (again := shown(server, 1))
    assert again.index("pack/long.py reservoir_sampling") < again.index("pack/choice.py keep_slot")
    assert "total += 899" in again
    assert "total += 300" not in again.partition("pack/choice.py keep_slot")[2]
    assert "pack/stop.py converged" not in again


def test_what_it_chose_stays_in_view_where_it_asks_for_much(
    server: ModelServer, judged: Callable[..., Judgement]
) -> None:
    files = {f"more/part{n}.py": "".join(f"def f{n}{m}():\n    return {m}\n" for m in range(9)) for n in range(4)}
    server.say(choose("reservoir_sample", 1, SLOT, more=list(files)), {"answers": []})
    judged(CODE | files)
    assert shown(server, 1).partition("TECHNIQUE 1")[2].count("more/part") == 15
    assert "pack/reservoir.py reservoir_sample" in shown(server, 1)


MANY = 12
TREE_OF_MANY = TechniqueTree(
    items=tuple(technique(f"Reservoir sampling {'abcdefghijkl'[n]}", "Reservoir sampling keeps") for n in range(MANY))
)


def all_choose(more: list[str], quote: str = SLOT) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """An answer that names the sample for every technique that is asked about."""

    def said(body: dict[str, Any]) -> dict[str, Any]:
        text = body["messages"][-1]["content"]
        numbers = [n for n in range(1, MANY + 1) if f"TECHNIQUE {n}:" in text]
        unit = {"part": "whole", "quotes": [quote], "unit": label(text, numbers[0], "reservoir_sample ")}
        return {"answers": [{"technique": n, "units": [unit], "confidence": "sure", "more": more} for n in numbers]}

    return said


def test_a_second_look_keeps_to_its_room_and_the_others_keep_their_answers(
    server: ModelServer, judged: Callable[..., Judgement]
) -> None:
    body = "\n".join(f"    total += {n}" for n in range(300))
    files = {f"more/part{n}.py": f"def f{n}(total):\n{body}\n    return total\n" for n in range(4)}
    server.say(all_choose(list(files)))
    judgement = judged(CODE | files, tree=TREE_OF_MANY, room=Room(second=6_000, least=2_000))
    again = shown(server, 1)
    asked = sum(f"TECHNIQUE {n}:" in again for n in range(1, MANY + 1))
    assert len(server.bodies) == 2
    assert 0 < asked < MANY
    assert size(again[again.index("TECHNIQUE 1:") :]) < 7_000
    assert {each.candidates[0].unit for each in judgement.groundings} == {"pack/reservoir.py#reservoir_sample"}


def test_a_second_look_of_false_quotes_leaves_the_first_answers(
    server: ModelServer, judged: Callable[..., Judgement]
) -> None:
    server.say(all_choose(["pack/stop.py"]), all_choose([], "nothing = of_the_kind(here)"))
    judgement = judged(tree=TREE_OF_MANY)
    assert Drop.ANSWERS_THIN in [drop.why for drop in judgement.judged.dropped]
    assert judgement.judged.figures()["units"] == MANY

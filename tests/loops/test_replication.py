"""Agents replicate a paper of the examples with a scripted model: what they write runs, what they see is known, every
run ends in a named state, and one that stopped goes on without paying twice."""

import json
from time import monotonic
from typing import Any

import pytest
from loops import replica
from loops.conftest import TARGET, Replicate
from servers.model import ModelServer, Say

from agents.loops import Limits, RunFolder, resume_run
from agents.loops.target import Target
from agents.loops.telling import report, told
from kg.config import Settings
from kg.errors import InputError
from kg.opening import connect
from kg.store import Store

pytestmark = [pytest.mark.db, pytest.mark.sandbox]


def test_papercoder_plans_writes_runs_and_repairs(
    replicate: Replicate, server: ModelServer, settings: Settings
) -> None:
    server.say(replica.papercoder)
    folder, end = replicate("papercoder")
    assert (end.state, end.why) == ("done", "tests pass"), end
    assert end.coverage is not None
    assert (end.coverage.total, end.coverage.with_files) == (3, 3)
    assert sum(end.verdicts.values()) == 2
    assert [replica.kind(body) for body in server.bodies] == [
        "Plan", *["Analysis"] * 3, "Compared", *["Written"] * 3, "Mended",
    ]  # fmt: skip
    states = [step.result["data"]["state"] for step in folder.steps() if step.name == "workspace_test"]
    assert states == ["failed", "passed"]
    mend = replica.user(server.bodies[-1])
    assert "name 'counter' is not defined" in mend
    assert "/opt/env" not in mend
    assert (folder.workspace / "hitters.py").read_text() == replica.BROKEN.replace(replica.WRONG, replica.RIGHT)
    assert report(folder)["spent"]["calls"] == 9
    text = told(folder)
    assert "done: tests pass" in text
    assert "local:reservoir#t/reservoir-sampling" in text
    _check_what_the_graph_knows(settings, folder)


def _check_what_the_graph_knows(settings: Settings, folder: RunFolder, calls: int = 9) -> None:
    """The run is tied to its paper and to what it was shown, of which nothing is the paper's own code."""
    with connect(settings) as connection:
        rows, _, _ = connection.driver.execute_query(
            "MATCH (r:Run {id: $id})-[:TARGETS]->(p:Paper) "
            "RETURN r.state AS state, r.calls AS calls, p.id AS paper, "
            "COLLECT { MATCH (r)-[:USED]->(n) RETURN n.id } AS used",
            id=folder.config.node,
        )
    (row,) = rows
    assert (row["state"], row["calls"], row["paper"]) == ("done", calls, TARGET)
    assert any("#Reservoir" in node for node in row["used"])
    assert not any("heavy-hitters" in node for node in row["used"])


def test_basic_uses_tools_until_its_program_runs(replicate: Replicate, server: ModelServer) -> None:
    server.say(replica.basic)
    folder, end = replicate("basic")
    assert (end.state, end.said) == ("done", "counters and a sample"), end
    assert [step.name for step in folder.steps() if step.kind != "model"] == [
        "find_techniques", "get_code", "workspace_edit", "workspace_test", "workspace_run", "workspace_edit",
        "workspace_test", "workspace_test", "workspace_run", "verdicts", "done",
    ]  # fmt: skip
    said = replica.user(server.bodies[-1])
    assert "there is no tool 'no_such_tool'" in said
    assert "are no JSON" in said
    assert "not done, as this did not pass" in said
    assert end.coverage is not None
    assert (end.coverage.total, end.coverage.with_files, end.copies) == (3, 3, ())
    kinds = [replica.kind(body) for body in server.bodies]
    assert kinds.count("Compared") == 1
    before, after = (replica.user(server.bodies[kinds.index("Compared") + place]) for place in (-1, 1))
    assert "no code yet" in before
    assert "class Reservoir:" not in before, "a specification is made before any code is shown"
    assert "there: it is kept in an object" in after


def test_an_id_in_a_text_is_no_node_that_was_used(
    replicate: Replicate, server: ModelServer, settings: Settings
) -> None:
    """What a paper says of itself decides nothing of what a run is tied to."""
    server.say(replica.action("find_techniques", query="reservoir sampling"))
    technique, other = "local:reservoir#t/reservoir-sampling", "local:pagerank"
    with connect(settings) as connection:
        run = connection.driver.execute_query
        (before,) = run("MATCH (t:Technique {id: $id}) RETURN t.definition AS said", id=technique).records
        assert run("MATCH (p:Paper {id: $id}) RETURN p.id AS id", id=other).records
        try:
            run("MATCH (t:Technique {id: $id}) SET t.definition = $said", id=technique, said=other)
            folder, _ = replicate("basic", {"steps": 1})
        finally:
            run("MATCH (t:Technique {id: $id}) SET t.definition = $said", id=technique, said=before["said"])
        query = "MATCH (:Run {id: $id})-[:USED]->(n) RETURN n.id AS id"
        used = {row["id"] for row in run(query, id=folder.config.node).records}
    (step,) = [step for step in folder.steps() if step.kind == "graph"]
    assert f'"{other}"' in json.dumps(step.result)
    assert technique in used
    assert other not in used
    assert used == set(step.nodes)


def test_iterative_keeps_what_got_better_until_all_is_shown(
    replicate: Replicate, server: ModelServer, settings: Settings
) -> None:
    server.say(replica.iterative)
    folder, end = replicate("iterative")
    assert (end.state, end.why) == ("done", "all is shown"), end
    assert end.verdicts == {"verified": 2}
    assert end.coverage is not None
    assert (end.coverage.total, end.coverage.with_files, end.copies, end.departures) == (3, 3, (), ())
    first, second, third = (replica.user(body) for body in server.bodies if replica.kind(body) == "Mended")
    assert "name 'counter' is not defined" in first
    assert "attempt 1: tests are fewer – taken back: it does not pass" in second
    assert "def test_counts_are_never_too_small" in second, "the attempt with fewer tests was taken back"
    assert "attempt 2: a name is misspelt – kept: proven" in third
    assert "reservoir: unverified: test too weak" in third
    assert (folder.workspace / "hitters.py").read_text() == replica.RIGHT_TEXT
    assert (folder.workspace / "test_hitters.py").read_text() == replica.BETTER
    assert "all is shown" in told(folder)
    _check_what_the_graph_knows(settings, folder, calls=11)


def test_iterative_ends_where_nothing_improves(replicate: Replicate, server: ModelServer) -> None:
    server.say(lambda body: replica.WORSE if replica.kind(body) == "Mended" else replica.papercoder(body))
    folder, end = replicate("iterative")
    assert (end.state, end.why, end.exit_code) == ("stuck", "no progress", 4), end
    assert end.coverage is not None
    assert "nothing that was not there before" in replica.user(server.bodies[-1]) or len(server.bodies) == 10
    assert (folder.workspace / "test_hitters.py").read_text() == replica.TESTS, "the best attempt is what is left"


SPECIFIED, WRITTEN = 4, 7
"""Answers after which all is specified, and all is written."""
MARKS = {
    "papers": "One Pass, Fixed Memory",
    "techniques": "keeps the first k items",
    "code": "class Reservoir:",
}
"""Words that come with one part of what the graph knows, and with no other."""


@pytest.mark.parametrize("agent", ["papercoder", "iterative"])
@pytest.mark.parametrize("without", [(), ("papers",), ("techniques",), ("code",), ("graph",), ("papers", "code")])
def test_what_is_switched_off_is_in_no_request_and_the_rest_is(
    replicate: Replicate, server: ModelServer, without: tuple[str, ...], agent: str
) -> None:
    server.say(replica.papercoder)
    folder, end = replicate(agent, {"steps": WRITTEN}, without=without)
    assert (end.state, end.why) == ("stopped", "steps")
    sent = "\n".join(replica.user(body) for body in server.bodies)
    gone = set(MARKS) if "graph" in without else set(without)
    assert {part for part, mark in MARKS.items() if mark in sent} == set(MARKS) - gone
    assert ("graph" in without) == (not [step for step in folder.steps() if step.kind == "graph"])
    specified = "\n".join(replica.user(body) for body in server.bodies[:SPECIFIED])
    assert MARKS["code"] not in specified, "a specification is made before any code is shown"
    assert "SpaceSaving" not in sent, "the paper's own code is never shown"


def test_the_tools_of_the_basic_agent_are_those_that_are_left(replicate: Replicate, server: ModelServer) -> None:
    server.say(replica.basic)
    for without, gone in (("papers", "paper_plan"), ("techniques", "find_techniques"), ("code", "get_code")):
        replicate("basic", {"steps": 1}, without=(without,))
        told_of = str(server.bodies[-1]["messages"][0]["content"])
        assert f"\n{gone}: " not in told_of
        assert "\nworkspace_edit: " in told_of
    replicate("basic", {"steps": 2}, without=("graph",))
    told_of = str(server.bodies[-1]["messages"][0]["content"])
    assert "paper_plan" not in told_of
    assert "find_" not in told_of


def test_limits_stop_it_and_more_of_them_goes_on(replicate: Replicate, server: ModelServer, settings: Settings) -> None:
    server.say(replica.papercoder)
    folder, end = replicate("papercoder", {"steps": 5})
    assert (end.state, end.why, end.exit_code) == ("stopped", "steps", 5)
    assert len(server.bodies) == 5
    more = RunFolder(folder.path, folder.config.model_copy(update={"limits": Limits(steps=20)}))
    spent = settings.replace(llm__run_tokens=700)
    end = resume_run(spent, more)
    assert (end.state, end.why) == ("stopped", "tokens"), end
    end = resume_run(settings, more)
    assert (end.state, end.why) == ("done", "tests pass"), end
    assert len(server.bodies) == 9, "no answer was paid twice"
    with pytest.raises(InputError, match="over: done"):
        resume_run(settings, more)


def test_time_is_a_limit(replicate: Replicate, server: ModelServer) -> None:
    server.say(lambda body: Say(replica.papercoder(body), delay=0.3))
    _, end = replicate("papercoder", {"seconds": 0.1})
    assert (end.state, end.why) == ("stopped", "time")


def mended(*changes: dict[str, str]) -> dict[str, Any]:
    return {"cause": "who knows", "changes": list(changes)}


@pytest.mark.parametrize(
    ("mending", "repairs", "state", "why"),
    [
        (mended(), 5, "stuck", "no progress"),
        (mended({"path": "hitters.py", "old": "nowhere", "new": "x"}), 2, "failed", "repairs used up"),
        (mended({"path": "../out.py", "old": "", "new": "x"}), 2, "failed", "repairs used up"),
    ],
    ids=["nothing changes", "no such text", "outside"],
)
def test_repairs_that_bring_nothing_end_it(
    replicate: Replicate, server: ModelServer, mending: dict[str, Any], repairs: int, state: str, why: str
) -> None:
    def say(body: dict[str, Any]) -> dict[str, Any]:
        return mending if replica.kind(body) == "Mended" else replica.papercoder(body)

    server.say(say)
    folder, end = replicate("papercoder", {"repairs": repairs})
    assert (end.state, end.why, end.exit_code) == (state, why, 4), end
    assert end.coverage is not None
    assert not (folder.path / "out.py").exists()
    if mending["changes"]:
        assert "The last changes were not made" in replica.user(server.bodies[-1])


def test_a_language_that_is_not_had_is_refused(replicate: Replicate, server: ModelServer) -> None:
    with pytest.raises(InputError, match="give one of: python"):
        replicate("basic", language="rust")
    assert not server.bodies


def test_a_plan_that_cannot_be_carried_out_is_asked_for_again(replicate: Replicate, server: ModelServer) -> None:
    server.say({**replica.PLAN, "entry": "nowhere.py"})
    _, end = replicate("papercoder")
    assert (end.state, end.why) == ("failed", "no plan")
    assert "the entry 'nowhere.py' is none of the files" in replica.user(server.bodies[-1])


def test_replies_that_are_no_answer_end_it(replicate: Replicate, server: ModelServer) -> None:
    server.say("no JSON at all")
    _, end = replicate("papercoder")
    assert (end.state, end.why) == ("failed", "no answer")


def test_an_agent_that_only_repeats_itself_is_stuck(replicate: Replicate, server: ModelServer) -> None:
    server.say(replica.action("read_paper"))
    _, end = replicate("basic")
    assert (end.state, end.why) == ("stuck", "no progress")
    assert len(server.bodies) < 12
    said = ["asked before, and gave the same" in replica.user(body) for body in server.bodies[:3]]
    assert said == [False, False, True]


def test_finishing_with_what_does_not_pass_is_no_end(replicate: Replicate, server: ModelServer) -> None:
    server.say(replica.SPECIFY, lambda body: replica.action("finish", summary=f"step {len(server.bodies)}"))
    _, end = replicate("basic")
    assert (end.state, end.why) == ("failed", "not working")


@pytest.mark.parametrize("style", ["{number}", "{title}", "{number} {title}", "{number}. {title}", "§{number} {title}"])
def test_sections_come_first_as_a_plan_may_name_them(settings: Settings, style: str) -> None:
    with connect(settings) as connection:
        target = Target(Store(connection), "local:pagerank")
    number, _, title = next(line for line in target.outline.splitlines() if line.endswith("Space-Saving")).partition(
        " "
    )
    text = target.text(10**6, [style.format(number=number, title=title)])
    assert next(line for line in text.splitlines() if line[:2] == "##") == f"## {number} {title}"


def test_the_time_is_over_while_a_model_says_nothing(
    replicate: Replicate, server: ModelServer, settings: Settings
) -> None:
    server.say(Say("never", delay=30))
    slow = settings.llm.profiles["it"].model_copy(update={"timeout": 1.5, "tries": 9})
    begun = monotonic()
    _, end = replicate("basic", {"seconds": 2}, llm__profiles={"it": slow})
    assert (end.state, end.why) == ("stopped", "time"), end
    assert monotonic() - begun < 15
    assert len(server.bodies) <= 2

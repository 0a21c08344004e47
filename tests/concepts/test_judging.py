"""Close pairs: a model judges them, a curator has the last word, and rules alone leave them in the queue."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from servers.model import ModelServer, Saying, status

import xkg
from agents.llm import ProfileError
from kg.config import load_settings
from kg.errors import InputError
from kg.results.concept import Instance, RelationRow
from kg.review import Action, Word, decide_all
from kg.store import Store

pytestmark = pytest.mark.db

SAID = "A network learns to map a simulation's output to the posterior of its parameters from pairs of both."
SHORT, LONG = "Neural Posterior Estimation (NPE)", "Neural Posterior Estimation with Gradients"


def graph(title: str, name: str, said: str) -> dict[str, Any]:
    one = {"name": name, "description": said, "weight": 0.5, "code": None, "components": []}
    return {"paper_title": title, "paper_abstract": "", "paper_references": [], "techniques": [one]}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer().running() as running:
        yield running


@pytest.fixture
def pair(store: Store, server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Two papers with a close pair, and a model that may be asked."""
    for title, name, said in (("One", SHORT, SAID), ("Two", LONG, f"{SAID} Gradients of the simulator help.")):
        (tmp_path / f"{title}.json").write_text(json.dumps(graph(title, name, said)))
    profile = {"model": "m", "base_url": server.base_url, "replies": str(tmp_path / "replies")}
    monkeypatch.setenv("XKG_LLM_PROFILES", json.dumps({"local": profile}))
    load_settings.cache_clear()
    assert json.loads(run("import", "xkg-json", str(tmp_path), "--json").stdout)["concepts"]["relations_added"]
    yield tmp_path
    load_settings.cache_clear()


def run(*arguments: str) -> Result:
    return CliRunner().invoke(xkg.cli, arguments)


def told(store: Store) -> set[tuple[str, str]]:
    return {(row.type, row.decided_by) for row in store.rows(RelationRow, ids=None)}


def candidates() -> list[Any]:
    found = json.loads(run("concept", "candidates", "--json").stdout)
    assert isinstance(found, list)
    return found


def answer(
    relation: str, first: str = "map a simulation's output", second: str = "map a  simulation's output"
) -> Saying:
    return {"first": first, "second": second, "why": "one adds gradients", "relation": relation}


def ask(server: ModelServer, said: Saying) -> Result:
    server.say(said)
    return run("concept", "refresh", "--profile", "local", "--json")


def test_without_a_model_the_pair_waits(pair: Path, store: Store, server: ModelServer) -> None:
    assert run("concept", "refresh").exit_code == 0
    assert told(store) == {("VARIANT_OF", "rules")}
    (item,) = candidates()
    assert (item["name"], item["other"]["name"]) == ("Neural Posterior Estimation", LONG)
    assert (item["definition"], item["other"]["title"]) == (SAID, "Two")
    assert item == json.loads(run("corpus", "review", "--kind", "merge", "--json").stdout)[0]
    assert server.bodies == []


@pytest.mark.parametrize(
    ("relation", "type_", "joined"),
    [
        ("same", "SAME_AS", 2),
        ("first is a variant", "VARIANT_OF", 0),
        ("second is a variant", "VARIANT_OF", 0),
        ("similar", "SIMILAR_TO", 0),
        ("different", "DIFFERS_FROM", 0),
    ],
)
def test_what_a_model_says_stands(
    pair: Path, store: Store, server: ModelServer, relation: str, type_: str, joined: int
) -> None:
    result = ask(server, answer(relation))
    assert json.loads(result.stdout)["judged"]["judged"] == {relation: 1}
    assert result.exit_code == 0
    body = str(server.bodies[0]["messages"])
    assert "Gradients of the simulator help" in body
    for _ in range(2):
        assert told(store) == {(type_, "model")}
        assert [i.decided_by for i in store.rows(Instance, ids=None)] == ["model"] * joined
        assert run("concept", "refresh", "--whole").exit_code == 0
    assert ask(server, status(500)).exit_code == 0
    assert len(server.bodies) == 1
    assert len(candidates()) == joined / 2


def test_a_curator_has_the_last_word(pair: Path, store: Store, server: ModelServer) -> None:
    ask(server, answer("same"))
    (item,) = candidates()
    said = run("concept", "reject", item["id"], "--who", "someone", "--why", "they differ", "--json")
    assert json.loads(said.stdout)["result"] == "done"
    concepts = {(i.concept, i.decided_by) for i in store.rows(Instance, ids=None)}
    assert {by for _, by in concepts} == {"curator"}
    assert len(concepts) == 2
    assert ask(server, answer("same")).exit_code == 0
    assert {(i.concept, i.decided_by) for i in store.rows(Instance, ids=None)} == concepts
    assert candidates() == []
    assert isinstance(run("concept", "accept", item["id"], "--why", "no").exception, InputError)
    assert len(server.bodies) == 1


@pytest.mark.parametrize(("action", "relation", "concepts"), [("accept", "different", 1), ("reject", "same", 2)])
def test_a_pair_that_a_curator_decides_while_a_model_is_asked_is_his(
    pair: Path, store: Store, server: ModelServer, action: Action, relation: str, concepts: int
) -> None:
    (item,) = candidates()

    def meanwhile(_: dict[str, Any]) -> Saying:
        (applied,) = decide_all(
            store, [Word(item=item["id"], action=action)], who="someone", when="2026-01-01T00:00:00Z"
        )
        assert applied.result == "done"
        return answer(relation)

    server.say(meanwhile)
    result = run("concept", "refresh", "--profile", "local", "--json")
    assert result.exit_code == 0
    assert {by for _, by in told(store)} <= {"rules"}
    assert len({(i.concept, i.decided_by) for i in store.rows(Instance, ids=None)}) == concepts
    judged = json.loads(result.stdout)["judged"]
    assert (judged["asked"], judged["judged"], judged["overtaken"]) == (1, {}, 1)


def test_what_is_said_of_words_that_change_meanwhile_is_not_written(
    pair: Path, store: Store, server: ModelServer
) -> None:
    (item,) = candidates()

    def meanwhile(_: dict[str, Any]) -> Saying:
        store.write("review/name_technique", technique=item["technique"], name="Amortized Inference", word={})
        return answer("same")

    server.say(meanwhile)
    result = run("concept", "refresh", "--profile", "local", "--json")
    assert json.loads(result.stdout)["judged"]["overtaken"] == 1
    assert {by for _, by in told(store)} <= {"rules"}
    assert store.rows(Instance, ids=None) == []


def test_a_technique_that_a_curator_named_keeps_its_definition(pair: Path, store: Store, server: ModelServer) -> None:
    (item,) = candidates()
    word = {"extraction_method": "curator"}
    store.write("review/name_technique", technique=item["technique"], name=item["name"], word=word)
    assert candidates() == [item]
    assert ask(server, answer("same")).exit_code == 0
    assert str(server.bodies[0]["messages"]).count("to the posterior of its parameters") == 2


def test_a_pair_without_a_definition_waits(pair: Path, store: Store, server: ModelServer) -> None:
    for title, name in (("One", SHORT), ("Two", LONG)):
        (pair / f"{title}.json").write_text(json.dumps(graph(title, name, "")))
    run("import", "xkg-json", str(pair))
    assert len(candidates()) == 1
    assert ask(server, answer("same", "neural posterior", "neural posterior")).exit_code == 0
    assert server.bodies == []
    assert len(candidates()) == 1


def test_a_short_definition_can_be_quoted(pair: Path, store: Store, server: ModelServer) -> None:
    for title, name in (("One", SHORT), ("Two", LONG)):
        (pair / f"{title}.json").write_text(json.dumps(graph(title, name, "A flow.")))
    run("import", "xkg-json", str(pair))
    assert ask(server, answer("same", first="A  flow.", second="flow")).exit_code == 4
    assert ("SAME_AS", "model") not in told(store)
    shutil.rmtree(pair / "replies")
    assert ask(server, answer("same", first="A  flow.", second="a flow.")).exit_code == 0
    assert told(store) == {("SAME_AS", "model")}


def test_with_a_blacklist_and_a_model_nothing_is_written(
    pair: Path, store: Store, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (row,) = store.rows(RelationRow, ids=None)
    store.write("concept/drop_relations", rows=[row.model_dump(include={"one", "other", "type"})])
    (pair / "blacklist.txt").write_text("https://github.com/someone/thing\n")
    monkeypatch.setenv("XKG_BLACKLIST", json.dumps([str(pair / "blacklist.txt")]))
    load_settings.cache_clear()
    result = run("concept", "refresh", "--whole", "--profile", "local")
    assert isinstance(result.exception, InputError)
    assert told(store) == set()
    assert isinstance(run("concept", "refresh", "--whole", "--profile", "unknown").exception, ProfileError)
    assert told(store) == set()
    assert run("concept", "refresh", "--whole", "--no-model").exit_code == 0
    assert told(store) == {("VARIANT_OF", "rules")}


def test_accepting_joins_under_a_name(pair: Path, store: Store) -> None:
    (item,) = candidates()
    assert run("concept", "accept", item["id"], "--name", "NPE", "--why", "one thing").exit_code == 0
    assert {(i.concept, i.decided_by) for i in store.rows(Instance, ids=None)} == {("npe", "curator")}
    assert told(store) == set()
    assert isinstance(run("concept", "accept", "0" * 12, "--why", "x").exception, InputError)


def test_other_questions_are_not_decided_here(pair: Path, store: Store) -> None:
    (pair / "Three.json").write_text(json.dumps(graph("Three", "Outer", SAID)))
    run("import", "xkg-json", str(pair))
    (asked,) = json.loads(run("corpus", "review", "--kind", "name", "--json").stdout)
    for action in ("accept", "reject"):
        refused = run("concept", action, asked["id"], "--why", "x").exception
        assert isinstance(refused, InputError)
        assert "is no question of two techniques" in str(refused)
    assert json.loads(run("corpus", "review", "--kind", "name", "--json").stdout) == [asked]


@pytest.mark.parametrize(
    "said",
    [answer("same", first="never written there"), answer("same", second=f"name: {LONG}"), "no JSON", status(400)],
)
def test_an_answer_that_cannot_be_used_changes_nothing(
    pair: Path, store: Store, server: ModelServer, said: Saying
) -> None:
    server.say(said)
    result = run("concept", "refresh", "--profile", "local", "--json")
    assert result.exit_code == 4
    assert told(store) == {("VARIANT_OF", "rules")}
    assert len(candidates()) == 1


def test_an_answer_that_was_refused_before_is_no_failure_again(pair: Path, store: Store, server: ModelServer) -> None:
    assert ask(server, answer("same", first="never written there")).exit_code == 4
    again = ask(server, answer("same"))
    judged = json.loads(again.stdout)["judged"]
    assert (again.exit_code, judged["refused"], judged["left"]) == (0, 0, 1)
    assert len(server.bodies) == len(candidates()) == 1
    (pair / "One.json").write_text(json.dumps(graph("One", SHORT, f"{SAID} And more.")))
    run("import", "xkg-json", str(pair))
    assert json.loads(ask(server, answer("same")).stdout)["judged"]["judged"] == {"same": 1}


def test_what_a_model_said_ends_with_the_words_it_was_said_of(pair: Path, store: Store, server: ModelServer) -> None:
    ask(server, answer("different"))
    (pair / "Two.json").write_text(json.dumps(graph("Two", LONG, f"{SAID} Another sentence.")))
    run("import", "xkg-json", str(pair))
    assert told(store) == {("VARIANT_OF", "rules")}
    assert len(candidates()) == 1

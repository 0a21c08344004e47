"""A file that was edited, or is another home's, earns no verdict; one's own comes back as it was."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from exports import Item, edited
from judgements import RUN, STEP, ask, evidence, execution, judgement, text_of, verdict, verify
from store_records import paper

from kg.audit import audit_graph
from kg.backup import ImportReport, export_graph, import_graph
from kg.cli.graph import graph_export, graph_import
from kg.config import Settings
from kg.connection import Connection
from kg.models.execution import Execution
from kg.store import Store
from kg.verdicts import LogStore, open_logs, sha256_of, write_judgement
from kg.write import write_paper

pytestmark = pytest.mark.db


@pytest.fixture
def own(store: Store, connection: Connection, logs: LogStore, tmp_path: Path) -> Path:
    """This home's export: RUN is verified, and was so before; STEP has failed. The graph is still there."""
    write_paper(store, paper())
    verify(store, connection, logs, reason="the first time")
    text = text_of(connection, RUN)
    again = execution(logs, text, environment="e2")
    write_judgement(store, judgement(RUN, again), evidence(text), logs)
    text = text_of(connection, STEP)
    failed = execution(logs, text, exit_code=1)
    write_judgement(store, judgement(STEP, failed, verdict="failed", reason="1 == 2"), evidence(text), logs)
    export_graph(store, tmp_path / "own.jsonl", logs=logs)
    return tmp_path / "own.jsonl"


def test_ones_own_comes_back_as_it_was(store: Store, logs: LogStore, own: Path) -> None:
    for mode in ("replace", "merge"):
        report = import_graph(store, own, mode, logs=logs)  # type: ignore[arg-type]
        assert (report.demoted, report.claims_dropped) == ({}, 0)
        export_graph(store, own.with_name("again.jsonl"), logs=logs)
        assert own.with_name("again.jsonl").read_bytes() == own.read_bytes()
    assert audit_graph(store, logs=logs) == ()


def code(items: list[Item], name: str = RUN) -> Item:
    (found,) = (item for item in items if item.get("id") == name)
    properties: Item = found["properties"]
    return properties


def current(items: list[Item], name: str = RUN) -> Item:
    """The edge to the execution that code rests on."""
    (found,) = (
        item for item in items
        if item.get("edge") == "VERIFIED_BY" and item["start"][1] == name and item["properties"]["current"]
    )  # fmt: skip
    return found


def run_of(items: list[Item], name: str = RUN) -> Item:
    (found,) = (item for item in items if item.get("id") == current(items, name)["end"][1])
    properties: Item = found["properties"]
    return properties


def without(name: str) -> Callable[[list[Item]], object]:
    return lambda items: code(items).pop(name)


def said(**more: Any) -> Callable[[list[Item]], object]:
    return lambda items: code(items).update(more)


def ran(**more: Any) -> Callable[[list[Item]], object]:
    return lambda items: run_of(items).update(more)


def other_text(items: list[Item]) -> None:
    """Everywhere."""
    sha256 = sha256_of("x = 1")
    code(items).update(implementation="x = 1", text_sha256=sha256, code_sha256=sha256)
    rehashed(items, code_sha256=sha256)


def rehashed(items: list[Item], **more: Any) -> None:
    """The execution that RUN rests on changed, under the id that it must have then."""
    (node,) = (item for item in items if item.get("id") == current(items)["end"][1])
    properties = node["properties"]
    properties.update(more)
    pairs = {
        "packages": dict(text.partition(" ")[::2] for text in properties["packages"]),
        "enforced": dict(text.partition(": ")[::2] for text in properties["enforced"]),
    }
    kept = {key: value for key, value in properties.items() if key in Execution.model_fields}
    node["id"] = current(items)["end"][1] = Execution.model_validate({**kept, **pairs, "id": ""}).hash


def dropped(items: list[Item]) -> None:
    gone = current(items)["end"][1]
    items[:] = [i for i in items if i.get("id") != gone and i.get("end", ["", ""])[1] != gone]


def copied(items: list[Item]) -> None:
    """STEP gets all that RUN has, but for its text."""
    mine, theirs = code(items, STEP), code(items)
    current(items, STEP)["properties"]["current"] = False
    for key in ("verdict", "verdict_reason", "verdict_seal", "code_sha256", "test_sha256", "killed", "mutants"):
        mine[key] = theirs[key]
    items.append({**current(items), "start": ["Code", STEP]})


def flipped(items: list[Item]) -> None:
    code(items, STEP)["verdict"] = current(items, STEP)["properties"]["verdict"] = "verified"
    run_of(items, STEP)["exit_code"] = 0


def twice(items: list[Item]) -> None:
    items.append(current(items))


def elsewhere(items: list[Item], name: str = RUN) -> None:
    """Code from another repository than its own."""
    (edge,) = (i for i in items if i.get("edge") == "FROM_REPOSITORY" and i["start"][1] == name)
    edge["end"] = ["Repository", "github:someone/famous"]
    items.append({"node": "Repository", "id": "github:someone/famous", "properties": {"name": "famous"}})


FORGERIES: dict[str, tuple[Callable[[list[Item]], object], str, str]] = {
    "the verdict alone": (lambda items: code(items, STEP).update(verdict="verified"), STEP, "not passed"),
    "verdict, edge and exit code": (flipped, STEP, "altered"),
    "counts": (said(mutants=4), RUN, "altered"),
    "killed": (said(killed=5), RUN, "altered"),
    "more killed than there are": (said(killed=9), RUN, "weak test"),
    "no assertion": (said(killed_by_assertion=0), RUN, "weak test"),
    "no number": (said(killed="all"), RUN, "incomplete"),
    "the reason": (said(verdict_reason="all is well"), RUN, "altered"),
    "the date": (said(verdict_date="2030-01-01T00:00:00+00:00"), RUN, "other verdict"),
    "the program": (without("verdict_program"), RUN, "incomplete"),
    "the basis": (said(verdict_basis=["needs 9"]), RUN, "altered"),
    "the text": (said(implementation="x = 1"), RUN, "other text"),
    "the text and its hash": (said(implementation="x = 1", text_sha256=sha256_of("x = 1")), RUN, "other code"),
    "the text, everywhere": (other_text, RUN, "altered"),
    "the module": (said(module="{}"), RUN, "other module"),
    "the test": (said(test_sha256="x"), RUN, "other test"),
    "no seal": (without("verdict_seal"), RUN, "judged elsewhere"),
    "exit code": (ran(exit_code=1), RUN, "not passed"),
    "signal": (ran(signal=9), RUN, "not passed"),
    "sandbox": (ran(backend="docker"), RUN, "another execution"),
    "sandbox and id": (lambda items: rehashed(items, backend="docker"), RUN, "altered"),
    "log": (ran(log="0" * 64), RUN, "altered"),
    "no execution": (dropped, RUN, "no execution"),
    "not current": (lambda i: current(i)["properties"].update(current=False), RUN, "no execution"),
    "the edge says otherwise": (lambda i: current(i)["properties"].update(verdict="failed"), RUN, "other verdict"),
    "two edges": (twice, RUN, "several executions"),
    "another repository": (elsewhere, RUN, "other repository"),
    "another's execution": (copied, STEP, "other code"),
    "another word": (lambda items: code(items, STEP).update(verdict="Verified"), STEP, "no verdict"),
    "a list": (lambda items: code(items, STEP).update(verdict=["verified"]), STEP, "no verdict"),
}


@pytest.mark.parametrize("name", FORGERIES)
@pytest.mark.parametrize("mode", ["replace", "merge"])
def test_what_was_edited_is_demoted(
    name: str, mode: str, store: Store, connection: Connection, logs: LogStore, own: Path
) -> None:
    edit, victim, ground = FORGERIES[name]
    file = edited(own, edit)
    if mode == "merge":
        connection.driver.execute_query("MATCH (n:Code|Execution) DETACH DELETE n")
    report = import_graph(store, file, mode, logs=logs)  # type: ignore[arg-type]
    assert report.demoted == {ground: 1}
    (found,) = ask(connection, "MATCH (c:Code {id: $id}) RETURN properties(c)", id=victim)
    assert (found["verdict"], found["verdict_doubt"]) == ("unverified", ground)
    assert "`xkg code verify` runs it here" in found["verdict_reason"]
    assert not found.keys() & {"killed", "mutants", "verdict_program", "verdict_seal", "module", "text_sha256"}
    assert ask(connection, "MATCH (:Code {id: $id})-[r:VERIFIED_BY {current: true}]->() RETURN r", id=victim) == []
    assert [f for f in audit_graph(store, logs=logs) if f.check == "unfounded verdicts"] == []
    if victim == STEP:
        assert verdict(connection)[0] == "verified", "and nobody else loses anything"
    verify(store, connection, logs, victim)
    (found,) = ask(connection, "MATCH (c:Code {id: $id}) RETURN properties(c)", id=victim)
    assert (found["verdict"], found.get("verdict_doubt")) == ("verified", None)


MISPLACED: dict[str, Callable[[list[Item]], object]] = {
    "a technique": lambda items: next(i for i in items if i.get("node") == "Technique")["properties"].update(
        verdict="verified"
    ),
    "a candidate": lambda items: next(i for i in items if i.get("edge") == "IMPLEMENTED_BY")["properties"].update(
        verdict="verified"
    ),
    "an edge of another kind": lambda items: items.append(
        {"edge": "VERIFIED_BY", "start": ["Code", RUN], "end": ["Code", STEP], "properties": {"verdict": "verified"}}
    ),
    "a former execution": lambda items: items.append(
        {**current(items), "start": ["Code", STEP], "properties": {"current": False, "verdict": "verified"}}
    ),
    "a repository that it is not from": lambda items: elsewhere(items, STEP),
    "another word on an edge": lambda items: current(items, STEP)["properties"].update(verdict="Verified"),
}


@pytest.mark.parametrize("name", MISPLACED)
def test_a_verdict_where_none_belongs_is_dropped(name: str, store: Store, logs: LogStore, own: Path) -> None:
    report = import_graph(store, edited(own, MISPLACED[name]), "replace", logs=logs)
    assert (report.demoted, report.claims_dropped) == ({}, 1)
    assert [f for f in audit_graph(store, logs=logs) if f.check == "unfounded verdicts"] == []


def test_another_homes_file_is_a_claim_unless_its_key_is_known(
    store: Store, connection: Connection, logs: LogStore, own: Path, tmp_path: Path
) -> None:
    here = LogStore(tmp_path / "here")
    report = import_graph(store, own, "replace", logs=here)
    assert (report.demoted, report.claims_dropped) == ({"judged elsewhere": 1}, 0)
    assert verdict(connection)[0] == "unverified"
    assert "not judged in this home" in verdict(connection)[1]
    assert verdict(connection, STEP) == ("failed", "1 == 2")
    edges = ask(connection, "MATCH ()-[r:VERIFIED_BY]->() RETURN DISTINCT [r.current, r.verdict]")
    assert sorted(edges) == [[False, "failed"], [False, "unverified"]]
    assert import_graph(store, own, "replace").demoted == {"judged elsewhere": 1}
    (here.folder / "keys").mkdir(parents=True)
    shutil.copy(logs.folder / "key", here.folder / "keys/elsewhere")
    assert import_graph(store, own, "replace", logs=here).demoted == {}
    assert verdict(connection)[0] == "verified"
    assert (logs.folder / "key").stat().st_mode & 0o077 == 0


def test_a_merge_leaves_what_was_judged_here(store: Store, connection: Connection, logs: LogStore, own: Path) -> None:
    """An older export neither brings back a verdict nor puts another execution under one."""
    text = text_of(connection, RUN)
    newer = execution(logs, text, environment="e3")
    write_judgement(store, judgement(RUN, newer, reason="anew"), evidence(text), logs)
    failed = execution(logs, text_of(connection, STEP))
    write_judgement(store, judgement(STEP, failed, reason="mended"), evidence(text_of(connection, STEP)), logs)
    assert import_graph(store, own, "merge", logs=logs).demoted == {}
    assert verdict(connection) == ("verified", "anew")
    assert verdict(connection, STEP) == ("verified", "mended")
    assert audit_graph(store, logs=logs) == ()


def test_a_merge_brings_no_other_repository(store: Store, connection: Connection, logs: LogStore, own: Path) -> None:
    def edit(items: list[Item]) -> None:
        code(items)["verdict"] = "unverified"
        elsewhere(items)

    import_graph(store, edited(own, edit), "merge", logs=logs)
    homes = ask(connection, "MATCH (:Code {id: $id})-[:FROM_REPOSITORY]->(r) RETURN r.id", id=RUN)
    assert homes == ["github:someone/repo1"]
    assert verdict(connection)[0] == "verified"


def test_a_merge_does_not_believe_an_execution_that_has_failed_since_for_another_home(
    store: Store, connection: Connection, logs: LogStore, own: Path, tmp_path: Path
) -> None:
    text, there = text_of(connection, RUN), LogStore(tmp_path / "there")
    failed = execution(there, text, environment="e2", exit_code=1)
    write_judgement(store, judgement(RUN, failed, verdict="failed", reason="again"), evidence(text), there)
    ask(connection, "MATCH (c:Code {id: $id}) DETACH DELETE c RETURN 1", id=RUN)
    report: ImportReport = import_graph(store, own, "merge", logs=logs)
    assert report.demoted == {"not passed": 1}
    assert verdict(connection)[0] == "unverified"
    assert [f for f in audit_graph(store, logs=logs) if f.check == "unfounded verdicts"] == []


def test_the_commands_say_what_was_not_taken_over(
    store: Store, connection: Connection, server_settings: Settings, tmp_path: Path
) -> None:
    write_paper(store, paper())
    verify(store, connection, open_logs(server_settings))
    file = tmp_path / "graph.jsonl"
    CliRunner().invoke(graph_export, [str(file)], catch_exceptions=False)
    edited(file, lambda items: code(items).update(killed=5))
    words = [str(file.with_name("edited.jsonl")), "--replace"]
    done = CliRunner().invoke(graph_import, words, catch_exceptions=False)
    assert "called verified there, unverified here until `xkg code verify` has run it: 1 altered" in done.stdout
    assert f"  Code {RUN}: it was altered since it was judged\n" in done.stdout
    done = CliRunner().invoke(graph_import, [*words, "--json"], catch_exceptions=False)
    report = json.loads(done.stdout)
    assert report["demoted"] == {"altered": 1}
    assert [one["what"] for one in report["unverified"]] == [f"Code {RUN}"]
    done = CliRunner().invoke(graph_import, [str(file), "--replace", "--json"], catch_exceptions=False)
    assert json.loads(done.stdout)["demoted"] == {}
    assert verdict(connection)[0] == "verified"
    done = CliRunner().invoke(graph_import, [str(file), "--merge"], catch_exceptions=False)
    report = json.loads(CliRunner().invoke(graph_import, [str(file), "--merge", "--json"]).stdout)
    assert report["nodes_added"] == 0
    assert len(report["present"]) == report["nodes"] > 6
    assert f"nodes left as they are: {report['nodes']}\n" in done.stdout
    named = [f"  {one['what']}: it is in the graph already" for one in report["present"][:5]]
    assert done.stdout.splitlines()[-6:] == [*named, f"  and {report['nodes'] - 5} more (--json names all)"]


@pytest.mark.parametrize("name", MISPLACED)
def test_what_is_dropped_is_named_with_its_reason(name: str, store: Store, logs: LogStore, own: Path) -> None:
    (dropped,) = import_graph(store, edited(own, MISPLACED[name]), "replace", logs=logs).dropped
    what, why = {
        "a technique": ("Technique ", "no such node has a verdict"),
        "a candidate": ("IMPLEMENTED_BY from ", "no such edge has a verdict"),
        "an edge of another kind": (f"VERIFIED_BY from {RUN} to {STEP}", "no such edge has a verdict"),
        "a former execution": (f"VERIFIED_BY from {STEP} to ", "its verdict was not sealed here"),
        "a repository that it is not from": (f"FROM_REPOSITORY from {STEP} to ", "its id names another repository"),
        "another word on an edge": (f"VERIFIED_BY from {STEP} to ", "its verdict was not sealed here"),
    }[name]
    assert dropped.what.startswith(what)
    assert dropped.why == why

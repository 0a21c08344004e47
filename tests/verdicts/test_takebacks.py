"""A verdict that a home has taken back does not come again: by no copy of what the graph said, by no old export."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from judgements import PLACES, RUN, STEP, ask, evidence, execution, judgement, text_of, verdict, verify
from store_records import paper
from test_staleness import edited, moved

from kg.audit import audit_graph
from kg.backup import export_graph, import_graph
from kg.connection import Connection
from kg.errors import ServiceError
from kg.store import Store
from kg.verdicts import LogStore, write_judgement
from kg.verdicts.takebacks import TakenBack
from kg.write import write_paper

db = pytest.mark.db

Graph = tuple[Store, Connection, LogStore]

OTHER_TEXT = "def run():\n    return 4\n"
COPY = (
    "MATCH (c:Code {id: $id})-[r:VERIFIED_BY {current: true}]->(e:Execution) "
    "RETURN {code: properties(c), edge: properties(r), run: properties(e)}"
)
PUT_BACK = (
    "MERGE (c:Code {id: $id}) SET c = $code MERGE (e:Execution {id: $run.id}) SET e = $run WITH c, e "
    "CALL (c) { MATCH (c)-[o:VERIFIED_BY]->() DELETE o } MERGE (c)-[r:VERIFIED_BY]->(e) SET r = $edge RETURN 1"
)


@pytest.fixture
def graph(store: Store, connection: Connection, logs: LogStore) -> Graph:
    """RUN is verified."""
    write_paper(store, paper(), logs=logs)
    verify(store, connection, logs)
    return store, connection, logs


def copied(graph: Graph, code: str = RUN) -> dict[str, Any]:
    """All that the graph says of a verdict."""
    (copy,) = ask(graph[1], COPY, id=code)
    return dict(copy)


def put_back(graph: Graph, copy: dict[str, Any], **place: Any) -> None:
    """Let the graph say it again; `place` are properties that the code is to have now."""
    code = {**copy["code"], **place}
    ask(graph[1], PUT_BACK, id=code["id"], code=code, edge=copy["edge"], run=copy["run"])
    assert verdict(graph[1], code["id"])[0] == "verified"


def unfounded(graph: Graph) -> list[tuple[str, str]]:
    return [(f.id, f.detail) for f in audit_graph(graph[0], logs=graph[2]) if f.check == "unfounded verdicts"]


TAKEN_BACK = "is called verified, but this home has taken it back since, or judged the code anew"


def failed_anew(graph: Graph) -> None:
    store, connection, logs = graph
    text = text_of(connection, RUN)
    failed = execution(logs, text, environment="e2", exit_code=1)
    write_judgement(store, judgement(RUN, failed, verdict="failed", reason="1 == 2"), evidence(text), logs)


def unverified_anew(graph: Graph) -> None:
    store, connection, logs = graph
    weak = judgement(RUN, None, verdict="unverified", reason="no test reaches it", kind=None, mutants=0, killed=0)
    write_judgement(store, weak, evidence(text_of(connection, RUN)), logs)


def verified_anew(graph: Graph) -> None:
    """With what it says of the strength of its test."""
    verify(graph[0], graph[1], graph[2], killed=3)


def changed(graph: Graph) -> None:
    write_paper(graph[0], edited(paper(), text=OTHER_TEXT), logs=graph[2])


def changed_tests(graph: Graph) -> None:
    places = {**PLACES, "read tests/test_core.py": "other"}
    write_paper(graph[0], paper().model_copy(update={"places": places}), logs=graph[2])


def gone(graph: Graph) -> None:
    record = paper()
    units = tuple(u for u in record.units if u.symbol != "run")
    without = record.model_copy(update={"units": units, "groundings": (), "calls": ()})
    write_paper(graph[0], without, logs=graph[2])


def failed_for_another(graph: Graph) -> None:
    """STEP has the same text and rests on the same execution, which fails when it is run for STEP."""
    store, connection, logs = graph
    ask(connection, "MATCH (a:Code {id: $a}), (b:Code {id: $b}) SET b.implementation = a.implementation", a=RUN, b=STEP)
    text = text_of(connection, RUN)
    again = execution(logs, text, exit_code=1)
    write_judgement(store, judgement(STEP, again, verdict="failed"), evidence(text), logs)


EVENTS: dict[str, Callable[[Graph], None]] = {
    "judged anew, it failed": failed_anew,
    "judged anew, it is unverified": unverified_anew,
    "judged anew, it is verified": verified_anew,
    "its code has changed": changed,
    "its test has changed": changed_tests,
    "it is gone": gone,
    "its execution failed for another": failed_for_another,
}


@db
@pytest.mark.parametrize("event", EVENTS)
def test_what_was_taken_back_does_not_come_again(event: str, graph: Graph) -> None:
    before = copied(graph)
    EVENTS[event](graph)
    assert unfounded(graph) == []
    put_back(graph, before)
    assert unfounded(graph) == [(RUN, TAKEN_BACK)]


@db
@pytest.mark.parametrize("event", ["judged anew, it failed", "judged anew, it is unverified", "its code has changed"])
@pytest.mark.parametrize(
    "how", ["c.verdict_seal = null", "c.verdict = 'unverified', c.verdict_program = null, c.verdict_seal = null"]
)
def test_nor_what_was_hidden_meanwhile(how: str, event: str, graph: Graph) -> None:
    before = copied(graph)
    ask(graph[1], f"MATCH (c:Code {{id: $id}}) SET {how} RETURN 1", id=RUN)
    EVENTS[event](graph)
    put_back(graph, before)
    assert unfounded(graph) == [(RUN, TAKEN_BACK)]


@db
def test_a_verdict_of_one_commit_is_none_of_another(graph: Graph) -> None:
    """Code that was first ingested at a later commit, too, has no judgement of a former one."""
    store, _, logs = graph
    before = copied(graph)
    write_paper(store, moved(edited(paper(), text=OTHER_TEXT)), logs=logs)
    later = RUN.replace("@c1", "@c9")
    put_back(graph, before, id=later, commit="c9")
    assert [code for code, _ in unfounded(graph)] == [later]


@db
def test_the_same_judgement_made_again_counts(graph: Graph) -> None:
    """Within one second, of the same code, saying the same."""
    store, connection, logs = graph
    first = copied(graph)
    for record in (edited(paper(), text=OTHER_TEXT), paper()):
        write_paper(store, record, logs=logs)
    verify(store, connection, logs)
    again = copied(graph)
    assert again["code"]["verdict_date"] == first["code"]["verdict_date"]
    assert unfounded(graph) == []
    put_back(graph, first)
    assert unfounded(graph) == [(RUN, TAKEN_BACK)]
    put_back(graph, again)
    assert unfounded(graph) == []


@db
@pytest.mark.parametrize("mode", ["replace", "merge"])
def test_an_old_export_brings_back_no_more_than_holds(mode: Any, graph: Graph, tmp_path: Path) -> None:
    store, connection, logs = graph
    verify(store, connection, logs, STEP)
    export_graph(store, tmp_path / "old.jsonl", logs=logs)
    assert import_graph(store, tmp_path / "old.jsonl", "replace", logs=logs).demoted == {}
    assert (verdict(connection)[0], unfounded(graph)) == ("verified", []), "with nothing between it holds"
    record = edited(paper(), text=OTHER_TEXT).model_copy(update={"places": PLACES})
    for commit in ("c2", "c9"):  # by the first it is only moved
        repository = paper().repository
        assert repository
        at = repository.model_copy(update={"commit": commit})
        source = record if commit == "c9" else paper().model_copy(update={"places": PLACES})
        write_paper(store, source.model_copy(update={"repository": at}), logs=logs)
    assert verdict(connection, RUN.replace("@c1", "@c9"))[0] == "stale"
    report = import_graph(store, tmp_path / "old.jsonl", mode, logs=logs)
    assert report.demoted == {"taken back": 1}
    assert verdict(connection) == (
        "unverified",
        "called verified where it came from, but this home has taken it back since, or judged the code anew; "
        "`xkg code verify` runs it here",
    )
    assert verdict(connection, STEP)[0] == "verified", "what did not change keeps its verdict"
    assert unfounded(graph) == []
    verify(store, connection, logs)
    assert (verdict(connection)[0], unfounded(graph)) == ("verified", [])


@db
def test_nothing_is_taken_back_by_what_is_only_planned(graph: Graph) -> None:
    write_paper(graph[0], edited(paper(), text=OTHER_TEXT), dry_run=True, logs=graph[2])
    assert unfounded(graph) == []


@db
def test_nothing_is_written_that_could_not_be_noted(graph: Graph) -> None:
    _, connection, logs = graph
    noted = logs.folder / "taken-back"
    noted.rename(kept := noted.with_name("kept"))
    noted.mkdir()
    with pytest.raises(ServiceError, match="taken back of verdicts can't be"):
        changed(graph)
    noted.rmdir()
    kept.rename(noted)
    assert text_of(connection, RUN) != OTHER_TEXT
    assert (verdict(connection)[0], unfounded(graph)) == ("verified", [])


def test_a_number_is_greater_than_all_that_is_taken_back(tmp_path: Path) -> None:
    noted = TakenBack(tmp_path / "logs" / "list")
    first, second = noted.number(), noted.number()
    assert first < second
    noted.add([first], ["here"])
    assert noted.covers(first, "elsewhere")
    assert noted.covers(second, "here"), "it is older than what took its place"
    assert not noted.covers(second, "elsewhere")
    noted.add(["f" * 20])
    assert noted.number().startswith(first[:4]), "what a graph calls a number sets no clock"
    late = "2" + "0" * 19
    with noted.place.open("a") as file:
        file.write(f"{'0' * 20} {late}\n")
    assert TakenBack(noted.place).number() > late, "wherever the clock has gone"
    assert noted.place.stat().st_mode & 0o077 == 0


def test_a_line_that_a_crash_has_cut_hides_no_other(tmp_path: Path) -> None:
    noted, reader = TakenBack(tmp_path / "list"), TakenBack(tmp_path / "list")
    numbers = [noted.number() for _ in range(3)]
    noted.add(numbers[:1])
    assert reader.covers(numbers[0], "")
    with noted.place.open("ab") as file:
        file.write(f"{numbers[1]} {numbers[1][:7]}".encode())
    assert not reader.covers(numbers[1], "")
    noted.add(numbers[2:])
    assert [reader.covers(number, "") for number in numbers] == [True, False, True]
    assert [TakenBack(noted.place).covers(number, "") for number in numbers] == [True, False, True]


def test_many_may_note_at_once(tmp_path: Path) -> None:
    def note(_: int) -> list[str]:
        mine = TakenBack(tmp_path / "list")
        numbers = [mine.number() for _ in range(20)]
        mine.add(numbers)
        return numbers

    with ThreadPoolExecutor(16) as pool:
        numbers = [number for some in pool.map(note, range(64)) for number in some]
    reader = TakenBack(tmp_path / "list")
    assert len(set(numbers)) == 64 * 20
    assert all(reader.covers(number, "") for number in numbers)


def test_what_a_graph_calls_a_number_adds_no_line_of_its_own(tmp_path: Path) -> None:
    taken = TakenBack(tmp_path / "taken-back")
    real = taken.number()
    taken.add(["é", "x\nforged line", real])
    assert taken.covers(real, "nowhere")
    assert (tmp_path / "taken-back").read_text().split() == [real, real]

"""Code says its verdict by a label beside Code, whatever gives or takes the verdict."""

from pathlib import Path

import pytest
from judgements import RUN, STEP, ask, evidence, execution, judgement, text_of, verify
from store_records import paper

import cypher
from kg.audit import audit_graph
from kg.backup import export_graph, import_graph
from kg.connection import Connection
from kg.store import Store
from kg.verdicts import LogStore, write_judgement
from kg.write import write_paper

pytestmark = pytest.mark.db


def labels(connection: Connection, code: str = RUN) -> set[str]:
    (found,) = ask(connection, "MATCH (c:Code {id: $id}) RETURN labels(c)", id=code)
    return set(found)


def test_a_verdict_and_its_end_are_labels(store: Store, connection: Connection, logs: LogStore) -> None:
    write_paper(store, paper())
    assert labels(connection) == {"Code"}
    verify(store, connection, logs)
    assert labels(connection) == {"Code", "Verified"}
    write_paper(store, paper())
    assert labels(connection) == {"Code", "Verified"}, "an ingest that changes nothing leaves it"
    assert not [found for found in audit_graph(store) if found.severity == "error" and found.id == RUN]

    text = text_of(connection, RUN)
    failed = execution(logs, text, environment="e0", exit_code=1)
    write_judgement(store, judgement(RUN, failed, verdict="failed", reason="1 == 2"), evidence(text), logs)
    assert labels(connection) == {"Code", "Failed"}
    untried = judgement(RUN, None, verdict="unverified", reason="no environment", kind=None, mutants=0, killed=0)
    write_judgement(store, untried, evidence(text), logs)
    assert labels(connection) == {"Code"}


def test_what_fails_when_run_again_is_stale_elsewhere(store: Store, connection: Connection, logs: LogStore) -> None:
    write_paper(store, paper())
    ask(connection, "MATCH (a:Code {id: $a}), (b:Code {id: $b}) SET b.implementation = a.implementation", a=RUN, b=STEP)
    verify(store, connection, logs, RUN)
    verify(store, connection, logs, STEP)
    text = text_of(connection, RUN)
    again = execution(logs, text, exit_code=1)
    write_judgement(store, judgement(RUN, again, verdict="failed"), evidence(text), logs)
    assert (labels(connection, RUN), labels(connection, STEP)) == ({"Code", "Failed"}, {"Code", "Stale"})


def test_a_copy_of_the_graph_and_an_older_graph_have_them(
    store: Store, connection: Connection, logs: LogStore, tmp_path: Path
) -> None:
    write_paper(store, paper())
    text = text_of(connection, RUN)
    failed = execution(logs, text, exit_code=1)
    write_judgement(store, judgement(RUN, failed, verdict="failed"), evidence(text), logs)
    ask(connection, "MATCH (c:Code) REMOVE c:Failed")
    for migration in cypher.migrations():
        if migration.name == "verdict_labels":
            for statement in migration.statements:
                store.statement(statement)
    assert labels(connection) == {"Code", "Failed"}
    file = tmp_path / "graph.jsonl"
    export_graph(store, file)
    ask(connection, "MATCH (n) WHERE NOT n:Migration AND NOT n:IndexInfo AND NOT n:Lock DETACH DELETE n")
    import_graph(store, file)
    assert labels(connection) == {"Code", "Failed"}


def test_an_audit_finds_a_label_of_a_verdict_that_code_does_not_have(store: Store, connection: Connection) -> None:
    write_paper(store, paper())
    ask(connection, "MATCH (c:Code {id: $id}) SET c:Verified", id=RUN)
    (found,) = [found for found in audit_graph(store) if found.severity == "error" and found.id == RUN]
    assert "label Verified" in found.detail

"""A "verified" that another program has put into the graph, or has left there, is found."""

from collections.abc import Callable

import pytest
from judgements import RUN, ask, verify
from store_records import paper

from kg.audit import audit_graph, graph_stats
from kg.connection import Connection
from kg.store import Store
from kg.verdicts import LogStore
from kg.write import write_paper

pytestmark = pytest.mark.db


@pytest.fixture(autouse=True)
def _verified(store: Store, connection: Connection, logs: LogStore) -> None:
    write_paper(store, paper())
    verify(store, connection, logs)


def test_what_was_verified_is_no_finding(store: Store, logs: LogStore) -> None:
    assert audit_graph(store, logs=logs) == ()
    stats = graph_stats(store)
    assert stats.verdicts == {"unverified": 3, "verified": 1}
    assert stats.verified == {"repository": 1}


FORGERIES = {
    "a word alone": "MATCH (c:Code {symbol: 'step'}) SET c.verdict = 'verified'",
    "another's execution": "MATCH (c:Code {symbol: 'step'}), (e:Execution) SET c.verdict = 'verified', "
    "c.killed = 1, c.mutants = 1, c.killed_by_assertion = 1, c.test_kind = 'repository', c.test_sha256 = e.test_sha256 "
    "CREATE (c)-[:VERIFIED_BY {current: true}]->(e)",
    "the execution is gone": "MATCH (e:Execution) DETACH DELETE e",
    "it is no longer current": "MATCH ()-[r:VERIFIED_BY]->() SET r.current = false",
    "it failed": "MATCH (e:Execution) SET e.exit_code = 1",
    "it was limited": "MATCH (e:Execution) SET e.limit = 'wall'",
    "another test": "MATCH (e:Execution) SET e.test_sha256 = 'x'",
    "no mutants": "MATCH (c:Code {symbol: 'run'}) REMOVE c.killed, c.mutants",
    "no assertion": "MATCH (c:Code {symbol: 'run'}) SET c.killed_by_assertion = 0",
    "other text": "MATCH (c:Code {symbol: 'run'}) SET c.implementation = 'def run(): pass'",
    "other hashes": "MATCH (c:Code {symbol: 'run'}) SET c.code_sha256 = 'x', c.text_sha256 = 'x'",
    "a module from elsewhere": "MATCH (c:Code {symbol: 'run'}) SET c.module = '{}'",
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_verdict_is_an_error(forgery: str, store: Store, connection: Connection, logs: LogStore) -> None:
    ask(connection, FORGERIES[forgery])
    findings = [f for f in audit_graph(store, logs=logs) if f.severity == "error" and f.label == "Code"]
    assert findings
    assert all(f.check in ("verdicts without execution", "verified code that was altered") for f in findings)


@pytest.mark.parametrize("loss", [lambda path: path.unlink(), lambda path: path.write_bytes(b"")])
def test_a_lost_log_is_a_warning(
    loss: Callable[..., None], store: Store, connection: Connection, logs: LogStore
) -> None:
    (log,) = ask(connection, "MATCH (e:Execution) RETURN e.log")
    loss(logs.path(log))
    (finding,) = audit_graph(store, logs=logs)
    assert (finding.check, finding.severity, finding.id) == ("missing logs", "warning", RUN)
    assert audit_graph(store) == ()

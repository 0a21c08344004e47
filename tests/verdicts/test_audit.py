"""A "verified" that another program has put into the graph, or has left there, is found."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from judgements import RUN, ask, verify
from store_records import paper

from kg.audit import audit_graph, graph_stats
from kg.connection import Connection
from kg.results.verdict import VerifiedCode
from kg.store import Store
from kg.verdicts import LogStore, sha256_of
from kg.write import write_paper

pytestmark = pytest.mark.db


@pytest.fixture(autouse=True)
def _verified(store: Store, connection: Connection, logs: LogStore) -> None:
    write_paper(store, paper(), logs=logs)
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
    "text and its hash": "MATCH (c:Code {symbol: 'run'})-[:VERIFIED_BY]->(e) SET c.implementation = 'x = 1', "
    f"c.text_sha256 = '{sha256_of('x = 1')}', c.code_sha256 = c.text_sha256, e.code_sha256 = c.text_sha256",
    "more killed": "MATCH (c:Code {symbol: 'run'}) SET c.killed = 5",
    "another reason": "MATCH (c:Code {symbol: 'run'}) SET c.verdict_reason = 'all is well'",
    "another program": "MATCH (c:Code {symbol: 'run'}) SET c.verdict_program = 'p2'",
    "another basis": "MATCH (c:Code {symbol: 'run'}) SET c.verdict_basis = ['needs 9']",
    "another environment": "MATCH (e:Execution) SET e.environment = 'e2'",
    "a stronger sandbox": "MATCH (e:Execution) SET e.enforced = e.enforced + 'secrets: none'",
    "another log": "MATCH (e:Execution) SET e.log = 'no hash'",
    "no seal": "MATCH (c:Code {symbol: 'run'}) REMOVE c.verdict_seal",
    "the edge says otherwise": "MATCH ()-[r:VERIFIED_BY]->() SET r.verdict = 'failed'",
    "a former verdict": "MATCH (c:Code {symbol: 'step'}), (e:Execution) "
    "CREATE (c)-[:VERIFIED_BY {current: false, verdict: 'verified', date: 'x', seal: 'y'}]->(e)",
    "all of another's": "MATCH (c:Code {symbol: 'step'}), (o:Code {symbol: 'run'})-[r:VERIFIED_BY]->(e) "
    "WITH c, e, r, o {.*, id: c.id} AS given SET c = given "
    "CREATE (c)-[n:VERIFIED_BY]->(e) SET n = properties(r)",
    **{
        f"its {name} is another": f"MATCH (c:Code {{symbol: 'run'}}) SET c.{name} = {value}"
        for name, value in {
            "name": "'x'",
            "kind": "'class'",
            "language": "'go'",
            "role": "'test'",
            "file": "'src/x.py'",
            "signature": "'(x)'",
            "documentation": "'Sorts.'",
            "licence": "'MIT-0'",
            "origin": "'generated'",
            "repository": "'github:o/x'",
            "commit": "'c0'",
            "line": "1000",
            "end_line": "1000",
            "start": "9",
            "end": "9",
            "parent": "'x'",
            "requirements": "['x']",
            "test": "'tests/test_x.py::test_x'",
            "survivors": "['line 9']",
            "failure_class": "'timeout'",
            "failure_line": "'src/x.py:1'",
        }.items()
    },
    "another repository": "MATCH (c:Code {symbol: 'run'})-[r:FROM_REPOSITORY]->() "
    "MERGE (o:Repository {id: 'github:o/x'}) DELETE r CREATE (c)-[:FROM_REPOSITORY]->(o)",
    "a second repository": "MATCH (c:Code {symbol: 'run'}) MERGE (o:Repository {id: 'github:o/x'}) "
    "CREATE (c)-[:FROM_REPOSITORY]->(o)",
    "another symbol": "MATCH (c:Code {symbol: 'run'}) SET c.symbol = 'sort'",
    "another id": "MATCH (c:Code {symbol: 'run'}) SET c.id = replace(c.id, '@c1', '@c2'), c.commit = 'c2'",
    "a technique": "MATCH (c:Technique {name: 'Reservoir Sampling'}) SET c.verdict = 'verified'",
    "a candidate": "MATCH (:Technique)-[r:IMPLEMENTED_BY]->(:Code) SET r.verdict = 'verified'",
    "another spelling": "MATCH (c:Code {symbol: 'step'}) SET c.verdict = 'Verified'",
    "a list": "MATCH (c:Code {symbol: 'step'}) SET c.verdict = ['verified']",
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_verdict_is_an_error(forgery: str, store: Store, connection: Connection, logs: LogStore) -> None:
    assert ask(connection, FORGERIES[forgery] + " RETURN 1")
    findings = [f for f in audit_graph(store, logs=logs) if f.check == "unfounded verdicts"]
    assert findings
    assert all(f.severity == "error" for f in findings)


def test_what_was_once_verified_can_not_be_called_so_again(
    store: Store, connection: Connection, logs: LogStore
) -> None:
    write_paper(store, paper().model_copy(update={"paper": paper().paper.model_copy(update={"version": "v9"})}))
    assert ask(connection, "MATCH (c:Code {id: $id}) RETURN c.verdict", id=RUN) == ["stale"]
    assert audit_graph(store, logs=logs) == ()
    ask(connection, "MATCH (c:Code {id: $id}) SET c.verdict = 'verified', c.verdict_program = 'p1' RETURN 1", id=RUN)
    (finding,) = audit_graph(store, logs=logs)
    assert (finding.check, finding.id) == ("unfounded verdicts", RUN)


def test_a_seal_of_an_earlier_version_says_too_little(store: Store, connection: Connection, logs: LogStore) -> None:
    """Its key is known, and it has no number."""
    ask(connection, "MATCH (c:Code {symbol: 'run'}) WITH c, split(c.verdict_seal, ':') AS parts "
        "SET c.verdict_seal = parts[0] + ':' + parts[2] RETURN 1")  # fmt: skip
    (finding,) = audit_graph(store, logs=logs)
    assert finding.detail == "is called verified, but an earlier version has sealed it, with less than counts now"
    verify(store, connection, logs)
    assert audit_graph(store, logs=logs) == ()


def test_another_home_confirms_nothing_without_the_key(store: Store, logs: LogStore, tmp_path: Path) -> None:
    other = LogStore(tmp_path / "other")
    (log,) = (row.runs[0]["execution"]["log"] for row in store.rows(VerifiedCode, ids=[RUN]))
    other.put(logs.read(log))
    (finding,) = audit_graph(store, logs=other)
    assert (finding.check, finding.id) == ("unfounded verdicts", RUN)
    assert "not judged in this home" in finding.detail
    (other.folder / "keys").mkdir()
    shutil.copy(logs.folder / "key", other.folder / "keys/mine")
    assert audit_graph(store, logs=other) == ()


def test_a_share_that_is_raised_counts_for_what_is_there(store: Store, logs: LogStore) -> None:
    assert audit_graph(store, logs=logs, least_killed=0.8) == ()
    (finding,) = audit_graph(store, logs=logs, least_killed=0.9)
    assert finding.detail == "is called verified, but its test killed only 4 of 5 mutants"


@pytest.mark.parametrize("loss", [lambda path: path.unlink(), lambda path: path.write_bytes(b"")])
def test_a_lost_log_is_a_warning(
    loss: Callable[..., None], store: Store, connection: Connection, logs: LogStore
) -> None:
    (log,) = ask(connection, "MATCH (e:Execution) RETURN e.log")
    loss(logs.path(log))
    (finding,) = audit_graph(store, logs=logs)
    assert (finding.check, finding.severity, finding.id) == ("missing logs", "warning", RUN)
    assert audit_graph(store) == ()

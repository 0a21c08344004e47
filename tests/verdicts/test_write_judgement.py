"""A verdict is written with its execution or not at all, and "verified" can't be written without what it needs."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from judgements import BASIS, RUN, STEP, ask, evidence, execution, judgement, text_of, verdict, verify
from store_records import paper

from kg.connection import Connection
from kg.errors import InputError
from kg.models.execution import Execution, Judgement
from kg.store import Store
from kg.verdicts import LogStore, OutdatedJudgement, RefusedJudgement, StoredModule, write_judgement
from kg.write import write_paper

pytestmark = pytest.mark.db


@pytest.fixture(autouse=True)
def _one_paper(store: Store) -> None:
    write_paper(store, paper())


def test_a_judgement_is_kept_with_all_it_says(store: Store, connection: Connection, logs: LogStore) -> None:
    verify(store, connection, logs)
    (code,) = ask(connection, "MATCH (c:Code {id: $id}) RETURN properties(c)", id=RUN)
    assert code["verdict"] == "verified"
    assert (code["mutants"], code["killed"], code["killed_by_assertion"]) == (5, 4, 3)
    assert (code["test_kind"], code["test"]) == ("repository", "tests/test_core.py::test_run")
    assert code["survivors"] == ["line 2: 3 becomes 4"]
    assert code["verdict_basis"] == list(BASIS)
    assert code["implementation"].startswith("def run"), "the code itself stays as it was ingested"
    (run,) = ask(connection, "MATCH (:Code {id: $id})-[:VERIFIED_BY {current: true}]->(e) RETURN properties(e)", id=RUN)
    assert run["packages"] == ["numpy 2.0"]
    assert run["enforced"] == ["memory: cgroup v2: total", "network: own namespace"]
    assert logs.read(run["log"]) == "1 passed"


def without(name: str, value: Any) -> Callable[[Judgement], Judgement]:
    return lambda found: found.model_copy(update={name: value})


def with_run(**more: Any) -> Callable[[Judgement], Judgement]:
    def change(found: Judgement) -> Judgement:
        assert found.execution
        return found.model_copy(update={"execution": found.execution.model_copy(update=more)})

    return change


LIES = {
    "nothing was run": without("execution", None),
    "it failed": with_run(exit_code=1),
    "it was killed": with_run(exit_code=None, signal=9),
    "a limit ended it": with_run(limit="wall"),
    "a limit ended it, killed": with_run(exit_code=None, signal=9, limit="memory"),
    "it has no end": with_run(exit_code=None),
    "other code": with_run(code_sha256="0" * 64),
    "no log": with_run(log="0" * 64),
    "no kind of test": without("kind", None),
    "no mutants": lambda found: found.model_copy(update={"mutants": 0, "killed": 0, "killed_by_assertion": 0}),
    "too few killed": without("killed", 2),
    "more killed than there are": without("killed", 6),
    "no assertion": without("killed_by_assertion", 0),
    "more by assertion than in all": without("killed_by_assertion", 5),
    "stale at once": without("verdict", "stale"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_refused_and_leaves_nothing(lie: str, store: Store, connection: Connection, logs: LogStore) -> None:
    text = text_of(connection, RUN)
    judged = LIES[lie](judgement(RUN, execution(logs, text)))
    with pytest.raises(RefusedJudgement):
        write_judgement(store, judged, evidence(text), logs)
    assert verdict(connection) == ("unverified", "nothing was run")
    assert ask(connection, "MATCH (e:Execution) RETURN e.id") == []


def test_the_share_that_is_asked_for_counts(store: Store, connection: Connection, logs: LogStore) -> None:
    text = text_of(connection, RUN)
    judged = judgement(RUN, execution(logs, text))
    with pytest.raises(RefusedJudgement, match="only 4 of 5"):
        write_judgement(store, judged, evidence(text), logs, least_killed=0.9)
    write_judgement(store, judged, evidence(text), logs, least_killed=0.8)


def test_a_module_may_be_what_ran(store: Store, connection: Connection, logs: LogStore) -> None:
    text = text_of(connection, RUN)
    module = StoredModule(import_name="core", symbol="run", files={"core.py": text, "__init__.py": ""})
    judged = judgement(RUN, execution(logs, text, code_sha256=module.sha256))
    with pytest.raises(RefusedJudgement, match="other code"):
        write_judgement(store, judged, evidence(text), logs)
    write_judgement(store, judged, evidence(text, module=module), logs)
    (kept,) = ask(connection, "MATCH (c:Code {id: $id}) RETURN c.module", id=RUN)
    assert StoredModule.model_validate(json.loads(kept)) == module


@pytest.mark.parametrize(("reason", "kept"), [(" \n", "no reason was given"), (" 1 == 2\n", "1 == 2")])
def test_no_verdict_goes_without_a_reason(
    reason: str, kept: str, store: Store, connection: Connection, logs: LogStore
) -> None:
    text = text_of(connection, RUN)
    write_judgement(store, judgement(RUN, None, verdict="failed", reason=reason), evidence(text), logs)
    assert verdict(connection) == ("failed", kept)


def test_code_that_changed_meanwhile_is_not_judged(store: Store, connection: Connection, logs: LogStore) -> None:
    with pytest.raises(OutdatedJudgement):
        write_judgement(store, judgement(RUN, execution(logs, "other")), evidence("other"), logs)
    with pytest.raises(InputError, match="no code"):
        write_judgement(store, judgement("no such", execution(logs, "other")), evidence("other"), logs)
    assert ask(connection, "MATCH (e:Execution) RETURN e.id") == []


def test_executions_before_the_current_one_are_kept(store: Store, connection: Connection, logs: LogStore) -> None:
    text = text_of(connection, RUN)
    failed = execution(logs, text, environment="e0", exit_code=1)
    judged = judgement(RUN, failed, verdict="failed", failure="assertion", line="src/core.py:2", reason="1 == 2")
    write_judgement(store, judged, evidence(text), logs)
    assert verdict(connection) == ("failed", "1 == 2")
    verify(store, connection, logs)
    history = "MATCH (:Code {id: $id})-[r:VERIFIED_BY]->(e) RETURN [e.id, r.current, r.verdict] ORDER BY r.current"
    assert [row[1:] for row in ask(connection, history, id=RUN)] == [[False, "failed"], [True, "verified"]]
    assert ask(connection, "MATCH (c:Code {id: $id}) RETURN [c.failure_class, c.failure_line]", id=RUN) == [[None] * 2]
    untried = judgement(RUN, None, verdict="unverified", reason="no environment", kind=None, mutants=0, killed=0)
    write_judgement(store, untried, evidence(text), logs)
    assert {row[1] for row in ask(connection, history, id=RUN)} == {False}


def test_an_execution_that_fails_when_run_again_takes_verified_from_others(
    store: Store, connection: Connection, logs: LogStore
) -> None:
    ask(connection, "MATCH (a:Code {id: $a}), (b:Code {id: $b}) SET b.implementation = a.implementation", a=RUN, b=STEP)
    verify(store, connection, logs, RUN)
    verify(store, connection, logs, STEP)
    text = text_of(connection, RUN)
    again: Execution = execution(logs, text, exit_code=1)
    write_judgement(store, judgement(RUN, again, verdict="failed"), evidence(text), logs)
    assert verdict(connection, RUN)[0] == "failed"
    assert verdict(connection, STEP)[0] == "stale"


def test_endless_findings_are_cut(store: Store, connection: Connection, logs: LogStore) -> None:
    verify(store, connection, logs, reason="r" * 9999, survivors=("s" * 9999,) * 9999, test="t" * 999_999)
    (code,) = ask(connection, "MATCH (c:Code {id: $id}) RETURN properties(c)", id=RUN)
    assert len(code["verdict_reason"]) == 1000
    assert (len(code["survivors"]), len(code["survivors"][0])) == (200, 300)
    assert len(code["test"]) == 200_000


def test_a_run_that_nothing_confined_says_so_loudly(store: Store, connection: Connection, logs: LogStore) -> None:
    text = text_of(connection, RUN)
    bare = execution(logs, text, backend="unsafe-local", enforced={}, waived=("network", "files"))
    write_judgement(store, judgement(RUN, bare), evidence(text), logs)
    assert verdict(connection)[1].startswith("WITHOUT A SANDBOX: ")

"""Judgements as a verifier would make them, and what the graph says of code."""

from typing import Any

from kg.connection import Connection
from kg.models.execution import Execution, Judgement
from kg.store import Store
from kg.verdicts import Evidence, LogStore, as_basis, sha256_of, write_judgement

RUN = "github:someone/repo1@c1:src/core.py#run"
STEP = "github:someone/repo1@c1:src/core.py#step"
PLACES = {"read tests/test_core.py": "1", "listed tests": "2", "links": "4", "requirements": "3"}
BASIS = as_basis(PLACES)
DATE = "2026-01-01T00:00:00+00:00"


def ask(connection: Connection, statement: str, **params: Any) -> list[Any]:
    """The first column of a statement's rows."""
    return [row[0] for row in connection.driver.execute_query(statement, params, database_=connection.database)[0]]


def text_of(connection: Connection, code: str) -> str:
    (text,) = ask(connection, "MATCH (c:Code {id: $id}) RETURN coalesce(c.implementation, '')", id=code)
    return str(text)


def execution(logs: LogStore, text: str, **more: Any) -> Execution:
    """A passing one."""
    given = {
        "id": "", "code_sha256": sha256_of(text), "test_sha256": sha256_of("test"),
        "environment": "e1", "python": "3.11.7", "packages": {"numpy": "2.0"}, "strategy": "the repository's pins",
        "backend": "bubblewrap", "enforced": {"network": "own namespace", "memory": "cgroup v2: total"},
        "exit_code": 0, "wall_s": 1.5, "peak_memory": 1000, "log": logs.put("1 passed"), "date": DATE,
    }  # fmt: skip
    return Execution(**{**given, **more}).identified()


def judgement(code: str, made: Execution | None, **more: Any) -> Judgement:
    """A verified one."""
    given = {
        "code": code, "verdict": "verified", "reason": "2 tests of the repository pass and kill 4 of 5 mutants",
        "kind": "repository", "test": "tests/test_core.py::test_run", "mutants": 5, "killed": 4,
        "killed_by_assertion": 3, "survivors": ("line 2: 3 becomes 4",), "execution": made,
    }  # fmt: skip
    return Judgement(**{**given, **more})


def evidence(text: str, **more: Any) -> Evidence:
    return Evidence(**{"text_sha256": sha256_of(text), "basis": BASIS, "program": "p1", "date": DATE, **more})


def verify(store: Store, connection: Connection, logs: LogStore, code: str = RUN, **more: Any) -> None:
    """Give `code` a judgement (by default a verified one) that it deserves."""
    text = text_of(connection, code)
    write_judgement(store, judgement(code, execution(logs, text), **more), evidence(text), logs)


def verdict(connection: Connection, code: str = RUN) -> tuple[str, str]:
    (found,) = ask(connection, "MATCH (c:Code {id: $id}) RETURN [c.verdict, c.verdict_reason]", id=code)
    return found[0], found[1]

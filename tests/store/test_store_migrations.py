"""The schema: applied once, remembered with checksums, refused when not ours; and the one model of the vectors."""

import dataclasses
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from test_store_write import ask

import cypher
from kg.config import Settings
from kg.connection import Connection
from kg.errors import DatabaseError
from kg.migrations import bind_model, index_info, migrate, pending
from kg.opening import open_store
from kg.results.graph import MigrationRow, VectorIndex
from kg.store import Store

pytestmark = pytest.mark.db


@pytest.fixture
def blank(blank_connection: Connection) -> Iterator[Store]:
    """A database with nothing in it."""
    return Store(blank_connection)


def names(connection: Connection) -> set[str]:
    """Names of all indexes and constraints."""
    rows = connection.driver.execute_query("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name")[0]
    return {row["name"] for row in rows}


def test_a_blank_database_gets_all_and_only_once(blank: Store, blank_connection: Connection) -> None:
    assert [m.number for m in migrate(blank)] == [m.number for m in cypher.migrations()]
    assert {"technique_text", "code_text", "paper_text", "section_text", "technique_vector"} <= names(blank_connection)
    assert {"paper_id", "code_id", "technique_id", "migration_id"} <= names(blank_connection)
    assert migrate(blank) == ()
    assert [row.checksum for row in blank.rows(MigrationRow)] == [m.checksum for m in cypher.migrations()]


def test_an_interrupted_migration_goes_on(blank: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    done = 0

    def breaking(text: str) -> None:
        nonlocal done
        done += 1
        if done == 8:
            raise KeyboardInterrupt
        Store.statement(blank, text)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(blank, "statement", breaking)
        migrate(blank)
    assert len(pending(blank)) == len(cypher.migrations())
    migrate(blank)
    assert pending(blank) == ()


def test_of_two_that_come_at_once_one_migrates_and_the_other_waits(
    connection: Connection, server_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = cypher.migrations()[-1]
    ask(connection, f"MATCH (m:Migration {{number: {last.number}}}) DELETE m RETURN 1")
    run, both, ran = Store.statement, threading.Barrier(2), list[str]()

    def slowly(self: Store, text: str) -> None:
        ran.append(text)
        with suppress(threading.BrokenBarrierError):
            both.wait(timeout=2)  # one that does not wait for the other is here soon
        run(self, text)

    def opened(_: int) -> int:
        with open_store(server_settings) as graph:
            return len(pending(graph))

    monkeypatch.setattr(Store, "statement", slowly)
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(opened, range(2))) == [0, 0]
    assert ran == list(last.statements)


def test_a_changed_checksum_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    first, *rest = cypher.migrations()
    altered = (dataclasses.replace(first, checksum="other"), *rest)
    monkeypatch.setattr(cypher, "migrations", lambda: altered)
    with pytest.raises(DatabaseError, match=r"migration 0001 \(identity\) of the graph differs"):
        migrate(store)


def test_a_newer_graph_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = cypher.migrations()
    monkeypatch.setattr(cypher, "migrations", lambda: ours[:-1])
    with pytest.raises(DatabaseError, match="newer than this program"):
        migrate(store)


def test_the_first_model_is_the_only_one(store: Store) -> None:
    assert index_info(store) is None
    bind_model(store, "one", 384)
    bind_model(store, "one", 384)
    for model, dimension in (("two", 384), ("one", 768)):
        with pytest.raises(DatabaseError, match="can't be mixed"):
            bind_model(store, model, dimension)


def test_indexes_take_the_dimension_of_the_first_model(store: Store) -> None:
    bind_model(store, "small", 8)
    assert {row.dimension for row in store.rows(VectorIndex)} == {8}


def test_migration_files_are_numbered_and_have_statements() -> None:
    assert all(migration.statements for migration in cypher.migrations())
    assert all(not s.endswith(";") for migration in cypher.migrations() for s in migration.statements)

"""Two writers at once: the second waits, or is told in a sentence; nothing is ever half."""

import threading

import pytest
from store_records import paper

import kg.store
from kg.connection import Connection
from kg.errors import ServiceError
from kg.store import Store, Transaction
from kg.write import write_paper

pytestmark = pytest.mark.db


def test_writers_take_turns(store: Store, connection: Connection) -> None:
    records = [paper(number, shared_repository=True) for number in (1, 2, 3, 4)]
    errors: list[Exception] = []

    def write(number: int) -> None:
        try:
            for record in records[number:] + records[:number]:
                write_paper(store, record)
        except Exception as error:  # noqa: BLE001 -- shown by the assertion below
            errors.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert all(write_paper(store, record).empty for record in records)
    rows, _, _ = connection.driver.execute_query("MATCH (r:Repository) RETURN count(r) AS repositories")
    assert rows[0]["repositories"] == 1


def test_a_writer_that_waits_too_long_is_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kg.store, "WRITE_SECONDS", 1.0)
    entered, leave = threading.Event(), threading.Event()

    def hold(_tx: Transaction) -> None:
        entered.set()
        leave.wait(60)

    monkeypatch.setattr(kg.store, "WRITE_SECONDS", 60.0)
    holder = threading.Thread(target=lambda: store.transact(hold))
    holder.start()
    assert entered.wait(60)
    monkeypatch.setattr(kg.store, "WRITE_SECONDS", 1.0)
    try:
        with pytest.raises(ServiceError, match="another process has been writing"):
            write_paper(store, paper(1))
    finally:
        leave.set()
        holder.join()
    assert not write_paper(store, paper(1)).empty


def test_a_write_that_fails_leaves_nothing(store: Store) -> None:
    rows = [{"label": "Run", "properties": {"id": "run:x", "name": "x"}}]

    def fail(tx: Transaction) -> None:
        tx.run("write/create_nodes", rows=rows)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.transact(fail)
    assert store.read("write/read_run", id="run:x") == []
    store.transact(lambda tx: tx.run("write/create_nodes", rows=rows))
    assert store.read("write/read_run", id="run:x") == [{"id": "run:x"}]

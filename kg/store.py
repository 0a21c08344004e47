"""The graph as the rest of the program sees it: named queries in, rows out, one way to write."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import neo4j
from pydantic import ValidationError

import cypher
from kg.connection import Connection, database_errors
from kg.errors import DatabaseError, ServiceError
from kg.results import Row
from kg.results.write import WriterLock

__all__ = ["BATCH", "Store", "Transaction"]

T = TypeVar("T")
R = TypeVar("R", bound=Row)

BATCH = 1000
"""Rows of one UNWIND."""

WRITE_SECONDS = 900.0
"""The longest a write may last, its wait for another writer included."""


def _typed(model: type[R], rows: Sequence[dict[str, Any]]) -> list[R]:
    """Rows as their model says. Raises DatabaseError for what xkg would not have written."""
    found = []
    for row in rows:
        try:
            found.append(model.model_validate(row))
        except ValidationError as error:
            wrong = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, wrong["loc"]))
            raise DatabaseError(
                f"{model.query}: {place} of {row.get('id', 'a row')!r} is not as xkg writes it ({wrong['msg']})",
                remedy="another program has changed it: correct it, or ingest its paper again",
            ) from error
    return found


class Transaction:
    """Queries that become visible together or not at all."""

    def __init__(self, tx: neo4j.Transaction | neo4j.ManagedTransaction) -> None:
        self._tx = tx

    def run(self, name: str, /, **params: Any) -> list[dict[str, Any]]:
        """Run a registered query; its rows."""
        return self._tx.run(cypher.query(name).text, params).data()

    def rows(self, model: type[R], /, **params: Any) -> list[R]:
        """Run the query of a result model; its rows, typed."""
        return _typed(model, self.run(model.query, **params))

    def row_batches(self, model: type[R], key: str, rows: Sequence[Any], size: int = BATCH, **params: Any) -> list[R]:
        """Run the query of a result model for `rows`, as `batches` does; its rows, typed."""
        return _typed(model, self.batches(model.query, key, rows, size, **params))

    def batches(
        self, name: str, key: str, rows: Sequence[Any], size: int = BATCH, **params: Any
    ) -> list[dict[str, Any]]:
        """Run a query for `rows`, given as parameter `key`, so many at a time; all its rows."""
        found: list[dict[str, Any]] = []
        for start in range(0, len(rows), size):
            found += self.run(name, **{key: rows[start : start + size]}, **params)
        return found

    def take_lock(self) -> None:
        """Become the only writer until the transaction ends. Raises ServiceError while an import is unfinished."""
        if self.rows(WriterLock)[0].importing:
            raise ServiceError(
                "an import into this graph was interrupted or is going on, so it is not whole",
                remedy="end it with the same `xkg graph import`, or begin anew with `xkg graph import FILE --replace`",
            )


class Store:
    """A graph with its schema in place. All failures are kg.errors.DatabaseError or ServiceError."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @contextmanager
    def _session(self, access: str) -> Iterator[neo4j.Session]:
        opened = self._connection.driver.session(database=self._connection.database, default_access_mode=access)
        with database_errors(self._connection.uri), opened as session:
            yield session

    def read(self, name: str, /, **params: Any) -> list[dict[str, Any]]:
        """Run a registered query in READ access mode, which the server enforces."""
        with self._session(neo4j.READ_ACCESS) as session:
            return session.execute_read(lambda tx: Transaction(tx).run(name, **params))

    def rows(self, model: type[R], /, **params: Any) -> list[R]:
        """Run the query of a result model in READ access mode; its rows, typed."""
        return _typed(model, self.read(model.query, **params))

    def write(self, name: str, /, **params: Any) -> list[dict[str, Any]]:
        """Run one registered query in a transaction of its own, without the writers' lock."""
        with self._session(neo4j.WRITE_ACCESS) as session:
            return session.execute_write(lambda tx: Transaction(tx).run(name, **params))

    def write_rows(self, model: type[R], /, **params: Any) -> list[R]:
        """Run the writing query of a result model as `write` does; its rows, typed."""
        return _typed(model, self.write(model.query, **params))

    def observe(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in one transaction of READ access mode."""
        with self._session(neo4j.READ_ACCESS) as session:
            return session.execute_read(lambda tx: work(Transaction(tx)))

    def transact(self, work: Callable[[Transaction], T], *, lock: bool = True) -> T:
        """Run `work` in one write transaction, tried again after a deadlock or a lost connection.

        With `lock` it is the only writer: a second one waits, or gets a ServiceError after fifteen minutes. Whatever
        `work` reads under the lock stays true until it ends. An exception rolls everything back.
        """

        @neo4j.unit_of_work(timeout=WRITE_SECONDS)
        def locked(tx: neo4j.ManagedTransaction) -> T:
            transaction = Transaction(tx)
            if lock:
                transaction.take_lock()
            return work(transaction)

        with self._session(neo4j.WRITE_ACCESS) as session:
            return session.execute_write(locked)

    def statement(self, text: str) -> None:
        """Run one statement of a migration."""
        with self._session(neo4j.WRITE_ACCESS) as session:
            session.run(text).consume()

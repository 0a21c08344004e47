"""The graph as the rest of the program sees it: named queries in, rows out, one way to write.

What a blacklist forbids is left out by the queries themselves: those that give knowledge out declare the parameter
``withheld``, which is filled in here, and what they return is masked. Who writes sees all.
"""

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, TypeVar

import neo4j
from pydantic import ValidationError

import cypher
from kg.blacklist import NOTHING, WITHHELD, Blacklist
from kg.connection import Connection, database_errors
from kg.errors import DatabaseError, InputError, ServiceError
from kg.free_reading import read_freely
from kg.models.paper import Model
from kg.results import Row
from kg.results.blacklist import CitedAlone, ForbiddenCount, ForbiddenPrefix
from kg.results.write import CountedWrites, WriterLock

__all__ = ["BATCH", "Store", "Transaction", "Withheld"]

_log = logging.getLogger("xkg")

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


class Withheld(Model):
    """What a blacklist withholds of the graph at one moment: how forbidden ids begin, and those of works that only
    forbidden papers cite; and how many nodes of each kind that are."""

    prefixes: tuple[str, ...] = ()
    works: tuple[str, ...] = ()
    papers: int = 0
    techniques: int = 0
    sections: int = 0
    code: int = 0

    @property
    def parameter(self) -> dict[str, Any]:
        """The parameter ``withheld`` of queries; its `nodes` are all that may stand where others should."""
        nodes = sum(self.counts.values()) + len(self.works)
        return {**self.model_dump(exclude={"works"}), "prefixes": [*self.prefixes, *self.works], "nodes": nodes}

    @property
    def counts(self) -> dict[str, int]:
        """By kind, without any name."""
        return self.model_dump(exclude={"prefixes", "works"})

    def mask(self, text: str) -> str:
        """`text` up to the first word with a withheld id in it: what follows may be of the same one."""
        for word in re.finditer(r"\S+", text):
            if any(prefix in f"{word[0]}{sign}" for prefix in (*self.prefixes, *self.works) for sign in "#@"):
                return text[: word.start()] + WITHHELD
        return text


class Transaction:
    """Queries that become visible together or not at all; what `blacklist` forbids is not there for those that read."""

    def __init__(self, tx: neo4j.Transaction | neo4j.ManagedTransaction, blacklist: Blacklist = NOTHING) -> None:
        self._tx, self._blacklist = tx, blacklist
        self._turn = 0

    @property
    def writes(self) -> int:
        """How many transactions under the writers' lock had ended before this one; each may have changed what was read
        before it."""
        return self._turn - 1 if self._turn else self.rows(CountedWrites)[0].writes

    @cached_property
    def withheld(self) -> Withheld:
        """What the blacklist withholds now."""
        entries = self._blacklist.entries
        if not entries:
            return Withheld()
        papers = [entry.paper.partition(":") for entry in entries if entry.paper]
        found = self.rows(
            ForbiddenPrefix,
            ids=[name for entry in entries for name in (entry.paper, entry.local) if name],
            arxiv_ids=[name for kind, _, name in papers if kind == "arxiv"],
            dois=[name for kind, _, name in papers if kind == "doi"],
            names=[entry.repository for entry in entries if entry.repository],
            pattern=self._blacklist.pattern,
        )
        prefixes = tuple(row.prefix for row in found)
        if not prefixes:
            return Withheld()
        works = tuple(row.prefix for row in self.rows(CitedAlone, prefixes=prefixes))
        counts = {row.kind: row.count for row in self.rows(ForbiddenCount, prefixes=prefixes)}
        return Withheld(prefixes=prefixes, works=works, **counts)

    def run(self, name: str, /, **params: Any) -> list[dict[str, Any]]:
        """Run a registered query; its rows."""
        query = cypher.query(name)
        if "withheld" not in query.params:
            return self._run(query.text, params)
        params["withheld"] = self.withheld.parameter
        rows = self._run(query.text, params)
        return [self._blacklist.mask_all(row) for row in rows] if self._blacklist else rows

    def _run(self, text: str, params: dict[str, Any]) -> list[dict[str, Any]]:
        """The driver's own `data` looks through each value for nodes, of which registered queries return none."""
        return [dict(record.items()) for record in self._tx.run(text, params)]  # type: ignore[no-untyped-call]  # of the driver

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
        (lock,) = self.rows(WriterLock)
        self._turn = lock.writes
        if lock.importing:
            raise ServiceError(
                "an import into this graph was interrupted or is going on, so it is not whole",
                remedy="end it with the same `xkg graph import`, or begin anew with `xkg graph import FILE --replace`",
            )


class Store:
    """A graph with its schema in place. All failures are kg.errors.DatabaseError or ServiceError.

    What `blacklist` forbids is not there for whoever reads; how much that was when it was read last, is in `withheld`
    (None before, and without a blacklist) and told once.
    """

    def __init__(self, connection: Connection, blacklist: Blacklist = NOTHING) -> None:
        self._connection, self.blacklist = connection, blacklist
        self.withheld: Withheld | None = None

    def guarded(self, blacklist: Blacklist) -> "Store":
        """The same graph for a reader from whom `blacklist` keeps what it forbids, and nothing else does."""
        return Store(self._connection, blacklist)

    def withheld_by(self, blacklist: Blacklist) -> Withheld:
        """What a blacklist would withhold."""
        with self._session(neo4j.READ_ACCESS) as session:
            return session.execute_read(lambda tx: Transaction(tx, blacklist).withheld)

    def read_freely(
        self, statement: str, parameters: Mapping[str, Any], lost: Callable[[], object] = bool
    ) -> tuple[list[dict[str, Any]], bool]:
        """Rows of a statement that nobody here has written, and whether there are more: see `kg.free_reading`. Raises
        InputError for what may not be run, and if a blacklist is in force."""
        self.demand_whole("a statement of one's own")
        return read_freely(self._connection, statement, parameters, lost)

    def demand_whole(self, what: str) -> None:
        """Raise InputError if a blacklist is in force: `what` is a curator's work and shows the graph as it is."""
        if self.blacklist:
            raise InputError(f"{what} shows all of the graph, and a blacklist is in force", remedy="unset `blacklist`")

    @contextmanager
    def _session(self, access: str) -> Iterator[neo4j.Session]:
        opened = self._connection.driver.session(database=self._connection.database, default_access_mode=access)
        with database_errors(self._connection.uri), opened as session:
            yield session

    def read(self, name: str, /, **params: Any) -> list[dict[str, Any]]:
        """Run a registered query in READ access mode, which the server enforces."""
        with self._session(neo4j.READ_ACCESS) as session:
            return session.execute_read(lambda tx: self._reading(tx, lambda reader: reader.run(name, **params)))

    def _reading(self, tx: neo4j.ManagedTransaction, work: Callable[[Transaction], T]) -> T:
        transaction = Transaction(tx, self.blacklist)
        result = work(transaction)
        if self.blacklist and "withheld" in vars(transaction):
            if self.withheld is None and any(transaction.withheld.counts.values()):
                counts = ", ".join(f"{count} {kind}" for kind, count in transaction.withheld.counts.items())
                _log.warning("%s withholds of this graph: %s", self.blacklist.told_by, counts)
            self.withheld = transaction.withheld
        return result

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
            return session.execute_read(lambda tx: self._reading(tx, work))

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

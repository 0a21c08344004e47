"""The one door to the graph database: `connect(settings)` gives a driver that has been seen to answer.

Without `settings.neo4j.uri` it is the local server of `settings.home`, started on demand; with it any Neo4j: a single
server, a cluster (routing), Aura (`neo4j+s://`), a named database. Nothing else in the code knows which it is.
"""

import contextlib
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from types import TracebackType
from typing import Self

from neo4j import Driver, GraphDatabase
from neo4j.exceptions import DriverError, Neo4jError

from kg.config import Settings
from kg.database_errors import as_database_error, check_uri, refuse_wrong_server

__all__ = ["Connection", "connect", "database_errors"]

logging.getLogger("neo4j.notifications").setLevel(logging.ERROR)
"""Hints such as "no such label yet" are no news of an empty graph. Asking a server to keep them to itself is refused by
the old ones that we want to name."""

_log = logging.getLogger("xkg")

_CONNECT_SECONDS = 10.0
_HANDSHAKE_SECONDS = 20.0
_RETRY_SECONDS = 30.0


@dataclass(frozen=True)
class Connection:
    """An open driver and the database to use with it; a context manager that closes the driver.

    `database` is None for the server's default. `server_version` is what the server calls itself, as "5.26.30".
    Leaving the block because of a driver's or the server's error raises DatabaseError in its place, when it is one
    that the user can mend (connection lost, disk full, no permission); others pass unchanged.
    """

    driver: Driver
    database: str | None
    uri: str
    username: str
    server_version: str

    def close(self) -> None:
        """Close the driver; the server stays as it is."""
        self.driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _at: TracebackType | None
    ) -> None:
        self.close()
        if isinstance(error, DriverError | Neo4jError) and (told := as_database_error(error, self.uri)):
            raise told from error


@contextlib.contextmanager
def database_errors(uri: str) -> Iterator[None]:
    """Turn a driver's error of the block into a DatabaseError, where the user can mend it."""
    try:
        yield
    except (DriverError, Neo4jError) as error:
        if told := as_database_error(error, uri):
            raise told from error
        raise


def connect(settings: Settings, say: Callable[[str], None] = _log.warning) -> Connection:
    """Open a connection that has been checked: a Neo4j, recent enough, that takes a transaction in the database.

    `say` gets remarks for the user (a port that had to change), which are logged otherwise. Raises DatabaseError.
    """
    if settings.neo4j.uri is None:
        from kg.server import LocalServer

        server = LocalServer(settings)
        uri, secret = server.ensure(say).uri, server.secret()
        return _open(uri, (secret.username, secret.password), None)
    check_uri(settings.neo4j.uri)
    password = settings.neo4j.password
    auth = (settings.neo4j.username, password.get_secret_value()) if password else None
    return _open(settings.neo4j.uri, auth, settings.neo4j.database)


def _open(uri: str, auth: tuple[str, str] | None, database: str | None) -> Connection:
    driver = GraphDatabase.driver(
        uri,
        auth=auth,
        user_agent=f"xkg/{version('xkg')}",
        connection_timeout=_CONNECT_SECONDS,
        connection_acquisition_timeout=_HANDSHAKE_SECONDS,
        max_transaction_retry_time=_RETRY_SECONDS,
        telemetry_disabled=True,
    )
    try:
        with database_errors(uri):
            agent = driver.get_server_info().agent
            refuse_wrong_server(agent, uri)
            with driver.session(database=database) as session, session.begin_transaction() as transaction:
                transaction.rollback()
    except BaseException:
        driver.close()
        raise
    return Connection(driver, database, uri, auth[0] if auth else "", agent.removeprefix("Neo4j/"))

"""A database's address, and a connection to it: a driver that has been seen to answer.

The address may be of any Neo4j: a single server, a cluster (routing), Aura (`neo4j+s://`), a named database. Whose
server that is, and who starts it, is known to `kg.opening` alone.
"""

import contextlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Self

from neo4j import Driver, GraphDatabase
from neo4j.exceptions import DriverError, Neo4jError

from kg.config import Neo4jSettings
from kg.database_errors import as_database_error, check_uri, refuse_wrong_server

__all__ = ["Address", "Connection", "database_errors"]

logging.getLogger("neo4j.notifications").setLevel(logging.ERROR)
"""Hints such as "no such label yet" are no news of an empty graph. Asking a server to keep them to itself is refused by
the old ones that we want to name."""

_CONNECT_SECONDS = 10.0
_HANDSHAKE_SECONDS = 20.0
_RETRY_SECONDS = 30.0


@dataclass(frozen=True)
class Address:
    """Where a database is and who logs in; without a password nobody does. `database` None: the server's default."""

    uri: str
    username: str = ""
    password: str | None = field(default=None, repr=False)
    database: str | None = None

    @classmethod
    def of(cls, settings: Neo4jSettings) -> Self:
        """The address that is configured. Raises DatabaseError for one that can't be."""
        uri = settings.uri or ""
        check_uri(uri)
        password = settings.password.get_secret_value() if settings.password else None
        return cls(uri, settings.username if password else "", password, settings.database)


@dataclass(frozen=True)
class Connection:
    """An open driver and the database to use with it; a context manager that closes the driver.

    `database` is None for the server's default. `server_version` is what the server calls itself, as "5.26.30".
    """

    driver: Driver
    database: str | None
    uri: str
    username: str
    server_version: str

    @classmethod
    def open(cls, address: Address) -> Self:
        """A connection that has been checked: a Neo4j, recent enough, that takes a transaction in the database.

        Raises DatabaseError.
        """
        driver = GraphDatabase.driver(
            address.uri,
            auth=(address.username, address.password) if address.password else None,
            user_agent=f"xkg/{version('xkg')}",
            connection_timeout=_CONNECT_SECONDS,
            connection_acquisition_timeout=_HANDSHAKE_SECONDS,
            max_transaction_retry_time=_RETRY_SECONDS,
            telemetry_disabled=True,
        )
        try:
            with database_errors(address.uri):
                agent = driver.get_server_info().agent
                refuse_wrong_server(agent, address.uri)
                with driver.session(database=address.database) as session, session.begin_transaction() as transaction:
                    transaction.rollback()
        except BaseException:
            driver.close()
            raise
        return cls(driver, address.database, address.uri, address.username, agent.removeprefix("Neo4j/"))

    def close(self) -> None:
        """Close the driver; the server stays as it is."""
        self.driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


@contextlib.contextmanager
def database_errors(uri: str) -> Iterator[None]:
    """Turn a driver's error of the block into a DatabaseError, where the user can mend it."""
    try:
        yield
    except (DriverError, Neo4jError) as error:
        if failure := as_database_error(error, uri):
            raise failure from error
        raise

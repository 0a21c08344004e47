"""The one door to the graph: whose database it is, the local server started if need be, the schema brought up to date.

Without `settings.neo4j.uri` it is the local server of `settings.home`, started on demand. Nothing else knows which.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import cypher
from kg.blacklist import open_blacklist
from kg.caching import locked
from kg.config import Settings
from kg.connection import Address, Connection
from kg.migrations import migrate as apply_pending
from kg.migrations import pending
from kg.server import LocalServer
from kg.store import Store

__all__ = ["bring_up_to_date", "connect", "locate", "open_store", "revive"]

_log = logging.getLogger("xkg")


def locate(settings: Settings, say: Callable[[str], None] = _log.warning) -> Address:
    """Where the database of these settings is, started if it is the local server. Raises DatabaseError.

    `say` gets remarks for the user (a port that had to change), which are logged otherwise.
    """
    if settings.neo4j.uri is not None:
        return Address.of(settings.neo4j)
    server = LocalServer(settings)
    uri, secret = server.ensure(say).uri, server.home.secret()
    return Address(uri, secret.username, secret.password)


def revive(settings: Settings) -> bool:
    """Start the local server of these settings again if it is gone; whether it is there. Another's server is its
    owner's affair: False. Raises DatabaseError where it does not start."""
    return settings.neo4j.uri is None and bool(locate(settings))


def connect(settings: Settings, say: Callable[[str], None] = _log.warning) -> Connection:
    """Open a checked connection to the database of these settings. Raises DatabaseError."""
    return Connection.open(locate(settings, say))


def bring_up_to_date(store: Store, settings: Settings) -> tuple[cypher.Migration, ...]:
    """Apply the migrations that the graph of these settings has not had yet; returns them.

    Of several commands of one home that come at once the first does it, and the others wait. Raises DatabaseError if
    the graph had others than ours, ServiceError if another command is still at it after fifteen minutes.
    """
    if not pending(store):
        return ()
    with locked(settings.home, "the migrations of the graph"):
        return apply_pending(store)


@contextmanager
def open_store(settings: Settings, *, migrate: bool = True) -> Iterator[Store]:
    """The graph of these settings, the local server started if need be, the schema brought up to date.

    What `settings.blacklist` forbids is not there for who reads. Raises DatabaseError when it can't be reached, or was
    made by a newer or an altered program, InputError for a blacklist that can't be read.
    """
    blacklist = open_blacklist(settings)
    with connect(settings) as connection:
        store = Store(connection, blacklist)
        if migrate:
            bring_up_to_date(store, settings)
        yield store

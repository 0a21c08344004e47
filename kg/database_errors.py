"""What can be wrong with a database, each as one sentence: who said it, where, and what to do."""

import re

from neo4j import exceptions

from kg.errors import DatabaseError

__all__ = ["MINIMUM_VERSION", "as_database_error", "refuse_wrong_server"]

MINIMUM_VERSION = (5, 26)
"""The long-term-support release that every statement here is tested with; its predecessors are out of support."""


def refuse_wrong_server(agent: str, uri: str) -> None:
    """Raise DatabaseError unless `agent` ("Neo4j/5.26.30") is a Neo4j that is recent enough.

    Other products answer Bolt too and call themselves "Neo4j/… compatible", with their own name behind it.
    """
    found = re.fullmatch(r"Neo4j/(\d+)\.(\d+)[\w.\-+]*", agent)
    if not found:
        raise DatabaseError(
            f"the server is not a Neo4j: it calls itself {agent!r}",
            where=uri,
            remedy="point NEO4J_URI to a Neo4j, or unset it to use the local server",
        )
    if (int(found[1]), int(found[2])) < MINIMUM_VERSION:
        needed = ".".join(map(str, MINIMUM_VERSION))
        raise DatabaseError(
            f"the server is Neo4j {agent.removeprefix('Neo4j/')}, too old: {needed} or newer is needed",
            where=uri,
            remedy="upgrade it, or unset NEO4J_URI to use the local server",
        )


def as_database_error(error: Exception, uri: str) -> DatabaseError | None:
    """The sentence for an error of the driver or the server; None when it is a mistake of ours, to be seen as such."""
    told: tuple[str, str] | None = None
    if isinstance(error, exceptions.AuthError | exceptions.TokenExpired):
        told = ("the user or the password is wrong", "check NEO4J_USERNAME and NEO4J_PASSWORD")
    return DatabaseError(told[0], where=uri, remedy=told[1]) if told else None

"""A py2neo Graph on xkg's database, for notebooks that use py2neo (extra `py2neo`).

py2neo is no longer maintained. What works on a present Neo4j: `graph.run`, transactions and reading nodes; creating
indexes and constraints, and `graph.call`, don't, as they use statements and procedures that Neo4j 5 removed.
"""

from typing import TYPE_CHECKING

from kg.config import Settings
from kg.connection import connect
from kg.errors import InputError

if TYPE_CHECKING:
    from py2neo import Graph

__all__ = ["py2neo_graph"]


def py2neo_graph(settings: Settings) -> "Graph":
    """The database of these settings as a py2neo Graph; the local server is started if need be.

    Raises InputError if py2neo is not installed, DatabaseError if the database can't be reached.
    """
    try:
        from py2neo import Graph
    except ImportError as error:
        raise InputError("py2neo is not installed", remedy="install it with `pip install 'xkg[py2neo]'`") from error
    password = settings.neo4j.password.get_secret_value() if settings.neo4j.password else None
    with connect(settings) as connection:
        uri, user = connection.uri, connection.username
    if settings.neo4j.uri is None:
        from kg.server import LocalServer

        password = LocalServer(settings).secret().password
    auth = (user, password) if password else None
    return Graph(uri, auth=auth, name=settings.neo4j.database) if settings.neo4j.database else Graph(uri, auth=auth)

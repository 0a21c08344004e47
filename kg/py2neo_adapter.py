"""A py2neo Graph on xkg's database, for notebooks that use py2neo (extra `py2neo`).

py2neo is no longer maintained. What works on a present Neo4j: `graph.run`, transactions and reading nodes; creating
indexes and constraints, and `graph.call`, don't, as they use statements and procedures that Neo4j 5 removed.
"""

from typing import TYPE_CHECKING

from kg.config import Settings
from kg.connection import Connection
from kg.errors import InputError
from kg.opening import locate

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
    address = locate(settings)
    Connection.open(address).close()
    auth = (address.username, address.password) if address.password else None
    return Graph(address.uri, auth=auth, **({"name": address.database} if address.database else {}))

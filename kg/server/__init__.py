"""The local server: a real Neo4j Community with Neo4j Browser out of packages alone, on loopback, one for each home."""

from kg.server.install import Installation, install
from kg.server.local import LocalServer, Running

__all__ = ["Installation", "LocalServer", "Running", "install"]

"""What xkg has for notebooks that use py2neo (extra `py2neo`): a technique's subgraph, and a Graph on the database.

py2neo is no longer maintained. docs/notebooks.md tells what of it works on a present Neo4j.
"""

from typing import TYPE_CHECKING, Any

from kg.config import Settings
from kg.errors import InputError
from kg.notebook import Code, Technique
from kg.opening import locate, open_store
from kg.results.explore import NeighbourRow

if TYPE_CHECKING:
    from py2neo import Graph, Node, Subgraph

__all__ = ["py2neo_graph", "py2neo_subgraph"]

TECHNIQUE = {"id", "name", "kind", "aliases", "definition", "status", "inputs", "outputs", "paper"}
CODE = {"id", "name", "kind", "language", "origin", "signature", "verdict", "verdict_reason", "licence", "repository",
        "commit", "file", "line", "end_line", "implementation"}  # fmt: skip
MOST = 1000
"""Neighbours of a relation."""
GROUND = {"standing", "rank", "score", "confidence", "method"}


def _py2neo() -> Any:
    try:
        import py2neo
    except ImportError as error:
        raise InputError("py2neo is not installed", remedy="install it with `pip install 'xkg[py2neo]'`") from error
    return py2neo


def py2neo_graph(settings: Settings) -> "Graph":
    """The database of these settings as a py2neo Graph; the local server is started if need be.

    It shows all that the database holds: verdicts as they were written, text without a licence. Raises InputError if
    py2neo is not installed or a blacklist is in force, DatabaseError if the database can't be reached.
    """
    py2neo = _py2neo()
    with open_store(settings, migrate=False) as store:
        store.demand_whole("a py2neo Graph")
    address = locate(settings)
    auth = (address.username, address.password) if address.password else None
    return py2neo.Graph(address.uri, auth=auth, **({"name": address.database} if address.database else {}))


def py2neo_subgraph(technique: Technique) -> "Subgraph":
    """A technique of `kg.open()` with all that stands beside it (its paper, parts, needs, code, concepts, variants), as
    a py2neo Subgraph in no database yet.

    It holds what a notebook may see: no vectors, verdicts that this home bears out, text where a licence is stated.
    Nodes have labels and ids as in the graph, and merge by their id. Raises InputError if py2neo is not installed.
    """
    py2neo = _py2neo()

    def node(label: str, **properties: Any) -> "Node":
        made = py2neo.Node(label, **{key: value for key, value in properties.items() if value is not None})
        made.__primarylabel__, made.__primarykey__ = label, "id"
        return made

    said = technique.facts.model_dump(include=TECHNIQUE)
    centre = node("Technique", **said, equations=list(technique.equations))
    whole = py2neo.Subgraph([centre])
    ground = {row.id: row.model_dump(include=GROUND, exclude_none=True) for row in technique.implementations}
    others: dict[str, Node] = {}
    for row in technique.session.rows(NeighbourRow, id=technique.id, most=MOST):
        if row.id not in others:
            about = {"id": row.id, "name": row.name}
            if row.label == "Code":
                about = Code(technique.session, row.id).facts.model_dump(include=CODE)
            others[row.id] = node(row.label, **about)
        other = others[row.id]
        ends = (centre, other) if row.outgoing else (other, centre)
        edge = ground.get(row.id, {}) if row.standing else {}
        whole |= py2neo.Relationship(ends[0], row.relation, ends[1], **edge)
    return whole

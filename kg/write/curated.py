"""What curators decided about a paper, held against what a machine says of it now: the human word stands."""

from collections.abc import Mapping
from itertools import product

from kg.models.ids import Ref, unpinned
from kg.results.review import Decided
from kg.results.write import StoredEdge
from kg.store import Transaction
from kg.words import name_key
from kg.write.slice import Edge, GraphSlice, Node

__all__ = ["CURATED", "WORDS", "as_curated", "by_curator", "followed", "pair"]

CURATED = "curator"
WORDS = frozenset({"IMPLEMENTED_BY", "MAY_BE_IMPLEMENTED_BY", "NOT_IMPLEMENTED_BY"})
"""What can be said of a technique and a piece of code. Where a curator has said one of them, no machine says any."""
TREE = ("HAS_TECHNIQUE", "HAS_COMPONENT")


def by_curator(properties: Mapping[str, object]) -> bool:
    """Whether an edge is a curator's word."""
    return bool(properties.get("curated")) or CURATED in (
        properties.get("extraction_method"),
        properties.get("decided_by"),
    )


def pair(start: Ref, end: Ref) -> tuple[str, str]:
    """A technique and a unit, whatever the commit."""
    return start[1], unpinned(end[1])


def as_curated(tx: Transaction, graph: GraphSlice, paper: str) -> GraphSlice:
    """`graph` without what curators said is no technique, and with what they named anew under the id that it had.

    Names count beside ids: an extractor may come back with a variant of a name.
    """
    names = [row for row in tx.rows(Decided, prefix=f"{paper}#t/") if row.kind == "name"]
    rejected = {key for row in names if row.action == "reject" for key in (row.technique, name_key(row.name))}
    named = {name_key(row.value): row.technique for row in names if row.action == "edit"}
    if not rejected and not named:
        return graph
    whole = GraphSlice.of(graph)
    for ref, node in graph.nodes.items():
        key = name_key(str(node.properties.get("name", ""))) if ref[0] == "Technique" else ""
        if not key:
            continue
        if ref[1] in rejected or key in rejected:
            _drop(whole, ref)
        elif named.get(key, ref[1]) != ref[1]:
            _move(whole, node, ("Technique", named[key]))
    return whole


def _drop(graph: GraphSlice, ref: Ref) -> None:
    """Take a technique out; what was below it hangs on what was above."""
    ups = [edge for edge in graph.edges.values() if edge.end == ref and edge.type in TREE]
    downs = [edge for edge in graph.edges.values() if edge.start == ref and edge.type == "HAS_COMPONENT"]
    del graph.nodes[ref]
    graph.edges = {key: edge for key, edge in graph.edges.items() if ref not in key}
    for up, down in product(ups, downs):
        if up.start != down.end and not any((kind, up.start, down.end) in graph.edges for kind in TREE):
            graph.edge(up.type, up.start, down.end, **{**down.properties, "order": up.properties.get("order")})


def _move(graph: GraphSlice, node: Node, to: Ref) -> None:
    """Make a technique one with the one of that id."""
    del graph.nodes[node.ref]
    graph.nodes.setdefault(to, Node("Technique", to[1], node.properties))
    edges, graph.edges = graph.edges, {}
    for edge in edges.values():
        start, end = (to if ref == node.ref else ref for ref in (edge.start, edge.end))
        if start != end:
            graph.edge(edge.type, start, end, **edge.properties)


def followed(stored: StoredEdge, graph: GraphSlice, renamed: Mapping[Ref, Ref]) -> Edge | None:
    """The edge of a curator's word where its unit has another node at the commit of `graph`, and the former stays."""
    start, end = (stored.start_label, stored.start_id), (stored.end_label, stored.end_id)
    if stored.type not in WORDS or end in renamed or end in graph.nodes or start not in graph.nodes:
        return None
    name = unpinned(end[1])
    now = next((ref for ref in graph.nodes if ref[0] == "Code" and unpinned(ref[1]) == name), None)
    return Edge(stored.type, start, now, stored.properties) if now else None

"""The part of the graph that one paper stands for, as plain nodes and edges: what the graph should hold."""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from kg.models.ids import Ref
from kg.models.labels import sublabels

__all__ = ["PLACE", "Edge", "GraphSlice", "Node", "said"]

PLACE = ("file", "start", "end", "line", "end_line", "span", "spans", "quote_spans")
"""Where something stands in its source: may shift without it having changed."""

IDENTITY = ("id", "commit", "run_id", *PLACE)
"""Properties that are no part of what a node says."""


def _storable(value: Any) -> Any:
    """The value as Neo4j gives it back: lists for tuples, and no lone surrogates, which no UTF-8 can carry."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, list | tuple):
        return [_storable(item) for item in value]
    return value


def _plain(properties: dict[str, Any]) -> dict[str, Any]:
    return {key: _storable(value) for key, value in sorted(properties.items()) if value is not None}


def said(properties: dict[str, Any]) -> dict[str, Any]:
    """What properties say, without where it stands, which run wrote it and at which commit."""
    return {key: value for key, value in properties.items() if key not in IDENTITY}


@dataclass
class Node:
    """A node as it should be. `absent` names the properties that it should not have (those given as None)."""

    label: str
    id: str
    properties: dict[str, Any]

    def __post_init__(self) -> None:
        self.absent = sorted(key for key, value in self.properties.items() if value is None)
        self.properties = _plain({**self.properties, "id": self.id})

    @property
    def ref(self) -> Ref:
        return self.label, self.id

    @property
    def labels(self) -> dict[str, Any]:
        """As queries that write nodes take them: its label, and `more`."""
        return {"label": self.label, "more": sublabels(self.label, self.properties)}

    @property
    def content_hash(self) -> str:
        """sha256 of what the node says, wherever it stands, whichever run wrote it and at which commit."""
        text = json.dumps(said(self.properties), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass
class Edge:
    """An edge as it should be; there is one of each type between two nodes."""

    type: str
    start: Ref
    end: Ref
    properties: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.properties = _plain(self.properties)

    @property
    def key(self) -> tuple[str, Ref, Ref]:
        return self.type, self.start, self.end


class GraphSlice:
    """Nodes by label and id, edges by type and ends. Adding a key twice keeps the first."""

    def __init__(self) -> None:
        self.nodes: dict[Ref, Node] = {}
        self.edges: dict[tuple[str, Ref, Ref], Edge] = {}

    @classmethod
    def of(cls, other: "GraphSlice") -> "GraphSlice":
        """A copy that can grow on its own."""
        copy = cls()
        copy.nodes, copy.edges = dict(other.nodes), dict(other.edges)
        return copy

    def node(self, label: str, id: str, /, **properties: Any) -> Ref:
        """Add a node unless it is there; its reference."""
        node = Node(label, id, properties)
        return self.nodes.setdefault(node.ref, node).ref

    def edge(self, type: str, start: Ref, end: Ref, /, **properties: Any) -> None:
        """Add an edge unless it is there."""
        edge = Edge(type, start, end, properties)
        self.edges.setdefault(edge.key, edge)

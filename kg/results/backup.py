"""Rows of export and import."""

from typing import Any

from kg.results import ElementRow, Row


class BackupNode(Row):
    """A node of a backup."""

    query = "backup/list_nodes"
    label: str
    id: str | None
    element: str


class BackupEdge(Row):
    """An edge of a backup."""

    query = "backup/list_edges"
    type: str
    start_label: str
    start_id: str
    end_label: str
    end_id: str
    element: str


class RestoredNode(ElementRow):
    """A node that an import has made."""

    query = "backup/create_nodes"


class PresentNode(ElementRow):
    """A node of a backup that the graph has already, under the label `stands_as`."""

    query = "backup/find_nodes"
    stands_as: str


class FilledWork(ElementRow):
    """A work that was only cited, and is the paper of an import."""

    query = "backup/fill_works"


class RestoredEdges(Row):
    """How many edges an import has made."""

    query = "backup/create_edges"
    created: int


class Emptied(Row):
    """How many nodes were deleted."""

    query = "backup/delete_some"
    deleted: int


class SomeNode(Row):
    """A node that shows that the graph is not empty."""

    query = "backup/list_some"
    label: str
    id: str | None


class ElementProperties(Row):
    """All that a node or an edge carries."""

    element: str
    properties: dict[str, Any]


class NodeProperties(ElementProperties):
    """The properties of a node."""

    query = "backup/read_nodes"


class EdgeProperties(ElementProperties):
    """The properties of an edge."""

    query = "backup/read_edges"


class ImportMark(Row):
    """The sha256 of the file whose import has begun and not ended; None if there is none."""

    query = "backup/read_mark"
    importing: str | None

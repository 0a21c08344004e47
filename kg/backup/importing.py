"""File → graph, in batches, under a mark that tells writers that the graph is not whole; importing again ends it."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from kg.backup.checking import CheckedFile, check_file, read_items
from kg.backup.format import unpack
from kg.errors import InputError
from kg.migrations import bind_model
from kg.models.paper import Model
from kg.results.backup import Emptied, ImportMark, PresentNode, RestoredEdges, RestoredNode, SomeNode
from kg.store import BATCH, Store

__all__ = ["ImportReport", "import_graph"]

Mode = Literal["empty", "merge", "replace"]
NODE_BATCH = 500


class ImportReport(Model):
    """What was read, and what of it was new in the graph."""

    file: str
    nodes: int
    edges: int
    nodes_added: int
    edges_added: int


def import_graph(store: Store, file: Path, mode: Mode = "empty") -> ImportReport:
    """Read a backup into the graph, after all of it was checked.

    "empty" wants an empty graph; "merge" adds what is missing and leaves what is there as it is; "replace" empties
    the graph first. Interrupted, the same command goes on, and until then nobody else may write. Raises InputError for
    a damaged file and for a graph that is not empty, DatabaseError for vectors of another model; neither changes
    anything.
    """
    checked = check_file(file)
    resuming = _mark(store) == checked.sha256
    if mode == "empty" and not resuming and store.rows(SomeNode):
        raise InputError(
            "the graph is not empty", remedy="add --merge to keep what is there, or --replace to delete it first"
        )
    if mode != "replace" and checked.model:
        bind_model(store, *checked.model)
    store.write("backup/mark_import", sha256=checked.sha256)
    if mode == "replace":
        while store.write_rows(Emptied, limit=2 * BATCH)[0].deleted:
            pass
        if checked.model:
            bind_model(store, *checked.model)
    report = _load(store, checked, fresh=mode == "replace")
    store.write("backup/mark_import", sha256=None)
    return report


def _mark(store: Store) -> str | None:
    rows = store.rows(ImportMark)
    return rows[0].importing if rows else None


def _batches(items: Iterable[dict[str, Any]], size: int) -> Iterator[list[dict[str, Any]]]:
    stream = iter(items)
    while batch := list(islice(stream, size)):
        yield batch


def _load(store: Store, checked: CheckedFile, *, fresh: bool) -> ImportReport:
    elements: dict[tuple[str, str], str] = {}
    nodes_added = edges_added = 0
    for batch in _batches((item for item in read_items(checked.path) if "node" in item), NODE_BATCH):
        rows = [_node_row(item) for item in batch]
        keys = [{"label": row["label"], "id": row["properties"]["id"]} for row in rows]
        known = store.rows(PresentNode, rows=[k for k in keys if not fresh or k["label"] == "IndexInfo"])
        elements |= {(node.label, node.id): node.element for node in known}
        new = [row for row in rows if (row["label"], row["properties"]["id"]) not in elements]
        made = store.write_rows(RestoredNode, rows=new) if new else []
        elements |= {(node.label, node.id): node.element for node in made}
        nodes_added += len(made)
    for batch in _batches((item for item in read_items(checked.path) if "edge" in item), BATCH):
        rows = [
            {
                "type": item["edge"],
                "start": elements[item["start"][0], item["start"][1]],
                "end": elements[item["end"][0], item["end"][1]],
                "properties": {key: unpack(value) for key, value in item["properties"].items()},
            }
            for item in batch
        ]
        edges_added += store.write_rows(RestoredEdges, rows=rows)[0].created
    return ImportReport(
        file=str(checked.path), nodes=checked.nodes, edges=checked.edges, nodes_added=nodes_added,
        edges_added=edges_added,
    )  # fmt: skip


def _node_row(item: dict[str, Any]) -> dict[str, Any]:
    """A row of backup/create_nodes; a vector that was stored as float32 becomes float32 again."""
    packed = dict(item["properties"])
    is_vector = isinstance(packed.get("embedding"), dict)
    vector = unpack(packed.pop("embedding")) if is_vector else None
    properties = {key: unpack(value) for key, value in packed.items()}
    return {"label": item["node"], "properties": {**properties, "id": item["id"]}, "vector": vector}

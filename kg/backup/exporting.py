"""Graph → file. The writers' lock is held meanwhile, so the file is one state of the graph."""

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kg.backup.foreign import line_statement, whole_statement
from kg.backup.format import FORMAT, LABELS, dump, pack, pack_vector
from kg.errors import DatabaseError, InputError
from kg.files import replacing
from kg.models.paper import Model
from kg.results.backup import BackupEdge, BackupNode, EdgeProperties, NodeProperties
from kg.results.graph import IndexInfo, MigrationRow
from kg.store import BATCH, Store, Transaction
from kg.verdicts.logs import LogStore
from kg.verdicts.seals import Seals, open_seals

__all__ = ["ExportReport", "export_graph"]

BODY = (
    "implementation", "test", "test_left_out", "test_opened", "documentation", "module", "survivors", "content_hash",
)  # fmt: skip
"""What is left out of code without a licence: its text and what quotes it; the hash too, so that ingesting the paper
again brings the body back."""


class ExportReport(Model):
    """What was written. `bodies_left_out` counts Code nodes without a recognised licence whose text stayed here."""

    file: str
    nodes: int
    edges: int
    bytes: int
    sha256: str
    bodies_left_out: int


def export_graph(
    store: Store, file: Path, *, include_unlicensed: bool = False, logs: LogStore | None = None
) -> ExportReport:
    """Write the whole graph to `file`, which appears only when it is complete.

    The text of code without a recognised licence stays out unless `include_unlicensed`; its links, spans and vectors
    are in. With the key beside `logs` each line is sealed, and the whole: without it the file is nobody's word. Raises
    InputError if the folder can't be written to.
    """
    store.demand_whole("a backup")
    with contextlib.ExitStack() as stack:
        try:
            out = stack.enter_context(replacing(file))
        except OSError as error:
            raise InputError(f"{file} can't be written: {error.strerror}", remedy="choose another place") from error
        return store.transact(lambda tx: _write(tx, out, file, include_unlicensed, logs))


def _write(tx: Transaction, out: Any, file: Path, include_unlicensed: bool, logs: LogStore | None) -> ExportReport:
    seals = open_seals(tx, logs.folder) if logs else None
    out.seek(0)
    out.truncate()
    nodes = sorted((n for n in tx.rows(BackupNode)), key=lambda n: (n.label, n.id or ""))
    foreign = next((n for n in nodes if n.label not in LABELS or n.id is None), None)
    if foreign:
        raise DatabaseError(
            f"the database holds a node that is not xkg's ({foreign.label}, id {foreign.id})",
            remedy="keep xkg's graph in a database of its own",
        )
    edges = sorted(tx.rows(BackupEdge), key=lambda e: (e.type, e.start_label, e.start_id, e.end_label, e.end_id))
    left_out: list[str] = []
    digest, size = hashlib.sha256(), 0
    for line in _lines(tx, nodes, edges, None if include_unlicensed else left_out, seals):
        digest.update(line)
        size += out.write(line)
    trailer = {"sha256": digest.hexdigest()}
    if seals:
        trailer["seal"] = seals.make(*whole_statement(trailer["sha256"]))
    size += out.write(dump(trailer))
    return ExportReport(
        file=str(file), nodes=len(nodes), edges=len(edges), bytes=size, sha256=trailer["sha256"],
        bodies_left_out=len(left_out),
    )  # fmt: skip


def _lines(
    tx: Transaction, nodes: list[BackupNode], edges: list[BackupEdge], left_out: list[str] | None, seals: Seals | None
) -> Iterator[bytes]:
    def sealed(item: dict[str, Any]) -> bytes:
        return dump({**item, "seal": seals.make(*line_statement(item))} if seals else item)

    model = next((row.model_dump() for row in tx.rows(IndexInfo)), None)
    level = max((row.number for row in tx.rows(MigrationRow)), default=0)
    yield dump({"format": FORMAT, "migration": level, "model": model, "nodes": len(nodes), "edges": len(edges)})
    for node, properties in _with_properties(tx, NodeProperties, nodes):
        vector = properties.pop("embedding", None)
        if left_out is not None and node.label == "Code" and _withhold(properties):
            left_out.append(str(node.id))
        packed = {key: pack(value) for key, value in properties.items() if key != "id"}
        if vector is not None:
            packed["embedding"] = pack_vector(vector)
        yield sealed({"node": node.label, "id": node.id, "properties": packed})
    for edge, properties in _with_properties(tx, EdgeProperties, edges):
        packed = {key: pack(value) for key, value in properties.items()}
        ends = {"start": [edge.start_label, edge.start_id], "end": [edge.end_label, edge.end_id]}
        yield sealed({"edge": edge.type, **ends, "properties": packed})


def _withhold(properties: dict[str, Any]) -> bool:
    """Take the text of unlicensed code out of `properties`; whether there was any."""
    if properties.get("licence") not in (None, "unknown") or properties.get("origin") == "generated":
        return False
    held = [properties.pop(key, None) for key in BODY]
    return any(held)


def _with_properties(
    tx: Transaction, model: type[NodeProperties | EdgeProperties], items: list[Any]
) -> Iterator[tuple[Any, dict[str, Any]]]:
    for start in range(0, len(items), BATCH):
        batch = items[start : start + BATCH]
        rows = {r.element: r.properties for r in tx.rows(model, elements=[item.element for item in batch])}
        for item in batch:
            yield item, rows[item.element]

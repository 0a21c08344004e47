"""Carrying a plan out, inside the transaction it was made in."""

from typing import Any

import numpy as np

from kg.models.ids import Ref
from kg.models.record import Vectors
from kg.results.write import CreatedNode
from kg.store import Transaction
from kg.write.plan import Plan, Update
from kg.write.slice import Node

__all__ = ["apply_plan"]

NODE_BATCH = 500
VECTOR_BATCH = 250
NEW: dict[str, dict[str, Any]] = {
    "Code": {"verdict": "unverified", "verdict_reason": "nothing was run"},
    "Technique": {"unjoined": True},
}
"""What new nodes have besides what the record says of them: code was not run, techniques were not joined."""


def _new(node: Node) -> dict[str, Any]:
    return {**node.properties, **NEW.get(node.label, {}), "content_hash": node.content_hash}


def _changed(update: Update, vectorless: bool) -> dict[str, Any]:
    node = update.node
    if not update.changed:
        moved = {key: value for key, value in node.properties.items() if key != "run_id"}
        return {**dict.fromkeys(node.absent), **moved}
    joined = NEW["Technique"] if node.label == "Technique" else {}
    properties = {**dict.fromkeys(node.absent), **node.properties, **joined, "content_hash": node.content_hash}
    return {**properties, "embedding": None, "embedding_model": None} if vectorless else properties


def apply_plan(tx: Transaction, plan: Plan, vectors: Vectors | None) -> None:
    """Write nodes, then edges, then vectors; deletions of nodes first, so that their ids are free."""
    elements: dict[Ref, str] = dict(plan.elements)
    with_vector = set(plan.vectors)
    tx.batches("write/delete_nodes", "elements", [*dict.fromkeys(plan.delete)])
    updates = [
        {
            **update.node.labels,
            "element": update.element,
            "changed": update.changed,
            "properties": _changed(update, update.node.ref not in with_vector),
        }
        for update in plan.update
    ]
    tx.batches("write/update_nodes", "rows", updates, NODE_BATCH)
    tx.batches("verdict/mark_stale", "rows", plan.stale, NODE_BATCH)
    if plan.forget:
        tx.run("prune/forget", papers=plan.forget, again=False)
    for start in range(0, len(plan.create), NODE_BATCH):
        rows = [{**n.labels, "properties": _new(n)} for n in plan.create[start : start + NODE_BATCH]]
        for made in tx.rows(CreatedNode, rows=rows):
            elements[made.label, made.id] = made.element
    _apply_edges(tx, plan, elements)
    if vectors and plan.vectors:
        _apply_vectors(tx, plan.vectors, elements, vectors)


def _apply_edges(tx: Transaction, plan: Plan, elements: dict[Ref, str]) -> None:
    tx.batches("write/delete_edges", "elements", plan.delete_edges)
    updates = [{"element": element, "properties": properties} for element, properties in plan.update_edges]
    tx.batches("write/update_edges", "rows", updates)
    moves = [{"citing": citing, "cited": elements[into], "properties": p} for citing, into, p in plan.move_citations]
    tx.batches("write/move_citations", "rows", moves)
    creates = [
        {"type": e.type, "start": elements[e.start], "end": elements[e.end], "properties": e.properties}
        for e in plan.create_edges
    ]
    tx.batches("write/create_edges", "rows", creates)


def _apply_vectors(tx: Transaction, refs: list[Ref], elements: dict[Ref, str], vectors: Vectors) -> None:
    row_of = {node: row for row, node in enumerate(vectors.ids)}
    matrix = vectors.matrix()
    for start in range(0, len(refs), VECTOR_BATCH):
        batch = refs[start : start + VECTOR_BATCH]
        numbers = np.asarray(matrix[[row_of[ref[1]] for ref in batch]], dtype=np.float64).tolist()
        rows = [{"element": elements[ref], "vector": v} for ref, v in zip(batch, numbers, strict=True)]
        tx.run("write/set_vectors", rows=rows, model_id=vectors.model_id)

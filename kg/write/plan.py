"""The difference between what the graph holds of a paper and what it should hold, as a list of operations."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from kg.errors import InputError
from kg.models.ids import Ref
from kg.models.labels import labels_of
from kg.models.record import Vectors
from kg.results.write import StoredEdge, StoredNode, Touched
from kg.store import Transaction
from kg.write.changes import ChangesBuilder
from kg.write.curated import WORDS, by_curator, followed, pair
from kg.write.existing import Existing, Pin
from kg.write.slice import PLACE, Edge, GraphSlice, Node, said

__all__ = ["Plan", "Update", "VectorRows", "plan_edges", "plan_nodes"]

REMEDY = "papers are arxiv:…, doi:… or local:…, repositories github:… or folder:…"


@dataclass
class Update:
    """New properties for a stored node; `changed` is False if it only moved."""

    element: str
    node: Node
    changed: bool


@dataclass
class Plan:
    """Operations of one write, in the order of the fields.

    `elements` tells where nodes are that exist; `renamed` maps former references to new ones; `kept` are elements
    that vanished from the source but stay by a curator's word; `forget` names papers whose pruning is over. `stale` are
    rows for verdict/mark_stale; `taken_back` (id, seal) of code whose judgements are over; `sealed` the seals of those
    that hold though their code moves, by its new id.
    """

    changes: ChangesBuilder
    elements: dict[Ref, str] = field(default_factory=dict)
    create: list[Node] = field(default_factory=list)
    update: list[Update] = field(default_factory=list)
    delete: list[str] = field(default_factory=list)
    create_edges: list[Edge] = field(default_factory=list)
    update_edges: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    delete_edges: list[str] = field(default_factory=list)
    vectors: list[Ref] = field(default_factory=list)
    move_citations: list[tuple[str, Ref, dict[str, Any]]] = field(default_factory=list)
    stale: list[dict[str, Any]] = field(default_factory=list)
    taken_back: list[tuple[str, str | None]] = field(default_factory=list)
    sealed: dict[str, str] = field(default_factory=dict)
    forget: list[str] = field(default_factory=list)
    renamed: dict[Ref, Ref] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)

    def put(self, node: Node, stored: StoredNode | None, vectors: "VectorRows") -> None:
        """Create, change, move or leave a node. Raises InputError for an id that by its form is another label's."""
        if node.label not in labels_of(node.id):
            raise InputError(f"{node.id!r} is no id of a {node.label}", remedy=REMEDY)
        has_vector = node.id in vectors.rows
        if stored is None:
            self.create.append(node)
            self.changes.node("added", node.ref)
            if has_vector:
                self.vectors.append(node.ref)
            return
        self.elements[node.ref] = stored.element
        if stored.curated and stored.label == node.label:
            return
        renamed = (stored.label, stored.id) != node.ref
        if renamed:
            self.renamed[stored.label, stored.id] = node.ref
        changed = stored.content_hash != node.content_hash
        revector = has_vector and (changed or stored.embedding_model != vectors.model_id)
        place = {key: value for key, value in stored.place.items() if value is not None}
        if changed or renamed or place != _place(node):
            self.update.append(Update(stored.element, node, changed))
        if revector:
            self.vectors.append(node.ref)
        if changed or revector:
            self.changes.node("changed", node.ref)
        elif renamed or place != _place(node):
            self.changes.moved += 1

    def add_edges(self, edges: Iterable[Edge]) -> None:
        """Create edges."""
        for edge in edges:
            self.create_edges.append(edge)
            self.changes.edge("added", edge.key)

    def drop(self, stored: StoredNode) -> None:
        """Delete a node."""
        self.delete.append(stored.element)
        self.changes.node("removed", (stored.label, stored.id))


def _place(node: Node) -> dict[str, Any]:
    return {key: node.properties[key] for key in PLACE if key in node.properties and key != "span"}


class VectorRows:
    """Rows of the record's vectors by node id."""

    def __init__(self, vectors: Vectors | None) -> None:
        self.model_id = vectors.model_id if vectors else None
        self.rows = {node: row for row, node in enumerate(vectors.ids)} if vectors else {}


def plan_nodes(
    tx: Transaction, plan: Plan, graph: GraphSlice, existing: Existing, wanted: Pin | None, vectors: VectorRows,
    *, keep_curated: bool = True,
) -> None:  # fmt: skip
    """Plan all nodes of `graph` but papers: what turns `existing` into it."""
    stored = {ref: node for ref, node in existing.nodes.items() if ref[0] != "Paper"}
    released = [pin for pin in sorted(existing.code) if pin != wanted and pin not in existing.others]
    if wanted:
        stored |= _rekeyed(released, wanted, existing)
        stored |= existing.code[wanted]
    for node in graph.nodes.values():
        if node.label == "Repository":
            _put_repository(plan, node, existing, vectors)
        elif node.label != "Paper":
            plan.put(node, stored.get(node.ref), vectors)
    owned = [*existing.nodes.values()] + [n for pin in released for n in existing.code[pin].values()]
    if wanted and wanted not in existing.others:
        owned += existing.code[wanted].values()
    matched = set(plan.elements.values())
    vanished = [node for node in owned if node.element not in matched and node.label != "Paper"]
    _drop_vanished(tx, plan, vanished, keep_curated)
    _drop_repositories(plan, existing, keep_curated)


def _rekeyed(released: Iterable[Pin], wanted: Pin, existing: Existing) -> dict[Ref, StoredNode]:
    """Code of a former commit of the wanted repository, under the ids it would have at the wanted commit."""
    found: dict[Ref, StoredNode] = {}
    for repository, commit in released:
        if repository == wanted[0]:
            before = f"{repository}@{commit}:"
            for (label, node), row in existing.code[repository, commit].items():
                found[label, f"{wanted[0]}@{wanted[1]}:{node.removeprefix(before)}"] = row
    return found


def _put_repository(plan: Plan, node: Node, existing: Existing, vectors: VectorRows) -> None:
    """A repository that other papers use as well keeps what the first of them said of it."""
    stored = existing.repositories.get(node.id)
    if stored and any(repository == node.id for repository, _ in existing.others):
        plan.elements[node.ref] = stored.element
    else:
        plan.put(node, stored, vectors)


def _drop_vanished(tx: Transaction, plan: Plan, vanished: list[StoredNode], keep_curated: bool) -> None:
    if keep_curated:
        touched = tx.row_batches(Touched, "elements", [node.element for node in vanished])
        plan.kept = {row.element for row in touched} | {node.element for node in vanished if node.curated}
        plan.changes.kept |= {node.id for node in vanished if node.element in plan.kept}
    for node in vanished:
        if node.element not in plan.kept:
            plan.drop(node)


def _drop_repositories(plan: Plan, existing: Existing, keep_curated: bool) -> None:
    used = {repository for repository, _ in existing.others}
    used |= {pin[0] for pin, code in existing.code.items() if any(n.element in plan.kept for n in code.values())}
    for repository, stored in sorted(existing.repositories.items()):
        wanted = repository in used or stored.element in plan.elements.values()
        if not wanted and not (keep_curated and stored.curated):
            plan.drop(stored)


def plan_edges(plan: Plan, graph: GraphSlice, existing: Existing) -> None:
    """Plan all edges of `graph`, after its nodes and those it cites were planned.

    Where a curator has said whether code implements a technique, that is all that is said of the two.
    """
    gone = set(plan.delete)
    shared = {ref: pin for pin, code in existing.code.items() if pin in existing.others for ref in code}
    words = {_pair(plan, e) for e in existing.edges if e.type in WORDS and by_curator(e.properties)}
    todo = {key: e for key, e in graph.edges.items() if e.type not in WORDS or pair(e.start, e.end) not in words}
    for stored in existing.edges:
        start, end = (stored.start_label, stored.start_id), (stored.end_label, stored.end_id)
        key = (stored.type, plan.renamed.get(start, start), plan.renamed.get(end, end))
        desired = todo.pop(key, None)
        if by_curator(stored.properties):
            if moved := followed(stored, graph, plan.renamed):
                plan.delete_edges.append(stored.element)
                plan.create_edges.append(moved)
                plan.changes.moved += 1
            continue
        if desired:
            _put_edge(plan, stored, desired)
        elif shared.get(start) is None and not plan.kept & {existing.element(start), existing.element(end)}:
            plan.changes.edge("removed", key)
            if not gone & {existing.element(start), existing.element(end)}:
                plan.delete_edges.append(stored.element)
    plan.add_edges(todo.values())


def _put_edge(plan: Plan, stored: StoredEdge, desired: Edge) -> None:
    before = {key: value for key, value in stored.properties.items() if key != "run_id"}
    after = {key: value for key, value in desired.properties.items() if key != "run_id"}
    if before == after:
        return
    plan.update_edges.append((stored.element, desired.properties))
    if said(before) == said(after):
        plan.changes.moved += 1
    else:
        plan.changes.edge("changed", desired.key)


def _pair(plan: Plan, stored: StoredEdge) -> tuple[str, str]:
    start: Ref = (stored.start_label, stored.start_id)
    return pair(plan.renamed.get(start, start), (stored.end_label, stored.end_id))

"""What was pruned of a paper stays out of it, as long as it is made from the same sources."""

from kg.models.record import PaperRecord
from kg.pruning import sources_key
from kg.results.graph import PrunedOfPaper
from kg.store import Transaction
from kg.write.plan import Plan
from kg.write.slice import GraphSlice

__all__ = ["without_pruned"]


def without_pruned(tx: Transaction, plan: Plan, graph: GraphSlice, record: PaperRecord) -> GraphSlice:
    """`graph` without the nodes that were pruned of this paper.

    With other sources they all come back, and the plan forgets the pruning; a technique that went for want of code
    comes back, with those above it, as soon as code is asserted for it.
    """
    pruned = tx.rows(PrunedOfPaper, papers=[record.paper.id])
    if not pruned:
        return GraphSlice.of(graph)
    repository = record.repository
    pins = [f"{repository.id}@{repository.commit}"] if repository else []
    if pruned[0].sources != sources_key(record.doc.source_sha256, pins):
        plan.forget.append(record.paper.id)
        return GraphSlice.of(graph)
    out = set(pruned[0].pruned)
    if pruned[0].level == "grounded":
        out -= _grounded_now(graph, out)
    whole = GraphSlice.of(graph)
    whole.nodes = {ref: node for ref, node in graph.nodes.items() if ref[1] not in out}
    whole.edges = {key: edge for key, edge in graph.edges.items() if not out & {edge.start[1], edge.end[1]}}
    return whole


def _grounded_now(graph: GraphSlice, pruned: set[str]) -> set[str]:
    """Of these ids, techniques for which code is asserted now, and those above them."""
    found = {edge.start[1] for edge in graph.edges.values() if edge.type == "IMPLEMENTED_BY"} & pruned
    todo = list(found)
    while todo:
        below = todo.pop()
        above = {e.start[1] for e in graph.edges.values() if e.type == "HAS_COMPONENT" and e.end[1] == below}
        todo += above - found
        found |= above
    return found

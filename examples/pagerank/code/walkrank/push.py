"""Personalised PageRank that looks only at the neighbourhood of its seed."""

from collections import deque

from walkrank.graph import Graph


def forward_push(graph: Graph, seed: int, damping: float = 0.85, epsilon: float = 1e-6) -> tuple[dict[int, float], int]:
    """Approximate ranks of a surfer who always returns to `seed`, and the number of pushes.

    Each node's residual is pushed to its successors while it exceeds `epsilon` per link; a dangling node gives its
    residual back to the seed.
    """
    ranks: dict[int, float] = {}
    residual = {seed: 1.0}
    queue, queued, pushes = deque([seed]), {seed}, 0
    while queue:
        node = queue.popleft()
        queued.discard(node)
        targets = graph.successors[node] or [seed]
        mass = residual.get(node, 0.0)
        if mass <= epsilon * len(targets):
            continue
        pushes += 1
        ranks[node] = ranks.get(node, 0.0) + (1.0 - damping) * mass
        residual[node] = 0.0
        for target in targets:
            residual[target] = residual.get(target, 0.0) + damping * mass / len(targets)
            degree = len(graph.successors[target]) or 1
            if residual[target] > epsilon * degree and target not in queued:
                queue.append(target)
                queued.add(target)
    return ranks, pushes

"""PageRank as the fixed point of a random surfer's step."""

from walkrank.graph import Graph


def power_iteration(graph: Graph, damping: float = 0.85, tolerance: float = 1e-10) -> tuple[list[float], int]:
    """Ranks that sum to one, and the number of iterations until the L1 change fell below `tolerance`."""
    n = graph.size
    ranks = [1.0 / n] * n
    for iteration in range(1, 1_000):
        lost = sum(ranks[node] for node in graph.dangling)
        base = (1.0 - damping + damping * lost) / n
        following = [base] * n
        for node, targets in enumerate(graph.successors):
            if targets:
                share = damping * ranks[node] / len(targets)
                for target in targets:
                    following[target] += share
        change = sum(abs(new - old) for new, old in zip(following, ranks, strict=True))
        ranks = following
        if change < tolerance:
            return ranks, iteration
    raise ArithmeticError("no convergence in 1,000 iterations")

"""The same linear system, but new ranks are used as soon as they are known."""

from walkrank.graph import Graph


def gauss_seidel(graph: Graph, damping: float = 0.85, tolerance: float = 1e-10) -> tuple[list[float], int]:
    """Ranks that sum to one, and the number of sweeps until the L1 change fell below `tolerance`.

    Solves x = damping * P'x + 1/n with dangling nodes as sinks; scaling x to sum one gives PageRank, because returned
    dangling mass is spread as evenly as the jumps are.
    """
    n = graph.size
    x = [1.0 / n] * n
    degrees = [len(targets) for targets in graph.successors]
    for sweep in range(1, 1_000):
        change = 0.0
        for node, sources in enumerate(graph.predecessors):
            new = 1.0 / n + damping * sum(x[source] / degrees[source] for source in sources)
            change += abs(new - x[node])
            x[node] = new
        if change < tolerance:
            total = sum(x)
            return [value / total for value in x], sweep
    raise ArithmeticError("no convergence in 1,000 sweeps")

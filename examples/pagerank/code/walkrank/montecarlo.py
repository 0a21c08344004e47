"""PageRank by sending out surfers and counting where they pass."""

from collections.abc import Iterator
from random import Random

from walkrank.graph import Graph


def visits(graph: Graph, walks: int, damping: float, rng: Random) -> Iterator[int]:
    """The nodes that `walks` surfers pass; each starts anywhere and stops with probability 1 - damping per step.

    A surfer in a dangling node goes on anywhere.
    """
    for _ in range(walks):
        node = int(rng.random() * graph.size)
        yield node
        while rng.random() < damping:
            targets = graph.successors[node]
            node = targets[int(rng.random() * len(targets))] if targets else int(rng.random() * graph.size)
            yield node


def walk_ranks(graph: Graph, walks: int, rng: Random, damping: float = 0.85) -> list[float]:
    """Ranks as shares of all visits: the complete-path estimator."""
    counts = [0] * graph.size
    for node in visits(graph, walks, damping, rng):
        counts[node] += 1
    total = sum(counts)
    return [count / total for count in counts]


def walk_top(graph: Graph, walks: int, rng: Random, k: int, counters: int, damping: float = 0.85) -> list[int]:
    """The k most visited nodes, found by Space-Saving with a fixed number of counters instead of one per node."""
    counts: dict[int, int] = {}
    for node in visits(graph, walks, damping, rng):
        if node in counts or len(counts) < counters:
            counts[node] = counts.get(node, 0) + 1
        else:
            victim = min(counts, key=counts.__getitem__)
            counts[node] = counts.pop(victim) + 1
    return sorted(counts, key=lambda node: (-counts[node], node))[:k]

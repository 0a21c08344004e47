"""Recomputes every number of the paper's evaluation and prints them as JSON. Takes a few seconds."""

import json
import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from walkrank import forward_push, gauss_seidel, power_iteration, preferential_attachment, walk_ranks, walk_top

SEED = 20_250_303
NODES, LINKS = 2_000, 3
WALKS = 20_000
TOP, COUNTERS = 10, 100


def top(ranks: list[float], k: int = TOP) -> set[int]:
    """The k nodes of highest rank."""
    return set(sorted(range(len(ranks)), key=lambda node: (-ranks[node], node))[:k])


def main() -> dict[str, str]:
    """All numbers as they stand in the paper."""
    graph = preferential_attachment(NODES, LINKS, Random(SEED))
    exact, iterations = power_iteration(graph)
    _, sweeps = gauss_seidel(graph)
    walked = walk_ranks(graph, WALKS, Random(SEED))
    few = walk_top(graph, WALKS, Random(SEED), TOP, COUNTERS)
    near, pushes = forward_push(graph, NODES - 1, epsilon=1e-3)
    return {
        "edges": f"{sum(map(len, graph.successors)):,}",
        "dangling nodes": str(len(graph.dangling)),
        "iterations": str(iterations),
        "sweeps": str(sweeps),
        "error of walks": f"{sum(abs(a - b) for a, b in zip(exact, walked, strict=True)):.3f}",
        "top by walks": str(len(top(exact) & top(walked))),
        "top by Space-Saving": str(len(top(exact) & set(few))),
        "touched by push": str(len(near)),
        "pushes": str(pushes),
        "mass of push": f"{100 * sum(near.values()):.1f}",
    }


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))

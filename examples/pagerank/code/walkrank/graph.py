"""Directed graphs, and one way to grow them."""

from collections.abc import Iterable
from random import Random


class Graph:
    """Nodes 0..n-1 with their successors and predecessors; a node without successors is dangling."""

    def __init__(self, size: int, edges: Iterable[tuple[int, int]]) -> None:
        self.size = size
        self.successors: list[list[int]] = [[] for _ in range(size)]
        self.predecessors: list[list[int]] = [[] for _ in range(size)]
        for source, target in sorted(set(edges)):
            self.successors[source].append(target)
            self.predecessors[target].append(source)
        self.dangling = [node for node in range(size) if not self.successors[node]]

    def to_dot(self) -> str:
        """The graph in the language of Graphviz."""
        lines = [f"  {node} -> {target};" for node in range(self.size) for target in self.successors[node]]
        return "\n".join(["digraph {", *lines, "}"])


def preferential_attachment(size: int, links: int, rng: Random) -> Graph:
    """Each new node links to `links` earlier ones, chosen in proportion to one plus their links so far.

    One node in ten links to nobody, so that the graph has dangling nodes.
    """
    edges: list[tuple[int, int]] = []
    urn = list(range(links))
    for node in range(links, size):
        if rng.random() >= 0.1:
            targets = {urn[int(rng.random() * len(urn))] for _ in range(links)}
            edges += [(node, target) for target in targets]
            urn += sorted(targets)
            back = urn[int(rng.random() * len(urn))]
            edges.append((back, node))
        urn.append(node)
    return Graph(size, edges)

"""PageRank four ways: iterated, swept, pushed and walked."""

from walkrank.gaussseidel import gauss_seidel
from walkrank.graph import Graph, preferential_attachment
from walkrank.linklist import read_link_list
from walkrank.montecarlo import walk_ranks, walk_top
from walkrank.power import power_iteration
from walkrank.push import forward_push

__all__ = [
    "Graph",
    "forward_push",
    "gauss_seidel",
    "power_iteration",
    "preferential_attachment",
    "read_link_list",
    "walk_ranks",
    "walk_top",
]

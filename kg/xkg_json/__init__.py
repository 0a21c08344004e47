"""The JSON graphs that the xKG project publishes: one file per paper, read into the graph and written from it.

A file holds a paper's title, abstract and reference titles, a tree of techniques with code, and lists of findings and
resources as "Name: text". All of it becomes nodes and edges; what a file holds beyond the format (unknown keys, a value
of another type, the order of keys) is kept beside the node it belongs to, so that writing gives the same JSON values.
A claim of a file ("pass_exec") is kept as a claim: the code is unverified until it was run here.
"""

from kg.xkg_json.reader import is_graph, read_graph
from kg.xkg_json.writer import WrittenGraph, write_graphs

__all__ = ["WrittenGraph", "is_graph", "read_graph", "write_graphs"]

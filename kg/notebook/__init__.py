"""The graph in a notebook: `kg.open()`.

What is shown there is untrusted text, and escaped; the text of code whose source states no licence is withheld, and no
verdict is shown that this home does not bear out.
"""

from kg.notebook.graph import Graph, open_graph
from kg.notebook.nodes import Code, Listed, Paper, Technique

__all__ = ["Code", "Graph", "Listed", "Paper", "Technique", "open_graph"]

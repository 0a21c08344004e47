"""Models at work: the place of the LLM client, the sandbox and the agents that use the graph.

Nothing here yet reads or writes: parsing, grounding and search need no model.
"""

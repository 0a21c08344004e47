"""Models, code and execution: what runs code and judges it, and the agents that use the graph."""

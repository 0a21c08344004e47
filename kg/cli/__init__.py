"""The commands that need only the graph."""

"""The road from sources to graph: one paper prepared, many papers written."""

"""PaperRecord → graph: what changes, and the change itself."""

from kg.write.changes import Changes
from kg.write.paper import remove_paper, write_paper

__all__ = ["Changes", "remove_paper", "write_paper"]

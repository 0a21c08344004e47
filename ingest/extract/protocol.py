"""What an extractor of techniques is, whatever it works with."""

from typing import Protocol, runtime_checkable

from ingest.latex import ParsedPaper
from kg.models.technique import TechniqueTree

__all__ = ["TechniqueExtractor"]


@runtime_checkable
class TechniqueExtractor(Protocol):
    """Reads the techniques out of one parsed paper.

    An extractor fills `TechniqueTree.method` with what it is, takes names from the paper's own words, and gives spans
    as bytes of the original files (`Flat.span`). It raises `kg.errors.XkgError` when something it needs is missing;
    a paper it finds nothing in is an empty tree.
    """

    def extract(self, parsed: ParsedPaper) -> TechniqueTree:
        """The technique tree of `parsed`."""
        ...

"""Parsed paper → tree of techniques.

`TechniqueExtractor` is the protocol; `StructuralExtractor` the one that needs no model.
"""

from ingest.extract.structural import StructuralExtractor, TechniqueExtractor

__all__ = ["StructuralExtractor", "TechniqueExtractor"]

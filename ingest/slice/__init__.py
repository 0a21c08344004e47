"""Code units as mini-packages that stand alone: the unit and all it needs from its repository, nothing else.

`Slicer` makes a `Module` of a unit; `Piece` says where each part of it comes from.
"""

from ingest.slice.models import Module, Piece
from ingest.slice.slicer import Slicer

__all__ = ["Module", "Piece", "Slicer"]

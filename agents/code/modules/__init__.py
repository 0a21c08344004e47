"""Code units as mini-packages that stand alone: the unit and all it needs from its repository, nothing else.

`Slicer` makes a `Module` of a unit; `Piece` says where each part of it comes from.
"""

from agents.code.modules.models import Module, Piece
from agents.code.modules.slicer import Slicer

__all__ = ["Module", "Piece", "Slicer"]

"""A module that stands alone."""

from kg.models.code import StoredModule
from kg.models.paper import Model

__all__ = ["Module", "Piece"]


class Piece(Model):
    """Lines `line`..`end_line` (1-based, inclusive) of repository file `source`, taken into module file `file`."""

    file: str
    source: str
    line: int
    end_line: int


class Module(StoredModule):
    """A unit and all it needs from its repository, as a small package, with where its lines were taken from.

    Its `files` lie below one folder that is put on the import path; names of repository files are kept.
    """

    unit: str
    language: str
    pieces: tuple[Piece, ...] = ()
    licence: str | None = None

"""A unit as prose for the sentence embedder, twice: what it says of itself, and what it is made of."""

from ingest.ground.fields import UnitFields
from ingest.ground.words import split_identifier
from kg.models.code import CodeUnit

__all__ = ["made_of", "says"]


def _split(symbol: str) -> str:
    return " ".join(split_identifier(symbol))


def says(unit: CodeUnit) -> str:
    """Name, split name, file and documentation, at most 900 characters."""
    return f"{unit.symbol}: {_split(unit.symbol)}. {unit.file}. {unit.docstring}"[:900]


def made_of(unit: CodeUnit, fields: UnitFields) -> str:
    """Split name, comments (300 characters), and the distinct identifiers and calls, at most 700 characters."""
    comments = " ".join(fields.comments.split())[:300]
    return f"{_split(unit.symbol)}. {comments} {' '.join(fields.identifiers)}"[:700]

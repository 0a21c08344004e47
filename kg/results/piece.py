"""Rows of what a paper says: its sections, equations, algorithms and tables, one by one and as a whole."""

from kg.models.paper import Model
from kg.results import Row
from kg.results.show import Named, NodeName


class FoundPiece(NodeName):
    """A piece found by its id, or by the beginning or end of it."""

    query = "show/find_piece"


class InnerPiece(Named):
    """What stands directly in a section; `kind` is "section", "equation", "algorithm", "figure" or "table"."""

    kind: str


class ShownPiece(Row):
    """A section, equation, algorithm or table (`kind`), with the `section` that it stands in.

    `text` is readable, of an equation its formula, `context` the sentence around it; `start` and `end` are bytes of
    `file`. `techniques` are described in it, sections of `referred_by` refer to it.
    """

    query = "show/read_piece"
    id: str
    kind: str
    name: str
    paper: str
    paper_title: str
    section: Named | None
    number: str | None
    title: str | None
    text: str
    context: str
    caption: str
    latex: str
    env: str | None
    label: str | None
    file: str
    start: int
    end: int
    pieces: list[InnerPiece]
    referred_by: list[Named]
    techniques: list[Named]


class BodyPiece(Model):
    """An equation or a float of a section, in the order of the source; `text` is how the section's text shows it."""

    id: str
    kind: str
    text: str
    latex: str
    caption: str


class BodyPart(Row):
    """A section of a paper, or the paper itself (`parent` is None), with its own text and pieces."""

    query = "show/read_body"
    id: str
    parent: str | None
    order: int
    title: str
    number: str
    level: int
    text: str
    file: str
    pieces: list[BodyPiece]


class FoundEquation(Row):
    """An equation that matches words or symbols; `score` is Lucene's."""

    query = "search/find_equations"
    id: str
    name: str
    score: float
    latex: str
    text: str
    context: str
    paper: str
    paper_title: str
    section: Named | None
    techniques: list[Named]


class Reference(Row):
    """What a section refers to; `kind` as of an inner piece, `latex` of what is no section."""

    query = "show/list_references"
    id: str
    kind: str
    name: str
    latex: str
    caption: str

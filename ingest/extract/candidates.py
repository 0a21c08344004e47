"""What a signal yields: one way to name something, with the place that speaks of it."""

from dataclasses import dataclass
from typing import Literal

from ingest.extract.outline import Role

__all__ = ["SOURCES", "Candidate", "Source"]

Source = Literal[
    "heading",
    "paragraph",
    "algorithm",
    "run-in",
    "item",
    "acronym",
    "called",
    "proposed",
    "definition",
    "emphasis",
    "frequent",
    "step",
    "pseudo-code",
    "used",
    "listed",
]

SOURCES: tuple[Source, ...] = (
    "heading", "paragraph", "algorithm", "run-in", "item", "acronym", "called", "proposed", "definition", "emphasis",
    "frequent", "listed", "used", "pseudo-code", "step",
)  # fmt: skip
"""Signals, the best source of a name first."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """`start`, `end` are offsets of the flat text; `node` the outline node it stands in (or is, for structures).

    `sentence` is the index of its sentence, -1 for structures; `cited`: a citation follows at once; `clause`: the
    name was cut out of a claim. `weight` adds to the score what the signal knows about its own quality. `text` is
    what the paper says there, for places that are no sentences (pseudo-code).
    """

    name: str
    source: Source
    start: int
    end: int
    node: int
    role: Role
    appendix: bool = False
    sentence: int = -1
    aliases: tuple[str, ...] = ()
    cited: bool = False
    clause: bool = False
    weight: float = 0.0
    text: str = ""

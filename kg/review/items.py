"""One question to a curator, with its evidence, and one answer to it."""

import hashlib
from typing import Literal

from kg.models.code import Part, Standing
from kg.models.paper import Model

__all__ = ["ACTIONS", "Action", "Alternative", "CodeShown", "Item", "Kind", "Other", "Word", "item_id", "shown_lines"]

Kind = Literal["implementation", "name", "merge"]
"""Whether code implements a technique; whether a name is a technique's; whether two techniques are one."""
Action = Literal["accept", "reject", "edit", "merge", "skip"]
ACTIONS: dict[Kind, tuple[Action, ...]] = {
    "implementation": ("accept", "reject", "edit", "skip"),
    "name": ("accept", "reject", "edit", "merge", "skip"),
    "merge": ("accept", "reject", "edit", "merge", "skip"),
}
FIRST_LINES = 12
"""Lines of code that are shown."""


class Alternative(Model):
    """Other code that was thought of for the technique."""

    id: str
    signature: str


class CodeShown(Model):
    """The code in question and what speaks for it; `quotes` are lines of it that a model named."""

    id: str
    symbol: str
    signature: str
    file: str
    line: int | None
    first_lines: str
    standing: Standing
    confidence: float | None
    method: str
    reason: str
    part: Part | None
    quotes: tuple[str, ...]
    disagrees: bool


class Other(Model):
    """The technique that may be the same; `score` is how similar, `joined` whether a machine has made the two one.

    `decided_by` tells what found the two: a rule of joining ("name", "acronym", "similarity"), the relations between
    techniques ("rules") or a "model".
    """

    technique: str
    name: str
    definition: str
    paper: str
    title: str = ""
    score: float
    joined: bool
    decided_by: str = ""


class Item(Model):
    """What a curator is asked: an implementation (`code`), a name (`weakness`) or a merge (`other`).

    `id` is the same for the same question, at whatever commit. `quotes` are the paper's words on the technique.
    """

    id: str
    kind: Kind
    technique: str
    name: str
    definition: str
    paper: str
    title: str
    status: str | None = None
    quotes: tuple[str, ...] = ()
    actions: tuple[Action, ...]
    code: CodeShown | None = None
    alternatives: tuple[Alternative, ...] = ()
    weakness: Literal["coined", "ordinary"] | None = None
    other: Other | None = None


class Word(Model):
    """A decision: `value` is the other unit or the new name (edit), or the technique it is one with (merge)."""

    item: str
    action: Action
    value: str = ""
    why: str = ""


def item_id(kind: Kind, technique: str, about: str = "") -> str:
    """Short, and the same for the same question."""
    return hashlib.sha256(f"{kind}\0{technique}\0{about}".encode("utf-8", "replace")).hexdigest()[:12]


def shown_lines(text: str) -> str:
    """The first lines of a piece of code."""
    lines = text.splitlines()
    return "\n".join(lines[:FIRST_LINES] + (["…"] if len(lines) > FIRST_LINES else []))

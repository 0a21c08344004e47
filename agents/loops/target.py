"""The paper that is replicated, as its agent gets it: the text, its outline and its tree of techniques."""

import re
from collections.abc import Sequence
from functools import cached_property

from agents.llm import shortened
from kg.blacklist import NOTHING
from kg.body import Passage, in_order, passages
from kg.errors import InputError
from kg.lookup import find_node
from kg.results.piece import BodyPart
from kg.results.show import PlannedTechnique, ShownPaper
from kg.store import Store

__all__ = ["Target"]


class Target:
    """The paper called `name`. It is the task, so that no blacklist and no exclusion keeps it from its own agent; of
    its repositories nothing is read. Raises InputError for a paper that the graph does not hold, or without text."""

    def __init__(self, store: Store, name: str) -> None:
        whole = store.guarded(NOTHING)
        self.id = find_node(whole, "Paper", name)
        (paper,) = whole.rows(ShownPaper, id=self.id)
        self.title, self.abstract = paper.title, paper.abstract
        self.parts: Sequence[BodyPart] = in_order(whole.rows(BodyPart, id=self.id))
        self.techniques = whole.rows(PlannedTechnique, paper=self.id)
        if not any(part.text for part in self.parts):
            raise InputError(f"the graph has no text of {self.id}", remedy="ingest it with `xkg ingest paper`")

    @cached_property
    def outline(self) -> str:
        """Its sections, one a line, as they can be asked for."""
        return "\n".join(f"{part.number or ''} {part.title or ''}".strip() for part in self._sections)

    @property
    def _sections(self) -> list[BodyPart]:
        return [part for part in self.parts if part.parent is not None]

    def text(self, room: int, sections: Sequence[str] = ()) -> str:
        """Its title, abstract and text with formulas in LaTeX, of at most that `size`; with `sections` (numbers, titles
        or both, as the outline has them) these come first."""
        wanted = set(map(_called, sections))
        first = [part for part in self._sections if _names(part) & wanted]
        ids = {part.id for part in first}
        rest = [part for part in self._sections if part.id not in ids]
        said = [f"{self.title}\n\n{self.abstract}", *map(_section, [*first, *rest])]
        return shortened("\n\n".join(said), room)

    def section(self, name: str) -> str | None:
        """The text of the section with this number or title; None if there is none."""
        found = [part for part in self._sections if _called(name) in _names(part)]
        return "\n\n".join(map(_section, found)) or None

    def tree(self) -> str:
        """What was found of its techniques: names and definitions; formulas stand in its text. Nothing of any code."""
        seen = {one.id: f"- {one.name}: {one.definition}" for one in self.techniques}
        return "\n".join(seen.values())


def _called(name: str | None) -> str:
    return " ".join(re.sub(r"[.§]|(?i:^section\b)", " ", name or "").split()).casefold()


def _names(part: BodyPart) -> set[str]:
    """What a section may be called by."""
    number, title = part.number or "", part.title or ""
    return {_called(name) for name in (number, title, f"{number} {title}")}


def _section(part: BodyPart) -> str:
    head = f"## {part.number or ''} {part.title or ''}".rstrip()
    return "\n\n".join([head, *map(_passage, passages(part))])


def _passage(passage: Passage) -> str:
    return "\n".join(filter(None, (passage.text, passage.caption)))

"""Techniques of one paper, as a tree."""

from collections.abc import Iterator
from typing import Literal

from kg.models.paper import Model, Span

__all__ = ["Kind", "Technique", "TechniqueTree"]

Kind = Literal["methodology", "technique", "finding", "resource"]


class Technique(Model):
    """Something a replicator would build, find or use, named in the paper's own words.

    `id` is the slug of its name, unique within the paper and stable while the name is; `score` is between 0 and 1
    and ranks siblings; `definition` is made of the paper's own sentences and equations; `signals` names the
    extractor's reasons ("heading", "algorithm", "acronym" …), best first; `spans` are where the paper describes it,
    the narrowest and best first.
    """

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    kind: Kind
    definition: str = ""
    score: float
    spans: tuple[Span, ...] = ()
    signals: tuple[str, ...] = ()
    children: tuple["Technique", ...] = ()

    def walk(self) -> Iterator["Technique"]:
        """This technique and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()


class TechniqueTree(Model):
    """All techniques of a paper; `method` says who extracted them ("structural", "llm", "curator", "import")."""

    items: tuple[Technique, ...] = ()
    method: Literal["structural", "llm", "curator", "import"] = "structural"

    def walk(self) -> Iterator[Technique]:
        """Every technique of the tree, parents first."""
        for item in self.items:
            yield from item.walk()

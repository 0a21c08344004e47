"""Techniques of one paper, as a tree."""

from collections.abc import Iterator
from typing import Literal

from kg.models.paper import Model, Span

__all__ = ["Claim", "Kind", "Method", "Quote", "Role", "Status", "Technique", "TechniqueTree"]

Kind = Literal["methodology", "technique", "finding", "resource"]
Status = Literal["proposed", "adapted", "used", "baseline"]
Method = Literal["structural", "llm", "curator", "import"]
Role = Literal["naming", "definition", "context"]


class Quote(Model):
    """Words of the paper and their bytes: they name a technique, define it, or tell more of it."""

    role: Role
    text: str
    span: Span


class Claim(Model):
    """What a finding compares, in the paper's words; `number` as it is printed. Empty: the paper does not say."""

    subject: str = ""
    comparator: str = ""
    number: str = ""
    dataset: str = ""


class Technique(Model):
    """Something a replicator would build, find or use, named in the paper's own words.

    `id` is the slug of its name, unique within the paper and stable while the name is; `score` is between 0 and 1
    and ranks siblings; `definition` is made of the paper's own sentences and equations; `signals` names the
    extractor's reasons ("heading", "algorithm", "acronym" …), best first; `spans` are where the paper describes it,
    the narrowest and best first.

    `status` is what it is to the paper, None if that is not known. `quotes` are the sentences it rests on; the name of
    one that was `coined` is made of the paper's words but not printed there. `gloss`, one of the `aliases`, says in
    full what the name leaves out: of what, by what, when. `inputs` and `outputs` are in the paper's words, `steps` the
    lines of its pseudo-code that read as English. `method` is who extracted it, None for the tree's own.
    """

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    kind: Kind
    definition: str = ""
    score: float
    spans: tuple[Span, ...] = ()
    signals: tuple[str, ...] = ()
    status: Status | None = None
    coined: bool = False
    gloss: str = ""
    quotes: tuple[Quote, ...] = ()
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    claim: Claim | None = None
    method: Method | None = None
    children: tuple["Technique", ...] = ()

    def walk(self) -> Iterator["Technique"]:
        """This technique and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()


class TechniqueTree(Model):
    """All techniques of a paper; `method` says who extracted them, `model` and `prompt` (the hash of its file) which
    model and by which prompt."""

    items: tuple[Technique, ...] = ()
    method: Method = "structural"
    model: str = ""
    prompt: str = ""

    def walk(self) -> Iterator[Technique]:
        """Every technique of the tree, parents first."""
        for item in self.items:
            yield from item.walk()

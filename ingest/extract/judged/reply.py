"""What a model is asked to answer about a paper's techniques: what it says, before anything of it is checked."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from kg.models.technique import Kind, Status

__all__ = ["SaidAgain", "SaidEntry", "SaidExcuse", "SaidFinding", "SaidPart", "SaidQuote", "SaidTechniques", "Why"]

Why = Literal["notation", "background", "related work", "setup", "result", "proof", "discussion", "repetition"]
"""Why a heading, an algorithm or an equation tells of no technique to be listed."""


class _Said(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class SaidQuote(_Said):
    """Words of the paper and the id of the passage that says them."""

    at: str = Field(description="id of the passage, such as p12")
    quote: str = Field(description="words copied from that passage")


class SaidFinding(_Said):
    """What a finding compares; `number` as the paper prints it."""

    subject: str = ""
    comparator: str = ""
    number: str = ""
    dataset: str = ""


class SaidPart(_Said):
    """A single step of a procedure, or a member of a list of small things of one kind."""

    name: str = Field(description="at most six words")
    gloss: str = Field("", description="what is done to what, in 5 to 10 words")
    definition: SaidQuote

    @property
    def places(self) -> tuple[str, ...]:
        """Ids of the passages it was read in."""
        return (self.definition.at,)


class SaidEntry(_Said):
    """One technique, with those of its parts that have no entry of their own."""

    name: str = Field(description="at most six words")
    gloss: str = Field("", description="what it is or does, in 5 to 10 words")
    aliases: list[str] = Field(default_factory=list)
    kind: Kind
    status: Status
    parent: str = Field("", description="name of the entry it is a part of; empty: the root")
    naming: SaidQuote
    definition: list[SaidQuote] = Field(description="one or two sentences")
    evidence: list[str] = Field(default_factory=list, description="ids of passages")
    inputs: list[str] = Field(default_factory=list)
    outputs: list[str] = Field(default_factory=list)
    parts: list[SaidPart] = Field(default_factory=list)
    finding: SaidFinding | None = None

    @property
    def places(self) -> tuple[str, ...]:
        """Ids of the passages it was read in."""
        return (self.naming.at, *(quote.at for quote in self.definition), *self.evidence)


class SaidExcuse(_Said):
    """Passages that need no entry, and why."""

    why: Why
    ids: list[str]


class SaidTechniques(_Said):
    """The whole answer."""

    root: SaidEntry
    entries: list[SaidEntry]
    excused: list[SaidExcuse] = Field(default_factory=list)


class SaidAgain(_Said):
    """The answer to what failed: only entries that were asked for again, and further excuses."""

    entries: list[SaidEntry]
    excused: list[SaidExcuse] = Field(default_factory=list)

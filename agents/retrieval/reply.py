"""What a model answers about a search, before it is checked: the techniques of a task, what it makes of the hits."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Choice", "Decomposition", "Refusal", "Rejection", "Relevance", "Reranking", "Sought"]

Relevance = Literal["direct", "adaptable", "background"]
"""How a hit helps: as it is, after a change, or to understand."""
Refusal = Literal["other problem", "too general", "repeats another", "wrong setting", "nothing usable"]
"""Why a hit does not help."""


class _Said(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Sought(_Said):
    """A technique of the task, and the words to search for it by."""

    name: str
    query: str


class Decomposition(_Said):
    """The techniques of a task, the most important first."""

    techniques: tuple[Sought, ...]


class Choice(_Said):
    """A hit, by its label, that helps, and how."""

    hit: str
    relevance: Relevance
    why: str
    guidance: str
    beware: str = ""
    quotes: tuple[str, ...] = Field(default=(), description="copied from what is shown of the hit")


class Rejection(_Said):
    """A hit, by its label, that does not help."""

    hit: str
    reason: Refusal
    why: str


class Reranking(_Said):
    """What of the hits helps, the most useful first, and what does not."""

    kept: tuple[Choice, ...]
    rejected: tuple[Rejection, ...]

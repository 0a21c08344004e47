"""What a model answers when it is asked for the code of techniques: the schema it is held to."""

from typing import Literal

from pydantic import Field

from kg.models.code import Part
from kg.models.paper import Model

__all__ = ["Answer", "Choice", "Nothing", "Reply", "Word"]

Word = Literal["sure", "probable", "guess"]
Nothing = Literal["not there", "a library's", "only described", "data or result", "not shown"]


class Choice(Model):
    """One unit that does it: `unit` as it is labelled ("3B"), `quotes` of its lines that do, ids of passages."""

    unit: str = Field(max_length=200)
    part: Part
    quotes: tuple[str, ...] = Field(max_length=4)
    realises: tuple[str, ...] = Field(default=(), max_length=12)


class Answer(Model):
    """The answer for one technique: `units`, or `nothing` that says why there is none; `more` is what else to show."""

    technique: int
    units: tuple[Choice, ...] = Field(default=(), max_length=8)
    nothing: Nothing | None = None
    confidence: Word
    why: str = Field(default="", max_length=1_000)
    more: tuple[str, ...] = Field(default=(), max_length=4)


class Reply(Model):
    """One answer for each technique that was asked for."""

    answers: tuple[Answer, ...]

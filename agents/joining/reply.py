"""What a model answers about two techniques, before it is checked."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["SaidRelation"]


class SaidRelation(BaseModel):
    """How two techniques relate, with words of each."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    first: str = Field(description="copied from the first text")
    second: str = Field(description="copied from the second text")
    why: str
    relation: Literal["same", "first is a variant", "second is a variant", "similar", "different"]

"""What judging a unit gives: the judgement, the log it rests on, and how far the unit got on the way."""

from dataclasses import dataclass

from kg.models.execution import Judgement

__all__ = ["Judged"]


@dataclass(frozen=True)
class Judged:
    """A judgement and the full log of its execution, for the store (b"" if nothing was run).

    `imported` says whether the unit's module could be imported in the sandbox (None: not tried), `as_it_is` whether
    without any rescue, `reached` whether a passing test of the repository calls the unit.
    """

    judgement: Judgement
    log: bytes = b""
    imported: bool | None = None
    as_it_is: bool = False
    reached: bool = False

"""What judging a unit gives besides the judgement: how far the unit got on the way."""

from dataclasses import dataclass

from agents.code.mutants import models

__all__ = ["Judged"]


@dataclass(frozen=True)
class Judged(models.Judged):
    """A unit's judgement with its log.

    `imported` says whether the unit's module could be imported in the sandbox (None: not tried), `as_it_is` whether
    without any rescue, `reached` whether a passing test of the repository calls the unit.
    """

    imported: bool | None = None
    as_it_is: bool = False
    reached: bool = False

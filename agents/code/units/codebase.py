"""A repository as a set of code units."""

from kg.models.code import CodeUnit
from kg.models.paper import Model

__all__ = ["CodeBase"]


class CodeBase(Model):
    """All units of a repository in order of file and place, the text of its README, and what could not be read.

    `licence` is the SPDX id of the licence at the top ("unknown" if its text is not recognised, None without one).
    """

    units: tuple[CodeUnit, ...] = ()
    readme: str = ""
    licence: str | None = None
    warnings: tuple[str, ...] = ()

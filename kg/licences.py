"""Whose text may be handed on."""

__all__ = ["may_pass_on"]

NONE = (None, "", "unknown")
WITHOUT_SOURCE = ("imported", "generated")
"""Origins of code that is nobody's repository's: blocks of another project's graphs, and what was written here."""


def may_pass_on(licence: str | None, origin: str | None) -> bool:
    """Whether the text of code may leave this graph: its repository states a licence, or it comes out of none."""
    return origin in WITHOUT_SOURCE or licence not in NONE

"""Whose text may be handed on."""

__all__ = ["may_pass_on", "without_licence"]

NONE = (None, "", "unknown")
WITHOUT_SOURCE = ("imported", "generated")
"""Origins of code that is nobody's repository's: blocks of another project's graphs, and what was written here."""


def may_pass_on(licence: str | None, origin: str | None) -> bool:
    """Whether the text of code may leave this graph: its repository states a licence, or it comes out of none."""
    return origin in WITHOUT_SOURCE or licence not in NONE


def without_licence(code: str, verdict: str) -> str:
    """What is told in the place of the text of code, by its id, that may not be handed on."""
    return f"the text of {code} is withheld: its source states no licence (verdict: {verdict})"

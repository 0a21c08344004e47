"""Whether something that a model quotes was shown to it."""

import re

__all__ = ["occurs"]

LEAST = 6
"""Characters of a quote without white space: what is shorter occurs in any text."""
_SPACES = re.compile(r"[\s$~]+")
_MARK = re.compile(r"\[[a-z]\d+\]")
_ESCAPES = str.maketrans({"\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
"""What JSON makes of a LaTeX command whose backslash was not doubled."""


def occurs(quote: str, shown: str) -> bool:
    """Whether `shown` has the words or the formula of `quote`, however lines are broken; not of too short a quote."""
    text = _squeezed(shown)
    readings = {_squeezed(quote), _squeezed(quote.translate(_ESCAPES)), _squeezed(quote.replace("\\\\", "\\"))}
    return any(len(reading) >= LEAST and reading in text for reading in readings)


def _squeezed(text: str) -> str:
    return _SPACES.sub("", _MARK.sub("", text)).lower().rstrip(".,;")

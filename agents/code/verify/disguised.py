"""Files that show people another text than the one that runs."""

import re
import tokenize
from io import BytesIO

__all__ = ["disguised"]

_PLAIN = re.compile(
    r"(?i)^(?:utf[-_]?8(?:[-_]sig)?|(?:us[-_])?ascii|latin[-_]?1|(?:iso[-_]?)?8859[-_]\d+|iso[-_]latin[-_]\d+(?:[-_]\w+)?"
    r"|cp\d+|windows[-_]\d+|mac[-_]\w+|euc[-_]\w+|gb\w+|big5\w*|shift[-_]?jis\w*|s[-_]?jis|koi8[-_]\w+)$"
)
"""Encodings whose letters stand for themselves; in UTF-7 or with escapes a comment may hold lines of code."""
_INSIDE = re.compile(r"\r(?!\n)(?=.*\n)", re.DOTALL)
"""A carriage return that ends a line for Python alone; a file of an old Mac has no other ends."""
_TURNED = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Marks of direction, by which a line is shown in another order (Boucher and Anderson, Trojan Source, 2021)."""
_SEPARATING = re.compile("[\u2028\u2029\x85]")
"""What many show as an end of a line, and Python does not take for one."""
_MARKS = (
    (_INSIDE, "a carriage return within it"),
    (_TURNED, "a mark that turns its order"),
    (_SEPARATING, "what looks like its end"),
)


def disguised(text: str) -> str:
    """Where and by what (``line 4: a carriage return within it``); "" if what is shown is what runs."""
    encoding = _encoding(text)
    if not _PLAIN.match(encoding):
        return f"line 1: the encoding {encoding}"
    for pattern, what in _MARKS:
        if found := pattern.search(text):
            return f"line {text.count(chr(10), 0, found.start()) + 1}: {what}"
    return ""


def _encoding(text: str) -> str:
    """The encoding that a file says it has (PEP 263), by whatever name."""
    try:
        return tokenize.detect_encoding(BytesIO(text.encode("utf-8")).readline)[0]
    except SyntaxError:
        return "that Python does not know"

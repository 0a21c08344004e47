"""Text of papers and repositories as it may be printed."""

import re

__all__ = ["CONTROL", "printable", "quoted"]

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
"""What steers a terminal, turns the order of what it shows round, or says what nobody sees."""
QUOTED = 200
"""Characters of what somebody has asked for that are told again."""


def printable(text: str) -> str:
    """Text without control characters but newline (of any system's form) and tab: a paper or repository must not steer
    the terminal."""
    return CONTROL.sub("\ufffd", text.replace("\r\n", "\n"))


def quoted(text: str) -> str:
    """What somebody has asked for as an answer repeats it: in quotes, of a long text the beginning."""
    return repr(text if len(text) <= QUOTED else f"{text[:QUOTED]}…")

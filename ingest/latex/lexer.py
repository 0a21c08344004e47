"""Groups and arguments of TeX, read at a place of a text. Linear, iterative, and never sure that braces balance."""

import re
from typing import NamedTuple

__all__ = ["Argument", "Lexer"]

MAX_BRACKET = 4_000
"""Characters within which an optional argument must close: an open `[` is more often just a bracket."""
MAX_NESTED = 10

_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_BRACKET = re.compile(r"\\.|[\[\]{}]", re.DOTALL)
_SPACE = re.compile(r"[ \t\f\x0b]*(?:(?:\r\n|\r|\n)[ \t\f\x0b]*)?")
_CONTROL = re.compile(r"\\(?:[a-zA-Z@]+\*?|.)", re.DOTALL)


class Argument(NamedTuple):
    """Characters ``[start, end)`` are the content; reading goes on at `after`."""

    start: int
    end: int
    after: int


class Lexer:
    """Reads arguments of `scan`; their content is taken from `text`, which may show more (verbatim) at equal length."""

    def __init__(self, scan: str, text: str | None = None) -> None:
        self.scan = scan
        self.text = scan if text is None else text
        self.closing: dict[int, int] = {}
        open_: list[int] = []
        for found in _BRACE.finditer(scan):
            if found[0] == "{":
                open_.append(found.start())
            elif found[0] == "}" and open_:
                self.closing[open_.pop()] = found.start()

    def space(self, at: int) -> int:
        """Past blanks and at most one line end."""
        found = _SPACE.match(self.scan, at)
        return found.end() if found else at

    def group(self, at: int) -> Argument | None:
        """The ``{…}`` that follows `at`, blanks allowed."""
        at = self.space(at)
        end = self.closing.get(at)
        return None if end is None else Argument(at + 1, end, end + 1)

    def bracket(self, at: int, pair: str = "[]") -> Argument | None:
        """An optional argument ``[…]``, or one in ``()`` or ``<>``."""
        at = self.space(at)
        if not self.scan.startswith(pair[0], at):
            return None
        start, limit = at + 1, at + MAX_BRACKET
        if pair != "[]":
            end = self.scan.find(pair[1], start, at + 400)
            return None if end < 0 else Argument(start, end, end + 1)
        depth, place = 1, start
        while found := _BRACKET.search(self.scan, place, limit):
            place = found.end()
            if found[0] == "{":
                place = self.closing.get(found.start(), found.start()) + 1
            elif found[0] in "[]":
                depth += 1 if found[0] == "[" else -1
                if depth > MAX_NESTED:
                    return None
            elif found[0] == "}":
                return None
            if depth == 0:
                return Argument(start, found.start(), found.end())
        return None

    def argument(self, at: int) -> Argument | None:
        """A mandatory argument: a group, a control sequence, or one character."""
        if group := self.group(at):
            return group
        at = self.space(at)
        if at >= len(self.scan) or self.scan[at] in "{}\r\n":
            return None
        found = _CONTROL.match(self.scan, at)
        end = found.end() if found else at + 1
        return Argument(at, end, end)

    def value(self, argument: Argument) -> str:
        """The content of an argument."""
        return self.text[argument.start : argument.end]

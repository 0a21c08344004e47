"""One source file in memory, and the units drafted from it before they get their ids."""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from kg.models.code import UnitKind

__all__ = ["MAX_NESTING", "Draft", "Extraction", "SourceText", "decode", "one_line", "unique", "without_surrogates"]

SIGNATURE_LIMIT = 400
MAX_NESTING = 20
"""Units within units deeper than this belong to the outer one: each holds the text of all below it."""
_NEWLINE = re.compile(rb"\r\n|\r|\n")


def decode(data: bytes) -> tuple[str, str]:
    """Text of `data` and its encoding: UTF-8, or else Latin-1, which accepts every byte."""
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def without_surrogates(text: str) -> str:
    """`text` with lone surrogates, which no encoding accepts, as U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def one_line(text: str) -> str:
    """`text` with each run of white space as one space, cut to `SIGNATURE_LIMIT` characters."""
    return " ".join(text.split())[:SIGNATURE_LIMIT]


def unique(names: list[str]) -> tuple[str, ...]:
    """Names without repetition, in the order of their first occurrence."""
    return tuple(dict.fromkeys(name for name in names if name))


@dataclass(frozen=True)
class SourceText:
    """The bytes of one file. `path` is relative to the repository, "/" between its parts."""

    path: str
    data: bytes

    @cached_property
    def encoding(self) -> str:
        return decode(self.data)[1]

    @cached_property
    def line_starts(self) -> list[int]:
        """Byte offset of each line; lines end with LF, CR LF or CR."""
        return [0, *(match.end() for match in _NEWLINE.finditer(self.data))]

    def line_of(self, offset: int) -> int:
        """1-based line of a byte offset."""
        return bisect_right(self.line_starts, offset)

    def text(self, start: int = 0, end: int | None = None) -> str:
        """Decoded bytes [start, end); a span that cuts a UTF-8 letter shows U+FFFD there."""
        return self.data[start:end].decode(self.encoding, "replace")


@dataclass(eq=False)
class Draft:
    """A unit before the whole repository is known.

    `owner` is the dotted type a definition belongs to when it stands outside of it (Go receivers, C++ ``Foo::bar``).
    """

    symbol: str
    kind: UnitKind
    start: int
    end: int
    text: str
    signature: str = ""
    docstring: str = ""
    parent: "Draft | None" = None
    owner: str = ""
    line: int = 0
    end_line: int = 0
    bases: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)


@dataclass
class Extraction:
    """What one file gave. `declared` holds documentation of symbols that are defined elsewhere (headers)."""

    language: str
    drafts: list[Draft] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    declared: dict[str, str] = field(default_factory=dict)

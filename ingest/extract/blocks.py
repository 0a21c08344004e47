"""What reading a paper gives: blocks of tokens, each token knowing its offsets in the flat text."""

from dataclasses import dataclass, field
from typing import Literal

from ingest.extract.masking import Masked

__all__ = ["Block", "Mark", "Reading", "Token", "TokenKind", "Zone"]

Zone = Literal["text", "abstract", "heading", "caption", "footnote", "item", "quote"]
TokenKind = Literal["word", "math", "display", "cite", "ref", "punct"]


@dataclass(frozen=True, slots=True)
class Token:
    """One word, mark or formula; `start`, `end` are offsets of the flat text; `glued`: no space stands before it."""

    text: str
    kind: TokenKind
    start: int
    end: int
    glued: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """Tokens ``[first, last)`` of a block printed in a style: "emph", "bold", "caps", "tt" or "quote"."""

    style: str
    first: int
    last: int


@dataclass(slots=True)
class Block:
    """A run of tokens without a break. `level` counts as in `kg.models.paper.Section` for headings, 4 a \\paragraph.

    `environment` is the innermost list or theorem environment, `float_start` the offset of the float of a caption.
    """

    zone: Zone
    start: int
    end: int
    tokens: list[Token] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    level: int = -1
    environment: str = ""
    float_start: int = -1


@dataclass(frozen=True)
class Reading:
    """All blocks in order of their place, pseudo-code regions ``(start, end)``, and where the appendix starts."""

    text: str
    blocks: tuple[Block, ...]
    pseudo_code: tuple[tuple[int, int], ...]
    appendix: int
    masked: Masked

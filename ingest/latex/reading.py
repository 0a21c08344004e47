"""What reading a paper gives: blocks of words, formulas and marks, each of which knows where it stands."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from ingest.latex.detex import readable

__all__ = ["Block", "Mark", "PseudoCode", "Reading", "Token", "TokenKind", "Zone", "text_of"]

Zone = Literal["text", "abstract", "heading", "caption", "footnote", "item", "code"]
TokenKind = Literal["word", "math", "display", "cite", "ref", "punct"]

_NO_SPACE_BEFORE = frozenset(".,;:!?)]'”")
_NO_SPACE_AFTER = frozenset("([“‘")
LEADS_TO_CITATION = frozenset(
    ("by", "of", "in", "from", "to", "and", "with", "following", "than", "see", "both", "or", "as")
)


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

    `float_start` is the offset of the float of a caption.
    """

    zone: Zone
    start: int
    end: int
    tokens: list[Token] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    level: int = -1
    float_start: int = -1


@dataclass(frozen=True, slots=True)
class PseudoCode:
    """An algorithm's environment ``[start, end)``; `lines` are those of its lines that one block holds."""

    start: int
    end: int
    lines: tuple[Block, ...]


@dataclass(frozen=True)
class Reading:
    """All blocks and algorithms of the flat text (`length` characters) by place, and where the appendix starts."""

    blocks: tuple[Block, ...]
    algorithms: tuple[PseudoCode, ...]
    appendix: int
    length: int

    def text(self, start: int = 0, end: int | None = None) -> str:
        """What can be read between two offsets of the flat text, a line for each block or line of pseudo-code."""
        end = self.length if end is None else end
        lines = [line for algorithm in self.algorithms for line in algorithm.lines]
        inside = [block for block in (*self.blocks, *lines) if block.start < end and block.end > start]
        inside.sort(key=lambda block: block.start)
        return "\n".join(
            text_of([token for token in block.tokens if start <= token.start < end], display=MAX_DISPLAY)
            for block in inside
        )


MAX_DISPLAY = 1_000
"""Characters of a displayed formula in a text; a longer one is shown as "…"."""


@lru_cache(maxsize=20_000)
def formula(source: str, limit: int) -> str:
    """A formula as text of at most `limit` characters, a longer one as "…"."""
    text = readable(source).strip(" ;") if len(source) <= 3 * limit else "…"
    return text if len(text) <= limit else "…"


_POINTER = re.compile(
    r" ?\((?!(?:\[(?:…|equation)\](?: ?(?:,|;|-|–|and|or) ?)*)+\))"
    r"(?:(?:see|cf\.|in|also|e\.g\.|and|or|to|the|sections?|secs?\.|algorithms?|algs?\.|figures?|figs?\.|tables?|tabs?\."
    r"|equations?|eqs?\.|eqns?\.|appendix|appendices|app\.|theorems?|lemmas?|§|,|;|-|–"
    r"|\(\[(?:…|equation)\]\)|\[(?:…|section|equation|algorithm|table|figure)\]) ?)+\)",
    re.IGNORECASE,
)
"""Brackets that say nothing once what they point at is gone: "(see Section)"."""


def text_of(tokens: Sequence[Token], *, display: int = 300) -> str:
    """Tokens as a person reads them: citations and bare pointers dropped, maths as text, displays longer than `display`
    as "…"."""
    pieces: list[str] = []
    quiet = True
    for at, token in enumerate(tokens):
        if token.kind == "ref" or (token.kind == "cite" and not _is_noun(tokens, at)):
            continue
        text = formula(token.text, display) if token.kind == "display" else token.text
        text = {"“": '"', "”": '"', "‘": "'", "[cite]": "[citation]"}.get(text, text)
        if text == '"' and pieces and pieces[-1].endswith('"') and token.glued:
            continue
        opens = _opens(tokens, at)
        close = token.kind == "punct" and (
            (text in _NO_SPACE_BEFORE and not opens) or (token.glued and text in '-–/%"')
        )
        follows = token.glued and at and tokens[at - 1].text in "-–/."
        pieces.append(text if quiet or close or follows else " " + text)
        quiet = opens or token.text in _NO_SPACE_AFTER
    text = "".join(pieces).replace("''", '"').replace("()", "").replace("[]", "").replace("( )", "")
    text = " ".join(text.split())
    gone = any(token.kind == "ref" for token in tokens)
    text = _POINTER.sub(lambda found: "" if gone or "[" in found[0] else found[0], text)
    return text.replace(" ,", ",").replace(" .", ".").replace('" .', '".')


def _opens(tokens: Sequence[Token], at: int) -> bool:
    """Whether a quotation mark begins what is quoted: one that is alike on both sides stands before its first word."""
    if tokens[at].text in "\"'" and not tokens[at].glued:
        return at + 1 < len(tokens) and tokens[at + 1].glued
    return tokens[at].text in "“‘"


def _is_noun(tokens: Sequence[Token], at: int) -> bool:
    """Whether a citation is a word of the sentence: its subject, or what a preposition leads to."""
    if at == 0:
        return len(tokens) > 1 and tokens[1].kind == "word"
    return tokens[at - 1].text.lower() in LEADS_TO_CITATION

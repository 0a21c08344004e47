"""Blocks as they are written, token by token: what stands together becomes one word, groups become marks."""

from ingest.latex.reading import Block, Mark, Token, TokenKind

__all__ = ["BlockWriter"]

_JOINED = ("word", "math")
MAX_CARRIED = 5
"""Open groups that go on in the next block."""


class BlockWriter:
    """`blocks` are finished, `block` is being written; `last_end` is where the last token that may be joined ends."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.begin(Block("text", 0, 0))

    def begin(self, block: Block) -> None:
        """Start afresh, with no group open."""
        self.block, self.last_end = block, block.start
        self._groups: list[tuple[str, int]] = []

    def flush(self, end: int, following: Block) -> None:
        """Finish the block, unless it is empty; `following` is written next."""
        if self.block.tokens:
            self.block.start, self.block.end = self.block.tokens[0].start, max(end, self.block.tokens[-1].end)
            while self._groups:
                self.close()
            self.blocks.append(self.block)
        self.block = following
        self._groups = [(style, 0) for style, _ in self._groups[-MAX_CARRIED:]]

    def add(self, text: str, kind: TokenKind, start: int, end: int) -> None:
        """A token; what stands together ("$k$-means") becomes one word."""
        if not text.strip():
            return
        tokens = self.block.tokens
        glued = start == self.last_end and bool(tokens)
        if glued and kind in _JOINED:
            if tokens[-1].kind == "word" and kind == "word":
                text, start, glued = tokens[-1].text + text, tokens[-1].start, tokens.pop().glued
            elif (
                len(tokens) > 1
                and tokens[-1].text in _hyphens(tokens[-2].text, text)
                and tokens[-1].glued
                and tokens[-2].kind in _JOINED
            ):
                text, start, kind = tokens[-2].text + tokens[-1].text + text, tokens[-2].start, "word"
                glued = tokens[-2].glued
                del tokens[-2:]
        tokens.append(Token(text, kind, start, end, glued))
        self.last_end = end

    def add_to_word(self, text: str, start: int, end: int) -> None:
        """An accented letter and what follows it: the rest of the word before it, if that ends at `start`."""
        tokens = self.block.tokens
        if tokens and tokens[-1].end == start and tokens[-1].kind == "word":
            text, start = tokens[-1].text + text, tokens.pop().start
            self.last_end = -1
        self.add(text, "word", start, end)

    def open(self, style: str) -> None:
        """A group begins; `style` as in `Mark`, "" for none."""
        self._groups.append((style, len(self.block.tokens)))

    def restyle(self, style: str) -> None:
        """The rest of the open group is in another style."""
        if self._groups:
            self._groups[-1] = (style, self._groups[-1][1])

    def close(self) -> None:
        """The innermost group ends."""
        if not self._groups:
            return
        style, first = self._groups.pop()
        if style and len(self.block.tokens) > first:
            self.block.marks.append(Mark(style, first, len(self.block.tokens)))
        if self.block.tokens and self.block.tokens[-1].end == self.last_end:
            self.last_end += 1

    def ends_in_display(self) -> bool:
        """Whether a displayed formula was written last."""
        return bool(self.block.tokens) and self.block.tokens[-1].kind == "display"

    def resume(self) -> None:
        """A display belongs to the sentence before it, even behind a blank line: write on in the last block."""
        last = self.blocks[-1] if self.blocks and not self.block.tokens else None
        if (
            last
            and last.zone == self.block.zone
            and last.end == self.block.start
            and last.tokens[-1].text not in (".", "?", "!")
        ):
            self.block = self.blocks.pop()


def _hyphens(left: str, right: str) -> str:
    """What joins two glued words into one: a hyphen always, a dash between names ("Metropolis–Hastings")."""
    return "-–" if left[:1].isupper() and right[:1].isupper() else "-"

"""Sentences of a paper with their part-of-speech tags, the section they stand in, and a readable text."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ingest.extract.outline import Node, Outline, Role
from ingest.extract.tagging import is_everyday, noun_phrases, tag
from ingest.latex.reading import Block, Mark, Reading, Token, Zone

__all__ = ["Sentence", "ends", "is_ended", "sentences"]

_FULL_STOP = re.compile(r"\.[\s$}\]]*(?:\\(?:\]|(?:end|label|tag)\s*\{[^{}]*\}|[)\]])[\s$}]*)*\Z")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence. `node` is an index into the outline (-1 before the first heading), `block` its block's index.

    `phrases` are the noun phrases ``[first, last)``; `marks` count from the sentence's first token; `opens` tells
    whether it is the first of its block.
    """

    tokens: tuple[Token, ...]
    tags: tuple[str, ...]
    phrases: tuple[tuple[int, int], ...]
    marks: tuple[Mark, ...]
    zone: Zone
    role: Role
    appendix: bool
    node: int
    block: int
    opens: bool

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end


def sentences(reading: Reading, plan: Outline, proofs: Sequence[tuple[int, int]] = ()) -> tuple[Sentence, ...]:
    """All sentences of running text, captions and footnotes, in order; headings are not among them. In `proofs`, ranges
    of the flat text, they have the role of what tells no technique."""
    found: list[Sentence] = []
    for index, block in enumerate(reading.blocks):
        if block.zone == "heading":
            continue
        node = plan.nodes[plan.of_block[index]] if plan.of_block[index] >= 0 else None
        aside = any(start <= block.start < end for start, end in proofs)
        found += _of_block(block, index, plan.of_block[index], node, aside)
    return tuple(found)


def _of_block(block: Block, index: int, owner: int, node: Node | None, aside: bool) -> Iterable[Sentence]:
    tags = tag(block.tokens)
    role: Role = "back" if aside else "abstract" if block.zone == "abstract" or node is None else node.role
    first = 0
    for last in ends(block.tokens):
        part = tuple(block.tokens[first:last])
        if any(token.kind == "word" for token in part):
            part_tags = tuple(tags[first:last])
            marks = tuple(
                Mark(mark.style, mark.first - first, mark.last - first)
                for mark in block.marks
                if first <= mark.first < mark.last <= last
            )
            yield Sentence(
                part, part_tags, tuple(noun_phrases(part, part_tags)), marks, block.zone, role,
                node is not None and node.appendix, owner, index, first == 0,
            )  # fmt: skip
        first = last


def is_ended(token: Token) -> bool:
    """Whether a display ends with a full stop."""
    return token.kind == "display" and bool(_FULL_STOP.search(token.text[-120:]))


def ends(tokens: Sequence[Token]) -> list[int]:
    """Where sentences end: after . ? ! (and closing marks), in a display too, when what follows may begin one; behind a
    display before an everyday word with a capital; at 150 tokens anyway."""
    found: list[int] = []
    begun = 0
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        stop = at > begun and ((token.kind == "punct" and token.text in ".?!") or is_ended(token))
        if token.kind == "display" and following is not None and following.text.istitle():
            stop = stop or (at > begun and is_everyday(following.text))
        if stop and following is not None:
            initial = (
                token.text == "."
                and token.glued
                and tokens[at - 1].kind == "word"
                and len(tokens[at - 1].text) == 1
                and tokens[at - 1].text.isupper()
            )
            stop = not initial and not following.glued and not following.text[:1].islower()
        if following is None or stop or at - begun >= 150:
            found.append(at + 1)
            begun = at + 1
    return found

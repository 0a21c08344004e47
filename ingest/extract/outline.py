"""A paper's outline as ranges of the flat text: headings, run-in heads, list items, pseudo-code; each with its role.

The role of a section ("method", "experiment", "related" …) comes from its title and is inherited by what it holds.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ingest.latex.reading import Block, Mark, Reading, Token

__all__ = ["Node", "Outline", "Role", "outline"]

Role = Literal["abstract", "intro", "related", "background", "method", "experiment", "conclusion", "back"]
NodeKind = Literal["heading", "paragraph", "run_in", "item", "algorithm"]

_TITLE_CUES: tuple[tuple[Role, str], ...] = (
    ("back", r"acknowledg|funding|author contrib|competing interest|conflicts? of|\bethic|broader impact"
             r"|checklist|disclosure"
     r"|(data|code|software|materials?) (and \w+ )?availab|^availab\w+ of|table of contents|^references"
     r"|^bibliography|licen[cs]e"
     r"|\bnotations?\b|glossary|\bquiz|guidelines|interfaces? and guide|installation|documentation|^terminology"
     r"|questionnaire|support(ing)? materials?|reproducib"),
    ("intro", r"^(the )?introduc|motivation|overview of (the )?paper|contributions?$|preface|outline"),
    ("related", r"related|prior (work|art)|previous work|literature|comparison (with|to) (other|existing|related)"
     r"|state of the art|similar (systems|work)"),
    ("background", r"background|preliminar|problem (definition|formulation|statement|setting)|review of"),
    ("conclusion", r"conclu|discussion|future|limitation|summary|outlook|lessons|remarks|recommendation"),
    ("experiment", r"experiment|evaluat|(?<!theoretical )\bresults?\b|empiric|benchmark|ablation|case stud"
     r"|performance|analysis$"
     r"|comparison|validation|user stud|demonstration|application|examples?$|tutorial|findings|assessment"
     r"|quantitative"),
)  # fmt: skip
_ROLES = tuple((role, re.compile(pattern, re.IGNORECASE)) for role, pattern in _TITLE_CUES)
_ITEM_LABEL = re.compile(r"[\divxabcdef]{1,4}\Z")


@dataclass(slots=True)
class Node:
    """A titled stretch ``[start, end)`` of the flat text; `body` is where its text begins, `parent` an index or -1."""

    kind: NodeKind
    title: tuple[Token, ...]
    start: int
    body: int
    end: int
    level: int
    role: Role = "method"
    appendix: bool = False
    parent: int = -1


@dataclass(frozen=True)
class Outline:
    """Nodes in order of `start`; `of_block[i]` is the index of the innermost node that holds block ``i``, or -1."""

    nodes: tuple[Node, ...]
    of_block: tuple[int, ...]


def role_of(title: str) -> Role | None:
    """The role a section title announces, or None."""
    return next((role for role, pattern in _ROLES if pattern.search(title)), None)


def outline(reading: Reading) -> Outline:
    """All titled stretches of the document, nested by level and range."""
    nodes = [
        *_headings(reading),
        *_run_ins(reading.blocks),
        *(Node("algorithm", (), found.start, found.start, found.end, 8) for found in reading.algorithms),
    ]
    nodes.sort(key=lambda node: (node.start, node.level))
    _close(nodes, reading.length)
    _caption_algorithms(nodes, reading.blocks)
    _inherit(nodes, reading)
    return Outline(tuple(nodes), _owners(nodes, reading.blocks))


def _headings(reading: Reading) -> list[Node]:
    found = []
    for block in reading.blocks:
        if block.zone == "heading" and block.level >= 0:
            kind: NodeKind = "paragraph" if block.level >= 4 else "heading"
            found.append(Node(kind, tuple(block.tokens), block.start, block.end + 1, -1, block.level))
    return found


def _run_ins(blocks: Sequence[Block]) -> list[Node]:
    found = []
    for block in blocks:
        if block.zone not in ("text", "item"):
            continue
        if title := _run_in_title(block):
            item = block.zone == "item"
            end = block.end if item else -1
            found.append(Node("item" if item else "run_in", title, block.start, title[-1].end, end, 7 if item else 6))
    return found


def _run_in_title(block: Block) -> tuple[Token, ...]:
    tokens = block.tokens
    if block.zone == "item" and tokens[0].text == "[":
        close = next((i for i, token in enumerate(tokens[:14]) if token.text == "]"), 0)
        label = tuple(tokens[1:close])
        if close and any(len(token.text) > 2 for token in label):
            return label
        tokens = tokens[close + 1 :] if close else tokens
    offset = len(block.tokens) - len(tokens)
    skip = 0
    while skip < min(4, len(tokens)) and (
        tokens[skip].kind == "punct" or (skip and _ITEM_LABEL.match(tokens[skip].text) and tokens[skip - 1].text == "(")
    ):
        skip += 1
    mark = _styled(block.marks, offset, skip)
    if mark is None:
        return _named_item(tokens) if block.zone == "item" else ()
    title = list(block.tokens[mark.first : mark.last])
    following = block.tokens[mark.last] if mark.last < len(block.tokens) else None
    while title and title[-1].kind in ("punct", "cite", "ref") and title[-1].text not in ")":
        following = title.pop()
    words = sum(token.kind == "word" for token in title)
    ends = (
        following is None
        or following.text in ".:—–"
        or (mark.style == "bold" and following.kind == "word" and following.text[:1].isupper())
    )
    ends = ends or (block.zone == "item" and mark.style in ("bold", "emph"))
    return tuple(title) if ends and 1 <= words <= 9 else ()


def _styled(marks: Sequence[Mark], offset: int, skip: int) -> Mark | None:
    for mark in marks:
        if mark.style in ("bold", "emph", "caps") and offset <= mark.first <= offset + skip:
            return mark
    return None


def _named_item(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The part of a list item before a colon, when it is short and stands like a name."""
    for i, token in enumerate(tokens[:8]):
        if token.text in (":", "—", "–") and i:
            named = tuple(part for part in tokens[:i] if part.text not in _QUOTES)
            return named if named and all(part.kind in ("word", "math") for part in named) else ()
        if token.text in ".,;":
            return ()
    return ()


_QUOTES = frozenset("“”`'\"‘’")


def _close(nodes: list[Node], length: int) -> None:
    """Ends open ranges where the next node of the same or a higher level starts, and links parents."""
    stack: list[int] = []
    for index, node in enumerate(nodes):
        while stack and (nodes[stack[-1]].level >= node.level or 0 <= nodes[stack[-1]].end <= node.start):
            closed = nodes[stack.pop()]
            closed.end = closed.end if closed.end >= 0 else node.start
        node.parent = stack[-1] if stack else -1
        stack.append(index)
    for index in stack:
        nodes[index].end = nodes[index].end if nodes[index].end >= 0 else length
    for node in nodes:
        if node.parent >= 0 and node.kind != "algorithm":
            node.end = min(node.end, nodes[node.parent].end)


def _caption_algorithms(nodes: list[Node], blocks: Sequence[Block]) -> None:
    captions = [block for block in blocks if block.zone == "caption"]
    for node in nodes:
        if node.kind == "algorithm":
            inside = [block for block in captions if node.start <= block.start < node.end]
            near = inside or [
                b
                for b in captions
                if b.float_start >= 0
                and b.float_start <= node.start <= b.end + 3000
                and abs(b.start - node.start) < 6000
                and b.float_start == _nearest(captions, node.start)
            ]
            if near:
                node.title = tuple(near[0].tokens)


def _nearest(captions: Sequence[Block], at: int) -> int:
    return max((block.float_start for block in captions if 0 <= block.float_start <= at), default=-1)


def _inherit(nodes: list[Node], reading: Reading) -> None:
    displays = [token.start for block in reading.blocks for token in block.tokens if token.kind == "display"]
    for node in nodes:
        parent = nodes[node.parent] if node.parent >= 0 else None
        role: Role | None = None
        if node.kind in ("heading", "paragraph", "run_in"):
            role = role_of(" ".join(token.text for token in node.title))
        if parent is not None and (role is None or node.level > 3 or parent.role in ("related", "back")):
            role = (
                role
                if node.level <= 4 and role in ("related", "experiment") and parent.role == "method"
                else parent.role
            )
        if role in ("intro", "background") and parent is not None and parent.role == role and node.kind == "heading":
            at = bisect_left(displays, node.body)
            role = "method" if at < len(displays) and displays[at] < node.end else role
        node.role = role or "method"
        node.appendix = node.start >= reading.appendix or (parent is not None and parent.appendix)
        title = " ".join(token.text for token in node.title).lower()
        if node.kind == "heading" and title.startswith(("appendi", "supplement")):
            node.appendix = True


def _owners(nodes: Sequence[Node], blocks: Sequence[Block]) -> tuple[int, ...]:
    owners: list[int] = []
    at, stack = 0, []  # type: tuple[int, list[int]]
    for block in blocks:
        while at < len(nodes) and nodes[at].start <= block.start:
            stack.append(at)
            at += 1
        while stack and nodes[stack[-1]].end <= block.start:
            stack.pop()
        owner = next((i for i in reversed(stack) if nodes[i].end > block.start), -1)
        owners.append(owner)
    return tuple(owners)

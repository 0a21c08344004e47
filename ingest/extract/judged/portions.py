"""A paper's passages as text for a model: whole where it fits, else cut between sections into as few parts as fit."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from agents.llm import shortened, size
from ingest.extract.judged.passages import Passage, Passages
from kg.models.technique import Technique

__all__ = ["around", "hints", "portions", "written"]

MOST_HINTS = 45
NEIGHBOURS = 1
"""Passages before and after one that is asked about again."""


def written(passages: Iterable[Passage]) -> str:
    """The passages as the model reads them, a line or block each."""
    return "\n".join(
        f"\n[{p.id}] {'#' * p.level} {p.text}" if p.kind == "heading" else f"[{p.id}] {p.text}" for p in passages
    ).strip()


def portions(passages: Passages, limit: int) -> list[list[Passage]]:
    """The passages in parts of at most that `size`, in their order.

    A part ends where a section ends; a section that is too long for a part of its own ends at a passage that is no
    heading, and of a passage that is too long the beginning is shown, alone.
    """
    parts: list[list[Passage]] = [[]]
    used = 0
    for section in _sections(passages):
        length = _length(section)
        if used and used + length > limit:
            parts.append([])
            used = 0
        for passage in section:
            if used and used + _length([passage]) > limit:
                last = parts[-1][-1]
                alone = last.kind == "heading" and len(parts[-1]) > 1
                parts.append([parts[-1].pop()] if alone else [])
                used = _length(parts[-1])
            parts[-1].append(_cut(passage, limit - used if used < limit else limit))
            used += _length([passage])
    return [part for part in parts if part]


def _sections(passages: Passages) -> Iterator[list[Passage]]:
    """Passages by their topmost section; what stands before the first is a section of its own."""
    highest = min((p.level for p in passages.items if p.kind == "heading"), default=1)
    section: list[Passage] = []
    for passage in passages.items:
        if passage.kind == "heading" and passage.level == highest and section:
            yield section
            section = []
        section.append(passage)
    if section:
        yield section


def _length(section: Sequence[Passage]) -> int:
    return sum(size(passage.text) + len(passage.id) + 5 for passage in section)


def _cut(passage: Passage, limit: int) -> Passage:
    text = shortened(passage.text, limit)
    return passage if text is passage.text else replace(passage, text=text)


def around(passages: Passages, ids: Iterable[str], limit: int) -> list[Passage]:
    """The passages of these ids, those beside them and the headings they stand under, in their order.

    Of a heading what stands below it is shown, too. At most `limit` in size.
    """
    order = {passage.id: at for at, passage in enumerate(passages.items)}
    wanted: set[int] = set()
    for each in ids:
        if each not in order:
            continue
        passage, at = passages.by_id[each], order[each]
        found = {*range(max(0, at - NEIGHBOURS), min(len(order), at + NEIGHBOURS + 1))}
        if passage.kind == "heading":
            found |= {order[below.id] for below in passages.inside(passage.start, passage.end)}
        found |= {order[p.id] for p in passages.items if p.kind == "heading" and p.start <= passage.start < p.end}
        if _length([passages.items[i] for i in wanted | found]) <= limit:
            wanted |= found
    return [passages.items[at] for at in sorted(wanted)]


def hints(techniques: Sequence[Technique]) -> str:
    """The names of a structural tree, indented, at most `MOST_HINTS`."""
    lines = [line for technique in techniques for line in _hint(technique, 0)]
    return "\n".join(lines[:MOST_HINTS])


def _hint(technique: Technique, depth: int) -> Iterator[str]:
    yield "  " * depth + technique.name
    for child in technique.children:
        yield from _hint(child, depth + 1)

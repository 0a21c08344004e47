"""A paper as it is read: sections in their order, each with its text, in which formulas stand as LaTeX."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kg.errors import InputError
from kg.results.piece import BodyPart, BodyPiece
from kg.words import find_whole

__all__ = ["Passage", "in_order", "passages", "section_of"]


@dataclass(frozen=True)
class Passage:
    """A part of a section: running text (kind "text"), or a piece, with its id and kind, as LaTeX and its caption."""

    kind: str
    text: str
    id: str | None = None
    caption: str = ""


def in_order(parts: Sequence[BodyPart]) -> tuple[BodyPart, ...]:
    """The paper, then its sections as they are printed, each before those in it."""
    below: dict[str | None, list[BodyPart]] = defaultdict(list)
    for part in parts:
        below[part.parent].append(part)

    def walk(parent: str | None) -> Iterator[BodyPart]:
        for part in sorted(below.pop(parent, ()), key=lambda part: (part.order, part.id)):
            yield part
            yield from walk(part.id)

    return tuple(walk(None))


def section_of(parts: Sequence[BodyPart], wanted: str) -> tuple[BodyPart, ...]:
    """The section called `wanted` (its number, its title, or its id or the end of it) and all in it, out of `parts`
    in their order. Raises InputError, with what there is, if none or several are called so."""
    if not (name := _called(wanted)):
        raise InputError("the section's name is empty", remedy="give a section's number, title or id")
    sections = [part for part in parts if part.parent is not None]
    called = [(p, tuple(map(_called, (p.id, p.number, p.title)))) for p in sections]
    found = next((hits for way in range(3) if (hits := [p for p, names in called if names[way] == name])), [])
    found = found or [p for p in sections if _called(p.id).endswith((f"#{name}", f"/{name}"))]
    if len(found) != 1:
        several = [part.id for part in found]
        known = ", ".join(several or [f"{part.number} {part.title}".strip() for part in sections]) or "none"
        said = f"{wanted!r} can mean several sections" if several else f"the paper has no section {wanted!r}"
        raise InputError(f"{said}; there are: {known}", remedy="give a section's number, title or id")
    inside = {found[0].id}
    for part in parts:
        if part.parent in inside:
            inside.add(part.id)
    return tuple(part for part in parts if part.id in inside)


def _called(name: str) -> str:
    """`name` without what people leave out or add: case, spaces around, a closing dot."""
    return name.strip().rstrip(". ").casefold()


def passages(part: BodyPart) -> tuple[Passage, ...]:
    """What a section says: its text, cut where its equations stand; then the pieces that the text does not show."""
    found: list[Passage] = []
    rest, left = part.text, []
    for piece in part.pieces:
        at = find_whole(rest, piece.text) if piece.kind == "equation" and piece.text else -1
        if at < 0:
            left.append(piece)
            continue
        found += [*_text(rest[:at]), _shown(piece)]
        rest = rest[at + len(piece.text) :]
    return (*found, *_text(rest), *map(_shown, left))


def _text(text: str) -> list[Passage]:
    return [Passage("text", text.strip())] if text.strip() else []


def _shown(piece: BodyPiece) -> Passage:
    return Passage(piece.kind, piece.latex, piece.id, piece.caption)

"""Events: what the scanner sees of structure, in the order of the text."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ingest.latex.macros import substitute

__all__ = ["Event", "place"]

_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Event:
    """Something of structure at characters ``[start, end)``; `values` are its arguments as written.

    `inner` are the characters of the argument that is running text (a heading's title, a caption), where they stand in
    the document and not in a macro's body.

    Kinds: heading (title, star), begin and end (of an environment, or of ``\\\\[`` and ``$$``; value: options), label,
    ref, softref (counts only if the key exists), cite, caption, graphics, listing (a file that is printed), item,
    break (end of a paragraph), skip (no running text), front (title page), appendix, bibliography, counter, the
    (how a counter is printed), matter (front, main, back), math (a formula within a line, with its marks).
    """

    kind: str
    start: int
    end: int
    name: str = ""
    values: tuple[str, ...] = ()
    inner: tuple[int, int] | None = None


def place(events: Iterable[Event], start: int, end: int, values: list[str]) -> tuple[Event, ...]:
    """The events of a macro's body at the place of its call, with the call's arguments."""
    placed = []
    for event in events:
        filled = tuple(substitute(value, values) for value in event.values)
        if event.kind in ("cite", "ref", "softref", "label"):
            keys = (_SPACE.sub(" ", key).strip() for value in filled for key in value.split(","))
            filled = tuple(key for key in keys if key)
        placed.append(replace(event, start=start, end=end, values=filled))
    return tuple(placed)

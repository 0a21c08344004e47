"""Events: what the scanner sees of structure, in the order of the text, and which end belongs to which begin."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ingest.latex import names
from ingest.latex.macros import substitute

__all__ = ["Event", "Pairs", "pair", "place"]

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


@dataclass
class Pairs:
    """`closing` maps the index of a begin event to that of its end; `notes` are start, end and message."""

    closing: dict[int, int] = field(default_factory=dict)
    notes: list[tuple[int, int, str]] = field(default_factory=list)


def pair(events: list[Event]) -> Pairs:
    """Match environments by name. One that is never closed is reported and treated as if it were not there."""
    pairs = Pairs()
    stack: list[tuple[int, Event]] = []
    counts: Counter[str] = Counter()
    for number, event in enumerate(events):
        if event.kind == "begin":
            stack.append((number, event))
            counts[event.name] += 1
        elif event.kind == "end":
            name = _partner(event.name, stack, counts)
            if name is None:
                if event.name != "document":
                    pairs.notes.append((event.start, event.end, f"\\end{{{event.name}}} closes nothing"))
                continue
            while stack:
                opened, begin = stack.pop()
                counts[begin.name] -= 1
                if begin.name == name:
                    pairs.closing[opened] = number
                    break
                pairs.notes.append((begin.start, begin.end, f"\\begin{{{begin.name}}} is never closed"))
    for _, begin in stack:
        if begin.name != "document":
            pairs.notes.append((begin.start, begin.end, f"\\begin{{{begin.name}}} is never closed"))
    return pairs


def _partner(name: str, stack: list[tuple[int, Event]], counts: Counter[str]) -> str | None:
    """The open environment that an end of `name` closes: its namesake, or the innermost but for a star."""
    if counts[name] > 0:
        return name
    if stack and names.starless(stack[-1][1].name) == names.starless(name):
        return stack[-1][1].name
    return None

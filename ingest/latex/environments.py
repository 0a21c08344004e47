"""Which ``\\end`` belongs to which ``\\begin``, in documents that may have lost either."""

from collections import Counter
from dataclasses import dataclass, field

from ingest.latex import names
from ingest.latex.events import Event

__all__ = ["Pairs", "pair"]


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

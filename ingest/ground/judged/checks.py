"""What of a model's answers stands: every unit must be one that was shown, every quote must occur in its unit."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from ingest.ground.judged.reply import Answer, Choice, Nothing, Reply, Word
from ingest.ground.judged.shown import squeezed
from kg.models.code import CodeUnit, Part

__all__ = ["Drop", "Dropped", "Kept", "KeptUnit", "check"]

_LINE_NUMBER = re.compile(r"^\s*\d+\s", re.MULTILINE)
"""As lines are shown; one that is copied with its number is no other line."""
SHORTEST_QUOTE = 8
"""Characters without white space; "return x" says nothing of where it stands."""

LONGEST_WHY = 200
"""Characters of the one thing in an answer that nothing can be held against: shown on one line, as the model's word."""


class Drop(StrEnum):
    """Why something that a model said does not stand."""

    UNKNOWN_TECHNIQUE = "unknown technique"
    ANSWERED_TWICE = "answered twice"
    NOT_ANSWERED = "not answered"
    CONTRADICTORY = "units and none"
    UNKNOWN_UNIT = "unknown unit"
    NAMED_TWICE = "unit named twice"
    FALSE_QUOTE = "quote not in unit"
    SHORT_QUOTE = "quote too short"
    ONLY_NAMED = "quote of signature or docstring"
    NO_QUOTE = "unit without a true quote"
    UNKNOWN_PASSAGE = "unknown passage"
    UNKNOWN_CODE = "unknown file or unit"
    ANSWERS_THIN = "fewer than half of the units that it names stand: our own judgement is left alone"


@dataclass(frozen=True)
class Dropped:
    """Something said of technique `technique` (the number it was asked by; 0: of all) that does not stand."""

    technique: int
    why: Drop
    said: str = ""


@dataclass(frozen=True)
class KeptUnit:
    """A unit that stands: row of the index, which part it does, its true quotes, ids of passages that are there."""

    row: int
    part: Part
    quotes: tuple[str, ...]
    realises: tuple[str, ...]


@dataclass(frozen=True)
class Kept:
    """What stands of the answer for one technique; `nothing` is a reason only if no unit was named."""

    technique: int
    units: tuple[KeptUnit, ...]
    nothing: Nothing | None
    word: Word
    why: str
    more: tuple[str, ...]


def check(
    reply: Reply,
    asked: Mapping[int, Mapping[str, str]],
    labels: Mapping[str, int],
    units: tuple[CodeUnit, ...],
) -> tuple[dict[int, Kept], list[Dropped]]:
    """What stands of `reply`, by technique, and what does not.

    `asked` has for each technique by number the places of the passages that were shown by their ids, `labels` the row
    of each unit: both may be named for any technique.
    """
    passages = {mark: place for places in asked.values() for mark, place in places.items()}
    kept: dict[int, Kept] = {}
    dropped: list[Dropped] = []
    for answer in reply.answers:
        number = answer.technique
        if number not in asked:
            dropped.append(Dropped(number, Drop.UNKNOWN_TECHNIQUE))
        elif number in kept:
            dropped.append(Dropped(number, Drop.ANSWERED_TWICE))
        else:
            kept[number] = _answer(answer, passages, labels, units, dropped)
    dropped += [Dropped(number, Drop.NOT_ANSWERED) for number in asked if number not in kept]
    return kept, dropped


def _answer(
    answer: Answer, passages: Mapping[str, str], labels: Mapping[str, int], units: tuple[CodeUnit, ...],
    dropped: list[Dropped],
) -> Kept:  # fmt: skip
    found: dict[int, KeptUnit] = {}
    for choice in answer.units:
        row = labels.get(choice.unit.strip().strip("[]").upper())
        if row is None:
            dropped.append(Dropped(answer.technique, Drop.UNKNOWN_UNIT, choice.unit))
        elif row in found:
            dropped.append(Dropped(answer.technique, Drop.NAMED_TWICE, choice.unit))
        elif unit := _unit(answer.technique, choice, row, units[row], passages, dropped):
            found[row] = unit
    if answer.nothing and answer.units:
        dropped.append(Dropped(answer.technique, Drop.CONTRADICTORY, answer.nothing))
    nothing = None if answer.units else answer.nothing or "not shown"
    why = "".join(c if c.isprintable() else " " for c in answer.why)
    return Kept(
        answer.technique, tuple(found.values()), nothing, answer.confidence, " ".join(why.split())[:LONGEST_WHY],
        answer.more,
    )  # fmt: skip


def _unit(
    technique: int, choice: Choice, row: int, unit: CodeUnit, passages: Mapping[str, str], dropped: list[Dropped]
) -> KeptUnit | None:
    text, said = squeezed(unit.text), squeezed(f"{unit.signature}\n{unit.docstring}")
    true: list[str] = []
    for quote in choice.quotes:
        wanted = squeezed(_LINE_NUMBER.sub("", quote))
        if len(wanted) < SHORTEST_QUOTE:
            dropped.append(Dropped(technique, Drop.SHORT_QUOTE, quote))
        elif wanted not in text:
            dropped.append(Dropped(technique, Drop.FALSE_QUOTE, quote))
        elif wanted.rstrip(":{") in said:
            dropped.append(Dropped(technique, Drop.ONLY_NAMED, quote))
        else:
            true.append(" ".join(_LINE_NUMBER.sub("", quote).split()))
    if not true:
        dropped.append(Dropped(technique, Drop.NO_QUOTE, choice.unit))
        return None
    known = dict.fromkeys(passages[said] for said in choice.realises if said in passages)
    dropped += [Dropped(technique, Drop.UNKNOWN_PASSAGE, said) for said in choice.realises if said not in passages]
    return KeptUnit(row, choice.part, tuple(dict.fromkeys(true)), tuple(known))

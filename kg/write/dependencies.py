"""Which techniques need which: where code of one calls code of the other, or the paper says that one uses the other."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from kg.models.code import Candidate
from kg.models.ids import technique_id
from kg.models.record import PaperRecord
from kg.models.technique import Technique
from kg.words import is_acronym, is_specific
from kg.write.slice import GraphSlice

__all__ = ["add_dependencies"]

NEEDS = (
    r"us(?:es|ing)|based on|buil(?:ds|t|ding) (?:up)?on|rel(?:ies|ying) on|requir(?:es|ing)|appl(?:ies|ying)"
    r"|employs|with the help of|by means of"
)
AGAINST = re.compile(r"\b(?:unlike|instead|without|rather|not|than|whereas|compared)\b", re.IGNORECASE)
"""Words of sentences that say of what something is not made."""
BETWEEN = r"(?:\s+(?:the|a|an|our|standard|usual|so-called|such|same)){0,3}\s+"
MOST = 5
"""Calls and sentences that an edge names."""


def add_dependencies(graph: GraphSlice, record: PaperRecord, run_id: str) -> None:
    """Add DEPENDS_ON between techniques of one paper that are not part and whole; `evidence` says by what, in words.

    "code: a calls b" where a unit that is asserted or likely one technique's, or a part of it, calls what is asserted
    to be the other's: in lines that are quoted as the one's or, where none are, if each is the code of one technique
    alone, as nobody knows for which of several a unit calls something; of the others whose code is called, those are
    needed whose whole that code is or, of its heart, those that are no part of another. "text: …" where a sentence that
    defines the one says that it uses, requires or is based on the other, by its name.
    """
    evidence: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one, other, call in _by_code(record):
        evidence[one, other].append(f"code: {call}")
    for one, other, sentence in _by_text(record):
        evidence[one, other].append(f"text: {sentence}")
    related = _related(record)
    for (one, other), found in sorted(evidence.items()):
        start, end = (("Technique", technique_id(record.paper.id, name)) for name in (one, other))
        if start in graph.nodes and end in graph.nodes and start != end and other not in related[one]:
            listed = tuple(dict.fromkeys(found))[:MOST]
            graph.edge("DEPENDS_ON", start, end, evidence=listed, extraction_method="structural", run_id=run_id)


def _by_code(record: PaperRecord) -> Iterator[tuple[str, str, str]]:
    units = {unit.id: unit for unit in record.units}
    sure: dict[str, dict[str, Candidate]] = defaultdict(dict)
    held: dict[str, dict[str, Candidate]] = defaultdict(dict)
    for grounding in record.groundings:
        for candidate in grounding.candidates:
            if candidate.standing != "candidate" and candidate.unit in units:
                held[candidate.unit][grounding.technique] = candidate
                if candidate.standing == "asserted":
                    sure[candidate.unit][grounding.technique] = candidate

    def owners(unit: str, of: Mapping[str, dict[str, Candidate]]) -> dict[str, Candidate]:
        """Techniques of a unit or, where it has none, of the nearest unit around it."""
        at: str | None = unit
        seen: set[str] = set()
        while at is not None and at in units and at not in seen:
            if at in of:
                return of[at]
            seen.add(at)
            at = units[at].parent
        return {}

    below = {item.id: {part.id for part in item.walk()} - {item.id} for item in record.techniques.walk()}

    def meant(called: dict[str, Candidate]) -> set[str]:
        """Which techniques of a unit a call of it is a call for."""
        if len(called) == 1:
            return {*called}
        if whole := {one for one, candidate in called.items() if candidate.part in {None, "whole"}}:
            return whole
        core = {one for one, candidate in called.items() if candidate.part == "core"}
        return {one for one in core if not any(one in below[other] for other in core if other in below)}

    for caller, callee in record.calls:
        others = meant(owners(callee, sure))
        callers = owners(caller, held) if others else {}
        alone = len(callers) == len(others) == 1
        name = re.compile(rf"\b{re.escape(units[callee].name)}\b") if others else None
        for one, candidate in callers.items():
            lines = candidate.quotes
            if any(name.search(line) for line in lines) if name and lines else alone:
                for other in others - {one}:
                    yield one, other, f"{units[caller].symbol} calls {units[callee].symbol}"


def _by_text(record: PaperRecord) -> Iterator[tuple[str, str, str]]:
    techniques = [t for t in record.techniques.walk() if t.kind in ("methodology", "technique")]
    named = [(other, _pattern(other)) for other in techniques]
    for one in techniques:
        told = (one.definition, *(quote.text for quote in one.quotes if quote.role != "naming"))
        for sentence in dict.fromkeys(part.strip() for text in told for part in re.split(r"(?<=[.!?])\s+", text)):
            for other, pattern in named:
                if other.id != one.id and pattern and pattern.search(sentence) and not AGAINST.search(sentence):
                    yield one.id, other.id, sentence[:300]


def _pattern(technique: Technique) -> re.Pattern[str] | None:
    """What says that a technique is needed; None for names that may mean anything."""
    names = [name for name in (technique.name, *technique.aliases) if is_specific(name) or is_acronym(name)]
    if not names:
        return None
    return re.compile(rf"\b(?:{NEEDS}){BETWEEN}(?:{'|'.join(map(re.escape, names))})(?:e?s)?(?![\w-])", re.IGNORECASE)


def _related(record: PaperRecord) -> Mapping[str, set[str]]:
    """By technique, those above and below it."""
    found: dict[str, set[str]] = defaultdict(set)

    def walk(technique: Technique, above: tuple[str, ...]) -> None:
        for ancestor in above:
            found[ancestor].add(technique.id)
            found[technique.id].add(ancestor)
        for child in technique.children:
            walk(child, (*above, technique.id))

    for item in record.techniques.items:
        walk(item, ())
    return found

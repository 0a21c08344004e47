"""One name twice under one parent is one technique, whoever made the tree."""

import re
from collections.abc import Iterable

from kg.models.code import Grounding
from kg.models.record import PaperRecord
from kg.models.technique import Technique

__all__ = ["with_distinct_siblings"]

CLAIMS = frozenset({"finding", "resource"})
"""Kinds that are no name of what one builds: a finding may be called as the technique that it is about."""
BETWEEN = re.compile(r"[\s\-\u2010-\u2015]+")
"""What may stand between the words of a name, or not."""


def with_distinct_siblings(record: PaperRecord) -> PaperRecord:
    """The record with siblings of one name made one: the first, with the aliases, places, quotes and parts of both.

    A name is the same in its words, not in their stems: "Encoder" is no "Encoding". Findings and resources stay, and
    so do two that are told differently and each have code. What code implements the others is said of it, unless
    something is said of it already. Records that were imported stay as they came: the file that they were is written
    again from them.
    """
    if record.origin == "imported":
        return record
    became: dict[str, str] = {}
    items = _distinct(record.techniques.items, became, {g.technique for g in record.groundings if _says(g)})
    if not became:
        return record
    merged = {*became, *became.values()}
    said: dict[str, Grounding] = {}
    for found in sorted(record.groundings, key=lambda g: (not _says(g), g.technique in became)):
        if found.technique in merged:
            technique = became.get(found.technique, found.technique)
            said.setdefault(technique, found.model_copy(update={"technique": technique}))
    others = (found for found in record.groundings if found.technique not in merged)
    tree = record.techniques.model_copy(update={"items": items})
    return record.model_copy(update={"techniques": tree, "groundings": (*others, *said.values())})


def _says(found: Grounding) -> bool:
    """Whether it names code, at least as likely."""
    return found.level != "none" or found.likely


def _key(one: Technique) -> str:
    return "" if one.kind in CLAIMS else BETWEEN.sub("", one.name.casefold())


def _distinct(siblings: Iterable[Technique], became: dict[str, str], grounded: set[str]) -> tuple[Technique, ...]:
    """The siblings, each name once, and so below; notes in `became` which id is now which, in `grounded` which have
    code."""
    kept: dict[str, Technique] = {}
    first_of: dict[str, str] = {}
    for one in siblings:
        first = kept.get(first_of.setdefault(_key(one) or f"\0{one.id}", one.id))
        if first is None or first.id == one.id or _differ(first, one, grounded):
            kept.setdefault(one.id, one)
            continue
        became[one.id] = first.id
        grounded |= {first.id} if one.id in grounded else set()
        kept[first.id] = _joined(first, one)
    return tuple(
        one.model_copy(update={"children": _distinct(one.children, became, grounded)}) for one in kept.values()
    )


def _differ(one: Technique, other: Technique, grounded: set[str]) -> bool:
    """Whether both have code and definitions that are not the same."""
    told = {" ".join(each.definition.split()) for each in (one, other)} - {""}
    return len(told) > 1 and {one.id, other.id} <= grounded


def _joined(first: Technique, second: Technique) -> Technique:
    names = {first.name, *first.aliases}
    aliases = tuple(name for name in (second.name, *second.aliases) if name not in names)
    return first.model_copy(
        update={
            "aliases": (*first.aliases, *dict.fromkeys(aliases)),
            "definition": first.definition or second.definition,
            "score": max(first.score, second.score),
            "spans": tuple(dict.fromkeys((*first.spans, *second.spans))),
            "signals": tuple(dict.fromkeys((*first.signals, *second.signals))),
            "quotes": tuple(dict.fromkeys((*first.quotes, *second.quotes))),
            "inputs": tuple(dict.fromkeys((*first.inputs, *second.inputs))),
            "outputs": tuple(dict.fromkeys((*first.outputs, *second.outputs))),
            "steps": tuple(dict.fromkeys((*first.steps, *second.steps))),
            "status": first.status or second.status,
            "children": (*first.children, *second.children),
        }
    )

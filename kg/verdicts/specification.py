"""What papers say of a piece of code: from this, and never from the code, a model may write a test of it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from kg.models.paper import Model
from kg.results.verdict import SpecifiedCode
from kg.store import Store, Transaction
from kg.verdicts.basis import digest_of

__all__ = ["UNSPECIFIED", "Specification", "described", "respecified", "specifications", "whole_sentences"]

TECHNIQUES, FORMULAS, SECTION = 3, 8, 3_000
"""Techniques of one piece of code, formulas of a technique, and characters of the section that describes it."""
LONGEST = 3_000
"""Characters of a formula or an algorithm."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_SQUEEZED = re.compile(r"[\s$\\]+")


def described(name: str, aliases: Iterable[str], definition: str, passages: Iterable[str]) -> str:
    """One technique, as a specification has it."""
    also = ", ".join(aliases)
    lines = [f"TECHNIQUE: {name}" + (f" (also: {also})" if also else "")]
    return "\n".join([*lines, *([f"defined: {definition}"] if definition else []), *passages])


class Specification(Model):
    """What `paper` (and others that share the code) says of a unit: names, definitions, equations, algorithms, with
    marks such as [e1] before them."""

    paper: str | None = None
    text: str

    @cached_property
    def digest(self) -> str:
        """By which a changed one is told."""
        return digest_of(self.text.encode("utf-8", "replace"))

    @property
    def sentences(self) -> tuple[str, ...]:
        """Its sentences."""
        return tuple(part for line in self.text.splitlines() for part in _SENTENCE.split(line))

    def says(self, quote: str) -> bool:
        """Whether a quote is of it, white space and backslashes aside."""
        return _SQUEEZED.sub("", quote).lower() in _SQUEEZED.sub("", self.text).lower()


UNSPECIFIED = Specification(text="")
"""That of code of which no paper says anything: tests of it are written from its documentation."""


def respecified(digest: str | None, now: Specification | None) -> bool:
    """Whether what papers say `now` of code is something else than what tests with the specification's `digest` were
    written from; never where none were (None)."""
    return digest is not None and digest != (now or UNSPECIFIED).digest


def specifications(store: Store | Transaction, ids: Iterable[str]) -> dict[str, Specification]:
    """Those of code by its ids, as the graph has them now; none for code that no technique is asserted or likely to be
    implemented by."""
    found = {}
    for row in store.rows(SpecifiedCode, ids=list(ids)):
        techniques = row.techniques[:TECHNIQUES]
        if techniques:
            text = "\n\n".join(map(_described, techniques))
            found[row.id] = Specification(paper=techniques[0]["paper"], text=text)
    return found


def _described(technique: Mapping[str, Any]) -> str:
    return described(technique["name"], technique["aliases"], technique["definition"], _passages(technique))


def _passages(technique: Mapping[str, Any]) -> Iterator[str]:
    definition = technique["definition"]
    told = [quote for quote in technique["quotes"] if quote not in definition]
    yield from (f"[q{number}] {quote}" for number, quote in enumerate(told, start=1))
    for number, formula in enumerate(technique["formulas"][:FORMULAS], start=1):
        yield f"[{'a' if formula['algorithm'] else 'e'}{number}] {formula['latex'][:LONGEST]}"
    words = set(definition.lower().split())
    best = max(technique["sections"], key=lambda text: len(words & set(text.lower().split())), default="")
    if best:  # a citation within the sentence hides where a definition begins, but not where most of its words are
        start = max(best.find(definition[:60]), 0) if definition else 0
        yield f"[p1] {whole_sentences(best[start : start + SECTION + 1], SECTION)}"


def whole_sentences(text: str, most: int) -> str:
    """The sentences that fit into the first `most` characters, or if not one does, these: half a condition misleads."""
    if len(text) <= most:
        return text
    ends = [found.start() for found in _SENTENCE.finditer(text, 0, most)]
    return text[: ends[-1]] if ends else text[:most]

"""A blind reading of written tests, by whoever knows neither code nor results: which the quoted words don't fix."""

import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence

from agents.code.units.source import one_line
from agents.testwriting.quoting import occurs
from agents.testwriting.reply import ReviewedTests
from agents.testwriting.rules import Function
from agents.testwriting.stated import exemplifies
from kg.models.code import CodeUnit
from kg.models.execution import OpenTest
from kg.verdicts.specification import Specification

__all__ = ["Ground", "listed", "opened", "quoted", "reading_of"]

LONGEST, MOST = 200, 3
"""Characters of a quote, and how many of them a verdict's reason has."""

LEAST = 2
"""Functions that a reading must leave of those that are to verify: one alone outweighs no contradiction. Tests that
only stand against what others verify have nothing to carry, and may all be withdrawn."""


class Ground:
    """What quotes of tests of `unit` can be from: what papers say, or `documentation`, which is about it by nature. Of
    a unit that is `verified` already, what documentation says beside a paper stands: no test need come to hold in its
    place. Where no paper speaks of it, the reading is all that tells what documentation fixes."""

    def __init__(self, unit: CodeUnit, specification: Specification, documentation: str, verified: bool) -> None:
        self.unit, self.specification, self.documentation = unit, specification, documentation
        self.stands = verified and bool(specification.text)
        self.least = 0 if verified else LEAST

    def frees(self, function: Function, elsewhere: bool) -> bool:
        """Whether a function may go that is called open, as its words may, but for an example with numbers; or that is
        called of something `elsewhere`, as only a paper's words may be."""
        quotes = [because.quote for because in function.because]
        example = any(exemplifies(quote, self.unit.symbol) for quote in quotes)
        return not example and (not (elsewhere or self.stands) or all(map(self._papers, quotes)))

    def _papers(self, quote: str) -> bool:
        return occurs(quote, self.specification.text) and not occurs(quote, self.documentation)


def listed(functions: Iterable[Function]) -> str:
    """Test functions as they are shown, in their order: only lines of ours begin at the margin."""
    parts = []
    for function in functions:
        lines = [f"TEST {function.name}", textwrap.indent(function.source, "    ")]
        for number, because in enumerate(function.because, start=1):
            lines.append(f"  assertion {number} quotes: {' '.join(because.quote.split())}")
            lines.append(f"    follows: {' '.join(because.follows.split())}")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def opened(
    reply: ReviewedTests, functions: Mapping[str, Function], refuted: Collection[str], ground: Ground, beside: int = 0
) -> tuple[OpenTest, ...] | None:
    """The functions that a reply calls open, or of something else; of those that are to verify none where it calls all
    of them so, or would leave too few with those that stand `beside` them. Where it does not name each of them once it
    tells nothing: None of what others verify, else none. Of the names in `refuted` it knew nothing."""
    said = {one.test: one for one in reply.tests if one.reading != "fixed"}
    if sorted(one.test for one in reply.tests) != sorted(functions):
        return () if ground.least else None
    if ground.least and not beside and len(said) == len(functions):
        return ()
    found = tuple(
        OpenTest(
            test=name,
            quotes=tuple(dict.fromkeys(one_line(because.quote) for because in function.because)),
            why=one_line(said[name].why),
            held=name not in refuted,
            withdrawn=ground.frees(function, said[name].reading == "elsewhere"),
            elsewhere=said[name].reading == "elsewhere",
        )
        for name, function in functions.items()
        if name in said
    )
    return found if beside + len(functions) - sum(one.withdrawn for one in found) >= ground.least else ()


def reading_of(found: Sequence[OpenTest]) -> str:
    """What a verdict's reason says of tests that were called open, from its "; " on; "" if there were none."""
    said = ""
    if gone := [one for one in found if one.withdrawn]:
        said += (
            f"; withdrawn {_tests(gone)}: by a reading without code or results these words leave it open: {_of(gone)}"
        )
    if stay := [one for one in found if not one.withdrawn]:
        said += f"; kept {_tests(stay)} that it calls so too, as these words are of this code by nature: {_of(stay)}"
    return said


def quoted(quotes: Iterable[str]) -> list[str]:
    """Quotes as a reason has them, each once."""
    return [*dict.fromkeys(f"“{' '.join(quote.split())[:LONGEST]}”" for quote in quotes)]


def _tests(found: Sequence[OpenTest]) -> str:
    failed = sum(not one.held for one in found)
    return f"{len(found)} test{'s' * (len(found) > 1)} ({failed} did not hold)"


def _of(found: Iterable[OpenTest]) -> str:
    quotes = quoted(quote for one in found for quote in one.quotes)
    more = [f"{len(quotes) - MOST} more"] if len(quotes) > MOST else []
    return ", ".join([*quotes[:MOST], *more])

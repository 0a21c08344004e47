"""Which of the tests that reach a unit are held against changes of it."""

import re
from collections import Counter
from collections.abc import Iterable
from math import fsum
from pathlib import PurePosixPath

from agents.code.verify.running import TestRun
from kg.models.code import CodeUnit

__all__ = ["nearest"]

TESTS = 12
ALIKE = 3
"""Tests of one function with other parameters that come before tests of other functions."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def nearest(unit: CodeUnit, runs: Iterable[TestRun], seconds: float) -> list[TestRun]:
    """The tests to weigh: passing ones that reach the unit, those about it first, within `seconds` together.

    A test is about a unit when its name shares words with the unit's, the rarer the better, and the more so the fewer
    other units it calls: the quickest are often smoke tests, which notice little. Of a class, what calls methods that
    no other chosen test calls comes first; of many tests of one function most come after the others. Of two files of
    one name one is chosen: Python would take it for both.
    """
    passed = [run for run in runs if run.outcome == "passed"]
    common = Counter(word for run in passed for word in _words(run.id))
    mine = _words(f"{unit.symbol} {PurePosixPath(unit.file).stem}")

    def distance(run: TestRun) -> tuple[float, int, float, str]:
        return (-fsum(1 / common[word] for word in _words(run.id) & mine), len(run.units), run.seconds, run.id)

    def worth(run: TestRun) -> tuple[int, int]:
        return len(_members(unit, run) - covered), -max(ALIKE - 1, functions[run.id.partition("[")[0]])

    chosen, functions = list[TestRun](), Counter[str]()
    spent, covered, files = 0.0, set[str](), dict[str, PurePosixPath]()
    left = sorted((run for run in passed if unit.id in run.units), key=distance)
    while left and len(chosen) < TESTS:
        run = max(left, key=worth)
        left.remove(run)
        path = PurePosixPath(run.source.path)
        if files.setdefault(path.name, path) == path and (not chosen or spent + run.seconds <= seconds):
            chosen.append(run)
            spent += run.seconds
            covered |= _members(unit, run)
            functions[run.id.partition("[")[0]] += 1
    return chosen


def _members(unit: CodeUnit, run: TestRun) -> set[str]:
    """The methods of a class that a test calls."""
    return {other for other in run.units if other.startswith(f"{unit.id}.")}


def _words(name: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(name) if len(word) > 2}

"""What the texts of a unit and of its tests tell before anything is tried: which tests can be evidence at all."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from agents.code.units.imports import ImportResolver
from agents.code.verify.asking import Questions, asks
from agents.code.verify.copies import copied
from agents.code.verify.possible import Possible
from agents.code.verify.record import CodeHashes
from agents.code.verify.running import TestRun
from agents.code.verify.unkept import unkept
from kg.models.code import CodeUnit

__all__ = ["Scrutiny"]

_WORD = re.compile(r"[^\W\d]\w*")


class Scrutiny:
    """Of the units of a repository; `text_of` gives the text of one of its files."""

    def __init__(self, hashes: CodeHashes, text_of: Callable[[str], str]) -> None:
        self.hashes, self.text_of = hashes, cache(text_of)
        self.resolver = ImportResolver(unit.file for unit in hashes.units.values())
        self.possible = Possible(hashes.units.values(), self.text_of)
        self.questions = cache(lambda file: Questions(file, self.text_of(file)))

    def of(self, unit: CodeUnit, passing: Sequence[TestRun]) -> tuple[list[TestRun], str]:
        """Of passing tests of a unit those that can be evidence for it; if there are none, why."""
        if asked := self._asked(unit, passing):
            return [], f"it asks whether it is tested ({asked}): what it does elsewhere no test can show"
        if broken := unkept(unit, self.hashes.units, self.possible, self._tests(passing)):
            return [], f"it does not keep what it says: {broken}"
        copies = copied(unit, passing, self.hashes.units, self.text_of)
        rest = [run for run in passing if run.id not in copies]
        if rest:
            return rest, ""
        test, place = min(copies.items())
        return [], f"test too weak: {test} holds it against a copy of itself ({place}): assert values"

    def _tests(self, passing: Iterable[TestRun]) -> list[str]:
        reached = {name for run in passing for name in run.units if name in self.hashes.units}
        return [self.hashes.units[name].text for name in reached if self.hashes.units[name].role == "test"]

    def _asked(self, unit: CodeUnit, passing: Iterable[TestRun]) -> str:
        used = {other: self.hashes.units[other] for other in self.hashes.closure(unit)}
        reached = {other for run in passing for other in run.units if other in self.hashes.units}
        left = {name: self.hashes.units[name] for name in reached - used.keys()}
        left = {name: other for name, other in left.items() if other.role != "test" and other.kind not in _WHOLE}
        while True:
            words = {word for other in used.values() for word in _WORD.findall(other.text)}
            more = {name: other for name, other in left.items() if other.name in words and name not in used}
            if not more:
                break
            used |= more
        files = {other.file for other in used.values() if other.language == "python" and other.file.endswith(".py")}
        named = {(other.file, name) for other in used.values() for name in other.imports}
        beside = {place for file, name in named for place in self.resolver.targets(file, name) if place.endswith(".py")}
        return asks(list(used.values()), files | beside, self.questions)


_WHOLE = {"script", "file"}

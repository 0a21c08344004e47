"""Tests made here, for functions whose name is that of a textbook definition: their results are held against it.

A name is only a hint. A definition serves if the unmutated unit agrees with it on all guessed arguments on which it
runs at all; one that is broken anywhere was misread, and none of its tests is used. Only what says everything about a
result is listed (what judges one side of it, an order, a bound, a symmetry, notices too little of wrong code), and only
what papers' code was found to be verified by.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from agents.code.units.source import decode
from agents.code.verify.arguments import Kind, arguments, required
from agents.code.verify.preparing import Import
from agents.code.verify.running import Source, TestRun
from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = ["Definition", "DefinitionTests", "agreeing", "definition_tests", "definitions_of"]

INSIDE = "tau/xkg_definitions.py"
"""Where the definitions themselves lie below ``/work`` while the tests run."""
_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+\d*|[A-Z]+\d*|\d+")
_TEST = re.compile(r"::test_definition_(\d+)_\d+$")


@dataclass(frozen=True)
class Definition:
    """What a function of one needed parameter is; `check` is the call of the check, with ``unit`` and ``ARGUMENT`` in
    it, `meaning` is for people, and `kind` that of the numbers that the function is given."""

    meaning: str
    check: str
    kind: Kind = "normal"


def _imputed(how: str, meaning: str) -> Definition:
    return Definition(f"keeps what is observed and {meaning}", f"imputed(unit, {how!r}, ARGUMENT)", "missing")


_NAMED: tuple[tuple[tuple[str, ...], Definition], ...] = (
    (("f1",), Definition("is the harmonic mean of precision and recall", "f1(unit, ARGUMENT)")),
    (("zero imput",), _imputed("zero", "puts 0 for what is not")),
    (("forward imput", "forward fill"), _imputed("forward", "repeats it where nothing is")),
    (("linear imput", "interpolate"), _imputed("linear", "interpolates linearly")),
)
"""Names by their words, all of which a function's name must hold (as beginnings), and what such a function is."""


def definitions_of(unit: CodeUnit) -> Iterator[Definition]:
    """The definitions that the name of a function is the name of; none for methods and classes."""
    if unit.kind != "function" or "." in unit.symbol:
        return
    words = [word.lower() for word in _WORDS.findall(unit.name)]
    for names, definition in _NAMED:
        for name in names:
            if all(any(word.startswith(needed) for word in words) for needed in name.split()):
                yield definition


@dataclass
class DefinitionTests:
    """Sources with the id of the unit of each, and the files that they consist of (path below ``/work`` to text)."""

    sources: dict[Source, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)


def definition_tests(folder: Path, units: Iterable[CodeUnit], imports: Mapping[str, Import]) -> DefinitionTests:
    """Tests of kind "property" for each unit that a definition is known of, and that can be imported."""
    made = DefinitionTests()
    for number, unit in enumerate(units):
        how, function = imports.get(unit.file), _definition(folder, unit)
        if how is None or not how.ok or function is None:
            continue
        tests = "".join(_tests(unit, function, known, at) for at, known in enumerate(definitions_of(unit)))
        if tests:
            path = f"tau/test_definition_{number}.py"
            made.sources[Source(path, "property")] = unit.id
            made.texts[path] = _HEAD.format(symbol=unit.symbol, path=unit.file, name=how.name, way=how.way) + tests
    if made.texts:
        made.texts[INSIDE] = resources.files("agents.code.verify").joinpath("inside", "definitions.py").read_text()
    return made


_HEAD = '''\
"""What `{symbol}` of {path} is by its name."""

import os
import sys

from xkg_inside.importing import load

sys.path.insert(0, os.path.join(os.environ["XKG_WORK"], "tau"))
from xkg_definitions import *

module = load({path!r}, {name!r}, {way!r})
unit = module.{symbol}
'''


def _tests(unit: CodeUnit, function: "_Function", definition: Definition, at: int) -> str:
    """The text of the tests of one definition; empty for a function of other parameters."""
    if len(required(function.node)) != 1:
        return ""
    guessed = arguments(function.node, function.text, definition.kind, unit.imports)
    return "".join(
        f'\n\ndef test_definition_{at}_{number}():\n    """{definition.meaning}"""\n'
        f"    {definition.check.replace('ARGUMENT', given)}\n"
        for number, given in enumerate(guessed)
    )


@dataclass(frozen=True)
class _Function:
    node: ast.FunctionDef
    text: str


def _definition(folder: Path, unit: CodeUnit) -> _Function | None:
    text = decode((folder / unit.file).read_bytes())[0].removeprefix("\ufeff")
    try:
        tree = parse(text)
    except NotPython3:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == unit.name and unit.line <= node.lineno <= unit.end_line:
            return _Function(node, f"{ast.get_docstring(tree) or ''}\n{unit.text}")
    return None


def agreeing(runs: Iterable[TestRun]) -> list[TestRun]:
    """Of runs of these tests those of definitions that the unit agrees with wherever it ran at all."""
    listed = [(run, match[1]) for run in runs if (match := _TEST.search(run.id))]
    broken = {(run.source, number) for run, number in listed if _breaks(run)}
    return [run for run, number in listed if run.outcome == "passed" and (run.source, number) not in broken]


def _breaks(run: TestRun) -> bool:
    """Whether a definition itself found the result wrong; that the arguments don't fit is another thing."""
    last = run.raised.frames[-1][0] if run.raised and run.raised.frames else ""
    return bool(run.raised and "AssertionError" in run.raised.types and last.endswith(INSIDE))

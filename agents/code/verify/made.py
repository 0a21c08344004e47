"""Tests that are made here: what a unit promises, checked on guessed arguments and on recorded calls."""

import ast
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from agents.code.units.python import NotPython3, parse
from agents.code.units.source import decode
from agents.code.verify.arguments import arguments, required
from agents.code.verify.preparing import Import
from agents.code.verify.promises import Promise
from agents.code.verify.recording import Call
from agents.code.verify.running import Source, TestRun
from kg.models.code import CodeUnit

__all__ = ["MadeTests", "defines", "kept", "make_tests"]

STEADY = Promise("gives the same under one seed", "invariances.steady(unit, ARGS)", more=True)
"""What any function should do. It proves so little that it never stands alone."""
_TEST = re.compile(r"::test_(?P<kind>property|replay)_(?P<promise>steady|(?:promise|definition)_\d+)_\d+$")
_CHECKS = ("/xkg_inside/checks.py", "/xkg_inside/invariances.py")


@dataclass
class MadeTests:
    """Sources with the id of the unit of each, and the files that they consist of (path below ``/work`` to text)."""

    sources: dict[Source, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def add(self, path: str, kind: str, text: str, unit: CodeUnit) -> None:
        """One file of tests."""
        self.sources[Source(path, "replay" if kind == "replay" else "property", made=True)] = unit.id
        self.texts[path] = text


def make_tests(
    folder: Path,
    promised: Mapping[str, tuple[CodeUnit, Sequence[Promise]]],
    imports: Mapping[str, Import],
    calls: Mapping[str, Sequence[Call]],
) -> MadeTests:
    """Tests for each unit that promises something, of kind "property", and of kind "replay" where calls are known."""
    made = MadeTests()
    for number, (unit, promises) in enumerate(promised.values()):
        how, function = imports.get(unit.file), _definition(folder, unit)
        if how is None or not how.ok or function is None:
            continue
        head = _HEAD.format(symbol=unit.symbol, path=unit.file, name=how.name, way=how.way)
        text = "".join(_guessed(unit, function, promise, _place(promise, at)) for at, promise in enumerate(promises))
        if text:
            text += _guessed(unit, function, STEADY, "steady")
            made.add(f"tau/test_property_{number}.py", "property", head + text, unit)
        if known := calls.get(unit.id):
            path = f"tau/calls_{number}.json"
            made.texts[path] = json.dumps([call.data for call in known])
            digest = hashlib.sha256(made.texts[path].encode()).hexdigest()
            text = "".join(
                _replayed(function, promise, _place(promise, at), known) for at, promise in enumerate(promises)
            )
            text += _replayed(function, STEADY, "steady", known)
            replay = head + _CALLS.format(path=f"/work/{path}", sha256=digest, shown=_shown(known)) + text
            made.add(f"tau/test_replay_{number}.py", "replay", replay, unit)
    return made


def _place(promise: Promise, number: int) -> str:
    """The part of a test's name that says which promise it checks, and whether that is all there is to know."""
    return f"{'definition' if promise.defines else 'promise'}_{number}"


_HEAD = '''\
"""What `{symbol}` of {path} promises."""

from xkg_inside import checks, invariances, recorded
from xkg_inside.importing import load

module = load({path!r}, {name!r}, {way!r})
unit = module.{symbol}
'''

_CALLS = """
# Recorded while programs of the repository ran:
{shown}
CALLS = recorded.calls({path!r}, {sha256!r})
"""


def _shown(calls: Iterable[Call]) -> str:
    return "\n".join(f"# {call.shown!a} in {call.seen_in!a}" for call in calls)


def _guessed(unit: CodeUnit, function: "_Function", promise: Promise, place: str) -> str:
    parts: list[str] = []
    needed = required(function.node)
    if len(needed) < promise.count or (len(needed) > promise.count and not promise.more):
        return ""
    for number, given in enumerate(arguments(function.node, function.text, promise.wants, promise.count, unit.imports)):
        parts.append(_test(f"property_{place}_{number}", promise, promise.call.replace("ARGS", given)))
    return "".join(parts)


def _replayed(function: "_Function", promise: Promise, place: str, calls: Sequence[Call]) -> str:
    positional = len(function.node.args.posonlyargs) + len(function.node.args.args)
    if positional < promise.count:
        return ""
    count = 0 if promise.more else promise.count
    check = f"lambda unit, *given: {promise.call.replace('ARGS', '*given')}"
    return "".join(
        _test(f"replay_{place}_{number}", promise, f"recorded.held(unit, CALLS[{number}], {count}, {check})")
        for number in range(len(calls))
    )


def _test(name: str, promise: Promise, call: str) -> str:
    said = f"    # {promise.says!a}\n" if promise.says else ""
    return f'\n\ndef test_{name}():\n    """{promise.told}"""\n{said}    {call}\n'


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


def kept(runs: Iterable[TestRun]) -> list[TestRun]:
    """Of runs of made tests those whose promise is kept wherever the unit ran at all.

    What breaks on a recorded call is broken for guessed arguments, too; the reverse says only that these do not fit.
    Where nothing but being steady is kept, nothing is.
    """
    listed = [(run, number, match) for run in runs if (number := _number(run)) and (match := _TEST.search(run.id))]
    broken = {(number, match["kind"], match["promise"]) for run, number, match in listed if _breaks(run)}
    good = [
        (run, number, match)
        for run, number, match in listed
        if run.outcome == "passed"
        and (number, match["kind"], match["promise"]) not in broken
        and (number, "replay", match["promise"]) not in broken
    ]
    telling = {(number, match["kind"]) for _, number, match in good if match["promise"] != "steady"}
    return [run for run, number, match in good if (number, match["kind"]) in telling]


def _number(run: TestRun) -> str:
    """Which unit's the tests of a file are: those of both kinds have the same."""
    return PurePosixPath(run.source.path).stem.rpartition("_")[2]


def defines(run: TestRun) -> bool:
    """Whether a made test holds the unit against all that it should be, and not against one side of it."""
    match = _TEST.search(run.id)
    return bool(run.source.made and match and match["promise"].startswith("definition"))


def _breaks(run: TestRun) -> bool:
    """Whether a check itself found the promise broken; that the arguments don't fit is another thing."""
    last = run.raised.frames[-1][0] if run.raised and run.raised.frames else ""
    return bool(run.raised and "AssertionError" in run.raised.types and last.endswith(_CHECKS))

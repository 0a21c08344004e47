"""What of a unit written tests leave out: cases that none runs or looks at, and labels that could change places."""

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from keyword import iskeyword
from pathlib import PurePosixPath

from agents.code.mutants import exchanges
from agents.code.verify.decisions import decisions
from agents.code.verify.running import Source, TestRun, changed, passing
from agents.code.verify.statements import Place, Statements
from agents.code.verify.unit_verdicts import UnitVerdicts
from agents.execution.syntax import NotPython3, parse, parse_piece
from agents.testwriting.deciding import computing, deciding
from agents.testwriting.tables import Table
from kg.models.code import CodeUnit

__all__ = ["Left", "changing", "left_out", "within"]

EXCHANGES, DECISIONS = 6, 12
"""Pairs of labels at most that are exchanged, and conditions that are settled."""
LEAST = 4
"""Statements that a helper must have, its parameters one of them, to be known by them under another name."""


class _Untold(Exception):
    """Nobody can tell which cases of a unit were run; its words say why."""


@dataclass(frozen=True)
class Left:
    """Something that no test looks at, as it is `said` to people and `told` to a model, which sees no code."""

    said: str
    told: str


def within(text: str, known: str) -> Callable[[int], str]:
    """By the number of a line of code " in NAME" of the innermost function around it, of those in what is `known` to
    a model; " in a helper" in a function of others, "" if there is none."""
    names = {*re.findall(r"\w+", known)}
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    found = [node for node in ast.walk(parse(text)) if isinstance(node, kinds)]

    def told(line: int) -> str:
        around = [node for node in found if node.lineno <= line <= (node.end_lineno or node.lineno)]
        named = [node for node in around if node.name in names]
        helper = " in a helper" if around else ""
        return f" in {max(named, key=lambda node: node.lineno).name}" if named else helper

    return told


def changing(text: str, known: str) -> Callable[[int], str]:
    """By the number of a line what `within` tells, and which of the names in what is `known` are used there."""
    where, what = within(text, known), computing(parse(text), {*re.findall(r"\w+", known)})
    return lambda line: where(line) + what(line)


def left_out(
    unit: CodeUnit, verdicts: UnitVerdicts, source: Source, holding: Collection[TestRun], known: str,
    tables: Collection[Table] = (),
) -> tuple[Sequence[Left], str]:  # fmt: skip
    """What of `unit` tests of `source` that are `holding` do not look at, and what that leaves unproven, also where
    nobody can tell; "" for nothing. See `_left`."""
    try:
        found = _left(unit, verdicts, source, holding, known, tables)
    except _Untold as error:
        return (), str(error)
    return found, found[0].said if found else ""


def _left(
    unit: CodeUnit, verdicts: UnitVerdicts, source: Source, holding: Collection[TestRun], known: str,
    tables: Collection[Table],
) -> list[Left]:  # fmt: skip
    """What of `unit` no test of `source` runs, of those that are `holding`: statements, parts of expressions, and the
    case that a condition does not hold; but not what refuses, logs or catches, and nothing of methods that no test
    calls. Where all is run, conditions of which none notices that they are settled, and labels of which none notices
    that they are exchanged. Of a module that was made for the unit, its cases are those of the unit itself, as of one
    in a repository: helpers that this has as well, and `tables`, must be noticed, and not case by case. A model may be
    told of names in what is `known` to it. Raises _Untold."""
    session, each = verdicts.prepared.session, verdicts.settings.verify.test_seconds
    if session is None:
        raise ValueError("no tests run without an environment")
    text, path = verdicts.text(unit.file), f"repo/{unit.file}"
    whole, lines = (unit.line, unit.end_line), _own(unit, text, verdicts.hashes.units.values())
    try:
        marked = Statements(text, lines=lines)
    except RecursionError:
        raise _Untold("it is too deep for it to be told which of its cases were run") from None
    passed, wanted, where = set[str](), {run.id for run in holding}, within(text, known)
    for result in changed(session, {source: holding}, path, marked.text, each):
        passed |= passing(result)
        for event in result.of("marks"):
            marked.took(event.get("marks"))
    if not wanted <= passed or (marked.wanted and not marked.wanted & marked.passed):
        raise _Untold("its tests do not pass, or run nothing of it, where it is watched which of its cases are run")
    decided = deciding(parse(text), {*re.findall(r"\w+", known)})
    if marked.left:
        return [*_unrun(sorted(marked.left, key=lambda place: place.line), decided, where)]
    asked = (one for one in decisions(text, whole) if one.version.line in lines)
    settled = islice((one for one in asked if marked.ran(one.version.line)), DECISIONS)
    own = {*range(unit.line, unit.end_line + 1)}.difference(*(table.lines for table in tables))
    exchanged = islice(
        (one for one in exchanges(text, whole) if one.line in own and marked.entered(one.line)), EXCHANGES
    )
    tried = [
        *(
            (one.version, f"a case{decided(one.version.line, one.decide)} could be left out unnoticed")
            for one in settled
        ),
        *((one, f"two labels{_named(one.description, known)} could change places unnoticed") for one in exchanged),
    ]
    return [
        Left(f"no test notices that in {one.description}", f"line {one.line}{where(one.line)}: {what}")
        for one, what in tried
        if all(wanted <= passing(result) for result in changed(session, {source: holding}, path, one.text, each))
    ]


def _named(exchange: str, known: str) -> str:
    """The labels of an exchange, where a model knows both."""
    labels = re.findall(r"'([^']*)'", exchange)
    return f" ({', '.join(map(repr, labels))})" if len(labels) == 2 and all(one in known for one in labels) else ""


def _own(unit: CodeUnit, text: str, units: Iterable[CodeUnit]) -> Collection[int]:
    """The lines of a unit: of one that is a whole module without those of helpers which the repository has elsewhere
    under the same name, or that with its file's before it (``utils_mean`` for ``utils.mean``), or under one that shares
    a word with it, with its parameters and statements. What a module sets apart by itself, from what was the unit's, is
    the unit's still."""
    lines = {*range(unit.line, unit.end_line + 1)}
    if unit.text != text:
        return lines
    others = [one for one in units if one.file != unit.file]
    known = {name for one in others for name in (one.symbol, f"{PurePosixPath(one.file).stem}_{one.symbol}")}
    own = unit.symbol.partition(".")[0]
    others = [one for one in others if one.symbol.partition(".")[0] != own]
    for node in parse(text).body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or node.name == own:
            continue
        if node.name in known or _is_one_of(node, others):
            lines -= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    return lines


def _is_one_of(helper: ast.AST, units: Iterable[CodeUnit]) -> bool:
    """Whether a function or class has parameters and statements of one of these, whose name shares a word with its."""
    words, own = _words(getattr(helper, "name", "")), _statements(helper)
    near = (one for one in units if words & _words(one.name) and one.role != "test")
    return len(own) >= LEAST and any(own <= _statements(_parsed(one.text)) for one in near)


def _words(name: str) -> set[str]:
    """Those of a name; none of one that Python gives a meaning."""
    return set[str]() if name.startswith("__") else {*filter(None, name.lower().split("_"))}


def _parsed(text: str) -> ast.AST:
    """The text of a unit, empty for one that this Python can't parse."""
    try:
        return parse_piece(text)
    except NotPython3:
        return ast.Module([], [])


def _statements(tree: ast.AST) -> set[str]:
    """The statements and parameters in a function or class as they read, of those with a body what stands before it;
    not what only moves data to a GPU, nor documentation. None of what is too deep to be written."""
    found = set[str]()
    try:
        for node in ast.walk(tree):
            if isinstance(node, ast.arguments):
                found.add(f"({ast.unparse(node)})")
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            elif isinstance(node, ast.stmt) and not (
                isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            ):
                found.add(ast.unparse(node).partition(":\n")[0].replace(".cuda()", ""))
    except RecursionError:
        return set()
    return found


def _unrun(
    places: list[Place], decided: Callable[[int, Iterable[str]], str], where: Callable[[int], str]
) -> Iterator[Left]:
    for place in places:
        what = "the case that a condition does not hold" if place.otherwise else "a case"
        word = place.text.partition(" ")[0].rstrip(":")
        kind = f" (`{word}`)" if iskeyword(word) and word.islower() and not place.otherwise else ""
        by = decided(place.line, place.decide)
        told = f"line {place.line}{where(place.line)}: {what}{kind} that no test runs{by and f',{by}'}"
        yield Left(f"no test runs a case of it ({place})", told)

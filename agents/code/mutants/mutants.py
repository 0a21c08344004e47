"""Mutants of a unit: its file with one small thing wrong, to see whether a test notices.

Every mutant is a text edit at an AST node, so the rest of the file keeps its look and its line numbers up to the edit.
What no test could notice is left alone: docstrings, annotations, messages, logging, ``__repr__``, seeds. How the first
weights of a model are drawn by chance comes last: training replaces them, and a test that works numbers out sets its
own, so a class is asked first for what it computes with its weights.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from agents.code.mutants.edits import Edit, Kind, edits
from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = ["LIMIT", "Mutant", "is_stub", "mutants"]

LIMIT = 12
_KINDS: tuple[Kind, ...] = (
    "none",
    "parameter",
    "comparison",
    "operator",
    "argument",
    "operand",
    "dropped",
    "negation",
    "constant",
)
_DRAWING = re.compile(r"rand(?:n|_like|n_like)?|normal|uniform|empty(?:_like)?")
"""Functions that make values by chance, or leave them open."""
_DRAWN_ANEW = re.compile(r"(?:\w+\.)*init\.\w*(?:normal|uniform|orthogonal)_|(?:xavier|kaiming)_(?:normal|uniform)_")
"""Functions that fill weights by chance; what else fills a tensor so may be what a model computes."""
_SAYS_HOW = re.compile(
    r"(?i)\binit|\bdraw|\brandom|distribut|varian|\bstd\b|deviation|scale|xavier|glorot|kaiming|orthogonal"
)
"""Documentation that may say how weights are drawn: there it is what a class claims."""


@dataclass(frozen=True)
class Mutant:
    """`text` is the whole file with the change; `description` tells it to a person ("line 12: < becomes <="). One of
    kind "parameter" leaves out its `parameter`, which lines `elsewhere` use, too."""

    kind: Kind
    line: int
    description: str
    text: str
    parameter: str = ""
    elsewhere: frozenset[int] = frozenset()


def mutants(
    text: str, unit_span: tuple[int, int], limit: int = LIMIT, later: Collection[int] = frozenset()
) -> list[Mutant]:
    """Up to `limit` mutants of lines `unit_span` (1-based, inclusive) of the Python file `text`; those of lines `later`
    come after all others.

    They are spread evenly over the kinds of change and over the unit, and are the same each time. A file that this
    Python can't parse, or that is nested beyond its limits, has none.
    """
    try:
        return _mutants(text, unit_span, limit, later)
    except (NotPython3, RecursionError):
        return []


def _mutants(text: str, unit_span: tuple[int, int], limit: int, later: Collection[int]) -> list[Mutant]:
    tree = parse(text)
    data = text.encode("utf-8")
    starts = _line_starts(data)
    seen = {ast.dump(tree)}
    found: list[Mutant] = []
    drawn = list(_drawn(tree))
    candidates: tuple[list[Edit], list[Edit], list[Edit]] = ([], [], [])
    for edit in edits(tree, unit_span, data):
        last = any(_within(edit, each) for each in drawn)
        candidates[2 if last else edit.line in later].append(edit)
    for edit in chain.from_iterable(_balanced(each, limit) for each in candidates):
        mutant = _applied(edit, data, starts)
        try:
            dump = ast.dump(parse(mutant.text))
        except NotPython3:
            continue
        if dump not in seen:
            seen.add(dump)
            found.append(mutant)
        if len(found) == limit:
            break
    return sorted(found, key=lambda m: (m.line, m.kind, m.description))


def is_stub(text: str, unit: CodeUnit) -> bool:
    """Whether the functions of `unit`, in its file `text`, do nothing, or give a constant whatever they are given."""
    try:
        tree = parse(text)
    except NotPython3:
        return False
    inside = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and unit.line <= n.lineno <= unit.end_line]
    functions = [n for n in inside if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    return bool(functions) and all(_does_nothing(statement) for each in functions for statement in each.body)


def _does_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Return | ast.Expr):
        value = statement.value
        parts = ast.walk(value) if value is not None else iter(())
        plain = ast.Constant | ast.Tuple | ast.List | ast.Dict | ast.Set | ast.UnaryOp | ast.unaryop | ast.expr_context
        return all(isinstance(part, plain) for part in parts)
    return isinstance(statement, ast.Pass | ast.Raise)


def _drawn(tree: ast.Module) -> Iterator[ast.expr]:
    """What says how first weights are drawn by chance: ``Parameter(torch.randn(n) * 0.1)`` says it in its argument, and
    ``init.normal_(weight, std=0.1)`` in those after the first. Parameters that aren't trained are none, nor is anything
    in a class whose documentation may speak of it."""
    documented = (ast.ClassDef, ast.FunctionDef)
    spoken = {
        id(inner)
        for owner in ast.walk(tree)
        if isinstance(owner, ast.ClassDef)
        and any(
            _SAYS_HOW.search(ast.get_docstring(one) or "") for one in ast.walk(owner) if isinstance(one, documented)
        )
        for inner in ast.walk(owner)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or id(node) in spoken:
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if _DRAWN_ANEW.fullmatch(ast.unparse(node.func)):
            yield from [*node.args[1:], *(keyword.value for keyword in node.keywords)]
        elif name == "Parameter" and len(node.args) == 1 and not node.keywords and _draws(node.args[0]):
            yield node.args[0]


def _draws(value: ast.expr) -> bool:
    """Whether `value` is drawn by chance and at most scaled: what a constructor works out besides isn't."""
    functions = [node.func for node in ast.walk(value) if isinstance(node, ast.Call)]
    called = [getattr(each, "attr", getattr(each, "id", "")) for each in functions]
    return any(map(_DRAWING.fullmatch, called)) and all(_DRAWING.fullmatch(each) or each == "sqrt" for each in called)


def _within(edit: Edit, value: ast.expr) -> bool:
    start, end = (edit.line, edit.column), (edit.end_line, edit.end_column)
    return (value.lineno, value.col_offset) <= start and end <= (value.end_lineno or 0, value.end_col_offset or 0)


def _line_starts(data: bytes) -> list[int]:
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _applied(edit: Edit, data: bytes, starts: Sequence[int]) -> Mutant:
    start = starts[edit.line - 1] + edit.column
    end = starts[edit.end_line - 1] + edit.end_column
    source = data[start:end].decode("utf-8", "replace")
    changed = data[:start] + edit.replacement(source).encode("utf-8") + data[end:]
    said = f"line {edit.line}: {edit.what}"
    return Mutant(edit.kind, edit.line, said, changed.decode("utf-8", "replace"), edit.parameter, edit.elsewhere)


def _balanced(candidates: list[Edit], limit: int) -> Iterator[Edit]:
    """Candidates in the order of use: kinds in turn, and within a kind far from those before."""
    by_kind: dict[str, list[Edit]] = defaultdict(list)
    for edit in candidates:
        by_kind[edit.kind].append(edit)
    queues = [_spread(by_kind[kind], limit) for kind in _KINDS if by_kind[kind]]
    while queues:
        for queue in queues:
            yield queue.pop(0)
        queues = [queue for queue in queues if queue]


def _spread(candidates: list[Edit], limit: int) -> list[Edit]:
    """Evenly spaced ones first, then the rest in their order."""
    ordered = sorted(candidates, key=lambda e: (e.line, e.column, e.end_line, e.end_column, e.what))
    count = min(limit // 2, len(ordered)) or 1
    picks = [(2 * i + 1) * len(ordered) // (2 * count) for i in range(count)]
    middle_out = sorted(range(count), key=lambda i: (i % 2, i))
    chosen = [picks[i] for i in middle_out]
    rest = [i for i in range(len(ordered)) if i not in set(picks)]
    return [ordered[i] for i in [*chosen, *rest]]

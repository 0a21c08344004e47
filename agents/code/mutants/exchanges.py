"""Wrong versions in which two labels have changed places: which of them stands for what, no sum or shape shows."""

import ast
from collections.abc import Iterator
from itertools import combinations

from agents.code.mutants.mutants import Mutant
from agents.execution.syntax import NotPython3, parse

__all__ = ["exchanges"]

WORDS = 4
"""Of a label in a list at most: sentences that are listed stand for nothing by their places."""
_Display = ast.Dict | ast.List | ast.Tuple


def exchanges(text: str, unit_span: tuple[int, int]) -> Iterator[Mutant]:
    """Versions of the file `text` in which two places of a table in lines `unit_span` (1-based, inclusive) are
    exchanged: constants that a dictionary gives, else its keys; words of a list that is kept, returned or looked up in.

    Not of what is only gone through or asked whether something is in it, where order is no matter. None for a file that
    this Python can't parse.
    """
    try:
        tree = parse(text)
    except NotPython3:
        return
    data = text.encode("utf-8")
    for table in _tables(tree):
        if unit_span[0] <= table.lineno and (table.end_lineno or 0) <= unit_span[1]:
            for one, other in _pairs(table):
                yield _exchanged(data, one, other)


def _tables(tree: ast.Module) -> Iterator[_Display]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            yield node
        held = node.value if isinstance(node, ast.Assign | ast.AnnAssign | ast.Return | ast.Subscript) else None
        if isinstance(held, ast.List | ast.Tuple) and not _sets_apart(node):
            yield held


def _sets_apart(node: ast.AST) -> bool:
    """Whether several names are bound at once: ``a, b = "a", "b"``; or slots and exports are told."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(one, ast.Tuple | ast.List) or getattr(one, "id", "").startswith("__") for one in targets)


def _pairs(table: _Display) -> Iterator[tuple[ast.Constant, ast.Constant]]:
    """Constants of a table that can be exchanged, and are not the same."""
    if isinstance(table, ast.Dict):
        found = _constants([*table.values])
        if len(found) < 2:
            kept = {ast.unparse(value): key for key, value in zip(table.keys, table.values, strict=True) if key}
            found = _constants([*kept.values()])
    else:
        found = [
            one for one in _constants(table.elts) if isinstance(one.value, str) and len(one.value.split()) <= WORDS
        ]
    yield from ((one, other) for one, other in combinations(found, 2) if one.value != other.value)


def _constants(nodes: list[ast.expr]) -> list[ast.Constant]:
    kinds = str | int
    return [one for one in nodes if isinstance(one, ast.Constant) and isinstance(one.value, kinds)]


def _exchanged(data: bytes, one: ast.Constant, other: ast.Constant) -> Mutant:
    lines = data.splitlines(keepends=True)
    starts = [sum(map(len, lines[: node.lineno - 1])) + node.col_offset for node in (one, other)]
    ends = [sum(map(len, lines[: (node.end_lineno or 0) - 1])) + (node.end_col_offset or 0) for node in (one, other)]
    (first, last), (begin, end) = sorted(zip(starts, ends, strict=True))
    text = data[:first] + data[begin:end] + data[last:begin] + data[first:last] + data[end:]
    said = f"line {one.lineno}: {one.value!r} and {other.value!r} are exchanged"
    return Mutant("exchange", one.lineno, said, text.decode("utf-8", "replace"))

"""Wrong versions in which a case is left out, or taken always: to run it shows nothing where nobody looks at it."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from agents.code.mutants.mutants import Mutant
from agents.code.verify.statements import is_empty, named, needs_gpu, refuses
from agents.code.verify.unmeant import without_idle
from agents.execution.syntax import NotPython3, parse

__all__ = ["Decision", "decisions"]


@dataclass(frozen=True)
class Decision:
    """A version of a file in which a condition is settled, and the names that `decide` it otherwise."""

    version: Mutant
    decide: tuple[str, ...]


def decisions(text: str, unit_span: tuple[int, int]) -> Iterator[Decision]:
    """Versions of the file `text` in which a condition in lines `unit_span` (1-based, inclusive) never holds; where
    another case stands beside it, also those in which it always does; of what is filtered, those in which all passes.

    Not where a case only refuses, tells somebody or asks for a GPU, and not of loops, which would not end. None for a
    file that this Python can't parse.
    """
    try:
        tree = without_idle(parse(text))
    except NotPython3:
        return
    data = text.encode("utf-8")
    for node in ast.walk(tree):
        for test, settled in _settled(node):
            if unit_span[0] <= test.lineno and (test.end_lineno or 0) <= unit_span[1]:
                yield Decision(_with(data, test, settled), named(test))


def _settled(node: ast.AST) -> Iterator[tuple[ast.expr, bool]]:
    """Conditions of a node, each with what it is to be."""
    if isinstance(node, ast.If) and not needs_gpu(node) and not is_empty(node):
        cases = [case for case in (node.body, node.orelse) if case and not refuses(case)]
        if cases and not refuses(node.body):
            yield node.test, False
        if len(cases) == 2:
            yield node.test, True
    elif isinstance(node, ast.IfExp) and not needs_gpu(node):
        yield from ((node.test, settled) for settled in (False, True))
    elif isinstance(node, ast.comprehension):
        yield from ((test, True) for test in node.ifs)


def _with(data: bytes, test: ast.expr, settled: bool) -> Mutant:
    lines = data.splitlines(keepends=True)
    start = sum(map(len, lines[: test.lineno - 1])) + test.col_offset
    end = sum(map(len, lines[: (test.end_lineno or 0) - 1])) + (test.end_col_offset or 0)
    said = f"line {test.lineno}: `{' '.join(data[start:end].decode('utf-8', 'replace').split())}` "
    said += "always holds" if settled else "never holds"
    text = data[:start] + str(settled).encode() + data[end:]
    return Mutant("decision", test.lineno, said, text.decode("utf-8", "replace"))

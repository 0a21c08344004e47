"""Imports and helpers of several replies in one file: what stands is never bound anew."""

import ast
from collections.abc import Iterator

from agents.execution.syntax import NotPython3, parse

__all__ = ["joined"]


def joined(first: str, second: str) -> str:
    """`first`, and those statements of `second` that bind only names which it does not."""
    try:
        standing, more = parse(first), parse(second)
    except NotPython3:
        return first
    known = {name for node in standing.body for name in _bound(node)}
    added = [ast.unparse(node) for node in more.body if not known & set(_bound(node))]
    return second if not first.strip() else "\n".join([first.rstrip("\n"), *added])


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name))

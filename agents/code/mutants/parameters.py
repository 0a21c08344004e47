"""The parameters of a function that its results are to depend on, and where it uses them."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

__all__ = ["needed_parameters", "parts"]

_TOLERANCE = re.compile(r"(?i)eps(?:ilon)?\d*$|^eps(?:ilon)?_(?:abs|rel)|tol|jitter|tiny|slack|stab")
"""Names of parameters that results are not to depend on. (`eps_uncond` and their like are noise that is predicted.)"""
_BODIES = ("body", "orelse", "finalbody", "handlers", "cases")


def needed_parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Mapping[str, frozenset[int]]:
    """The parameters that every call gives, and that results are to depend on, with the lines in which they are used
    for more than to refuse them, or to convert them."""
    arguments = function.args
    listed = [*arguments.posonlyargs, *arguments.args]
    kept = listed[: len(listed) - len(arguments.defaults)]
    kept += [each for each, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value is None]
    used: dict[str, set[int]] = defaultdict(set)
    for part in parts(function.body):
        converted = {t.id for t in part.targets if isinstance(t, ast.Name)} if isinstance(part, ast.Assign) else set()
        for node in ast.walk(part):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in converted:
                used[node.id].update(range(part.lineno, (part.end_lineno or part.lineno) + 1))
    return {each.arg: frozenset(used[each.arg]) for each in kept if not _TOLERANCE.search(each.arg)}


def parts(body: list[ast.stmt]) -> Iterator[ast.stmt | ast.expr]:
    """Simple statements, and the heads of others; none of what only raises."""
    for statement in body:
        if isinstance(statement, ast.If) and not statement.orelse and isinstance(statement.body[-1], ast.Raise):
            continue
        inner = [part for name in _BODIES for part in getattr(statement, name, ())]
        if not inner:
            yield statement
            continue
        yield from (each for each in ast.iter_child_nodes(statement) if isinstance(each, ast.expr))
        for part in inner:
            yield from parts([part] if isinstance(part, ast.stmt) else part.body)

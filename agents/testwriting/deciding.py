"""Which of the names that a writer of tests knows decide whether a case of code is run."""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Set

from agents.code.verify.statements import named

__all__ = ["deciding"]

STEPS, DECIDING = 2, 6
"""How far back it is followed what a variable was made of, and names that are told of a case at most."""


def deciding(tree: ast.AST, known: Set[str]) -> Callable[[int, Iterable[str]], str]:
    """In a file or function, by a line of code and the names in its condition " decided by NAMES": those of them that
    are `known`, and of what gave the others their values in the function around, up to STEPS back, the nearest first;
    "" if there are none."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]

    def decided(line: int, names: Iterable[str]) -> str:
        around = [node for node in functions if node.lineno <= line <= (node.end_lineno or node.lineno)]
        given = _given(max(around, key=lambda node: node.lineno)) if around else {}
        found = step = dict.fromkeys(names)
        for _ in range(STEPS):
            step = {each: None for name in step for each in given.get(name, ()) if each not in found}
            found = {**found, **step}
        told = [name for name in found if name in known - {"self", "cls"}][:DECIDING]
        return f" decided by {', '.join(told)}" if told else ""

    return decided


def _given(function: ast.AST) -> dict[str, list[str]]:
    """The names in what gives each variable of a function its values."""
    found = defaultdict[str, list[str]](list)
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]
            for name in names:
                found[name] += named(node.value)
    return found

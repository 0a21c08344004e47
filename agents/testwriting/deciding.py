"""Which of the names that a writer of tests knows decide whether a case of code is run."""

import ast
import builtins
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Set

from agents.code.verify.statements import named

__all__ = ["deciding"]

STEPS, DECIDING = 2, 6
"""How far back it is followed what a variable was made of, and names that are told of a case at most."""


def deciding(tree: ast.AST, known: Set[str]) -> Callable[[int, Iterable[str]], str]:
    """In a file or function, by a line of code and the names in its condition " decided by NAMES": those of them that
    are `known`, or the keys under which they are handed out, and of what gave the others their values in the function
    around, up to STEPS back, the nearest first; "" if there are none."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]

    def decided(line: int, names: Iterable[str]) -> str:
        inside = [node for node in functions if node.lineno <= line <= (node.end_lineno or node.lineno)]
        around = max(inside, key=lambda node: node.lineno, default=None)
        given = _given(around) if around else {}
        found = step = dict.fromkeys(names)
        for _ in range(STEPS):
            step = {each: None for name in step for each in given.get(name, ()) if each not in found}
            found = {**found, **step}
        called = [each for name in found for each in ([name] if name in known or not around else _keys(around, name))]
        told = [name for name in dict.fromkeys(called) if name in known - {"self", "cls"}][:DECIDING]
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


def _keys(function: ast.AST, name: str) -> Iterator[str]:
    """The keys under which a function hands out what is made of this name alone, as of its length."""
    for node in ast.walk(function):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                made = {one.id for one in ast.walk(value) if isinstance(one, ast.Name)} - {*dir(builtins)}
                if isinstance(key, ast.Constant) and isinstance(key.value, str) and made == {name}:
                    yield key.value

"""Which of the names that a writer of tests knows a line of code, or whether it is run, goes back to."""

import ast
import builtins
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Set

from agents.code.verify.statements import HOW, named

__all__ = ["computing", "deciding"]

STEPS, NAMES = 3, 6
"""How far back it is followed what a variable was made of, and names that are told at most."""


def deciding(tree: ast.AST, known: Set[str]) -> Callable[[int, Iterable[str]], str]:
    """In a file or function, by a line of code and the names in its condition " decided by NAMES (HOW)": those of
    them that are `known`, or the keys under which they are handed out, and of what gave the others their values in the
    function around, up to STEPS back, the nearest first; in brackets its built-ins (HOW); "" if there are none."""
    back = _back(tree, known)

    def decided(line: int, names: Iterable[str]) -> str:
        told = back(line, names := [*names])
        how = ", ".join(name for name in sorted(HOW) if f"{name}()" in names)
        asked = f" ({how})" if how else ""
        return f" decided by {', '.join(told)}{asked}" if told else ""

    return decided


def computing(tree: ast.AST, known: Set[str]) -> Callable[[int], str]:
    """In a file or function, by a line of code ", where NAMES are used": those that the statement there goes back to,
    as conditions do in `deciding`; of what has a body, what stands before that."""
    back = _back(tree, known)
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]

    def computed(line: int) -> str:
        around = [node for node in statements if node.lineno <= line <= (node.end_lineno or node.lineno)]
        statement = max(around, key=lambda node: (node.lineno, node.col_offset), default=None)
        told = back(line, _before_the_body(statement)) if statement else []
        return f", where {', '.join(told)} {'are' if len(told) > 1 else 'is'} used" if told else ""

    return computed


def _before_the_body(statement: ast.stmt) -> Iterator[str]:
    for field, value in ast.iter_fields(statement):
        if field not in ("body", "orelse", "finalbody", "handlers", "cases", "decorator_list"):
            for node in value if isinstance(value, list) else [value]:
                yield from named(node) if isinstance(node, ast.AST) else ()


def _back(tree: ast.AST, known: Set[str]) -> Callable[[int, Iterable[str]], list[str]]:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]

    def back(line: int, names: Iterable[str]) -> list[str]:
        inside = [node for node in functions if node.lineno <= line <= (node.end_lineno or node.lineno)]
        around = max(inside, key=lambda node: node.lineno, default=None)
        given = _given(around) if around else {}
        found = step = dict.fromkeys(names)
        for _ in range(STEPS):
            step = {each: None for name in step for each in given.get(name, ()) if each not in found}
            found = {**found, **step}
        called = [each for name in found for each in ([name] if name in known or not around else _keys(around, name))]
        return [name for name in dict.fromkeys(called) if name in known - {"self", "cls"}][:NAMES]

    return back


def _given(function: ast.AST) -> dict[str, list[str]]:
    """The names in what gives each variable of a function its values, also in loops."""
    found = defaultdict[str, list[str]](list)
    for node in ast.walk(function):
        if isinstance(node, ast.For | ast.AsyncFor):
            for name in (one.id for one in ast.walk(node.target) if isinstance(one, ast.Name)):
                found[name] += named(node.iter)
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

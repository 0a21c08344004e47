"""Where a program departs from its specification, as far as no model is needed to see that: names, numbers."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from agents.execution.syntax import NotPython3, parse
from agents.loops.reply import Analysis, Fact

__all__ = ["departures"]

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def departures(specified: Mapping[str, Analysis], texts: Mapping[str, str]) -> list[str]:
    """What files lack of their specifications: functions and classes of their interface, its parameters, and numbers
    that the paper fixes. What a specification says in words is not looked for."""
    trees = {path: _tree(text) for path, text in texts.items()}
    numbers = {float(one) for tree in trees.values() for one in _numbers(tree)}
    found = []
    for path, one in specified.items():
        found += [f"{path}: {said}" for said in _missing(one.interface, trees.get(path, ast.Module([], [])))]
        found += [f"{path}: {said}" for said in _unused(one.facts, numbers)]
    return found


def _missing(interface: Sequence[str], tree: ast.Module) -> Iterator[str]:
    there = {node.name: node for node in tree.body if isinstance(node, _Function | ast.ClassDef)}
    for line in interface:
        head = re.match(r"\s*(?:def |class )?(\w+)\s*(?=\(|:|->|$)", line)
        if head is None:
            continue
        node, wanted = there.get(head[1]), _parameters(line)
        if node is None:
            yield f"there is no {head[1]}, which is specified"
        elif isinstance(node, _Function) and wanted and wanted != _names(node):
            yield f"{head[1]} has the parameters {', '.join(_names(node))}, and specified are {', '.join(wanted)}"


def _parameters(line: str) -> list[str]:
    """Of a signature; none for what is not written as one."""
    head = line.strip().removeprefix("def ").rstrip(":")
    try:
        (node,) = parse(f"def {head}: ...").body
    except (NotPython3, ValueError):
        return []
    return _names(node) if isinstance(node, _Function) else []


def _names(node: _Function) -> list[str]:
    given = node.args
    return [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def _unused(facts: Sequence[Fact], numbers: set[float]) -> Iterator[str]:
    for fact in facts:
        value = fact.value.strip()
        if _NUMBER.fullmatch(value) and abs(float(value)) not in numbers:
            yield f"{fact.what} is {value} by the paper, which stands nowhere in the program"


def _numbers(tree: ast.Module) -> Iterator[float]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            with suppress(OverflowError):
                yield float(node.value)


def _tree(text: str) -> ast.Module:
    try:
        return parse(text)
    except NotPython3:
        return ast.Module([], [])

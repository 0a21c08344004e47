"""What the calls of tests never vary: a mistake in how that is used can't show.

Only where a parameter stands in a computation does it matter. A step that is 1 in every call, two variances that are
the same in every call, a list of one item: the tests say nothing of what the parameter does, whoever wrote them, and
that is too little. Of what has a default, or has one value that does not make computations trivial, the verdict only
says so.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agents.code.mutants import needed_parameters
from agents.code.verify.returning import definition
from kg.models.code import CodeUnit

__all__ = ["Narrow", "narrow", "told_of_one"]

_NEUTRAL = {"0", "1", "-1", "0.0", "1.0", "-1.0"}
"""Numbers with which a term or factor, or a power, has no effect."""
_OF_PLACE = re.compile(
    r"(?i)^(?:i|j|k|n|ax[ei]s|dim\w*|ind\w*|idx|pos(?:ition)?|place|offset|seed|level|depth|start|stop|end|count|verbose"
    r"|base|lo|low|hi|high|min\w*|max\w*|lower|upper|origin|initial|init|default|fill\w*|pad\w*)$"
    r"|_(?:i|idx|index|ax[ei]s|dim|seed|min|max|start|end|offset|0)$|^(?:num|min|max|n)_"
)
"""Parameters for which such a number is as good as another: places, bounds, sizes, and where something begins."""
_Kind = Literal["one value", "as another", "one item", "square", "symmetric"]
_SAID: Mapping[str, str] = {
    "one value": "{parameter} {value}",
    "as another": "{parameter} that is {value}",
    "one item": "{parameter} of one item",
    "square": "{parameter} as wide as it is long",
    "symmetric": "{parameter} that is symmetric",
}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Narrow:
    """What the calls give of a `parameter` and nothing else; `value` is that one value, or the other parameter.

    It `hides` where nothing of what the parameter does can show.
    """

    parameter: str
    kind: _Kind
    value: str = ""
    hides: bool = False

    def __str__(self) -> str:
        return _SAID[self.kind].format(parameter=f"`{self.parameter}`", value=self.value)


def narrow(text: str, unit: CodeUnit, report: Mapping[str, object]) -> tuple[Narrow, ...]:
    """Of the calls of a function in its file `text`, by the `report` of the run that watched them."""
    told, function = told_of_one(report, "narrow"), definition(text, unit)
    if function is None or not told:
        return ()
    needed, computed = needed_parameters(function), _computed(function, unit.docstring)
    forms = {(each["parameter"], each["kind"]) for each in told}
    found = []
    for each in told:
        name, kind, value = str(each["parameter"]), each["kind"], str(each["value"])
        asked = name in needed and name in computed and not _OF_PLACE.search(name)
        if kind == "one value":
            if name in computed and re.fullmatch(r"-?[\d.]+(?:e[-+]?\d+)?", value):
                found.append(Narrow(name, "one value", value, asked and value in _NEUTRAL))
        elif kind == "as another":
            both = asked and value in needed and value in computed and not _OF_PLACE.search(value)
            found += [Narrow(name, "as another", f"`{value}`", both)] if both else []
        elif kind == "one item":
            found.append(Narrow(name, "one item", "", name in needed and name in _gone_through(function)))
        elif kind == "symmetric" or (kind == "square" and (name, "symmetric") not in forms):
            found.append(Narrow(name, "symmetric" if kind == "symmetric" else "square"))
    return tuple(sorted(found, key=lambda one: (not one.hides, one.parameter, one.kind)))


def told_of_one(report: Mapping[str, object], what: str) -> Sequence[Mapping[str, object]]:
    """What the run tells of the one function that was watched; nothing if there were several."""
    functions = report.get("functions")
    listed = list(functions.values()) if isinstance(functions, dict) else []
    found = listed[0].get(what) if len(listed) == 1 and isinstance(listed[0], dict) else None
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else ()


def _computed(function: _Function, docstring: str) -> set[str]:
    """Names that are terms, factors or powers of something, or that a docstring speaks of and nothing uses."""
    operands: list[ast.expr] = []
    used: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.BinOp):
            operands += [node.left, node.right]
        elif isinstance(node, ast.AugAssign):
            operands.append(node.value)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            used.add(node.id)
    named = {operand.id for operand in operands if isinstance(operand, ast.Name)}
    words = set(re.findall(r"\w+", docstring))
    return named | {argument.arg for argument in _arguments(function) if argument.arg in words} - used


def _gone_through(function: _Function) -> set[str]:
    """Names of what a loop goes through."""
    loops = (node for node in ast.walk(function) if isinstance(node, ast.For | ast.comprehension))
    return {part.id for loop in loops for part in ast.walk(loop.iter) if isinstance(part, ast.Name)}


def _arguments(function: _Function) -> Iterator[ast.arg]:
    yield from (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)

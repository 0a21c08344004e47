"""Units that tests show only together with another of the repository: what one makes, the other takes back, and the end
is held against the beginning; or the other says what is expected. Both may be wrong in the same way.
"""

import ast
import itertools
from collections.abc import Callable, Collection, Mapping, Sequence

from agents.code.verify.comparisons import all_calls, bare, compared, is_shape
from agents.code.verify.possible import last
from agents.code.verify.running import TestRun
from agents.execution.syntax import NotPython3
from kg.models.code import CodeUnit

__all__ = ["paired"]


def paired(
    unit: CodeUnit, tests: Sequence[TestRun], units: Mapping[str, CodeUnit], text_of: Callable[[str], str]
) -> str:
    """The other unit without which no assertion of `tests` looks at what `unit` gives, and how it comes in; "" if there
    is none, or if that can't be told. `units` are those of the repository by their ids."""
    if unit.kind not in {"function", "method"}:
        return ""
    partners = set[str]()
    for run in tests:
        test = units.get(run.unit)
        if test is None:
            return ""
        reached = [units[name] for name in run.units if name in units and units[name].role != "test"]
        others = {other.name: other.kind for other in reached if other.name != unit.name}
        alike = {other.file for other in reached if other.symbol == unit.symbol and other.id != unit.id}
        try:
            sides_of = compared(text_of(test.file), test)
            found = [None if sides is None else _partner(unit.name, others, alike, sides) for sides in sides_of]
        except NotPython3:
            return ""
        if None in found:
            return ""
        partners |= {name for name in found if name}
    return partners.pop() if len(partners) == 1 else ""


def _partner(
    name: str, others: Mapping[str, str], alike: Collection[str], sides: Sequence[ast.expr]
) -> str | None:  # fmt: skip
    """The unit that takes back what another gave, before it is compared with what went in, or by which it is said what
    is expected; "" if the other is not looked at, None if its result is looked at in another way. `others` are the
    kinds of units by their names, `alike` the files of those that are called as the unit is."""
    sides = [bare(side) for side in sides]
    calls = [all_calls(side) for side in sides]
    if not any(last(call.func) == name for side in calls for call in side):
        return ""
    if any(map(is_shape, sides)):
        return ""
    for side, other in itertools.permutations(sides, 2):
        outer = last(side.func) if isinstance(side, ast.Call) else ""
        inner = [call for call in ast.walk(side) if isinstance(call, ast.Call) and call is not side]
        wanted = {name} if outer in others else {*others} if outer == name else set()
        taken = [call for call in inner if last(call.func) in wanted]
        if taken and any(_holds(argument, other) for call in taken for argument in call.args):
            return f"{outer if outer != name else last(taken[0].func)}: what one makes the other takes back"
    for left, right in itertools.permutations(calls, 2):
        said = {last(call.func) for call in right} & {each for each, kind in others.items() if kind == "function"}
        if said and name in {last(call.func) for call in left} and name not in {last(call.func) for call in right}:
            return f"{min(said)}: by it the tests say what they expect"
    if alike and len(sides) == 2:
        ways = [{ast.dump(call.func) for call in side if last(call.func) == name} for side in calls]
        if all(ways) and not ways[0] & ways[1]:
            return f"{name} of {min(alike)}: by it the tests say what they expect"
    return None


def _holds(argument: ast.expr, other: ast.expr) -> bool:
    return ast.dump(bare(argument)) == ast.dump(other)

"""Units that tests show only together with another of the repository: what one makes, the other takes back, and the end
is held against the beginning; or the other says what is expected. Both may be wrong in the same way.
"""

import ast
import copy
import itertools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from agents.code.verify.meddling import imported
from agents.code.verify.possible import last
from agents.code.verify.running import TestRun
from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = ["computed", "held_against_plain", "of_a_text", "paired", "stands_alone"]

DEEP, NODES = 6, 1000
"""Of values within values; of all that are put into one assertion, in parts of the syntax tree."""
_WRAPPERS = {"approx", "list", "tuple", "array", "asarray", "float", "int", "str", "dict", "set", "sorted"}
"""What does not change what is compared."""
_EQUAL = {
    "allclose", "isclose", "array_equal", "assertEqual", "assertEquals", "assertAlmostEqual", "assertListEqual",
    "assertDictEqual", "assert_equal", "assert_allclose", "assert_array_equal", "assert_almost_equal",
    "assert_array_almost_equal", "assert_close", "equal",
}  # fmt: skip
_MADE = {"exec", "marshal.loads", "types.FunctionType", "FunctionType"}
"""What makes code of a text, or of bytes."""
_RUN = re.compile(r"\b(?:exec|loads|FunctionType)\(")
_SHAPES = {"len", "type", "isinstance", "bool", "callable", "hasattr", "id"}


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
            compared = _compared(text_of(test.file), test)
            found = [None if sides is None else _partner(unit.name, others, alike, sides) for sides in compared]
        except NotPython3:
            return ""
        if None in found:
            return ""
        partners |= {name for name in found if name}
    return partners.pop() if len(partners) == 1 else ""


def held_against_plain(
    unit: CodeUnit, tests: Iterable[TestRun], units: Mapping[str, CodeUnit], text_of: Callable[[str], str]
) -> str:
    """The test that holds what `unit` gives against a number, text or list of such that stands there; "" for none."""
    for run in tests:
        test = units.get(run.unit)
        try:
            compared = [] if test is None else list(_compared(text_of(test.file), test))
        except NotPython3:
            continue
        for sides in compared:
            given = [side for side in sides or () if isinstance(side, ast.Call) and last(side.func) == unit.name]
            if sides and given and any(_is_plain(side) for side in sides if side not in given):
                return run.id
    return ""


def stands_alone(
    run: TestRun, units: Mapping[str, CodeUnit], text_of: Callable[[str], str], *, of_any: bool = False
) -> bool:
    """Whether an assertion of a test has a side on which no code of the repository is called: what was computed
    elsewhere, or is written there. With `of_any` no code but what only wraps a value."""
    test = units.get(run.unit)
    code = {units[name].name for name in run.units if name in units}
    try:
        compared = list(_compared(text_of(test.file), test)) if test is not None else []
    except NotPython3:
        return True
    told = [sides for sides in compared if sides is None or not any(_is_shape(side) for side in sides)]
    return not compared or any(
        sides is None or any(not _calls(_bare(side), code, of_any) for side in sides) for sides in told
    )


def _calls(side: ast.expr, code: Collection[str], of_any: bool) -> bool:
    return any(last(call.func) in code or of_any for call in _all_calls(side))


def of_a_text(run: TestRun, units: Mapping[str, CodeUnit], text_of: Callable[[str], str]) -> str:
    """Where a test holds what it calls against code alone that it makes of a text or of bytes; "" where it does not."""
    ours = [units[name] for name in {run.unit, *run.units} if name in units and units[name].role == "test"]
    for one in sorted(ours, key=lambda unit: unit.id):
        text = text_of(one.file)
        try:
            calls = (
                [part for part in _run_by(one, parse(text)) if isinstance(part, ast.Call)] if _RUN.search(text) else []
            )
        except NotPython3:
            continue
        made = [call for call in calls if ast.unparse(call.func) in _MADE and call.args]
        lines = [call.lineno for call in made if not isinstance(call.args[0], ast.Constant)]
        if lines and not stands_alone(run, units, text_of, of_any=True):
            return f"{one.file}:{min(lines)}"
    return ""


def _run_by(unit: CodeUnit, tree: ast.Module) -> Iterator[ast.AST]:
    """What stands in a unit of a file, and outside of all functions and classes there."""
    for node in tree.body:
        outside = not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        yield from (part for part in ast.walk(node)
                    if outside or unit.line <= getattr(part, "lineno", 0) <= unit.end_line)  # fmt: skip


def computed(
    unit: CodeUnit, tests: Sequence[TestRun], units: Mapping[str, CodeUnit], text_of: Callable[[str], str]
) -> str:
    """The function of test files by which every assertion on what `unit` gives says what it expects; "" if one is held
    against something else, or if that can't be told."""
    found = set[str]()
    for run in tests:
        test = units.get(run.unit)
        theirs = {units[name].name for name in run.units if name in units and units[name].role == "test"}
        try:
            compared = list(_compared(text_of(test.file), test)) if test is not None else [None]
        except NotPython3:
            return ""
        for sides in compared:
            given = [side for side in sides or () if any(last(call.func) == unit.name for call in _all_calls(side))]
            if sides is None or (given and len(given) == len(sides)):
                return ""
            said = {last(call.func) for side in sides if side not in given for call in _all_calls(side)} & theirs
            if given and not said:
                return ""
            found |= {min(said)} if given else set()
    return min(found, default="")


def _all_calls(side: ast.AST) -> list[ast.Call]:
    return [part for part in ast.walk(side) if isinstance(part, ast.Call)]


def _is_plain(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _compared(text: str, test: CodeUnit) -> Iterator[list[ast.expr] | None]:
    """What each assertion of a test holds against each other, with values in the places of their names; None where that
    is not told, or too much."""
    tree = parse(text)
    inside = [node for node in ast.walk(tree) if test.line <= getattr(node, "lineno", 0) <= test.end_line]
    brought = {name: _dotted(place) for name, place in imported(tree).items() if "." in place.strip(".")}
    values = brought | _values(inside)
    for node in inside:
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and last(node.func) in _EQUAL and len(node.args) > 1:
            sides = node.args[:2]
        else:
            continue
        filled = _Filled(values)
        found = [filled.visit(copy.deepcopy(side)) for side in sides]
        starred = any(isinstance(side, ast.Starred) for side in sides)
        yield None if starred or filled.left < 0 else found


def _values(nodes: Iterable[ast.AST]) -> dict[str, ast.expr]:
    """What names stand for that are given one value by one call."""
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
    return {name: values[0] for name, values in found.items() if len(values) == 1 and isinstance(values[0], ast.Call)}


def _dotted(place: str) -> ast.expr:
    """What an import brings, as it is named with its module."""
    module, _, name = place.rpartition(".")
    return ast.Attribute(ast.Name(module, ast.Load()), name, ast.Load())


class _Filled(ast.NodeTransformer):
    """Puts values in the places of names."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values, self.left = values, NODES
        self.within = list[str]()

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The value of a name, which is not put into itself."""
        if node.id not in self.values or node.id in self.within or len(self.within) == DEEP or self.left < 0:
            return node
        value = copy.deepcopy(self.values[node.id])
        self.left -= sum(1 for _ in ast.walk(value))
        self.within.append(node.id)
        found: ast.expr = self.visit(value)
        self.within.pop()
        return found


def _partner(
    name: str, others: Mapping[str, str], alike: Collection[str], sides: Sequence[ast.expr]
) -> str | None:  # fmt: skip
    """The unit that takes back what another gave, before it is compared with what went in, or by which it is said what
    is expected; "" if the other is not looked at, None if its result is looked at in another way. `others` are the
    kinds of units by their names, `alike` the files of those that are called as the unit is."""
    sides = [_bare(side) for side in sides]
    calls = [_all_calls(side) for side in sides]
    if not any(last(call.func) == name for side in calls for call in side):
        return ""
    if any(map(_is_shape, sides)):
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


def _is_shape(side: ast.expr) -> bool:
    return isinstance(side, ast.Call) and last(side.func) in _SHAPES


def _bare(side: ast.expr) -> ast.expr:
    while isinstance(side, ast.Call) and last(side.func) in _WRAPPERS and side.args:
        side = side.args[0]
    return side


def _holds(argument: ast.expr, other: ast.expr) -> bool:
    return ast.dump(_bare(argument)) == ast.dump(other)

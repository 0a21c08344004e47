"""What tests hold the results of a unit against: values that stand there, the repository's own code, a function of
theirs, or code that they make of a text.
"""

import ast
import builtins
import copy
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from agents.code.verify.meddling import imported
from agents.code.verify.possible import last
from agents.code.verify.running import TestRun
from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = ["all_calls", "bare", "compared", "computed", "held_against_plain", "is_shape", "of_a_text", "stands_alone"]

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


def compared(text: str, test: CodeUnit) -> Iterator[list[ast.expr] | None]:
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


def held_against_plain(
    unit: CodeUnit, tests: Iterable[TestRun], units: Mapping[str, CodeUnit], text_of: Callable[[str], str]
) -> str:
    """The test that holds what `unit` gives against a number, text or list of such that stands there; "" for none."""
    for run in tests:
        test = units.get(run.unit)
        try:
            found = [] if test is None else list(compared(text_of(test.file), test))
        except NotPython3:
            continue
        for sides in found:
            given = [side for side in sides or () if isinstance(side, ast.Call) and last(side.func) == unit.name]
            if sides and given and any(_is_plain(side) for side in sides if side not in given):
                return run.id
    return ""


def stands_alone(run: TestRun, units: Mapping[str, CodeUnit], text_of: Callable[[str], str]) -> bool:
    """Whether an assertion of a test has a side on which no code of the repository is called: what was computed
    elsewhere, or is written there."""
    test = units.get(run.unit)
    code = {units[name].name for name in run.units if name in units}
    try:
        listed = list(compared(text_of(test.file), test)) if test is not None else []
    except NotPython3:
        return True
    told = [sides for sides in listed if sides is None or not any(is_shape(side) for side in sides)]
    return not listed or any(sides is None or any(not _calls(side, code) for side in sides) for sides in told)


def _calls(side: ast.expr, code: Collection[str]) -> bool:
    return any(last(call.func) in code for call in all_calls(side))


def of_a_text(
    unit: CodeUnit, run: TestRun, units: Mapping[str, CodeUnit], text_of: Callable[[str], str]
) -> str:  # fmt: skip
    """Where a test makes code of a text or of bytes, if it holds what `unit` gives against nothing but that code."""
    test = units.get(run.unit)
    ours = [units[name] for name in sorted(run.units) if name in units and units[name].role == "test"]
    made: dict[str, str] = {}
    try:
        for one in [test, *ours] if test is not None else []:
            tree = parse(text_of(one.file)) if _RUN.search(text_of(one.file)) else ast.Module([], [])
            made |= {name: f"{one.file}:{line}" for name, line in _made_of_texts(one, tree).items()}
        listed = list(compared(text_of(test.file), test)) if made and test is not None else []
    except NotPython3:
        return ""
    about = [sides for sides in listed if sides and any(_calls(side, {unit.name}) for side in sides)]
    others = [[side for side in sides if not _calls(side, {unit.name})] for sides in about]
    against = [[name for side in sides for call in all_calls(side) for name in _named(call.func) & made.keys()]
               for sides in others]  # fmt: skip
    return made[min(against[0])] if against and all(against) else ""


def _made_of_texts(unit: CodeUnit, tree: ast.Module) -> dict[str, int]:
    """The names by which a file comes to code that it makes of texts, for `unit` or outside of all functions, each with
    the line where that is made."""
    nodes = [part for node in tree.body for part in ast.walk(node)]
    outside = [
        node for node in tree.body if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    run = {id(part): part for node in outside for part in ast.walk(node)}
    run |= {id(part): part for part in nodes if unit.line <= getattr(part, "lineno", 0) <= unit.end_line}
    calls = [part for part in run.values() if isinstance(part, ast.Call) and ast.unparse(part.func) in _MADE]
    found: dict[str, int] = {}
    for call in (call for call in calls if call.args and not isinstance(call.args[0], ast.Constant)):
        space = _named(call.args[1]) - {"globals", "locals", "vars"} if len(call.args) > 1 else set[str]()
        found |= dict.fromkeys(space or _unbound(tree, nodes), call.lineno)
    for _ in range(DEEP) if found else ():
        for node in nodes:
            told = min((found[name] for name in _named(node) & found.keys()), default=0)
            if told and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found.setdefault(node.name, told)
            elif told and isinstance(node, ast.Assign):
                names = (part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name))
                found |= {name: told for name in names if name not in found}
    return {name: line for name, line in found.items() if name != unit.name}


def _unbound(tree: ast.Module, nodes: Iterable[ast.AST]) -> set[str]:
    """Names that a file uses and binds nowhere."""
    listed = list(nodes)
    names = [node for node in listed if isinstance(node, ast.Name)]
    bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)} | imported(tree).keys()
    bound |= {str(getattr(node, "name", getattr(node, "arg", ""))) for node in listed}
    return {node.id for node in names} - bound - set(dir(builtins))


def _named(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def computed(
    unit: CodeUnit, tests: Sequence[TestRun], units: Mapping[str, CodeUnit], text_of: Callable[[str], str]
) -> str:
    """The function of test files from which all comes that the assertions of `tests` expect of what `unit` gives; "" if
    one is held against something else, or of another form, so that it can't be told."""
    found = set[str]()
    for run in tests:
        test = units.get(run.unit)
        theirs = {units[name].name for name in run.units if name in units and units[name].role == "test"}
        try:
            listed = list(compared(text_of(test.file), test)) if test is not None else []
            plain = test is not None and _only_compares(parse(text_of(test.file)), test)
        except NotPython3:
            return ""
        for sides in listed if plain else [None]:
            others = [side for side in sides or () if not _calls(side, {unit.name})]
            said = {last(call.func) for side in others for call in all_calls(side)} & theirs
            if sides is None or len(others) == len(sides) or not said:
                return ""
            found.add(min(said))
    return min(found, default="")


def _only_compares(tree: ast.Module, test: CodeUnit) -> bool:
    """Whether each assertion of a test holds two things against each other, and nothing else."""
    for node in ast.walk(tree):
        if not test.line <= getattr(node, "lineno", 0) <= test.end_line:
            continue
        if isinstance(node, ast.Assert):
            compares = isinstance(node.test, ast.Compare) and isinstance(node.test.ops[0], ast.Eq)
            if not compares and not (isinstance(node.test, ast.Call) and last(node.test.func) in _EQUAL):
                return False
        name = last(node.func) if isinstance(node, ast.Call) else ""
        if name not in _EQUAL and (name.startswith("assert") or name in {"raises", "fail"}):
            return False
    return True


def all_calls(side: ast.AST) -> list[ast.Call]:
    """Of an expression, however deep."""
    return [part for part in ast.walk(side) if isinstance(part, ast.Call)]


def is_shape(side: ast.expr) -> bool:
    """Whether it only tells how many, of which type, or that there is one."""
    return isinstance(side, ast.Call) and last(side.func) in _SHAPES


def bare(side: ast.expr) -> ast.expr:
    """It, without what only wraps it."""
    while isinstance(side, ast.Call) and last(side.func) in _WRAPPERS and side.args:
        side = side.args[0]
    return side


def _is_plain(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True

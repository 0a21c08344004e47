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
from agents.code.verify.returning import definition
from agents.code.verify.running import TestRun
from agents.code.verify.session import raised_of, repository_path
from agents.execution.harness import JobResult
from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = [
    "all_calls", "bare", "compared", "computed", "held_against_plain", "is_shape", "of_a_text", "of_what_it_left",
    "stands_alone",
]  # fmt: skip

DEEP, NODES = 6, 1000
"""Of values within values; of all that are put into one assertion, in parts of the syntax tree."""
_WRAPPERS = {"approx", "list", "tuple", "array", "asarray", "float", "int", "str", "dict", "set", "sorted"}
"""What does not change what is compared."""
_EQUAL = {
    "allclose", "isclose", "array_equal", "assertEqual", "assertEquals", "assertAlmostEqual", "assertListEqual",
    "assertDictEqual", "assert_equal", "assert_allclose", "assert_array_equal", "assert_almost_equal",
    "assert_array_almost_equal", "assert_close", "equal",
}  # fmt: skip
_MOVED = {
    "transpose", "flip", "fliplr", "flipud", "roll", "rot90", "swapaxes", "moveaxis", "reshape", "dot", "matmul",
    "einsum", "isin", "zip", "map", "filter",
}  # fmt: skip
"""Calls by which a test may hold what has changed against itself: that it is symmetric, or stays as it is."""
_SETTLES = re.compile(
    r"(?i)iter|epoch|sweep|converg|relax|fixed|toleran|\btol\b|eigen|stead|station|equilib|until|solv|\bwhile\b"
)
_DRAWS = re.compile(r"(?i)random|nois|fill|dr[ae]w|sampl|perturb|jitter|shuffl|init")
"""Of units that end where what they do changes nothing more, and of such as say that their result is no function of
what they change."""
_MADE = {"exec", "marshal.loads", "types.FunctionType", "FunctionType"}
"""What makes code of a text, or of bytes."""
_RUN = re.compile(r"\b(?:exec|loads|FunctionType)\(")
_READING = re.compile(r"(?:safe_|full_)?loads?$|read|open$|loadtxt$|genfromtxt$|fromfile$|DictReader$")
_FILE = re.compile(r"[\w-]\.[A-Za-z]\w{1,7}$")
"""What reads files, and how a name of one ends."""
_SHAPES = {"len", "type", "isinstance", "bool", "callable", "hasattr", "id"}


def compared(text: str, test: CodeUnit) -> Iterator[list[ast.expr] | None]:
    """What each assertion of a test holds against each other, with values in the places of their names; None where that
    is not told, or too much."""
    tree = parse(text)
    inside = [node for node in ast.walk(tree) if test.line <= getattr(node, "lineno", 0) <= test.end_line]
    brought = {name: _dotted(place) for name, place in imported(tree).items() if "." in place.strip(".")}
    values = brought | _values(inside)
    for sides in filter(None, map(_sides, inside)):
        filled = _Filled(values)
        found = [filled.visit(copy.deepcopy(side)) for side in sides]
        starred = any(isinstance(side, ast.Starred) for side in sides)
        yield None if starred or filled.left < 0 else found


def _sides(node: ast.AST) -> list[ast.expr]:
    """What a node holds against each other."""
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq):
        return [node.left, *node.comparators]
    return node.args[:2] if isinstance(node, ast.Call) and last(node.func) in _EQUAL and len(node.args) > 1 else []


def _values(nodes: Iterable[ast.AST], kind: type[ast.expr] = ast.Call) -> dict[str, ast.expr]:
    """What names stand for that are given one value, by one call or what else is of a kind."""
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
    return {name: values[0] for name, values in found.items() if len(values) == 1 and isinstance(values[0], kind)}


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


def of_what_it_left(
    unit: CodeUnit, result: JobResult | None, tests: Iterable[TestRun], units: Mapping[str, CodeUnit],
    text_of: Callable[[str], str],
) -> str:  # fmt: skip
    """What speaks against `unit` where a test holds an argument, which it changes and returns, against what is computed
    of the same argument after the call, and that does not hold of what it was before; "" for none. In the run of
    `result` tests still have what they gave, as only copies are changed."""
    function = definition(text_of(unit.file), unit)
    place, name = _returned(function) if function is not None else (-1, "")
    if place < 0 or result is None or _SETTLES.search(unit.text):
        return ""
    if _DRAWS.search(f"{unit.name} {ast.get_docstring(function) or unit.text}" if function else ""):
        return ""
    known = {run.id: units[run.unit] for run in tests if run.unit in units}
    for event in result.of("end"):
        raised, test = raised_of(event.get("raised")), known.get(str(event.get("test")))
        frames = raised.frames if raised is not None and "AssertionError" in raised.types else ()
        ours = [(path, line) for file, line, _ in frames if (path := repository_path(file))]
        if test is None or not ours or ours[-1][0] != test.file:
            continue
        tree = parse(text_of(test.file))
        inside = [node for node in ast.walk(tree) if test.line <= getattr(node, "lineno", 0) <= test.end_line]
        failed = [node for node in inside if _is_at(node, ours[-1][1])]
        found = (side for node in failed for part in ast.walk(node) if len(side := _sides(part)) == 2)
        if any(_of_argument(sides, inside, unit.name, place, name) for sides in found):
            return (
                f"its tests deny it: {event.get('test')} holds it against what is computed of its argument after it "
                "has changed that, and of what that was before it does not hold"
            )
    return ""


def _is_at(node: ast.AST, line: int) -> bool:
    """Whether it is the assertion in a line."""
    asserts = isinstance(node, ast.Assert) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
    return asserts and getattr(node, "lineno", 0) <= line <= (getattr(node, "end_lineno", 0) or 0)


def _returned(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[int, str]:
    """Where a caller gives the parameter that is all that a function returns, and its name; -1 if there is none."""
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    names = names[1:] if names[:1] in (["self"], ["cls"]) else names
    returned = {ast.unparse(node) for node in ast.walk(function) if isinstance(node, ast.Return)}
    again = any(isinstance(node, ast.For) and _is_unused(node) for node in ast.walk(function))
    found = [(place, name) for place, name in enumerate(names) if returned == {f"return {name}"}]
    return found[0] if found and not again else (-1, "")


def _is_unused(loop: ast.For) -> bool:
    """Whether a loop only does something several times."""
    return not any(_named(loop.target) & _named(part) for part in loop.body)


def _of_argument(sides: Sequence[ast.expr], inside: Sequence[ast.AST], called: str, place: int, name: str) -> bool:
    """Whether one side is what the unit `called` returned, as a whole, and the other is computed of what it was given
    at a place or by a name."""
    values, results = _values(inside, ast.expr), _values(inside)
    first, other = (results.get(side.id, side) if isinstance(side := bare(one), ast.Name) else side for one in sides)
    if not (isinstance(first, ast.Call) and last(first.func) == called):
        first, other, sides = other, first, sides[::-1]
    if not (isinstance(first, ast.Call) and last(first.func) == called):
        return False
    given = [one.value for one in first.keywords if one.arg == name] or first.args[place : place + 1]
    if not given or not isinstance(given[0], ast.Name):
        return False
    values.pop(given[0].id, None)
    expected = _Filled(values).visit(copy.deepcopy(sides[1]))
    parts = list(ast.walk(expected))
    if any(isinstance(part, ast.Subscript | ast.MatMult) for part in parts) or _calls(expected, {called, *_MOVED}):
        return False
    return any(
        given[0].id in _named(part)
        and (isinstance(part, ast.BinOp) or (isinstance(part, ast.Call) and len(part.args) > 1))
        for part in parts if not isinstance(part, ast.Call) or last(part.func) not in _WRAPPERS
    )  # fmt: skip


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
    """The function of test files, or the file that these read, from which all comes that the assertions of `tests`
    expect of what `unit` gives; "" if one is held against something else, or of another form, so that it can't be told.
    Tests that expect nothing but 0, 1 and what is empty are passed over."""
    found = set[str]()
    for run in tests:
        test = units.get(run.unit)
        theirs = {units[name].name for name in run.units if name in units and units[name].role == "test"}
        try:
            tree = parse(text_of(test.file) if test is not None else "")
            listed = list(compared(text_of(test.file), test)) if test is not None else []
            plain = test is not None and _only_compares(tree, test)
        except NotPython3:
            return ""
        if plain and listed and all(sides and any(map(_is_end, sides)) for sides in listed):
            continue
        for sides in listed if plain else [None]:
            others = [side for side in sides or () if not _calls(side, {unit.name})]
            said = {last(call.func) for side in others for call in all_calls(side)} & theirs
            if sides is not None and test is not None and not said:
                said = {file for side in others if (file := _file_of(side, tree, test))}
            if sides is None or len(others) == len(sides) or not said:
                return ""
            found.add(min(said))
    return min(found, default="")


def _is_end(side: ast.expr) -> bool:
    """Whether it is 0, 1, or holds nothing."""
    value = bare(side)
    return _is_plain(value) and (not (plain := ast.literal_eval(value)) or plain in (1, [], [0], [1]))


def _file_of(side: ast.expr, tree: ast.Module, test: CodeUnit) -> str:
    """The file that is read for what an expression of a test looks up; "" if none is, or it is not told."""
    inside = [node for node in ast.walk(tree) if test.line <= getattr(node, "lineno", 0) <= test.end_line]
    sources: dict[str, list[ast.AST]] = {}
    for node in (*inside, *tree.body):
        bound: list[tuple[ast.AST, ast.AST]] = []
        if isinstance(node, ast.Assign):
            bound = [(target, node.value) for target in node.targets]
        elif isinstance(node, ast.For):
            bound = [(node.target, node.iter)]
        elif isinstance(node, ast.With):
            bound = [(one.optional_vars, one.context_expr) for one in node.items if one.optional_vars]
        elif isinstance(node, ast.FunctionDef) and any("fixture" in ast.unparse(one) for one in node.decorator_list):
            bound = [(ast.Name(node.name), part) for part in node.body]
        elif isinstance(node, ast.Call) and last(node.func) == "parametrize" and len(node.args) > 1:
            bound = [(ast.Name(name), node.args[1]) for name in re.findall(r"\w+", ast.unparse(node.args[0]))]
        for target, value in bound:
            for name in _named(target):
                sources.setdefault(name, []).append(value)
    parts, waiting = list(ast.walk(side)), [_named(side)]
    for _ in range(DEEP):
        names = waiting.pop()
        values = [value for name in names for value in sources.pop(name, [])]
        parts += [part for value in values for part in ast.walk(value)]
        waiting.append({name for value in values for name in _named(value)})
    reads = any(isinstance(part, ast.Call) and _READING.match(last(part.func)) for part in parts)
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    files = [text.rpartition("/")[2] for text in texts if _FILE.search(text)]
    own = any(isinstance(part, ast.Name) and "tmp" in part.id for part in parts)
    return f"the file {files[0]}" if reads and files and not own else ""


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

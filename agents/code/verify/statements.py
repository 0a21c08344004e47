"""Which statements of a text something has run that judged it: what nothing runs may do anything."""

import ast
import secrets
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agents.code.verify.alike import Alike
from agents.code.verify.unmeant import impossible, unset, without_idle
from agents.execution.syntax import NotPython3, parse

__all__ = ["HOW", "Place", "Statements", "is_empty", "named", "needs_gpu", "refuses"]

SHOWN = 120
_Key = tuple[str, str, str]
_MARKER = "xkg_inside.marking"
_SUITES = ("body", "orelse", "finalbody", "handlers", "cases")
_UNMARKED = (
    ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Pass, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef,
)  # fmt: skip
"""What does nothing that a result could show, or is run with what it holds."""
_Branching = (
    ast.IfExp | ast.BoolOp | ast.Compare | ast.Lambda | ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
)


_TELLING = frozenset({
    "critical", "cuda", "debug", "error", "exception", "info", "log", "print", "warn", "warning",
})  # fmt: skip
"""Calls that a result does not show, where nothing is made of what they give."""


HOW = frozenset({
    "bool", "callable", "dict", "float", "hasattr", "int", "isinstance", "len", "list", "set", "str", "tuple", "type",
})  # fmt: skip
"""Built-ins with which a condition asks what a value is: its type, its length, what it has."""


@dataclass(frozen=True)
class Place:
    """What may be run or not: its `line` and `text`, the outermost `function` that it stands in, and the names that
    `decide` whether it is run; `otherwise`: it is the case in which the condition in this line does not hold."""

    line: int
    text: str
    otherwise: bool = False
    function: str = ""
    decide: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"line {self.line}: {f'where not {self.text}' if self.otherwise else self.text}"


class Statements:
    """The statements of `source`, and the parts of its expressions that need not be run, but for those that one of the
    `original` texts has as well, in the same place of the same kind of block.

    `text` is the source with a mark before each, `passed` are the marks that were seen to be run past. With `lines`
    every case is wanted that stands in these: that an ``if`` without ``else`` does not hold, too, but not what refuses,
    logs or catches. Raises RecursionError for what is too deep to be marked.
    """

    def __init__(self, source: str, original: Iterable[str] = (), lines: Collection[int] | None = None) -> None:
        tree, name, alike = without_idle(parse(source)), f"_{secrets.token_hex(4)}", Alike()
        alike.take(tree)
        marking = _Marking(name, alike, {key for text in original for key in _keys(text, alike)}, lines)
        marking.unmeant = {*unset(tree), *impossible(tree)}
        marking.block(tree, "module")
        at = next((n for n, node in enumerate(tree.body) if not _first(node)), len(tree.body))
        tree.body.insert(at, parse(f"import {_MARKER} as {name}").body[0])
        self.text = ast.unparse(ast.fix_missing_locations(tree)) if marking.places else source
        self.places, self.wanted, self.functions = marking.places, marking.wanted, marking.functions
        self.passed: set[int] = set()

    def took(self, marks: object) -> None:
        """Add what a run reported."""
        self.passed.update(mark for mark in marks if isinstance(mark, int)) if isinstance(marks, list) else None

    @property
    def unreached(self) -> str:
        """The first that was not run, with its line; "" if all were."""
        return next((str(place) for number, place in self.places.items() if number not in self.passed), "")

    def entered(self, line: int) -> bool:
        """Whether a line stands in no function, or in one of which something was run."""
        ran = {self.places[number].function for number in self.passed & {*self.places}}
        around = {name for name, lines in self.functions.items() if line in lines}
        return not around or bool(around & ran)

    def ran(self, line: int) -> bool:
        """Whether something in a line was run."""
        return any(self.places[number].line == line for number in self.passed & {*self.places})

    @property
    def left(self) -> tuple[Place, ...]:
        """What of the cases that are wanted was not run, of those functions of which something was."""
        entered = {self.places[number].function for number in self.passed & {*self.places}}
        left = (self.places[number] for number in self.places if number in self.wanted - self.passed)
        return tuple(place for place in left if place.function in entered)


def _first(node: ast.stmt) -> bool:
    """Whether nothing may stand before it: the docstring, what is said of the language."""
    return (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) or (
        isinstance(node, ast.ImportFrom) and node.module == "__future__"
    )


def _header(node: ast.AST, alike: Alike) -> str:
    """What kind of block it is, and when its statements are run."""
    kind = type(node).__name__
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
        return "class" if isinstance(node, ast.ClassDef) else "module" if isinstance(node, ast.Module) else "def"
    parts = (value for name, value in ast.iter_fields(node) if name not in _SUITES)
    return f"{kind} {[alike.told(part) for part in parts]}"


def _suites(node: ast.AST) -> Iterator[tuple[str, list[Any]]]:
    for name in _SUITES:
        inside = getattr(node, name, None)
        if isinstance(inside, list):
            yield name, inside


def _keys(text: str, alike: Alike) -> Iterator[_Key]:
    """Every statement of a text by its block, and every expression with a part that need not be run."""
    try:
        tree = parse(text)
    except NotPython3:
        return
    alike.take(tree)
    for node in ast.walk(tree):
        for name, inside in _suites(node):
            header = _header(node, alike)
            yield from ((header, name, alike.told(one)) for one in inside)
        if isinstance(node, _Branching):
            yield "", "", alike.told(node)


class _Marking(ast.NodeTransformer):
    """Puts marks into a tree. `known` is not marked; with `lines` cases are, too, and what of them is `wanted`."""

    def __init__(self, name: str, alike: Alike, known: set[_Key], lines: Collection[int] | None) -> None:
        self.name, self.alike, self.known, self.lines = name, alike, known, lines
        self.places, self.wanted, self.functions = dict[int, Place](), set[int](), dict[str, range]()
        self.function, self.decide, self.exempt = "", tuple[str, ...](), False
        self.spared: set[int] = set()
        self.unmeant: set[int] = set()

    def block(self, node: ast.AST, header: str) -> None:
        """Put marks before the statements of a block, and into them."""
        exempt = self.exempt
        for name, inside in _suites(node):
            found: list[Any] = []
            self.exempt = exempt or isinstance(node, ast.ExceptHandler) or refuses(inside)
            for one in inside:
                own = (header, name, self.alike.told(one)) in self.known
                plain = not isinstance(one, ast.stmt) or isinstance(one, _UNMARKED) or _first(one) or own
                mark = None if plain else self.mark(one)
                found.append(one if own else self.inside(one))
                if mark and isinstance(one, ast.If) and name == "orelse" and len(inside) == 1:
                    one.test = _after(mark, one.test)  # else a chain of elif would be a deeper block at each
                elif mark:
                    found.insert(-1, ast.Expr(mark))
            inside[:] = found
        self.exempt = exempt

    def inside(self, node: Any) -> Any:
        """A statement with marks in its blocks and expressions."""
        header, before = _header(node, self.alike), (self.function, self.decide, self.exempt)
        open_case = self.lines is not None and isinstance(node, ast.If) and not node.orelse and not refuses(node.body)
        open_case &= needs_gpu(node) != "orelse" and id(node) not in self.unmeant and not is_empty(node)
        case = Place(node.lineno, ast.unparse(node.test)[:SHOWN], otherwise=True) if open_case else None
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self.function = self.function or f"{node.name}:{node.lineno}"
            self.functions.setdefault(self.function, range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, ast.If | ast.While | ast.For):
            self.decide = named(node.iter if isinstance(node, ast.For) else node.test)
        self.spare(node)
        for name, value in ast.iter_fields(node):
            if name in _SUITES or name in ("annotation", "returns"):
                continue
            if isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
            elif isinstance(value, list):
                setattr(node, name, [self.visit(one) if isinstance(one, ast.AST) else one for one in value])
        self.block(node, header)
        if case:
            node.orelse = [ast.Expr(self.mark(node, case))]
        self.function, self.decide, self.exempt = before
        return node

    def visit(self, node: ast.AST) -> Any:
        """An expression with marks before those parts that need not be run."""
        if isinstance(node, ast.arg | ast.pattern):
            return node
        if isinstance(node, _Branching) and ("", "", self.alike.told(node)) in self.known:
            return node
        self.spare(node)
        parts, before = list[tuple[Any, str]](), self.decide
        if isinstance(node, ast.IfExp):
            parts, self.decide = [(node, "body"), (node, "orelse")], named(node.test)
        elif isinstance(node, ast.Lambda):
            parts = [(node, "body")]
        elif isinstance(node, ast.DictComp):
            parts = [(node, "value")]
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            parts = [(node, "elt")]
        marks = [(holder, name, self.mark(getattr(holder, name))) for holder, name in parts]
        rest = (
            node.values if isinstance(node, ast.BoolOp) else node.comparators if isinstance(node, ast.Compare) else []
        )
        if isinstance(node, ast.BoolOp):
            self.decide = named(ast.BoolOp(node.op, node.values[:-1]))
        later = [self.mark(one) for one in rest[1:]]
        self.decide = before
        self.generic_visit(node)
        for holder, name, mark in marks:
            setattr(holder, name, _after(mark, getattr(holder, name)))
        rest[1:] = [_after(mark, one) for mark, one in zip(later, rest[1:], strict=True)]
        return node

    def spare(self, node: ast.AST) -> None:
        """Want no run of what only a machine with a GPU runs, and of what looks for one."""
        if part := needs_gpu(node):
            held = [getattr(node, "test", None), *_listed(getattr(node, part))]
            self.spared.update(id(inner) for one in held if one for inner in ast.walk(one))

    def mark(self, node: Any, place: Place | None = None) -> ast.Call:
        """A call that says that what follows is run."""
        number = secrets.randbits(48)  # what is run must not know which marks there are
        place = place or Place(getattr(node, "lineno", 0), ast.unparse(node).partition("\n")[0][:SHOWN])
        self.places[number] = replace(place, function=self.function, decide=self.decide)
        exempt = self.exempt or id(node) in self.spared or _tells(node)
        if self.lines is None or (place.line in self.lines and not exempt):
            self.wanted.add(number)
        return ast.Call(ast.Attribute(ast.Name(self.name, ast.Load()), "at", ast.Load()), [ast.Constant(number)], [])


def refuses(block: Sequence[ast.AST]) -> bool:
    """Whether statements only say what is wrong."""
    straight = all(isinstance(one, ast.Assign | ast.Expr | ast.Raise) for one in block)
    return bool(block) and straight and (isinstance(block[-1], ast.Raise) or all(map(_tells, block)))


def is_empty(node: ast.AST) -> bool:
    """Whether it is a condition on which nothing is done, either way."""
    return isinstance(node, ast.If) and not node.orelse and all(isinstance(one, ast.Pass) for one in node.body)


def needs_gpu(node: ast.AST) -> str:
    """The part of a condition that is run with a GPU alone; "" where it asks for none."""
    if not isinstance(node, ast.If | ast.While | ast.IfExp):
        return ""
    if not any("cuda" in (getattr(one, "id", ""), getattr(one, "attr", "")) for one in ast.walk(node.test)):
        return ""
    return "orelse" if isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not) else "body"


def _listed(part: Any) -> list[Any]:
    return part if isinstance(part, list) else [part]


def _tells(node: ast.AST) -> bool:
    """Whether it tells people something, raises, or puts something on a device."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = node.value.func
        return (called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")) in _TELLING
    return isinstance(node, ast.Raise | ast.Pass)


def named(node: ast.AST) -> tuple[str, ...]:
    """The names and attributes in an expression, also of attributes that are asked for by their name; names that are
    Python's own for what a value is (HOW) also as ``type()``."""
    names = [getattr(one, "id", getattr(one, "attr", _asked_for(one))) for one in ast.walk(node)]
    how = [f"{one.id}()" for one in ast.walk(node) if isinstance(one, ast.Name) and one.id in HOW]
    return tuple(dict.fromkeys(filter(None, [*names, *how])))


def _asked_for(node: ast.AST) -> str:
    match node:
        case ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[_, ast.Constant(value=str(name)), *_]):
            return name
    return ""


def _after(mark: ast.expr, node: ast.expr) -> ast.expr:
    return ast.Subscript(ast.Tuple([mark, node], ast.Load()), ast.Constant(1), ast.Load())

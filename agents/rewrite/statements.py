"""Which statements of a module something has run that judged it: what nothing runs may do anything."""

import ast
import secrets
from collections.abc import Iterable, Iterator
from typing import Any

from agents.execution.syntax import NotPython3, parse
from agents.rewrite.alike import Alike

__all__ = ["Statements"]

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


class Statements:
    """The statements of `source`, and the parts of its expressions that need not be run, but for those that one of the
    `original` texts has as well, in the same place of the same kind of block.

    `text` is the source with a mark before each, `passed` are the marks that were seen to be run past. Raises
    RecursionError for what is too deep to be marked.
    """

    def __init__(self, source: str, original: Iterable[str]) -> None:
        tree, name, alike = parse(source), f"_{secrets.token_hex(4)}", Alike()
        alike.take(tree)
        marking = _Marking(name, alike, {key for text in original for key in _keys(text, alike)})
        marking.block(tree, "module")
        at = next((n for n, node in enumerate(tree.body) if not _first(node)), len(tree.body))
        tree.body.insert(at, parse(f"import {_MARKER} as {name}").body[0])
        self.text = ast.unparse(ast.fix_missing_locations(tree)) if marking.places else source
        self.places = marking.places
        self.passed: set[int] = set()

    def took(self, marks: object) -> None:
        """Add what a run reported."""
        self.passed.update(mark for mark in marks if isinstance(mark, int)) if isinstance(marks, list) else None

    @property
    def unreached(self) -> str:
        """The first that was not run, with its line; "" if all were."""
        return next((said for number, said in self.places.items() if number not in self.passed), "")


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
    def __init__(self, name: str, alike: Alike, known: set[_Key]) -> None:
        self.name, self.alike, self.known, self.places = name, alike, known, dict[int, str]()

    def block(self, node: ast.AST, header: str) -> None:
        """Put marks before the statements of a block, and into them."""
        for name, inside in _suites(node):
            found: list[Any] = []
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

    def inside(self, node: Any) -> Any:
        """A statement with marks in its blocks and expressions."""
        header = _header(node, self.alike)
        for name, value in ast.iter_fields(node):
            if name in _SUITES or name in ("annotation", "returns"):
                continue
            if isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
            elif isinstance(value, list):
                setattr(node, name, [self.visit(one) if isinstance(one, ast.AST) else one for one in value])
        self.block(node, header)
        return node

    def visit(self, node: ast.AST) -> Any:
        """An expression with marks before those parts that need not be run."""
        if isinstance(node, ast.arg | ast.pattern):
            return node
        if isinstance(node, _Branching) and ("", "", self.alike.told(node)) in self.known:
            return node
        parts: list[tuple[Any, str]] = []
        if isinstance(node, ast.IfExp):
            parts = [(node, "body"), (node, "orelse")]
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
        later = [self.mark(one) for one in rest[1:]]
        self.generic_visit(node)
        for holder, name, mark in marks:
            setattr(holder, name, _after(mark, getattr(holder, name)))
        rest[1:] = [_after(mark, one) for mark, one in zip(later, rest[1:], strict=True)]
        return node

    def mark(self, node: ast.AST) -> ast.Call:
        """A call that says that what follows is run."""
        number = len(self.places)
        said = ast.unparse(node).partition("\n")[0][:SHOWN]
        self.places[number] = f"line {getattr(node, 'lineno', 0)}: {said}"
        return ast.Call(ast.Attribute(ast.Name(self.name, ast.Load()), "at", ast.Load()), [ast.Constant(number)], [])


def _after(mark: ast.expr, node: ast.expr) -> ast.expr:
    return ast.Subscript(ast.Tuple([mark, node], ast.Load()), ast.Constant(1), ast.Load())

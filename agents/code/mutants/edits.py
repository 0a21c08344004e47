"""The single changes a mutant may make, found in the syntax tree."""

import ast
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from agents.code.mutants.parameters import needed_parameters

__all__ = ["Edit", "Kind", "edits"]

Kind = Literal["operator", "operand", "parameter", "argument", "comparison", "constant", "negation", "dropped", "none",
               "exchange", "decision", "opposite"]  # fmt: skip

_ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.MatMult: ("@", "+"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
_COMPARISON: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
_NEUTRAL: dict[type[ast.operator], str] = {
    ast.Add: "0", ast.Sub: "0", ast.Mult: "1", ast.Div: "1", ast.Pow: "1",
}  # fmt: skip
"""With which a term, factor or power has no effect."""
_OPPOSITE = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)
_SILENT_FUNCTIONS = {"__repr__", "__str__", "__del__", "__dir__", "_repr_html_", "__rich__"}
_SILENT_CALLS = {
    "print", "pprint", "warn", "debug", "info", "warning", "error", "exception", "critical", "log_message", "flush",
    "tqdm", "trange", "echo", "collect", "empty_cache", "filterwarnings", "simplefilter", "basicConfig", "setLevel",
    "disable_existing_loggers", "write_line", "update_progress", "set_description", "set_postfix", "close",
}  # fmt: skip
_SILENT_ROOTS = {"logging", "logger", "log", "warnings", "LOG", "LOGGER", "_logger", "pbar", "progress", "tqdm"}
_CONVERSIONS = {"array", "asarray", "asanyarray", "tensor", "as_tensor", "atleast_1d", "atleast_2d"}
_SILENT_NAMES = {"seed", "random_state", "verbose", "debug", "__all__", "__version__", "__author__", "__slots__"}


@dataclass(frozen=True)
class Edit:
    """Bytes from (line, column) to (end_line, end_column) become ``replacement(source)``; columns count bytes."""

    kind: Kind
    line: int
    column: int
    end_line: int
    end_column: int
    what: str
    replacement: Callable[[str], str]
    parameter: str = ""
    """The parameter that is left out, of kind "parameter"."""
    elsewhere: frozenset[int] = frozenset()
    """The lines in which it is used besides."""


def edits(tree: ast.Module, unit_span: tuple[int, int], data: bytes) -> Iterator[Edit]:
    """All changes within lines `unit_span` that a test could notice; `data` is what `tree` was read from. Raises
    RecursionError for what is nested too deeply to be walked."""
    yield from _Walker(unit_span, data).module(tree)


class _Walker:
    def __init__(self, span: tuple[int, int], data: bytes) -> None:
        self.first, self.last = span
        self.lines = data.splitlines(keepends=True)
        self.loads: Counter[str] = Counter()
        self.own: set[str] = set()
        self.needed: Mapping[str, frozenset[int]] = {}

    def module(self, tree: ast.Module) -> Iterator[Edit]:
        self.loads = Counter(
            n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Store)
        )
        self.own = set(_own_functions(tree))
        yield from self.block(tree.body)

    def block(self, body: list[ast.stmt]) -> Iterator[Edit]:
        for statement in body:
            if (
                statement.end_lineno is not None
                and statement.end_lineno >= self.first
                and statement.lineno <= self.last
            ):
                yield from self.statement(statement)

    def statement(self, node: ast.stmt) -> Iterator[Edit]:
        if _silent(node):
            return
        inside = node.lineno >= self.first and (node.end_lineno or node.lineno) <= self.last
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if inside:
                for default in _defaults(node.args):
                    yield from self.expression(default)
            around, self.needed = self.needed, needed_parameters(node)
            yield from self.block(node.body)
            self.needed = around
            return
        if isinstance(node, ast.ClassDef):
            yield from self.block(node.body)
            return
        if inside:
            yield from self.simple(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                yield from self.block([child])
            elif isinstance(child, ast.ExceptHandler | ast.match_case):
                yield from self.block(child.body)
            elif isinstance(child, ast.expr) and not self.skipped(node, child):
                yield from self.expression(child)
            elif isinstance(child, ast.withitem):
                yield from self.expression(child.context_expr)

    def skipped(self, node: ast.stmt, child: ast.expr) -> bool:
        if isinstance(node, ast.AnnAssign):
            return child is node.annotation
        return isinstance(node, ast.Raise | ast.Delete)

    def simple(self, node: ast.stmt) -> Iterator[Edit]:
        if isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
            yield _edit("none", node, "returns None", lambda _: "return None")
        elif isinstance(node, ast.If | ast.While):
            yield from self.negated(node.test)
        elif isinstance(node, ast.AugAssign):
            yield from self.augmented(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield) and node.value.value is not None:
            yield _edit("none", node.value, "yields None", lambda _: "yield None")
        if self.droppable(node):
            yield _edit("dropped", node, f"{_shown(node)} is dropped", lambda _: "pass")

    def droppable(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.Assign):
            return all(self.used(target) for target in node.targets)
        if isinstance(node, ast.AugAssign):
            return self.used(node.target)
        if isinstance(node, ast.AnnAssign):
            return node.value is not None and self.used(node.target)
        return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await)

    def used(self, target: ast.expr) -> bool:
        if isinstance(target, ast.Tuple | ast.List):
            return any(self.used(part) for part in target.elts)
        return not isinstance(target, ast.Name) or self.loads[target.id] > 0

    def augmented(self, node: ast.AugAssign) -> Iterator[Edit]:
        old, new = _ARITHMETIC[type(node.op)]
        yield Edit(
            "operator",
            node.target.end_lineno or node.lineno,
            node.target.end_col_offset or 0,
            node.value.lineno,
            node.value.col_offset,
            f"{old}= becomes {new}=",
            lambda source: source.replace(f"{old}=", f"{new}=", 1),
        )

    def negated(self, test: ast.expr) -> Iterator[Edit]:
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], _OPPOSITE):
            return
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return
        yield _edit("negation", test, f"{_shown(test)} is negated", lambda source: f"(not ({source}))")

    def expression(self, node: ast.expr) -> Iterator[Edit]:
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Call) and _silent_call(node)):
            return
        if node.lineno >= self.first and (node.end_lineno or node.lineno) <= self.last:
            yield from self.changed(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from self.expression(child)
            elif isinstance(child, ast.keyword) and child.arg not in _SILENT_NAMES:
                yield from self.expression(child.value)
            elif isinstance(child, ast.comprehension):
                yield from self.expression(child.iter)
                for condition in child.ifs:
                    yield from self.negated(condition)
                    yield from self.expression(condition)

    def changed(self, node: ast.expr) -> Iterator[Edit]:
        if isinstance(node, ast.BinOp):
            yield from _arithmetic(node)
            yield from self.operands(node)
        elif isinstance(node, ast.Call):
            yield from self.skipping(node)
        elif isinstance(node, ast.Compare):
            yield from _comparisons(node)
        elif isinstance(node, ast.BoolOp):
            old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            yield _between("comparison", node.values[0], node.values[1], old, new)
        elif isinstance(node, ast.UnaryOp):
            yield from _unary(node)
        elif isinstance(node, ast.IfExp):
            yield from self.negated(node.test)
        elif isinstance(node, ast.Lambda) and not _is_none(node.body):
            yield _edit("none", node.body, "the lambda returns None", lambda _: "None")
        elif isinstance(node, ast.Constant):
            yield from _constant(node)

    def operands(self, node: ast.BinOp) -> Iterator[Edit]:
        """A term or factor is left out (arithmetic operator deletion): numbers that a test's data make zero or one are
        not looked at by it. Of parameters that each call gives this is told apart. Texts are those of the file: a sum
        is as deep as it has terms."""
        if isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div | ast.Pow | ast.MatMult):
            right, whole = _short(self.source(node.right)), _short(self.source(node))
            name = self.needed_name(node.right, node.left)
            edit = _edit("operand", node, f"{right} is left out of {whole}", lambda _: f"({self.source(node.left)})")
            yield self.left_out(edit, name) if name else edit
        if isinstance(node.op, ast.Add | ast.Mult) and (name := self.needed_name(node.left, node.right)):
            left, whole = _short(self.source(node.left)), _short(self.source(node))
            edit = _edit("operand", node, f"{left} is left out of {whole}", lambda _: f"({self.source(node.right)})")
            yield self.left_out(edit, name)
        for operand, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(operand, ast.UnaryOp) and (name := self.needed_name(operand.operand, other)):
                neutral = _NEUTRAL.get(type(node.op))
                whole = _short(self.source(node))
                what = f"`{name}` is left out of {whole}"
                if neutral is not None:
                    yield self.left_out(_edit("operand", operand.operand, what, partial(_instead, neutral)), name)

    def left_out(self, edit: Edit, name: str) -> Edit:
        """An edit that leaves out a parameter, as such."""
        elsewhere = self.needed[name] - {*range(edit.line, edit.end_line + 1)}
        return replace(edit, kind="parameter", parameter=name, elsewhere=elsewhere)

    def needed_name(self, node: ast.expr, other: ast.expr) -> str:
        """The needed parameter that an operand is, unless it is part of the other one, too; "" for none."""
        if not isinstance(node, ast.Name) or node.id not in self.needed:
            return ""
        there = any(isinstance(each, ast.Name) and each.id == node.id for each in ast.walk(other))
        return "" if there else node.id

    def source(self, node: ast.expr) -> str:
        """What stands in the file for a node, without brackets around it."""
        lines = self.lines[node.lineno - 1 : node.end_lineno]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return b"".join(lines).decode("utf-8", "replace")

    def skipping(self, node: ast.Call) -> Iterator[Edit]:
        """A step is left out, and what it was given handed on (argument propagation). Calls by bare names of functions
        are steps; through a module, as ``np.asarray(x)``, they often only convert."""
        own = isinstance(node.func, ast.Name) and node.func.id in self.own
        if own or (isinstance(node.func, ast.Attribute) and _own_object(node.func)):
            given = next(
                (each for each in node.args if isinstance(each, ast.Name | ast.Attribute | ast.Subscript)), None
            )
            if given is not None:
                text = ast.unparse(given)
                yield _edit("argument", node, f"{_shown(node)} gives back `{text}`", lambda _: text)


def _defaults(arguments: ast.arguments) -> Iterator[ast.expr]:
    positional = [*arguments.posonlyargs, *arguments.args]
    behind = positional[len(positional) - len(arguments.defaults) :]
    for argument, default in [
        *zip(behind, arguments.defaults, strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]:
        if default is not None and argument.arg not in _SILENT_NAMES:
            yield default


def _silent(node: ast.stmt) -> bool:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return node.name in _SILENT_FUNCTIONS or any(_last_name(d) == "overload" for d in node.decorator_list)
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) or (isinstance(node.value, ast.Call) and _silent_call(node.value))
    if isinstance(node, ast.If):
        names = {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}
        names |= {n.attr for n in ast.walk(node.test) if isinstance(n, ast.Attribute)}
        return bool(names & {"__name__", "TYPE_CHECKING", "verbose", "debug"}) and len(names) <= 2
    if isinstance(node, ast.Assign):
        if isinstance(node.value, ast.Call) and _silent_call(node.value):
            return True
        return any(_last_name(target).lower() in _SILENT_NAMES for target in node.targets)
    return isinstance(node, ast.Import | ast.ImportFrom | ast.Global | ast.Nonlocal | ast.Raise | ast.Assert)


def _silent_call(node: ast.Call) -> bool:
    root: ast.expr = node.func
    while isinstance(root, ast.Attribute | ast.Call):
        root = root.value if isinstance(root, ast.Attribute) else root.func
    bare = isinstance(node.func, ast.Name)
    named = _last_name(node.func) in _SILENT_CALLS and (bare or len(node.args) <= 3)
    return (isinstance(root, ast.Name) and root.id in _SILENT_ROOTS) or (named and (bare or not _own_object(node.func)))


def _own_object(node: ast.expr) -> bool:
    """Whether a method is called on `self`: ``self.close()`` may be the very thing a test checks."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _shown(node: ast.AST) -> str:
    return _short(ast.unparse(node))


def _short(text: str) -> str:
    text = " ".join(text.split())
    return f"`{text if len(text) <= 60 else text[:57] + '…'}`"


def _edit(kind: Kind, node: ast.expr | ast.stmt, what: str, replacement: Callable[[str], str]) -> Edit:
    end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
    return Edit(kind, node.lineno, node.col_offset, end_line, end_column, what, replacement)


def _instead(new: str, _source: str) -> str:
    return new


def _between(kind: Kind, left: ast.expr, right: ast.expr, old: str, new: str) -> Edit:
    """The operator between two operands; brackets of the operands lie there too and stay."""
    return Edit(
        kind,
        left.end_lineno or left.lineno,
        left.end_col_offset or 0,
        right.lineno,
        right.col_offset,
        f"{old} becomes {new}",
        lambda source: source.replace(old, new, 1),
    )


def _arithmetic(node: ast.BinOp) -> Iterator[Edit]:
    text = isinstance(node.left, ast.JoinedStr) or (
        isinstance(node.left, ast.Constant) and isinstance(node.left.value, str | bytes)
    )
    if not text:
        yield _between("operator", node.left, node.right, *_ARITHMETIC[type(node.op)])


def _own_functions(tree: ast.Module) -> Iterator[str]:
    """Functions that the module defines, or has by their bare names from another that is not Python's own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] not in sys.stdlib_module_names:
            names = {alias.asname or alias.name for alias in node.names}
            yield from (name for name in names - _CONVERSIONS if name.islower())


def _comparisons(node: ast.Compare) -> Iterator[Edit]:
    left = node.left
    for operator, right in zip(node.ops, node.comparators, strict=True):
        yield _between("comparison", left, right, *_COMPARISON[type(operator)])
        left = right


def _unary(node: ast.UnaryOp) -> Iterator[Edit]:
    signs: dict[type[ast.unaryop], str] = {ast.Not: "not", ast.USub: "-", ast.Invert: "~"}
    sign = signs.get(type(node.op))
    if sign is not None:
        yield _edit("negation", node, f"{sign} is dropped", lambda source: f"({source[len(sign) :].strip()})")


def _constant(node: ast.Constant) -> Iterator[Edit]:
    value = node.value
    if isinstance(value, bool):
        changed: bool | float = not value
    elif isinstance(value, int | float):
        changed = value + 1
        if changed == value or math.isnan(changed):
            return
    else:
        return
    yield _edit("constant", node, f"{value!r} becomes {changed!r}", lambda _: repr(changed))

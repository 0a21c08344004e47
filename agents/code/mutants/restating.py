"""A unit's body in other words of the same meaning, in the places that mutants change and in their manner.

What judges a text fails here as it does on a mutant; what judges results sees none of it.
"""

import ast
import math
import re
import secrets
from collections.abc import Iterator
from itertools import accumulate
from random import SystemRandom

from agents.code.mutants.neutral import SEEN_IN_LOCALS, names_in
from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = ["restated"]

_LEFT = {"annotation", "args", "bases", "decorator_list", "keywords", "pattern", "returns", "type_params"}
"""Fields of statements and patterns that stay: what is told of a function, and what must be a literal."""
_LEFT_ALONE = (ast.Assert, ast.Delete, ast.JoinedStr, ast.Raise, ast.arguments)
"""Whose texts are shown to people, or are told of a function: these stay, too."""
_PLAIN = {
    "abstractmethod", "cache", "cached_property", "classmethod", "contextmanager", "deleter", "getter", "lru_cache",
    "override", "property", "setter", "staticmethod", "wraps",
}  # fmt: skip
"""Decorators that call what they are given: others may compile its text, and know few constructs."""
_COMPILES = re.compile(r"\b(?:autograph|cupyx|cython|n?jit|numba|numexpr|pallas|taichi|theano|torchscript|triton)\b")
_SCRIPTED = re.compile(r"\b(?:tensorflow|torch)\b")
"""Libraries that may compile, whoever asks for it, what is a plain function elsewhere."""
_OPERATORS: dict[type[ast.operator | ast.cmpop], tuple[bytes, str]] = {
    ast.Add: (b"+", "add"), ast.Sub: (b"-", "sub"), ast.Mult: (b"*", "mul"), ast.Div: (b"/", "truediv"),
    ast.FloorDiv: (b"//", "floordiv"), ast.Mod: (b"%", "mod"), ast.Pow: (b"**", "pow"), ast.MatMult: (b"@", "matmul"),
    ast.BitAnd: (b"&", "and_"), ast.BitOr: (b"|", "or_"), ast.BitXor: (b"^", "xor"), ast.LShift: (b"<<", "lshift"),
    ast.RShift: (b">>", "rshift"), ast.Lt: (b"<", "lt"), ast.LtE: (b"<=", "le"), ast.Gt: (b">", "gt"),
    ast.GtE: (b">=", "ge"), ast.Eq: (b"==", "eq"), ast.NotEq: (b"!=", "ne"),
}  # fmt: skip
"""How an operator is written, and the function of Python's library that is the same."""
_TEXT = re.compile(rb"""(['"])[^'"\\\r\n]{2,}\1""")
_TAKEN_OUT = (("((", "),)[0]"), ("[(", ")][0]"), ("(None, (", "))[1]"))
"""Around what is put into a sequence, and taken out again at once."""
FURTHEST, LARGEST = 9, 10**12


def restated(text: str, unit: CodeUnit) -> str:
    """`text` with the functions of `unit` in other words; as it is where that can't be.

    Lines, signatures and docstrings stay, but for one line before. What may be compiled from its text gets nothing
    but other constants and local names.
    """
    try:
        tree = parse(text)
        found = _Restating(text, unit)
        found.visit(tree, gentle=bool(_COMPILES.search(text)))
        changed = found.text(tree)
        parse(changed)
    except (NotPython3, RecursionError):
        return text
    return changed


class _Restating:
    """Collects edits as (start, order, end, text), in bytes: of those at one place, the outermost begins first and ends
    last."""

    def __init__(self, text: str, unit: CodeUnit) -> None:
        self.data, self.unit, self.chance = text.encode("utf-8"), unit, SystemRandom()
        self.plain, self.operator = not _SCRIPTED.search(text), f"_{secrets.token_hex(4)}"
        self.starts = [0, *accumulate(map(len, self.data.splitlines(keepends=True)))]
        self.edits: list[tuple[int, int, int, str]] = []

    def text(self, tree: ast.Module) -> str:
        """With all edits, and what they need before the statement of the `tree` that holds the unit."""
        top = next((each for each in tree.body if (each.end_lineno or 0) >= self.unit.line), None)
        if top is not None and any(self.operator in text for *_, text in self.edits):
            line = min([top.lineno, *(one.lineno for one in getattr(top, "decorator_list", ()))])
            start = self.starts[line - 1]
            self.edits.append((start, 0, start, f"import operator as {self.operator}\n"))
        parts, done = list[bytes](), 0
        for start, _, end, text in sorted(self.edits):
            parts += [self.data[done:start], text.encode("utf-8")]
            done = max(done, end)
        return b"".join([*parts, self.data[done:]]).decode("utf-8")

    def visit(self, node: ast.AST, *, gentle: bool, depth: int = 1, within: bool = False) -> None:
        """Restate what is below a node; `within` a function of the unit."""
        if isinstance(node, _LEFT_ALONE):
            return
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            within = self.unit.line <= node.lineno and (node.end_lineno or 0) <= self.unit.end_line
            within &= not names_in(node) & SEEN_IN_LOCALS
            gentle |= any(_name(one) not in _PLAIN for one in node.decorator_list)
        if within:
            self.change(node, gentle, depth)
        for child in _children(node, gentle):
            self.visit(child, gentle=gentle, depth=depth + 2, within=within)

    def change(self, node: ast.AST, gentle: bool, depth: int) -> None:
        """Restate one node itself, in a way that keeps what is below it."""
        if isinstance(node, ast.Return) and node.value is not None:
            name = f"_{secrets.token_hex(4)}"
            start, end = self.span(node)
            self.edits += [(start, depth, start + len("return"), f"{name} ="), (end, -depth, end, f"; return {name}")]
        elif isinstance(node, ast.Constant):
            self.constant(node, gentle, depth)
        elif not gentle:
            for condition in _conditions(node):
                self.around(condition, depth, " not not (", ")")
            self.operation(node, depth)
            for value in self.values(node):
                self.around(value, depth + 1, *self.chance.choice(_TAKEN_OUT))

    def values(self, node: ast.AST) -> list[ast.expr]:
        """What is put into a tuple and taken out again: what is assigned, and one side of an operation."""
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            return [node.value] if node.value is not None else []
        sides: list[ast.expr] = []
        if isinstance(node, ast.BinOp):
            sides = [node.left, node.right]
        elif isinstance(node, ast.Compare) and not isinstance(node.ops[0], ast.Is | ast.IsNot):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and self.plain:
            sides = node.args
        sides = [side for side in sides if not isinstance(side, ast.Constant | ast.GeneratorExp | ast.Starred)]
        return [self.chance.choice(sides)] if sides else []

    def operation(self, node: ast.AST, depth: int) -> None:
        """The call of a function in the place of an operator."""
        operator: ast.operator | ast.cmpop
        if isinstance(node, ast.BinOp):
            operator, left, right = node.op, node.left, node.right
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            operator, left, right = node.ops[0], node.left, node.comparators[0]
        else:
            return
        written, name = _OPERATORS.get(type(operator), (b"", ""))
        end = self.span(left)[1]
        between = self.data[end : self.span(right)[0]]
        if self.plain and written and between.strip(b" ()\t\r\n\\") == written:
            at = end + between.index(written)
            self.around(node, depth, f"({self.operator}.{name}(", "))")
            self.edits.append((at, 0, at + len(written), ","))

    def around(self, node: ast.expr, depth: int, before: str, after: str) -> None:
        if isinstance(node, ast.Constant):
            return
        start, end = self.span(node)
        self.edits += [(start, depth, start, before), (end, -depth, end, after)]

    def constant(self, node: ast.Constant, gentle: bool, depth: int) -> None:
        """A number as a sum or product of others, a text as two."""
        start, end = self.span(node)
        value, text = node.value, ""
        if type(value) is int and value < LARGEST:
            step = self.chance.randint(1, FURTHEST)
            text = self.chance.choice([f"({value - step} + {step})", f"({value + step} - {step})"])
        elif type(value) is float and value < math.inf and value / 2 * 2 == value:
            text = f"({value / 2!r} * 2)"
        elif type(value) is str and not gentle and _TEXT.fullmatch(self.data[start:end]):
            middle = self.chance.randint(1, len(value) - 1)
            text = f"({value[:middle]!r} + {value[middle:]!r})"
        if text:
            self.edits.append((start, depth, end, text))

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Its first byte and the one behind its last."""
        end = self.starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        return self.starts[node.lineno - 1] + node.col_offset, end


def _name(decorator: ast.expr) -> str:
    made_by = decorator.func if isinstance(decorator, ast.Call) else decorator
    return str(getattr(made_by, "attr", getattr(made_by, "id", "")))


def _children(node: ast.AST, gentle: bool) -> Iterator[ast.AST]:
    call = isinstance(node, ast.Call)
    for name, value in ast.iter_fields(node):
        told = name in _LEFT and not (call and (name == "args" or not gentle))
        if told or (gentle and name == "slice"):
            continue
        for child in value if isinstance(value, list) else [value]:
            shown = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if isinstance(child, ast.AST) and not shown:
                yield child


def _conditions(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        return [node.test]
    return node.ifs if isinstance(node, ast.comprehension) else []

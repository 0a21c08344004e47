"""Python 2's division, which gives a whole number for whole numbers, in Python 3."""

import ast
import re

from agents.code.units.python import parse

__all__ = ["divide_classically"]

_HELPER = '''\
def _classic_division(a, b):
    """`a / b` as Python 2 had it: whole numbers, and arrays of them, give whole numbers."""

    def whole(x):
        kind = getattr(getattr(x, "dtype", None), "kind", None)
        return isinstance(x, int) or (kind in ("i", "u") and not type(x).__module__.startswith("pandas"))

    return a // b if whole(a) and whole(b) else a / b
'''
_SKIP = re.compile(rb"(?:[\s)\\]|#[^\n]*\n)*")


def divide_classically(text: str) -> tuple[str, range, int]:
    """`text` with each division that may be one of whole numbers done as in Python 2.

    Also the lines (1-based) that were added, and the line of a division that can't be done so, 0 if there is none.
    """
    tree = parse(text)
    if any(isinstance(n, ast.ImportFrom) and n.module == "__future__" and _named(n, "division") for n in tree.body):
        return text, range(0), 0
    data = text.encode("utf-8", "replace")
    starts = [0]
    for line in data.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    edits: list[tuple[int, int, bytes]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and not _is_float(node):
            between = _end(starts, node.left)
            at = between + len((_SKIP.match(data, between) or [b""])[0])
            if data[at : at + 1] != b"/":
                return text, range(0), node.lineno
            edits += [(_start(starts, node), 0, b"_classic_division("), (at, 1, b","), (_end(starts, node), 0, b")")]
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div) and not _is_float(node.value):
            if not _is_plain(node.target):
                return text, range(0), node.lineno
            target = data[_start(starts, node.target) : _end(starts, node.target)]
            at = data.index(b"/=", _end(starts, node.target))
            edits += [(at, 2, b"= _classic_division(" + target + b","), (_end(starts, node.value), 0, b")")]
    if not edits:
        return text, range(0), 0
    out, done = [], 0
    for place, length, new in sorted(edits, key=lambda edit: edit[0]):
        out += [data[done:place], new]
        done = place + length
    lines = b"".join([*out, data[done:]]).decode("utf-8").split("\n")
    above = _after_preamble(tree)
    helper = ["", "", *_HELPER.splitlines(), "", ""]
    return "\n".join([*lines[:above], *helper, *lines[above:]]), range(above + 1, above + 1 + len(helper)), 0


def _after_preamble(tree: ast.Module) -> int:
    """Number of lines that hold the docstring and the __future__ imports."""
    line = 0
    for number, node in enumerate(tree.body):
        docstring = number == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not docstring and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            break
        line = node.end_lineno or node.lineno
    return line


def _named(node: ast.ImportFrom, name: str) -> bool:
    return any(alias.name == name for alias in node.names)


def _is_float(node: ast.expr) -> bool:
    """Whether an operation has a part that makes it one of floats."""
    pending: list[ast.expr] = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, ast.Constant) and isinstance(part.value, float | complex):
            return True
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "float":
            return True
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
            pending += [part.left, part.right]
        elif isinstance(part, ast.UnaryOp):
            pending.append(part.operand)
    return False


def _is_plain(node: ast.expr) -> bool:
    """Whether reading `node` twice does nothing that reading it once does not."""
    allowed = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Slice, ast.Tuple, ast.expr_context)
    return all(isinstance(part, allowed) for part in ast.walk(node))


def _start(starts: list[int], node: ast.expr) -> int:
    return starts[node.lineno - 1] + node.col_offset


def _end(starts: list[int], node: ast.expr) -> int:
    return starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)

"""Whether an assertion expects what the repository's own code gives for the same arguments: it would prove nothing."""

import ast
import copy
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import combinations

__all__ = ["assigned", "expanded", "repeats"]

DEEP, LARGE = 6, 4_000
"""Assignments that are looked through one behind the other, and nodes of an expression that is made so."""


class _Call:
    """A call of the repository's code: who, on what and with which arguments, and where it is written."""

    def __init__(self, node: ast.Call, bound: Collection[str], classes: Collection[str]) -> None:
        self.site = (node.lineno, node.col_offset)
        self.arguments = ",".join(map(ast.dump, [*node.args, *node.keywords]))
        on = node.func.value if isinstance(node.func, ast.Attribute) else None
        self.of_object, self.receiver = on is not None, ast.dump(on) if on else ""
        self.name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        made = getattr(on.func, "id", "") in classes if isinstance(on, ast.Call) else getattr(on, "id", "") in bound
        self.counts = made if on else self.name in bound and self.name not in classes

    def repeats(self, other: "_Call") -> bool:
        """Whether two calls that are written at two places come to the same: one call again, or another function's with
        the same arguments."""
        if self.site == other.site or self.arguments != other.arguments or self.receiver != other.receiver:
            return False
        return self.name == other.name or bool(self.arguments)


def repeats(
    function: ast.FunctionDef, asserted: Iterable[ast.AST], bound: Collection[str], classes: Collection[str]
) -> str:
    """The first assertion, as text, of which two sides call the repository's code with the same arguments; "" if none
    does. `bound` are the names of the repository's code, those of its `classes` among them."""
    known = assigned(function)
    acts = any(isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) for node in ast.walk(function))
    for assertion in asserted:
        for sides in _compared(expanded(assertion, known)):
            calls = [[one for one in _calls(side, bound, classes) if not (acts and one.of_object)] for side in sides]
            for ours, theirs in combinations(calls, 2):
                if any(one.repeats(other) for one in ours for other in theirs):
                    return ast.unparse(assertion)[:200]
    return ""


def _calls(tree: ast.AST, bound: Collection[str], classes: Collection[str]) -> list[_Call]:
    calls = (_Call(node, bound, classes) for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [call for call in calls if call.counts]


def _compared(tree: ast.AST) -> Iterator[list[ast.expr]]:
    """What is held against one another in it, wherever."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            yield [node.left, *node.comparators]
        elif isinstance(node, ast.BinOp):
            yield [node.left, node.right]
        elif isinstance(node, ast.Call):
            yield node.args


def assigned(function: ast.AST) -> dict[str, ast.expr]:
    """Names that have one value, with it."""
    stored = Counter(n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    single = [n for n in ast.walk(function) if isinstance(n, ast.Assign) and len(n.targets) == 1]
    named = [(n.targets[0].id, n.value) for n in single if isinstance(n.targets[0], ast.Name)]
    return {name: value for name, value in named if stored[name] == 1}


class _Expanding(ast.NodeTransformer):
    def __init__(self, known: dict[str, ast.expr]) -> None:
        self.known, self.changed = known, False

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A name's value in its place."""
        if isinstance(node.ctx, ast.Load) and node.id in self.known:
            self.changed = True
            return copy.deepcopy(self.known[node.id])
        return node


def expanded(expression: ast.AST, known: dict[str, ast.expr]) -> ast.AST:
    """With the values of names in their places, each where it was written."""
    tree = copy.deepcopy(expression)
    for _ in range(DEEP):
        expanding = _Expanding(known)
        tree = expanding.visit(tree)
        if not expanding.changed or sum(1 for _ in ast.walk(tree)) > LARGE:
            break
    return tree

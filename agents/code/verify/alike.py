"""Which parts of texts are the same code, told for whole trees at once and without recursion: they may be deep."""

import ast
from typing import Any

__all__ = ["Alike"]


class Alike:
    """Numbers the nodes of the trees that it is shown, so that the same code has the same number; of an exception that
    is raised its words don't matter."""

    def __init__(self) -> None:
        self.forms, self.numbers, self.kept = dict[tuple[str, ...], int](), dict[int, int](), list[ast.AST]()

    def take(self, tree: ast.AST) -> None:
        """Number a tree as it is now: what is changed in it later counts as it was."""
        nodes = list(ast.walk(tree))
        self.kept += nodes
        for node in reversed(nodes):  # parts come before what they are parts of
            fields = [value for _, value in ast.iter_fields(node)]
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                fields = [node.exc.func, node.cause]
            form = (type(node).__name__, *map(self.told, fields))
            self.numbers[id(node)] = self.forms.setdefault(form, len(self.forms))

    def told(self, part: Any) -> str:
        """A part of a tree that was taken, or a list of such, as it is compared."""
        if isinstance(part, list):
            return str([self.told(one) for one in part])
        return f"#{self.numbers[id(part)]}" if isinstance(part, ast.AST) else repr(part)

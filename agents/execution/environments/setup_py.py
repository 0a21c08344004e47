"""``setup.py`` read as a syntax tree, never run."""

import ast
from typing import Any

from agents.execution.syntax import NotPython3, parse

__all__ = ["read_setup_py"]

_WANTED = ("name", "python_requires", "install_requires", "tests_require", "extras_require")


def read_setup_py(text: str) -> dict[str, Any]:
    """The literal arguments of the call of ``setup``; a name stands for the literal that the module assigns to it."""
    try:
        tree = parse(text)
    except NotPython3:
        return {}
    known: dict[str, Any] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name):
                known[target.id] = _literal(statement.value, known)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node.func) == "setup":
            return {word.arg: _literal(word.value, known) for word in node.keywords if word.arg in _WANTED and word.arg}
    return {}


def _called(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _literal(node: ast.expr, known: dict[str, Any]) -> Any:
    """The value of a literal, of a known name, of a list or dict of these or of a sum of lists; else None."""
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.List | ast.Tuple):
        return [value for item in node.elts if (value := _literal(item, known)) is not None]
    if isinstance(node, ast.Dict):
        keys = [_literal(key, known) if key else None for key in node.keys]
        return {key: _literal(value, known) for key, value in zip(keys, node.values, strict=True) if key}
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _literal(node.left, known), _literal(node.right, known)
        return left + right if isinstance(left, list) and isinstance(right, list) else left or right
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None

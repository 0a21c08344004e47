"""What the source of a unit can compute, and which texts it can give, as far as names and operators tell."""

import ast
import builtins
import re

from agents.code.verify.possible import Reach, base_of, last

__all__ = ["is_unknown", "may_compute", "may_give"]

_COMPUTED = {
    "exp": r"exp|softm|sigm|logist|tanh|sinh|cosh|pow|gauss|normal|pdf|poisson|erf|entropy",
    "log": r"log|entropy|\bln|nll|likelih|bit_length|kl_div",
    "sqrt": r"sqrt|norm|pow|hypot|std|dist|^abs|stdev|polar",
    "-1": r"inv|solve|lstsq|chol|eig|svd|mahal|precision|pow|recip",
}
"""Names of what computes a function, or may."""
_OPERATORS: dict[str, tuple[type[ast.operator], ...]] = {
    "exp": (ast.Pow,), "sqrt": (ast.Pow,), "log": (), "-1": (ast.Div, ast.Pow, ast.FloorDiv),
}  # fmt: skip
_NUMERIC = {"math", "np", "numpy", "itertools", "functools", "collections", "operator", "random", "re"}


def may_compute(reach: Reach, function: str) -> bool:
    """Whether it may compute "exp", "log", "sqrt" or an inverse ("-1"), by itself or by what is not known."""
    if reach.function is None or any(is_unknown(reach, part) for part in reach.parts):
        return True
    if any(re.search(_COMPUTED[function], name, re.I) for name in reach.names(reach.nodes)):
        return True
    return any(isinstance(getattr(part, "op", None), _OPERATORS[function]) for part in reach.parts)


def may_give(reach: Reach, literal: str) -> bool:
    """Whether it may give a text: one that stands in its files outside documentation, or that what is not known has."""
    if reach.function is None or any(is_unknown(reach, part) for part in reach.parts):
        return True
    nodes = [node for file in reach.files for node in ast.walk(reach.known.tree(file))]
    said = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    texts = (node.value for node in nodes if isinstance(node, ast.Constant) and id(node) not in said)
    return any(literal.strip("<>[]").lower() in text.lower() for text in texts if isinstance(text, str))


def is_unknown(reach: Reach, part: ast.AST) -> bool:
    """Whether something is called of which the name tells nothing, or looked up in a table."""
    if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and part.value.id.isupper():
        return len(part.value.id) > 1
    if not isinstance(part, ast.Call):
        return False
    name = last(part.func)
    if reach.is_defined(name):
        return False
    if isinstance(part.func, ast.Name):
        return not hasattr(builtins, name) or name in {"eval", "exec", "getattr", "open", "__import__"}
    base = base_of(part.func)
    return base in {"self", "cls"} or (base in reach.modules and base not in _NUMERIC)

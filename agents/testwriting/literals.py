"""Words that code knows, as far as they are written out: what stands in tables, and what may be chosen."""

import ast
from collections.abc import Mapping

__all__ = ["Tables", "choices", "resolved", "tables", "words"]

Tables = Mapping[str, ast.expr]
"""What is assigned at the top of a file under a name, and in a class under “self.name”."""
MOST = 12
"""Words of one table that are told at most."""
LONG = 60
"""Characters of a word at most; what is longer is a text, and no word."""
_SAME = {"frozenset", "list", "set", "sorted", "tuple"}


def words(node: ast.expr, known: Tables, *, several: bool = False) -> tuple[str, ...]:
    """The word that an expression is, those that it consists of, or the keys of a dictionary; () of all else. Where
    `several` are wanted, a plain text is none: it consists of characters."""
    node = resolved(node, known)
    if several and isinstance(node, ast.Constant):
        return ()
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "keys":
        return words(node.func.value, known, several=True)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _SAME and node.args:
        return words(node.args[0], known, several=True)
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    parts = [key for key in node.keys if key] if isinstance(node, ast.Dict) else parts
    found = (part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))
    return tuple(dict.fromkeys(word for word in found if len(word) <= LONG))[:MOST]


def resolved(node: ast.expr, known: Tables) -> ast.expr:
    """What a name stands for, if that is known."""
    return known.get(ast.unparse(node), node) if isinstance(node, ast.Name | ast.Attribute) else node


def tables(tree: ast.Module) -> dict[str, ast.expr]:
    """What a file and its classes assign once."""
    found: dict[str, list[ast.expr]] = {}
    for node in tree.body:
        for prefix, one in [
            ("", node),
            *((("self.", one) for one in node.body) if isinstance(node, ast.ClassDef) else ()),
        ]:
            targets = (
                one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AnnAssign) else []
            )
            value = one.value if isinstance(one, ast.Assign | ast.AnnAssign) else None
            for target in targets:
                if isinstance(target, ast.Name) and value is not None:
                    found.setdefault(prefix + target.id, []).append(value)
    return {name: values[0] for name, values in found.items() if len(values) == 1}


def choices(tree: ast.AST, known: Tables) -> dict[str, tuple[str, ...]]:
    """By the name of a field what a command line lets choose for it."""
    found: dict[str, tuple[str, ...]] = {}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("add_argument", "option")):
            continue
        given = {one.arg: one.value for one in node.keywords}
        options = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        long = [one for one in options if not one.startswith("-") or one.startswith("--")]
        named = words(given["dest"], known) if "dest" in given else tuple(long[:1])
        if named and "choices" in given and (told := words(given["choices"], known, several=True)):
            found[named[0].lstrip("-").replace("-", "_")] = told
    return found

"""Code that goes looking for whatever the interpreter holds, and so may reach what reports on its own tests.

Python tells of frames, of the collector's lists and of machine code while they are asked for (see
``xkg_inside.introspection``); what is here it does not tell of: all classes, all modules, what pytest has registered,
what a function or a method holds on to. In no repository of the papers that xkg was measured on does any of it stand.
"""

import ast
from collections.abc import Iterator

from agents.code.verify.possible import last
from agents.execution.syntax import NotPython3, parse

__all__ = ["reflecting"]

_HOLDERS = {
    "__closure__", "__globals__", "__self__", "_hookimpls", "cell_contents", "f_back", "f_builtins", "f_globals",
    "f_locals", "get_hookimpls", "get_plugins", "getsignal", "getplugins", "list_name_plugin",
}  # fmt: skip
_ASKED_BY_NAME = {"get_plugin", "getplugin"}
_HINTS = (*_HOLDERS, *_ASKED_BY_NAME, "__subclasses__", "modules")


def reflecting(text: str) -> str:
    """Where the text of a file does so, as ``line: text``; "" if it does not."""
    if not any(hint in text for hint in _HINTS):
        return ""
    try:
        tree = parse(text)
    except NotPython3:
        return ""
    line = min((getattr(node, "lineno", 1) for node in _found(tree)), default=0)
    return f"{line}: {text.splitlines()[line - 1].strip()[:100]}" if line else ""


def _found(tree: ast.AST) -> Iterator[ast.AST]:  # noqa: PLR0912 -- one table
    plain: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Subscript):
            plain.add(id(node.value))
        elif isinstance(node, ast.Compare):
            plain.update(map(id, node.comparators))
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) if name in _HOLDERS:
                yield node
            case ast.Attribute(attr="__subclasses__", value=owner) if _may_be_object(owner):
                yield node
            case ast.Attribute(attr="items" | "values" | "copy", value=owner) if _is_modules(owner):
                yield node
            case ast.Attribute() if _is_modules(node) and id(node) not in plain:
                yield node  # all of them, and neither one by its name nor whether one is there
            case ast.Constant(value=str(text)) if text in _HOLDERS or text == "__subclasses__":
                yield node
            case ast.Call(func=function, args=args) if last(function) in _ASKED_BY_NAME:
                if not args or not isinstance(args[0], ast.Constant):
                    yield node
            case ast.Subscript(value=owner, slice=ast.BinOp() | ast.Call()) if _is_modules(owner):
                yield node
            case ast.ImportFrom(module="sys", names=names) if any(alias.name == "modules" for alias in names):
                yield node


def _is_modules(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "modules" and last(node.value) == "sys"


def _may_be_object(owner: ast.expr) -> bool:
    """Whether all classes lie below what an expression stands for: one that is named tells of its own alone."""
    return last(owner) in {"", "object"} or last(owner).startswith("__")

"""Code that goes looking for whatever the interpreter holds, and so may reach what reports on its own tests.

Python tells of frames, of the collector's lists and of machine code while they are asked for (see
``xkg_inside.introspection``); what is looked for here it does not tell of: all classes, all modules, what pytest has
registered, and, where tests or what they test are written, what a function or a method holds on to.
"""

import ast
import re
from collections.abc import Iterator

from agents.code.verify.possible import last
from agents.execution.syntax import NotPython3, parse

__all__ = ["reflecting", "walks_frames"]

_REGISTERED = {"_hookimpls", "get_hookimpls", "get_plugins", "getplugins", "getsignal", "list_name_plugin"}
_HELD = {
    "__closure__", "__globals__", "__self__", "cell_contents", "f_back", "f_builtins", "f_globals", "f_locals",
}  # fmt: skip
"""Libraries ask for these, to wrap functions and to name callers; tests, and what is a technique, do not."""
_ASKED_BY_NAME = {"get_plugin", "getplugin"}
_PUTS_BACK = {"delitem", "setitem", "dict"}
"""Of monkeypatch and of mock: one module is taken out, or put in, by its name."""
_HINTS = (*_REGISTERED, *_HELD, *_ASKED_BY_NAME, "__subclasses__", "modules")
_WALKS = re.compile(
    r"f_back|_getframe\((?!\s*[0-3]?\s*\))|\b(?:exec|eval|getattr|attrgetter)\(|__getattribute__"
    r"|(?:stack|getouterframes|getinnerframes|trace)\([^)]*\)(?s:.*)\bf_(?:locals|globals)"
)


def reflecting(text: str, *, near: bool) -> str:
    """Where the text of a file does so, as ``line: text``; "" if it does not. `near` is what holds tests, or the unit
    that they test."""
    if not any(hint in text for hint in _HINTS):
        return ""
    try:
        tree = parse(text)
    except NotPython3:
        return ""
    names = _REGISTERED | _HELD if near else _REGISTERED
    line = min((getattr(node, "lineno", 1) for node in _found(tree, names)), default=0)
    return f"{line}: {text.splitlines()[line - 1].strip()[:100]}" if line else ""


def walks_frames(text: str) -> bool:
    """Whether the text of a file that asks for a frame may go on to those of others: further up than its caller's."""
    return bool(_WALKS.search(text))


def _found(tree: ast.AST, names: set[str]) -> Iterator[ast.AST]:  # noqa: PLR0912 -- one table
    plain: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Subscript):
            plain.add(id(node.value))
        elif isinstance(node, ast.Compare):
            plain.update(map(id, node.comparators))
        elif isinstance(node, ast.Call) and last(node.func) in _PUTS_BACK:
            plain.update(map(id, node.args))
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) if name in names:
                yield node
            case ast.Attribute(attr="__subclasses__", value=owner) if _may_be_object(owner):
                yield node
            case ast.Attribute(attr="items" | "values" | "copy", value=owner) if _is_modules(owner):
                yield node
            case ast.Attribute() if _is_modules(node) and id(node) not in plain:
                yield node  # all of them, and neither one by its name nor whether one is there
            case ast.Constant(value=str(text)) if text in names or text == "__subclasses__":
                yield node
            case ast.Call(func=function, args=args) if last(function) in _ASKED_BY_NAME:
                if not args or not isinstance(args[0], ast.Constant):
                    yield node
            case ast.Subscript(value=owner, slice=ast.BinOp() | ast.Call()) if _is_modules(owner):
                yield node
            case ast.ImportFrom(module="sys", names=taken) if any(alias.name == "modules" for alias in taken):
                yield node


def _is_modules(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "modules" and last(node.value) == "sys"


def _may_be_object(owner: ast.expr) -> bool:
    """Whether all classes lie below what an expression stands for: one that is named tells of its own alone."""
    return last(owner) in {"", "object"} or last(owner).startswith("__")

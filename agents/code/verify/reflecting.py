"""Code that goes looking for whatever the interpreter holds, and so may reach what reports on its own tests.

Python tells of frames, of the collector's lists and of machine code while they are asked for (see
``xkg_inside.introspection``); what is looked for here it does not tell of: all classes, all modules, what pytest has
registered, and, where tests or what they test are written, what a function or a method holds on to. Where tests are
written it is also what a function was compiled to, and whatever is put around it: these judge how it is written.
"""

import ast
import doctest
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
_COMPILED = {
    "co_cellvars", "co_code", "co_consts", "co_freevars", "co_linetable", "co_lnotab", "co_names", "co_nlocals",
}  # fmt: skip
"""Parts of a code object that say how a function is written, as its parameters and its place do not."""
_AROUND = "__wrapped__"
"""What a decorator sets; tests of decorators look at one, and only what wants none of them goes on and on."""
_ASKED_BY_NAME = {"get_plugin", "getplugin"}
_PUTS_BACK = {"delitem", "setitem", "dict"}
"""Of monkeypatch and of mock: one module is taken out, or put in, by its name."""
_HINTS = (*_REGISTERED, *_HELD, *_COMPILED, _AROUND, *_ASKED_BY_NAME, "__subclasses__", "dis", "modules")
_WALKS = re.compile(
    r"f_back|_getframe\((?!\s*[0-3]?\s*\))|\b(?:exec|eval|getattr|attrgetter)\(|__getattribute__"
    r"|(?:stack|getouterframes|getinnerframes|trace)\([^)]*\)(?s:.*)\bf_(?:locals|globals)"
)


def reflecting(text: str, *, near: bool, tests: bool = False) -> str:
    """Where the text of a file does so, as ``line: text``; "" if it does not. `near` is what holds tests, or the unit
    that they test, `tests` what holds nothing else."""
    if not any(hint in text for hint in _HINTS):
        return ""
    try:
        tree = parse(text)
    except NotPython3:
        return ""
    names = _REGISTERED | _HELD if near else _REGISTERED
    lines = [getattr(node, "lineno", 1) for node in _found(tree, names | _COMPILED if tests else names)]
    lines += [node.lineno for node in _unwrapping(tree)] if tests else []
    for first, example in _examples(tree) if near else ():
        nodes = [*_found(example, names | _COMPILED), *_unwrapping(example)]
        lines += [first + getattr(node, "lineno", 1) - 1 for node in nodes]
    line = min(lines, default=0)
    return f"{line}: {text.splitlines()[line - 1].strip()[:100]}" if line else ""


def _examples(tree: ast.AST) -> Iterator[tuple[int, ast.Module]]:
    """The examples in texts, each with its line in the file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and ">>>" in node.value:
            try:
                found = doctest.DocTestParser().get_examples(node.value)
                trees = [(node.lineno + each.lineno, parse(each.source)) for each in found]
            except (ValueError, NotPython3):
                continue
            last_line = node.end_lineno or node.lineno
            yield from ((min(line, last_line), each) for line, each in trees)


def _unwrapping(tree: ast.AST) -> Iterator[ast.stmt | ast.expr]:
    """What takes off all that is put around a function, and where byte code is read."""
    for node in ast.walk(tree):
        match node:
            case ast.While() if any(_is_around(each) for each in ast.walk(node)):
                yield node
            case ast.Attribute(attr="__wrapped__", value=ast.Attribute(attr="__wrapped__")):
                yield node
            case ast.Attribute(value=ast.Name(id="dis")) | ast.ImportFrom(module="dis"):
                yield node


def _is_around(node: ast.AST) -> bool:
    return _AROUND in (getattr(node, "attr", None), getattr(node, "value", None))


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

"""Tests whose oracle is the tested code itself, written once more: they prove only that it equals itself.

So it is where the copy is in another file of the code, and a test holds nothing but the one against the other.

Two definitions are copies when nothing but their names, the names of their variables, annotations, decorators and
documentation differ, and the functions beside them that they call are copies, too.
"""

import ast
import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from agents.code.verify.comparisons import stands_alone
from agents.code.verify.running import TestRun
from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = ["common", "copied", "copies_in"]

LEAST = 6
"""Nodes of the syntax tree of a definition: what is smaller is written alike by chance."""
_WHOLE = {"script", "file"}
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_IGNORED = {
    "annotation", "ctx", "decorator_list", "kind", "lineno", "name", "returns", "type_comment", "type_ignores",
    "type_params",
}  # fmt: skip


def copied(
    unit: CodeUnit, runs: Iterable[TestRun], units: Mapping[str, CodeUnit], text_of: Callable[[str], str]
) -> dict[str, str]:
    """Of tests of `unit` those that call a copy of it in a file of tests, in the script that they run, or in another
    file against which alone they hold it: by their ids, the name of the copy with its place (``name in path:line``).

    `units` are all units by their ids, `text_of` gives the text of a file.
    """
    listed = list(runs)
    reached = {run.id: [units[name] for name in run.units if name in units] for run in listed}
    tied = {run.id for run in listed if not stands_alone(run, units, text_of)}
    beside = {
        u.file
        for run, found in reached.items()
        for u in found
        if u.role == "test" or u.kind in _WHOLE or (run in tied and u.file != unit.file)
    }
    mine = _File(text_of(unit.file))
    wanted = {form for node in mine.named(unit) for form in mine.forms(node)}
    copies: dict[str, list[tuple[ast.AST, int, str]]] = {}
    for file in sorted(beside) if wanted else ():
        other = mine if file == unit.file else _File(text_of(file))
        nodes = [node for node in other.definitions if wanted & other.forms(node)]
        copies[file] = [
            (node, node.lineno, f"{getattr(node, 'name', 'lambda')} in {file}:{node.lineno}")
            for node in nodes
            if file != unit.file or not unit.line <= node.lineno <= unit.end_line
        ]
    return {
        run: shown
        for run, found in reached.items()
        for u in found
        for node, line, shown in copies.get(u.file, ())
        if u.kind in _WHOLE
        or ((u.role == "test" or run in tied) and u.line <= line <= u.end_line and not _is_beside(node, u))
    }


def copies_in(unit: CodeUnit, text: str, other: str) -> list[str]:
    """The names of what is a copy of `unit`, whose file has `text`, among all that is defined in `other`."""
    mine, theirs = _File(text), _File(other)
    wanted = {form for node in mine.named(unit) for form in mine.forms(node)}
    return [getattr(node, "name", "lambda") for node in theirs.definitions if wanted & theirs.forms(node)]


def common(text: str, other: str) -> list[str]:
    """The names of the definitions in `text` that are copies of what is defined in `other`."""
    mine, theirs = _File(text), _File(other)
    wanted = {form for node in theirs.definitions for form in theirs.forms(node)}
    return [getattr(node, "name", "lambda") for node in mine.definitions if wanted & mine.forms(node)]


def _is_beside(node: ast.AST, unit: CodeUnit) -> bool:
    """Whether a method is one of a class, of which another may have been called."""
    return unit.kind == "class" and not isinstance(node, ast.ClassDef)


class _File:
    """The definitions of a file, and their texts without names."""

    def __init__(self, text: str) -> None:
        try:
            self.tree = parse(text)
        except NotPython3:
            self.tree = ast.Module([], [])
        self.functions = {node.name: node for node in self.tree.body if isinstance(node, _Function)}

    @cached_property
    def definitions(self) -> list[_Function | ast.ClassDef | ast.Lambda]:
        """All functions and classes, however deep."""
        return [n for n in ast.walk(self.tree) if isinstance(n, _Function | ast.ClassDef | ast.Lambda)]

    def named(self, unit: CodeUnit) -> Iterator[ast.AST]:
        """The definition of a unit."""
        for node in self.definitions:
            named = not isinstance(node, ast.Lambda) and node.name == unit.name
            if named and unit.line <= node.lineno <= unit.end_line:
                yield node

    def forms(self, node: ast.AST) -> set[str]:
        """Its text as it calls what is beside it by name, and with the texts of that; nothing if it is too small."""
        if sum(not isinstance(part, ast.expr_context) for part in _inside(node)) < LEAST:
            return set()
        plain = _without_self(node)
        try:
            return {form.of(each) for each in (node, plain) for form in (_Form({}), _Form(self.functions))}
        except RecursionError:  # too deep to be told apart by its names: by what its nodes are
            return {",".join(type(part).__name__ for part in _inside(node))}


def _without_self(node: ast.AST) -> ast.AST:
    """A method that does nothing with its object, as the function that it could be."""
    if not isinstance(node, _Function) or [one.arg for one in node.args.args[:1]] != ["self"]:
        return node
    if any(isinstance(part, ast.Name) and part.id == "self" for part in ast.walk(node)):
        return node
    plain = copy.copy(node)
    plain.args = copy.copy(node.args)
    plain.args.args = node.args.args[1:]
    return plain


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """All that a definition does."""
    body = [node.body] if isinstance(node, ast.Lambda) else getattr(node, "body", [])
    return (part for statement in body if not _says_nothing(statement) for part in ast.walk(statement))


def _says_nothing(node: ast.AST) -> bool:
    documented = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    declared = isinstance(node, ast.AnnAssign) and node.value is None
    return documented or declared or isinstance(node, ast.Pass)


class _Form:
    """The text of a definition without names; of `functions` by their names, what is in them takes their place."""

    def __init__(self, functions: Mapping[str, _Function], within: tuple[str, ...] = ()) -> None:
        self.functions, self.within = functions, within
        self.places: dict[str, int] = {}

    def of(self, node: ast.AST) -> str:
        """Of a function, a lambda or a class."""
        names = {getattr(node, "name", "")} - {""}
        for part in ast.walk(node):
            if isinstance(part, ast.arg):
                names.add(part.arg)
            elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                names.add(part.id)
            elif isinstance(part, _Function) and not isinstance(node, ast.ClassDef):
                names.add(part.name)
        self.local = names
        return self._text(node)

    def _text(self, node: object) -> str:
        if isinstance(node, list):
            return f"[{','.join(self._text(item) for item in node if not _is_silent(item))}]"
        if not isinstance(node, ast.AST):
            return repr(node)
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            node = ast.Assign([node.target], node.value)
        kind, parts = type(node).__name__, dict(ast.iter_fields(node))
        if isinstance(node, _Function | ast.Lambda):
            body = [ast.Return(node.body)] if isinstance(node, ast.Lambda) else node.body
            kind, parts = "function", {"args": node.args, "body": body}
        elif isinstance(node, ast.arg):
            return self._name(node.arg)
        ignored = _IGNORED - {"name"} if isinstance(node, ast.alias) else _IGNORED
        told = [f"{name}={self._text(value)}" for name, value in parts.items() if name not in ignored]
        if isinstance(node, ast.ClassDef):
            methods = [part.name for part in node.body if isinstance(part, _Function)]
            told.append(repr(methods))
        return f"{kind}({','.join(told)})"

    def _name(self, name: str) -> str:
        if name in self.local:
            return f"#{self.places.setdefault(name, len(self.places))}"
        if name in self.functions and name not in self.within:
            return _Form(self.functions, (*self.within, name)).of(self.functions[name])
        return name


def _is_silent(item: object) -> bool:
    return isinstance(item, ast.AST) and _says_nothing(item)

"""What one text of a package says about itself, by `symtable` and one walk over its tree."""

import ast
import symtable
from dataclasses import dataclass, field
from functools import lru_cache

from agents.code.modules.reading import read_facts
from agents.code.modules.scopes import is_type_checking
from agents.code.units.python import parse

__all__ = ["Imported", "Summary", "summarise"]


@dataclass(frozen=True)
class Imported:
    """``from module import names`` (`names` empty for ``import module``); `caught` if its failure is."""

    module: str
    level: int
    names: tuple[str, ...]
    caught: bool


@dataclass
class Summary:
    """Globals that are bound and read, names read where a NameError is caught (`tried`), imports that may run.

    `computes` says that globals are bound under computed names.
    """

    bound: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)
    imports: list[Imported] = field(default_factory=list)
    computes: bool = False


@lru_cache(maxsize=2_000)
def summarise(text: str) -> Summary:
    """The summary of a Python text. Raises NotPython3, SyntaxError, ValueError or RecursionError if it is none."""
    summary = Summary()
    tree = parse(text)
    _symbols(text, summary)
    if "globals()" in text or "vars()" in text or "locals()" in text:
        summary.computes = any(read_facts(node).computes for node in tree.body)
    pending: list[tuple[ast.AST, bool, bool]] = [(tree, False, False)]
    while pending:
        node, caught, tried = pending.pop()
        if isinstance(node, ast.Import):
            summary.imports += [Imported(alias.name, 0, (), caught) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            summary.imports.append(Imported(node.module or "", node.level, names, caught))
        elif isinstance(node, ast.Name):
            if tried:
                summary.tried.add(node.id)
        elif isinstance(node, ast.Try):
            imports = caught or _catches(node, "ImportError", "ModuleNotFoundError")
            names_too = tried or _catches(node, "NameError")
            pending += [(part, imports, names_too) for part in node.body]
            pending += [(part, caught, tried) for part in (*node.handlers, *node.orelse, *node.finalbody)]
        elif isinstance(node, ast.If) and is_type_checking(node.test):
            pending += [(part, caught, tried) for part in node.orelse]
        else:
            pending += [(part, caught, tried) for part in ast.iter_child_nodes(node)]
    return summary


def _symbols(text: str, summary: Summary) -> None:
    """Globals of a text. Before Python 3.13 `symtable` calls locals of a function named "top" global as well."""
    top = symtable.symtable(text, "module", "exec")
    pending = [top]
    while pending:
        table = pending.pop()
        pending += table.get_children()
        for symbol in table.get_symbols():
            name = symbol.get_name()
            if table is top:
                if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
                    summary.bound.add(name)
                elif symbol.is_referenced():
                    summary.read.add(name)
            elif symbol.is_global() and (symbol.is_declared_global() or not symbol.is_local()):
                if symbol.is_referenced():
                    summary.read.add(name)
                if symbol.is_declared_global() and (symbol.is_assigned() or symbol.is_imported()):
                    summary.bound.add(name)


def _catches(node: ast.Try, *errors: str) -> bool:
    for handler in node.handlers:
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        for kind in kinds:
            if kind is None or (isinstance(kind, ast.Name) and kind.id in (*errors, "Exception", "BaseException")):
                return True
    return False

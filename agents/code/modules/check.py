"""Whether a mini-package stands alone, judged from its texts: by `symtable`, not by what the slicer meant to take."""

import ast
import symtable
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from agents.code.modules.scopes import BUILTINS, is_type_checking
from agents.code.units.imports import ImportResolver, Place
from agents.execution.environments.names import known_part
from agents.execution.syntax import NotPython3, parse, quietly

__all__ = ["Finding", "Summary", "inspect_files", "summarise", "third_party"]


@dataclass(frozen=True)
class Imported:
    """``from module import names`` (`names` empty for ``import module``); `caught` if its failure is."""

    module: str
    level: int
    names: tuple[str, ...]
    caught: bool


@dataclass
class Summary:
    """Globals that are bound and read, names read where a NameError is caught (`tried`), imports that may run."""

    bound: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)
    imports: list[Imported] = field(default_factory=list)


@dataclass(frozen=True, order=True)
class Finding:
    """Something that does not stand alone: a "syntax" error, a global "name" that nothing serves, or an "import" of
    what the package does not have."""

    file: str
    kind: str
    what: str


def inspect_files(files: Mapping[str, str]) -> list[Finding]:
    """All findings in the Python files of a package, by path and text."""
    found: list[Finding] = []
    modules: dict[str, Summary] = {}
    for path, text in files.items():
        if not path.endswith(".py"):
            continue
        try:
            modules[path] = summarise(text)
        except (NotPython3, SyntaxError, ValueError, RecursionError, MemoryError) as error:
            found.append(Finding(path, "syntax", " ".join(str(error).split())[:200] or type(error).__name__))
    package = _Package(modules)
    for path, module in modules.items():
        found += [Finding(path, "import", missing) for missing in package.missing(path)]
        unserved = module.read - module.bound - module.tried - BUILTINS
        if unserved and not package.open(path):
            found += [Finding(path, "name", name) for name in sorted(unserved - package.starred(path))]
    return sorted(found)


def third_party(files: Mapping[str, str]) -> tuple[str, ...]:
    """Top-level names that the files import when run and that are neither theirs nor of the standard library; also
    dotted ones that a distribution of their own provides."""
    inner = {path.split("/")[0].removesuffix(".py") for path in files} | sys.stdlib_module_names | {"__future__", ""}
    names: set[str] = set()
    for path, text in files.items():
        if path.endswith(".py"):
            try:
                imports = [i for i in summarise(text).imports if not i.level]
            except (NotPython3, SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            names |= {f"{i.module}.{name}" for i in imports for name in i.names} | {i.module for i in imports}
    parts = {part for name in names for part in (name.partition(".")[0], known_part(name))}
    return tuple(sorted(part for part in parts if part.partition(".")[0] not in inner))


class _Package:
    """Modules of the package by path, and what importing from them finds."""

    def __init__(self, modules: Mapping[str, Summary]) -> None:
        self.modules = modules
        self.imports = ImportResolver(modules)

    def missing(self, path: str) -> list[str]:
        """Imports of `path` that lead into the package, but to nothing."""
        found: set[str] = set()
        for imported in self.modules[path].imports:
            place = self._source(path, imported)
            dotted = "." * imported.level + imported.module
            inside = imported.level or self.imports.at("", imported.module.partition(".")[0])
            if imported.caught or (place is None and not inside):
                continue
            if place is None:
                found.add(dotted)
            else:
                found |= {f"{dotted.rstrip('.')}.{name}" for name in imported.names if not self._has(place, name)}
        return sorted(found)

    def _source(self, path: str, imported: Imported) -> Place | None:
        """The module that an import names, None if it is not of the package, whose top is on the import path."""
        if imported.level:
            return self.imports.relative(path, imported.level, imported.module)
        return self.imports.walk("", imported.module.split("."))

    def _has(self, place: Place, name: str) -> bool:
        if name == "*" or self.imports.child(place, name):
            return True
        if place not in self.modules:
            return False
        bound = self.modules[place].bound
        return name in bound or "__getattr__" in bound or name in self.starred(place) or self.open(place)

    def starred(self, path: str) -> set[str]:
        """Names that star imports from within the package bring."""
        names: set[str] = set()
        for imported in self.modules[path].imports:
            place = self._source(path, imported) if "*" in imported.names else None
            names |= self.modules[place].bound if place and place in self.modules else set()
        return names

    def open(self, path: str) -> bool:
        """Whether a star import from outside of the package may serve any name."""
        stars = [self._source(path, imported) for imported in self.modules[path].imports if "*" in imported.names]
        return None in stars


@lru_cache(maxsize=2_000)
def summarise(text: str) -> Summary:
    """The summary of a Python text. Raises NotPython3, SyntaxError, ValueError or RecursionError if it is none."""
    summary = Summary()
    tree = parse(text)
    _symbols(text, summary)
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
    with quietly():
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

"""Whether a mini-package stands alone, judged from its texts: by `symtable`, not by what the slicer meant to take."""

import ast
import symtable
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from agents.code.modules.reading import read_facts
from agents.code.modules.scopes import BUILTINS, is_type_checking
from agents.code.units.python import NotPython3, parse
from agents.execution.environments.names import known_part

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
    """Globals that are bound and read, names read where a NameError is caught (`tried`), imports that may run.

    `computes` says that globals are bound under computed names.
    """

    bound: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)
    imports: list[Imported] = field(default_factory=list)
    computes: bool = False


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
    own = {path.split("/")[0].removesuffix(".py") for path in files} | sys.stdlib_module_names | {"__future__", ""}
    names: set[str] = set()
    for path, text in files.items():
        if path.endswith(".py"):
            try:
                imports = [i for i in summarise(text).imports if not i.level]
            except (NotPython3, SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            names |= {f"{i.module}.{name}" for i in imports for name in i.names} | {i.module for i in imports}
    parts = {part for name in names for part in (name.partition(".")[0], known_part(name))}
    return tuple(sorted(part for part in parts if part.partition(".")[0] not in own))


class _Package:
    """Modules of the package by dotted name, and what importing from them finds."""

    def __init__(self, modules: Mapping[str, Summary]) -> None:
        self.modules = modules
        self.by_name = {_dotted(path): path for path in modules}
        self.folders = {".".join(path.split("/")[:end]) for path in modules for end in range(1, path.count("/") + 1)}
        self.tops = {name.partition(".")[0] for name in (*self.by_name, *self.folders)}

    def missing(self, path: str) -> list[str]:
        """Imports of `path` that lead into the package, but to nothing."""
        found = []
        for imported in self.modules[path].imports:
            dotted = self._absolute(path, imported)
            if imported.caught:
                continue
            if dotted is None:
                found.append("." * imported.level + imported.module)
            elif dotted.partition(".")[0] not in self.tops and not imported.level:
                continue
            elif dotted not in self.by_name and dotted not in self.folders:
                found.append(dotted)
            else:
                found += [f"{dotted}.{name}" for name in imported.names if not self._has(dotted, name)]
        return sorted(set(found))

    def _has(self, dotted: str, name: str) -> bool:
        if name == "*" or f"{dotted}.{name}" in self.by_name or f"{dotted}.{name}" in self.folders:
            return True
        path = self.by_name.get(dotted)
        if path is None:
            return False
        bound = self.modules[path].bound
        return name in bound or "__getattr__" in bound or name in self.starred(path) or self.open(path)

    @staticmethod
    def _absolute(path: str, imported: Imported) -> str | None:
        if not imported.level:
            return imported.module
        parts = path.split("/")
        if len(parts) <= imported.level:
            return None
        return ".".join([*parts[: -imported.level], *([imported.module] if imported.module else [])])

    def starred(self, path: str) -> set[str]:
        """Names that star imports from within the package bring."""
        names: set[str] = set()
        for source in self._star_sources(path):
            if inner := self.by_name.get(source):
                names |= self.modules[inner].bound
        return names

    def open(self, path: str) -> bool:
        """Whether a star import from outside of the package, or globals with computed names, may serve any name."""
        outside = any(source.partition(".")[0] not in self.tops for source in self._star_sources(path))
        return outside or self.modules[path].computes

    def _star_sources(self, path: str) -> list[str]:
        stars = (self._absolute(path, i) for i in self.modules[path].imports if "*" in i.names)
        return [source for source in stars if source is not None]


def _dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


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

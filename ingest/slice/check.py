"""Whether a mini-package stands alone, judged from its texts: by `symtable`, not by what the slicer meant to take."""

import ast
import symtable
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from ingest.slice.repository import BUILTINS
from ingest.slice.scopes import is_type_checking
from ingest.units.python import NotPython3, parse

__all__ = ["Finding", "inspect_files", "third_party"]


@dataclass(frozen=True, order=True)
class Finding:
    """Something that does not stand alone: a "syntax" error, a global "name" that nothing serves, or an "import" of
    what the package does not have."""

    file: str
    kind: str
    what: str


@dataclass
class _File:
    tree: ast.Module
    bound: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    stars: list[str] = field(default_factory=list)
    open: bool = False


def inspect_files(files: Mapping[str, str]) -> list[Finding]:
    """All findings in the Python files of a package, by path and text."""
    found: list[Finding] = []
    modules: dict[str, _File] = {}
    for path, text in files.items():
        if not path.endswith(".py"):
            continue
        try:
            modules[path] = _read(path, text)
        except (NotPython3, SyntaxError, ValueError, RecursionError, MemoryError) as error:
            found.append(Finding(path, "syntax", " ".join(str(error).split())[:200] or type(error).__name__))
    package = _Package(modules)
    for path, module in modules.items():
        found += [Finding(path, "import", missing) for missing in package.missing(path)]
        served = module.bound | BUILTINS | package.starred(path)
        if not package.open(path):
            tried = _tried(module.tree)
            found += [Finding(path, "name", name) for name in sorted(module.read - served - tried)]
    return sorted(found)


def third_party(files: Mapping[str, str]) -> tuple[str, ...]:
    """Top-level names that the files import when run and that are neither theirs nor of the standard library."""
    tops = {path.split("/")[0].removesuffix(".py") for path in files}
    names: set[str] = set()
    for text in files.values():
        try:
            tree = parse(text)
        except NotPython3:
            continue
        for dotted, level, _ in _imports(tree):
            if not level:
                names.add(dotted.partition(".")[0])
    return tuple(sorted(names - tops - sys.stdlib_module_names - {"__future__", ""}))


def _read(path: str, text: str) -> _File:
    module = _File(parse(text))
    top = symtable.symtable(text, path, "exec")
    pending = [top]
    while pending:
        table = pending.pop()
        pending += table.get_children()
        for symbol in table.get_symbols():
            name = symbol.get_name()
            if table is top:
                if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
                    module.bound.add(name)
                elif symbol.is_referenced():
                    module.read.add(name)
            elif symbol.is_global():
                if symbol.is_referenced():
                    module.read.add(name)
                if symbol.is_declared_global() and (symbol.is_assigned() or symbol.is_imported()):
                    module.bound.add(name)
    return module


def _imports(tree: ast.Module) -> list[tuple[str, int, tuple[str, ...]]]:
    """(module, level, names) of every import that may run; names are empty for plain imports."""
    found: list[tuple[str, int, tuple[str, ...]]] = []
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            found += [(alias.name, 0, ()) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append((node.module or "", node.level, tuple(alias.name for alias in node.names)))
        elif isinstance(node, ast.If) and is_type_checking(node.test):
            pending += node.orelse
        else:
            pending += ast.iter_child_nodes(node)
    return found


def _tried(tree: ast.Module) -> set[str]:
    """Names read where a NameError is caught, and all names of imports whose failure is."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and _catches(node, "NameError"):
            names |= {n.id for part in node.body for n in ast.walk(part) if isinstance(n, ast.Name)}
    return names


def _catches(node: ast.Try, *errors: str) -> bool:
    for handler in node.handlers:
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        for kind in kinds:
            if kind is None or (isinstance(kind, ast.Name) and kind.id in (*errors, "Exception", "BaseException")):
                return True
    return False


class _Package:
    """Modules of the package by dotted name, and what importing from them finds."""

    def __init__(self, modules: Mapping[str, _File]) -> None:
        self.modules = modules
        self.by_name = {_dotted(path): path for path in modules}
        self.folders = {".".join(path.split("/")[:end]) for path in modules for end in range(1, path.count("/") + 1)}
        self.tops = {name.partition(".")[0] for name in (*self.by_name, *self.folders)}

    def missing(self, path: str) -> list[str]:
        """Imports of `path` that lead into the package, but to nothing."""
        found = []
        caught = self._caught(path)
        for module, level, names in _imports(self.modules[path].tree):
            dotted = self._absolute(path, module, level)
            if dotted is None:
                found.append("." * level + module)
            elif (dotted.partition(".")[0] not in self.tops and not level) or (module, level) in caught:
                continue
            elif dotted not in self.by_name and dotted not in self.folders:
                found.append(dotted)
            else:
                found += [f"{dotted}.{name}" for name in names if not self._has(dotted, name)]
        return sorted(set(found))

    def _caught(self, path: str) -> set[tuple[str, int]]:
        found = set()
        for node in ast.walk(self.modules[path].tree):
            if isinstance(node, ast.Try) and _catches(node, "ImportError", "ModuleNotFoundError"):
                inner = ast.Module(body=node.body, type_ignores=[])
                found |= {(module, level) for module, level, _ in _imports(inner)}
        return found

    def _has(self, dotted: str, name: str, depth: int = 0) -> bool:
        if name == "*" or f"{dotted}.{name}" in self.by_name or f"{dotted}.{name}" in self.folders:
            return True
        path = self.by_name.get(dotted)
        if path is None or depth > 20:
            return False
        module = self.modules[path]
        return name in module.bound or "__getattr__" in module.bound or self.open(path) or name in self.starred(path)

    def _absolute(self, path: str, module: str, level: int) -> str | None:
        if not level:
            return module
        parts = path.split("/")[:-level]
        if len(path.split("/")) <= level:
            return None
        return ".".join([*parts, *([module] if module else [])])

    def starred(self, path: str) -> set[str]:
        """Names that star imports from within the package bring."""
        names: set[str] = set()
        for source in self._star_sources(path):
            inner = self.by_name.get(source)
            if inner:
                names |= self.modules[inner].bound
        return names

    def open(self, path: str) -> bool:
        """Whether a star import from outside of the package may serve any name."""
        return any(source.partition(".")[0] not in self.tops for source in self._star_sources(path))

    def _star_sources(self, path: str) -> list[str]:
        found = []
        for module, level, names in _imports(self.modules[path].tree):
            dotted = self._absolute(path, module, level)
            if "*" in names and dotted is not None:
                found.append(dotted)
        return found


def _dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

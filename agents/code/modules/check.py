"""Whether a mini-package stands alone, judged from its texts: by `symtable`, not by what the slicer meant to take."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass

from agents.code.modules.repository import BUILTINS
from agents.code.modules.summary import Imported, Summary, summarise
from agents.code.units.python import NotPython3
from agents.execution.environments.names import known_part

__all__ = ["Finding", "inspect_files", "third_party"]


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

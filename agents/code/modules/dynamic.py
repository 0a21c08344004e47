"""Modules that code imports by name at run time: ``importlib.import_module`` and ``__import__``."""

from agents.code.modules.layout import Place
from agents.code.modules.repository import Repository

__all__ = ["module_called", "modules_like"]


def module_called(repository: Repository, path: Place, name: str, anchor: str) -> Place | None:
    """The module of a literal name as file `path` gives it, relative to the package `anchor` if it starts with dots."""
    layout = repository.layout
    level = len(name) - len(name.lstrip("."))
    if not level:
        return layout.absolute(path, name, (), repository.offers)
    package = layout.absolute(path, anchor, (), repository.offers) if anchor and "__" not in anchor else None
    return layout.relative(package or path, level, name[level:])


def modules_like(repository: Repository, path: Place, prefix: str, suffix: str) -> list[Place]:
    """The modules of one folder that a computed name may mean, known by how it starts and ends."""
    package = repository.layout.absolute(path, prefix.rpartition(".")[0].strip("."), (), repository.offers)
    base = repository.layout.base(package) if package else None
    if base is None:
        return []
    start = base + prefix.rpartition(".")[2]
    inside = [f for f in sorted(repository.locations) if f.startswith(start) and "/" not in f[len(base) :]]
    return [f for f in inside if f.removesuffix(".py").endswith(suffix.removesuffix("."))]

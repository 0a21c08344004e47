"""Names that an original takes of modules which are not its own, and how to look which of them are there."""

import ast
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from agents.execution.syntax import NotPython3, parse

__all__ = ["Probe", "probe"]

MOST = 400
"""Names that are looked for at most."""


@dataclass(frozen=True)
class Probe:
    """A module whose `text` imports what is looked for, statement by statement, and by each dotted name of `paths` how
    that module comes to it."""

    text: str
    paths: Mapping[str, str]

    def lacking(self, there: Collection[str]) -> list[str]:
        """Of the names whose paths are not `there` those of which no shorter one is missing already."""
        missing = {name for name, path in self.paths.items() if path not in there}
        return sorted(name for name in missing if not any(name.startswith(f"{other}.") for other in missing))


@dataclass(frozen=True, order=True)
class _Import:
    """What an import binds: the `statement` (with a hole for a name of ours, if it gives one) and what it is called."""

    name: str
    statement: str


def probe(files: Mapping[str, str]) -> Probe:
    """What looks for all that the Python `files` import of modules that are none of them, and for the attributes of it
    that they name. A name that a file binds in more than one way says nothing, and is left out."""
    inner = {path.split("/")[0].removesuffix(".py") for path in files}
    wanted = defaultdict[_Import, set[str]](set)
    for path, text in files.items():
        try:
            tree = parse(text)
        except NotPython3:
            continue
        bound = _bound(tree, inner) if path.endswith(".py") else {}
        for imports in bound.values():
            for one in imports:
                wanted[one].add("")
        for local, attributes in _chains(tree):
            for one in bound.get(local, ()):
                wanted[one].update(".".join(attributes[:end]) for end in range(1, len(attributes) + 1))
    lines, paths = [], dict[str, str]()
    for number, (one, found) in enumerate(sorted(wanted.items())):
        own = f"_{number}"
        lines.append(one.statement.format(own))
        at = own if "{}" in one.statement else one.name
        paths |= {f"{one.name}.{more}".rstrip("."): f"{at}.{more}".rstrip(".") for more in sorted(found)}
    return Probe("\n".join([*lines, ""]), dict([*paths.items()][:MOST]))


def _bound(tree: ast.Module, inner: Collection[str]) -> dict[str, set[_Import]]:
    """By each name that only imports bind, and all to the same, what they bind to it."""
    found = defaultdict[str, set[_Import]](set)
    other = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                if top in inner:
                    continue
                statement = f"import {alias.name} as {{}}" if alias.asname else f"import {alias.name}"
                found[alias.asname or top].add(_Import(alias.name if alias.asname else top, statement))
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            if node.module.partition(".")[0] not in {*inner, "__future__"}:
                for alias in node.names:
                    one = _Import(f"{node.module}.{alias.name}", f"from {node.module} import {alias.name} as {{}}")
                    found[alias.asname or alias.name].add(one)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            other.add(node.id)
        elif isinstance(node, ast.arg):
            other.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            other.add(node.name)
    return {
        name: imports for name, imports in found.items()
        if name not in {*other, "*"} and len({one.name for one in imports}) == 1
    }  # fmt: skip


def _chains(tree: ast.Module) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Names with the attributes that are read of them, one after the other."""
    for node in ast.walk(tree):
        attributes, at = list[str](), node
        while isinstance(at, ast.Attribute) and isinstance(at.ctx, ast.Load):
            attributes.insert(0, at.attr)
            at = at.value
        if attributes and isinstance(at, ast.Name):
            yield at.id, tuple(attributes)

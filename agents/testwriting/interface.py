"""What a model is shown of a unit: how it is called and what its documentation says; never what it does."""

import ast
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from agents.code.units.imports import ImportResolver
from agents.execution.environments import is_standard
from agents.execution.syntax import NotPython3, parse
from agents.testwriting.literals import choices, tables
from agents.testwriting.lookups import Around, lookups, taken
from agents.testwriting.returned import Function, definition, forms, function_of, kept_by
from kg.models.code import CodeUnit

__all__ = ["Interface", "interface"]

DOCSTRING, BRIEF = 4_000, 400
"""Characters of the docstring of the unit itself, and of all others."""
CLASSES, METHODS = 6, 12
"""Classes that are shown beside the unit, and methods of each, at most."""
KEPT = 24
"""Attributes of the objects of a class that are named, at most."""
READ = 12
"""Parameters of which it is told what is looked up in them, at most."""
CALLERS = 40
"""Callers that are looked at, at most."""
CALLED = {"__call__", "__contains__", "__getitem__", "__iter__"}
"""Methods that are public by another name."""
_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Interface:
    """`text` is what is shown, `stated` of it the signatures and the documentation; `bound` are the names of
    the unit's module that its tests have, the classes among them in `classes`, `methods` the names of their methods;
    `libraries` are the top-level names that its file imports from outside of the repository."""

    text: str
    stated: str
    bound: tuple[str, ...]
    classes: frozenset[str]
    methods: frozenset[str]
    libraries: frozenset[str]

    @property
    def worth(self) -> set[str]:
        """Libraries that a test may use, as distributions are called."""
        more = {"numpy", "scipy", "torch", "jax", "pandas", "scikit_learn", "networkx", "pytest"}
        return more | {name.lower() for name in self.libraries}


def interface(
    unit: CodeUnit, units: Mapping[str, CodeUnit], resolver: ImportResolver, lifted: Mapping[str, str] | None = None,
    text: str = "",
) -> Interface | None:  # fmt: skip
    """The interface of `unit` among the `units` of its repository, by id; None if no test can name it. `lifted` says of
    parameters which expressions they stand for; `text` is that of the unit's file."""
    owners = list(_owners(unit, units))
    if unit.kind not in {"function", "method", "class"} or any(owner.kind != "class" for owner in owners):
        return None
    top = owners[-1] if owners else unit
    seen = _classes(unit, owners, units, resolver)
    lines = [f"UNIT UNDER TEST: {unit.symbol} ({unit.kind}), in {unit.file}", *_shown(unit, DOCSTRING)]
    lines += [f"    given {one}: stands for {said}" for one, said in (lifted or {}).items()]
    if out := list(_taken(unit, units, resolver)):
        lines.append(f"    callers look up in what it gives: {', '.join(out)}")
    if read := list(_read(unit, owners, units, resolver, text)):
        lines += ["    looked up, or set, in what it is given:", *(f"        {one}" for one in read[:READ])]
    if unit.kind == "class":
        lines += _members(unit, units)
    for owner in reversed(owners):
        lines += ["", f"CLASS {owner.symbol}, which it is a method of", *_shown(owner, BRIEF), *_members(owner, units)]
    for other in seen:
        lines += ["", f"CLASS {other.symbol}, of {other.file}", *_shown(other, BRIEF), *_members(other, units)]
    bound = tuple(dict.fromkeys([top.symbol, *(other.symbol for other in seen)]))
    classes = frozenset(one.symbol for one in (top, *seen) if one.kind == "class")
    ids = {one.id for one in (top, *seen)}
    methods = frozenset(one.name for one in units.values() if one.parent in ids)
    stated = _stated(unit, DOCSTRING)
    for one in (unit, *owners, *seen):
        stated += _constructor(one, units)
        stated += [line for each in [one, *_public(one, units)] for line in _stated(each, BRIEF)]
    libraries = frozenset(_libraries(unit, resolver))
    return Interface("\n".join(lines), "\n".join(stated), bound, classes, methods, libraries)


def _owners(unit: CodeUnit, units: Mapping[str, CodeUnit]) -> Iterator[CodeUnit]:
    """What a unit stands in, the nearest first."""
    while unit.parent and unit.parent in units and "." in unit.symbol:
        unit = units[unit.parent]
        yield unit


def _shown(unit: CodeUnit, limit: int) -> list[str]:
    """Signature, documentation, and the form of what comes back."""
    function = function_of(unit)
    form = forms(function) if function else ""
    return [*_stated(unit, limit), *([f"    {form}"] if form else [])]


def _stated(unit: CodeUnit, limit: int) -> list[str]:
    """Signature and documentation: what its authors say of it."""
    said = unit.docstring.strip()
    said = said if len(said) <= limit else f"{said[:limit]} …"
    return [unit.signature or unit.symbol, *([textwrap.indent(said, "    ")] if said else [])]


def _members(unit: CodeUnit, units: Mapping[str, CodeUnit]) -> list[str]:
    """How a class is made, what its objects keep, and its public methods, as they are called."""
    shown = [textwrap.indent("\n".join(_shown(one, BRIEF)), "    ") for one in _public(unit, units)]
    kept = kept_by(made) if isinstance(made := definition(unit), ast.ClassDef) else []
    return _constructor(unit, units) + ([f"    attributes: {', '.join(kept[:KEPT])}"] if kept else []) + shown


def _constructor(unit: CodeUnit, units: Mapping[str, CodeUnit]) -> list[str]:
    """What stands for the signature of a constructor that is not written."""
    written = any(one.parent == unit.id and one.name == "__init__" for one in units.values())
    fields = [] if written else list(_fields(unit))
    return [f"    fields: {', '.join(fields)}"] if fields else []


def _public(unit: CodeUnit, units: Mapping[str, CodeUnit]) -> list[CodeUnit]:
    """The methods of a class that are shown."""
    mine = [one for one in units.values() if one.parent == unit.id and one.kind == "method"]
    special = [one for one in mine if one.name in {"__init__", "__call__"}]
    public = [one for one in mine if not one.name.startswith("_")]
    return [*special, *public[:METHODS]]


def _fields(unit: CodeUnit) -> Iterator[str]:
    """The annotated fields of a class that writes no constructor: they are its parameters."""
    made = definition(unit)
    for node in made.body if isinstance(made, ast.ClassDef) else ():
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield f"{node.target.id}: {ast.unparse(node.annotation)}" + (" (optional)" if node.value else "")
        elif isinstance(node, ast.Assign) and "Enum" in " ".join(unit.bases):
            yield from (f"{target.id} (member)" for target in node.targets if isinstance(target, ast.Name))


def _read(
    unit: CodeUnit, owners: Sequence[CodeUnit], units: Mapping[str, CodeUnit], resolver: ImportResolver, text: str
) -> Iterator[str]:
    """A line for each parameter of a unit, or of how its class is made, in which something is looked up: what stands in
    for an argument must have it."""
    classes = {unit.id, *(owner.id for owner in owners)}
    near = [
        one for one in units.values() if one.file == unit.file and (one.kind == "function" or one.parent in classes)
    ]
    around = _around(unit, near, units, resolver)
    whole = [one.name for one in near if one.kind == "method" and (one.name in CALLED or not one.name.startswith("_"))]
    asked = ["__init__"] if unit.kind != "function" else []
    asked += whole if unit.kind == "class" else [unit.name]
    try:
        tree = parse(text)
    except NotPython3:
        tree = ast.Module([], [])
    known = tables(tree)
    mine = {one.name: node for one in near if (node := function_of(one)) is not None}
    found = lookups([mine[name] for name in asked if name in mine], around, known, choices(tree, known))
    yield from (f"{name}: {', '.join(paths)}" for name, paths in found.items())


def _taken(unit: CodeUnit, units: Mapping[str, CodeUnit], resolver: ImportResolver) -> Iterator[str]:
    """What callers look up in what a unit gives, if its name is no other's but of what it stands in the place of."""
    alike = [one for one in units.values() if one.name == unit.name and one.role == "source" and one.id != unit.id]
    others = (one for one in alike if all(unit.file not in resolver.targets(one.file, name) for name in one.imports))
    if unit.kind not in ("function", "method") or any(others) or unit.name.startswith("__"):
        return
    called = re.compile(rf"\b{re.escape(unit.name)}\(")
    near = (one for one in units.values() if one.id != unit.id and called.search(one.text))
    functions = [node for one in near if (node := function_of(one)) is not None][:CALLERS]
    yield from taken(unit.name, functions)


def _around(
    unit: CodeUnit, near: Iterable[CodeUnit], units: Mapping[str, CodeUnit], resolver: ImportResolver
) -> Around:
    """The functions that a unit may call, and how the classes are made that it may make, by how it names them."""
    files = {file: name for name in unit.imports for file in resolver.targets(unit.file, name)}
    found: dict[str, list[Function]] = {}
    for one in units.values():
        top = "." not in one.symbol
        if one.file in files and one.kind == "function" and top and (node := function_of(one)):
            names = [one.name, f"{PurePosixPath(one.file).stem}.{one.name}"]
            found |= {name: [node] for name in names if name not in found}
        elif one.file in {unit.file, *files} and one.kind == "class" and top:
            mine = [each for each in units.values() if each.parent == one.id and each.kind == "method"]
            first = sorted(mine, key=lambda each: each.name != "__init__")
            names = [one.name, f"{PurePosixPath(one.file).stem}.{one.name}"]
            found |= {name: [node for each in first if (node := function_of(each))] for name in names}
    return found | {one.name: [node] for one in near if (node := function_of(one)) is not None}


def _classes(
    unit: CodeUnit, owners: Iterable[CodeUnit], units: Mapping[str, CodeUnit], resolver: ImportResolver
) -> list[CodeUnit]:
    """Classes of the repository that the unit's module knows, and that it or its bases name, or how its class is
    made."""
    around = {unit.id, *(owner.id for owner in owners)}
    made = [one for one in units.values() if one.parent in around and one.name == "__init__"]
    about = [units[name] for name in around] + made
    words = {word for one in about for word in _WORD.findall(f"{one.signature} {one.docstring} {' '.join(one.bases)}")}
    words |= set(_WORD.findall(unit.text))
    files = {unit.file, *(file for name in unit.imports for file in resolver.targets(unit.file, name))}
    imported = {name.rpartition(".")[2] for name in unit.imports}
    found = [
        one
        for one in units.values()
        if one.kind == "class" and one.role == "source" and one.symbol in words and one.file in files
        if one.id not in around and "." not in one.symbol and (one.file == unit.file or one.name in imported)
    ]
    return sorted(found, key=lambda one: (one.file != unit.file, one.id))[:CLASSES]


def _libraries(unit: CodeUnit, resolver: ImportResolver) -> Iterator[str]:
    for name in unit.imports:
        if not name.startswith(".") and not resolver.module(unit.file, name) and not is_standard(name):
            yield name.partition(".")[0]

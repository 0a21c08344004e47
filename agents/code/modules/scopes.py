"""Python's rules of scope: which variable a name means where it stands.

https://docs.python.org/3/reference/executionmodel.html#naming-and-binding
"""

import ast
import builtins
from dataclasses import dataclass, field
from typing import NamedTuple

from agents.code.modules.facts import Alias, CallSite, Chain, Change, Facts, Use

__all__ = ["BUILTINS", "MAX_CHAIN", "Load", "NameTable", "Scope", "Where", "chain_of", "is_type_checking"]

MAX_CHAIN = 8
BUILTINS = frozenset(dir(builtins)) | {
    "__file__", "__path__", "__spec__", "__loader__", "__package__", "__builtins__", "__cached__", "__dict__",
    "__annotations__", "WindowsError", "__class__", "reveal_type",
}  # fmt: skip


@dataclass(eq=False, slots=True)
class Scope:
    kind: str
    parent: "Scope | None"
    eager: bool
    bound: set[str] = field(default_factory=set)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    aliases: dict[str, list[Alias]] = field(default_factory=dict)


class Where(NamedTuple):
    """How a node is met: its scope, and whether in an annotation, below TYPE_CHECKING, nested in another statement,
    as a value thrown away, where only the object and not its contents matters, or where a failing import (`guarded`)
    or an unknown name (`tried`) is caught."""

    scope: Scope
    annotation: bool = False
    typing: bool = False
    nested: bool = False
    bare: bool = False
    contents: bool = True
    guarded: bool = False
    tried: bool = False


class Load(NamedTuple):
    name: str
    chain: Chain
    where: Where
    line: int


def chain_of(node: ast.expr) -> tuple[str, Chain] | None:
    """Name and attributes of ``a.b.c``; None for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return node.id, tuple(reversed(parts))[:MAX_CHAIN]


def is_type_checking(test: ast.expr) -> bool:
    """Whether a condition is `typing.TYPE_CHECKING`."""
    named = chain_of(test)
    return bool(named) and (named[1] or named[:1])[-1] == "TYPE_CHECKING"  # type: ignore[index]  # checked by bool()


class NameTable:
    """What a statement does with names, as it is met; `settle` tells globals from locals once all of it is known."""

    def __init__(self, lazy_annotations: bool) -> None:
        self.lazy = lazy_annotations
        self.facts = Facts()
        self.module = Scope("module", None, eager=True)
        self.outer: Scope | None = None
        self.loads: list[Load] = []
        self.changes: list[tuple[str, Chain, Scope, str]] = []
        self.calls: list[tuple[str, Chain, Where, tuple[tuple[int | str, str], ...]]] = []

    def bind(self, name: str, scope: Scope) -> None:
        while scope.kind == "comprehension" and scope.parent:
            scope = scope.parent
        scope.bound.add(name)

    def settle(self, statement: ast.stmt) -> None:
        self.facts.binds = self.module.bound
        for load in self.loads:
            self.settle_load(load)
        for name, chain, scope, kind in self.changes:
            owner = self.owner(name, scope)
            if owner is self.module:
                self.facts.changes.add(Change(name, chain, scope.eager, kind))
            elif owner is self.outer and name in self.facts.parameters:
                self.facts.changed_parameters.add(name)
            for alias in owner.aliases.get(name, ()):
                alias.uses.add(chain)
        for name, chain, where, arguments in self.calls:
            if self.owner(name, where.scope) is self.module:
                given = tuple(a for a in arguments if self.owner(a[1], where.scope) is self.module)
                self.facts.calls.add(CallSite(name, chain, where.scope.eager, where.bare, given))
        for alias in self.facts.aliases:
            if alias.at_module and alias.bound and alias.bound not in self.module.bound:
                self.facts.late.add(alias.bound)
        for node in ast.walk(statement):
            if isinstance(node, ast.Global):
                self.facts.late.update(set(node.names))
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            self.facts.binds.add("__doc__")

    def settle_load(self, load: Load) -> None:
        scope = load.where.scope
        owner = self.owner(load.name, scope)
        soft = load.where.typing or load.where.tried or (load.where.annotation and self.lazy)
        if owner is self.module:
            use = Use(load.name, load.chain, scope.eager, load.where.contents, soft, load.line)
            self.facts.uses[use] = None
            return
        for alias in owner.aliases.get(load.name, ()):
            alias.uses.add(load.chain)
        if owner is scope and scope.kind == "class":
            self.facts.uses[Use(load.name, load.chain, scope.eager, load.where.contents, True, load.line)] = None

    def owner(self, name: str, scope: Scope) -> Scope:
        """The scope whose variable `name` is, seen from `scope`."""
        at: Scope | None = scope
        while at is not None and at.parent is not None:
            if name in at.globals:
                return self.module
            if name in at.bound and name not in at.nonlocals and (at is scope or at.kind != "class"):
                return at
            at = at.parent
        return self.module

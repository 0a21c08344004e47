"""What one statement says: which names it binds, reads and changes, and what it imports."""

import ast
from dataclasses import dataclass, field

__all__ = ["Alias", "CallSite", "Change", "Facts", "Use"]

Chain = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """A global name that is read, with the attributes that follow: ``a.b.c`` is ("a", ("b", "c")).

    `contents` is whether what the object holds may matter: not where it is only added to (``REG["x"] = f``) or derived
    from. A `soft` use need not be served: annotations that are never evaluated, names looked up late in a class body.
    """

    name: str
    chain: Chain = ()
    eager: bool = True
    contents: bool = True
    soft: bool = False
    line: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """A global object that is changed: ``name.chain`` gets an attribute, an item, or has a method called on it.

    `kind` is "attribute", "item", "call" or "register" (by a decorator or as a base class of what is defined).
    """

    name: str
    chain: Chain
    eager: bool
    kind: str


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call of a global ``name.chain`` with the global names among its arguments, by position or keyword.

    `bare` says that its value is thrown away, so that it is called for its effect.
    """

    name: str
    chain: Chain
    eager: bool
    bare: bool
    arguments: tuple[tuple[int | str, str], ...] = ()


@dataclass(eq=False, slots=True)
class Alias:
    """One name of one import statement, anywhere in a file.

    `bound` is the name it binds ("" for a star). `at_module` says that this is a global; `nested` that the import does
    not stand at the top level by itself, so that it is kept with the statement around it. `typing` marks imports for
    type checkers only, `guarded` those whose failure is caught. `uses` are the attribute chains read from it,
    for one that binds a local name.
    """

    node: ast.Import | ast.ImportFrom
    name: str
    bound: str
    at_module: bool
    nested: bool
    eager: bool
    typing: bool
    guarded: bool
    uses: set[Chain] = field(default_factory=set)

    @property
    def module(self) -> str:
        """The module named by the statement; "" for ``from . import x``."""
        return self.name if isinstance(self.node, ast.Import) else (self.node.module or "")

    @property
    def level(self) -> int:
        return 0 if isinstance(self.node, ast.Import) else self.node.level


@dataclass(eq=False, slots=True)
class Facts:
    """All of one top-level statement.

    `binds` are the globals it binds when executed, `late` those that its functions bind by a ``global`` statement.
    `uses` keeps the order in which they are met. `modules` are literal names given to `importlib.import_module` or
    `__import__` with the node of the call and the package they are relative to; `computed` are the literal beginnings
    of such names that are computed. `reflects` says that it looks up globals by computed names (`globals()`, `eval`).
    `parameters` are those of the function it defines, `changed_parameters` the ones that the function changes. `hook`
    marks a class that is told of its subclasses.
    """

    binds: set[str] = field(default_factory=set)
    late: set[str] = field(default_factory=set)
    uses: dict[Use, None] = field(default_factory=dict)
    changes: set[Change] = field(default_factory=set)
    calls: set[CallSite] = field(default_factory=set)
    aliases: list[Alias] = field(default_factory=list)
    modules: list[tuple[ast.Call, str, str]] = field(default_factory=list)
    computed: set[str] = field(default_factory=set)
    reflects: bool = False
    parameters: tuple[str, ...] = ()
    changed_parameters: set[str] = field(default_factory=set)
    hook: bool = False

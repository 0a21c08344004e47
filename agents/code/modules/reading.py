"""Reads the facts off a statement: one walk over its syntax tree, however deep it is."""

import ast

from agents.code.modules.facts import Alias, Chain, Facts
from agents.code.modules.scopes import Load, NameTable, Scope, Where, chain_of, is_type_checking
from agents.execution.syntax import NotPython3, expression

__all__ = ["read_facts"]

_CHANGING = frozenset({
    "add", "add_argument", "append", "appendleft", "clear", "connect", "discard", "extend", "extendleft", "insert",
    "pop", "popitem", "popleft", "register", "remove", "reverse", "set", "setdefault", "sort", "subscribe", "update",
})  # fmt: skip
"""Methods that change what they are called on."""
_CHANGED_FIRST = frozenset({
    "setattr", "delattr", "shuffle", "heappush", "heapify", "heappop", "heapreplace", "heappushpop", "insort", "put",
    "insort_left", "insort_right", "fill_diagonal", "copyto", "putmask", "place", "update_wrapper",
})  # fmt: skip
"""Functions that change their first argument."""
_REFLECTING = frozenset(("globals", "vars", "locals", "eval", "exec"))
_NAMESPACES = (("globals", ()), ("vars", ()), ("locals", ()))
_HOOKS = frozenset(("__init_subclass__",))
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def read_facts(statement: ast.stmt, *, lazy_annotations: bool = False) -> Facts:
    """The facts of one top-level statement; `lazy_annotations` is ``from __future__ import annotations``."""
    reader = _StatementReader(lazy_annotations)
    reader.walk(statement)
    reader.settle(statement)
    return reader.facts


class _StatementReader(NameTable):
    """Visits the nodes of one statement, with a stack of its own."""

    def __init__(self, lazy_annotations: bool) -> None:
        super().__init__(lazy_annotations)
        self.pending: list[tuple[ast.AST, Where]] = []

    def walk(self, statement: ast.stmt) -> None:
        self.pending.append((statement, Where(self.module)))
        while self.pending:
            node, where = self.pending.pop()
            visit = getattr(self, f"visit_{type(node).__name__}", None)
            if visit:
                visit(node, where)
            elif isinstance(node, _COMPREHENSIONS):
                self.comprehension(node, where)
            else:
                self.children(node, where)

    def children(self, node: ast.AST, where: Where) -> None:
        inner = where._replace(nested=True, bare=False) if isinstance(node, ast.stmt) else where._replace(bare=False)
        self.push(list(ast.iter_child_nodes(node)), inner)

    def push(self, nodes: list[ast.AST], where: Where) -> None:
        self.pending += [(node, where) for node in reversed(nodes)]

    # Definitions

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef, where: Where) -> None:
        self.bind(node.name, where.scope)
        here = where._replace(nested=True, bare=False)
        self.decorators(node.decorator_list, here)
        inner = self.function(node.args, here)
        if where.scope is self.module and self.outer is None:
            self.outer = inner
            self.facts.parameters = tuple(a.arg for a in (*node.args.posonlyargs, *node.args.args))
        if node.returns:
            self.annotation(node.returns, here)
        self.push(list(getattr(node, "type_params", ())), Where(inner, nested=True))
        self.push(
            list(node.body), Where(inner, typing=where.typing, nested=True, guarded=where.guarded, tried=where.tried)
        )

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda, where: Where) -> None:
        self.push([node.body], Where(self.function(node.args, where), nested=True))

    def function(self, arguments: ast.arguments, where: Where) -> Scope:
        inner = Scope("function", where.scope, eager=False)
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        for argument in every:
            if argument is not None:
                inner.bound.add(argument.arg)
                if argument.annotation:
                    self.annotation(argument.annotation, where)
        self.push([d for d in (*arguments.defaults, *arguments.kw_defaults) if d], where._replace(bare=False))
        return inner

    def visit_ClassDef(self, node: ast.ClassDef, where: Where) -> None:
        self.bind(node.name, where.scope)
        here = where._replace(nested=True, bare=False, contents=False)
        self.decorators(node.decorator_list, here)
        self.push([*node.bases, *(k.value for k in node.keywords)], here)
        for base in (*node.bases, *(k.value for k in node.keywords if k.arg == "metaclass")):
            if named := chain_of(base):
                self.changes.append((*named, where.scope, "register"))
        if where.scope is self.module:
            methods = {inner.name for inner in node.body if isinstance(inner, ast.FunctionDef)}
            metaclass = any((chain_of(b) or ("",))[0] in ("type", "ABCMeta", "EnumMeta") for b in node.bases)
            self.facts.hook = bool(methods & _HOOKS) or (metaclass and bool(methods & {"__new__", "__init__"}))
        inner = Scope("class", where.scope, eager=where.scope.eager)
        self.push(list(getattr(node, "type_params", ())), Where(inner, nested=True))
        self.push(
            list(node.body), Where(inner, typing=where.typing, nested=True, guarded=where.guarded, tried=where.tried)
        )

    def decorators(self, nodes: list[ast.expr], where: Where) -> None:
        for node in nodes:
            target = node.func if isinstance(node, ast.Call) else node
            named = chain_of(target)
            if named:
                given = _named_arguments(node) if isinstance(node, ast.Call) else ()
                self.calls.append((*named, where._replace(bare=True), given))
                if named[1]:
                    self.changes.append((named[0], named[1][:-1], where.scope, "register"))
                self.loads.append(Load(*named, where._replace(contents=False), node.lineno))
                self.push([*node.args, *node.keywords] if isinstance(node, ast.Call) else [], where)
            else:
                self.push([node], where)

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, where: Where) -> None:
        inner = Scope("comprehension", where.scope, where.scope.eager)
        here = where._replace(scope=inner, bare=False)
        self.push([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt], here)
        for number, generator in enumerate(node.generators):
            self.push([generator.iter], where._replace(bare=False) if number == 0 else here)
            self.push([*generator.ifs], here)
            inner.bound |= {n.id for n in ast.walk(generator.target) if isinstance(n, ast.Name)}
            self.push([generator.target], here)

    def annotation(self, node: ast.expr, where: Where) -> None:
        """Annotations are read as code; the ones in quotes, and all after the __future__ import, need not be served."""
        self.push([node], where._replace(annotation=True, bare=False, contents=True))

    def visit_AnnAssign(self, node: ast.AnnAssign, where: Where) -> None:
        here = where._replace(nested=True)
        self.annotation(node.annotation, here)
        if node.value is not None or where.scope is not self.module or not isinstance(node.target, ast.Name):
            self.push([node.target, *([node.value] if node.value else [])], here)

    def visit_Constant(self, node: ast.Constant, where: Where) -> None:
        if not where.annotation or not isinstance(node.value, str) or len(node.value) > 500:
            return
        try:
            quoted = expression(node.value)
        except NotPython3:
            return
        for inner in ast.walk(quoted):
            if isinstance(inner, ast.Constant):
                inner.value = None
            ast.copy_location(inner, node)
        self.push([quoted], where._replace(typing=True))

    # Names

    def visit_Name(self, node: ast.Name, where: Where) -> None:
        if isinstance(node.ctx, ast.Load):
            self.loads.append(Load(node.id, (), where, node.lineno))
        elif where.scope.kind == "comprehension":
            pass
        else:
            self.bind(node.id, where.scope)

    def visit_NamedExpr(self, node: ast.NamedExpr, where: Where) -> None:
        self.bind(node.target.id, where.scope)
        self.push([node.value], where._replace(bare=False))

    def visit_Attribute(self, node: ast.Attribute, where: Where) -> None:
        named = chain_of(node)
        if not isinstance(node.ctx, ast.Load):
            self.changed(node.value, where.scope, "attribute")
            self.changed(node, where.scope, "attribute")
            self.push([node.value], where._replace(contents=False, bare=False))
        elif named:
            self.loads.append(Load(*named, where, node.lineno))
        else:
            self.push([node.value], where._replace(bare=False))

    def visit_Subscript(self, node: ast.Subscript, where: Where) -> None:
        stored = not isinstance(node.ctx, ast.Load)
        if stored:
            self.changed(node.value, where.scope, "item")
            if isinstance(node.value, ast.Call) and chain_of(node.value.func) in _NAMESPACES:
                self.push([node.slice], where._replace(bare=False))
                return
        literal = (chain_of(node.value) or ("",))[-1:] in (("Literal",), (("Literal",),))
        if literal and where.annotation:
            self.push([node.value], where)
            return
        self.push([node.value, node.slice], where._replace(bare=False, contents=where.contents and not stored))

    def visit_AugAssign(self, node: ast.AugAssign, where: Where) -> None:
        if isinstance(node.target, ast.Name):
            self.loads.append(Load(node.target.id, (), where, node.lineno))
        self.push([node.target, node.value], where._replace(nested=True))

    def changed(self, node: ast.expr, scope: Scope, kind: str) -> None:
        while isinstance(node, ast.Subscript | ast.Call):
            node = node.value if isinstance(node, ast.Subscript) else node.func
        if named := chain_of(node):
            self.changes.append((*named, scope, kind))

    def visit_Global(self, node: ast.Global, where: Where) -> None:
        where.scope.globals.update(node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal, where: Where) -> None:
        where.scope.nonlocals.update(node.names)

    def visit_ExceptHandler(self, node: ast.ExceptHandler, where: Where) -> None:
        if node.name:
            self.bind(node.name, where.scope)
        self.children(node, where)

    def visit_MatchAs(self, node: ast.MatchAs, where: Where) -> None:
        if node.name:
            self.bind(node.name, where.scope)
        self.children(node, where)

    def visit_MatchStar(self, node: ast.MatchStar, where: Where) -> None:
        if node.name:
            self.bind(node.name, where.scope)

    def visit_MatchMapping(self, node: ast.MatchMapping, where: Where) -> None:
        if node.rest:
            self.bind(node.rest, where.scope)
        self.children(node, where)

    # Calls

    def visit_Expr(self, node: ast.Expr, where: Where) -> None:
        self.push([node.value], where._replace(bare=True, nested=True))

    def visit_Call(self, node: ast.Call, where: Where) -> None:
        bare = where.bare
        here = where._replace(bare=False)
        function = node.func
        named = chain_of(function)
        last = function.attr if isinstance(function, ast.Attribute) else function.id if named else ""  # type: ignore[attr-defined]  # a chain without attribute is a name
        contents = True
        if isinstance(function, ast.Attribute) and (bare or last in _CHANGING):
            self.changed(function.value, where.scope, "call")
            contents = not bare or last not in _CHANGING
        if last in _CHANGED_FIRST and node.args:
            self.changed(node.args[0], where.scope, "attribute" if last == "setattr" else "item")
        if named:
            self.calls.append((*named, where, _named_arguments(node)))
            self.reflection(node, named, here)
        self.push([*node.args, *node.keywords], here)
        self.push([function], here._replace(contents=contents))

    def reflection(self, node: ast.Call, named: tuple[str, Chain], where: Where) -> None:
        name = (named[1] or named[:1])[-1]
        if not named[1] and name in _REFLECTING and (name in ("globals", "eval", "exec") or not node.args):
            at_module = where.scope is self.module or name != "locals"
            self.facts.reflects |= at_module
        if name not in ("import_module", "__import__") or not node.args:
            return
        first, anchor = node.args[0], ""
        for extra in (*node.args[1:2], *(k.value for k in node.keywords if k.arg == "package")):
            anchor = "__name__" if isinstance(extra, ast.Name | ast.Attribute) else ""
            if isinstance(extra, ast.Constant) and isinstance(extra.value, str):
                anchor = extra.value
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            self.facts.modules.append((node, first.value, anchor))
        else:
            self.facts.computed.add(_literal_beginning(first))

    # Imports

    def visit_Try(self, node: ast.Try, where: Where) -> None:
        caught = {name for handler in node.handlers for name in _exceptions(handler)}
        everything = bool(caught & {"", "Exception", "BaseException"})
        here = where._replace(nested=True, bare=False)
        guarded = everything or bool(caught & {"ImportError", "ModuleNotFoundError"})
        tried = everything or "NameError" in caught
        inside = here._replace(guarded=where.guarded or guarded, tried=where.tried or tried)
        self.push(list(node.body), inside)
        self.push([*node.handlers, *node.orelse, *node.finalbody], here)

    visit_TryStar = visit_Try

    def visit_If(self, node: ast.If, where: Where) -> None:
        here = where._replace(nested=True)
        if is_type_checking(node.test):
            self.push([node.test], here)
            self.push(list(node.body), here._replace(typing=True))
            self.push(list(node.orelse), here)
        else:
            self.children(node, where)

    def visit_Import(self, node: ast.Import | ast.ImportFrom, where: Where) -> None:
        for entry in node.names:
            whole = isinstance(node, ast.Import)
            bound = entry.asname or (entry.name.partition(".")[0] if whole else entry.name)
            bound = "" if bound == "*" else bound
            at_module = where.scope is self.module or (bound in where.scope.globals)
            alias = Alias(
                node, entry.name, bound, at_module, where.nested, where.scope.eager, where.typing, where.guarded
            )
            self.facts.aliases.append(alias)
            if bound:
                self.bind(bound, where.scope)
                where.scope.aliases.setdefault(bound, []).append(alias)

    visit_ImportFrom = visit_Import


def _exceptions(handler: ast.ExceptHandler) -> list[str]:
    """Names of what a handler catches, "" for everything."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type] if handler.type else []
    return [(named[1] or named[:1])[-1] for kind in kinds if (named := chain_of(kind))] if kinds else [""]


def _named_arguments(node: ast.Call) -> tuple[tuple[int | str, str], ...]:
    found: list[tuple[int | str, str]] = []
    found += [(at, given.id) for at, given in enumerate(node.args) if isinstance(given, ast.Name)]
    found += [(k.arg, k.value.id) for k in node.keywords if k.arg and isinstance(k.value, ast.Name)]
    return tuple(found)


def _literal_beginning(node: ast.expr) -> str:
    """The literal text that a computed string begins with."""
    while isinstance(node, ast.BinOp) or (isinstance(node, ast.JoinedStr) and node.values):
        node = node.left if isinstance(node, ast.BinOp) else node.values[0]
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""

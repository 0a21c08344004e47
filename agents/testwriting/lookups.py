"""What a unit looks up in what it is given: fields, keys, calls with so many arguments; never what it makes of it.

What stands in for an argument in a test must have these. They are told by the parameter that they begin at, also where
it goes through variables, fields of `self`, loops and functions of the repository; so are words it is compared with.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from agents.testwriting.literals import Tables, resolved, words

__all__ = ["Around", "lookups", "taken"]

DEEP, STEPS, MOST, LONG = 4, 200, 24, 160
"""Functions that are followed one into another, and in all from one; things that are told of one parameter, and
characters of one."""
SAME = {"iter", "list", "next", "reversed", "set", "sorted", "tqdm", "tuple"}
"""What gives the things that it is given."""
PLAIN = {"casefold", "lower", "strip", "upper"}
"""What is done with a word before it is compared."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef
Around = Mapping[str, Sequence[_Function]]
"""What may be called, by how it is named: a function, or of a class all its methods, how it is made first."""
CALLS = ("__call__", "forward")
"""What objects do when they are called, torch's modules among them."""
RESULT = "it"
"""What stands for the result of the function whose callers are looked at."""
_Step = ast.Attribute | ast.Subscript | ast.Call


@dataclass
class _Walk:
    """Names that stand for something given, with how it is come by; `own` are fields of self, `parts` those that are
    made of a class, with how this is named."""

    functions: Around
    own: dict[str, str]
    tables: Tables
    parts: dict[str, str] = field(default_factory=dict)
    asked: str = ""
    found: dict[str, None] = field(default_factory=dict)
    words: dict[str, dict[str, None]] = field(default_factory=dict)
    active: set[str] = field(default_factory=set)
    steps: int = 0

    def function(self, node: _Function, known: Mapping[str, str]) -> None:
        """Follow a function, whose parameters stand for what `known` says."""
        _Body(self, dict(known), node).all()


@dataclass
class _Body:
    walk: _Walk
    names: dict[str, str]
    node: _Function

    def all(self) -> None:
        for statement in self.node.body:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.For | ast.AsyncFor):
            self._look(node.iter)
            self._each(node.target, node.iter)
        elif isinstance(node, ast.Assign):
            self._look(node.value)
            for target in node.targets:
                self._bind(target, self._path(node.value))
                self._made(target, node.value)
        elif isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                self._look(item.context_expr)
                self._bind(item.optional_vars, self._path(item.context_expr))
        elif isinstance(node, ast.Match):
            self._look(node.subject)
            for part in (part for case in node.cases for part in ast.walk(case.pattern)):
                if isinstance(part, ast.MatchValue):
                    self._knows(node.subject, part.value)
        else:
            for part in ast.iter_child_nodes(node):
                if isinstance(part, ast.expr):
                    self._look(part)
        for part in _below(node):
            self._statement(part)

    def _bind(self, target: ast.expr | None, path: str) -> None:
        if isinstance(target, ast.Name):
            self.names.pop(target.id, None)
            if path:
                self.names[target.id] = path
        elif isinstance(target, ast.Tuple | ast.List):
            if path and not any(isinstance(one, ast.Starred) for one in target.elts):
                self.walk.found[f"{path} unpacked into {len(target.elts)}"] = None
            for number, one in enumerate(target.elts):
                self._bind(one.value if isinstance(one, ast.Starred) else one, f"{path}[{number}]" if path else "")
        elif isinstance(target, ast.Attribute) and _is_self(target.value):
            if path:
                self.walk.own[target.attr] = path
        elif target is not None:
            self._look(target)

    def _made(self, target: ast.expr, value: ast.expr) -> None:
        """Note of which class a field of self is made."""
        name = ast.unparse(value.func) if isinstance(value, ast.Call) else ""
        if isinstance(target, ast.Attribute) and _is_self(target.value) and name in self.walk.functions:
            self.walk.parts[target.attr] = name

    def _each(self, target: ast.expr, node: ast.expr) -> None:
        """What a loop over something binds."""
        if not (isinstance(target, ast.Tuple) and isinstance(node, ast.Call)):
            self._bind(target, self._items(node))
        elif _name(node.func) == "enumerate" and node.args and len(target.elts) == 2:
            self._bind(target.elts[0], "")
            self._each(target.elts[1], node.args[0])
        elif _name(node.func) == "zip" and len(target.elts) == len(node.args):
            for one, among in zip(target.elts, node.args, strict=True):
                self._bind(one, self._items(among))
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "items" and len(target.elts) == 2:
            base = self._path(node.func.value)
            self._bind(target.elts[0], "")
            self._bind(target.elts[1], f"{base}[…]" if base else "")
        else:
            self._bind(target, self._items(node))

    def _items(self, node: ast.expr) -> str:
        """What stands for one of the things in it."""
        while isinstance(node, ast.Call) and node.args and _name(node.func) in SAME:
            node = node.args[0]
        path = self._path(node)
        return f"{path}[…]" if path else ""

    def _path(self, node: ast.expr) -> str:
        """How it is come by from what is given; "" if it is not, or made of it."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, "")
        if isinstance(node, ast.Attribute) and _is_self(node.value):
            return self.walk.own.get(node.attr, "")
        if isinstance(node, ast.Call) and node.args and _name(node.func) in SAME:
            return self._path(node.args[0])
        if not isinstance(node, _Step):
            return ""
        if isinstance(node, ast.Call) and getattr(node.func, "attr", _name(node.func)) == self.walk.asked != "":
            return RESULT
        base = self._path(_base(node))
        return f"{base}{_step(node)}" if base else self._comes_back(node)

    def _comes_back(self, call: _Step) -> str:
        """How what a function gives, in the one place where it ends, is come by from what it is handed."""
        if not isinstance(call, ast.Call):
            return ""
        name = _name(call.func)
        function = next(iter(self.walk.functions.get(name, ())), None)
        ends = [node for node in ast.walk(function) if isinstance(node, ast.Return)] if function else []
        if function is None or len(ends) != 1 or ends[0].value is None or name in self.walk.active:
            return ""
        self.walk.active.add(name)
        inside = _Body(self.walk, self._handed(function, call), function)
        for node in function.body:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                inside._bind(node.targets[0], inside._path(node.value))
        path = inside._path(ends[0].value)
        self.walk.active.remove(name)
        return path

    def _handed(self, function: _Function, call: ast.Call) -> dict[str, str]:
        """How each parameter of a function is come by that a call hands something given."""
        parameters = [one.arg for one in [*function.args.posonlyargs, *function.args.args]]
        parameters = parameters[1:] if parameters[:1] in (["self"], ["cls"]) else parameters
        given = dict(zip(parameters, call.args, strict=False)) | {
            one.arg: one.value for one in call.keywords if one.arg
        }
        return {parameter: path for parameter, value in given.items() if (path := self._path(value))}

    def _look(self, node: ast.expr) -> None:
        """Note what is looked up in an expression, each with all that follows on it."""
        path = self._path(node)
        if path and path not in self.names.values() and path not in self.walk.own.values():
            self.walk.found[path[:LONG]] = None
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            before = dict(self.names)
            for each in node.generators:
                self._look(each.iter)
                self._each(each.target, each.iter)
                for test in each.ifs:
                    self._look(test)
            made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            for value in made:
                self._look(value)
            self.names = before
            return
        self._compare(node)
        if isinstance(node, ast.Call):
            self._follow(node)
        inside: list[ast.AST] = []
        step: ast.expr = node
        while path and isinstance(step, _Step):
            base = _base(step)
            inside += [part for part in ast.iter_child_nodes(step) if part is not base]
            step = base
        for part in inside if path else ast.iter_child_nodes(node):
            if isinstance(part, ast.keyword):
                self._look(part.value)
            elif isinstance(part, ast.expr):
                self._look(part)

    def _compare(self, node: ast.expr) -> None:
        """Note with which words something is compared, or among which it is looked for."""
        tables = self.walk.tables
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for sign, left, right in zip(node.ops, sides, sides[1:], strict=False):
                if isinstance(sign, ast.In | ast.NotIn):
                    self._knows(left, right, several=True)
                elif isinstance(sign, ast.Eq | ast.NotEq):
                    self._knows(left, right)
                    self._knows(right, left)
        elif isinstance(node, ast.Subscript) and isinstance(resolved(node.value, tables), ast.Dict):
            self._knows(node.slice, node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            for wanted in node.args[:1]:
                self._knows(wanted, node.func.value)

    def _knows(self, node: ast.expr, among: ast.expr, *, several: bool = False) -> None:
        """What of something given can be told apart by words."""
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in PLAIN:
            node = node.func.value
        path, told = self._path(node), words(among, self.walk.tables, several=several)
        if path and told:
            self.walk.words.setdefault(path, {}).update(dict.fromkeys(told))

    def _follow(self, call: ast.Call) -> None:
        """What a function, a method of the class or what is made of another class looks up in what it is handed."""
        method = isinstance(call.func, ast.Attribute) and _is_self(call.func.value)
        name = call.func.attr if isinstance(call.func, ast.Attribute) and method else ast.unparse(call.func)
        walk, functions = self.walk, self._called(name, method)
        if not functions or name in walk.active or len(walk.active) >= DEEP or walk.steps >= STEPS:
            return
        function = functions[0]
        known = self._handed(function, call)
        mine = method and name not in walk.parts
        if not known and not (mine and walk.own):
            return
        walk.steps += 1
        walk.active.add(name)
        own, parts = walk.own, walk.parts
        if not mine and function.name in ("__init__", *CALLS):
            walk.own, walk.parts = {}, {}
        walk.function(function, known)
        for other in functions[1:] if walk.own else ():
            walk.function(other, {})
        walk.own, walk.parts = own, parts
        walk.active.remove(name)

    def _called(self, name: str, method: bool) -> Sequence[_Function]:
        """What a call of that name runs: of a field of self that is made of a class what its objects do when called."""
        functions = self.walk.functions
        if not method:
            return functions.get(name, ())
        made = functions.get(self.walk.parts.get(name, ""), ())
        ours = [one for one in functions.get(name, ())[:1] if one.name == name and _is_method(one)]
        return [one for one in made if one.name in CALLS] or ours


def lookups(
    functions: Sequence[_Function], around: Around, tables: Tables = MappingProxyType({}),
    chosen: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> dict[str, list[str]]:  # fmt: skip
    """By parameter of `functions`, which are followed in their order, what is looked up in it; `around` are the
    functions and methods that they may call, `tables` what their file assigns. What is `chosen` on a command
    line, by the name of a field, may be handed over as that."""
    own: dict[str, str] = {}
    parts: dict[str, str] = {}
    told: dict[str, dict[str, None]] = {}
    for function in functions:
        given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        names = [one.arg for one in given if one.arg not in ("self", "cls")]
        walk = _Walk(around, own, tables, parts)
        walk.function(function, {name: name for name in names})
        for path in [*walk.found]:
            root, _, last = path.rpartition(".")
            if root in names and last in chosen:
                walk.words.setdefault(path, {}).update(dict.fromkeys(chosen[last]))
        compared = [f"{path} compared with {', '.join(map(repr, [*said][:MOST]))}" for path, said in walk.words.items()]
        for path in [*walk.found, *compared]:
            name = path.partition(".")[0].partition("[")[0].partition("(")[0].partition(" ")[0]
            told.setdefault(name, {})[path] = None
    return {name: _most(paths) for name, paths in told.items()}


def taken(name: str, callers: Sequence[_Function]) -> list[str]:
    """What callers of a function look up in what comes back."""
    found: dict[str, None] = {}
    for caller in callers:
        walk = _Walk({}, {}, {}, asked=name)
        walk.function(caller, {})
        found |= {path: None for path in walk.found if path != RESULT}
    return _most(found)


def _most(paths: Mapping[str, None]) -> list[str]:
    """At most MOST of the longest, in their order, of as many different fields as there are."""
    longest = list(_longest(paths))
    first = {*{tuple(re.findall(r"\w+", path)[:2]): path for path in reversed(longest)}.values()}
    kept = {*sorted(longest, key=lambda path: path not in first)[:MOST]}
    return [path for path in longest if path in kept]


def _longest(paths: Mapping[str, None]) -> Iterator[str]:
    """Those that are no beginning of another."""
    for path in paths:
        if not any(
            other != path and other.startswith((f"{path}.", f"{path}[", f"{path}(", f"{path} compared"))
            for other in paths
        ):
            yield path


def _below(node: ast.stmt) -> Iterator[ast.stmt]:
    for name in ("body", "orelse", "finalbody"):
        yield from (part for part in getattr(node, name, ()) if isinstance(part, ast.stmt))
    for inner in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield from inner.body


def _base(node: _Step) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node.value


def _step(node: _Step) -> str:
    """What is done last to come by it."""
    if isinstance(node, ast.Attribute):
        return f".{node.attr}"
    if isinstance(node, ast.Call):
        return f"({_shape(node)})"
    plain = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str | int)
    return f"[{ast.unparse(node.slice) if plain else '…'}]"


def _shape(call: ast.Call) -> str:
    """How many arguments a call hands over, and under which names."""
    plain = sum(not isinstance(one, ast.Starred) for one in call.args)
    parts = [f"{plain} argument{'s' if plain > 1 else ''}"] if plain else []
    parts = [fields(call.args[0])] if plain == len(call.args) == 1 and fields(call.args[0]) else parts
    parts += ["*…"] * (len(call.args) - plain)
    return ", ".join([*parts, *(f"{one.arg}={_word(one.value)}" if one.arg else "**…" for one in call.keywords)])


def fields(node: ast.expr | None) -> str:
    """The keys of a dictionary that is written out, "" of anything else."""
    keys = node.keys if isinstance(node, ast.Dict) else []
    named = [repr(key.value) for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    return f"a dict with {', '.join(named)}" if named and len(named) == len(keys) else ""


def _word(value: ast.expr) -> str:
    """A word or a switch, as it is handed over; numbers are not told."""
    told = isinstance(value, ast.Constant) and isinstance(value.value, str | bool)
    return ast.unparse(value) if told else ""


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _is_method(node: _Function) -> bool:
    first = [one.arg for one in node.args.args[:1]]
    return first in (["self"], ["cls"]) or any(_name(one) == "staticmethod" for one in node.decorator_list)


def _is_self(node: ast.expr) -> bool:
    return _name(node) in ("self", "cls")

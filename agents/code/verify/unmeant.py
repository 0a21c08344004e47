"""Cases of conditions that nobody means: they can't arise, or leave unset what is used afterwards."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

__all__ = ["impossible", "unset", "without_idle"]

_ATOMS = 8
"""Different comparisons in conditions at most for it to be worked out whether these can all be so."""
_Facts = tuple[tuple[ast.expr, bool], ...]


def without_idle(tree: ast.Module) -> ast.Module:
    """`tree` with ``pass`` in the place of each ``NAME.detach()`` that nobody takes, of what its function assigns and
    calculates with: a tensor's gives another tensor, and leaves it as it was."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        nodes = [*ast.walk(function)]
        stored = {one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        sides = (side for one in nodes if isinstance(one, ast.BinOp) for side in (one.left, one.right))
        numbers = stored & {side.id for side in sides if isinstance(side, ast.Name)}
        for block in (getattr(one, name, None) for one in nodes for name in ("body", "orelse", "finalbody")):
            if isinstance(block, list):
                block[:] = [ast.copy_location(ast.Pass(), one) if _is_idle(one, numbers) else one for one in block]
    return tree


def _is_idle(node: ast.AST, numbers: set[str]) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="detach"), args=[], keywords=[])):
            return name in numbers
    return False


def impossible(tree: ast.AST) -> Iterator[int]:
    """Branches without ``else``, by id, whose condition holds wherever they are reached: by the conditions around them,
    and those before them in their chain, of parameters that it does not set; or as what counts through a range stays
    below its end."""
    if not {"range", "*"} & _binds(tree):
        declared = (one for one in ast.walk(tree) if isinstance(one, ast.Global | ast.Nonlocal))
        shared = {name for one in declared for name in one.names}
        for loop in ast.walk(tree):
            yield from _below_the_end(loop, shared) if isinstance(loop, ast.For) else ()
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            names = (one for one in ast.walk(function) if isinstance(one, ast.Name))
            stored = {one.id for one in names if not isinstance(one.ctx, ast.Load)}
            yield from _always(
                function.body, (), {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)} - stored
            )


def _always(block: Sequence[ast.AST], facts: _Facts, fixed: set[str]) -> Iterator[int]:
    for node in block:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if isinstance(node, ast.If):
            yield from _always(node.body, (*facts, (node.test, True)), fixed)
            yield from _always(node.orelse, (*facts, (node.test, False)), fixed)
            if facts and not node.orelse and not _can_be((*facts, (node.test, False)), fixed):
                yield id(node)
        else:
            inner = [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.stmt | ast.ExceptHandler)]
            yield from _always(inner, facts, fixed)


def _below_the_end(loop: ast.For, shared: set[str]) -> Iterator[int]:
    """Branches of a loop over ``range(end)`` that ask whether its counter is below `end`, or is not `end`, where
    nothing in the loop sets either, and none is among the names that functions set for others (`shared`)."""
    if not (
        isinstance(loop.iter, ast.Call) and isinstance(loop.iter.func, ast.Name) and loop.iter.func.id == "range"
        and len(loop.iter.args) in {1, 2} and isinstance(loop.target, ast.Name)
    ):  # fmt: skip
        return
    counter, end = loop.target.id, loop.iter.args[-1]
    plain = ast.Name | ast.Constant | ast.BinOp | ast.operator | ast.expr_context
    names = {counter, *(one.id for one in ast.walk(end) if isinstance(one, ast.Name))}
    if not all(isinstance(one, plain) for one in ast.walk(end)) or names & shared.union(*map(_binds, loop.body)):
        return
    told, nodes = ast.dump(end), list[ast.AST](loop.body)
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.If) and not node.orelse and _asks_below(node.test, counter, told):
            yield id(node)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            nodes += ast.iter_child_nodes(node)


def _asks_below(test: ast.expr, counter: str, end: str) -> bool:
    """Whether a condition is that a counter is below what `end` is the dump of, at most that, or not that."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return False
    one, operator, other = test.left, test.ops[0], test.comparators[0]
    if isinstance(operator, ast.Gt | ast.GtE) or (isinstance(operator, ast.NotEq) and not _is_name(one, counter)):
        one, other = other, one
    below = isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE | ast.NotEq)
    return below and _is_name(one, counter) and ast.dump(other) == end


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _can_be(facts: _Facts, fixed: set[str]) -> bool:
    """Whether these conditions can all be as they are said to be."""
    told = [(_told(condition, fixed), said) for condition, said in facts]
    atoms = {atom: None for one, _ in told for atom in _atoms(one)}
    if len(atoms) > _ATOMS:
        return True
    values = (dict(zip(atoms, each, strict=True)) for each in product((False, True), repeat=len(atoms)))
    return any(not _clash(each) and all(_holds(one, each) is said for one, said in told) for each in values)


@dataclass(frozen=True)
class _Atom:
    """That a parameter is a constant; or what nobody can tell from one place to the next."""

    name: str = ""
    constant: object = None
    place: int = 0


@dataclass(frozen=True)
class _All:
    """That all of `parts` hold, or `either` of them; `turned` says that this is not so."""

    parts: "tuple[_Atom | _All, ...]"
    either: bool = False
    turned: bool = False


def _told(node: ast.expr, fixed: set[str]) -> _Atom | _All:
    """A condition, as comparisons of parameters that stay what they are with constants."""
    if isinstance(node, ast.BoolOp):
        return _All(tuple(_told(value, fixed) for value in node.values), isinstance(node.op, ast.Or))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return _All((_told(node.operand, fixed),), turned=True)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.left, ast.Name):
        name, operator, right = node.left.id, node.ops[0], node.comparators[0]
        listed = right.elts if isinstance(right, ast.Tuple | ast.List | ast.Set) else []
        several = isinstance(operator, ast.In | ast.NotIn)
        constants = [one for one in (listed if several else [right]) if isinstance(one, ast.Constant)]
        known = isinstance(operator, ast.Eq | ast.NotEq | ast.Is | ast.IsNot) or (several and listed)
        if known and name in fixed and len(constants) == (len(listed) if several else 1):
            atoms = tuple(_Atom(name, one.value) for one in constants)
            return _All(atoms, either=True, turned=isinstance(operator, ast.NotEq | ast.IsNot | ast.NotIn))
    return _Atom(place=id(node))


def _atoms(told: _Atom | _All) -> Iterator[_Atom]:
    if isinstance(told, _Atom):
        yield told
    else:
        for part in told.parts:
            yield from _atoms(part)


def _holds(told: _Atom | _All, values: Mapping[_Atom, bool]) -> bool:
    if isinstance(told, _Atom):
        return values[told]
    every = [_holds(part, values) for part in told.parts]
    return (any(every) if told.either else all(every)) is not told.turned


def _clash(values: Mapping[_Atom, bool]) -> bool:
    """Whether one parameter would be two constants."""
    names = [atom.name for atom, holds in values.items() if holds and atom.name]
    return len(set(names)) < len(names)


def unset(tree: ast.AST) -> Iterator[int]:
    """The last branches, by id, of chains that all set a name which nothing can have set before: where none of their
    conditions holds, it is not set, which is no case that anybody means.

    Not in loops, where an earlier round may have set it; attributes only where a class is made that inherits none.
    """
    owners = {id(one): node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for one in node.body}
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        nodes, owner = [*ast.walk(function)], owners.get(id(function))
        made = function.name == "__init__" and owner is not None and _inherits_none(owner)
        within = {id(one) for node in nodes if isinstance(node, ast.For | ast.AsyncFor | ast.While)
                  for one in ast.walk(node)}  # fmt: skip
        elifs = {id(node.orelse[0]) for node in nodes if isinstance(node, ast.If) and len(node.orelse) == 1}
        for outer in nodes:
            if not isinstance(outer, ast.If) or id(outer) in within | elifs:
                continue
            chain = [outer]
            while len(chain[-1].orelse) == 1 and isinstance(inner := chain[-1].orelse[0], ast.If):
                chain.append(inner)
            every = set.intersection(*({name for one in link.body for name in _sets(one)} for link in chain))
            every = {name for name in every if made or "." not in name}
            if len(chain) > 1 and every:
                early = (node for node in nodes if getattr(node, "lineno", 0) < outer.lineno and node is not function)
                bound = {name for node in early for name in _binds(node)}
                bound |= {name for node in owner.body for name in _binds(node, "self.")} if owner else set()
                if every - bound:
                    yield id(chain[-1])


def _inherits_none(owner: ast.ClassDef) -> bool:
    """Whether nothing that a class inherits can set attributes that its own code names."""
    bases = {ast.unparse(base).rpartition(".")[2] for base in owner.bases}
    return not owner.keywords and not owner.decorator_list and bases <= {"Module", "object"}


def _binds(node: ast.AST, prefix: str = "") -> set[str]:
    """The names and attributes that a node, or anything in it, may set."""
    found: set[str] = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Name | ast.Attribute) and isinstance(one.ctx, ast.Store):
            found.add(prefix + ast.unparse(one))
        elif isinstance(one, ast.Global | ast.Nonlocal):
            found.update(one.names)
        elif isinstance(one, ast.alias):
            found.add((one.asname or one.name).partition(".")[0])
        else:
            found.add(prefix + str(getattr(one, "name", None) or getattr(one, "arg", None) or ""))
    return found


def _sets(node: ast.AST) -> set[str]:
    """The names and attributes that a statement sets."""
    targets: list[ast.expr] = [node.target] if isinstance(node, ast.AnnAssign) and node.value else []
    targets += node.targets if isinstance(node, ast.Assign) else []
    parts = [one for target in targets for one in (target.elts if isinstance(target, ast.Tuple) else [target])]
    return {ast.unparse(one) for one in parts if isinstance(one, ast.Name | ast.Attribute)}

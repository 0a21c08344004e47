"""What a source does to values besides computing: it compares and chooses by them, or keeps them within limits."""

import ast
from collections import Counter
from collections.abc import Collection, Iterator

from agents.code.verify.possible import last

__all__ = ["compared", "is_limited"]

_LIMITS = {
    "max": ("max",), "maximum": ("max",), "fmax": ("max",), "relu": ("max",), "min": ("min",), "minimum": ("min",),
    "fmin": ("min",), "clip": ("max", "min"), "clip_": ("max", "min"), "clamp": ("max", "min"),
    "clamp_": ("max", "min"), "clamp_min": ("max",), "clamp_max": ("min",),
}  # fmt: skip
_CHOOSING = {"where", "select", "piecewise", "choose", "heaviside", "nan_to_num", "masked_fill", "masked_fill_"}
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def compared(source: ast.AST, names: Collection[str]) -> set[str]:
    """Parameters that a source compares or chooses by: values of these may be labels."""
    found = set[str]()
    for node in ast.walk(source):
        match node:
            case ast.If(test=part) | ast.IfExp(test=part) | ast.While(test=part) | ast.Subscript(slice=part):
                found |= _names(part)
            case ast.Compare() | ast.BoolOp():
                found |= _names(node)
            case ast.Call(args=args) if last(node.func) == "where":
                found |= {name for part in args[:1] for name in _names(part)}
            case ast.Call() if last(node.func) in {"bool", "bool_"} or any(
                last(arg) in {"bool", "bool_"} for arg in _given(node)
            ):
                found |= _names(node)
    return found & set(names)


def is_limited(source: ast.AST, within: Collection[str], names: Collection[str], shown: Collection[str]) -> bool:
    """Whether a result may be another than that of a formula over the parameters `within`, because the source has
    special cases or keeps a value within limits; `shown` are "max" and "min", as often as the formula itself has them.
    """
    nodes = list(_judged(source))
    outside, limits = set(names).difference(within), Counter[str]()
    chosen = {id(part) for node in nodes if isinstance(node, ast.IfExp | ast.While) for part in ast.walk(node.test)}
    for node in nodes:
        match node:
            case ast.If() | ast.Match() | ast.comprehension(ifs=[_, *_]):
                return True
            case ast.IfExp() if _is_limit(node, names) or outside & _names(node.test):
                return True
            case ast.Compare(ops=ops) if outside & _names(node) or (
                id(node) not in chosen and any(isinstance(op, _ORDERS) for op in ops)
            ):
                return True
            case ast.Call() if last(node.func) in _CHOOSING:
                return True
            case ast.Call() if last(node.func) in _LIMITS and not _is_of_all(node):
                if outside & {name for part in _given(node) for name in _names(part)}:
                    return True
                limits.update(_LIMITS[last(node.func)])
    return bool(limits - Counter(shown))


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _judged(node: ast.AST) -> Iterator[ast.AST]:
    """A source without what only raises, and without what asks for what is missing or empty."""
    match node:
        case ast.Assert() | ast.If(body=[ast.Raise()], orelse=[]):
            return
        case ast.If(test=test, body=body, orelse=orelse) if _is_of_nothing(test):
            parts: list[ast.AST] = [*body, *orelse]
        case ast.IfExp(test=test, body=one, orelse=other) if _is_of_nothing(test):
            parts = [one, other]
        case _:
            yield node
            parts = list(ast.iter_child_nodes(node))
    for part in parts:
        yield from _judged(part)


def _is_of_nothing(test: ast.expr) -> bool:
    """Whether it is asked for None, or for no items: arguments that are made are like those of real calls in both."""
    match test:
        case ast.Compare(ops=[ast.Is() | ast.IsNot()]):
            return True
        case ast.Compare(left=ast.Call(func=ast.Name(id="len")), ops=[ast.Eq()], comparators=[ast.Constant(value=0)]):
            return True
    return False


def _is_limit(node: ast.IfExp, names: Collection[str]) -> bool:
    """Whether it is one number beyond a bound, and not one formula beside another."""
    branches = [node.body, node.orelse]
    bare = [branch for branch in branches if isinstance(branch, ast.Name)]
    if any(not _names(branch) & set(names) for branch in branches) or len(bare) > 1:
        return True
    numbers = [
        {one.value for one in ast.walk(part) if isinstance(one, ast.Constant) and one.value}
        for part in (node.test, *branches)
    ]
    return any(one.id not in _names(node.test) for one in bare) or bool(numbers[0] & (numbers[1] | numbers[2]))


def _is_of_all(call: ast.Call) -> bool:
    """Whether it is the largest or smallest of what one container holds."""
    many = (
        isinstance(call.func, ast.Name) and call.args and isinstance(call.args[0], ast.List | ast.Tuple | ast.Starred)
    )
    return last(call.func) in {"max", "min"} and len(call.args) < 2 and not many

"""Wrong versions in which something is taken for its opposite: rows for columns, a share for what is left of the whole.

They are the mistakes that tests with square or symmetrical tables, or with shares of one half, can't notice; so each of
them must be noticed, as a parameter must.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

from agents.code.mutants.mutants import Mutant
from agents.code.mutants.parameters import parts
from agents.execution.syntax import NotPython3, parse

__all__ = ["opposites"]

MOST = 4
"""Of each kind at most."""
_JOINS = re.compile(r"concatenate|concat|cat|append")
_EITHER = re.compile(r"(?i)entropy|gini|impurity|bernoulli|binomial|varianc|symmetr")
"""What is said of functions that may give the same for a share and for the rest."""
_AXES = {0: 1, 1: 0, -1: -2, -2: -1}
_SHARE = re.compile(
    r"(?:p|prob|probability|tau|lam|momentum|decay|keep|keep_prob|share|fraction|quantile|mix(?:ing)?)$"
)
"""Names of parameters that are shares of one whole."""
_ALIKE = re.compile(
    r"(?i)symmetr|undirect|adjacen|affinit|distance|kernel|gram|covarian|correlat|similarit|laplac|square|equilater|graph"
)
"""What is said of tables whose rows are like their columns: no test of them can tell these apart."""
_FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


def opposites(text: str, unit_span: tuple[int, int]) -> list[Mutant]:
    """Versions of the file `text` in which in lines `unit_span` (1-based, inclusive) an axis is the other one, or a
    parameter that is a share is one less that share.

    A share is one that something is computed with: what is drawn with a probability, tests see by one seed at best.
    None for a file that this Python can't parse.
    """
    try:
        tree = parse(text)
    except (NotPython3, RecursionError):
        return []
    data = text.encode("utf-8")
    functions = [one for one in ast.walk(tree) if isinstance(one, _FUNCTION)]
    inside = [one for one in functions if unit_span[0] <= one.lineno and (one.end_lineno or 0) <= unit_span[1]]
    shares = {name for one in inside for name in _shares(one)}
    own = "\n".join(text.splitlines()[unit_span[0] - 1 : unit_span[1]])
    alike, either = _ALIKE.search(own), _EITHER.search(own)
    axes, rest = dict[int, Mutant](), dict[int, Mutant]()
    places = defaultdict[str, list[ast.expr]](list)
    for part in (part for one in inside for part in parts(one.body) if not isinstance(part, ast.Assert | ast.Expr)):
        computed = {
            id(one) for node in ast.walk(part) if isinstance(node, ast.BinOp) for one in (node.left, node.right)
        }
        strings = (node for node in ast.walk(part) if isinstance(node, ast.JoinedStr))
        written = {id(inner) for string in strings for inner in ast.walk(string)}
        for node in ast.walk(part):
            for place, number in () if alike or id(node) in written else _axis(node):
                said = f"axis {number} becomes {_AXES[number]}"
                axes.setdefault(id(place), _with(data, place, str(_AXES[number]), said))
            if isinstance(node, ast.expr) and _is_share(node, shares) and id(node) in computed - written:
                name = ast.unparse(node)
                places[name].append(node)
                rest.setdefault(id(node), _with(data, node, f"(1 - {name})", f"`{name}` becomes `1 - {name}`"))
    whole = [_exchanged(data, name, nodes) for name, nodes in places.items() if len(nodes) > 1 and not either]
    found = [*list(axes.values())[:MOST], *list(rest.values())[:MOST], *whole[:MOST]]
    return [mutant for mutant in found if _is_python(mutant.text)]


def _is_python(text: str) -> bool:
    """Whether it can be parsed: within a formatted string Python tells no true places of what stands there."""
    try:
        parse(text)
    except (NotPython3, RecursionError):
        return False
    return True


def _exchanged(data: bytes, name: str, nodes: list[ast.expr]) -> Mutant:
    """The file with a share taken for the rest, and the rest for it, wherever it stands."""
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        data = _with(data, node, f"(1 - {name})", "").text.encode()
    line = min(node.lineno for node in nodes)
    return Mutant("opposite", line, f"line {line}: `{name}` is taken for `1 - {name}`", data.decode("utf-8", "replace"))


def _axis(node: ast.AST) -> Iterator[tuple[ast.expr, int]]:
    """Where a call is told an axis, and which; not where arrays are joined, as one alone is the same either way."""
    joins = isinstance(node, ast.Call) and _JOINS.fullmatch(getattr(node.func, "attr", getattr(node.func, "id", "")))
    for keyword in node.keywords if isinstance(node, ast.Call) and not joins else ():
        value = keyword.value
        minus = isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub)
        plain = value.operand if isinstance(value, ast.UnaryOp) and minus else value
        if keyword.arg in ("axis", "dim") and isinstance(plain, ast.Constant) and type(plain.value) is int:
            number = -plain.value if minus else plain.value
            if number in _AXES:
                yield value, number


def _shares(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """The parameters of a function that are a share of one whole, by their names."""
    named = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    yield from (one.arg for one in named if _SHARE.match(one.arg))


def _is_share(node: ast.AST, shares: set[str]) -> bool:
    own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    name = node.attr if own and isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name in shares and isinstance(getattr(node, "ctx", None), ast.Load)


def _with(data: bytes, node: ast.expr, text: str, said: str) -> Mutant:
    """The file with another text in the place of a node."""
    lines = data.splitlines(keepends=True)
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: (node.end_lineno or 0) - 1])) + (node.end_col_offset or 0)
    changed = (data[:start] + text.encode() + data[end:]).decode("utf-8", "replace")
    return Mutant("opposite", node.lineno, f"line {node.lineno}: {said}", changed)

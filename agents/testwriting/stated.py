"""Whether an assertion expects another number than the example that it stands on: “the score of 2 is 0.8”."""

import ast
import math
import operator
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from agents.testwriting.expectations import assigned, expanded

__all__ = ["belies", "exemplifies"]

ROWS = 50
"""Rows of a loop or a parametrization that are looked at, at most."""
TOLERANCE = 0.01
"""What is no larger, beside the number that is stated, can be how far off a result may be."""
PLAIN = {"abs", "allclose", "approx", "array", "assert_allclose", "assert_almost_equal", "float", "isclose", "round"}
"""What may be called around the unit where a stated number is expected: none of it makes another number of it."""
_NUMBER = r"[-+−]?\d+(?:\.\d+)?(?:/\d+)?"
_STATED = re.compile(
    rf"(?:\bis|\bare|\bequals?|\bgives?|\byields?|\breturns?|\bbecomes?|=|→|->)(?: exactly| equal to)?\s*({_NUMBER})"
    r"(?=\s*(?:$|[,;:)]|\.(?!\d)|\b(?:for|when|if|with|at|and|while|whereas|but)\b))"
)
_SCRIPTS = re.compile(r"[_^](?:\{[^{}]*\}|\w)")
_SENTENCE = re.compile(r"(?<=[.;])\s+|\n\s*\n")
_SIGNATURE = re.compile(r"^[ \t]*(?:async )?def .*", re.MULTILINE)
"""How it is called: a default is no result."""


@dataclass(frozen=True)
class _Example:
    """A sentence that states a number: the other numbers in it, the number, how far off what is meant may be."""

    given: Counter[float]
    result: float
    off: float
    text: str

    def is_it(self, value: float) -> bool:
        return abs(value - self.result) <= self.off

    def of(self, numbers: Counter[float]) -> bool:
        """Whether a call with these numbers is the one that is spoken of."""
        return bool(numbers) and (numbers <= self.given or self.given <= numbers)


def belies(
    function: ast.FunctionDef, setup: ast.Module, founded: Sequence[tuple[ast.AST, str]], unit: str,
    bound: Collection[str], shown: str,
) -> str:  # fmt: skip
    """The first example, as it is said, that an assertion doesn't expect although it quotes it, or expects to come out
    otherwise although it was shown; "" if there is none.

    `founded` are the assertions of the test `function`, each with its quote; `unit` is what the code is called whose
    result they are about, `bound` the names of the repository's code.
    """
    known = {**assigned(setup), **assigned(function)}
    names = _words(unit)
    about = [example for example in _examples(shown) if _says(example.text, names)]
    for assertion, quote in founded:
        forms = [_Form(expanded(assertion, {**known, **row}), bound) for row in _rows(function, known)]
        for example in _examples(quote):
            if _says(example.text, names) and not any(form.expects(example) or form.allows(example) for form in forms):
                return example.text
        for example in about:
            if any(form.contradicts(example) for form in forms):
                return example.text
    return ""


def exemplifies(quote: str, unit: str) -> bool:
    """Whether it states a number as what `unit` comes to, by its name."""
    names = _words(unit)
    return any(_says(example.text, names) for example in _examples(quote))


def _words(unit: str) -> list[str]:
    return [word for word in re.split(r"[_.\W]+", unit.rpartition(".")[2].lower()) if word]


def _examples(text: str) -> Iterator[_Example]:
    for sentence in _SENTENCE.split(_SIGNATURE.sub("", text)):
        plain = _SCRIPTS.sub("", sentence.replace("$", " ")).replace("−", "-").strip()
        stated = list(_STATED.finditer(plain))
        if stated:
            said = stated[-1]
            other = plain[: said.start(1)] + plain[said.end(1) :]
            given = Counter(_value(found) for found in re.findall(rf"(?<![\w.]){_NUMBER}(?!\w)", other))
            places = len(said[1].partition(".")[2])
            if given and "\\" not in plain:
                off = 0.5 * 10**-places if places else 1e-6
                yield _Example(given, _value(said[1]), off * 1.0001, " ".join(sentence.split()))


def _value(text: str) -> float:
    above, _, below = text.partition("/")
    return float(above) / (float(below) or math.nan) if below else float(above)


def _says(text: str, names: Sequence[str]) -> bool:
    """Whether the words of a name stand in it."""
    words = set(re.findall(r"[^\W_]+", text.lower()))
    return bool(names) and all(any(word.startswith(name) for word in words) for name in names)


class _Form:
    """An assertion with the values of names in their places: the numbers that each call of the repository's code has,
    and, of what stands outside of these, the numbers and what else is called or named."""

    def __init__(self, tree: ast.AST, bound: Collection[str]) -> None:
        self.tree, self.bound = tree, bound
        self.calls: list[Counter[float]] = []
        self.beside: list[float] = []
        self.other = False
        waiting = [tree]
        while waiting:
            node = waiting.pop()
            value = _constant(node) if isinstance(node, ast.expr) else None
            if value is not None:
                self.beside.append(value)
            elif isinstance(node, ast.Call) and _reaches(node.func, bound):
                self.calls.append(Counter(_numbers(node)))
            elif isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                self.other = self.other or called not in PLAIN
                waiting += [*node.args, *(one.value for one in node.keywords)]
            else:
                self.other = self.other or isinstance(node, ast.Name)
                waiting += ast.iter_child_nodes(node)

    def expects(self, example: _Example) -> bool:
        """Whether it is that example, and its number what is expected."""
        small = TOLERANCE * max(1.0, abs(example.result))
        rest = [value for value in self.beside if not example.is_it(value)]
        matched = any(example.of(call) for call in self.calls)
        return matched and not self.other and len(rest) < len(self.beside) and all(abs(one) <= small for one in rest)

    def contradicts(self, example: _Example) -> bool:
        """Whether it is the one call of that example, and another number is expected."""
        small = TOLERANCE * max(1.0, abs(example.result))
        large = [value for value in self.beside if abs(value) > small]
        return (
            [*map(example.of, self.calls)] == [True] and self.calls[0] == example.given and not self.other
            and bool(large) and not any(map(example.is_it, large)) and not self.allows(example)
        )  # fmt: skip

    def allows(self, example: _Example) -> bool:
        """Whether it only says what the result of that example is above, below or not, and that is so."""
        test = self.tree.test if isinstance(self.tree, ast.Assert) else None
        if not isinstance(test, ast.Compare) or not any(map(example.of, self.calls)):
            return False
        sides = [self._value(side, example) for side in (test.left, *test.comparators)]
        pairs = zip(test.ops, sides, sides[1:], strict=False)
        return all(
            type(sign) in _BOUNDS and one is not None and other is not None and _BOUNDS[type(sign)](one, other)
            for sign, one, other in pairs
        )

    def _value(self, side: ast.expr, example: _Example) -> float | None:
        called = isinstance(side, ast.Call) and _reaches(side.func, self.bound)
        return example.result if called else _constant(side)


def _reaches(node: ast.AST, bound: Collection[str]) -> bool:
    return any(isinstance(one, ast.Name) and one.id in bound for one in ast.walk(node))


def _numbers(node: ast.AST) -> Iterator[float]:
    """The numbers that are written in it."""
    value = _constant(node) if isinstance(node, ast.expr) else None
    if value is not None:
        yield value
        return
    for child in ast.iter_child_nodes(node):
        yield from _numbers(child)


def _constant(node: ast.expr) -> float | None:
    """The number that an expression of plain arithmetic comes to; None of any other."""
    if isinstance(node, ast.Constant):
        return float(node.value) if isinstance(node.value, int | float) and abs(node.value) < 1e300 else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _constant(node.operand)
        return -value if value is not None and isinstance(node.op, ast.USub) else value
    if not isinstance(node, ast.BinOp):
        return None
    left, right = _constant(node.left), _constant(node.right)
    if left is None or right is None:
        return None
    try:
        found = _ARITHMETIC[type(node.op)](left, right)
    except (KeyError, ArithmeticError, ValueError):
        return None
    return found if isinstance(found, float) and math.isfinite(found) else None


_BOUNDS: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.NotEq: operator.ne,
}
_ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def _rows(function: ast.FunctionDef, known: dict[str, ast.expr]) -> list[dict[str, ast.expr]]:
    """The values that loops and parametrizations give to names, row by row, where they are written out."""
    found: list[dict[str, ast.expr]] = [{}]
    for target, given in _repeated(function):
        values = known.get(given.id, given) if isinstance(given, ast.Name) else given
        rows = values.elts if isinstance(values, ast.List | ast.Tuple) else []
        names = target if len(target) > 1 else [*target, ""]
        for row in rows[:ROWS]:
            parts = row.elts if isinstance(row, ast.Tuple | ast.List) and len(target) > 1 else [row]
            found.append(dict(zip(names, parts, strict=False)))
    return found


def _repeated(function: ast.FunctionDef) -> Iterator[tuple[list[str], ast.expr]]:
    for mark in function.decorator_list:
        if isinstance(mark, ast.Call) and len(mark.args) > 1 and isinstance(mark.args[0], ast.Constant):
            yield [name.strip() for name in str(mark.args[0].value).split(",")], mark.args[1]
    for node in ast.walk(function):
        if isinstance(node, ast.For):
            names = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
            yield [getattr(name, "id", "") for name in names], node.iter

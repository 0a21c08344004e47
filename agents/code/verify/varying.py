"""What the calls of tests never vary: a mistake in how that is used can't show.

Only where a parameter stands in a computation does it matter. A step that is 1 in every call, two variances that are
the same in every call, a list of one item: the tests say nothing of what the parameter does, whoever wrote them, and
that is too little. Of what has a default, or has one value that does not make computations trivial, the verdict only
says so.
"""

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agents.code.mutants import needed_parameters
from agents.code.verify.returning import definition
from kg.models.code import CodeUnit

__all__ = ["Narrow", "narrow", "told_of_one"]

_NEUTRAL = {"0", "1", "-1", "0.0", "1.0", "-1.0"}
"""Numbers with which a term or factor, or a power, has no effect."""
_OF_PLACE = re.compile(
    r"(?i)^(?:i|j|k|ax[ei]s|dim\w*|ind\w*|idx|pos(?:ition)?|place|offset|seed|level|depth|start|stop|end|verbose"
    r"|base|lo|low|hi|high|min\w*|max\w*|lower|upper|origin|initial|init|default|fill\w*|pad\w*)$"
    r"|_(?:i|idx|index|ax[ei]s|dim|seed|min|max|start|end|offset|0)$|^(?:min|max)_"
)
"""Parameters for which such a number is as good as another: places, bounds, and where something begins."""
_OF_SIZE = re.compile(r"(?i)^(?:count|num|n)$|^(?:num|n)_")
"""The same of sizes, two of which can hide one another all the same."""
_BEGINNING = re.compile(r"(?i)^(?:(?:start_?)?time|[txy]_?0)$")
"""The same of what may well begin at zero."""
_CASE = re.compile(
    r"(?i)\b(?:for|if|when|where|with|at) [`'\"*]{0,2}(\w+)[`'\"*]{0,2} ?(?:==?|is|equals|is equal to) ?"
    r"(-?\d+(?:\.\d+)?|zero|one)\b(?![.,]\d|[\w%-]| (?:or|to)\b)"
)
"""A number of a parameter of which a docstring tells what then is so."""
_SWITCH = re.compile(r"(?i)verb|jobs|seed|workers|debug|ax[ei]s|dim|dtype|print|plot|log|mode|flag|device")
_BY_DEFAULT = re.compile(r"(?i)\bby default\b")
_CALLS = 40
"""Calls of which the numbers are told: if there are more, nobody knows of the rest."""
_NEED_NOT = re.compile(r"(?i)\b(?:un-?normali[sz]ed|(?:need|must) not|needn't|not necessarily|any (?:scale|sum))\b")
_WEIGHTS = re.compile(r"(?i)weight|coeff|import|mass|mix|^w(?:ts|s)?$|_w$")
_DIRECTED = re.compile(r"(?i)^(?:transitions?|trans|motion|dynamics|jacobian|rotation)(?:_|$)")
"""Matrices that mean another thing when they are turned over."""
_EACH_COLUMN = re.compile(r"(?i)\b(?:each|every|per) (?:feature|column|variable|channel)\b|\bcolumn[ -](?:by|wise)")
_PARTS: Mapping[str, str] = {
    "rows alike": r"/ (?:\w+\.sum\({0}, |{0}\.sum\()(?:axis=)?-?1\b.*\bmean\(",
    "columns alike": r"\b{0}\b[^\n]*\.(?:mean|sum)\(|\.(?:mean|sum)\({0}\b",
}
"""How a function uses what only tells rows, or columns, from each other where these differ."""
_ONE_SIDED, _PARITY = r"\brfft\({0}\).*\[1:-1\] \*= 2", re.compile(r"(?i)\beven\b| % 2")
"""Half a spectrum, of which all but both ends is doubled: of an odd number of items one end alone is single."""
_PLACED = r"\b{0}\[(\w)(?:\]\[|, ?)(?!\1)\w\]"
"""An item of one, by its row and its column, of which a docstring tells."""
_Kind = Literal[
    "one value", "as another", "as long", "one item", "square", "symmetric", "never", "given", "summing to 1",
    "zeros and ones", "odd length", "even length", "equal items", "rows alike", "columns alike",
]  # fmt: skip
_BY_NATURE: Mapping[_Kind, re.Pattern[str]] = {
    "summing to 1": re.compile(
        r"(?i)distribut|prob|simplex|normali[sz]|stochastic|share|fraction|proportion|convex|sums? to|belief|posterior"
        r"|prior|softmax|categorical|entropy|diverg|partition|\bp\b|\bq\b"
    ),
    "zeros and ones": re.compile(r"(?i)mask|binary|indicator|\bflags?\b|select|include|0/1|hard|one-?hot"),
    "symmetric": re.compile(r"(?i)symmetric|undirected|mutual|both ways"),
    "square": re.compile(
        r"(?i)(?<!least )square(?!d? root|d)|symmetric|covarianc|adjacen|distanc|kernel|gram|laplac|hess|transition"
        r"|confus|similarit|determin|invers|eigen|trace|corr|precision|metric|graph|stochastic|markov|rotat|orthog"
        r"|identity|cost"
    ),
    "odd length": re.compile(r"(?i)kernel|window|taps|stencil|filter|\bodd\b|cent(?:re|er)|palindrom|smooth"),
    "rows alike": re.compile(
        r"(?i)one-?hot|stochastic|distribut|prob|softmax|normali[sz]|assign|permut|equal(?:ly)? long"
    ),
    "even length": re.compile(r"(?i)\beven\b|pair|halv|half|interleav|butterfly|fourier|\bfft|alternat|matched"),
}
"""What is so of itself, by how it is spoken of."""
_SAID: Mapping[_Kind, str] = {
    "one value": "{parameter} {value}",
    "as another": "{parameter} that is {value}",
    "as long": "{parameter} as long as {value}",
    "one item": "{parameter} of one item",
    "square": "{parameter} as wide as it is long",
    "symmetric": "{parameter} that is symmetric",
    "given": "{parameter} by itself and never its default, of which its documentation tells",
    "summing to 1": "{parameter} summing to 1",
    "zeros and ones": "{parameter} of zeros and ones",
    "odd length": "{parameter} of odd length",
    "even length": "{parameter} of even length",
    "equal items": "{parameter} of equal numbers, wherever another argument has more than a diagonal",
    "rows alike": "{parameter} with the same sum in each row",
    "columns alike": "{parameter} with the same sum in each column",
    "never": "{parameter} other than {value}, of which its documentation tells",
}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Narrow:
    """What the calls give of a `parameter` and nothing else; `value` is that one value, or the other parameter.

    It `hides` where nothing of what the parameter does can show.
    """

    parameter: str
    kind: _Kind
    value: str = ""
    hides: bool = False

    def __str__(self) -> str:
        return _SAID[self.kind].format(parameter=f"`{self.parameter}`", value=self.value)


def narrow(text: str, unit: CodeUnit, report: Mapping[str, object]) -> tuple[Narrow, ...]:
    """Of the calls of a function in its file `text`, by the `report` of the run that watched them."""
    function = definition(text, unit)
    if function is None:
        return ()
    listed = told_of_one(report, "narrow")
    told = [(str(one["parameter"]), kind, str(one["value"])) for one in listed for kind in _SAID if kind == one["kind"]]
    reading = _Reading(unit, function, {(name, kind) for name, kind, _ in told})
    found = list(_never(function, unit.docstring, told_of_one(report, "numbers")))
    for name, kind, value in told:
        found += filter(None, (reading.of_number(name, kind, value), reading.of_list(name, kind)))
    return tuple(sorted(found, key=lambda one: (not one.hides, one.parameter, one.kind)))


class _Reading:
    """What a function does with its parameters, where what never varies of them matters."""

    def __init__(self, unit: CodeUnit, function: _Function, told: Collection[tuple[str, _Kind]]) -> None:
        self.unit, self.function, self.told = unit, function, told
        self.parts = _parts(function)
        self.needed, self.computed = needed_parameters(function), _computed(function, unit.docstring, self.parts)

    def of_number(self, name: str, kind: _Kind, value: str) -> Narrow | None:
        """Of a number, or a length, that is one, or as another, in every call; of a default that none uses."""
        at, other = self.parts.get(name, name), self.parts.get(value, value)
        asked = self._asked(name, at)
        if kind == "one value" and at in self.computed and re.fullmatch(r"-?[\d.]+(?:e[-+]?\d+)?", value):
            begins = _BEGINNING.search(at) and float(value) == 0
            hides = asked and value in _NEUTRAL and not begins and not _OF_SIZE.search(at)
            return Narrow(at, "one value", value, hides)
        if kind == "one value" and value[:1] in "'\"" and name in _told_apart(self.function):
            return Narrow(name, "one value", value)
        if kind == "as another" and asked and self._asked(value, other):
            return Narrow(at, "as another", f"`{other}`", True)
        if kind == "as long" and {name, value} <= self.needed.keys() & _sized(self.function):
            return Narrow(name, "as long", f"`{value}`", True)
        if kind == "given" and _BY_DEFAULT.search(re.split(r"\n\s*\n", self.unit.docstring.strip())[0]):
            alone = [one for one, form in self.told if form == "given"] == [name]
            return Narrow(name, "given", value, True) if alone and value != "None" else None
        return None

    def _asked(self, name: str, at: str) -> bool:
        whole, part, _ = name.partition("[")
        matters = at in self.computed and not _OF_PLACE.search(at) and not (part and at in _shifts(self.function))
        return whole in self.needed and matters

    def of_list(self, name: str, kind: _Kind) -> Narrow | None:
        """Of the form of a list or array."""
        needed = name in self.needed
        if kind == "one item":
            return Narrow(name, kind, "", needed and name in _gone_through(self.function))
        if kind in ("summing to 1", "zeros and ones", "equal items", "rows alike", "columns alike"):
            of_weights = kind in ("summing to 1", "zeros and ones") and self._weighs(name)
            hides = needed and (of_weights or self._of_parts(name, kind)) and not self._by_nature(name, kind)
            return Narrow(name, kind, "", True) if hides else None
        if kind == "square":
            hides = needed and name in _measured(self.function) and not self._by_nature(name, kind)
            return Narrow(name, kind, "", hides) if hides or (name, "symmetric") not in self.told else None
        if kind == "symmetric":
            turned = bool(_DIRECTED.search(name) or re.search(_PLACED.format(re.escape(name)), self.unit.docstring))
            return Narrow(name, kind, "", needed and turned and not self._by_nature(name, kind))
        if kind in ("odd length", "even length") and name in _halved(self.function) and not self._by_nature(name, kind):
            said = f"{self.unit.name} {self.unit.docstring}"
            return Narrow(name, kind, "", needed and "median" in said.lower())
        text = f"{self.unit.docstring} {ast.unparse(self.function)}"
        halved = kind == "even length" and needed and re.search(_ONE_SIDED.format(re.escape(name)), text, re.S)
        return Narrow(name, kind, "", True) if halved and not _PARITY.search(text) else None

    def _of_parts(self, name: str, kind: _Kind) -> bool:
        """Whether it matters that parts of a parameter are alike: to a mean of what rows come to, to something of each
        column by its sum, or along which axis of a square numbers count."""
        if kind != "equal items":
            each_column = kind == "rows alike" or bool(_EACH_COLUMN.search(self.unit.docstring))
            found = re.search(_PARTS.get(kind, "(?!)").format(re.escape(name)), ast.unparse(self.function), re.S)
            return each_column and bool(found)
        squares = {other for other, form in self.told if form == "square"}
        nodes = (node for node in ast.walk(self.function) if isinstance(node, ast.BinOp))
        beside = ({_bare(node.left), _bare(node.right)} for node in nodes if not isinstance(node.op, ast.MatMult))
        return any(name in both and both & squares for both in beside)

    def _weighs(self, name: str) -> bool:
        """Whether a parameter, or all that is said of it, speaks of weights: other numbers sum to one by chance."""
        return bool(_WEIGHTS.search(name)) or (len(name) < 2 and bool(_WEIGHTS.search(self.unit.docstring)))

    def _by_nature(self, name: str, kind: _Kind) -> bool:
        said = f"{name} {self.unit.name.replace('_', ' ')} {self.unit.docstring}"
        return kind in _BY_NATURE and bool(_BY_NATURE[kind].search(said)) and not _NEED_NOT.search(said)


def _never(function: _Function, docstring: str, calls: Sequence[Mapping[str, object]]) -> Iterator[Narrow]:
    """Numbers of which the documentation tells what then is so, and which no call gives a parameter."""
    names = {argument.arg for argument in _arguments(function)}
    for match in _CASE.finditer(" ".join(docstring.split())) if len(calls) < _CALLS else ():
        name, value = match[1], {"zero": "0", "one": "1"}.get(match[2].lower(), match[2])
        given = [call[name] for call in calls if name in call]
        if name in names and not _SWITCH.search(name) and given and float(value) not in given:
            yield Narrow(name, "never", value, True)


def told_of_one(report: Mapping[str, object], what: str) -> Sequence[Mapping[str, object]]:
    """What the run tells of the one function that was watched; nothing if there were several."""
    functions = report.get("functions")
    listed = list(functions.values()) if isinstance(functions, dict) else []
    found = listed[0].get(what) if len(listed) == 1 and isinstance(listed[0], dict) else None
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else ()


def _parts(function: _Function) -> dict[str, str]:
    """What parts of parameters are called where a function takes these apart: ``a[0]`` is `n` after ``n, m = a``."""
    found: dict[str, str] = {}
    names = {argument.arg for argument in _arguments(function)}
    for node in ast.walk(function):
        value = node.value if isinstance(node, ast.Assign) else None
        if isinstance(node, ast.Assign) and isinstance(value, ast.Name) and value.id in names:
            target = node.targets[0]
            taken = enumerate(target.elts if isinstance(target, ast.Tuple | ast.List) else ())
            found |= {f"{value.id}[{place}]": one.id for place, one in taken if isinstance(one, ast.Name)}
    return found


def _computed(function: _Function, docstring: str, parts: Mapping[str, str]) -> set[str]:
    """Names, and items of what they name, that are terms, factors or powers of something, or that a docstring speaks of
    and nothing uses."""
    operands: list[ast.expr] = []
    used: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.BinOp):
            operands += [node.left, node.right]
        elif isinstance(node, ast.AugAssign):
            operands.append(node.value)
        elif isinstance(node, ast.Name | ast.Subscript) and isinstance(node.ctx, ast.Load):
            used.add(ast.unparse(node))
    named = {ast.unparse(operand) for operand in operands if isinstance(operand, ast.Name | ast.Subscript)}
    arguments = {argument.arg for argument in _arguments(function)}
    items = {word for word in re.findall(r"\w+\[\d\]", docstring) if word not in parts}
    said = (arguments & set(re.findall(r"\w+", docstring))) | items
    return named | (said - used)


def _shifts(function: _Function) -> set[str]:
    """What is only added or taken away: the corner of a box may well be the same in all tests."""
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for node in ast.walk(function):
        if isinstance(node, ast.BinOp):
            added = isinstance(node.op, ast.Add | ast.Sub)
            found[added] |= {ast.unparse(side) for side in (node.left, node.right)}
    return found[True] - found[False]


def _sized(function: _Function) -> set[str]:
    """Names whose lengths are terms or factors, where nothing pairs their items or holds the lengths against others."""
    found: set[str] = set()
    paired: set[str] = set()
    for node in ast.walk(function):
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        if isinstance(node, ast.BinOp):
            found |= {_length(side) for side in (node.left, node.right)}
            plain = {side.id for side in (node.left, node.right) if isinstance(side, ast.Name)}
            paired |= plain if len(plain) > 1 else set()
        elif isinstance(node, ast.Assign) and _length(node.value):
            found.add(_length(node.value))
        elif isinstance(node, ast.Compare | ast.Subscript) or (isinstance(node, ast.Call) and len(node.args) > 1):
            paired |= names
    return found - paired - {""}


def _told_apart(function: _Function) -> set[str]:
    """Names that are held against texts: each of these is a case."""
    compared = (node for node in ast.walk(function) if isinstance(node, ast.Compare) and len(node.ops) == 1)
    found = ((node.left, node.comparators[0]) for node in compared)
    return {
        name.id for name, value in found
        if isinstance(name, ast.Name)
        and any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in ast.walk(value))
    }  # fmt: skip


def _measured(function: _Function) -> set[str]:
    """Names whose lengths or shapes are in terms, factors or powers."""
    operations = (node for node in ast.walk(function) if isinstance(node, ast.BinOp))
    found = set[str]()
    for side in (side for operation in operations for side in (operation.left, operation.right)):
        part = _rooted(side)
        shaped = part.value if isinstance(part, ast.Subscript) else part
        if isinstance(shaped, ast.Attribute) and isinstance(shaped.value, ast.Name):
            sized = shaped.attr == "size" or (shaped.attr == "shape" and shaped is not part)
            found |= {shaped.value.id} if sized else set()
        found.add(_length(part))
    return found - {""}


def _rooted(node: ast.expr) -> ast.expr:
    """What a root, a logarithm or a conversion is made of."""
    while isinstance(node, ast.Call) and len(node.args) == 1 and not _length(node):
        node = node.args[0]
    return node


def _bare(node: ast.expr) -> str:
    """The name of which something is an item, an attribute, or a conversion."""
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Call):
        node = node.value if not isinstance(node, ast.Call) else node.args[0] if node.args else node.func
    return node.id if isinstance(node, ast.Name) else ""


def _halved(function: _Function) -> set[str]:
    """Names whose lengths are halved, or asked whether they are even."""
    assigned = [node for node in ast.walk(function) if isinstance(node, ast.Assign)]
    lengths = {
        target.id: _length(node.value) for node in assigned for target in node.targets if isinstance(target, ast.Name)
    }
    halves = [
        node.left for node in ast.walk(function)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv | ast.Mod)
        and isinstance(node.right, ast.Constant) and node.right.value == 2
    ]  # fmt: skip
    return {_length(half) or lengths.get(half.id if isinstance(half, ast.Name) else "", "") for half in halves} - {""}


def _length(node: ast.expr) -> str:
    """The name whose length an expression is, "" if it is none."""
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"
    args = node.args if isinstance(node, ast.Call) and called else []
    return args[0].id if len(args) == 1 and isinstance(args[0], ast.Name) else ""


def _gone_through(function: _Function) -> set[str]:
    """Names of what a loop goes through."""
    loops = (node for node in ast.walk(function) if isinstance(node, ast.For | ast.comprehension))
    return {part.id for loop in loops for part in ast.walk(loop.iter) if isinstance(part, ast.Name)}


def _arguments(function: _Function) -> Iterator[ast.arg]:
    yield from (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)

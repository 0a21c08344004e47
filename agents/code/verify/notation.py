"""Formulas as people write them, as trees: signs, roots and powers, simple LaTeX, and Python."""

import ast
import re
import unicodedata
from collections.abc import Callable, Collection

from agents.execution.syntax import NotPython3, expression

__all__ = ["FUNCTIONS", "Unreadable", "plain", "tree_of"]

FUNCTIONS = {
    "exp": 1, "log": 1, "ln": 1, "log2": 1, "log10": 1, "log1p": 1, "expm1": 1, "sqrt": 1, "abs": 1, "floor": 1,
    "ceil": 1, "sin": 1, "cos": 1, "tan": 1, "sinh": 1, "cosh": 1, "tanh": 1, "atan": 1, "erf": 1, "sigmoid": 1,
    "sum": 1, "mean": 1, "len": 1, "prod": 1, "max": 9, "min": 9,
}  # fmt: skip
"""What a formula may call, and with how many arguments at most."""
_OF_ALL = {"sum", "mean", "len", "prod", "max", "min"}
"""What makes one number of many."""
ITEMS = {"x", "xi", "x_i", "v", "v_i"}
"""Names of the items of the only list."""
_SIGNS = str.maketrans(
    {"\u2212": "-", "·": "*", "⋅": "*", "×": "*", "∙": "*", "÷": "/", "²": "**2", "³": "**3", "\u2013": ";", "—": ";",
     "½": "0.5", "’": "'", '"': "¦", "$": "¦"}
)  # fmt: skip
_LATEX = (
    (r"\\(?:left|right|[bB]igg?[lr]?|displaystyle|,|;|!|quad)(?![a-z])", " "),
    (r"\\(?:cdot|times|ast)(?![a-z])", "*"),
    (r"\\log_\{?(2|10)\}?", r"log\1"),
    (r"\\(?:mathrm|text|operatorname)\{(\w+)\}", r"\1"),
    (r"_\{(\w+)\}", r"_\1"),
)
_BRACES = (
    (r"\\[dt]?frac *\{([^{}]*)\} *\{([^{}]*)\}", r"((\1)/(\2))"),
    (r"\\sqrt *\{([^{}]*)\}", r"sqrt(\1)"),
    (r"\^ *\{([^{}]*)\}", r"**(\1)"),
    (r"\\?(?<![A-Za-z_\\])\{([^{}]*)\}", r"(\1)"),
)
_NATURAL = re.compile(r"\b(?:np|numpy|jnp|torch|math)\.log(?=\()")
_LIBRARY = re.compile(r"\b(?:np|numpy|jnp|torch|math)\.(?=[a-z]\w*\(|pi\b|e\b)")
_QUOTED = re.compile(r"(`{1,2}|(?<!\w)\*{1,2}(?=\w+\*))([^`]+?)\1")


def plain(text: str) -> str:
    """A sentence with its formulas in signs of ASCII; "¦" stands where a quotation begins and ends."""
    text = re.sub(r":math:|\.\. math::", "¦", text)
    text = _QUOTED.sub(lambda match: match[2] if match[2].isidentifier() else f"¦{match[2]}¦", text)
    if "\\" in text:
        for pattern, new in _LATEX:
            text = re.sub(pattern, new, text)
        before = ""
        while before != text:
            before = text
            for pattern, new in _BRACES:
                text = re.sub(pattern, new, text)
        text = re.sub(r"\\([a-z]+)", r"\1", text)
    text = text.translate(_SIGNS)
    text = re.sub(r"√ ?(\w+)", r"sqrt(\1)", text).replace("√", "sqrt")
    text = re.sub(r"\*\*\^|\^", "**", re.sub(r"\blog_(2|10)(?=\()", r"log\1", text))
    text = re.sub(r"(?<!\|)\|([^|]+)\|(?!\|)", r"abs(\1)", text)
    text = _LIBRARY.sub("", _NATURAL.sub("ln", text))
    return "".join(map(_greek, text))


def _greek(letter: str) -> str:
    if "α" <= letter <= "ω":
        return unicodedata.name(letter).rpartition(" ")[2].lower().replace("lamda", "lambda_").replace("final ", "")
    return letter


class Unreadable(ValueError):
    """A text is no formula of these parameters."""


_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
}  # fmt: skip
_CONSTANTS = {"pi": 3.141592653589793, "e": 2.718281828459045}
Tree = tuple[object, ...]


def tree_of(text: str, parameters: Collection[str]) -> Tree:
    """A formula as it is evaluated inside (see ``inside/formulas.py``), of nothing but numbers, parameters, operators
    and calls. Raises Unreadable."""
    try:
        return _Reader(parameters).read(expression(text), {}, False)
    except (NotPython3, ValueError, OverflowError, RecursionError) as error:
        raise Unreadable(text) from error


class _Reader:
    def __init__(self, parameters: Collection[str]) -> None:
        self.parameters = parameters

    def read(self, node: ast.AST, bound: dict[str, str], within: bool) -> Tree:
        """`bound` are the names of items, with the parameter that each is an item of; `within` says that one number
        is made of many here."""

        def read(one: ast.AST) -> Tree:
            return self.read(one, bound, within)

        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                return ("number", float(value))
            case ast.UnaryOp(op=ast.USub(), operand=of):
                return ("neg", read(of))
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
                return (_OPERATORS[type(operator)], read(left), read(right))
            case ast.Name(id=name):
                return self.name(name, bound, within)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id="i" | "j" | "k")) if name in self.parameters:
                return ("name", name)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if args:
                return self.call(name, args, read, bound)
        raise Unreadable(ast.dump(node)[:80])

    def name(self, name: str, bound: dict[str, str], within: bool) -> Tree:
        stem = name.removesuffix("_i")
        meant = [bound.get(name, name), stem, f"{stem}s"]
        if given := [one for one in meant if one in self.parameters]:
            return ("name", given[0])
        if name in {"n", "N"}:
            return ("n",)
        if name in {"mean", "xbar", "x_bar"}:
            return ("mean",)
        if name in _CONSTANTS:
            return ("number", _CONSTANTS[name])
        if within and name in ITEMS:
            return ("element",)
        if len(name) == 1 and not within:
            return ("free", name)
        raise Unreadable(name)

    def call(self, name: str, args: list[ast.expr], read: Callable[[ast.AST], Tree], bound: dict[str, str]) -> Tree:
        if name in FUNCTIONS and name not in self.parameters:
            if len(args) > FUNCTIONS[name]:
                raise Unreadable(name)
            if name in _OF_ALL and len(args) == 1:
                if isinstance(args[0], ast.GeneratorExp):
                    return ("call", name, self.items(args[0], bound))
                return ("call", name, self.read(args[0], bound, True))
            return ("call", name, *map(read, args))
        return ("unit", name, *map(read, args))

    def items(self, node: ast.GeneratorExp, bound: dict[str, str]) -> Tree:
        """Of what stands before "for", with all items at once."""
        match node.generators:
            case [ast.comprehension(target=target, iter=source, ifs=[])]:
                pass
            case _:
                raise Unreadable("for")
        match target, source:
            case ast.Name(id=name), ast.Name(id=of) if of in self.parameters:
                more = {name: of}
            case ast.Tuple(elts=names), ast.Call(func=ast.Name(id="zip"), args=sources) if len(names) == len(sources):
                more = {}
                for one, of_one in zip(names, sources, strict=True):
                    if not (isinstance(one, ast.Name) and isinstance(of_one, ast.Name)):
                        raise Unreadable("zip")
                    if of_one.id not in self.parameters:
                        raise Unreadable(of_one.id)
                    more[one.id] = of_one.id
            case _:
                raise Unreadable("for")
        return self.read(node.elt, {**bound, **more}, True)

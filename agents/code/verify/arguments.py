"""Arguments that fit a function, guessed from how its body uses its parameter, as Python expressions."""

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import islice, permutations
from typing import Literal

__all__ = ["Kind", "arguments", "required"]

Kind = Literal["normal", "missing", "time"]
"""Of the numbers in an array: any, with gaps (NaN), or increasing from 0."""
SETS = 24
_LIBRARIES = ("torch", "jax", "numpy")
_SIZES = {1: (6,), 2: (4, 3), 3: (3, 6, 2), 4: (2, 3, 6, 6), 5: (2, 2, 3, 6, 6)}
_SHAPE = re.compile(r"^(.*?)\bshape:? *[(\[]([\w ,*]+)[)\]]", re.M)
_QUOTED = re.compile(r"['\"](\w+)['\"]")
_FIRST = re.compile(r"\w{2,}|\b[a-zA-Z]\b(?!\))")


def arguments(function: ast.FunctionDef, text: str, kind: Kind, imports: Iterable[str]) -> Iterator[str]:
    """Up to `SETS` arguments of `function`, which needs one and whose file says `text`; numbers are of `kind`."""
    library = next((lib for lib in _LIBRARIES if any(name.split(".")[0] == lib for name in imports)), "")
    uses = _Uses(function, text)
    yield from islice(_expressions(uses, (required(function)[0].arg,), library, kind), SETS)


def required(function: ast.FunctionDef) -> list[ast.arg]:
    """Positional parameters that a call must give: those without a default, or else the first."""
    positional = [*function.args.posonlyargs, *function.args.args]
    if any(default is None for default in function.args.kw_defaults):
        return []
    return positional[: len(positional) - len(function.args.defaults)] or positional[:1]


class _Uses:
    """How parameters, and entries of them under literal keys, are used: keys, numbers of axes, operations."""

    def __init__(self, function: ast.FunctionDef, text: str) -> None:
        self.alias: dict[str, tuple[str, ...]] = {a.arg: (a.arg,) for a in function.args.args}
        self.keys: dict[tuple[str, ...], list[str]] = {}
        self.axes: dict[tuple[str, ...], int] = {}
        self.named = dict(_named_shapes(text))
        made = {id(key) for n in ast.walk(function) if isinstance(n, ast.Dict) for key in n.keys}
        made |= {id(part) for n in ast.walk(function) if isinstance(n, ast.JoinedStr) for part in n.values}
        strings = [n for n in ast.walk(function) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        constants = [str(n.value) for n in strings if id(n) not in made]
        self.words = [word for word in dict.fromkeys(constants) if word.isidentifier()]
        for node in ast.walk(function):
            self.note(node)

    def path(self, node: ast.AST) -> tuple[str, ...] | None:
        """The parameter, with keys, that an expression stands for."""
        if isinstance(node, ast.Name):
            return self.alias.get(node.id)
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.slice, ast.Constant)
            and isinstance(node.slice.value, str)
        ):
            base = self.path(node.value)
            return (*base, node.slice.value) if base else None
        return None

    def note(self, node: ast.AST) -> None:
        """Learn from one node; assignments are met before what uses their names."""
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            self.assigned(node.targets[0], node.value)
        elif isinstance(node, ast.Subscript):
            base = self.path(node.value)
            if base and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                keys = self.keys.setdefault(base, [])
                if node.slice.value not in keys:
                    keys.append(node.slice.value)
            elif base and isinstance(node.slice, ast.Name):
                self.keys.setdefault(base, [])
            elif base and isinstance(node.slice, ast.Tuple):
                self.axes[base] = max(self.axes.get(base, 0), len(node.slice.elts))

    def assigned(self, target: ast.expr, value: ast.expr) -> None:
        """Names for parameters, and axes from ``a, b = x.shape``."""
        path = self.path(value)
        if path and isinstance(target, ast.Name) and target.id not in self.alias:
            self.alias[target.id] = path
        inner = value.func if isinstance(value, ast.Call) else value
        if not (isinstance(target, ast.Tuple) and isinstance(inner, ast.Attribute) and inner.attr in {"shape", "size"}):
            return
        if base := self.path(inner.value):
            self.axes[base] = len(target.elts)


def _named_shapes(text: str) -> Iterator[tuple[str, list[str]]]:
    """What a text names, quoted or at the beginning of a line, with the axes of the shape that the line tells."""
    for match in _SHAPE.finditer(text):
        axes = [part.strip() for part in match[2].split(",") if part.strip()]
        first = _FIRST.search(match[1])
        for name in [*_QUOTED.findall(match[1]), *([first.group()] if first else [])]:
            yield name, axes


def _expressions(uses: _Uses, path: tuple[str, ...], library: str, kind: Kind) -> Iterator[str]:
    """Expressions for what stands at `path`, the likeliest first."""
    if path in uses.keys:
        keys = uses.keys[path]
        if any((*path, key) in uses.axes or key in uses.named for key in keys):
            entries = [(k, next(_expressions(uses, (*path, k), library, _entry(k, kind, keys)))) for k in keys]
            yield "{" + ", ".join(f"{key!r}: {expression}" for key, expression in entries) + "}"
            return
        counted = sorted({*keys, *uses.words})[:4]
        for at, order in enumerate(permutations(counted)):
            yield repr({key: 3 + at + 2 * number for number, key in enumerate(order)})
        return
    for axes in _axes(uses, path):
        sizes = axes if isinstance(axes, tuple) else _SIZES[axes]
        for name in (library, *(() if library else ("numpy",))):
            yield f"array({name!r}, {sizes}, {kind!r})"


def _entry(key: str, kind: Kind, keys: list[str]) -> Kind:
    """The kind of numbers of one entry of a dictionary: what is wanted goes to the values."""
    if key in {"time", "times", "t", "timestamps"}:
        return "time"
    return kind if key in {"values", "value", "x", "data"} or len(keys) == 1 else "normal"


def _axes(uses: _Uses, path: tuple[str, ...]) -> list[int | tuple[int, ...]]:
    """Numbers of axes, or shapes where the text names them, the likeliest first."""
    dims = uses.named.get(path[-1], [])
    if len(dims) in _SIZES:
        sizes = [int(dim) if dim.isdigit() and 0 < int(dim) < 50 else 0 for dim in dims]
        return [tuple(size or _SIZES[len(dims)][i] for i, size in enumerate(sizes))]
    if path in uses.axes and uses.axes[path] in _SIZES:
        return [uses.axes[path]]
    return [2, 1, 3]

"""What the source of a unit can do at all: which exceptions can leave it, whether it can write.

Names are taken for whatever bears them in the repository, and what is called but not known can do anything: that
nothing in the source can do a thing is then certain, but for what eval hides.
"""

import ast
import builtins
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = ["Possible", "Reach", "base_of", "last"]

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_ARRAYS = {"cupy", "jax", "numpy", "pandas", "polars", "scipy", "sympy", "tensorflow", "torch", "xarray"}
_OUT_OF_RANGE, _ARITHMETIC = (KeyError, IndexError), (ZeroDivisionError, OverflowError)
_Kinds = tuple[type[BaseException], ...]
_ANYTHING: _Kinds = (BaseException,)
_BUILTINS: Mapping[str, _Kinds] = {
    **dict.fromkeys(
        ("abs", "all", "any", "bool", "callable", "enumerate", "filter", "frozenset", "hash", "id", "isinstance",
         "issubclass", "iter", "len", "list", "map", "object", "print", "range", "repr", "reversed", "set", "slice",
         "sorted", "str", "sum", "super", "tuple", "type", "zip", "hasattr", "property", "staticmethod", "classmethod"),
        (),
    ),
    **dict.fromkeys(("bin", "hex", "oct", "ascii"), ()),
    **dict.fromkeys(("bytearray", "bytes", "chr", "complex", "dict", "max", "min", "ord", "format"), (ValueError,)),
    **dict.fromkeys(("float", "int", "round", "pow", "divmod"), (ValueError, *_ARITHMETIC)),
    "next": (StopIteration,), "getattr": (AttributeError,), "setattr": (AttributeError,),
    "open": (OSError, ValueError),
}  # fmt: skip
_METHODS: Mapping[str, _Kinds] = {
    **dict.fromkeys(
        ("add", "append", "appendleft", "capitalize", "casefold", "clear", "copy", "count", "difference", "discard",
         "endswith", "extend", "extendleft", "find", "get", "insert", "intersection", "isalnum", "isalpha", "isascii",
         "isdigit", "isdisjoint", "isidentifier", "islower", "isnumeric", "isspace", "issubset", "issuperset",
         "istitle", "isupper", "items", "join", "keys", "ljust", "lower", "lstrip", "removeprefix", "removesuffix",
         "replace", "reverse", "rfind", "rjust", "rstrip", "setdefault", "sort", "splitlines", "startswith", "strip",
         "swapcase", "symmetric_difference", "title", "union", "upper", "values", "zfill", "bit_length"),
        (),
    ),
    **dict.fromkeys(("index", "rindex", "remove", "split", "rsplit", "partition", "update", "center"), (ValueError,)),
    **dict.fromkeys(("pop", "popitem", "popleft"), _OUT_OF_RANGE),
    **dict.fromkeys(("encode", "decode"), (UnicodeError, LookupError)),
    **dict.fromkeys(("format", "format_map"), (ValueError, *_OUT_OF_RANGE)),
}  # fmt: skip
"""What calls of built-in functions and methods raise, beside TypeError; what is in neither may raise anything."""
_CHANGING = {
    "add", "append", "appendleft", "clear", "discard", "extend", "extendleft", "insert", "pop", "popitem", "popleft",
    "remove", "reverse", "setdefault", "sort", "update",
}  # fmt: skip
_HARMLESS = {
    "abstractmethod", "cache", "cached_property", "classmethod", "dataclass", "lru_cache", "njit", "override",
    "property", "setter", "staticmethod", "total_ordering", "wraps",
}  # fmt: skip
_PLAIN_BASES = {"object", "ABC", "Generic", "Protocol"}


class Possible:
    """Of the units of a repository; `text_of` gives the text of one of its files."""

    def __init__(self, units: Iterable[CodeUnit], text_of: Callable[[str], str]) -> None:
        self.text_of = text_of
        self.named: dict[str, list[CodeUnit]] = defaultdict(list)
        for unit in units:
            if unit.language == "python" and unit.kind in {"function", "method", "class"} and unit.role != "test":
                self.named[unit.name].append(unit)
        self.files: dict[str, ast.Module] = {}
        self.definitions: dict[str, dict[str, list[_Definition]]] = {}

    def tree(self, file: str) -> ast.Module:
        """The syntax tree of a file."""
        if file not in self.files:
            try:
                self.files[file] = parse(self.text_of(file))
            except NotPython3:
                self.files[file] = ast.Module([], [])
        return self.files[file]

    def definition(self, unit: CodeUnit) -> _Definition | None:
        """The definition of a unit."""
        if unit.file not in self.definitions:
            found = self.definitions[unit.file] = defaultdict(list)
            for node in ast.walk(self.tree(unit.file)):
                if isinstance(node, _Definition):
                    found[node.name].append(node)
        nodes = self.definitions[unit.file].get(unit.name, ())
        return next((node for node in nodes if unit.line <= node.lineno <= unit.end_line), None)

    @cached_property
    def bases(self) -> set[str]:
        """The names of all classes that others are derived from."""
        return {base.rpartition(".")[2] for units in self.named.values() for unit in units for base in unit.bases}

    @cached_property
    def operators(self) -> list[_Definition]:
        """The definitions of all special methods."""
        special = [unit for name, units in self.named.items() if name.startswith("__") for unit in units]
        return [
            node for unit in special if unit.name not in {"__init__", "__repr__"} and (node := self.definition(unit))
        ]

    def reach(self, unit: CodeUnit) -> "Reach":
        """The unit and all that it may call."""
        return Reach(self, unit)

    def is_exception(self, name: str) -> bool:
        """Whether a name is that of a built-in exception, or of one of the repository's."""
        return "BaseException" in self.lineage(name)

    def related(self, one: str, other: str) -> bool:
        """Whether an exception is another one or derived from it, or the other way round, as far as is known."""
        above = self.lineage(one), self.lineage(other)
        return "" in above[0] | above[1] or other in above[0] or one in above[1]

    def lineage(self, name: str) -> set[str]:
        """The names of a class and of all that it is derived from; "" among them for what is not known."""
        found, pending = set[str](), {name}
        while pending:
            one = pending.pop()
            found.add(one)
            kind = getattr(builtins, one, None)
            if isinstance(kind, type):
                found |= {base.__name__ for base in kind.__mro__}
                continue
            bases = {base.rpartition(".")[2] for unit in self.named.get(one, ()) for base in unit.bases}
            found |= set() if bases else {""}
            pending |= bases - found
        return found


class Reach:
    """A unit, and whatever in the repository bears a name that it uses, or that such a thing uses."""

    def __init__(self, known: Possible, unit: CodeUnit) -> None:
        self.known, self.unit = known, unit
        self.top = known.definition(unit)
        self.nodes: list[_Definition] = [] if self.top is None else [self.top]
        self.files = {unit.file}
        seen, pending = set[str](), self.names(self.nodes)
        while pending:
            name = pending.pop()
            seen.add(name)
            for other in known.named.get(name, ()):
                node = known.definition(other)
                if node is not None and node not in self.nodes:
                    self.nodes.append(node)
                    self.files.add(other.file)
                    pending |= self.names([node]) - seen

    @property
    def function(self) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The unit's definition if it is a function that nothing but what is known decorates."""
        plain = isinstance(self.top, ast.FunctionDef | ast.AsyncFunctionDef) and not self._defined(self.top)
        return self.top if plain and isinstance(self.top, _Function) else None

    @property
    def is_as_written(self) -> bool:
        """Whether no decorator of the repository's own stands between a call and the function."""
        decorators = getattr(self.top, "decorator_list", ())
        return all(last(each.func if isinstance(each, ast.Call) else each) in _HARMLESS for each in decorators)

    @staticmethod
    def names(nodes: Iterable[ast.AST]) -> set[str]:
        """All that some syntax names."""
        parts = [part for node in nodes for part in ast.walk(node)]
        return {name for part in parts if (name := getattr(part, "id", getattr(part, "attr", "")))}

    @cached_property
    def parts(self) -> list[ast.AST]:
        """All syntax nodes, each once, without decorators and annotations."""
        found = {id(part): part for node in self.nodes for part in ast.walk(node)}
        for part in list(found.values()):
            for left_out in _not_run(part):
                for each in ast.walk(left_out):
                    found.pop(id(each), None)
        return list(found.values())

    @cached_property
    def local(self) -> set[str]:
        """Names of functions defined within."""
        return {part.name for part in self.parts if isinstance(part, _Definition)}

    @cached_property
    def modules(self) -> set[str]:
        """Names that are bound by imports."""
        found = set[str]()
        for file in self.files:
            for node in ast.walk(self.known.tree(file)):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    found |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        return found

    @cached_property
    def arrays(self) -> bool:
        """Whether any file deals with arrays: their operators raise ValueError."""
        packages = {
            name.partition(".")[0]
            for file in self.files
            for node in ast.walk(self.known.tree(file))
            for name in _imported(node)
        }
        return bool(packages & _ARRAYS)

    def mentions(self, name: str) -> bool:
        """Whether the source speaks of a name in any way."""
        return name in self.names(self.nodes)

    def may_raise(self, name: str, *, of_form: bool = True) -> bool:
        """Whether an exception of this name, or of a related class, may leave the unit; what stands for an operator
        anywhere in the repository may raise it, too. If it is not `of_form`, of what is given in a wrong form, it does
        not come of loops over parts of a wrong number, nor of setting one item."""
        parts = self.parts if of_form or self.arrays else [part for part in self.parts if not _takes_form(part)]
        if self.top is None or any(self._raises(part, name) for part in parts):
            return True
        others = (part for node in self.known.operators for part in ast.walk(node) if isinstance(part, ast.Raise))
        return any(self._raises(part, name) for part in others)

    def _raises(self, part: ast.AST, name: str) -> bool:
        if isinstance(part, ast.Raise):
            raised = part.exc.func if isinstance(part.exc, ast.Call) else part.exc
            return raised is None or self.known.related(last(raised), name)
        kinds = self._kinds(part)
        if BaseException in kinds:
            return True
        return any(self.known.related(kind.__name__, name) for kind in kinds)

    def _kinds(self, part: ast.AST) -> _Kinds:  # noqa: PLR0911 -- one return for each sort of syntax
        """The built-in exceptions that a piece of syntax raises by itself, but for TypeError."""
        if isinstance(part, ast.Call):
            return self._called(part)
        if isinstance(part, ast.BinOp | ast.AugAssign):
            return self._operated(part)
        if isinstance(part, ast.Compare) and self.arrays:
            return () if any(isinstance(one, ast.Constant) for one in part.comparators) else (ValueError,)
        if isinstance(part, ast.Subscript):
            return (*_OUT_OF_RANGE, ValueError) if isinstance(part.ctx, ast.Store) else _OUT_OF_RANGE
        if isinstance(part, ast.Assert):
            return (AssertionError,)
        if isinstance(part, ast.Import | ast.ImportFrom):
            return (ImportError,)
        if isinstance(part, ast.FormattedValue):
            return (ValueError,) if part.format_spec else ()
        if isinstance(part, ast.Assign):
            return (ValueError,) if any(map(_unpacks, part.targets)) and not _unpacks(part.value) else ()
        if isinstance(part, ast.For | ast.comprehension):
            paired = isinstance(part.iter, ast.Call) and last(part.iter.func) in {"enumerate", "items", "zip"}
            return (ValueError,) if _unpacks(part.target) and not paired else ()
        if isinstance(part, ast.With):
            opened = all(isinstance(i.context_expr, ast.Call) and last(i.context_expr.func) == "open"
                         for i in part.items)  # fmt: skip
            return () if opened else _ANYTHING
        if isinstance(part, ast.Await | ast.AsyncFor | ast.AsyncWith | ast.YieldFrom):
            return _ANYTHING
        if isinstance(part, _Definition):
            return self._defined(part)
        return ()

    def _called(self, call: ast.Call) -> _Kinds:  # noqa: PLR0911 -- one return for each sort of callee
        if any(not self._is_known(each) for each in _functions_given(call)):
            return _ANYTHING
        name = last(call.func)
        if isinstance(call.func, ast.Name):
            if self.is_defined(name) or self.known.is_exception(name) or name == "cls":
                return ()
            if name in {"max", "min"} and len(call.args) > 1 and not any(isinstance(a, ast.Starred) for a in call.args):
                return (ValueError,) if self.arrays else ()
            if name in {"range", "zip"} and (len(call.args) == 3 or call.keywords):
                return (ValueError,)
            return _BUILTINS.get(name, _ANYTHING)
        if not isinstance(call.func, ast.Attribute):
            return _ANYTHING
        base = call.func.value
        if isinstance(base, ast.Name) and base.id in self.modules:
            if base.id == "math":
                return (ValueError, *_ARITHMETIC)
            return () if self.is_defined(name) else _ANYTHING
        if isinstance(base, ast.Call) and last(base.func) == "super" and name == "__init__":
            return ()
        return _METHODS.get(name, () if self.is_defined(name) else _ANYTHING)

    def is_defined(self, name: str) -> bool:
        """Whether anything in the repository bears a name, or a function within."""
        return name in self.known.named or name in self.local

    def _is_known(self, node: ast.expr) -> bool:
        """Whether a function that is handed on is one of those that are looked at."""
        name = last(node)
        return isinstance(node, ast.Lambda | ast.Constant) or self.is_defined(name) or name in _BUILTINS

    def _operated(self, part: ast.BinOp | ast.AugAssign) -> _Kinds:
        left, right = (part.left, part.right) if isinstance(part, ast.BinOp) else (part.target, part.value)
        kinds: _Kinds = (ValueError,) if isinstance(part.op, ast.MatMult | ast.LShift | ast.RShift) else ()
        if self.arrays and not isinstance(left, ast.Constant) and not isinstance(right, ast.Constant):
            kinds = (ValueError,)
        if isinstance(part.op, ast.Div | ast.FloorDiv | ast.Mod | ast.Pow | ast.Mult):
            kinds = (*kinds, OverflowError)
        if isinstance(part.op, ast.Div | ast.FloorDiv | ast.Mod | ast.Pow) and not isinstance(right, ast.Constant):
            kinds = (*kinds, ZeroDivisionError)
        formatted = isinstance(part.op, ast.Mod) and (isinstance(left, ast.Constant) and isinstance(left.value, str))
        return (*kinds, ValueError, *_OUT_OF_RANGE) if formatted else kinds

    def _defined(self, node: _Definition) -> _Kinds:
        names = {last(d.func if isinstance(d, ast.Call) else d) for d in node.decorator_list}
        if not all(name in _HARMLESS or self.is_defined(name) for name in names):
            return _ANYTHING
        if isinstance(node, ast.ClassDef):
            bases = {last(base.value if isinstance(base, ast.Subscript) else base) for base in node.bases}
            if node.keywords or not all(b in _PLAIN_BASES or self.is_defined(b) for b in bases):
                return () if self.known.is_exception(node.name) else _ANYTHING
        return ()

    def may_write(self) -> bool:
        """Whether it may write a file, or hand data to what it was given or what outlives it."""
        if self.top is None:
            return True
        made = {part.id for part in self.parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        made -= {a.arg for part in self.parts if isinstance(part, ast.arguments) for a in _parameters(part)}
        return any(self._writes(part, made) for part in self.parts)

    def _writes(self, part: ast.AST, made: set[str]) -> bool:
        if isinstance(part, ast.Attribute | ast.Subscript):
            return not isinstance(part.ctx, ast.Load) and base_of(part) not in made
        if isinstance(part, ast.Call):
            handed = isinstance(part.func, ast.Attribute) and part.func.attr in _CHANGING
            if handed and base_of(part.func) not in made:
                return True
            return last(part.func) in {"open", "print"} or BaseException in self._called(part)
        yields = isinstance(part, ast.Yield | ast.YieldFrom | ast.Global | ast.Nonlocal)
        return yields or (isinstance(part, _Definition | ast.With | ast.Await) and bool(self._kinds(part)))

    def uses(self, parameter: str, statements: Iterable[ast.AST]) -> bool:
        """Whether statements of the function look at one of its parameters, or may do so unseen."""
        used = self.names(statements)
        hidden = {"locals", "vars", "eval", "exec", "_getframe", "currentframe", "NotImplementedError"}
        return parameter in used or bool(used & hidden)


def _takes_form(part: ast.AST) -> bool:
    """Whether it raises ValueError only for what has a wrong form: parts of another number, an item of another kind."""
    stored = (
        isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and not isinstance(part.slice, ast.Slice)
    )
    return stored or isinstance(part, ast.For | ast.comprehension)


def _not_run(part: ast.AST) -> Iterator[ast.AST]:
    """What of a definition is not run when it is called."""
    if isinstance(part, _Definition):
        yield from part.decorator_list
    for name in ("returns", "annotation"):
        if (written := getattr(part, name, None)) is not None:
            yield written


def last(node: ast.AST | None) -> str:
    """The last part of a dotted name, "" for what is none."""
    return str(getattr(node, "attr", getattr(node, "id", "")))


def base_of(node: ast.expr) -> str:
    """The first part of what is dotted or indexed."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return getattr(node, "id", "")


def _unpacks(node: ast.expr) -> bool:
    return isinstance(node, ast.Tuple | ast.List)


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


def _functions_given(call: ast.Call) -> Iterator[ast.expr]:
    """Functions that a call is given to call them."""
    if last(call.func) in {"map", "filter"} and call.args:
        yield call.args[0]
    yield from (word.value for word in call.keywords if word.arg == "key")


def _parameters(node: ast.arguments) -> list[ast.arg]:
    further = [node.vararg, node.kwarg]
    return [*node.posonlyargs, *node.args, *node.kwonlyargs, *(arg for arg in further if arg)]

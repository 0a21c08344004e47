"""What a test that a model wrote may be, told from its text alone: what breaks a rule is never run.

A test may use arithmetic and the libraries of numbers, and of the repository only the unit, as it is bound in its file,
and the classes that the call needs. It may not look at code, files or the machine, put anything in the place of what
the repository holds, or take its expectation from the repository itself.
"""

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from agents.code.verify.copies import copies_in
from agents.execution.syntax import NotPython3, parse
from agents.testwriting.expectations import repeats
from agents.testwriting.interface import Interface
from agents.testwriting.quoting import occurs
from agents.testwriting.reply import Because, TestFunction
from agents.testwriting.setups import unbound
from agents.testwriting.stated import belies
from kg.models.code import CodeUnit

__all__ = ["Function", "Refusal", "Refused", "Rules", "assertions"]

STANDARD = {
    "array", "bisect", "cmath", "collections", "copy", "dataclasses", "datetime", "decimal", "enum", "fractions",
    "functools", "heapq", "itertools", "math", "numbers", "operator", "random", "re", "statistics", "string", "typing",
}  # fmt: skip
LIBRARIES = {"jax", "networkx", "numpy", "pandas", "pytest", "scipy", "sklearn", "torch"}
PLAIN = {"types.SimpleNamespace"}
"""Names that may be imported of modules that may not."""
PYTEST = {"approx", "mark", "parametrize", "raises", "warns"}
NAMES = {
    "BaseException", "SystemExit", "KeyboardInterrupt", "GeneratorExit", "breakpoint", "compile", "delattr", "eval",
    "exec", "exit", "getattr", "globals", "input", "locals", "open", "quit", "setattr", "vars",
}  # fmt: skip
"""Built-in names by which a test would leave its place."""
ANY = {"AssertionError", "Exception"}
"""Errors among which a failing assertion is; they may only be what a class of a test's own is made of."""
ATTRIBUTES = NAMES | {
    "DataSource", "ForwardRef", "attrgetter", "builtins", "cpp_extension", "ctypes", "ctypeslib", "distutils",
    "dump", "dumps", "extending", "f2py", "fetch_openml", "format_map", "from_file", "fromfile", "fromregex", "gc",
    "genfromtxt", "get_data_home", "get_type_hints", "hub", "importlib", "inspect", "io", "lambdify", "library",
    "load", "load_library", "loads", "loadtxt", "measure", "memmap", "methodcaller", "mock", "monkeypatch",
    "multiprocessing", "open_memmap", "os", "parse_expr", "popen", "query", "run_module", "run_module_suite",
    "run_path", "rundocs", "runstring", "save", "savetxt", "savez", "savez_compressed", "socket", "subprocess",
    "sympify", "sys", "system", "tofile", "types", "urlopen",
}  # fmt: skip
"""The same of libraries."""
_WRITERS = (
    "fetch_",
    "read_",
    "write_",
    "to_csv",
    "to_pickle",
    "to_json",
    "to_sql",
    "to_parquet",
    "to_excel",
    "to_hdf",
    "to_feather",
)
_Definition = ast.FunctionDef | ast.ClassDef


class Refusal(StrEnum):
    """Why a test function is not taken. The value is told to the model when it is asked again."""

    SYNTAX = "it can't be parsed"
    FORM = "it is not just one function whose name begins with test_, with plain or parametrized arguments"
    DUPLICATE = "another test has this name"
    NO_ASSERTION = "it asserts nothing"
    UNJUSTIFIED = "there is an assertion without a quote and what follows from it"
    UNQUOTED = "a quote occurs neither in the paper's words nor in the documentation or a signature"
    IMPORT = "it imports what a test may not"
    FORBIDDEN = "it uses what a test may not"
    PATCHED = "it puts something in the place of what the repository holds"
    COPY = "it contains a copy of the unit"
    BELIED = "it quotes an example, but its assertion does not expect of these numbers the number that is stated"
    REPEATS = "an expectation comes from the repository's own code on the same arguments"
    SETUP = "the setup breaks a rule"
    UNBOUND = "a NameError: it, or a helper that it uses, takes names that are bound nowhere"


@dataclass(frozen=True)
class Refused:
    """A test function that is not taken, as it was given."""

    why: Refusal
    detail: str
    source: str


@dataclass(frozen=True)
class Function:
    """A test function that keeps the rules."""

    name: str
    source: str
    because: tuple[Because, ...]


class Rules:
    """The rules for tests of `unit`, whose file has `text`, by a model that was `shown` what it may quote."""

    def __init__(self, unit: CodeUnit, text: str, known: Interface, shown: str) -> None:
        self.unit, self.text, self.known, self.shown = unit, text, known, shown

    def setup(self, source: str) -> str:
        """What is wrong with imports and helpers, "" if nothing is."""
        try:
            tree = parse(source)
        except NotPython3 as error:
            return f"{Refusal.SYNTAX}: {error}"
        for node in tree.body:
            if not isinstance(node, ast.Import | ast.ImportFrom | ast.Assign | _Definition):
                return f"only imports, constants, functions and classes may stand there (line {node.lineno})"
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
                return "tests belong among the tests"
        if assertions(tree):
            return "assertions belong into the tests"
        return "; ".join(map(_said, dict.fromkeys(self._wrong(tree, source))))

    def function(self, given: TestFunction, setup: str) -> Function | Refused:
        """A test function, which may use the names of `setup`, or why it is none."""
        source = given.source.strip("\n")
        try:
            tree = parse(source)
        except NotPython3 as error:
            return Refused(Refusal.SYNTAX, str(error), source)
        node = tree.body[0] if len(tree.body) == 1 else None
        if not (isinstance(node, ast.FunctionDef) and _plain(node)):
            return Refused(Refusal.FORM, "", source)
        before = _parsed(setup)
        broken = [*self._unfounded(node, given, before), *self._wrong(tree, source, set(_modules(before)))]
        if broken:
            (why, detail), *others = dict.fromkeys(broken)
            return Refused(why, "; ".join(filter(None, [detail, *map(_said, others)])), source)
        if copies_in(self.unit, self.text, f"{setup}\n\n{source}"):
            return Refused(Refusal.COPY, "", source)
        if lost := unbound(setup, source, self.known.bound):
            return Refused(Refusal.UNBOUND, ", ".join(lost), source)
        return Function(node.name, source, given.asserts)

    def _unfounded(
        self, node: ast.FunctionDef, given: TestFunction, setup: ast.Module
    ) -> Iterator[tuple[Refusal, str]]:
        """What in the assertions of a test does not follow from what was shown."""
        wanted = assertions(node)
        if not wanted:
            yield Refusal.NO_ASSERTION, ""
        if len(given.asserts) < len(wanted) or not all(one.follows.strip() for one in given.asserts):
            yield Refusal.UNJUSTIFIED, f"{len(given.asserts)} reasons for {len(wanted)} assertions"
        yield from ((Refusal.UNQUOTED, one.quote[:200]) for one in given.asserts if not occurs(one.quote, self.shown))
        if said := repeats(node, wanted, self.known.bound, self.known.classes):
            yield Refusal.REPEATS, said
        founded = [(one, because.quote) for one, because in zip(wanted, given.asserts, strict=False)]
        if said := belies(node, setup, founded, self.unit.symbol, self.known.bound, self.shown):
            yield Refusal.BELIED, said

    def _wrong(self, tree: ast.AST, source: str, known: Collection[str] = ()) -> Iterator[tuple[Refusal, str]]:
        """What in a text breaks the rules for all code; `known` are modules that it has beside those it imports."""
        allowed = STANDARD | LIBRARIES | self.known.libraries
        modules = {*known, *_modules(tree)}
        called = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        modes = {id(node.func) for node in called if _sets_mode(node) or _begins(node)}
        for node in ast.walk(tree):
            for name in _imported(node):
                if name in PLAIN:
                    continue
                top, *parts = name.split(".")
                if top not in allowed or "*" in parts:
                    yield Refusal.IMPORT, name
                elif forbidden := next((part for part in parts if _forbidden(part) or part.startswith("_")), "") or (
                    top == "pytest" and not set(parts) <= PYTEST
                ):
                    yield Refusal.FORBIDDEN, str(forbidden)
            if isinstance(node, ast.Name) and (node.id in NAMES or node.id.startswith("__")):
                yield Refusal.FORBIDDEN, node.id
            if isinstance(node, ast.Attribute) and id(node) not in modes and self._leaves(node, modules):
                yield Refusal.FORBIDDEN, node.attr
            if isinstance(node, ast.Raise | ast.Try | ast.TryStar | ast.Global | ast.Nonlocal | ast.Await):
                yield Refusal.FORBIDDEN, type(node).__name__.lower()
        yield from ((Refusal.FORBIDDEN, said) for said in _swallowing(tree))
        if patched := next(_patched(tree, self.known.bound, modules), ""):
            yield Refusal.PATCHED, patched
        if copied := copies_in(self.unit, self.text, source):
            yield Refusal.COPY, copied[0]

    def _leaves(self, node: ast.Attribute, modules: Collection[str]) -> bool:
        """Whether an attribute leads out of a test; a method of the repository may be called what it likes."""
        root: ast.AST = node
        while isinstance(root, ast.Attribute):
            root = root.value
        top = getattr(root, "id", "")
        if top == "pytest" and isinstance(node.value, ast.Name) and node.attr not in PYTEST:
            return True
        if node.attr.startswith("__") and node.attr.endswith("__"):
            return True
        if node.attr.startswith("_") and top != "self" and (top in modules or node.attr not in self.known.methods):
            return True
        return _forbidden(node.attr) and (top in modules or node.attr not in self.known.methods)


def _said(broken: tuple[Refusal, str]) -> str:
    """A rule that is broken, with the place."""
    return ": ".join(filter(None, broken))


def assertions(tree: ast.AST) -> list[ast.AST]:
    """Its assertions in their order: statements, calls of ``…assert…`` functions, exceptions that are asked for."""
    found = [node for node in ast.walk(tree) if _asserts(node)]
    return sorted(found, key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))


def _asserts(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert):
        return True
    if not isinstance(node, ast.Call):
        return False
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return called.startswith("assert") or called in {"raises", "warns"}


def _plain(node: ast.FunctionDef) -> bool:
    """Whether a function is a test without fixtures."""
    given = node.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.defaults or not node.name.startswith("test_"):
        return False
    marks = [ast.unparse(mark.func) for mark in node.decorator_list if isinstance(mark, ast.Call)]
    if len(marks) != len(node.decorator_list) or set(marks) - {"pytest.mark.parametrize"}:
        return False
    said = [mark.args[0] for mark in node.decorator_list if isinstance(mark, ast.Call) and mark.args]
    names = ",".join(str(ast.literal_eval(name)) for name in said if isinstance(name, ast.Constant))
    return {argument.arg for argument in given.args} <= {name.strip() for name in names.split(",")}


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)


def _modules(tree: ast.AST) -> Iterator[str]:
    """The names that imports bind."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)


def _sets_mode(node: ast.Call) -> bool:
    """Whether it is ``model.eval()``, which evaluates no text: there is none."""
    return isinstance(node.func, ast.Attribute) and node.func.attr == "eval" and not (node.args or node.keywords)


def _begins(node: ast.Call) -> bool:
    """Whether it is ``super().__init__()``, which a class of a test's own may call."""
    said = node.func
    return isinstance(said, ast.Attribute) and said.attr == "__init__" and ast.unparse(said.value) == "super()"


def _parsed(setup: str) -> ast.Module:
    try:
        return parse(setup)
    except NotPython3:
        return ast.Module([], [])


def _swallowing(tree: ast.AST) -> Iterator[str]:
    """Where an assertion that fails could be taken for the error that is expected."""
    bases = {id(base) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in ANY and id(node) not in bases:
            yield f"{node.id}, which a failing assertion is, too"
        if isinstance(node, ast.With) and any(isinstance(part, ast.Assert) for part in ast.walk(node)):
            caught = (ast.unparse(item) for item in node.items if "raises" in ast.unparse(item.context_expr))
            yield from (f"assert within `with {each}`" for each in caught)


def _forbidden(name: str) -> bool:
    return name in ATTRIBUTES or name.startswith(_WRITERS)


def _patched(tree: ast.AST, bound: Collection[str], modules: Collection[str]) -> Iterator[str]:
    """Names of the repository or of `modules` that are bound anew, or whose attributes are; methods put on objects."""
    held = {*bound, *modules}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and node.id in held:
            yield node.id
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            root: ast.AST = node
            while isinstance(root, ast.Attribute | ast.Subscript):
                root = root.value
            if getattr(root, "id", "") in held or isinstance(root, ast.Call):
                yield ast.unparse(node)
        if isinstance(node, _Definition | ast.AsyncFunctionDef) and node.name in held:
            yield node.name
        if isinstance(node, ast.ClassDef):
            yield from (ast.unparse(base) for base in node.bases if getattr(base, "id", "") in bound)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            yield from (ast.unparse(target) for target in node.targets if isinstance(target, ast.Attribute))

"""Units that no test can call: what they load or open themselves, and what of their file could not be made."""

import ast
from collections.abc import Iterable, Iterator, Mapping

from agents.code.mutants import Raised
from agents.execution.syntax import NotPython3, parse
from agents.testwriting.returned import Function, function_of
from kg.models.code import CodeUnit

__all__ = ["LOADERS", "out_of_reach"]

LOADERS = frozenset({
    "from_pretrained", "genfromtxt", "get_dataset", "getenv", "glob", "imread", "input", "iterdir", "listdir", "load",
    "load_dataset", "load_from_checkpoint", "load_model", "loadmat", "loadtxt", "open", "parse_args",
    "parse_known_args", "read_bytes", "read_csv", "read_excel", "read_feather", "read_hdf", "read_json", "read_parquet",
    "read_pickle", "read_table", "read_text", "rglob", "safe_load", "urlopen", "urlretrieve",
})  # fmt: skip
"""Names of what is called to get something from outside."""
_HANDED = {"load", "safe_load"}
"""Those that may be handed what is open already."""


def out_of_reach(unit: CodeUnit, units: Mapping[str, CodeUnit], text: str, failures: Iterable[Raised]) -> str:
    """What a call of `unit` can't do without and no test can give it; "" if nothing is to be seen. `text` is that of
    its file, of whose statements some may have had `failures` when it was loaded."""
    try:
        tree = parse(text)
    except NotPython3:
        return ""
    functions = [node for one in _run(unit, units) if (node := function_of(one)) is not None]
    loaded = next((call for node in functions for call in _loads(node, tree)), None)
    if loaded is not None:
        return f"a call of it does `{ast.unparse(loaded)[:80]}`, and a test has no files, weights or network"
    gone = _gone(unit.file, tree, failures)
    used = (name for node in functions for name in sorted(_free(node) & gone))
    name = next(used, "")
    return f"it uses `{name}` of its file, which could not be made there" if name else ""


def _run(unit: CodeUnit, units: Mapping[str, CodeUnit]) -> Iterator[CodeUnit]:
    """What is run by each call of a unit, its class's making included."""
    around = unit.id if unit.kind == "class" else unit.parent if unit.kind == "method" else None
    yield from (one for one in units.values() if around and one.parent == around and one.name == "__init__")
    if unit.kind != "class":
        yield unit


def _loads(function: Function, tree: ast.Module) -> Iterator[ast.Call]:
    """Calls of libraries that load something, in statements that are always run."""
    foreign = {"open", "input"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            foreign |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    for node in _always(function.body):
        if isinstance(node, ast.Call):
            name, handed = ast.unparse(node.func).rpartition(".")[2], all(isinstance(a, ast.Name) for a in node.args)
            if name in LOADERS and not (name in _HANDED and handed) and _root(node) in foreign:
                yield node


def _always(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """What is run whenever these are, and all of it that is in them."""
    waiting = [*nodes][::-1]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If | ast.Try | ast.TryStar | ast.While | ast.Match | ast.ClassDef | ast.Lambda):
            continue
        parts: Iterable[ast.AST] = ast.iter_child_nodes(node)
        if isinstance(node, Function):
            parts = ()
        elif isinstance(node, ast.For | ast.AsyncFor):
            parts = [node.iter]
        elif isinstance(node, ast.IfExp):
            parts = [node.test]
        elif isinstance(node, ast.BoolOp):
            parts = node.values[:1]
        elif isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators[:1]]
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            parts = [node.generators[0].iter]
        elif isinstance(node, ast.Assert):
            parts = [node.test]
        yield node
        waiting += [*parts][::-1]


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _gone(file: str, tree: ast.Module, failures: Iterable[Raised]) -> set[str]:
    """Names that only statements bind which failed."""
    lines = {line for one in failures for path, line, _ in one.frames if path.endswith(f"/{file}")}
    failed = [node for node in tree.body if any(node.lineno <= line <= (node.end_lineno or 0) for line in lines)]
    bound = {name for node in tree.body if node not in failed for name in _bound(node)}
    return {name for node in failed for name in _bound(node)} - bound


def _bound(node: ast.stmt) -> set[str]:
    if isinstance(node, Function | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def _free(function: Function) -> set[str]:
    """Names that it takes from around it."""
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    own = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    own |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return {node.id for node in names} - own

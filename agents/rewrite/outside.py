"""What a file finds, loads or opens, and what it computes: only the former may a module be given."""

import ast
from collections.abc import Collection, Iterable, Iterator

from agents.testwriting import LOADERS

__all__ = ["bindings", "outside", "root_of"]

DEVICES = frozenset({"torch.device", "torch.cuda.is_available"})
_SAME = {
    "Path", "bool", "dict", "enumerate", "float", "int", "list", "loads", "set", "sorted", "str", "tqdm", "tuple",
    "zip",
}  # fmt: skip
"""What is called on something that is found, and computes nothing of it."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def outside(wanted: ast.expr, original: ast.Module, files: Collection[str]) -> bool:
    """Whether it is found, loaded or opened, and not computed: a variable of the file that holds such a thing, or a
    field of one; a call of what loads; a device."""
    foreign = _foreign(original, files)
    if isinstance(wanted, ast.Call):
        return _brings(wanted, original, foreign)
    if isinstance(wanted, ast.Constant):
        return isinstance(wanted.value, str) and wanted.value.startswith("cuda")
    return root_of(wanted) != "" and _found(root_of(wanted), original, foreign, set())


def _brings(call: ast.Call, original: ast.Module, foreign: Collection[str]) -> bool:
    called, root = ast.unparse(call.func), _called(call)
    if called in DEVICES or called.rpartition(".")[2] not in LOADERS:
        return called in DEVICES
    bound = (value for target, value in bindings(_top(original)) if root_of(target) == root != "")
    return root in foreign or any(_called(value) in foreign for value in bound)


def _found(name: str, original: ast.Module, foreign: Collection[str], seen: set[str]) -> bool:
    """Whether a variable is bound to something that is found, and to nothing that the file's own code makes; `seen` are
    those that were asked about before."""
    defined = _definitions(original)
    if name in seen or name in defined:
        return False
    seen.add(name)
    bound = [(target, value) for target, value in bindings(_top(original)) if name in _bound_names(target)]
    values = [value for _, value in bound]
    parts = [part for value in values for part in ast.walk(value)]
    calls = [part for part in parts if isinstance(part, ast.Call)]
    if any(isinstance(part, ast.Lambda) or getattr(part, "attr", getattr(part, "id", "")) == "partial"
           for part in parts):  # fmt: skip
        return False
    if any(_called(call) in defined.difference(foreign) and not _parses(call, original) for call in calls):
        return False
    return any(_parses(call, original) or _brings(call, original, foreign) for call in calls) or any(
        root != "" and _found(root, original, foreign, seen)
        for target, value in bound
        for root in _sources(target, value)
    )


def _sources(target: ast.expr, value: ast.expr) -> Iterator[str]:
    """The variables that a value is a part of or read from; of a record that is put into a container, those of its
    parts, too: what a loop over what was loaded leaves can't be had without that."""
    if isinstance(target, ast.Attribute) and isinstance(value, ast.List | ast.Tuple | ast.Dict):
        yield from map(_source, value.values if isinstance(value, ast.Dict) else value.elts)
    yield _source(value)


def _source(value: ast.expr) -> str:
    """The variable that a value is a part of, or read from."""
    while isinstance(value, ast.Call | ast.Attribute | ast.Subscript):
        if isinstance(value, ast.Call) and ast.unparse(value.func).rpartition(".")[2] in _SAME and value.args:
            value = value.args[0]
        else:
            value = value.func if isinstance(value, ast.Call) else value.value
    return value.id if isinstance(value, ast.Name) else ""


def _parses(call: ast.Call, original: ast.Module) -> bool:
    """Whether it is a function of the file that only gives what stands on the command line."""
    called = [node for node in original.body if isinstance(node, _Function) and node.name == _called(call)]
    returned = [node.value for one in called for node in ast.walk(one) if isinstance(node, ast.Return)]
    local = {target.id: value for one in called for target, value in bindings(ast.walk(one))
             if isinstance(target, ast.Name)}  # fmt: skip
    values = [local.get(value.id, value) if isinstance(value, ast.Name) else value for value in returned]
    return bool(values) and all(
        isinstance(value, ast.Call) and getattr(value.func, "attr", "") == "parse_args" for value in values
    )


def _bound_names(target: ast.expr) -> set[str]:
    if isinstance(target, ast.Tuple | ast.List):
        return {name for one in target.elts for name in _bound_names(one)}
    return {root_of(target)} - {""}


def _called(node: ast.expr) -> str:
    """The name that a call begins with."""
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _foreign(tree: ast.Module, files: Collection[str]) -> set[str]:
    """Names of what is imported from outside of the slice, and built in: what the repository loads by, it computes."""
    own = {part for path in files for part in path.removesuffix(".py").split("/")}
    return {"input", "open", *_imported(tree, own)}


def _imported(tree: ast.Module, own: Collection[str] = ()) -> Iterator[str]:
    """The names that imports bind, but of modules of which a part is among `own`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (
            (own and node.level) or set((node.module or "").split(".")) & set(own)
        ):
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = (alias for alias in node.names if not set(alias.name.split(".")) & set(own))
            yield from (alias.asname or alias.name.partition(".")[0] for alias in names)


def _top(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements that are run when a file is, and those of functions that bind variables of it."""
    waiting = list(tree.body)
    while waiting:
        node = waiting.pop()
        local = isinstance(node, _Function) and not any(isinstance(one, ast.Global) for one in ast.walk(node))
        if local or isinstance(node, ast.ClassDef):
            continue
        yield node
        waiting += [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.stmt)]
        waiting += [part for each in getattr(node, "handlers", ()) for part in each.body]


def _definitions(tree: ast.Module) -> set[str]:
    """Names of functions, classes and what is imported, wherever."""
    found = {node.name for node in ast.walk(tree) if isinstance(node, _Function | ast.ClassDef)}
    return found | set(_imported(tree))


def bindings(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is bound, or filled, in statements, and with what."""
    for node in nodes:
        if isinstance(node, ast.Assign):
            yield from ((target, node.value) for target in node.targets)
        elif isinstance(node, ast.AnnAssign | ast.AugAssign) and node.value:
            yield node.target, node.value
        elif isinstance(node, ast.For):
            yield node.target, node.iter
        elif isinstance(node, ast.With):
            yield from ((one.optional_vars, one.context_expr) for one in node.items if one.optional_vars)
        elif isinstance(node, ast.Expr) and isinstance(call := node.value, ast.Call) and root_of(call.func):
            yield from ((call.func, one) for one in call.args if isinstance(call.func, ast.Attribute))


def root_of(node: ast.expr) -> str:
    """The variable that a name, or a field or an item of it, begins with; "" of anything else."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""

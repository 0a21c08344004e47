"""What a module takes as arguments that its original finds around it, and the original with the same arguments.

A rewrite may make a parameter of what the original loads, opens or reads from variables of its file. It says which
expression of the original each such parameter stands for; here the parameter is put in the place of that expression, so
that the same test can be run on both.
"""

import ast
import copy
from collections.abc import Collection, Iterator, Mapping, Sequence

from agents.execution.syntax import NotPython3, parse
from agents.rewrite.adapters import GIVEN, RUNTIME, adapted, kept
from agents.rewrite.outside import bindings, outside, root_of
from agents.rewrite.reply import Lifted
from agents.rewrite.task import Cause, Finding, Task
from agents.testwriting.literals import choices, tables

__all__ = ["objection", "original_file", "stood_for", "with_arguments", "without_gpu"]

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_BOUND = {"classmethod", "property", "setter", "staticmethod"}


def objection(task: Task, source: str, lifted: Sequence[Lifted]) -> Finding | None:
    """What is wrong with the parameters that are said to stand for something of the original; None if nothing is."""
    original, module = _trees(task, source)
    if original is None or module is None:
        return None if not lifted else Finding(Cause.INTERFACE, "the original can't be read")
    taken = {name for shape in _callables([module], task).values() for name in _parameters(shape)}
    wrong = [said for one in lifted if (said := _wrong(one, original, task, taken))]
    if wrong:
        return Finding(Cause.INTERFACE, "; ".join(dict.fromkeys(wrong)))
    return _others(task, original, module, lifted)


def _wrong(one: Lifted, original: ast.Module, task: Task, taken: Collection[str]) -> str:
    """What is wrong with a parameter, of those that are `taken`, for what it stands for; "" for nothing."""
    wanted = _expression(one.stands_for)
    if one.parameter not in taken:
        return f"{task.unit.symbol} takes no parameter {one.parameter!r}"
    if wanted is None or not any(_same(node, wanted) for node in ast.walk(original)):
        return f"{one.stands_for!r} occurs nowhere in the original's own file, {original_file(task)}"
    if outside(wanted, original, task.module.files):
        return ""
    made = "a call that loads and opens nothing" if isinstance(wanted, ast.Call) else "what the original works out"
    return f"{one.stands_for!r} is {made}: the module must have it itself"


def _others(task: Task, original: ast.Module, module: ast.Module, lifted: Sequence[Lifted]) -> Finding | None:
    """Parameters that the module has beyond the original's, and stand for nothing; where it has some that do, also
    those of the original that it lacks or has in another order, but for what only named what is given now."""
    mine, theirs = _callables([module], task), _callables(_all(task, original), task)
    given, named = {one.parameter for one in lifted}, _named(lifted, original)
    for name in (name for name in mine if name in theirs):
        first, known = "." in name, _parameters(theirs[name])
        ours = [one for one in _parameters(mine[name])[first:] if one not in given]
        more, free = [one for one in ours if one not in known], theirs[name].kwarg or theirs[name].vararg
        if more and not free:
            said = f"{name} takes {', '.join(more)}, which the original does not, and no entry of lifted names"
            return Finding(Cause.INTERFACE, said)
        wanted = [one for one in known[first:] if one in ours or one not in named]
        if given & set(_parameters(mine[name])) and not free and ours != wanted:
            said = f"beside what is lifted, {name} takes {', '.join(ours) or 'nothing'}, and not {', '.join(wanted)}"
            return Finding(Cause.INTERFACE, said)
    return None


def _named(lifted: Sequence[Lifted], original: ast.Module) -> set[str]:
    """The words of what is lifted, and of what these are assigned."""
    found = {word for one in lifted if (wanted := _expression(one.stands_for)) for word in _words(wanted)}
    bound = [(set(_words(target)), set(_words(value))) for target, value in bindings(ast.walk(original))]
    while more := {word for targets, words in bound if targets & found for word in words} - found:
        found |= more
    return found - {"self"}


def _words(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, ast.Attribute) and getattr(one.value, "id", "") == "self":
            yield f"self.{one.attr}"


def stood_for(task: Task, lifted: Sequence[Lifted]) -> dict[str, str]:
    """What each parameter stands for, and the words that the original's command line lets choose for it."""
    chosen: dict[str, tuple[str, ...]] = {}
    for text in task.module.files.values():
        try:
            tree = parse(text)
        except NotPython3:
            continue
        chosen |= choices(tree, tables(tree))
    words = {one.parameter: chosen.get(one.stands_for.rpartition(".")[2], ()) for one in lifted}
    told = {name: f", one of {', '.join(map(repr, said))}" if said else "" for name, said in words.items()}
    return {one.parameter: one.stands_for + told[one.parameter] for one in lifted}


def with_arguments(task: Task, source: str, lifted: Sequence[Lifted]) -> dict[str, str] | None:
    """The original's files, in which it takes the module's parameters and needs no GPU; None if it can't be read."""
    original, module = _trees(task, source)
    if original is None or module is None:
        return None
    tree = copy.deepcopy(original)
    if lifted:
        places = {one.parameter: _alike(wanted, original) for one in lifted if (wanted := _expression(one.stands_for))}
        _Lifting(places).visit(tree)
        tree.body += parse("\n".join(_adapters(task, original, module, set(places)))).body
        begin = next((n for n, node in enumerate(tree.body) if not _is_head(node)), len(tree.body))
        tree.body[begin:begin] = parse(RUNTIME).body
    changed = {**task.module.files, original_file(task): ast.unparse(ast.fix_missing_locations(tree))}
    return {path: without_gpu(text) for path, text in changed.items()}


def _adapters(task: Task, original: ast.Module, module: ast.Module, lifted: set[str]) -> Iterator[str]:
    """Statements that give what can be called of the original the parameters of the module."""
    theirs, methods = _callables(_all(task, original), task), list[str]()
    for name, mine in _callables([module], task).items():
        if lifted & set(_parameters(mine)) and (name in theirs or name.endswith(".__init__")):
            yield adapted(name, mine, theirs.get(name), lifted)
            methods += [name.partition(".")[2]] if "." in name else []
    if methods:
        yield kept(task.top, methods)


class _Lifting(ast.NodeTransformer):
    """Puts what is given in the place of expressions, by parameter, wherever they are evaluated in functions."""

    def __init__(self, places: Mapping[str, Sequence[ast.expr]]) -> None:
        self.places, self.scopes = places, list[set[str]]()

    def visit(self, node: ast.AST) -> ast.AST:
        """Inside of functions a name is only meant where it is none of theirs."""
        if isinstance(node, _Function | ast.Lambda):
            self.scopes.append(_local(node))
            for part in node.body if isinstance(node, _Function) else ():
                self.visit(part)
            if isinstance(node, ast.Lambda) and isinstance(body := self.visit(node.body), ast.expr):
                node.body = body
            self.scopes.pop()
            return node
        if self.scopes and isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            for parameter, wanted in self.places.items():
                if any(_same(node, one) for one in wanted) and not self._hidden(node):
                    given = parse(f"{GIVEN}[{parameter!r}]").body[0]
                    return given.value if isinstance(given, ast.Expr) else node
        return self.generic_visit(node)

    def _hidden(self, node: ast.expr) -> bool:
        root = root_of(node)
        return root != "" and any(root in names for names in self.scopes)


def _alike(wanted: ast.expr, original: ast.Module) -> list[ast.expr]:
    """An expression, and the variables of the file that are assigned it."""
    assigned = [node for node in original.body if isinstance(node, ast.Assign) and _same(node.value, wanted)]
    names = [target for node in assigned for target in node.targets if isinstance(target, ast.Name)]
    return [wanted, *(ast.Name(target.id, ast.Load()) for target in names)]


def _all(task: Task, original: ast.Module) -> list[ast.Module]:
    """The original's file, and the others of its slice."""
    found = [original]
    for path, text in task.module.files.items():
        try:
            found += [parse(text)] if path != original_file(task) else []
        except NotPython3:
            continue
    return found


def _callables(trees: Sequence[ast.Module], task: Task) -> dict[str, ast.arguments]:
    """What the function that is asked for takes, or the methods of its class, inherited ones included, by how they are
    named at the top of the first file; what they inherit may stand in the others."""
    found: dict[str, ast.arguments] = {}
    classes = {node.name: node for tree in reversed(trees) for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in trees[0].body:
        if isinstance(node, _Function) and node.name == task.top:
            found[node.name] = node.args
        elif isinstance(node, ast.ClassDef) and node.name == task.top:
            lines = list(_line(node, classes))
            for each in reversed(lines):
                methods = [
                    one for one in each.body if isinstance(one, _Function) and not _BOUND & set(_decorators(one))
                ]
                found |= {f"{node.name}.{one.name}": one.args for one in methods}
            bases = {ast.unparse(base) for each in lines for base in each.bases}
            if not any(each.decorator_list or each.keywords for each in lines) and bases <= {*classes, "object"}:
                found.setdefault(f"{node.name}.__init__", ast.arguments([], [ast.arg("self")], None, [], [], None, []))
    return found


def _line(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> Iterator[ast.ClassDef]:
    """A class and those that it is made of, itself first."""
    waiting, seen = [node], set[str]()
    while waiting:
        one = waiting.pop(0)
        if one.name not in seen:
            seen.add(one.name)
            yield one
            waiting += [classes[base.id] for base in one.bases if isinstance(base, ast.Name) and base.id in classes]


def _decorators(function: _Function) -> list[str]:
    return [getattr(node, "id", getattr(node, "attr", "")) for node in function.decorator_list]


def _parameters(given: ast.arguments) -> list[str]:
    return [one.arg for one in [*given.posonlyargs, *given.args, *given.kwonlyargs]]


def _local(scope: ast.AST) -> set[str]:
    """Names that are a function's own."""
    arguments = {node.arg for node in ast.walk(scope) if isinstance(node, ast.arg)}
    stored = {n.id for n in ast.walk(scope) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    outer = {name for node in ast.walk(scope) if isinstance(node, ast.Global) for name in node.names}
    return (arguments | stored) - outer


def _expression(text: str) -> ast.expr | None:
    try:
        body = parse(text.strip()).body
    except NotPython3:
        return None
    return body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None


def _same(one: ast.AST, other: ast.AST) -> bool:
    return type(one) is type(other) and ast.dump(one) == ast.dump(other)


def _trees(task: Task, source: str) -> tuple[ast.Module | None, ast.Module | None]:
    """The original's file, and the module."""
    try:
        return parse(task.module.files.get(original_file(task), "")), parse(source)
    except NotPython3:
        return None, None


def original_file(task: Task) -> str:
    """The file of the slice that defines the unit."""
    path = task.module.import_name.replace(".", "/")
    return next((one for one in (f"{path}.py", f"{path}/__init__.py") if one in task.module.files), "")


def _is_head(node: ast.stmt) -> bool:
    documentation = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return documentation or (isinstance(node, ast.ImportFrom) and node.module == "__future__")


class _Processor(ast.NodeTransformer):
    """Leaves all on the processor: where a tensor lies changes no result."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """``x.cuda(…)`` is `x`."""
        self.generic_visit(node)
        return node.func.value if isinstance(node.func, ast.Attribute) and node.func.attr == "cuda" else node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """The names of devices."""
        return ast.copy_location(ast.Constant("cpu"), node) if _gpu(node) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """Those with a number that is put in."""
        if node.values and _gpu(node.values[0]):
            return ast.copy_location(ast.Constant("cpu"), node)
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.generic_visit(part)
        return node


def _gpu(node: ast.expr) -> bool:
    said = node.value if isinstance(node, ast.Constant) else None
    return isinstance(said, str) and said.partition(":")[0] == "cuda"


def without_gpu(text: str) -> str:
    """A text that leaves all on the processor; itself if it does so, or can't be read."""
    try:
        tree = parse(text)
    except NotPython3:
        return text
    before = ast.dump(tree)
    changed = _Processor().visit(tree)
    return ast.unparse(changed) if ast.dump(changed) != before else text

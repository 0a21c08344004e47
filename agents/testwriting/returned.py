"""The form of what a function gives, as far as it is written out, and what its callers take of it; never a value, but
the texts between which it chooses, as labels can't be guessed."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from agents.code.verify.statements import named
from agents.execution.syntax import NotPython3, parse_piece
from agents.testwriting.deciding import deciding
from kg.models.code import CodeUnit

__all__ = ["Function", "definition", "forms", "function_of", "kept_by"]

Function = ast.FunctionDef | ast.AsyncFunctionDef
_READS = {"copy", "count", "get", "index", "items", "keys", "reverse", "sort", "values"}
"""Methods that leave the form of a container as it is."""
LABELS, LONG = 12, 40
"""How many texts a function may choose between, and the characters of one: more are no labels."""
_WORDS = {"None", "a", "and", "dict", "list", "more", "of", "or", "value", "values", "with"}
"""What a form says that is no name."""
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def definition(unit: CodeUnit) -> ast.stmt | None:
    """What a unit is, in its own text or in that of a whole module, as of one that was made; None if nothing in it has
    its name."""
    try:
        body = parse_piece(unit.text).body
    except NotPython3:
        return None
    return _named_in(body, unit.symbol.split(".")) or _named_in(body, [unit.name])


def _named_in(body: Sequence[ast.stmt], parts: Sequence[str]) -> ast.stmt | None:
    node = next((one for one in body if getattr(one, "name", None) == parts[0]), None)
    return node if node is None or len(parts) == 1 else _named_in(getattr(node, "body", ()), parts[1:])


def function_of(unit: CodeUnit) -> Function | None:
    """The function that a unit is; None for other units."""
    node = definition(unit) if unit.kind in ("function", "method") else None
    return node if isinstance(node, Function) else None


def forms(function: Function) -> str:
    """What a function returns or yields: keys, how many values, fields of a record, labels, None beside others; "" if
    nothing is to be seen."""
    known = _named(function)
    given: dict[str, list[ast.expr]] = {"returns": [], "yields": []}
    for node in _own(function):
        if isinstance(node, ast.Return | ast.Yield):
            given["returns" if isinstance(node, ast.Return) else "yields"].append(node.value or ast.Constant(None))
    said = {verb: _either(found, known) for verb, found in given.items()}
    return "; ".join(f"{verb} {form}{_none_by(function, form)}" for verb, form in said.items() if form)


def _none_by(function: Function, form: str) -> str:
    """By which parameters, or names in the `form` of what comes back, None is decided; "" where that is not seen."""
    if not form.endswith(" or None"):
        return ""
    parameters = {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}
    decided = deciding(function, parameters | {*re.findall(r"\w+", form)} - _WORDS)
    around = [node for node in _own(function) if isinstance(node, ast.If)]
    ends = [
        node for node in _own(function) if isinstance(node, ast.Return) and _is_none(node.value or ast.Constant(None))
    ]
    conditions = [[node for node in around if node.lineno < end.lineno <= (node.end_lineno or 0)][-1:] for end in ends]
    told = [decided(node.lineno, named(node.test)) for found in conditions for node in found]
    return ", None".join(["", *dict.fromkeys(filter(None, told))])


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _either(given: Sequence[ast.expr], known: Mapping[str, ast.expr]) -> str:
    """One form or another, None last and never alone. Values without names that are seen are told with those of another
    place that has some."""
    forms = {_form(one, known) for one in given if not _is_none(one)}
    named = {form.partition(" (")[0] for form in forms if " (" in form}
    seen = sorted(forms - named - {""}) + [labels for labels in [_labels(given)] if labels]
    nothing = any(map(_is_none, given))
    return " or ".join([*(seen or ["a value"] * (nothing and "" in forms)), *["None"] * (nothing and bool(forms))])


def kept_by(made: ast.ClassDef) -> list[str]:
    """The public attributes that the methods of a class set on its objects, by their names, in their order."""
    found: list[str] = []
    for method in (one for one in made.body if isinstance(one, Function) and one.args.args):
        mine = method.args.args[0].arg
        stored = [one for one in _own(method) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)]
        found += [one.attr for one in stored if getattr(one.value, "id", "") == mine and one.attr[0] != "_"]
    return list(dict.fromkeys(found))


def _own(function: Function) -> Iterator[ast.AST]:
    """All that stands in a function, and not in one within it, in its order."""
    waiting: list[ast.AST] = [*reversed(function.body)]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [] if isinstance(node, _INNER) else [*ast.iter_child_nodes(node)][::-1]


def _named(function: Function) -> dict[str, ast.expr]:
    """What variables hold whose only value is written out, with the keys and items that are added later; nothing of one
    that is changed in another way."""
    found: dict[str, ast.expr] = {}
    for node in _own(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    value = _displayed(node.value)
                    several = target.id in found or not isinstance(value, ast.Dict | ast.List | ast.Tuple)
                    found[target.id] = ast.Constant(None) if several else _copied(value)
                elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
                    held = found.get(target.value.id)
                    if isinstance(held, ast.Dict):
                        held.keys.append(target.slice if isinstance(target.slice, ast.Constant) else None)
                        held.values.append(node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append":
            held = found.get(node.func.value.id) if isinstance(node.func.value, ast.Name) else None
            if isinstance(held, ast.List):
                held.elts += node.args[:1]
        else:
            found |= {name: ast.Constant(None) for name in _changed(node)}
    return found


def _changed(node: ast.AST) -> Iterator[str]:
    """Variables of whose containers it is not known any more what they hold."""
    parts: list[ast.expr] = []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr not in _READS:
        parts = [node.func.value]
    elif isinstance(node, ast.Delete):
        parts = [one.value if isinstance(one, ast.Subscript) else one for one in node.targets]
    elif isinstance(node, ast.AugAssign):
        parts = [node.target]
    yield from (one.id for one in parts if isinstance(one, ast.Name))


def _displayed(node: ast.expr) -> ast.expr:
    """`dict(a=1)` as `{"a": 1}`; what else there is as it is."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict" and not node.args:
        keys: list[ast.expr | None] = [ast.Constant(one.arg) if one.arg else None for one in node.keywords]
        return ast.Dict(keys, [one.value for one in node.keywords])
    return node


def _copied(node: ast.expr) -> ast.expr:
    """A container to which more may be added."""
    if isinstance(node, ast.Dict):
        return ast.Dict([*node.keys], [*node.values])
    return ast.List([*node.elts], ast.Load()) if isinstance(node, ast.List) else node


def _form(node: ast.expr, known: Mapping[str, ast.expr]) -> str:
    node = _displayed(node)
    if isinstance(node, ast.Name):
        return _form(known[node.id], {}) if node.id in known else ""
    if isinstance(node, ast.Dict):
        keys: dict[str, list[ast.expr]] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            for text in _texts(key) if isinstance(key, ast.Constant) else ():
                keys.setdefault(text, []).append(value)
        named = [repr(key) + (f" ({labels})" if (labels := _labels(found)) else "") for key, found in keys.items()]
        more = " and more" if sum(map(len, keys.values())) < len(node.keys) else ""
        return f"a dict with {', '.join(named)}{more}" if keys else ""
    if isinstance(node, ast.Tuple):
        parts = [_part(one, known) for one in node.elts]
        return f"{len(parts)} values" + (f" ({', '.join(parts)})" if {*parts} - {"…"} else "")
    if isinstance(node, ast.List | ast.ListComp | ast.GeneratorExp):
        items = node.elts if isinstance(node, ast.List) else [node.elt]
        inside = _labels(items) or next((form for one in items[:1] if (form := _form(one, known))), "")
        return f"a list of {inside}" if inside else ""
    if isinstance(node, ast.Call) and node.keywords and not node.args and all(one.arg for one in node.keywords):
        name = ast.unparse(node.func).rpartition(".")[2]
        return f"{name}({', '.join(f'{one.arg}=' for one in node.keywords)})" if name[:1].isupper() else ""
    return ""


def _part(node: ast.expr, known: Mapping[str, ast.expr]) -> str:
    """One of several values: its name and its form, as far as they are seen."""
    name, form = getattr(node, "id", getattr(node, "attr", "")), _form(node, known)
    return f"{name}: {form}" if name and form else name or form or _labels([node]) or "…"


def _labels(nodes: Iterable[ast.expr]) -> str:
    """The texts between which is chosen, in an order that tells nothing; "" for fewer than two, which were a value."""
    found = sorted({text for node in nodes for text in _texts(node)})
    return " or ".join(map(repr, found)) if 1 < len(found) <= LABELS and max(map(len, found)) <= LONG else ""


def _texts(node: ast.expr) -> Iterator[str]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.IfExp):
            waiting += [one.orelse, one.body]
        elif isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value

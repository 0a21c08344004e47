"""Parameters of which documentation tells, and on which nothing depends that a function does.

A parameter that is only looked at to refuse some of its values counts as one that is not looked at. What a method need
not look at, as it has its parameters from a class above it or for those below, is left out.
"""

import ast
import re
from collections.abc import Iterator

from agents.code.verify.docstrings import sentences
from agents.code.verify.possible import Possible, Reach
from kg.models.code import CodeUnit

__all__ = ["disregarded", "unused"]

_OF_NO_ACCOUNT = re.compile(
    r"(?i)\b(?:unused|ignor\w*|not|no|never|without|compat\w*|interface|signature|placeholder|reserved|regardless|dummy"
    r"|whatever|irrelevant|independent\w*|convention|callback|protocol|uniform\w*|constant\w*|always|every|each|any|all"
    r"|unaffected|unchanged|same|once|hook|event|instead|optional\w*|default\w*|abstract|override\w*|subclass\w*)\b|n't\b"
)
_OF_NO_EFFECT = re.compile(
    r"(?i)\b(?:unused|ignor\w*|not (?:yet )?(?:used|implemented|supported)|no effect|compat\w*|interface|signature"
    r"|placeholder|reserved|dummy|convention|deprecat\w*|future|api|consisten\w*|override\w*|subclass\w*|abstract\w*"
    r"|callback|protocol|hook|stub|todo|currently|at present|instead|legacy|only by|kept for)\b|n't\b"
)
_OF_FREEDOM = re.compile(
    r"(?i)\b(?:regardless|whatever|irrelevant|independent\w*|does not depend|unaffected|event|any|constant\w*"
    r"|uniform\w*|never|always|without)\b"
)
_REFUSING = re.compile(
    r"(?i)\b(?:rais\w*|errors?|refus\w*|reject\w*|check\w*|valid\w*|ensur\w*|assert\w*|must|at most|at least"
    r"|limit\w*)\b"
)
SENTENCES = 2
"""So many of a docstring tell what is done; further ones may tell of anything."""


def disregarded(unit: CodeUnit, known: Possible, reach: Reach) -> str:
    """What is said of such a parameter, and that nothing depends on it, as a clause; empty for none."""
    node = reach.function
    if node is None or not reach.is_as_written or _is_given(unit, known):
        return ""
    acting = _without_guards(node.body)
    refuses = not any(reach.uses(name, acting) for name in _parameters(node.args))
    for name, said in _said(unit, node.args):
        if not reach.uses(name, node.body):
            return f"its docstring says: {said[:200]}; nothing in its source looks at {name}"
        if not refuses and not _REFUSING.search(said) and not reach.uses(name, acting):
            return f"its docstring says: {said[:200]}; nothing in its source looks at {name}, but to refuse it"
    return _all_of(unit, reach, node)


def unused(unit: CodeUnit, known: Possible) -> list[str]:
    """Parameters of a function on which nothing depends, where its documentation does not say so."""
    reach = known.reach(unit)
    node = reach.function
    if unit.kind != "function" or node is None or not reach.is_as_written or node.decorator_list:
        return []
    if _OF_NO_EFFECT.search(unit.docstring):
        return []
    return [name for name in _parameters(node.args) if not reach.uses(name, node.body)]


def _all_of(unit: CodeUnit, reach: Reach, node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The same of a function that computes something, and uses nothing of what each call must give it."""
    needed = _needed(node.args) if unit.kind == "function" else []
    if not needed or _OF_NO_EFFECT.search(unit.docstring) or _OF_FREEDOM.search(unit.docstring):
        return ""
    returned = [part.value for part in ast.walk(node) if isinstance(part, ast.Return) and part.value]
    computed = any(isinstance(part, ast.Call) for value in returned for part in ast.walk(value))
    if not computed or any(reach.uses(name, node.body) for name in needed):
        return ""
    return f"its signature says: {unit.signature[:200]}; nothing in its source looks at {' or '.join(needed)}"


def _said(unit: CodeUnit, arguments: ast.arguments) -> Iterator[tuple[str, str]]:
    """Parameters of which a docstring tells in its summary or in a field of their own, each with what is said."""
    told = sentences(unit.docstring)
    first = next(iter(told), "")
    needed = _needed(arguments) if unit.kind == "function" else []
    named = _parameters(arguments)
    if first and not _OF_NO_ACCOUNT.search(unit.docstring):
        yield from ((name, first) for name in needed if _done_with(name, first))
    if _OF_NO_EFFECT.search(unit.docstring):
        return
    for name in named:
        entry = re.search(
            rf"(?m)^[ \t]*(?::param (?:\w+ )?)?{re.escape(name)}(?: ?\([^)\n]*\))?:[ \t]*(\w[^\n]{{8,}})"
            rf"|^[ \t]*{re.escape(name)} : [^\n]+\n[ \t]+(\w[^\n]{{8,}})",
            unit.docstring,
        )
        if entry:
            yield name, f"{name}: {(entry[1] or entry[2]).strip()}"
    for sentence in list(told)[:SENTENCES]:
        if not _OF_FREEDOM.search(sentence):
            yield from ((name, sentence) for name in named if len(name) > 3 and _named(name, sentence))


def _done_with(name: str, first: str) -> bool:
    by = rf"(?i)\bby (?:\w+ )?{re.escape(name.removesuffix('s'))}(?=[.,;:]|$)"
    return bool(
        (len(name) > 2 and re.search(rf"\b{re.escape(name)}\b", first)) or (len(name) > 4 and re.search(by, first))
    )


def _named(name: str, sentence: str) -> bool:
    """Whether a sentence says the name, or one thing of those that it stands for."""
    one = name.removesuffix("es") if name.endswith("sses") else name.removesuffix("s")
    of_all = r"(?<!\beach )(?<!\bevery )(?<!\ball )"
    return bool(re.search(rf"(?i){of_all}\b(?:{re.escape(name)}|{re.escape(one)})\b", sentence))


def _parameters(arguments: ast.arguments) -> list[str]:
    """The names of those of a function, or of a method but for that of its object."""
    listed = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [each.arg for each in listed if each.arg not in {"self", "cls"} and not each.arg.startswith("_")]


def _needed(arguments: ast.arguments) -> list[str]:
    """Those that every call gives."""
    listed = [*arguments.posonlyargs, *arguments.args]
    kept = listed[: len(listed) - len(arguments.defaults)]
    kept += [each for each, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value is None]
    return [each.arg for each in kept if not each.arg.startswith("_")]


def _is_given(unit: CodeUnit, known: Possible) -> bool:
    """Whether a method has its parameters from elsewhere: a class above its own or below, or one beside it of like
    form."""
    if unit.kind != "method":
        return False
    name = unit.symbol.rpartition(".")[0].rpartition(".")[2]
    owners = [owner for owner in known.named.get(name, ()) if owner.id == unit.parent]
    beside = [other for other in known.named.get(unit.name, ()) if other.file == unit.file and other.id != unit.id]
    return not owners or bool(beside) or any(owner.bases for owner in owners) or name in known.bases


def _without_guards(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements but for those at their top that only refuse."""
    return [part for part in body if not isinstance(part, ast.Assert) and not _is_guard(part)]


def _is_guard(part: ast.stmt) -> bool:
    return isinstance(part, ast.If) and not part.orelse and all(isinstance(each, ast.Raise) for each in part.body)

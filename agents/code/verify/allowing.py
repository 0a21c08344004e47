"""Which wrong results the texts of a unit and its tests allow for: there, that tests accept these says nothing."""

import ast
import re
import textwrap
from collections.abc import Iterable

from agents.execution.syntax import NotPython3, parse
from kg.models.code import CodeUnit

__all__ = ["allowed"]

_NAMES_SAME = re.compile(
    r"(?:^|_)(?:identity|copy|copied|clone|noop|no_op|passthrough|pass_through|unchanged|echo)(?:_|$)"
)
_SAYS_SAME = re.compile(
    r"(?i)\b(?:identity|unchanged|unaltered|as (?:it|they) (?:is|are|was|were)|cop(?:y|ies) of|no-?op)\b"
)
_ON_CONDITION = re.compile(r"(?i)\b(?:if|when|where|unless|otherwise|others?|rest|what|which|that|whose)\b")
_CONVERTS = {"list": re.compile(r"(?i)lists?\b|_list"), "array": re.compile(r"(?i)array|tensor|numpy|matri")}
_ORDERED = re.compile(
    r"(?i)\b(?:sort(?:s|ed)?|rank(?:s|ed)|ascending|descending|ordered)\b"
    r"|\b(?:in|keep(?:s|ing)?|preserv(?:es?|ing))\s(?:\w+\s){0,2}order\b(?!\s(?:to|of (?:magnitude|accuracy))\b)"
)
_ANY_ORDER = re.compile(
    r"(?i)\b(?:any|no|random|arbitrary|unspecified|whatever)\s(?:\w+\s)?order\b|shuffle|permut|unordered"
)
_CHANCE = re.compile(r"rand|rng$|seed|sampl|shuffl|stochastic|montecarlo|dropout|train|fit(?:s|ted|ting)?$|epoch")
_APPROXIMATES = re.compile(r"(?:[rax]?tol|tolerance|iters?|iterations?|steps)$")
_INTO = re.compile(
    r"(?i)\b(?:writ|append|add|push|put|stor|collect|insert|fill)\w*\b[^.;]*?\b(?:in)?to (?:the )?[`'\"*]{0,2}(\w+)\b"
)
_IN_PLACE = re.compile(r"(?i)\bin[- ]place\b")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def allowed(unit: CodeUnit, tests: Iterable[CodeUnit]) -> frozenset[str]:
    """The beginnings of kinds of wrong results (``wrong`` and ``trivial`` inside) that are none for this unit.

    "given": it says that it gives back what it gets. "order": it promises no order. "near": chance, training or a
    tolerance of its own decides how near its results are. "unwritten": it does not say that it writes into an argument.
    """
    first = _first_sentence(unit.docstring or "")
    said = f"{unit.name} {first}"
    found = {f"given {form}" for form, words in _CONVERTS.items() if words.search(said)}
    if _NAMES_SAME.search(unit.name.lower()) or (_SAYS_SAME.search(first) and not _ON_CONDITION.search(first)):
        found |= {"given", "sized"}
    told = f"{unit.name.replace('_', ' ')} {unit.docstring or ''}"
    if not _ORDERED.search(told) or _ANY_ORDER.search(told):
        found.add("order")
    parameters, names = _names(unit.text)
    into = _INTO.search(unit.docstring or "")
    if not (into and into[1] in parameters) and not _IN_PLACE.search(first):
        found.add("unwritten")
    for test in tests:
        names |= _names(test.text)[1]
    if any(_CHANCE.match(part) for part in _parts(names)) or any(map(_APPROXIMATES.search, parameters)):
        found.add("near")
    return frozenset(found)


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.;:!?])\s|\n\s*\n", text.strip(), maxsplit=1)[0]


def _parts(names: Iterable[str]) -> set[str]:
    return {part.lower() for name in names for part in _PART.findall(name)}


def _names(text: str) -> tuple[set[str], set[str]]:
    """The parameters of the functions in a text, and all names in it."""
    try:
        tree = parse(textwrap.dedent(text))
    except NotPython3:
        return set(), set()
    nodes = list(ast.walk(tree))
    parameters = {node.arg for node in nodes if isinstance(node, ast.arg)}
    named = {getattr(node, field, None) for node in nodes for field in ("id", "attr", "arg", "name", "module")}
    return parameters, parameters | {name for name in named if isinstance(name, str)}

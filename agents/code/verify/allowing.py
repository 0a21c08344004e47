"""Which wrong results the texts of a unit and its tests allow for: there, that tests accept these says nothing."""

import ast
import re
from collections.abc import Iterable

from agents.execution.syntax import NotPython3, parse_piece
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
    r"(?i)\b(?:sort(?:s|ed)?|rank(?:s|ed|ing)|ascending|descending|ordered|topological(?:ly)?|toposort)\b"
    r"|\b(?:in|keep(?:s|ing)?|preserv(?:es?|ing))\s(?:\w+\s){0,2}order\b(?!\s(?:to|of (?:magnitude|accuracy))\b)"
    r"|\b(?:(?!re|t)\w+est|(?:most|least)\s\w+)\s(?:\w+\s)?(?:first|last)\s*(?:$|[.,;:)])"
    r"|\b(?:each|every)\b[^.;:]*?(?<!that)(?<!which)\s(?:comes|goes|is placed|is put|runs|stands)\s"
    r"(?:after|ahead of|before|behind)\b"
    r"|\b(?:after|before)\s(?:\w+\s){1,3}(?:it|they)\s(?:depends?|needs?|requires?)\b"
    r"|\b(?:after|at)\s(?:each|every)\b|\b(?:alternately|by turns|in turns?|interleaved?)\b"
)
_NAMES_ORDER = re.compile(r"_(?:order|ranking|schedule)$")
_ANY_ORDER = re.compile(
    r"(?i)\b(?:any|no|random|arbitrary|unspecified|whatever)\s(?:\w+\s)?order\b|shuffle|permut|unordered"
)
_CHANCE = re.compile(r"rand|rng$|seed|sampl|shuffl|stochastic|montecarlo|dropout|train|fit(?:s|ted|ting)?$|epoch")
_APPROXIMATES = re.compile(r"(?:[rax]?tol|tolerance|iters?|iterations?|steps)$")
_INTO = re.compile(
    r"(?i)\b(?:writ|append|add|push|put|stor|collect|insert|fill)\w*\b[^.;]*?\b(?:in)?to (?:the )?[`'\"*]{0,2}(\w+)\b"
)
_IN_PLACE = re.compile(r"(?i)\bin[- ]place\b")
_CHANGES = re.compile(
    r"(?i)in[- _]?place|\b(?:re|un|over|pre)?-?(?:add|alter|append|apply|applies|assign|chang|clear|collect|consum"
    r"|count|destr|discard|delet|drain|drop|empt|eliminat|extend|fill|flip|heap|insert|kept|keep|mark|merg|modif"
    r"|mov|mutat|order|partition|pivot|pop"
    r"|push|rearrang|record|reduc|regist|relax|remov|replac|reset|rotat|scratch|set|shuffl|side|sort|step|stor|swap"
    r"|take|taking|track|train|transform|updat|writ|written|work)"
)
"""Beginnings of words that may speak of a change of what is given."""
_KEPT_IN = re.compile(
    r"^(?:_.*|acc\w*|buf\w*|cache\w*|context|counts?|ctx|dest\w*|done|env\w*|found|heap|history|into|log\w*|memo\w*|out\w*"
    r"|path|queue|rng|results?|scratch|seen|self|stack|stat\w*|store|target|totals?|visited|work\w*)$"
)
"""Parameters that are there to be changed, by their names."""
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def allowed(unit: CodeUnit, tests: Iterable[CodeUnit]) -> frozenset[str]:
    """The beginnings of kinds of wrong results (``wrong`` and ``trivial`` inside) that are none for this unit.

    "given": it says that it gives back what it gets. "order": it leaves the order open; "unsaid order": it says nothing
    of one. "near": chance, training or a tolerance of its own decides how near its results are. "short": chance makes
    its items, so that one more tells nothing. "unwritten": what it says leaves open whether it writes into an argument.
    """
    first = _first_sentence(unit.docstring or "")
    said = f"{unit.name} {first}"
    found = {f"given {form}" for form, words in _CONVERTS.items() if words.search(said)}
    if _NAMES_SAME.search(unit.name.lower()) or (_SAYS_SAME.search(first) and not _ON_CONDITION.search(first)):
        found |= {"given", "sized"}
    told = f"{unit.name.replace('_', ' ')} {unit.docstring or ''}"
    if _ANY_ORDER.search(told):
        found.add("order")
    elif not _ORDERED.search(told) and not _NAMES_ORDER.search(unit.name):
        found.add("unsaid order")
    parameters, names = _names(unit.text)
    into = _INTO.search(unit.docstring or "")
    written = (into and into[1] in parameters) or _IN_PLACE.search(first)
    if not written and (_CHANGES.search(told) or any(map(_KEPT_IN.match, parameters)) or not _returns(unit)):
        found.add("unwritten")
    for test in tests:
        names |= _names(test.text)[1]
    chance = any(_CHANCE.match(part) for part in _parts(names))
    found |= {"near"} if chance or any(map(_APPROXIMATES.search, parameters)) else set()
    found |= {"short"} if chance else set()
    return frozenset(found)


def _returns(unit: CodeUnit) -> bool:
    """Whether a unit says what it is for, and gives a value back: nobody expects that it changes what it is given."""
    return unit.kind == "function" and bool(unit.docstring) and bool(re.search(r"\breturn\s+(?!None\b)\S", unit.text))


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.;:!?])\s|\n\s*\n", text.strip(), maxsplit=1)[0]


def _parts(names: Iterable[str]) -> set[str]:
    return {part.lower() for name in names for part in _PART.findall(name)}


def _names(text: str) -> tuple[set[str], set[str]]:
    """The parameters of the functions in a text, and all names in it."""
    try:
        tree = parse_piece(text)
    except NotPython3:
        return set(), set()
    nodes = list(ast.walk(tree))
    parameters = {node.arg for node in nodes if isinstance(node, ast.arg)}
    named = {getattr(node, field, None) for node in nodes for field in ("id", "attr", "arg", "name", "module")}
    return parameters, parameters | {name for name in named if isinstance(name, str)}

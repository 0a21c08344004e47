"""What a function's name, its documentation and its paper promise of what it returns.

Only what is plain is read: a sentence that speaks of the result, holds no condition, negation or parameter beside the
property, and names it in full. A promise that is refuted says that name, text and code don't go together; one that is
missed says nothing.
"""

import itertools
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Literal

from agents.code.verify.claims import claims
from agents.code.verify.conduct import conduct
from agents.code.verify.docstrings import sentences_of_result
from agents.code.verify.effects import effects
from agents.code.verify.formulas import formulas
from agents.code.verify.naming import (
    Parameter,
    behind_interfaces,
    class_of_the_textbook,
    counted_or_defined,
    of_the_textbook,
    parameters_of,
)
from agents.code.verify.nature import nature
from agents.code.verify.qualities import qualities
from agents.code.verify.readings import fixed
from agents.code.verify.showing import showing, shown_in
from kg.models.code import CodeUnit

__all__ = ["Promise", "PromiseKind", "dumped", "promises"]


class PromiseKind(StrEnum):
    """What is promised of the numbers of a result; from RAISES on of a call (see `effects`), from LIMITED on of cases
    that tests need not enter (see `conduct`, `claims`, `showing` and `qualities`).

    `args` of a promise are the bounds of BETWEEN, "ascending", "descending" or "" of SORTED, place and name of the
    parameter of SAME_SHAPE, the name of a DEFINITION; of TEXTBOOK and METHOD, which are tried on inputs of their own,
    the name, and 1 if the second argument is the truth, or what each parameter is for; of FORMULA, tried so too, its
    tree and the parameters of which 0 and 1 may be names.
    """

    BETWEEN = "between"
    NON_NEGATIVE = "non_negative"
    POSITIVE = "positive"
    SUMS_TO_ONE = "sums_to_one"
    UNIT_NORM = "unit_norm"
    SYMMETRIC = "symmetric"
    ORTHONORMAL = "orthonormal"
    SORTED = "sorted"
    SAME_SHAPE = "same_shape"
    INTEGER = "integer"
    DEFINITION = "definition"
    TEXTBOOK = "textbook"
    METHOD = "method"
    FORMULA = "formula"
    RAISES = "raises"
    UNCHANGED = "unchanged"
    NEW = "new"
    IN_PLACE = "in_place"
    AT_MOST = "at_most"
    CASELESS = "caseless"
    WHOLE = "whole"
    LIMITED = "limited"
    EMPTY = "empty"
    BATCHES = "batches"
    WINDOWS = "windows"
    EVEN_PARTS = "even_parts"
    ALL_LEFT = "all_left"
    ORDERED = "ordered"
    AGAIN = "again"
    WITHIN = "within"
    BOUNDED = "bounded"
    ENDS = "ends"
    BY_NAME = "by_name"
    SWAPPED = "swapped"
    RECALLED = "recalled"
    ANEW = "anew"
    DEEP = "deep"
    ARRAYS_KEPT = "arrays_kept"
    DONE_AGAIN = "done_again"
    UNDONE = "undone"
    CLONED = "cloned"
    FILLED = "filled"
    SHUFFLED = "shuffled"
    STABLE = "stable"
    AT_END = "at_end"
    TIED = "tied"
    FINITE = "finite"
    SHIFTED = "shifted"
    ENDLESS = "endless"
    UNIFORM = "uniform"
    AROUND = "around"
    SKIPPING = "skipping"
    EACH_WINDOW = "each_window"
    DOUBLED = "doubled"
    SIGNED = "signed"
    ADDS_UP = "adds_up"
    EXAMPLE = "example"
    IN_FRONT = "in_front"
    QUANTITY = "quantity"
    ACCURATE = "accurate"
    STRATIFIED = "stratified"
    EXPECTED = "expected"
    TOTALLED = "totalled"
    NORMED = "normed"
    ARRANGED = "arranged"
    RISING = "rising"
    DISTINCT = "distinct"
    AS_LONG = "as_long"
    JOINED = "joined"
    SPANNING = "spanning"
    PERMUTED = "permuted"
    EACH_ROW = "each_row"
    PAIRED = "paired"
    AS_FLOATS = "as_floats"
    REPEATED = "repeated"
    BY_KEYWORDS = "by_keywords"
    IN_A_ROW = "in_a_row"
    OWN = "own"
    RAISED_AGAIN = "raised_again"
    FITTED = "fitted"
    LISTED = "listed"
    AS_NEW = "as_new"
    REPLACED = "replaced"
    HANDED = "handed"
    CURRENT = "current"
    IN_TURN = "in_turn"
    SHARE = "share"
    JOINT = "joint"
    BOTH_WAYS = "both_ways"
    ANY_SIZE = "any_size"


@dataclass(frozen=True)
class Promise:
    """One promise, where it was read, and the sentence (of a name: the name)."""

    kind: PromiseKind
    args: tuple[object, ...]
    source: Literal["name", "docstring", "paper", "README"]
    sentence: str


def promises(  # noqa: PLR0912 -- one for each reader
    unit: CodeUnit, paper: Iterable[str] = (), readme: str = ""
) -> tuple[Promise, ...]:
    """All that is promised of the results of a function or method; `paper` are sentences about it, `readme` shows calls
    of functions, of which none else has its name. Nothing is promised of anything else."""
    name, said = class_of_the_textbook(unit)
    if name:
        return (Promise(PromiseKind.TEXTBOOK, (name,), _source(unit, said), said),)
    if unit.kind == "class" and unit.language == "python":
        return _of_cases(unit)
    if unit.kind not in {"function", "method"} or unit.language != "python" or unit.name.startswith("__"):
        return ()
    parameters = parameters_of(unit.signature)
    if parameters is None:
        return ()
    definition = counted_or_defined(unit, parameters)
    word = fixed(unit.name, unit.docstring, (parameter.name for parameter in parameters))[1] or unit.name
    found = [Promise(PromiseKind.DEFINITION, definition, _source(unit, word), word)] if definition else []
    kind, textbook, said = of_the_textbook(unit, parameters)
    if kind:
        found.append(Promise(PromiseKind(kind), textbook, _source(unit, said), said))
    for sentence, of_result in sentences_of_result(unit.docstring):
        for kind, args in _read(sentence, of_result, parameters):
            found.append(Promise(kind, args, "docstring", sentence))
    read = [(each.kind.value, each.args, each.sentence) for each in found if each.source == "docstring"]
    for tried, how, sentence in qualities(unit, read):
        found.append(Promise(PromiseKind(tried), how, "docstring", sentence))
    for effect, args, sentence in effects(unit.docstring, [parameter.name for parameter in parameters]):
        found.append(Promise(PromiseKind(effect), args, "docstring", sentence))
    found += _of_cases(unit)
    for formula, sentence in formulas(unit, [parameter.name for parameter in parameters]):
        found.append(Promise(PromiseKind.FORMULA, formula, "docstring", sentence))
    shown = shown_in(readme, unit) if readme and unit.kind == "function" else ()
    found += [Promise(PromiseKind(kind), args, "README", sentence) for kind, args, sentence in shown]
    words = set(re.findall(r"[a-z]{4,}", unit.name.lower().replace("_", " ")))
    for sentence in paper:
        subject = _SUBJECT.search(sentence)
        if subject and subject[1].lower() in words:
            for kind, args in _read(sentence, True, parameters):
                found.append(Promise(kind, args, "paper", sentence))
    return tuple({(promise.kind, promise.args): promise for promise in reversed(found)}.values())[::-1]


def _of_cases(unit: CodeUnit) -> tuple[Promise, ...]:
    said = itertools.chain(conduct(unit), claims(unit), showing(unit), nature(unit))
    found = [Promise(PromiseKind(kind), args, "docstring", sentence) for kind, args, sentence in said]
    behind = behind_interfaces(unit)
    return (*found, *(Promise(PromiseKind.TEXTBOOK, args, _source(unit, where), where) for args, where in behind))


def _source(unit: CodeUnit, said: str) -> Literal["name", "docstring"]:
    return "name" if re.sub(r"\(.*|\.\w+$", "", said) == unit.name else "docstring"


def dumped(found: Iterable[Promise]) -> str:
    """As JSON, as it is checked inside."""
    return json.dumps([asdict(promise) for promise in found])


def _pattern(*parts: str) -> re.Pattern[str]:
    return re.compile("".join(parts), re.I)


_RESULT = (
    r"(?:results?|outputs?|(?:return(?:ed)? )?values?|scores?|similarit(?:y|ies)|probabilit(?:y|ies)|distances?"
    r"|coefficients?|ratios?|accuracy|loss(?:es)?|weights?|index)"
)
_VERB = r"(?:returns?|computes?|calculates?|gives?|gets?|outputs?|evaluates?|estimates?|measures?)"
_OPENING = _pattern(
    rf"^{_VERB}\b|^(?:the |a |an )?(?:[\w-]+ ){{0,2}}{_RESULT}\b",
    rf"|\b(?:the|its|returned|return) {_RESULT} (?:is|are|lies?|sums?|has|have)\b",
)
"""How a sentence that speaks of the result begins, or what it holds."""
_SUBJECT = _pattern(r"\b(\w+) (?:always )?(?:lies?|is|are|bounded|sums?|ranges?)\b")
_MADE = _pattern(r"\b(?:re)?(?:scaled|normali[sz]ed|sorted)\b")
"""What was done to a parameter to make the result of it."""
_UNSURE = _pattern(
    r"\b(?:not?|never|neither|nor|cannot|without|unless|if|when|where|whether|may|might|can|could|should|must|would"
    r"|approx\w*|about|roughly|nearly|almost|usually|typically|often|expects?|expected|assum\w*|given|requires?|until"
    r"|logs?|logarithm\w*|except|only|otherwise|optional\w*|default\w*|param\w*|inputs?|argument\w*)\b"
    r"|n't\b|\blog-|\bun-?normali|>>>|\?"
)
"""Conditions, negations and what speaks of parameters: a sentence with one of these promises nothing."""
_OTHERS = _pattern(
    r"\b(?:number|count|indices|index|position|sum|fraction|proportion|share|percentage|difference|interpolat\w*"
    r"|random\w*|switch\w*|convert\w*|sampl\w*|by|density)\b"
)
"""Before a range: the range is one of what is counted, drawn or converted."""
_SORTED_OTHERWISE = _pattern(
    r"\b(?:by|keys?|pairs?|names?|ind(?:ex|ices|exes)|positions?|places?|ids?|ranks?|labels?|items?|\w*vectors?|according)\b"
)
"""What stands in an order that its numbers need not show."""
_REDUCED = _pattern(r"\b(?:ax[ei]s|dimensions?|removed|dropped|reduced|added|except\w*|broadcast\w*|appended)\b")
_ARTICLE = _pattern(r"(?<!\w)an? (?!between\b|in\b|is\b|are\b|and\b|of\b|to\b)(?=\w)")
_NUMBER = r"([-+]?\d+(?:\.\d+)?)"
_PLAIN = r"(?![\w*/^%°]|\.\d| ?(?:\*|π|pi\b|times\b|degrees?\b|percent))"
"""After a number: it is the whole of it, and of no unit."""
_ALWAYS = rf"{_RESULT} (?:is|are) (?:always )?"
_NUMBERS = r"(?: (?:float|number|integer|int|value|scalar)s?)?"
_SUMMED = (
    r"(?:that|which|they|and|values?|weights?|probabilities|results?|outputs?|rows?|columns?|entries|elements|always|,)"
)
_PATTERNS: tuple[tuple[PromiseKind, re.Pattern[str]], ...] = (
    (
        PromiseKind.BETWEEN,
        _pattern(
            r"(?:[,:;(–-] ?|^always |\b(?:is|are|lies?|lying|ranges?|ranging|bounded|be|values?|numbers?",
            r"|scores?|floats?",
            r"|scalar|similarity|probabilit(?:y|ies)|accuracy|coefficient)(?: always)? )(?:a |the )?",
            r"(?:float |number |value )?",
            rf"(?:between {_NUMBER} and {_NUMBER}{_PLAIN}",
            rf"|in (?:the )?(?:range|interval)?(?: of| from)? ?[\[(]{_NUMBER}, ?{_NUMBER}[\])])",
        ),
    ),
    (
        PromiseKind.NON_NEGATIVE,
        _pattern(rf"(?:^{_VERB} (?:an? |the )?|{_ALWAYS}|^it is )non-?negative{_NUMBERS}(?=[.,;:)]| and\b|$)"),
    ),
    (
        PromiseKind.POSITIVE,
        _pattern(rf"(?:^{_VERB} (?:an? |the )?|{_ALWAYS})(?:strictly )?positive{_NUMBERS}(?=[.,;)]|$)"),
    ),
    (
        PromiseKind.SUMS_TO_ONE,
        _pattern(rf"\b{_SUMMED} (?:always )?sum(?:s|ming)? (?:up )?to (?:one|1(?:\.0)?)(?![\w.]*\d)"),
    ),
    (
        PromiseKind.UNIT_NORM,
        _pattern(r"\b(?:with|of|has|have|having|to) (?:an? )?(?:l2[- ])?unit (?:l2[- ]|euclidean )?(?:norm|length)\b"),
    ),
    (
        PromiseKind.SYMMETRIC,
        _pattern(
            rf"^{_VERB} (?:an? |the )symmetric (?:[\w-]+ ){{0,2}}matrix\b|\b{_ALWAYS}(?:a )?symmetric\b",
            r"|\bas a symmetric matrix\b",
        ),
    ),
    (
        PromiseKind.ORTHONORMAL,
        _pattern(rf"^{_VERB} (?:an? |the )(?:orthonormal (?:basis|matrix|vectors|columns|rows)|orthogonal matrix)\b"),
    ),
    (
        PromiseKind.SORTED,
        _pattern(
            rf"^{_VERB} (?:an? |the )?(sorted) (?:copy|list|array|values|numbers|elements)\b",
            r"|\bsorted in (ascending|descending) order(?=[.,;)]|$)",
            rf"|^{_VERB} .*\bin (ascending|descending) order(?=[.,;)]|$)",
        ),
    ),
    (
        PromiseKind.SAME_SHAPE,
        _pattern(
            r"\b(?:array|tensor|ndarray|matrix|result|output|has|have|of|with)(?: is)?(?: of| with)?(?: the)?",
            r" same shape as (?:the )?[`'\"]{0,2}(\w+)\b(?![.\[]\w)",
        ),
    ),
    (
        PromiseKind.INTEGER,
        _pattern(r"^returns? an? (?:integer|int)(?=[.,;]|$)|^(?:\w+ ?: *)?(?:int|integer)(?= ?[:.]|$)"),
    ),
)


def _read(
    sentence: str, of_result: bool, parameters: list[Parameter]
) -> Iterator[tuple[PromiseKind, tuple[object, ...]]]:
    """The promises of a sentence, which is said of the result alone or must begin so."""
    if _UNSURE.search(sentence) or not (of_result or _OPENING.search(sentence)):
        return
    names = {parameter.name for parameter in parameters}
    for kind, pattern in _PATTERNS:
        match = pattern.search(sentence)
        if match is None:
            continue
        if kind is PromiseKind.SAME_SHAPE:
            places = [(place, p.name) for place, p in enumerate(parameters) if p.name == match[1]]
            if places and not _REDUCED.search(sentence):
                yield kind, (places[0],)
        elif _of_parameter(sentence, match, names) and not (of_result and _MADE.search(sentence)):
            continue
        elif kind is PromiseKind.BETWEEN:
            low, high = (float(part) for part in match.groups() if part)
            if low < high and not _OTHERS.search(sentence[: match.start()]):
                yield kind, (low, high)
        elif kind is PromiseKind.SORTED:
            if not _SORTED_OTHERWISE.search(sentence):
                yield kind, ((match[2] or match[3] or "").lower(),)
        else:
            yield kind, ()


def _of_parameter(sentence: str, match: re.Match[str], names: set[str]) -> bool:
    """Whether a property is said of a parameter: its name stands before it in the same clause."""
    clause = "" if match.group()[0] in ",;:" else re.split(r"[,;:]", sentence[: match.end()])[-1]
    return any(word in names for word in re.findall(r"\w+", _ARTICLE.sub(" ", clause)))

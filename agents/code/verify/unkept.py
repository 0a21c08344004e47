"""What a unit says of itself that nothing in its source can do."""

import re
from collections.abc import Iterable, Iterator, Mapping

from agents.code.verify.computing import may_compute, may_give
from agents.code.verify.defaults import other_default
from agents.code.verify.disregarded import disregarded
from agents.code.verify.guarding import is_unguarded, threads_said
from agents.code.verify.possible import Possible, Reach
from agents.code.verify.returning import may_return_none
from agents.code.verify.sayings import (
    exceptions_said,
    formulas_said,
    literal_said,
    none_said,
    writing_said,
)
from agents.code.verify.ways import not_worked_so
from kg.models.code import CodeUnit

__all__ = ["unkept"]

_BY_ANYTHING = {
    "AttributeError", "BaseException", "Exception", "GeneratorExit", "KeyboardInterrupt", "MemoryError", "NameError",
    "RecursionError", "StopAsyncIteration", "StopIteration", "SystemExit", "TypeError", "UnboundLocalError",
}  # fmt: skip
"""Exceptions that Python raises for what no source shows."""
_OF_FORM = re.compile(
    r"(?i)\b(?:pairs?|triples?|tuples?|lengths?|shapes?|sizes?|malformed|columns?|rows?|fields?|formats?|many|few|unpack\w*"
    r"|elements?|entries|entry|items?|invalid|pars\w+|form|read|valid|numbers? of|wrong|bad|types?|index\w*|keys?)\b"
)
"""What may say that the form of an argument is meant."""
_PARAMETER = re.compile(r"^ *\*{0,2}(\w+)")
_OF_ERRORS = {"e", "err", "error", "exc", "exception", "exceptions", "exc_type", "errors"}


def unkept(unit: CodeUnit, units: Mapping[str, CodeUnit], known: Possible, tests: Iterable[str]) -> str:
    """What `unit` says and can't do, as a sentence that goes on "it does not keep what it says"; empty for nothing.

    `units` are all of the repository by their ids, `tests` the texts of the tests that reach it: what they expect to be
    raised was raised. Of a class its methods are meant, too, and of a method what its class says.
    """
    if unit.language != "python" or unit.kind not in {"function", "method", "class"}:
        return ""
    expected = "\n".join(tests)
    for said, reach in _docstrings(unit, units, known):
        for name, sentence in exceptions_said(said.docstring):
            if name in _BY_ANYTHING or not known.is_exception(name) or known.is_exception(unit.name):
                continue
            if _expected(name, expected) or reach.mentions(name) or _OF_ERRORS & set(_parameters(said)):
                continue
            of_form = name != "ValueError" or bool(_OF_FORM.search(sentence))
            if not reach.may_raise(name, of_form=of_form):
                return f"its docstring says: {sentence[:200]}; nothing in its source can raise {name}"
    found = _of_threads(unit, units, known) or not_worked_so(unit.docstring, known.reach(unit))
    if found or unit.kind != "class":
        return found or _of_function(unit, known)
    methods = (each for each in units.values() if each.kind == "method" and each.parent == unit.id)
    told = (other_default(each) or disregarded(each, known, known.reach(each)) for each in methods)
    return next(filter(None, told), "")


def _of_threads(unit: CodeUnit, units: Mapping[str, CodeUnit], known: Possible) -> str:
    owner = units.get(unit.parent or "") if unit.kind == "method" else unit
    if owner is None or owner.kind != "class":
        return ""
    said = threads_said(owner.docstring) or threads_said(unit.docstring)
    top, changing = known.definition(owner), known.definition(unit)
    if not said or top is None or changing is None or not is_unguarded(known, top, changing, known.reach(owner).nodes):
        return ""
    return f"its docstring says: {said[:200]}; nothing in its source keeps two threads from changing it at once"


def _docstrings(unit: CodeUnit, units: Mapping[str, CodeUnit], known: Possible) -> Iterator[tuple[CodeUnit, Reach]]:
    """What speaks for a unit, each with the source that it speaks of."""
    listed = [unit]
    if unit.kind == "class":
        listed += [other for name, other in units.items() if name.startswith(f"{unit.id}.") and other.kind == "method"]
    elif unit.kind == "method" and unit.parent and unit.parent in units:
        listed.append(units[unit.parent])
    for each in listed:
        if any(exceptions_said(each.docstring)):
            yield each, known.reach(each)


def _expected(name: str, tests: str) -> bool:
    """Whether a test holds that an exception is raised, by its own name."""
    return bool(re.search(rf"(?i:raises\w*) *\([^)\n]*\b{name}\b|except\b[^\n:]*\b{name}\b", tests))


def _of_function(unit: CodeUnit, known: Possible) -> str:
    sentence = none_said(unit.docstring)
    written = writing_said(unit.name, unit.docstring, _parameters(unit))
    formulas, (literal, replaced) = list(formulas_said(unit.docstring)), literal_said(unit.docstring)
    reach = known.reach(unit)
    if uncomputed := _uncomputed(formulas, reach):
        return uncomputed
    if literal and not may_give(reach, literal):
        return f"its docstring says: {replaced[:200]}; nothing in its source gives {literal}"
    if sentence and reach.function is not None and not may_return_none(reach.function):
        return f"its docstring says: {sentence[:200]}; nothing in its source can return None"
    if written and not reach.may_write():
        return f"it says: {written[:200]}; nothing in its source can write anything"
    return other_default(unit) or disregarded(unit, known, reach)


def _uncomputed(formulas: Iterable[tuple[str, str]], reach: Reach) -> str:
    for function, said in formulas:
        if not may_compute(reach, function):
            what = "an inverse" if function == "-1" else f"{function}()"
            return f"its docstring says: {said[:200]}; nothing in its source can compute {what}"
    return ""


def _parameters(unit: CodeUnit) -> list[str]:
    inside = unit.signature.partition("(")[2].rpartition(")")[0]
    return [match[1] for part in inside.split(",") if (match := _PARAMETER.match(part))]

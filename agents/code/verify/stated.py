"""What sentences promise of a unit's results: those of its paper about what it implements, and of its docstring.

A sentence is a hint and no proof: as with names, a promise serves only if the unmutated unit keeps it everywhere. So a
sentence that was misread, or is about something else, costs a try; it can't make a wrong result pass.
"""

import ast
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import replace

from agents.code.units.python import NotPython3, parse
from agents.code.verify.arguments import named_shapes
from agents.code.verify.promises import Promise
from kg.models.code import CodeUnit

__all__ = ["stated_promises"]

LONGEST, DOCSTRING = 600, 20_000
"""Characters of a sentence, where a longer one is none, and of a docstring, where the rest is passed over."""
_UNDER = r"invarian\w+ (?:to|under|against|with respect to) [^.;]{0,60}?\b"
_NUMBER = r"([-−]?\d+(?:\.\d+)?)"
_SPLIT = re.compile(r"(?<=[.!?;])\s+|\n\s*\n")
_NOT = re.compile(r"(?i)\b(not|no|non|never|neither|nor|without|cannot|unlike|lacks?|rather than|n't)\b[^,;]{0,40}$")
_ARGUMENTS = re.compile(
    r"(?im)^[ \t]*(?:parameters|args|arguments|inputs?|returns?)\b[: ]*$|^[ \t]*[:@]param\b|^[ \t]*:?returns?:"
)
_RETURNS = re.compile(r"(?im)^[ \t]*:?(?:returns?|out(?:put)?)\b:?(.*(?:\n(?![ \t]*\n).*)*)")


def _unmoved(how: str, told: str) -> Promise:
    return Promise(f"does not change {told}", f"invariances.unmoved(unit, {how!r}, ARGS)")


_STATED: tuple[tuple[re.Pattern[str], Promise], ...] = tuple(
    (re.compile(f"(?i){pattern}"), promise)
    for pattern, promise in (
        (r"\baffine[- ]invarian|" + _UNDER + r"(?:affine|linear) transf", _unmoved("affine", "under shift and scale")),
        (
            r"\b(?:translation|shift|location)(?:al)?[- ]invarian|" + _UNDER + r"(?:translat|shift|offset|adding)",
            _unmoved("shift", "when all numbers are shifted"),
        ),
        (
            r"\bscal(?:e|ing)[- ]invarian|" + _UNDER + r"(?:re)?(?:scal|multipl)",
            _unmoved("scale", "when all numbers are scaled"),
        ),
        (
            r"\b(?:permutation|order)[- ]invarian|" + _UNDER + r"(?:permut|re-?order|(?:the )?order\b)|"
            r"\bindependent of the order\b|\border of [^.;]{1,40} (?:does not|doesn't) matter",
            _unmoved("order", "with the order"),
        ),
        (
            r"\beven function\b|" + _UNDER + r"(?:the sign|negation|reflection)",
            _unmoved("sign", "when all are negated"),
        ),
        (
            r"\bsymmetric (?:positive[\w -]{0,20} )?matri(?:x|ces)|\bmatri(?:x|ces) (?:is|are) symmetric",
            Promise("is a symmetric matrix", "invariances.symmetric_matrix(unit, ARGS)", more=True),
        ),
        (
            r"\bsymmetric(?:al)?\b(?! matri)",
            Promise("is symmetric in its arguments", "invariances.symmetric(unit, ARGS)", count=2),
        ),
        (
            r"\b(?:anti|skew)-?symmetric\b",
            Promise("changes its sign with their order", "invariances.symmetric(unit, ARGS, -1.0)", count=2),
        ),
        (
            r"\b(?:zero|0) (?:only )?(?:if|for|when|between)\b[^.;]{0,40}\b(?:identical|equal|same|coincid)",
            Promise("is zero between equals alone", "invariances.equals_nothing(unit, ARGS)", count=2),
        ),
        (
            r"\bsum(?:s|ming)?(?: up)? to (?:one|1|unity)\b|\bnormali[sz]ed (?:weights|probabilit)|"
            r"\b(?:is|are|returns?|gives?|yields?) (?:an? |the )?(?:\w+ )?probability (?:distribution|vector|mass)",
            Promise("sums to one", "invariances.sums_to_one(unit, ARGS)", more=True),
        ),
        (
            r"\bnon-?negative\b|\bnever negative\b|\b(?:always|strictly) positive\b",
            Promise("is never negative", 'invariances.within(unit, 0, float("inf"), ARGS)', more=True),
        ),
        (
            r"\bmonotonic(?:ally)?(?:[- ](?:increasing|non-?decreasing))?\b(?![- ]decreas)|\bnon-?decreasing\b",
            Promise("increases with its numbers", "invariances.increasing(unit, ARGS)"),
        ),
        (
            r"\bmonotonically[- ]decreasing\b|\bnon-?increasing\b",
            Promise("decreases with its numbers", "invariances.increasing(unit, ARGS, -1.0)"),
        ),
        (
            r"\b(?:zero|0) mean and (?:unit|1)|"
            r"\bmean (?:of )?(?:zero|0) and (?:a )?(?:standard deviation|variance) (?:of )?(?:1|one)",
            Promise("has mean 0 and deviation 1 along an axis", "checks.by_row(unit, checks.standard, ARGS)"),
        ),
        (r"\bidempotent\b", Promise("changes nothing when done again", "checks.idempotent(unit, ARGS)")),
        (
            r"\bunit (?:norm|length)\b|\bnorm(?:ali[sz]ed)? to (?:unit|one|1)\b",
            Promise("has length one", "invariances.unit_norm(unit, ARGS)", more=True),
        ),
        (
            r"\borthonormal\b|\borthogonal matri",
            Promise("is orthonormal", "invariances.orthonormal(unit, ARGS)", more=True),
        ),
        (
            r"\b(?:norm|length)[- ]preserving\b|\bpreserves? (?:the )?(?:norm|length)\b|\bisometr",
            Promise("keeps the length", "invariances.keeps_norm(unit, ARGS)"),
        ),
        (r"\blinear (?:map|function|operator)\b|\bis linear\b", Promise("is linear", "invariances.linear(unit, ARGS)")),
    )
)  # fmt: skip
_BOUNDS = re.compile(
    rf"(?i)\b(?:between|range|interval|in|within|from)\s*[\[(]?\s*{_NUMBER}\s*(?:,|and|to)\s*{_NUMBER}\b"
)


def stated_promises(unit: CodeUnit, sentences: Iterable[str]) -> Iterator[Promise]:
    """What the docstring of a function, and `sentences` of its paper, promise; each thing once."""
    seen = set()
    docstring = unit.docstring[:DOCSTRING]
    for says in _single([*_about_result(docstring), *sentences]):
        for promise in _of_sentence(says):
            if promise.call not in seen:
                seen.add(promise.call)
                yield replace(promise, says=says)
    yield from _shape_told(unit, docstring)


def _about_result(docstring: str) -> Iterator[str]:
    """What a docstring says before it comes to the arguments, and of what is returned."""
    yield _ARGUMENTS.split(docstring, maxsplit=1)[0]
    if returned := _RETURNS.search(docstring):
        yield returned[1]


def _single(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        for part in _SPLIT.split(text):
            if 0 < len(says := " ".join(part.split())) <= LONGEST:
                yield says


def _of_sentence(says: str) -> Iterator[Promise]:
    for pattern, promise in _STATED:
        match = pattern.search(says)
        if match and not _NOT.search(says[: match.start()]):
            yield promise
    if (match := _BOUNDS.search(says)) and not _NOT.search(says[: match.start()]):
        low, high = (float(number.replace("−", "-")) for number in match.groups())
        if low < high:
            call = f"invariances.within(unit, {low!r}, {high!r}, ARGS)"
            yield Promise(f"lies between {low:g} and {high:g}", call, more=True)


def _shape_told(unit: CodeUnit, docstring: str) -> Iterator[Promise]:
    """The shape of the result, as a docstring tells it in the letters of the arguments' shapes."""
    returned = _RETURNS.search(docstring)
    wanted = next((axes for _, axes in named_shapes(returned[1]) if axes), None) if returned else None
    if returned is None or not wanted:
        return
    told = dict(named_shapes(docstring[: returned.start()]))
    axes = [told.get(name, []) for name in _parameters(unit)]
    if any(axes):
        call = f"invariances.shaped(unit, {axes!r}, {wanted!r}, ARGS)"
        says = " ".join(returned[0].split())[:LONGEST]
        yield Promise(f"has the shape ({', '.join(wanted)})", call, more=True, says=says)


def _parameters(unit: CodeUnit) -> list[str]:
    try:
        body = parse(textwrap.dedent(unit.text)).body
    except NotPython3:
        return []
    given = body[0].args if body and isinstance(body[0], ast.FunctionDef) else None
    return [argument.arg for argument in (*given.posonlyargs, *given.args)] if given else []

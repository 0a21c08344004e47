"""Whether a rewrite does what the original does: what came of the same calls of both, compared here and not inside."""

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from kg.models.paper import Model

__all__ = ["Fidelity", "Outcome", "compare", "compared", "varied"]

RELATIVE, ABSOLUTE = 1e-5, 1e-8
"""Numbers that differ by no more are the same: a sum in another order is no other result."""
SHORT = 300

Outcome = tuple[str, str]
"""What a call did ("returned", "raised", "left out", "lost") and what is told of that, as JSON."""


class Fidelity(Model):
    """Of `inputs` calls that were made of both, `equal` had the same result; `difference` is the first that had not.

    Left out of `inputs` are calls of which nothing can be said, because what the original gives is drawn at random or
    can't be told apart. "unknown" without any input.
    """

    found: Literal["faithful", "unfaithful", "unknown"] = "unknown"
    inputs: int = 0
    equal: int = 0
    left_out: int = 0
    difference: str = ""

    def plus(self, other: "Fidelity") -> "Fidelity":
        """Of the calls of both."""
        counts = {name: getattr(self, name) + getattr(other, name) for name in ("inputs", "equal", "left_out")}
        found = _found(counts["inputs"], counts["equal"])
        return Fidelity(found=found, difference=self.difference or other.difference, **counts)


def _found(inputs: int, equal: int) -> Literal["faithful", "unfaithful", "unknown"]:
    if not inputs:
        return "unknown"
    return "faithful" if equal == inputs else "unfaithful"


def varied(traces: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same calls with other numbers in the place of those in containers and of fractions; sizes stay as they are.

    A test often looks at the one case in which much comes to nothing.
    """
    found = []
    for trace in traces:
        steps = [[step[0], _other(step[1]), step[2]] for step in trace["steps"]]
        if steps != trace["steps"]:
            found.append({**trace, "steps": steps})
    return found


def _other(arguments: str) -> str:
    told = json.loads(arguments)
    return json.dumps({**told, "v": [_changed(item, 0, inside=False) for item in told["v"]]})


def _changed(told: Any, place: int, *, inside: bool) -> Any:
    """A told value with other numbers, which depend on their places."""
    if isinstance(told, float) and math.isfinite(told):
        return told * (1 + 0.1 * (place % 5)) + 0.01 * (1 + place % 3)
    if isinstance(told, int) and not isinstance(told, bool):
        return told + place % 3 if inside else told
    if isinstance(told, dict) and told.get("t") in ("list", "tuple"):
        return {**told, "v": [_changed(item, place + i, inside=True) for i, item in enumerate(told["v"])]}
    if isinstance(told, dict) and told.get("t") == "dict":
        pairs = enumerate(told["v"])
        return {**told, "v": [[key, _changed(item, place + i, inside=True)] for i, (key, item) in pairs]}
    if isinstance(told, dict) and told.get("t") in ("array", "tensor") and _kind(told)[1] in ("f", "i", "float", "int"):
        return {**told, "v": [_changed(item, place + i, inside=True) for i, item in enumerate(told["v"])]}
    return told


def compare(
    traces: Sequence[dict[str, Any]], original: Sequence[Sequence[Outcome]], again: Sequence[Sequence[Outcome]],
    rewritten: Sequence[Sequence[Outcome]], *, made_up: bool = False,
) -> tuple[Fidelity, int | None]:  # fmt: skip
    """What the calls of `traces` gave with the original, with the original under other seeds, and with the rewrite; and
    the number of the trace in which the first difference is.

    Of calls that are `made_up` only those say something that the original has an answer to.
    """
    inputs = equal = left_out = 0
    difference, place = "", None
    for index, (trace, first, other, ours) in enumerate(zip(traces, original, again, rewritten, strict=True)):
        steps = [*([trace["new"]] if trace["new"] else []), *trace["steps"]]
        for number, (step, was) in enumerate(zip(steps, first, strict=False)):
            if not _telling(was, other[number] if number < len(other) else None):
                left_out += 1
                continue
            if made_up and was[0] == "raised":
                continue
            now = ours[number] if number < len(ours) else ("lost", "null")
            inputs += 1
            if _same(was, now):
                equal += 1
            elif not difference:
                place = index
                difference = f"{_call(step)} {_told(was)} with the original, and {_told(now)} with the rewrite"
    found = _found(inputs, equal)
    return Fidelity(found=found, inputs=inputs, equal=equal, left_out=left_out, difference=difference), place


def compared(
    traces: Sequence[dict[str, Any]], original: Sequence[Sequence[Outcome]], again: Sequence[Sequence[Outcome]]
) -> list[dict[str, Any]]:
    """Those of `traces` of which every call can be held against what the original gave."""
    return [
        trace
        for trace, first, other in zip(traces, original, again, strict=True)
        if len(first) == len(other) and all(map(_telling, first, other)) and first and first[-1][0] == "returned"
    ]


def _telling(was: Outcome, again: Outcome | None) -> bool:
    """Whether what a call gave can be held against anything: it is known, and no other with other seeds."""
    return was[0] not in ("left out", "lost") and not _opaque(was) and again is not None and _same(was, again)


def _same(one: Outcome, other: Outcome) -> bool:
    return one[0] == other[0] and _alike(json.loads(one[1]), json.loads(other[1]))


def _alike(one: Any, other: Any) -> bool:
    """Whether two told values are the same: numbers by value within the tolerance, all else as it is."""
    if _number(one) and _number(other):
        return one == other or _near(one, other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        if _kind(one) != _kind(other) or one.get("shape") != other.get("shape") or one.get("type") != other.get("type"):
            return False
        return _alike(one.get("v"), other.get("v"))
    return type(one) is type(other) and bool(one == other)


def _kind(told: dict[str, Any]) -> tuple[str, str]:
    """The kind of a told value, of arrays with that of their numbers; their width is no matter."""
    return str(told.get("t")), str(told.get("dtype", "")).strip("<>|=0123456789")


def _number(told: Any) -> bool:
    return isinstance(told, int | float) and not isinstance(told, bool)


def _near(one: float, other: float) -> bool:
    try:
        return math.isclose(one, other, rel_tol=RELATIVE, abs_tol=ABSOLUTE) or (math.isnan(one) and math.isnan(other))
    except OverflowError:  # a whole number beyond all floats
        return False


def _opaque(outcome: Outcome) -> bool:
    """Whether something of it could not be told."""
    return outcome[0] == "returned" and any(part.get("t") == "opaque" for part in _dicts(json.loads(outcome[1])))


def _dicts(told: Any) -> Iterator[dict[str, Any]]:
    waiting = [told]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield part
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part


def _call(step: Sequence[str]) -> str:
    method, args, kwargs = step
    return f"{method or 'a call'} with {_short(args)} {_short(kwargs) if kwargs != EMPTY else ''}".strip()


EMPTY = json.dumps({"t": "dict", "v": []})


def _told(outcome: Outcome) -> str:
    return f"{outcome[0]} {_short(outcome[1])}"


def _short(text: str) -> str:
    """A told value for people: plain where it is."""
    shown = json.dumps(_plain(json.loads(text)), ensure_ascii=False)
    return shown if len(shown) <= SHORT else f"{shown[:SHORT]} …"


def _plain(told: Any) -> Any:
    if isinstance(told, list):
        return [_plain(item) for item in told]
    if isinstance(told, dict):
        return _plain(told["v"]) if "v" in told else f"<{told.get('type', told.get('t'))}>"
    return told

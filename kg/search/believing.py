"""A verdict is shown as "verified" only where this home believes it: any program can write that word into a graph."""

from collections.abc import Iterator
from typing import Any, TypeVar, get_args

from pydantic import BaseModel

from kg.config import Settings
from kg.models.execution import Verdict
from kg.results.search import CodeFacts, GroundedCode
from kg.results.verdict import VerifiedCode
from kg.search.results import Implementation
from kg.store import Store
from kg.verdicts import open_logs
from kg.verdicts.auditing import claim
from kg.verdicts.grounds import doubt
from kg.verdicts.seals import open_seals

__all__ = ["believed"]

T = TypeVar("T")
Told = CodeFacts | GroundedCode | Implementation
"""Views of code that tell its verdict."""

VERDICTS = frozenset(get_args(Verdict))
GONE = "it is no longer so"


def believed(store: Store, settings: Settings, shown: T) -> T:
    """`shown` (a model, or lists and tuples of models, of any depth) with "unverified" and the reason in place of each
    verdict that its execution and its seal do not bear out, or that is none. Asks the graph once, if at all.
    """
    claimed = sorted({str(getattr(code, "id", "")) for code in _codes(shown) if code.verdict == "verified"})
    why: dict[str, str] = {}
    if claimed:
        why = dict.fromkeys(claimed, GONE)
        seals = open_seals(store, open_logs(settings).folder)
        for row in store.rows(VerifiedCode, ids=claimed):
            found = doubt(claim(row), seals, settings.verify.share)
            why[row.id] = found.why if found else ""
    told: T = _told(shown, why)
    return told


def _codes(shown: object) -> Iterator[Told]:
    if isinstance(shown, Told):
        yield shown
    for part in _parts(shown):
        yield from _codes(part)


def _parts(shown: object) -> Iterator[object]:
    if isinstance(shown, BaseModel):
        yield from (getattr(shown, name) for name in type(shown).model_fields)
    elif isinstance(shown, list | tuple):
        yield from shown


def _told(shown: Any, why: dict[str, str]) -> Any:
    """The same value where nothing in it changes."""
    if isinstance(shown, list | tuple):
        parts = [_told(part, why) for part in shown]
        same = all(new is old for new, old in zip(parts, shown, strict=True))
        return shown if same else type(shown)(parts)
    if not isinstance(shown, BaseModel):
        return shown
    changed = {
        name: new for name in type(shown).model_fields if (new := _told(old := getattr(shown, name), why)) is not old
    }
    if isinstance(shown, Told) and (reason := _refused(shown, why)):
        changed |= {"verdict": "unverified"} | (
            {"verdict_reason": reason} if "verdict_reason" in type(shown).model_fields else {}
        )
    return shown.model_copy(update=changed) if changed else shown


def _refused(code: Told, why: dict[str, str]) -> str:
    """Why the verdict of `code` is not shown; "" if it is."""
    if code.verdict not in VERDICTS:
        return f"{code.verdict[:40]!r} is no verdict; `xkg code verify` runs it here"
    reason = why.get(str(getattr(code, "id", "")), "") if code.verdict == "verified" else ""
    return reason and f"called verified, but {reason}; `xkg code verify` runs it here"

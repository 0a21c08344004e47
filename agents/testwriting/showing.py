"""What written tests make of a verdict, and the words for it."""

from dataclasses import replace

from agents.code.verify.record import Judged
from agents.testwriting.trying import Composed
from kg.models.execution import Judgement
from kg.verdicts.specification import Specification

__all__ = ["counted", "is_verified", "shown_by", "sources", "untied"]


def untied(judged: Judged, why: str) -> Judged:
    """What a written test verified, and could not be held against what it was made from: it proves nothing of that."""
    told = judged.judgement
    reason = f"a test written from the paper holds, but could not be run on the original with the same arguments: {why}"
    written = told.written and told.written.model_copy(update={"state": "untied"})
    update = {"verdict": "unverified", "reason": reason, "written": written}
    return replace(judged, judgement=told.model_copy(update=update))


def counted(tests: int) -> str:
    return f"{tests} test{'s' * (tests != 1)}"


def is_verified(judged: Judged) -> bool:
    return judged.judgement.verdict == "verified"


def shown_by(judged: Judged, shown: Judged, composed: Composed) -> Judged:
    """What written tests showed, where the repository's own had not shown anything, or the contrary."""
    if judged.judgement.execution is not None and not is_verified(judged):
        return judged
    told: Judgement = shown.judgement.model_copy(update={"verdict": "unverified", "failure": None, "line": None})
    return replace(shown, judgement=told.model_copy(update={"test": composed.text}), reached=judged.reached)


def sources(composed: Composed, specification: Specification) -> str:
    """What the assertions quote."""
    quotes = (because.quote for one in composed.functions.values() for because in one.because)
    return "the paper's statement" if any(map(specification.says, quotes)) else "its docstring"

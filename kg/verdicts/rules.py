"""When a verdict may be written: the one place that decides what "verified" needs."""

from collections.abc import Iterator

from kg.models.execution import Execution, Judgement, ending
from kg.verdicts.models import Evidence

__all__ = ["LEAST_BY_ASSERTION", "passed", "why_not_verified"]

LEAST_BY_ASSERTION = 1
"""Mutants that an assertion must have killed: a crash shows that the unit ran, not that anybody looks at its result."""


def passed(execution: Execution) -> bool:
    """Whether the run came to its end and said 0."""
    return execution.exit_code == 0 and execution.signal is None and execution.limit is None


def why_not_verified(judgement: Judgement, evidence: Evidence, text_sha256: str, least_killed: float) -> str:
    """Why a judgement that says "verified" must not be believed, as the end of a sentence; "" if it may.

    `text_sha256` is the hash of the implementation that the graph holds now, `least_killed` the share of mutants that
    must have been killed.
    """
    known = {text_sha256} | ({evidence.module.sha256} if evidence.module else set())
    complaints = (*_of_execution(judgement.execution, known), *_of_test(judgement, least_killed))
    return next(iter(complaints), "")


def _of_execution(execution: Execution | None, known: set[str]) -> Iterator[str]:
    if execution is None:
        yield "nothing was executed"
    elif not passed(execution):
        yield f"its execution did not pass ({ending(execution.exit_code, execution.signal, execution.limit)})"
    elif execution.code_sha256 not in known:
        yield "its execution ran other code"


def _of_test(judgement: Judgement, least_killed: float) -> Iterator[str]:
    mutants, killed, by_assertion = judgement.mutants, judgement.killed, judgement.killed_by_assertion
    if judgement.kind is None:
        yield "its test is of no kind"
    if not 0 < killed <= mutants:
        yield f"its test killed {killed} of {mutants} mutants"
    if killed < least_killed * mutants:
        yield f"its test killed only {killed} of {mutants} mutants"
    if not LEAST_BY_ASSERTION <= by_assertion <= killed:
        yield "its test killed no mutant by an assertion"

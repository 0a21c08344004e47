"""When code may be called verified: the one place that decides, for what is written, imported and audited."""

from collections.abc import Collection, Iterator
from typing import Literal, NamedTuple

from kg.models.execution import Execution, Judgement, ending

__all__ = ["LEAST_BY_ASSERTION", "Complaint", "Lack", "complaints", "passed"]

LEAST_BY_ASSERTION = 1
"""Mutants that an assertion must have killed: a crash shows that the unit ran, not that anybody looks at its result."""

Lack = Literal["no execution", "another execution", "not passed", "other code", "no test", "weak test"]
"""What "verified" can lack."""


class Complaint(NamedTuple):
    """What a judgement that says "verified" lacks, and that as the end of a sentence."""

    lack: Lack
    why: str


def passed(execution: Execution) -> bool:
    """Whether the run came to its end and said 0."""
    return execution.exit_code == 0 and execution.signal is None and execution.limit is None


def complaints(judgement: Judgement, known: Collection[str], least_killed: float) -> Iterator[Complaint]:
    """What a judgement that says "verified" lacks; nothing if it may be believed.

    `known` are the hashes of what its execution may have run: the implementation that the graph holds, the module cut
    for it. `least_killed` is the share of mutants that must have been killed.
    """
    yield from _of_execution(judgement.execution, known)
    yield from _of_test(judgement, least_killed)


def _of_execution(execution: Execution | None, known: Collection[str]) -> Iterator[Complaint]:
    if execution is None:
        yield Complaint("no execution", "nothing was executed")
        return
    if not passed(execution):
        how = ending(execution.exit_code, execution.signal, execution.limit)
        yield Complaint("not passed", f"its execution did not pass ({how})")
    if execution.code_sha256 not in known:
        yield Complaint("other code", "its execution ran other code")
    if not execution.test_sha256:
        yield Complaint("no test", "its execution ran no test")
    if execution.id != execution.hash:
        yield Complaint("another execution", "its execution is not the one that its id names")


def _of_test(judgement: Judgement, least_killed: float) -> Iterator[Complaint]:
    mutants, killed, by_assertion = judgement.mutants, judgement.killed, judgement.killed_by_assertion
    if judgement.kind is None:
        yield Complaint("no test", "its test is of no kind")
    if judgement.kind == "written" and (judgement.written is None or judgement.written.state != "verified"):
        yield Complaint("no test", "it is not told which model wrote its test")
    if not 0 < killed <= mutants:
        yield Complaint("weak test", f"its test killed {killed} of {mutants} mutants")
    if killed < least_killed * mutants:
        yield Complaint("weak test", f"its test killed only {killed} of {mutants} mutants")
    if not LEAST_BY_ASSERTION <= by_assertion <= killed:
        yield Complaint("weak test", "its test killed no mutant by an assertion")

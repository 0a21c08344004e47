"""Judgements into the graph, each with its execution, in one transaction: what is not so can't be written."""

from typing import Any

from kg.errors import InputError, XkgError
from kg.models.execution import Execution, Judgement
from kg.results.verdict import CodeState, DoubtedCode, SetVerdict
from kg.store import Store, Transaction
from kg.verdicts.logs import LogStore
from kg.verdicts.models import Evidence, sha256_of
from kg.verdicts.rules import complaints, passed
from kg.verdicts.seals import open_seals
from kg.verdicts.statements import edge_statement, execution_statement, texts_of, verdict_statement

__all__ = ["LIMITS", "OutdatedJudgement", "RefusedJudgement", "write_judgement"]

LIMITS = {"reason": 1000, "line": 500, "test": 200_000, "survivors": 200, "survivor": 300, "module": 4_000_000}
"""Characters (survivors: how many) that a node keeps; code and its tests are anybody's."""


class RefusedJudgement(XkgError):
    """A judgement that says what its execution does not show."""


class OutdatedJudgement(XkgError):
    """The code has changed or gone while it was judged; the judgement is of code that the graph no longer holds."""


def write_judgement(
    store: Store, judgement: Judgement, evidence: Evidence, logs: LogStore, *, least_killed: float = 0.5
) -> None:
    """Give the Code node `judgement.code` its verdict, and bind it to its execution.

    "verified" needs a passing execution of the very code that the graph holds, its log in `logs`, at least the share
    `least_killed` of the mutants killed and one of them by an assertion; a judgement that says it without is refused
    with RefusedJudgement. What is written is sealed with the key beside `logs`. Raises OutdatedJudgement if the code is
    not what was judged, InputError if there is no such code. In these cases nothing is changed. Former executions are
    kept; what was judged of the code before is taken back for good.
    """
    if (execution := judgement.execution) and not logs.has(execution.log):
        raise RefusedJudgement(
            f"the log of the execution of {judgement.code} is missing or damaged", where=str(logs.path(execution.log))
        )

    ran = execution.id if execution else None

    def work(tx: Transaction) -> None:
        state, seals = _compared(tx, judgement, evidence, least_killed), open_seals(tx, logs.folder)
        seals.take_back(tx, [state.properties.get("verdict_seal")], [judgement.code])
        properties = _verdict(judgement, evidence, state)
        properties["verdict_texts"] = texts_of({**state.properties, **properties})
        said = verdict_statement(judgement.code, {**state.properties, **properties}, ran)
        properties["verdict_seal"] = seals.make(*said, number=seals.new_number())
        edge: dict[str, Any] = {"current": True, "date": evidence.date, "verdict": judgement.verdict}
        edge["seal"] = seals.make(*edge_statement(judgement.code, ran or "", edge))
        if execution:
            run = _execution(execution)
            run["seal"] = seals.make(*execution_statement(run))
            tx.run("verdict/put_execution", id=execution.id, properties=run)
        (done,) = tx.rows(SetVerdict, element=state.element, properties=properties, execution=ran, edge=edge)
        if execution and not done.bound:
            raise RefusedJudgement(f"the execution of {judgement.code} could not be bound to it")
        if execution and not passed(execution):
            reason = f"the same execution, run again for {judgement.code}, did not pass"
            others = tx.rows(DoubtedCode, execution=execution.id, except_code=judgement.code, reason=reason)
            seals.take_back(tx, (other.seal for other in others))

    store.transact(work)


def _compared(tx: Transaction, judgement: Judgement, evidence: Evidence, least_killed: float) -> CodeState:
    """The code's present state, after it was found to be what was judged and the verdict to be deserved."""
    states = tx.rows(CodeState, id=judgement.code)
    if not states:
        raise InputError(f"the graph has no code {judgement.code!r}", remedy="`xkg search code` finds it")
    (state,) = states
    present = sha256_of(state.implementation)
    if present != evidence.text_sha256:
        raise OutdatedJudgement(
            f"{judgement.code} has changed while it was judged; its verdict was not kept", remedy="judge it again"
        )
    if judgement.verdict == "stale":
        raise RefusedJudgement(f"{judgement.code}: a judgement of what was just run can't be stale")
    if judgement.verdict == "verified":
        known = {present} | ({evidence.module.sha256} if evidence.module else set())
        for complaint in complaints(judgement, known, least_killed):
            raise RefusedJudgement(f"{judgement.code} can't be called verified: {complaint.why}")
    return state


def _reason(judgement: Judgement) -> str:
    """The reason, which says loudly where nothing confined the code."""
    bare = judgement.execution is not None and judgement.execution.backend == "unsafe-local"
    reason = judgement.reason.strip() or "no reason was given"
    return f"WITHOUT A SANDBOX: {reason}" if bare else reason


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 2] + " …"


def _verdict(judgement: Judgement, evidence: Evidence, state: CodeState) -> dict[str, Any]:
    """Properties of the Code node; None removes one. An imported block keeps the test that came with it."""
    execution, module = judgement.execution, evidence.module.dump() if evidence.module else None
    properties = {
        "verdict": judgement.verdict,
        "verdict_reason": _cut(_reason(judgement), LIMITS["reason"]),
        "verdict_date": evidence.date,
        "verdict_program": evidence.program,
        "verdict_unfinished": judgement.unfinished or None,
        "verdict_doubt": None,
        "verdict_basis": list(evidence.basis),
        "text_sha256": evidence.text_sha256,
        "code_sha256": execution.code_sha256 if execution else None,
        "test_sha256": execution.test_sha256 if execution else None,
        "failure_class": judgement.failure,
        "failure_line": _cut(judgement.line, LIMITS["line"]) if judgement.line else None,
        "test_kind": judgement.kind,
        "test_model": judgement.written and judgement.written.model,
        "test_prompt": judgement.written and judgement.written.prompt,
        "test_run": judgement.written and judgement.written.run,
        "test_state": judgement.written and judgement.written.state,
        "test_opened": [one.model_dump_json() for one in judgement.written.opened] or None
        if judgement.written
        else None,
        "mutants": judgement.mutants,
        "killed": judgement.killed,
        "killed_by_assertion": judgement.killed_by_assertion,
        "survivors": [_cut(text, LIMITS["survivor"]) for text in judgement.survivors[: LIMITS["survivors"]]],
        "module": module if module and len(module) <= LIMITS["module"] else None,
        "module_sha256": evidence.module.sha256 if evidence.module else None,
    }
    if state.origin != "imported":
        properties["test"] = _cut(judgement.test, LIMITS["test"]) or None
        properties["test_left_out"] = _cut(judgement.left_out, LIMITS["test"]) or None
    return properties


def _execution(execution: Execution) -> dict[str, Any]:
    """Properties of the Execution node: maps as sorted lists, "name value" and "protection: how"."""
    ending = "passed" if passed(execution) else "did not pass"
    return {
        **execution.model_dump(exclude={"packages", "enforced", "waived"}),
        "name": f"{ending}, {execution.backend}",
        "packages": [f"{name} {version}" for name, version in sorted(execution.packages.items())],
        "enforced": [f"{protection}: {how}" for protection, how in sorted(execution.enforced.items())],
        "waived": sorted(execution.waived),
    }

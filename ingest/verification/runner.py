"""Judging code of the graph: which, by whom, how many at a time, and each verdict written as soon as it is there."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal

from agents.code.verify.blocks import Block
from agents.execution.sandbox import SandboxError, open_sandbox
from agents.llm import LLM
from ingest.stages import VERDICT, Stage, fingerprint
from ingest.verification.judges import BlockEnvironments, Judges, SandboxJudges
from ingest.verification.tasks import Outcome, SharedRepository, SharedUnits, judge_a_block
from ingest.verification.workers import Task, WorkerPool
from kg.config import Settings
from kg.errors import ServiceError, XkgError
from kg.models.execution import WrittenTest
from kg.models.paper import Model
from kg.results.verdict import CodeTexts, CodeToJudge, NotedUntried
from kg.store import Store
from kg.verdicts import open_logs, write_judgement
from kg.verdicts.models import sha256_of
from kg.verdicts.specification import Specification, specifications

__all__ = ["CodeVerdict", "VerifyReport", "select", "verify"]

CONTRADICTED = "not judged again, as only a model that is asked again may take that back: --profile NAME --challenge"


class CodeVerdict(Model):
    """What is known of one piece of code after a run.

    `status` is "judged" (in this run), "current" (it had a verdict of the same code, tests and program), "untried" (it
    could not be judged: `reason` says why) or "waiting" (time or money was over before its turn). `claimed` is what an
    imported file says of its running, `failure` and `line` class and place of what stopped it; `written` is known where
    a model was asked for a test in this run.
    """

    id: str
    name: str
    verdict: str
    reason: str
    status: Literal["judged", "current", "untried", "waiting"]
    failure: str | None = None
    line: str | None = None
    claimed: bool | None = None
    kind: str | None = None
    mutants: int = 0
    killed: int = 0
    survivors: tuple[str, ...] = ()
    execution: str | None = None
    written: WrittenTest | None = None

    def value(self) -> dict[str, object]:
        """For JSON, under the names that people use: `class` for `failure`."""
        return {"class" if key == "failure" else key: item for key, item in self.model_dump(mode="json").items()}


class VerifyReport(Model):
    """A verdict for each piece of code that was asked for, in that order; whether all was tried, and in time;
    `mendable` are those of the troubles that lie with this machine or the network; `paused` says which limit of what a
    model may spend was reached."""

    codes: tuple[CodeVerdict, ...]
    trouble: tuple[str, ...] = ()
    mendable: tuple[str, ...] = ()
    out_of_time: bool = False
    paused: str = ""


def select(
    store: Store, *, ids: Sequence[str] | None = None, papers: Sequence[str] | None = None, everything: bool = False,
    stale: bool = False,
) -> list[CodeToJudge]:  # fmt: skip
    """The code to judge, best grounded first: `ids`, or that of `papers`, or of all; `stale` leaves only what is."""
    rows = store.rows(CodeToJudge, ids=ids, papers=papers, everything=everything)
    return [row for row in rows if row.verdict == "stale" or not stale]


def verify(
    store: Store,
    settings: Settings,
    codes: Sequence[CodeToJudge],
    *,
    jobs: int = 1,
    force: bool = False,
    backend: str | None = None,
    limit_seconds: float | None = None,
    llm: LLM | None = None,
    challenge: bool = False,
    judges: Callable[[], Judges] | None = None,
    done: Callable[[CodeVerdict], None] = lambda _: None,
) -> VerifyReport:
    """Judge `codes` and write each verdict as it comes; what has a current verdict is left alone unless `force`.

    Killed at any moment, the verdicts written so far stand, and the next run goes on with the others. `done` is told of
    each one. The model of `llm` writes tests for units that no test verifies, with
    `challenge` also for those that are verified: what does not hold takes the verdict away. `judges` makes the judges
    of a worker (default: the real ones on the sandbox `backend`).
    """
    texts = {row.id: row for row in store.rows(CodeTexts, ids=[code.id for code in codes])}
    asker = llm if challenge else None
    found = {
        row.id: _known(row, "untried", f"{row.verdict_reason}; {CONTRADICTED}")
        if asker is None and _contradicted(row, texts[row.id]) and (force or not _current(row, llm, challenge))
        else _known(row, "current" if _current(row, llm, challenge) and not force else "waiting")
        for row in codes
    }
    todo = [row for row in codes if found[row.id].status == "waiting"]
    writer = _Writer(store, settings)
    if not todo:
        return VerifyReport(codes=tuple(found.values()))
    try:
        make = judges or _real_judges(settings, backend, _blocks(codes, texts))
    except SandboxError as error:
        outcomes: Iterator[Outcome] = iter(
            [Outcome(row, why=f"no sandbox here: {error}", trouble=True, mendable=True) for row in todo]
        )
        pool = None
    else:
        specified = specifications(store, [row.id for row in todo]) if llm else {}
        pool = WorkerPool(
            list(_tasks(todo, texts, settings, make, jobs, llm, specified, challenge)), jobs, limit_seconds
        )
        outcomes = pool.results()
    trouble: dict[str, str] = {}
    mendable: set[str] = set()
    paused = ""
    for outcome in outcomes:
        if outcome.paused:
            paused = paused or outcome.why
            continue
        verdict, problem, ours = writer.write(outcome)
        found[verdict.id] = verdict
        if problem:
            trouble[verdict.id] = problem
            mendable |= {problem} if ours else set()
        done(verdict)
    troubles = tuple(dict.fromkeys(trouble[code] for code in found if code in trouble))
    return VerifyReport(
        codes=tuple(found.values()),
        trouble=troubles,
        mendable=tuple(why for why in troubles if why in mendable),
        out_of_time=bool(pool and pool.out_of_time),
        paused=paused,
    )


def _current(row: CodeToJudge, llm: LLM | None, challenge: bool) -> bool:
    """Whether a verdict stands as it is: by this program, and, where the model of `llm` may be asked for a test of what
    is unverified, or with `challenge` of all, after it was."""
    program, _, written = (row.program or "").partition("+")
    if program != fingerprint(*VERDICT) or row.verdict == "stale" or row.unfinished:
        return False
    by_others = row.verdict != "unverified" and row.test_kind != "written"
    if llm is None or row.origin == "imported" or (by_others and not (challenge and row.verdict == "verified")):
        return True
    asked = (row.verdict == "verified" and not by_others) or row.test_model == llm.profile.model
    return asked and written == fingerprint(Stage.WRITE_TESTS)


def _contradicted(row: CodeToJudge, texts: CodeTexts) -> bool:
    """Whether a model's test has taken the verdict away from this very text: no run without a model gives it back."""
    return row.test_state == "contradicted" and row.text_sha256 == sha256_of(texts.implementation)


def _known(row: CodeToJudge, status: Literal["current", "untried", "waiting"], reason: str = "") -> CodeVerdict:
    facts = {"id", "name", "verdict", "failure", "line", "claimed", "mutants", "killed", "survivors", "execution"}
    return CodeVerdict(
        status=status, reason=reason or row.verdict_reason, kind=row.test_kind, **row.model_dump(include=facts)
    )


def _blocks(codes: Iterable[CodeToJudge], texts: Mapping[str, CodeTexts]) -> list[Block]:
    return [_block(row, texts[row.id]) for row in codes if row.origin == "imported"]


def _block(row: CodeToJudge, text: CodeTexts) -> Block:
    return Block(
        id=row.id,
        implementation=text.implementation,
        test=text.test,
        requirements=tuple(text.requirements),
        claimed=row.claimed,
    )


def _real_judges(settings: Settings, backend: str | None, blocks: Sequence[Block]) -> Callable[[], Judges]:
    """Judges on one sandbox, which is opened here."""
    sandbox = open_sandbox(settings, backend)
    environments = BlockEnvironments(blocks, settings)
    return lambda: SandboxJudges(sandbox, settings, environments)


def _tasks(
    todo: Sequence[CodeToJudge],
    texts: Mapping[str, CodeTexts],
    settings: Settings,
    make: Callable[[], Judges],
    jobs: int,
    llm: LLM | None,
    specified: Mapping[str, Specification],
    challenge: bool,
) -> Iterator[Task[Outcome]]:
    """Repositories first, then blocks one by one; who is left without work then helps with what others have begun."""
    groups: dict[tuple[str, str], list[CodeToJudge]] = defaultdict(list)
    blocks = []
    for row in todo:
        if row.origin != "imported" and row.repository and row.commit:
            groups[row.repository, row.commit].append(row)
        else:
            blocks.append(row)
    shared = [
        SharedUnits(
            SharedRepository(settings, *at),
            rows,
            texts,
            make,
            llm,
            {r.id: specified[r.id] for r in rows if r.id in specified},
            challenge=challenge,
        )
        for at, rows in groups.items()
    ]
    yield from shared
    for row in blocks:
        yield partial(judge_a_block, row, _block(row, texts[row.id]), make)
    for _ in range(jobs - 1):
        yield from shared


class _Writer:
    """Puts outcomes into the graph."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store, self.settings, self.logs = store, settings, open_logs(settings)

    def write(self, outcome: Outcome) -> tuple[CodeVerdict, str, bool]:
        """What is known now, what trouble there was, and whether that lies with the machine or the network."""
        row, judged, evidence = outcome.code, outcome.judged, outcome.evidence
        if judged is None or evidence is None:
            return self._untried(row, outcome.why), outcome.why if outcome.trouble else "", outcome.mendable
        judgement = judged.judgement
        try:
            if judgement.execution:
                self.logs.put(judged.log)
            write_judgement(self.store, judgement, evidence, self.logs, least_killed=self.settings.verify.share)
        except XkgError as error:
            return self._untried(row, str(error)), str(error), isinstance(error, ServiceError)
        facts = {"verdict", "reason", "failure", "line", "kind", "mutants", "killed", "survivors", "written"}
        execution = judgement.execution.id if judgement.execution else None
        common = {"id": row.id, "name": row.name, "claimed": row.claimed, "execution": execution}
        return CodeVerdict(status="judged", **common, **judgement.model_dump(include=facts)), "", False

    def _untried(self, row: CodeToJudge, why: str) -> CodeVerdict:
        """Code that was never judged says why; what has a verdict keeps it."""
        noted = self.store.write_rows(NotedUntried, rows=[{"id": row.id, "reason": why[:1000]}])
        before = f"{row.verdict_reason}; not tried again: " if row.verdict_reason and not noted[0].noted else ""
        return _known(row, "untried", before + why)

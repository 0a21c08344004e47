"""Papers into the graph: prepare in parallel, write one after the other, report each."""

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, Literal

from ingest.pipeline.job import Job, Outcome, RestsOn, prepare
from ingest.stages import Stage
from kg.concepts import ConceptChanges, refresh_concepts
from kg.config import Settings
from kg.errors import BudgetError, XkgError
from kg.models.paper import Model
from kg.models.record import PaperRecord
from kg.results.verdict import JudgedRepository
from kg.results.write import IngestedPaper
from kg.store import Store
from kg.verdicts import LogStore, open_logs
from kg.write import Changes, write_paper

__all__ = ["IngestReport", "PaperReport", "Tally", "ingest"]


class Tally(Model):
    """How many nodes or edges an ingest added, changed and removed, or would."""

    added: int = 0
    changed: int = 0
    removed: int = 0


class PaperReport(Model):
    """What an ingest did with one paper.

    `status`: "ingested", "unchanged" (nothing was different; nothing was written), "planned" (a dry run), "partial"
    (written, but something could not be had: see `warnings`), "paused" (a limit was reached: running again goes on
    from there) or "failed" (`error` says why). The graph of the last two is as before.
    `by_label` splits the counts of `nodes` and `edges`; `changes` holds the natural keys, where they were asked for.
    `stale` is code whose verdict was taken back, because it or what it rests on has changed.
    `counts` are what was found; `seconds` are by stage, `processor_seconds` those of the processor, without the
    database. `judged` tells of a model's answers, calls and tokens, also
    where they were kept ones, `dropped` how much of them was not true, by reason; `implementations` and
    `implementations_dropped` tell the same of those about code.
    """

    name: str
    id: str | None = None
    status: Literal["ingested", "unchanged", "planned", "partial", "paused", "failed"]
    nodes: Tally = Tally()
    edges: Tally = Tally()
    by_label: dict[str, dict[str, int]] = {}
    changes: Changes | None = None
    stale: tuple[str, ...] = ()
    counts: dict[str, int] = {}
    judged: dict[str, int] = {}
    dropped: dict[str, int] = {}
    implementations: dict[str, int] = {}
    implementations_dropped: dict[str, int] = {}
    seconds: dict[str, float] = {}
    processor_seconds: dict[str, float] = {}
    warnings: tuple[str, ...] = ()
    error: str | None = None
    exit_code: int = 0


class IngestReport(Model):
    """What one run did: a report per paper in the order of the jobs, and how concepts changed by it."""

    papers: tuple[PaperReport, ...]
    concepts: ConceptChanges = ConceptChanges()


def ingest(
    jobs: Sequence[Job],
    settings: Settings,
    store: Store,
    *,
    workers: int = 1,
    dry_run: bool = False,
    keys: bool = False,
    done: Callable[[PaperReport], None] = lambda _: None,
) -> IngestReport:
    """Ingest `jobs`; a failing one does not stop the others. At the end equal techniques are joined by concepts.

    `keys` puts the natural keys of all that was touched into the reports.
    Papers whose sources, repository and program are those of the graph are left alone, unless forced. Killed at any
    moment, the papers written so far stand whole and the next run goes on with the others.
    """
    known = {row.id: row for row in store.rows(IngestedPaper)}
    rests_on: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for row in store.rows(JudgedRepository):
        rests_on[row.repository][row.commit] = row.basis
    reports: dict[str, PaperReport] = {}
    with _running(jobs, settings, known, rests_on, workers) as outcomes:
        for job, outcome in outcomes:
            report = (
                _failed(job, outcome)
                if isinstance(outcome, Exception)
                else _finish(job, outcome, store, open_logs(settings), dry_run=dry_run, keys=keys)
            )
            reports[job.name] = report
            done(report)
    concepts = ConceptChanges() if dry_run else refresh_concepts(store)
    return IngestReport(papers=tuple(reports[job.name] for job in jobs), concepts=concepts)


@contextlib.contextmanager
def _running(
    jobs: Sequence[Job],
    settings: Settings,
    known: dict[str, IngestedPaper],
    rests_on: RestsOn,
    workers: int,
) -> Iterator[Iterable[tuple[Job, Outcome | Exception]]]:
    """The outcomes as they come; in this process for one worker, else in processes that end with the block.

    Where the system gives no semaphores (a container without /dev/shm) there is one worker, too.
    """
    pool = None
    if workers > 1 and len(jobs) > 1:
        with contextlib.suppress(OSError, ImportError):
            spawning = multiprocessing.get_context("spawn")
            pool = ProcessPoolExecutor(min(workers, len(jobs)), spawning, _end_with_the_parent)
    if pool is None:
        yield ((job, _attempt(job, settings, known, rests_on)) for job in jobs)
        return
    try:
        futures = {pool.submit(_attempt, job, settings, known, rests_on): job for job in jobs}
        yield ((futures[future], _result(future)) for future in as_completed(futures))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _end_with_the_parent() -> None:
    """A pool's workers outlive a parent that is killed, and would go on asking a model for nobody."""
    if parent := multiprocessing.parent_process():

        def watch() -> None:
            multiprocessing.connection.wait([parent.sentinel])
            os._exit(1)

        threading.Thread(target=watch, daemon=True).start()


def _attempt(job: Job, settings: Settings, known: dict[str, IngestedPaper], rests_on: RestsOn) -> Outcome | Exception:
    try:
        return prepare(job, settings, known, rests_on)
    except XkgError as error:
        return error
    except Exception as error:  # noqa: BLE001 -- a fault of ours in one paper must not take the others with it
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return XkgError(
            f"unexpected {type(error).__name__}: {error}",
            where=f"{Path(frame.filename).name}:{frame.lineno}",
            remedy="this is a fault of xkg; the graph is as before, please report it with this line",
        )


def _result(future: "Future[Outcome | Exception]") -> Outcome | Exception:
    try:
        return future.result()
    except BrokenProcessPool:
        return XkgError("a worker process was ended from outside", remedy="run the same command again to go on")


def _failed(job: Job, error: Exception) -> PaperReport:
    code = error.exit_code if isinstance(error, XkgError) else 1
    paused = isinstance(error, BudgetError)
    return PaperReport(name=job.name, status="paused" if paused else "failed", error=str(error), exit_code=code)


def _finish(job: Job, outcome: Outcome, store: Store, logs: LogStore, *, dry_run: bool, keys: bool) -> PaperReport:
    base: dict[str, Any] = {
        "name": job.name, "id": outcome.paper_id, "warnings": outcome.warnings,
        "processor_seconds": outcome.processor_seconds,
    }  # fmt: skip
    if outcome.record is None:
        return PaperReport(**base, status="unchanged", seconds=outcome.seconds)
    start = time.perf_counter()
    try:
        changes = write_paper(store, outcome.record, dry_run=dry_run, logs=logs)
    except XkgError as error:
        return _failed(job, error).model_copy(update={"id": outcome.paper_id, "seconds": outcome.seconds})
    seconds = {**outcome.seconds, Stage.WRITE.value: round(time.perf_counter() - start, 3)}
    status: Literal["ingested", "unchanged", "planned", "partial"] = (
        "planned" if dry_run else "partial" if outcome.status == "partial" else "ingested"
    )
    if status == "ingested" and changes.empty:
        status = "unchanged"
    return PaperReport(
        **base,
        status=status,
        nodes=_tally(changes, "nodes"),
        edges=_tally(changes, "edges"),
        by_label=changes.by_label(),
        changes=changes if keys else None,
        stale=changes.stale,
        counts=_counts(outcome.record),
        judged=outcome.judgement.figures() if outcome.judgement else {},
        dropped=outcome.judgement.counts() if outcome.judgement else {},
        implementations=outcome.implementations,
        implementations_dropped=outcome.dropped,
        seconds=seconds,
        exit_code=4 if outcome.status == "partial" else 0,
    )


def _tally(changes: Changes, what: str) -> Tally:
    counts = changes.counts()
    return Tally(**{how: counts[f"{what}_{how}"] for how in ("added", "changed", "removed")})


def _counts(record: PaperRecord) -> dict[str, int]:
    doc = record.doc
    return {
        "sections": len(doc.sections),
        "equations": len(doc.equations),
        "citations": len({key for citation in doc.citations for key in citation.keys}),
        "techniques": sum(1 for _ in record.techniques.walk()),
        "units": len(record.units),
        "grounded_unit": sum(grounding.level == "unit" for grounding in record.groundings),
        "grounded_file": sum(grounding.level == "file" for grounding in record.groundings),
        "likely": sum(grounding.level == "none" and grounding.likely for grounding in record.groundings),
    }

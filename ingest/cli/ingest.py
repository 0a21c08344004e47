"""`xkg ingest paper` and `xkg ingest corpus`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

import click

from kg.cli.common import emit, json_option, log, progress

if TYPE_CHECKING:
    from ingest.acquire import CorpusEntry
    from ingest.pipeline.job import Job
    from ingest.pipeline.pipeline import PaperReport
    from kg.config import Settings

__all__ = ["corpus_jobs", "corpus_text", "exit_code", "ingest_corpus", "ingest_paper", "run_jobs"]

F = TypeVar("F", bound=Callable[..., object])


def _shared_options(command: F) -> F:
    for option in (
        click.option("--dry-run", is_flag=True, help="Show what would be added, changed and removed; write nothing."),
        click.option("--keys", is_flag=True, help="List the ids of what was added, changed and removed."),
        click.option("--force", is_flag=True, help="Ingest also what has not changed since the last time."),
        click.option("--refresh", is_flag=True, help="Fetch again what is in the cache."),
        click.option("--profile", help="The model that judges, as xkg.toml calls it. Default: the settings' or none."),
        click.option("--no-model", is_flag=True, help="Ask no model, and let go of what one has judged."),
        json_option,
    ):
        command = option(command)
    return command


@click.command()
@click.argument("paper")
@click.option("--repo", help="Its repository: owner/name[@commit], a URL or a folder. Default: the one it names.")
@click.option("--no-repo", is_flag=True, help="Ingest the paper alone, without code.")
@click.option("--main", help="The root .tex within the source. Default: found.")
@click.option("--arxiv", help="The arXiv id of a local source, so that it gets the id of the paper.")
@click.option("--origin", help="owner/name@commit that a local --repo folder came from.")
@_shared_options
def ingest_paper(paper: str, dry_run: bool, keys: bool, as_json: bool, **options: Any) -> None:
    """Turn PAPER (arXiv id, folder, .tar.gz or .tex) and its repository into graph.

    Running it again changes nothing and says so; a new version shows what was added, changed and removed.
    """
    from ingest.pipeline.job import Job

    if options["repo"] and options["no_repo"]:
        raise click.UsageError("--repo and --no-repo exclude each other")
    reports = run_jobs([Job(name=paper, paper=paper, **options)], jobs=1, dry_run=dry_run, keys=keys)
    if as_json or not reports[0].error:  # an error was told on stderr already
        emit(reports[0], as_json=as_json, text=lambda: _paper_text(reports[0]))
    raise SystemExit(reports[0].exit_code)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--jobs", type=click.IntRange(1, 64), help="Papers prepared at a time. Default: the number of cores.")
@click.option("--only", multiple=True, metavar="NAME", help="Ingest this table of the file only (repeatable).")
@_shared_options
def ingest_corpus(
    file: Path, jobs: int | None, only: tuple[str, ...], dry_run: bool, keys: bool, as_json: bool, **options: Any
) -> None:
    """Ingest the papers of FILE, a TOML file with a table per paper, in parallel.

    Keys of a table: paper (arXiv id, folder, archive or .tex; paths relative to FILE) and optionally main, repo,
    arxiv, origin. A paper that fails does not stop the others (exit code 4), nor does one at which a limit of what a
    model may spend was reached (exit code 5); running again resumes.
    """
    from ingest.acquire import read_corpus
    from kg.errors import InputError

    entries = read_corpus(file)
    for name in only:
        if name not in {entry.slug for entry in entries}:
            raise InputError(f"--only {name}: there is no table [{name}]", where=str(file), remedy="check the name")
    todo = corpus_jobs([entry for entry in entries if not only or entry.slug in only], **options)
    reports = run_jobs(todo, jobs=jobs, dry_run=dry_run, keys=keys)
    emit(reports, as_json=as_json, text=lambda: corpus_text(reports))
    raise SystemExit(exit_code(reports))


def corpus_jobs(entries: Sequence[CorpusEntry], **options: Any) -> list[Job]:
    """A job for each paper of a corpus file."""
    from ingest.pipeline.job import Job

    return [Job(name=entry.slug, **entry.model_dump(exclude={"plan"}), **options) for entry in entries]


def exit_code(reports: Sequence[PaperReport]) -> int:
    """That of many papers: 5 if a limit paused one, 4 if one failed or is partial."""
    paused = any(report.status == "paused" for report in reports)
    return 5 if paused else 4 if any(report.exit_code for report in reports) else 0


def run_jobs(
    todo: Sequence[Job], *, jobs: int | None, dry_run: bool = False, keys: bool = False, run: str = ""
) -> Sequence[PaperReport]:
    """Ingest with progress; the name of the run that models' calls are counted for begins with `run`."""
    from ingest.pipeline.pipeline import ingest
    from kg.config import load_settings
    from kg.opening import open_store

    settings = load_settings()
    run = f"{run or 'ingest'}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{uuid4().hex[:6]}"
    todo = [job.model_copy(update={"run": run}) for job in todo]
    asks = _announce(settings, todo)
    with open_store(settings) as store, progress(len(todo)) as show:

        def done(report: PaperReport) -> None:
            tail = f": {report.error}" if report.error else f" in {sum(report.seconds.values()):.1f} s"
            show(report.name, f"{report.name}: {report.status}{tail}")

        report = ingest(
            todo, settings, store, workers=jobs or os.cpu_count() or 1, dry_run=dry_run, keys=keys, done=done
        )
    concepts = report.concepts
    if not concepts.empty:
        log.print(f"concepts: {len(concepts.added)} added, {len(concepts.removed)} removed")
    if asks:
        from agents.llm.ledger import Ledger

        log.print(f"model: this run has used {Ledger(settings.home / 'llm').used(run)}")
    return report.papers


def _announce(settings: Settings, todo: Sequence[Job]) -> bool:
    """Say first which model is asked and what it may spend; whether one is asked. Raises InputError where it can't be
    asked as it is named, UsageError where it is named and forbidden."""
    from agents.llm import find_profile, limits_text

    if any(job.profile and job.no_model for job in todo):
        raise click.UsageError("--profile and --no-model exclude each other")
    named = next((job.profile for job in todo if job.profile), None) or settings.llm.profile
    if named is None or all(job.no_model for job in todo):
        return False
    name, profile = find_profile(settings, named)
    spends = "kept answers alone, nothing is spent" if profile.replay == "replay" else limits_text(settings.llm)
    log.print(f"model: {name} ({profile.model}); {spends}; --no-model leaves it out", markup=False)
    return True


def _changes_text(report: PaperReport) -> str:
    parts = [
        f"{count} {what} {how}"
        for what, tally in (("nodes", report.nodes), ("edges", report.edges))
        for how, count in tally.model_dump().items()
        if count
    ]
    parts += [f"{len(report.stale)} verdicts no longer current"] if report.stale else []
    return ", ".join(parts) or "0 changes"


def _key_lines(report: PaperReport) -> Iterator[str]:
    """The ids behind the counts, a line each: "+" added, "~" changed, "-" removed."""
    if report.changes is None:
        return
    for sign, how in (("+", "added"), ("~", "changed"), ("-", "removed")):
        for what in ("nodes", "edges"):
            for label, ids in getattr(report.changes, f"{what}_{how}").items():
                yield from (f"  {sign} {label} {key}" for key in ids)


def _paper_text(report: PaperReport) -> str:
    lines = [f"{report.id}: {report.status}; {_changes_text(report)}"]
    if report.counts:
        lines.append(
            "  found: " + ", ".join(f"{value} {key.replace('_', ' ')}" for key, value in report.counts.items())
        )
    lines += [f"  model on {line}" for line in _judged_lines(report)]
    lines.append("  seconds: " + ", ".join(f"{stage} {value:.1f}" for stage, value in report.seconds.items()))
    shown = report.warnings[:10]
    lines += [f"  warning: {warning}" for warning in shown]
    if len(report.warnings) > len(shown):
        lines.append(f"  … and {len(report.warnings) - len(shown)} more warnings (--json shows all)")
    lines += _key_lines(report)
    return "\n".join(lines)


def _judged_lines(report: PaperReport) -> Iterator[str]:
    """What a model said and how much of it was not taken, a line each for techniques and implementations."""
    for of, found, given, dropped in (
        ("techniques", report.judged, "said", report.dropped),
        ("implementations", report.implementations, "units", report.implementations_dropped),
    ):
        if not found:
            continue
        reasons = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in dropped.items())
        line = f"{of}: {found['calls']} calls, {found['tokens_in']} tokens in, {found['tokens_out']} out"
        more = f", {found['broken']} broken replies" if found["broken"] else ""
        yield f"{line}, {found[given]} {given}{more}" + (f"; not taken: {reasons}" if reasons else "")


def corpus_text(reports: Sequence[PaperReport]) -> str:
    """What became of each paper, a line each."""
    width = max((len(report.name) for report in reports), default=0)
    lines = []
    for report in reports:
        found = report.counts
        parts = [report.error or _changes_text(report)]
        if found:
            grounded = found["grounded_unit"] + found["grounded_file"]
            code = f"{found['units']} code units, {grounded} grounded, {found['likely']} likely"
            parts.insert(0, f"{found['techniques']} techniques, {code}")
        lines.append(f"{report.name:<{width}}  {report.status:<9}  {'; '.join(parts)}")
        lines += _key_lines(report)
    return "\n".join(lines)

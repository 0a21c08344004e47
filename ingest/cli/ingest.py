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
    from ingest.pipeline.job import Job
    from ingest.pipeline.pipeline import PaperReport

__all__ = ["ingest_corpus", "ingest_paper"]

F = TypeVar("F", bound=Callable[..., object])


def _shared_options(command: F) -> F:
    for option in (
        click.option("--dry-run", is_flag=True, help="Show what would be added, changed and removed; write nothing."),
        click.option("--keys", is_flag=True, help="List the ids of what was added, changed and removed."),
        click.option("--force", is_flag=True, help="Ingest also what has not changed since the last time."),
        click.option("--refresh", is_flag=True, help="Fetch again what is in the cache."),
        click.option("--profile", help="The model that judges, as xkg.toml calls it. Default: the settings' or none."),
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
    reports = _run([Job(name=paper, paper=paper, **options)], jobs=1, dry_run=dry_run, keys=keys)
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
    from ingest.pipeline.job import Job
    from kg.errors import InputError

    entries = read_corpus(file)
    for name in only:
        if name not in {entry.slug for entry in entries}:
            raise InputError(f"--only {name}: there is no table [{name}]", where=str(file), remedy="check the name")
    todo = [
        Job(name=entry.slug, **entry.model_dump(), **options) for entry in entries if not only or entry.slug in only
    ]
    reports = _run(todo, jobs=jobs or os.cpu_count() or 1, dry_run=dry_run, keys=keys)
    emit(reports, as_json=as_json, text=lambda: _corpus_text(reports))
    paused = any(report.status == "paused" for report in reports)
    raise SystemExit(5 if paused else 4 if any(report.exit_code for report in reports) else 0)


def _run(todo: Sequence[Job], *, jobs: int, dry_run: bool, keys: bool) -> Sequence[PaperReport]:
    from ingest.pipeline.pipeline import ingest
    from kg.config import load_settings
    from kg.opening import open_store

    settings = load_settings()
    run = f"ingest-{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{uuid4().hex[:6]}"
    todo = [job.model_copy(update={"run": run}) for job in todo]
    with open_store(settings) as store, progress(len(todo)) as show:

        def done(report: PaperReport) -> None:
            tail = f": {report.error}" if report.error else f" in {sum(report.seconds.values()):.1f} s"
            show(report.name, f"{report.name}: {report.status}{tail}")

        report = ingest(todo, settings, store, workers=jobs, dry_run=dry_run, keys=keys, done=done)
    concepts = report.concepts
    if not concepts.empty:
        log.print(f"concepts: {len(concepts.added)} added, {len(concepts.removed)} removed")
    return report.papers


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
    lines += [f"  model: {_judged_text(report)}"] if report.judged else []
    lines.append("  seconds: " + ", ".join(f"{stage} {value:.1f}" for stage, value in report.seconds.items()))
    shown = report.warnings[:10]
    lines += [f"  warning: {warning}" for warning in shown]
    if len(report.warnings) > len(shown):
        lines.append(f"  … and {len(report.warnings) - len(shown)} more warnings (--json shows all)")
    lines += _key_lines(report)
    return "\n".join(lines)


def _judged_text(report: PaperReport) -> str:
    """What a model said and how much of it was not taken, on one line."""
    said = report.judged
    line = f"{said['calls']} calls, {said['tokens_in']} tokens in, {said['tokens_out']} out, {said['said']} entries"
    reasons = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in report.dropped.items())
    return line + (f"; not taken: {reasons}" if reasons else "")


def _corpus_text(reports: Sequence[PaperReport]) -> str:
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

"""`xkg corpus plan` and `xkg corpus build`: a corpus for a target paper, priced before it is made."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ingest.cli.ingest import corpus_jobs, corpus_text, exit_code, run_jobs
from kg.cli.common import emit, json_option, log, progress

if TYPE_CHECKING:
    from agents.llm import LLM
    from ingest.acquire import CorpusEntry
    from ingest.corpus import Actual, Candidate, CorpusPlan, Estimate, Estimator
    from kg.config import Settings

__all__ = ["corpus_build", "corpus_plan"]


@click.command()
@click.argument("target")
@click.option("--references", default=5, show_default=True, type=click.IntRange(0, 100), help="References to take.")
@click.option(
    "--per-technique", default=1, show_default=True, type=click.IntRange(0, 50),
    help="Papers to take for each core technique, found by its name.",
)  # fmt: skip
@click.option(
    "--techniques", default=5, show_default=True, type=click.IntRange(0, 50), help="Core techniques to search for."
)
@click.option(
    "--among", type=click.Path(path_type=Path), help="A corpus file of papers at hand: references are looked for there."
)
@click.option("--main", help="The root .tex within the target's source. Default: found.")
@click.option("--repo", help="The target's repository, to be kept out as well. Default: the one it names.")
@click.option("--waive-licence", is_flag=True, help="Take also code whose licence is not known, or that has none.")
@click.option("--offline", is_flag=True, help="Ask nobody: only what is at hand or in the cache is looked at.")
@click.option("--profile", help="The model that ranks the references, and that the estimate is for.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the corpus to this file. Default: to stdout.")
@json_option
def corpus_plan(target: str, out: Path | None, as_json: bool, **options: Any) -> None:
    """Choose papers for a corpus around TARGET (arXiv id, folder or archive), and say what ingesting them will cost.

    Its references are ranked by how it uses them; its core techniques are searched for. A candidate must have LaTeX, a
    repository of its own, a known licence, and must not be blacklisted; TARGET and its repository are left out. The
    estimate is a range, on stderr, and made before anything is spent but, with --profile, one call that ranks.
    """
    from ingest.acquire import read_corpus
    from ingest.corpus import Wanted, make_plan, plan_toml
    from kg.blacklist import open_blacklist
    from kg.config import load_settings
    from kg.files import disk_errors, write_file

    settings = load_settings()
    llm = _model(settings, options["profile"])
    wanted = Wanted(
        references=options["references"], per_technique=options["per_technique"], techniques=options["techniques"],
        at_hand=read_corpus(options["among"]) if options["among"] else (), waive_licence=options["waive_licence"],
        offline=options["offline"],
    )  # fmt: skip
    with progress(options["references"] + options["per_technique"] * options["techniques"]) as done:
        plan = make_plan(target, wanted, settings, llm, main=options["main"], repo=options["repo"], done=done)
    blacklist = open_blacklist(settings)
    if blacklist:
        plan = type(plan).model_validate(blacklist.mask_all(plan.model_dump()))
    text = plan_toml(plan, out.parent if out else None)
    if out:
        with disk_errors(out.parent):
            write_file(out, text.encode("utf-8", "replace"))
    for warning in plan.warnings:
        log.print(f"warning: {warning}", markup=False)
    log.print("\n".join(_estimate_lines(plan.estimate)), markup=False)
    emit(plan, as_json=as_json, text=lambda: "\n".join(_plan_lines(plan)) if out else text)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--profile", help="The model that judges, as xkg.toml calls it. Default: the settings' or none.")
@click.option("--jobs", type=click.IntRange(1, 64), help="Papers prepared at a time. Default: the number of cores.")
@json_option
def corpus_build(file: Path, profile: str | None, jobs: int | None, as_json: bool) -> None:
    """Ingest the corpus FILE, and compare what it cost with what was estimated.

    It is `xkg ingest corpus`: killed, stopped or paused by a limit, the same command goes on, and pays no answer twice.
    What was used is counted over all builds of the same FILE with the same model.
    """
    from ingest.acquire import read_corpus
    from ingest.corpus import Estimate, Estimator, spent_by
    from kg.config import load_settings

    settings, entries = load_settings(), read_corpus(file)
    content = file.read_bytes()
    llm = _model(settings, profile)
    estimator = Estimator(settings, llm)
    estimate = Estimate.total(_estimate_of(entry, estimator, settings) for entry in entries)
    log.print("\n".join(_estimate_lines(estimate)), markup=False)
    name = f"corpus-{hashlib.sha256(content + estimator.model.encode()).hexdigest()[:12]}"
    start = time.monotonic()
    reports = run_jobs(corpus_jobs(entries, profile=profile), jobs=jobs, run=name)
    actual = spent_by(llm, name, estimate, time.monotonic() - start) if llm else None
    value = {"papers": reports, "estimate": estimate, "actual": actual}
    lines = _actual_lines(actual, estimate) if actual else ()
    emit(value, as_json=as_json, text=lambda: "\n".join([corpus_text(reports), *lines]))
    raise SystemExit(exit_code(reports))


def _model(settings: Settings, profile: str | None) -> LLM | None:
    """The client of the profile that is named here or in the settings, if one is."""
    from agents.llm import LLM

    return LLM(settings, profile) if profile or settings.llm.profile else None


def _estimate_of(entry: CorpusEntry, estimator: Estimator, settings: Settings) -> Estimate:
    """The plan's, if it is for the same model; else made now."""
    from pydantic import ValidationError

    from ingest.acquire import acquire_paper
    from ingest.corpus import Estimate
    from ingest.latex import parse_paper
    from kg.errors import XkgError

    try:
        planned = Estimate.model_validate((entry.plan or {}).get("estimate"))
        if planned.model == estimator.model:
            return planned
    except ValidationError:
        log.print(f"{entry.slug}: the plan has no estimate that can be read, one is made now", markup=False)
    try:
        source = acquire_paper(entry.paper, settings, main=entry.main, arxiv=entry.arxiv, slug=entry.slug)
        parsed = parse_paper(source.folder, source.main) if source.folder else None
    except XkgError:  # its ingest will tell
        parsed = None
    return estimator.estimate(parsed, code=True)


def _plan_lines(plan: CorpusPlan) -> Iterator[str]:
    for candidate in plan.candidates:
        yield f"{'+' if candidate.chosen else '-'} {candidate.slug}  {candidate.title}"
        yield f"    {_why(candidate)}"


def _why(candidate: Candidate) -> str:
    if candidate.against:
        return "; ".join(f"{check.rule} {check.state}: {check.detail}" for check in candidate.against)
    if one := candidate.reference:
        place = f"the model's no. {one.place}, " if one.place else ""
        figures = f"cited {one.cited} times, {one.in_method} in the method, {one.builds_on} building on it"
        return f"reference: {place}{figures}, words in common {one.overlap:.2f}"
    return f"found by {candidate.technique!r}"


def _range(low: float, high: float) -> str:
    return f"{low:,.0f} to {high:,.0f}" if high >= 10 or low == high else f"{low:.2f} to {high:.2f}"


RESTS = {
    "text": "the papers' own text, each prompt measured",
    "ledger": "other papers in the ledger",
    "measured": "measurements with a strong model",
    "none": "no model being asked",
}


def _estimate_lines(estimate: Estimate) -> Iterator[str]:
    rows = {"calls": estimate.calls, "tokens in": estimate.tokens_in, "tokens out": estimate.tokens_out}
    parts = [f"{_range(row.low, row.high)} {name}" for name, row in rows.items()]
    parts.append(f"{_range(estimate.money.low, estimate.money.high)} money" if estimate.money else "no price known")
    yield f"estimate: {', '.join(parts)}, {_range(estimate.minutes.low, estimate.minutes.high)} minutes"
    rests = "; ".join(RESTS[word] for word in estimate.assumptions) or "no paper"
    yield f"  resting on {rests}; no answer being kept yet"


def _actual_lines(actual: Actual, estimate: Estimate) -> Sequence[str]:
    money = "" if actual.money is None else f", {actual.money:.4f} money"
    used = f"{actual.calls} calls, {actual.tokens_in:,} tokens in, {actual.tokens_out:,} out{money}"
    told = f"used: {used}, {actual.minutes:.1f} minutes"
    outside = [name for name, inside in actual.within.items() if not inside]
    if not outside:
        return [told, "all within the estimate"]
    less = [name for name in outside if (getattr(actual, name) or 0) < getattr(estimate, name).low]
    why = " (less: answers that were kept cost nothing)" if less == outside else ""
    return [told, f"outside of the estimate: {', '.join(outside).replace('_', ' ')}{why}"]

"""`xkg graph prune`: knowledge filtering, as a plan that a person sees before anything goes."""

from collections import defaultdict

import click

from kg.cli.common import emit, json_option, log
from kg.concepts import refresh_concepts
from kg.config import load_settings
from kg.opening import open_store
from kg.pruning import Level, PrunePlan, prune, restore

__all__ = ["graph_prune"]


@click.command()
@click.option(
    "--level",
    type=click.Choice(["grounded", "executable", "verified"]),
    help="What is asked of a technique's code: to be asserted (default), to have run to its end, to be verified.",
)
@click.option("--dry-run", is_flag=True, help="Only tell what would go, and why.")
@click.option("--restore", "undo", is_flag=True, help="Undo: forget what was pruned, so that an ingest brings it back.")
@click.option("--yes", is_flag=True, help="Don't ask.")
@json_option
def graph_prune(level: Level | None, dry_run: bool, undo: bool, yes: bool, as_json: bool) -> None:
    """Take techniques out of the graph that no code backs.

    Kept are findings and resources, what stands above something that is kept, and whatever a curator touched; code of
    repositories stays. What goes stays away when the same sources are ingested again, also with --force; when paper or
    repository change, it comes back and the ingest says so. A technique that went for want of code comes back as soon
    as code is asserted for it. --restore undoes: after it, the next ingest or import of the papers brings all back.
    """
    if undo:
        if level or dry_run:
            raise click.UsageError("--restore goes without --level and --dry-run")
        _restore(as_json)
        return
    with open_store(load_settings()) as store:
        plan = prune(store, level or "grounded", dry_run=True)
        if plan.techniques and not dry_run:
            if not yes:
                log.print(_text(plan), markup=False)
                click.confirm("Take them out?", abort=True, err=True)
            plan = prune(store, plan.level)
            refresh_concepts(store)
    value = {**plan.model_dump(mode="json"), "dry_run": dry_run}
    emit(value, as_json=as_json, text=lambda: _text(plan))


def _restore(as_json: bool) -> None:
    with open_store(load_settings()) as store:
        found = restore(store)
    papers = ", ".join(found)
    sentence = f"the next ingest or import of {papers} brings {sum(map(len, found.values()))} nodes back"
    emit({"restored": found}, as_json=as_json, text=lambda: sentence if found else "Nothing was pruned.")


def _text(plan: PrunePlan) -> str:
    """What goes, by paper, with the reason; then what stays."""
    by_paper: dict[str, list[str]] = defaultdict(list)
    for item in plan.techniques:
        by_paper[item.paper or "(no paper)"].append(f"  {item.name}: {item.why}  ({item.id})")
    lines = [line for paper, items in sorted(by_paper.items()) for line in (paper, *items)]
    more = [(len(plan.code), "imported blocks"), (len(plan.executions), "executions")]
    with_it = "".join(f", {count} {what}" for count, what in more if count)
    kept = ", ".join(f"{count} {reason}" for reason, count in plan.kept.items()) or "none"
    return "\n".join([*lines, f"{len(plan.techniques)} techniques go{with_it}; kept: {kept}"])

"""The graph as a whole: `xkg graph stats|audit|export|import`, and `xkg paper remove`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import click
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from kg import audit
from kg.backup import LeftOut, export_graph, import_graph
from kg.cli.common import emit, json_option, log, printable
from kg.concepts import refresh_concepts
from kg.config import load_settings
from kg.errors import PartialError
from kg.opening import open_store
from kg.verdicts import open_logs
from kg.write import remove_paper

__all__ = ["graph_audit", "graph_export", "graph_import", "graph_stats", "paper_remove"]

NAMED = 5
"""Of what an import leaves out, how many are named to a person."""


def _busy(what: str) -> Progress:
    """A spinner on a terminal, nothing elsewhere."""
    progress = Progress(
        SpinnerColumn(), TextColumn(what), TimeElapsedColumn(), console=log, transient=True, disable=not log.is_terminal
    )
    progress.add_task(what)
    return progress


@click.command()
@json_option
def graph_stats(as_json: bool) -> None:
    """How much there is of what."""
    with open_store(load_settings()) as store:
        stats = audit.graph_stats(store)

    def text() -> str:
        tables = {
            "nodes": stats.nodes, "edges": stats.edges, "papers": stats.papers,
            "techniques by code": stats.grounding, "code by verdict": stats.verdicts,
            "verified code by test": stats.verified,
        }  # fmt: skip
        lines = []
        for title, counts in tables.items():
            lines += [title, *(f"  {name:24} {number:>9,}" for name, number in counts.items())]
        model = f"{stats.embedding_model} ({stats.dimension} numbers)" if stats.embedding_model else "none yet"
        return "\n".join([*lines, f"vectors  {model}"])

    emit(stats, as_json=as_json, text=text)


@click.command()
@click.option("--limit", default=100, show_default=True, help="At most so many findings of each check.")
@json_option
def graph_audit(limit: int, as_json: bool) -> None:
    """Look for what should not be: orphans, dangling spans, unfounded verdicts, missing licences, mixed models.

    A verdict is founded if it was judged in this home (XKG_HOME), whose key has sealed it, and was neither altered nor
    taken back since.
    Ends with exit code 4 if there are errors; warnings alone are no failure.
    """
    settings = load_settings()
    with open_store(settings) as store:
        findings = audit.audit_graph(store, limit, open_logs(settings), least_killed=settings.verify.share)
    errors = sum(finding.severity == "error" for finding in findings)

    def text() -> str:
        lines = [f"{f.severity:7}  {f.check}: {f.label} {f.id} {f.detail}" for f in findings]
        return "\n".join([*lines, f"{errors} errors, {len(findings) - errors} warnings"])

    emit(findings, as_json=as_json, text=text)
    if errors:
        raise PartialError(
            f"the audit found {errors} errors", remedy="ingest the papers concerned again, or remove them"
        )


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--include-unlicensed", is_flag=True, help="Also write the text of code without a recognised licence.")
@json_option
def graph_export(file: Path, include_unlicensed: bool, as_json: bool) -> None:
    """Write the whole graph to FILE (JSON lines), vectors included.

    Equal graphs of one home (XKG_HOME) give equal files, sealed with its key. The text of code without a recognised
    licence stays out unless you say so.
    """
    settings = load_settings()
    with open_store(settings) as store, _busy("exporting"):
        report = export_graph(store, file, include_unlicensed=include_unlicensed, logs=open_logs(settings))
    if report.bodies_left_out:
        log.print(
            f"the text of {report.bodies_left_out} code nodes without a recognised licence was left out; "
            "--include-unlicensed writes it"
        )
    emit(
        report, as_json=as_json,
        text=lambda: f"{report.nodes} nodes and {report.edges} edges in {file} ({report.bytes / 1e6:.1f} MB)",
    )  # fmt: skip


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--merge", "mode", flag_value="merge", help="Add what is missing to a graph that is not empty.")
@click.option("--replace", "mode", flag_value="replace", help="Delete the graph first.")
@json_option
def graph_import(file: Path, mode: Literal["merge", "replace"] | None, as_json: bool) -> None:
    """Read a graph that `xkg graph export` wrote.

    The whole file is checked before anything is changed. Interrupted, the same command goes on.

    What the file calls verified stays so only if this home (XKG_HOME) has sealed it, and has not taken it back since:
    because its code or what it rests on has changed, or was judged anew. What was judged in another home
    becomes unverified, with the reason, until `xkg code verify` has run it here, unless you trust that home: its file
    logs/key, copied here as logs/keys/NAME before the import, makes what it wrote count.

    The same key seals every line. What it did not seal as it stands (an edited export, another home's) is told, and
    comes in marked as imported: what it asserts of techniques and code is a candidate, its licences are unknown, its
    curators' decisions stay out, and the next ingest of its papers reads them anew.
    """
    settings = load_settings()
    with open_store(settings) as store, _busy("importing"):
        logs, share = open_logs(settings), settings.verify.share
        report = import_graph(store, file, mode or "empty", logs=logs, least_killed=share)
        refresh_concepts(store, whole=mode == "merge")

    def text() -> str:
        lines = [
            f"{report.nodes_added} of {report.nodes} nodes and {report.edges_added} of {report.edges} edges of "
            f"{report.file} were added"
        ]
        if report.demoted:
            grounds = ", ".join(f"{number} {ground}" for ground, number in report.demoted.items())
            lines.append(f"called verified there, unverified here until `xkg code verify` has run it: {grounds}")
            lines += _first(report.unverified)
        if report.claims_dropped:
            lines.append(f"{report.claims_dropped} other claims of verdicts and repositories were dropped")
            lines += _first(report.dropped)
        if report.present:
            lines.append(f"nodes left as they are: {len(report.present)}")
            lines += _first(report.present)
        if report.foreign:
            lines.append(
                f"{report.foreign_nodes} nodes and {report.foreign_edges} edges were not written by this home as they "
                "stand, and are marked as imported:"
            )
            lines += [f"  {name}" for name in report.foreign]
            more = report.foreign_nodes + report.foreign_edges - len(report.foreign)
            lines += [f"  and {more} more"] if more else []
        elif not report.whole:
            lines.append("it is not an export of this home as it was written: lines are missing, or are of several")
        if report.decisions_dropped:
            lines.append(f"{report.decisions_dropped} decisions of curators among these were left out")
        return "\n".join(lines)

    emit(report, as_json=as_json, text=text, withheld=store.withheld)


def _first(left_out: Sequence[LeftOut]) -> list[str]:
    """The first of what was left out of a file, a line each."""
    more = len(left_out) - NAMED
    lines = [printable(f"  {one.what}: {one.why}") for one in left_out[:NAMED]]
    return [*lines, f"  and {more} more (--json names all)"] if more > 0 else lines


@click.command()
@click.argument("paper")
@click.option("--yes", is_flag=True, help="Don't ask.")
@click.option("--dry-run", is_flag=True, help="Only tell what would be removed.")
@json_option
def paper_remove(paper: str, yes: bool, dry_run: bool, as_json: bool) -> None:
    """Take PAPER (its id, as `xkg paper list` shows it) out of the graph, with all that only it needed."""
    with open_store(load_settings()) as store:
        changes = remove_paper(store, paper, dry_run=True)
        if not dry_run:
            if not yes:
                log.print(changes.summary())
                click.confirm("Remove it?", abort=True, err=True)
            changes = remove_paper(store, paper)
            refresh_concepts(store)
    emit(changes, as_json=as_json, text=changes.summary)

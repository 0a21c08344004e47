"""`xkg code rewrite`: a graph's code made into modules by a model, and what running them showed."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import uuid4

import click

from kg.cli.common import emit, json_option, log, progress

if TYPE_CHECKING:
    from ingest.rewriting.runner import CodeRewrite, RewriteReport

__all__ = ["code_rewrite"]


@click.command()
@click.argument("code_ids", metavar="[ID]...", nargs=-1)
@click.option("--paper", "papers", multiple=True, metavar="ID", help="The code of this paper (repeatable).")
@click.option("--likely", is_flag=True, help="Also code that is only likely to implement a technique.")
@click.option("--profile", help="The model that writes, as xkg.toml calls it. Default: the settings'.")
@click.option("--rounds", type=click.IntRange(0, 20), default=3, show_default=True, help="Repairs of a module at most.")
@click.option(
    "--bytes",
    "shown",
    type=click.IntRange(1),
    default=52_100,
    show_default=True,
    help="Bytes of code a question shows.",
)
@click.option("--backend", type=click.Choice(["docker", "bubblewrap"]), help="This sandbox. Default: what works.")
@json_option
def code_rewrite(
    code_ids: tuple[str, ...],
    papers: tuple[str, ...],
    likely: bool,
    profile: str | None,
    rounds: int,
    shown: int,
    backend: str | None,
    as_json: bool,
) -> None:
    """Let a model make self-contained modules of code, components before what is made of them.

    Give IDs of code (or their ends), or --paper. Each module is run in the sandbox, repaired where it fails, run beside
    the original on the calls that the repository's tests make, looked at by the model, and judged in the original's
    place by the repository's tests, as `xkg code verify` judges code. What fails is kept as failed and not searched.
    Modules are written one by one; what has not changed is left alone.

    Exit code 0 when all were tried, whatever came of them; 4 when some could not be; 5 when a limit of what a model may
    spend was reached, 130 when interrupted: running it again goes on, and pays for no kept answer twice.
    """
    from agents.cli.sandbox import named_backend
    from agents.llm import LLM
    from ingest.rewriting.order import wanted
    from ingest.rewriting.runner import rewrite_all
    from kg.config import load_settings
    from kg.lookup import find_node
    from kg.opening import open_store

    if bool(code_ids) == bool(papers):
        raise click.UsageError("give either IDs of code, or --paper ID")
    settings = load_settings()
    llm = LLM(settings, profile, run=f"rewrite-{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{uuid4().hex[:6]}")
    with open_store(settings) as store:
        everything, asked = wanted(
            store,
            ids=[find_node(store, "Code", code) for code in code_ids] if code_ids else None,
            papers=[find_node(store, "Paper", paper) for paper in papers] if papers else None,
            likely=likely,
        )
        with progress(len(asked)) as show:

            def done(line: CodeRewrite) -> None:
                show(line.id[-60:], _line(line))

            report = rewrite_all(
                store, settings, everything, asked, llm, rounds=rounds, shown=shown,
                backend=named_backend(backend, unsafe_local=False), done=done,
            )  # fmt: skip
    emit([line.model_dump(mode="json") for line in report.codes], as_json=as_json, text=lambda: _text(report))
    log.print(f"model {llm.profile.model}: this run has used {llm.ledger.used(llm.run)}", markup=False)
    _end(report)


def _end(report: RewriteReport) -> None:
    from kg.errors import BudgetError, PartialError

    paused = sum(line.status == "paused" for line in report.codes)
    if report.out_of_budget:
        raise BudgetError(f"{report.out_of_budget}; {paused} modules are waiting", remedy="run it again to go on")
    if report.trouble or paused:
        said = report.trouble[0] if report.trouble else f"{paused} modules got no valid reply"
        remedy = "mend it (`xkg doctor`) and run again" if report.trouble else "run it again"
        raise PartialError(f"some code could not be tried: {said}", remedy=remedy)


def _line(line: CodeRewrite) -> str:
    from kg.cli.common import printable

    same = f", {line.equal} of {line.inputs} calls the same" if line.inputs else ", fidelity unknown" * bool(line.state)
    what = f"{line.state or line.status}{same}"
    mark = f" ({line.status})" if line.state and line.status != "rewritten" else ""
    return printable(f"{line.name}{mark}: {what}: {line.reason}")


def _text(report: RewriteReport) -> str:
    if not report.codes:
        return "There is no such code to rewrite: techniques need code that is asserted to be theirs."
    lines = [_line(line) for line in report.codes]
    states = Counter(line.state or line.status for line in report.codes)
    lines += ["", ", ".join(f"{count} {what}" for what, count in sorted(states.items()))]
    return "\n".join(lines)

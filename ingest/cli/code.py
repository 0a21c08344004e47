"""`xkg code verify`: running code of the graph in the sandbox, and what it showed."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from kg.cli.common import FiniteRange, emit, json_option, log, progress, telling

if TYPE_CHECKING:
    from ingest.verification.runner import CodeVerdict, VerifyReport

__all__ = ["code_verify"]


@click.command()
@click.argument("code_ids", metavar="[ID]...", nargs=-1)
@click.option("--paper", "papers", multiple=True, metavar="ID", help="The code of this paper (repeatable).")
@click.option("--all", "all_code", is_flag=True, help="The code of all papers, and all that was imported.")
@click.option("--everything", is_flag=True, help="Also functions, classes and methods that no technique points at.")
@click.option("--stale", is_flag=True, help="Only what was verified and has changed since; alone, of all.")
@click.option("--force", is_flag=True, help="Also what has a verdict of the same code, tests and program.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Verifications at a time.")
@click.option("--backend", type=click.Choice(["docker", "bubblewrap"]), help="This sandbox. Default: what works.")
@click.option("--unsafe-local", is_flag=True, help="No sandbox: the code may do all that you may. The verdicts say so.")
@click.option("--profile", metavar="NAME", help="The model of xkg.toml that writes tests where no test verifies.")
@click.option("--challenge", is_flag=True, help="With --profile: hold what is verified against such tests, too.")
@click.option("--limit-seconds", type=FiniteRange(min=0, min_open=True), help="End after about so many seconds.")
@json_option
def code_verify(
    code_ids: tuple[str, ...],
    papers: tuple[str, ...],
    all_code: bool,
    everything: bool,
    stale: bool,
    force: bool,
    jobs: int,
    backend: str | None,
    unsafe_local: bool,
    profile: str | None,
    challenge: bool,
    limit_seconds: float | None,
    as_json: bool,
) -> None:
    """Run code in the sandbox with tests that can fail, and write the verdicts.

    Give IDs (or their ends, if only one piece of code has them), --paper or --all: then the code that techniques are
    implemented by, the first three candidates of each technique, and imported blocks are run. What has a current
    verdict is skipped, so that running it again resumes. Verdicts are written one by one.

    With --profile the model writes tests for units that no test verifies, from what the paper says and without seeing
    the code; they must notice wrong code as any test, and what they show says who wrote them. With --challenge it does
    so for what is verified as well, from its documentation where no paper speaks of it: where what these say does not
    hold, it is verified no more.

    Exit code 0 when all were judged, whatever the verdicts; 4 when some could not be tried (no sandbox, no network for
    packages); 5 when the time was over or a limit of spending reached, 130 when interrupted: running it again goes on.
    """
    from agents.cli.sandbox import named_backend
    from agents.llm import LLM
    from ingest.verification.runner import select, verify
    from kg.config import load_settings
    from kg.lookup import find_node
    from kg.opening import open_store

    if sum((bool(code_ids), bool(papers), all_code)) > 1 or not (code_ids or papers or all_code or stale):
        raise click.UsageError("give either IDs of code, or --paper ID, or --all, or --stale alone")
    if challenge and not profile:
        raise click.UsageError("--challenge needs the model that writes tests: --profile NAME")
    backend = named_backend(backend, unsafe_local)
    settings = load_settings()
    llm = LLM(settings, profile) if profile else None
    with open_store(settings) as store:
        codes = select(
            store,
            ids=[find_node(store, "Code", code) for code in code_ids] if code_ids else None,
            papers=[find_node(store, "Paper", paper) for paper in papers] if papers else None,
            everything=everything,
            stale=stale,
        )
        with telling("agents.code.verify"), progress(len(codes)) as show:

            def done(verdict: CodeVerdict) -> None:
                show(verdict.id[-60:], _line(verdict))

            report = verify(
                store, settings, codes, jobs=jobs, force=force, backend=backend, limit_seconds=limit_seconds, llm=llm,
                challenge=challenge, done=done,
            )  # fmt: skip
    shown = sys.stdout.isatty() and sys.stderr.isatty()  # each verdict stands there already
    emit([verdict.value() for verdict in report.codes], as_json=as_json, text=lambda: _text(report, listed=not shown))
    if llm:
        log.print(f"model {llm.profile.model}: this run has used {llm.ledger.used(llm.run)}", markup=False)
    _end(report)


def _end(report: VerifyReport) -> None:
    from kg.errors import BudgetError, PartialError

    if report.paused:
        waiting = sum(verdict.status == "waiting" for verdict in report.codes)
        raise BudgetError(f"{report.paused}; {waiting} pieces of code are waiting", remedy="run it again to go on")
    if report.out_of_time:
        waiting = sum(verdict.status == "waiting" for verdict in report.codes)
        raise BudgetError(f"the time was over, {waiting} pieces of code are waiting", remedy="run it again to go on")
    if report.trouble:
        more = f" and {len(report.trouble) - 1} more reasons" if len(report.trouble) > 1 else ""
        remedy = "mend it (`xkg doctor`) and run again" if report.mendable else ""
        first = (*report.mendable, *report.trouble)[0]
        raise PartialError(f"some code could not be tried: {first}{more}", remedy=remedy)


def _line(verdict: CodeVerdict) -> str:
    from kg.cli.common import printable

    said = {"judged": "", "current": ", not judged again"}.get(verdict.status, f", {verdict.status}")
    what = f"{verdict.verdict}{said}"
    return printable(f"{_place(verdict)}: {what}: {verdict.reason}")


def _place(verdict: CodeVerdict) -> str:
    """An id without its commit, which is as long as it is dull; of an imported block its name as well."""
    home, at, rest = verdict.id.partition("@")
    return f"{home} {rest.partition(':')[2]}" if at else f"{verdict.name} ({verdict.id})"


def _text(report: VerifyReport, *, listed: bool = True) -> str:
    """Every verdict on a line, if they are `listed`, then counts; what a file claimed and its execution does not bear
    out is said."""
    if not report.codes:
        return "There is no such code to verify."
    lines = [*map(_line, report.codes), ""] if listed else []
    lines += _counts(report.codes)
    wrong = [v for v in report.codes if v.claimed is not None and v.verdict in ("verified", "failed")]
    wrong = [v for v in wrong if v.claimed != (v.verdict == "verified")]
    if wrong:
        lines.append(f"{len(wrong)} do not bear out what their file claims of their running")
    return "\n".join(lines)


def _counts(verdicts: Sequence[CodeVerdict]) -> Iterator[str]:
    kinds = Counter(f"{v.verdict} ({v.kind})" if v.verdict == "verified" else v.verdict for v in verdicts)
    yield ", ".join(f"{count} {what}" for what, count in sorted(kinds.items()))
    if current := sum(v.status == "current" for v in verdicts):
        yield f"{current} of {len(verdicts)} had a verdict that still holds and were not judged again (--force does)"
    asked = [v.written for v in verdicts if v.written and v.written.state not in {"not asked", "out of reach"}]
    if asked:
        states = Counter(one.state for one in asked)
        dropped = sum((Counter(one.dropped) for one in asked), Counter[str]())
        said = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
        left = ", ".join(f"{count} {why.replace('_', ' ')}" for why, count in sorted(dropped.items()))
        yield f"tests by {asked[0].model}: {said}" + (f"; not taken: {left}" if left else "")
    classes = Counter(v.failure for v in verdicts if v.verdict == "failed" and v.failure)
    if classes:
        yield "failed: " + ", ".join(f"{count} {what}" for what, count in sorted(classes.items()))

"""`xkg paper list`, `xkg paper|technique|code show ID`."""

from collections import defaultdict
from collections.abc import Sequence

import click

from kg.cli.common import emit, json_option
from kg.cli.show_text import Branch, code_text, paper_text, papers_text, technique_text
from kg.config import load_settings
from kg.errors import InputError
from kg.lookup import find_node
from kg.opening import open_store
from kg.results.show import (
    ImplementationRow,
    ListedPaper,
    ListedTechnique,
    ShownCode,
    ShownExecution,
    ShownPaper,
    ShownTechnique,
)
from kg.results.verdict import VerifiedCode
from kg.search.believing import believed
from kg.verdicts import open_logs
from kg.verdicts.auditing import claim
from kg.verdicts.grounds import doubt
from kg.verdicts.seals import open_seals

__all__ = ["code_show", "paper_list", "paper_show", "technique_show"]


@click.command()
@click.option("--cited", is_flag=True, help="Also works that are only cited.")
@json_option
def paper_list(cited: bool, as_json: bool) -> None:
    """List the papers of the graph, with how many techniques they have and how many of these have code."""
    with open_store(load_settings()) as store:
        papers = store.rows(ListedPaper, cited=cited)
    value = {"papers": [paper.model_dump() for paper in papers]}
    emit(value, as_json=as_json, text=lambda: papers_text(papers), withheld=store.withheld)


@click.command()
@click.argument("paper_id", metavar="ID")
@json_option
def paper_show(paper_id: str, as_json: bool) -> None:
    """Show a paper: its repository, sections, and technique tree with code and evidence.

    ID may be an arXiv id, the beginning of an id if no other begins so, the name in a corpus file, or the title.
    """
    settings = load_settings()
    with open_store(settings) as store:
        node = find_node(store, "Paper", paper_id)
        (paper,) = store.rows(ShownPaper, id=node)
        tree = technique_tree(believed(store, settings, store.rows(ListedTechnique, paper=node)))
    value = {**paper.model_dump(), "techniques": [branch.value() for branch in tree]}
    emit(value, as_json=as_json, text=lambda: paper_text(paper, tree), withheld=store.withheld)


@click.command()
@click.argument("technique_id", metavar="ID")
@json_option
def technique_show(technique_id: str, as_json: bool) -> None:
    """Show a technique: definition, spans, place in its paper, code with evidence, the same technique elsewhere.

    ID may be the last part of an id ("dropout"), or a name, if only one technique has it.
    """
    settings = load_settings()
    with open_store(settings) as store:
        node = find_node(store, "Technique", technique_id)
        (technique,) = store.rows(ShownTechnique, id=node)
        rows = believed(store, settings, store.rows(ImplementationRow, id=node))
    value = {
        **technique.model_dump(),
        "code": [row.model_dump() for row in rows if row.standing == "asserted"],
        "candidates": [row.model_dump() for row in rows if row.standing != "asserted"],
    }
    emit(value, as_json=as_json, text=lambda: technique_text(technique, rows), withheld=store.withheld)


@click.command()
@click.argument("code_id", metavar="ID")
@click.option("--log", "show_log", is_flag=True, help="Print the full log of the execution that its verdict rests on.")
@json_option
def code_show(code_id: str, show_log: bool, as_json: bool) -> None:
    """Print a piece of code with its origin, licence and verdict, and what the verdict rests on.

    ID may be the last part of an id (a path or a symbol), if only one piece of code has it.
    """
    settings = load_settings()
    with open_store(settings) as store:
        node = find_node(store, "Code", code_id)
        (code,) = store.rows(ShownCode, id=node)
        claimed = store.rows(VerifiedCode, ids=[node])
        seals = open_seals(store, open_logs(settings).folder)
    if show_log:
        current = _current(code)
        log = store.blacklist.mask(open_logs(settings).read(current.log or ""))
        value = {"id": code.id, "execution": current.id, "sha256": current.log, "log": log}
        emit(value, as_json=as_json, text=lambda: log, withheld=store.withheld)
    else:
        found = doubt(claim(claimed[0]), seals, settings.verify.share) if claimed else None
        logs = [each.log or "" for each in code.executions if each.current]
        damaged = [log for log in logs if open_logs(settings).damaged(log)]
        shown = {**code.model_dump(), "doubt": found.ground if found else None, "log_damaged": bool(damaged)}
        said = [found.why] if found else []
        said += [f"the log {log} that it rests on is damaged: it is not what its name says" for log in damaged]
        why = "; ".join(said)
        emit(shown, as_json=as_json, text=lambda: code_text(code, why), withheld=store.withheld)


def _current(code: ShownCode) -> ShownExecution:
    """The execution that a verdict rests on. Raises InputError if there is none."""
    for execution in code.executions:
        if execution.current:
            return execution
    if code.test_state in {"refused", "broken"}:
        raise InputError(
            f"nothing that {code.test_model} wrote as tests of {code.id} could count, so there is no log "
            f"({code.verdict}: {code.verdict_reason})",
            remedy="`xkg code show ID` prints what was refused, and by which rule",
        )
    raise InputError(
        f"the verdict on {code.id} rests on no execution ({code.verdict}: {code.verdict_reason})",
        remedy="`xkg code verify ID` runs it",
    )


def technique_tree(rows: Sequence[ListedTechnique]) -> tuple[Branch, ...]:
    """The techniques of a paper as a tree; one with two parents stands below both."""
    children: dict[str | None, list[ListedTechnique]] = defaultdict(list)
    for row in rows:
        children[row.parent].append(row)

    def below(parent: str | None, path: Sequence[str]) -> tuple[Branch, ...]:
        return tuple(Branch(row, below(row.id, (*path, row.id))) for row in children[parent] if row.id not in path)

    return below(None, ())

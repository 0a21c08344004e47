"""`xkg paper list`, `xkg paper|technique|code show ID`."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import click

from kg.cli.common import emit, json_option
from kg.cli.show_text import code_text, paper_text, papers_text, technique_text
from kg.config import load_settings
from kg.lookup import find_node
from kg.store import Store, open_store

__all__ = ["code_show", "paper_list", "paper_show", "technique_show"]

Row = Mapping[str, Any]


@click.command()
@click.option("--cited", is_flag=True, help="Also papers that are only cited.")
@json_option
def paper_list(cited: bool, as_json: bool) -> None:
    """List the papers of the graph, with how many techniques they have and how many of these have code."""
    with open_store(load_settings()) as store:
        papers = store.read("show/list_papers", cited=cited)
    emit({"papers": papers}, as_json=as_json, text=lambda: papers_text(papers))


@click.command()
@click.argument("paper_id", metavar="ID")
@json_option
def paper_show(paper_id: str, as_json: bool) -> None:
    """Show a paper: its repository, sections, and technique tree with code and evidence.

    ID may be an arXiv id, the beginning of an id if no other begins so, or the title.
    """
    with open_store(load_settings()) as store:
        node = find_node(store, "Paper", paper_id)
        (paper,) = store.read("show/read_paper", id=node)
        paper["techniques"] = technique_tree(store, node)
    emit(paper, as_json=as_json, text=lambda: paper_text(paper))


@click.command()
@click.argument("technique_id", metavar="ID")
@json_option
def technique_show(technique_id: str, as_json: bool) -> None:
    """Show a technique: definition, spans, place in its paper, code with evidence, the same technique elsewhere.

    ID may be the last part of an id ("dropout"), or a name, if only one technique has it.
    """
    with open_store(load_settings()) as store:
        node = find_node(store, "Technique", technique_id)
        (technique,) = store.read("show/read_technique", id=node)
        rows = store.read("show/list_implementations", id=node)
    technique["code"] = [row for row in rows if row["asserted"]]
    technique["candidates"] = [row for row in rows if not row["asserted"]]
    emit(technique, as_json=as_json, text=lambda: technique_text(technique))


@click.command()
@click.argument("code_id", metavar="ID")
@json_option
def code_show(code_id: str, as_json: bool) -> None:
    """Print a piece of code with its origin, licence and verdict.

    ID may be the last part of an id (a path or a symbol), if only one piece of code has it.
    """
    with open_store(load_settings()) as store:
        node = find_node(store, "Code", code_id)
        (code,) = store.read("show/read_code", id=node)
    emit(code, as_json=as_json, text=lambda: code_text(code))


def technique_tree(store: Store, paper: str) -> list[dict[str, Any]]:
    """The techniques of a paper, nested in the key `components`; one with two parents stands below both."""
    rows = store.read("show/list_techniques", paper=paper)
    children: dict[str | None, list[Row]] = defaultdict(list)
    for row in rows:
        children[row["parent"]].append(row)

    def below(parent: str | None, path: Sequence[str]) -> list[dict[str, Any]]:
        return [
            {key: value for key, value in row.items() if key not in ("parent", "order")}
            | {"components": below(row["id"], (*path, row["id"]))}
            for row in children[parent]
            if row["id"] not in path
        ]

    return below(None, ())

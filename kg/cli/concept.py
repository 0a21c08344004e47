"""Concepts: `xkg concept list|show|merge|split`."""

import getpass
from datetime import UTC, datetime

import click

from kg.cli.common import emit, json_option
from kg.concepts import merge_concepts, split_concept
from kg.config import load_settings
from kg.errors import InputError
from kg.opening import open_store
from kg.results.concept import ConceptMember, ConceptRow, Decision

__all__ = ["concept_list", "concept_merge", "concept_show", "concept_split"]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _who_and_why(command: click.decorators.FC) -> click.decorators.FC:
    who = click.option("--who", default=getpass.getuser, help="Who decides this.  [default: your user name]")
    why = click.option("--why", required=True, help="Why: kept beside the decision.")
    return who(why(command))


@click.command()
@json_option
def concept_list(as_json: bool) -> None:
    """Concepts with the number of their techniques and papers, the most shared first."""
    with open_store(load_settings()) as store:
        rows = store.rows(ConceptRow)

    def text() -> str:
        lines = [f"{r.papers:>4} papers  {r.id}  {r.name}{' (curated)' if r.curated else ''}" for r in rows]
        return "\n".join(lines) or "no concepts: no technique is shared by two papers"

    emit(rows, as_json=as_json, text=text)


@click.command()
@click.argument("concept")
@json_option
def concept_show(concept: str, as_json: bool) -> None:
    """One concept: its techniques in their papers' words, and what was decided about it by whom."""
    with open_store(load_settings()) as store:
        found = next((row for row in store.rows(ConceptRow) if row.id == concept), None)
        members = store.rows(ConceptMember, id=concept)
        decisions = store.rows(Decision, id=concept)
    if found is None:
        raise InputError(f"there is no concept {concept}", remedy="`xkg concept list` shows what there is")

    def text() -> str:
        lines = [found.name, f"also: {', '.join(found.aliases)}" if found.aliases else ""]
        for m in members:
            lines += [
                f"- {m.name}  [{m.technique}]",
                f"  {m.title or m.paper}; {m.decided_by} {m.score:.2f}",
                f"  {m.definition or ''}",
            ]
        lines += [f"{d.when}  {d.who}: {d.action} {', '.join(d.former)} -> {d.concept}: {d.why}" for d in decisions]
        return "\n".join(line for line in lines if line.strip())

    value = {**found.model_dump(), "members": members, "decisions": decisions}
    emit(value, as_json=as_json, text=text, withheld=store.withheld)


@click.command()
@click.argument("into")
@click.argument("others", nargs=-1, required=True)
@_who_and_why
@json_option
def concept_merge(into: str, others: tuple[str, ...], who: str, why: str, as_json: bool) -> None:
    """Make OTHERS one with the concept INTO. No machine takes that back."""
    with open_store(load_settings()) as store:
        count = merge_concepts(store, into, others, who=who, when=_now(), why=why)
    emit({"concept": into, "techniques": count}, as_json=as_json, text=lambda: f"{into} has {count} techniques now")


@click.command()
@click.argument("concept")
@click.argument("techniques", nargs=-1, required=True)
@click.option("--into", "name", required=True, help="Name of the concept that the techniques move to.")
@_who_and_why
@json_option
def concept_split(concept: str, techniques: tuple[str, ...], name: str, who: str, why: str, as_json: bool) -> None:
    """Move TECHNIQUES (their ids) out of CONCEPT into one of their own. No machine takes that back."""
    with open_store(load_settings()) as store:
        new = split_concept(store, concept, techniques, name, who=who, when=_now(), why=why)
    emit(
        {"concept": new, "from": concept, "techniques": sorted(techniques)}, as_json=as_json,
        text=lambda: f"{len(techniques)} techniques moved from {concept} to {new}",
    )  # fmt: skip

"""Concepts: `xkg concept list|show|candidates|accept|reject|merge|split`."""

import getpass
from datetime import UTC, datetime

import click

from kg.cli.common import emit, json_option, printable
from kg.concepts import merge_concepts, split_concept
from kg.config import load_settings
from kg.errors import InputError
from kg.opening import open_store
from kg.results.concept import ConceptMember, ConceptRow, Decision
from kg.review import Action, Item, Word, decide_all, read_queue

__all__ = [
    "concept_accept",
    "concept_candidates",
    "concept_list",
    "concept_merge",
    "concept_reject",
    "concept_show",
    "concept_split",
]


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


@click.command()
@json_option
def concept_candidates(as_json: bool) -> None:
    """Pairs of techniques that may be one and await a word: those joined by less than a name, then those not joined.

    They are the questions of kind `merge` of `xkg corpus review`, in its order, with the same ids.
    """
    with open_store(load_settings()) as store:
        items = [item for item in read_queue(store) if item.kind == "merge"]
    emit(items, as_json=as_json, text=lambda: "\n".join(map(_candidate, items)) or "no pair awaits a word")


def _candidate(item: Item) -> str:
    other = item.other
    if other is None:
        return f"{item.id}  {item.name}"
    joined = f"joined by {other.decided_by}" if other.joined else "not joined"
    pair = f"  {item.name}  [{item.technique}]\n  {other.name}  [{other.technique}]"
    return printable(f"{item.id}  {other.score:.2f}  {joined}\n{pair}")


def _decided(item: str, action: Action, value: str, who: str, why: str, as_json: bool) -> None:
    with open_store(load_settings()) as store:
        if any(asked.id == item and asked.kind != "merge" for asked in read_queue(store)):
            raise InputError(f"{item} is no question of two techniques", remedy="`xkg corpus review` asks it")
        (found,) = decide_all(store, [Word(item=item, action=action, value=value, why=why)], who=who, when=_now())
    if found.error:
        raise InputError(found.error, remedy="`xkg concept candidates` lists the pairs that await a word")
    emit(found, as_json=as_json, text=lambda: f"{found.action}: {found.result}")


@click.command()
@click.argument("item")
@click.option("--name", default="", help="What the two are called from now on.")
@_who_and_why
@json_option
def concept_accept(item: str, name: str, who: str, why: str, as_json: bool) -> None:
    """The two techniques of ITEM (its id, as `xkg concept candidates` shows it) are one. No machine takes that back."""
    _decided(item, "edit" if name.strip() else "accept", name, who, why, as_json)


@click.command()
@click.argument("item")
@_who_and_why
@json_option
def concept_reject(item: str, who: str, why: str, as_json: bool) -> None:
    """The two techniques of ITEM are two, and stay apart. No machine takes that back."""
    _decided(item, "reject", "", who, why, as_json)

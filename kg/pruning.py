"""Knowledge filtering: a technique is kept where code grounds it, and everything that goes is told before it goes.

The principle is xKG's: what no code backs is a claim, not knowledge that an agent can use. Unlike there, a parent of
something kept stays, findings and resources are no techniques and stay, and a curator's word is never pruned.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from kg.models.ids import vouched
from kg.models.paper import Model
from kg.results.graph import BlockCode, GroundedTechnique, PaperSources, PrunedOfPaper
from kg.results.verdict import BoundExecution
from kg.results.write import Touched
from kg.store import Store, Transaction

__all__ = ["Level", "PruneItem", "PrunePlan", "prune", "restore", "sources_key"]

Level = Literal["grounded", "executable", "verified"]

LACKS: dict[Level, str] = {
    "grounded": "no code is asserted for it",
    "executable": "none of its code ran to its end",
    "verified": "none of its code is verified",
}
"""Why a technique goes, by what is asked of its code."""

NEVER = ("finding", "resource")
"""Kinds that are no techniques: what a paper found and what it offers."""


class PruneItem(Model):
    """A technique that goes, and why."""

    id: str
    name: str
    paper: str | None
    why: str


class PrunePlan(Model):
    """What a pruning takes away: `techniques`, imported `code` that only they had, and executions that only that had.

    `kept` counts the techniques that stay, by the reason: "grounded" (as the level asks), "above one that is kept",
    "a curator's", "finding or resource".
    """

    level: Level
    techniques: tuple[PruneItem, ...] = ()
    code: tuple[str, ...] = ()
    executions: tuple[str, ...] = ()
    kept: dict[str, int] = {}


def sources_key(source_sha256: str, pins: Iterable[str]) -> str:
    """What a paper is made from, as one text: equal as long as neither it nor its repository changes."""
    return " ".join([source_sha256, *sorted(map(vouched, pins))])


def prune(store: Store, level: Level, *, dry_run: bool = False) -> PrunePlan:
    """Take away techniques whose code does not show what `level` asks, in one transaction; `dry_run` only tells.

    The papers remember what was taken: an ingest of the same sources leaves it out, one of other sources brings it
    back and says so. A second pruning finds nothing.
    """
    store.demand_whole("pruning")
    if dry_run:
        return store.observe(lambda tx: _found(tx, level).plan)

    def work(tx: Transaction) -> PrunePlan:
        found = _found(tx, level)
        if found.elements:
            tx.run("prune/remember", rows=_memories(tx, found.by_paper, level))
            tx.batches("write/delete_nodes", "elements", found.elements)
            tx.run("write/delete_orphans", paper=None)
        return found.plan

    return store.transact(work)


def restore(store: Store) -> dict[str, list[str]]:
    """Forget what was pruned, so that the next ingest or import of the papers brings it back.

    Returns ids by paper.
    """

    store.demand_whole("undoing a pruning")

    def work(tx: Transaction) -> dict[str, list[str]]:
        rows = tx.rows(PrunedOfPaper, papers=None)
        found = {row.id: sorted(row.pruned) for row in rows}
        if found:
            tx.run("prune/forget", papers=sorted(found), again=True)
        return found

    return store.transact(work)


class _Found(NamedTuple):
    """The plan, the elements of the nodes that go, and their ids by paper."""

    plan: PrunePlan
    elements: list[str]
    by_paper: dict[str, list[str]]


def _found(tx: Transaction, level: Level) -> _Found:
    techniques = {row.id: row for row in tx.rows(GroundedTechnique)}
    names = {row.element: row.id for row in techniques.values()}
    touched = {names[row.element] for row in tx.row_batches(Touched, "elements", sorted(names))}
    kept = _kept(techniques, touched, level)
    gone = [row for row in techniques.values() if row.id not in kept]
    code = tx.rows(BlockCode, ids=[row.id for row in gone])
    code_elements = [row.element for row in code]
    curated = {row.element for row in tx.row_batches(Touched, "elements", code_elements)}
    code = [row for row in code if row.element not in curated]
    executions = tx.rows(BoundExecution, elements=[row.element for row in code])
    plan = PrunePlan(
        level=level,
        techniques=tuple(PruneItem(id=r.id, name=r.name, paper=r.paper, why=_why(r, level)) for r in gone),
        code=tuple(row.id for row in code),
        executions=tuple(row.id for row in executions),
        kept=dict(sorted(Counter(kept.values()).items())),
    )
    by_paper: dict[str, list[str]] = defaultdict(list)
    rows: list[GroundedTechnique | BlockCode] = [*gone, *code]
    for row in rows:
        by_paper[row.paper or ""].append(row.id)
    elements = [row.element for row in rows] + [row.element for row in executions]
    return _Found(plan, elements, by_paper)


def _kept(techniques: Mapping[str, GroundedTechnique], touched: set[str], level: Level) -> dict[str, str]:
    """Ids of the techniques that stay, each with the reason."""
    kept: dict[str, str] = {}
    for row in techniques.values():
        shown = {"grounded": row.asserted, "executable": row.executable, "verified": row.verified}[level]
        if row.kind in NEVER:
            kept[row.id] = "finding or resource"
        elif row.curated or row.id in touched:
            kept[row.id] = "a curator's"
        elif shown:
            kept[row.id] = "grounded"
    parents: dict[str, list[str]] = defaultdict(list)
    for row in techniques.values():
        for component in row.components:
            parents[component].append(row.id)
    above = [parent for id in kept for parent in parents[id]]
    while above:
        parent = above.pop()
        if parent not in kept:
            kept[parent] = "above one that is kept"
            above += parents[parent]
    return kept


def _why(row: GroundedTechnique, level: Level) -> str:
    lack = LACKS["grounded"] if not row.asserted else LACKS[level]
    return lack + (", nor for any of its components" if row.components else "")


def _memories(tx: Transaction, by_paper: Mapping[str, Sequence[str]], level: Level) -> list[dict[str, object]]:
    """Rows for prune/remember."""
    sources = {row.id: sources_key(row.source_sha256, row.pins) for row in tx.rows(PaperSources, ids=sorted(by_paper))}
    return [
        {"paper": paper, "pruned": sorted(by_paper[paper]), "level": level, "sources": sources[paper]}
        for paper in sorted(sources)
    ]

"""What awaits a curator: read from the graph, the same list for the same graph, without what was decided."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from kg.concepts.cluster import Named, compared, nearly
from kg.models.ids import unpinned
from kg.results.concept import Instance, TechniqueRow, TechniqueVector
from kg.results.review import Decided, DoubtfulEdge, UnjudgedName
from kg.review.items import ACTIONS, Alternative, CodeShown, Item, Other, item_id, shown_lines
from kg.store import Store, Transaction
from kg.words import is_specific

__all__ = ["read_queue"]

MACHINE = ("similarity", "acronym")
"""What joined a technique to a concept by less than its name."""


def read_queue(store: Store) -> list[Item]:
    """Implementations first, those that are disagreed on before likely ones; then names, then merges.

    Raises InputError while a blacklist is in force: a curator sees all of the graph.
    """
    store.demand_whole("a review")

    def work(tx: Transaction) -> list[Item]:
        done = {row.item for row in tx.rows(Decided, prefix="")}
        named = tx.rows(UnjudgedName)
        found = [*map(_implementation, tx.rows(DoubtfulEdge)), *_names(named), *_merges(tx)]
        return list({item.id: item for item in found if item.id not in done}.values())

    return store.observe(work)


def _implementation(row: DoubtfulEdge) -> Item:
    code = CodeShown(
        id=row.code, symbol=row.symbol, signature=row.signature, file=row.file, line=row.line,
        first_lines=shown_lines(row.text), standing=row.standing, confidence=row.confidence, method=row.method,
        reason=row.reason, part=row.part, quotes=tuple(row.lines), disagrees=row.disagrees,
    )  # fmt: skip
    return Item(
        id=item_id("implementation", row.technique, unpinned(row.code)), kind="implementation",
        technique=row.technique, name=row.name, definition=row.definition, paper=row.paper, title=row.title,
        status=row.status, quotes=tuple(row.told), actions=ACTIONS["implementation"], code=code,
        alternatives=tuple(Alternative(id=other["id"], signature=other["signature"]) for other in row.others),
    )  # fmt: skip


def _names(rows: list[UnjudgedName]) -> Iterator[Item]:
    """Names made of the paper's words but not printed there, then those of one ordinary word."""
    for row in rows:
        if row.coined or not is_specific(row.name):
            yield Item(
                id=item_id("name", row.technique), kind="name", technique=row.technique, name=row.name,
                definition=row.definition, paper=row.paper, title=row.title, status=row.status,
                quotes=tuple(row.told), actions=ACTIONS["name"], weakness="coined" if row.coined else "ordinary",
            )  # fmt: skip


def _merges(tx: Transaction) -> Iterator[Item]:
    """Techniques that a machine has joined by less than a name, then those that it nearly would have."""
    rows = {row.id: row for row in tx.rows(TechniqueRow)}
    about = {row.technique: row for row in tx.rows(UnjudgedName)}
    members: dict[str, list[Instance]] = defaultdict(list)
    concept_of: dict[str, str] = {}
    for instance in tx.rows(Instance):
        members[instance.concept].append(instance)
        concept_of[instance.technique] = instance.concept

    def item(one: str, other: str, score: float, *, joined: bool) -> Item:
        told = {key: about.get(key) for key in (one, other)}
        mine, theirs = told[one], told[other]
        return Item(
            id=item_id("merge", *sorted((one, other))), kind="merge", technique=one, name=rows[one].name,
            definition=mine.definition if mine else "", paper=rows[one].paper or "", title=mine.title if mine else "",
            status=mine.status if mine else None, quotes=tuple(mine.told) if mine else (), actions=ACTIONS["merge"],
            other=Other(
                technique=other, name=rows[other].name, definition=theirs.definition if theirs else "",
                paper=rows[other].paper or "", score=round(score, 4), joined=joined,
            ),
        )  # fmt: skip

    for _, group in sorted(members.items()):
        doubtful = [i for i in group if i.decided_by in MACHINE]
        sure = [i for i in group if i not in doubtful] or doubtful[:1]
        yield from (item(i.technique, sure[0].technique, i.score, joined=True) for i in doubtful if i not in sure)
    techniques = [Named(row.id, row.name, tuple(row.aliases), row.paper or "") for row in rows.values()]
    vectors = {
        row.id: np.asarray(row.vector) / (np.linalg.norm(row.vector) or 1.0)
        for row in tx.row_batches(TechniqueVector, "ids", sorted(compared(techniques)))
    }

    def cosine(one: str, other: str) -> float | None:
        return float(vectors[one] @ vectors[other]) if one in vectors and other in vectors else None

    for score, one, other in nearly(techniques, cosine):
        if one not in concept_of or concept_of[one] != concept_of.get(other):
            yield item(one, other, score, joined=False)

"""What awaits a curator: read from the graph, the same list for the same graph, without what was decided."""

from collections import defaultdict
from collections.abc import Iterator

from kg.concepts import ASKED, RULES
from kg.models.ids import unpinned, vouched
from kg.results.concept import Instance, RelationRow, TechniqueRow
from kg.results.review import Decided, Described, DoubtfulEdge, UnjudgedName
from kg.review.items import ACTIONS, Alternative, CodeShown, Item, Other, item_id, shown_lines
from kg.store import Store, Transaction
from kg.words import is_specific

__all__ = ["read_queue"]

MACHINE = ("similarity", "acronym", "model")
"""What joined a technique to a concept by less than its name."""


def read_queue(store: Store) -> list[Item]:
    """Implementations first, those that are disagreed on before likely ones; then names, then merges.

    Raises InputError while a blacklist is in force: a curator sees all of the graph.
    """
    store.demand_whole("a review")

    def work(tx: Transaction) -> list[Item]:
        done = {row.item for row in tx.rows(Decided, prefix="")}
        found = [*map(_implementation, tx.rows(DoubtfulEdge)), *_names(tx.rows(UnjudgedName)), *_merges(tx)]
        return list({item.id: item for item in found if item.id not in done}.values())

    return store.observe(work)


def _implementation(row: DoubtfulEdge) -> Item:
    code = CodeShown(
        id=row.code, symbol=row.symbol, signature=row.signature, file=row.file, line=row.line,
        first_lines=shown_lines(row.text), standing=row.standing, confidence=row.confidence, method=row.method,
        reason=row.reason, part=row.part, quotes=tuple(row.lines), disagrees=row.disagrees,
    )  # fmt: skip
    return Item(
        id=item_id("implementation", row.technique, unpinned(vouched(row.code))), kind="implementation",
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
    rows = {row.id: row for row in tx.rows(TechniqueRow, ids=None)}
    members: dict[str, list[Instance]] = defaultdict(list)
    concept_of: dict[str, str] = {}
    for instance in tx.rows(Instance, ids=None):
        members[instance.concept].append(instance)
        concept_of[instance.technique] = instance.concept

    pairs: list[tuple[str, str, float, str, bool]] = []
    for _, group in sorted(members.items()):
        doubtful = [i for i in group if i.decided_by in MACHINE]
        sure = [i.technique for i in group if i not in doubtful] or [i.technique for i in doubtful[:1]]
        for i in doubtful:
            if i.technique not in sure:
                beside = i.beside if i.beside in rows else sure[0]
                pairs.append((i.technique, beside, i.score, i.decided_by, True))
    near = [r for r in tx.rows(RelationRow, ids=None) if r.decided_by == RULES and r.score >= ASKED]
    for relation in sorted(near, key=lambda r: (-r.score, r.one, r.other)):
        one, other = sorted((relation.one, relation.other))
        if one not in concept_of or concept_of[one] != concept_of.get(other):
            pairs.append((one, other, relation.score, RULES, False))
    asked = sorted({technique for pair in pairs for technique in pair[:2]} & rows.keys())
    about = {row.technique: row for row in tx.row_batches(Described, "ids", asked)}
    for one, other, score, by, joined in pairs:
        mine, theirs = about.get(one), about.get(other)
        if mine is None or theirs is None:
            continue
        yield Item(
            id=item_id("merge", *sorted((one, other))), kind="merge", technique=one, name=mine.name,
            definition=mine.definition, paper=mine.paper, title=mine.title, status=mine.status,
            quotes=tuple(mine.told), actions=ACTIONS["merge"],
            other=Other(
                technique=other, name=theirs.name, definition=theirs.definition, paper=theirs.paper,
                title=theirs.title, score=round(score, 4), joined=joined, decided_by=by,
            ),
        )  # fmt: skip

"""A curator's decision put into the graph: one transaction each, once and for good."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from kg.concepts import keep_apart, make_one
from kg.concepts.refresh import refresh_within
from kg.embeddings import Embedder
from kg.embeddings.nodes import technique_text
from kg.errors import InputError
from kg.models.paper import Model
from kg.models.technique import Technique
from kg.results.concept import Instance
from kg.results.review import Decided, NamedTechnique, TechniqueDropped, WordPut
from kg.review.items import Item, Word
from kg.review.queue import read_queue
from kg.store import Store, Transaction

__all__ = ["Applied", "Done", "decide", "decide_all"]

Done = Literal["done", "already", "skipped"]
CURATOR = "curator"
NEEDS_VALUE = {"edit": "a name, or for an implementation another unit", "merge": "another technique or concept"}


class Applied(Model):
    """What became of one decision; `error` says why one failed."""

    item: str
    action: str
    result: Literal["done", "already", "skipped", "failed"]
    error: str = ""


def decide_all(
    store: Store, words: Iterable[Word], *, who: str, when: str, embedder: Embedder | None = None
) -> Iterator[Applied]:
    """Apply decisions one after the other, as `decide` does, whatever becomes of those before."""
    queue = {item.id: item for item in read_queue(store)}
    before = {row.item: row for row in store.rows(Decided, prefix="")}
    for word in words:
        told, error = before.get(word.item), ""
        result: Literal["done", "already", "skipped", "failed"] = "failed"
        if told and told.action == word.action:
            result = "already"
        elif told:
            error = f"{word.item} was decided by {told.who} on {told.when}: {told.action}"
        elif word.item not in queue:
            error = f"{word.item} is not in the queue"
        else:
            try:
                result = decide(store, queue[word.item], word, who=who, when=when, embedder=embedder)
            except InputError as wrong:
                error = str(wrong)
        if result == "done":
            before |= {row.item: row for row in store.rows(Decided, prefix=queue[word.item].technique)}
        yield Applied(item=word.item, action=word.action, result=result, error=error)


def check(item: Item, word: Word) -> None:
    """Raise InputError for an action that the item does not have, or that lacks its value."""
    if word.action not in item.actions:
        raise InputError(f"{item.id} is a question of {item.kind}", remedy=f"answer {', '.join(item.actions)}")
    if word.action in NEEDS_VALUE and not word.value.strip():
        raise InputError(f"{word.action} of {item.id} needs a value", remedy=f"give {NEEDS_VALUE[word.action]}")


def decide(store: Store, item: Item, word: Word, *, who: str, when: str, embedder: Embedder | None = None) -> Done:
    """Make the graph say what a curator decided, in one transaction; "already" if it was decided before.

    What the graph then says is of method ``curator``, and stays through every later ingest. `embedder` gives a
    technique of a new name its vector. Raises InputError for a word that does not fit, or names what is not there.
    """
    check(item, word)
    if word.action == "skip":
        return "skipped"

    def work(tx: Transaction) -> Done:
        if any(row.item == item.id for row in tx.rows(Decided, prefix=item.technique)):
            return "already"
        decision = f"review:{item.id}"
        said = {"curator": who, "decided": when, "decision": decision, "comment": word.why or None}
        value = {"implementation": _implementation, "name": _name, "merge": _merge}[item.kind](
            tx, item, word, {**said, "extraction_method": CURATOR}, embedder
        )
        properties = {
            "name": f"{word.action} {item.name}", "item": item.id, "kind": item.kind, "action": word.action,
            "value": value, "technique": item.technique, "subject": item.name, "paper": item.paper,
            "code": item.code.id if item.code else None, "who": who, "when": when, "why": word.why,
            "concept": "", "former": [], "techniques": [item.technique],
        }  # fmt: skip
        tx.run("review/record_decision", id=decision, properties=properties)
        return "done"

    return store.transact(work)


def _implementation(tx: Transaction, item: Item, word: Word, said: dict[str, Any], _: Embedder | None) -> str:
    """Say that the code is it or is not; with another unit, that this one is it and the code is not."""
    if item.code is None:
        raise InputError(f"{item.id} is about no code")
    said |= {"method": CURATOR, "standing": None, "disagrees": None, "confidence": None}
    yes = {"accept": item.code.id, "edit": word.value.strip(), "reject": ""}[word.action]
    chosen = _put(tx, item, yes, "IMPLEMENTED_BY", said) if yes else ""
    if chosen != item.code.id:
        _put(tx, item, item.code.id, "NOT_IMPLEMENTED_BY", said)
    return chosen


def _put(tx: Transaction, item: Item, unit: str, kind: str, said: dict[str, Any]) -> str:
    beside = item.code.id if item.code else unit
    rows = tx.rows(WordPut, technique=item.technique, beside=beside, unit=unit, type=kind, word=said)
    if not rows:
        raise InputError(
            f"there is no code {unit} for {item.technique}", remedy="give a number or an id of `xkg technique show`"
        )
    return rows[0].id


def _name(tx: Transaction, item: Item, word: Word, said: dict[str, Any], embedder: Embedder | None) -> str:
    """Keep the name, give another, take the technique out, or make it one with another."""
    if word.action == "merge":
        return _one(tx, item, word, said)
    if word.action == "reject":
        if not tx.rows(TechniqueDropped, technique=item.technique):
            raise InputError(f"there is no technique {item.technique}", remedy="ask for the queue anew")
        refresh_within(tx)
        return ""
    name = item.name if word.action == "accept" else " ".join(word.value.split())
    rows = tx.rows(NamedTechnique, technique=item.technique, name=name, word=said)
    if not rows:
        raise InputError(f"there is no technique {item.technique}", remedy="ask for the queue anew")
    if name != item.name:
        _embed(tx, rows[0], embedder)
        refresh_within(tx, [item.technique])
    return name


def _embed(tx: Transaction, row: NamedTechnique, embedder: Embedder | None) -> None:
    """The vector of the new name, where the former one's was of the same model."""
    if embedder is None or embedder.model_id != row.model:
        return
    named = Technique(
        id=row.id, name=row.name, aliases=tuple(row.aliases), kind="technique", definition=row.definition, score=0
    )
    vector = embedder.embed([technique_text(named)])[0].astype(float).tolist()
    tx.run("write/set_vectors", rows=[{"element": row.element, "vector": vector}], model_id=embedder.model_id)


def _merge(tx: Transaction, item: Item, word: Word, said: dict[str, Any], _: Embedder | None) -> str:
    """Bind two techniques to one concept, under a name of the curator's if he gives one, or to two."""
    if item.other is None or word.action == "merge":
        return _one(tx, item, word, said)
    about = {"who": said["curator"], "when": said["decided"], "why": word.why or "reviewed"}
    if word.action == "reject":
        return keep_apart(tx, item.technique, item.other.technique, **about)
    name = " ".join(word.value.split()) if word.action == "edit" else ""
    return make_one(tx, item.technique, item.other.technique, name, **about)


def _one(tx: Transaction, item: Item, word: Word, said: dict[str, Any]) -> str:
    """Bind the technique to the concept of the one that the curator names, or to that concept."""
    named = word.value.strip()
    first = next(
        (i.technique for i in tx.rows(Instance, ids=None) if i.concept == named and i.technique != item.technique),
        named,
    )
    if first == item.technique:
        raise InputError(f"{named} is the technique itself", remedy="name another one")
    about = {"who": said["curator"], "when": said["decided"], "why": word.why or "reviewed"}
    return make_one(tx, item.technique, first, **about)

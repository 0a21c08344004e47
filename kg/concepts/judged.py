"""What a model says of two techniques, kept as a relation of its own until the words of either change."""

from typing import Literal

from kg.concepts.refresh import ConceptChanges, refresh_within
from kg.concepts.scope import MODEL
from kg.models.paper import Model
from kg.results.concept import RelationRow
from kg.store import Transaction

__all__ = ["Judgement", "record_judgement"]


class Judgement(Model):
    """How two techniques relate, why, and by which words of each; `score` is how similar their vectors are."""

    one: str
    other: str
    relation: Literal["SAME_AS", "VARIANT_OF", "SIMILAR_TO", "DIFFERS_FROM"]
    score: float
    why: str
    quotes: tuple[str, ...]


def record_judgement(tx: Transaction, said: Judgement, *, model: str, prompt: str) -> ConceptChanges:
    """Write down what `model` says, in the place of what it or a rule said of the same two, and join accordingly."""
    pair = {said.one, said.other}
    before = [r for r in tx.rows(RelationRow, ids=[said.one]) if {r.one, r.other} == pair]
    tx.run("concept/drop_relations", rows=[r.model_dump(include={"one", "other", "type"}) for r in before])
    properties = {
        "score": said.score, "decided_by": MODEL, "model": model, "prompt_sha256": prompt, "why": said.why,
        "quotes": list(said.quotes), "shared": [],
    }  # fmt: skip
    row = {"one": said.one, "other": said.other, "type": said.relation, "properties": properties}
    tx.run("concept/put_relations", rows=[row])
    return refresh_within(tx, pair)

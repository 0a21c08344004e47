"""Tools that tell what an answer rests on, and what the graph does not know."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pydantic import Field

from agents.tools.context import Context
from agents.tools.envelope import Listing
from agents.tools.papers import find_read
from agents.tools.tool import Arguments, Cursor, Id, Need, Tool
from kg.errors import InputError
from kg.lookup import Label, find_node
from kg.models.labels import labels_of
from kg.results.search import SearchState
from kg.results.show import ListedTechnique
from kg.search import THRESHOLD, SearchKind
from kg.search.describe import SPECS
from kg.search.results import TechniqueHit
from kg.search.terms import terms

__all__ = ["TOOLS"]

MOST = 200
"""Hits among which one is looked for."""
NEEDS = 10
KIND: dict[str, SearchKind] = {"Technique": "techniques", "Code": "code", "Paper": "papers", "Section": "sections"}
LABEL: dict[SearchKind, Label] = {"techniques": "Technique", "code": "Code", "papers": "Paper", "sections": "Section"}


class _WhyHit(Arguments):
    query: Need
    id: Id
    cursor: Cursor = 0


def _why_hit(context: Context, asked: _WhyHit) -> Listing:
    kind = next((KIND[label] for label in sorted(labels_of(asked.id) & KIND.keys())), None)
    if kind is None:
        raise InputError(f"{asked.id} is no id of a technique, code, paper or section", remedy="give an id of a hit")
    node = find_node(context.store, LABEL[kind], asked.id)
    found = context.search(kind, asked.query, limit=MOST)
    hit = next((one for one in found.hits if one.id == node), None)
    about: dict[str, Any] = {"id": node, "kind": kind, "hit": hit is not None, "threshold": THRESHOLD}
    if hit is None:
        return Listing([], about={**about, "why": f"not among the {len(found.hits)} hits of this query"})
    evidence = hit.evidence.model_dump(exclude={"via"})
    return Listing(
        [one.model_dump() for one in hit.evidence.via[asked.cursor :]],
        "related_hits",
        asked.cursor,
        len(hit.evidence.via),
        about={**about, "name": hit.name, "rank": hit.rank, "strength": hit.strength, **evidence},
    )


State = Literal["unknown", "only near", "no code", "code likely", "code unverified", "verified code"]


class _Unknown(Arguments):
    needs: tuple[Need, ...] = Field((), max_length=NEEDS, description="techniques or tasks, one each")
    paper: str = Field("", max_length=500, description="what this one lacks")
    cursor: Cursor = 0


def _unknown(context: Context, asked: _Unknown) -> Listing:
    if bool(asked.needs) == bool(asked.paper):
        raise InputError("one of `needs` and `paper` is needed", remedy="give what you need, or a paper of the graph")
    if asked.paper:
        node = find_read(context, asked.paper)
        rows = context.believed(context.store.rows(ListedTechnique, paper=node))
        items = list(_lacking(rows))
        about = {"paper": node, "techniques": len({row.id for row in rows})}
    else:
        words = _unknown_words(context, asked.needs)
        items = [_known(context, need, words) for need in asked.needs]
        about = {}
    return Listing(items[asked.cursor :], "unknown", asked.cursor, len(items), about=about)


def _lacking(rows: Sequence[ListedTechnique]) -> Iterator[dict[str, Any]]:
    for row in {row.id: row for row in rows}.values():
        state = _state(row)
        if state != "verified code" and row.kind not in ("finding", "resource"):
            yield {"technique": row.id, "state": state, "candidates": row.candidates}


def _state(found: ListedTechnique | TechniqueHit) -> State:
    if any(code.verdict == "verified" for code in found.code):
        return "verified code"
    return "code unverified" if found.code else "code likely" if found.likely else "no code"


def _unknown_words(context: Context, needs: Sequence[str]) -> set[str]:
    """Words that stand nowhere in the graph."""
    asked = sorted({word for need in needs for word in terms(need)})
    indexes = [spec.text_index for spec in SPECS.values()]
    (state,) = context.store.rows(SearchState, indexes=indexes, words=asked)
    return set(asked) - {count.word for count in state.frequencies if count.documents}


def _known(context: Context, need: str, unknown: set[str]) -> dict[str, Any]:
    hits = [hit for hit in context.search("techniques", need, limit=5).hits if isinstance(hit, TechniqueHit)]
    strong = [hit for hit in hits if hit.strength == "strong"]
    best = ("verified code", "code unverified", "code likely", "no code")
    state: State = "only near" if hits else "unknown"
    if strong:
        state = min(map(_state, strong), key=best.index)
    return {
        "need": need,
        "state": state,
        "words_nowhere": [word for word in terms(need) if word in unknown],
        "nearest": [{"id": hit.id, "name": hit.name, "strength": hit.strength} for hit in hits[:3]],
    }


TOOLS = (
    Tool(
        "why_hit",
        "Why a node was or was not returned for a query: relevance against the threshold, meaning, words, names, and "
        "hits beside it.",
        _WhyHit,
        _why_hit,
    ),
    Tool(
        "unknown",
        "What the graph does not know. Of `needs`: words that stand nowhere, and whether there is a technique, code, "
        "verified code. Of a `paper`: its techniques without verified code.",
        _Unknown,
        _unknown,
        nodes=frozenset({"id", "paper", "technique"}),
    ),
)

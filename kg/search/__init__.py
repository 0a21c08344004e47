"""Hybrid search: vectors, full text and names in one measure of relevance, widened along the graph, and silent where
nothing is near.

`search_kinds` gives the answers with its evidence. Nothing is asked of a model but the query's own vector.
"""

from collections.abc import Sequence

from kg.embeddings import Embedder
from kg.errors import InputError
from kg.search.engine import Asked, Engine, ask
from kg.search.filters import EVERYTHING, Only
from kg.search.rank import THRESHOLD
from kg.search.results import SearchKind, SearchResult
from kg.search.spelling import respelled
from kg.store import Store, Transaction

__all__ = ["THRESHOLD", "SearchKind", "SearchResult", "search_kinds"]

LONGEST = 20_000
"""Characters of a query."""


def search_kinds(
    store: Store,
    embedder: Embedder,
    kinds: Sequence[SearchKind],
    query: str,
    *,
    limit: int = 10,
    threshold: float = THRESHOLD,
    only: Only = EVERYTHING,
    after: int = 0,
) -> tuple[SearchResult, ...]:
    """For each of `kinds` the nodes that answer `query`, best first; none where nothing is relevant.

    All are of one moment of the graph, at most `limit` of a kind behind the first `after`, and as `only` says (then
    of the thousand that are nearest, and that match best); `threshold` is what relevance is held against (see
    kg.search.rank). A query that finds nothing strong and has words that stand nowhere is asked again as it may be
    meant, and what finds more is the answer, whichever page of it is wanted. Raises
    InputError for a query that is empty or a whole book, and for vectors of another model than
    `embedder`'s; DatabaseError when the graph is not reachable.
    """
    if not query.strip():
        raise InputError("the query is empty", remedy="say what to look for")
    if len(query) > LONGEST:
        raise InputError(f"the query has {len(query)} characters", remedy=f"give at most {LONGEST}")

    def engines(transaction: Transaction, asked: Asked) -> tuple[Engine, ...]:
        return tuple(Engine(transaction, one, asked, limit=limit, threshold=threshold, only=only) for one in kinds)

    def work(transaction: Transaction) -> tuple[SearchResult, ...]:
        asked, spelling = ask(transaction, embedder, query), ""
        found = engines(transaction, asked)
        if not any(strength == "strong" for engine in found for _, strength in engine.found):
            spelling = respelled(transaction, asked.state, query)
        better = engines(transaction, ask(transaction, embedder, spelling, guessed=True)) if spelling else found
        if _nearest(better) <= _nearest(found):
            return tuple(engine.result(after) for engine in found)
        said = {"query": query, "spelling": spelling}
        return tuple(engine.result(after).model_copy(update=said) for engine in better)

    return store.observe(work)


def _nearest(engines: Sequence[Engine]) -> float:
    return max((round(candidate.relevance, 4) for engine in engines for candidate, _ in engine.found), default=0.0)

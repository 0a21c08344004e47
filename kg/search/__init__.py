"""Hybrid search: vectors and full text, fused by rank, widened along the graph, and silent where nothing is near.

`search_kinds` gives the answers with its evidence. Nothing is asked of a model but the query's own vector.
"""

from collections.abc import Sequence

from kg.embeddings import Embedder
from kg.errors import InputError
from kg.search.engine import Engine
from kg.search.rank import THRESHOLD
from kg.search.results import SearchKind, SearchResult
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
) -> tuple[SearchResult, ...]:
    """For each of `kinds` the nodes that answer `query`, best first; none where nothing is relevant.

    All are of one moment of the graph, at most `limit` of a kind; `threshold` is what relevance is held against (see
    kg.search.rank). Raises InputError for a query that is empty or a whole book, and for vectors of another model than
    `embedder`'s; DatabaseError when the graph is not reachable.
    """
    if not query.strip():
        raise InputError("the query is empty", remedy="say what to look for")
    if len(query) > LONGEST:
        raise InputError(f"the query has {len(query)} characters", remedy=f"give at most {LONGEST}")
    vector = [float(x) for x in embedder.embed([query])[0]]

    def answer(transaction: Transaction) -> tuple[SearchResult, ...]:
        engines = (Engine(transaction, embedder.model_id, one, query, vector, threshold=threshold) for one in kinds)
        return tuple(engine.result(limit) for engine in engines)

    return store.observe(answer)

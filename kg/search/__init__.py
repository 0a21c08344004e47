"""Hybrid search: vectors and full text, fused by rank, widened along the graph, and silent where nothing is near.

`search` gives the answer with its evidence. Nothing is asked of a model but the query's own vector.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kg.embeddings import Embedder
from kg.errors import InputError
from kg.search import rank as ranking
from kg.search import terms as words
from kg.search.describe import SPECS, Spec
from kg.search.rank import THRESHOLD, Candidate
from kg.search.results import Evidence, SearchKind, SearchResult, Via
from kg.store import Store

__all__ = ["THRESHOLD", "SearchKind", "SearchResult", "check_model", "search"]

DEPTH = 40
"""Candidates taken from each list before the threshold."""
TEXT_FETCH = 400
"""Full-text matches looked through to find DEPTH that are not merely cited papers."""
SOURCES = 10
"""Best hits whose neighbours are looked at."""
COUNT_LIMIT = 1000
"""A word found in so many nodes is common; how many more doesn't matter."""
BY_RELATION = {
    "same concept": "same concept as",
    "part and whole": "part or whole of",
    "implemented by": "implemented by",
    "implements": "implements",
    "describes": "describes",
}
"""Relations between hits, told from the side of the node that is widened to."""
ADDING = frozenset({"same concept", "implemented by", "implements"})
"""Relations strong enough to bring up a node that neither its vector nor its words did."""


def check_model(store: Store, embedder: Embedder) -> bool:
    """Whether the graph has vectors. Raises InputError if they are another model's than `embedder`'s."""
    rows = store.read("schema/read_index_info")
    if not rows:
        return False
    if rows[0]["model_id"] != embedder.model_id:
        raise InputError(
            f"this graph's vectors are of the model {rows[0]['model_id']}, not of {embedder.model_id}",
            remedy="set embedding_model to the graph's model, or ingest into another graph (XKG_HOME)",
        )
    return True


def search(
    store: Store,
    embedder: Embedder,
    kind: SearchKind,
    query: str,
    *,
    limit: int = 10,
    threshold: float = THRESHOLD,
) -> SearchResult:
    """The nodes of `kind` that answer `query`, best first, at most `limit`; none where nothing is relevant.

    `threshold` is what relevance is held against (see kg.search.rank). Raises InputError for an empty query and for
    vectors of another model, DatabaseError when the graph is not reachable.
    """
    if not query.strip():
        raise InputError("the query is empty", remedy="say what to look for")
    one = _Search(store, embedder, query, threshold)
    spec = SPECS[kind]
    found = one.direct(spec)
    related = one.widen(spec, found)
    fused = ranking.fuse(found.values(), related)[:limit]
    hits = [
        spec.build(rank, score, candidate, one.evidence(candidate), one.rows[candidate.id])
        for rank, (score, candidate) in enumerate(fused, 1)
    ]
    return SearchResult(
        kind=kind,
        query=query,
        model_id=embedder.model_id,
        threshold=threshold,
        searched=one.totals[kind],
        hits=tuple(hits),
    )


class _Search:
    """One query on its way through the lists."""

    def __init__(self, store: Store, embedder: Embedder, query: str, threshold: float) -> None:
        self.store, self.threshold = store, threshold
        self.has_vectors = check_model(store, embedder)
        self.vector = [float(x) for x in np.asarray(embedder.embed([query])[0], np.float32)]
        self.terms = words.terms(query)
        self.lucene = words.lucene_query(query)
        self.totals: dict[str, int] = store.read("search/count_nodes")[0]
        self.rows: dict[str, Mapping[str, Any]] = {}
        self.names: dict[str, str] = {}

    def direct(self, spec: Spec) -> dict[str, Candidate]:
        """What vector and words find, as far as it is relevant."""
        nearest: list[dict[str, Any]] = []
        matches: list[dict[str, Any]] = []
        if self.has_vectors:
            nearest = self.store.read("search/find_nearest", index=spec.vector_index, vector=self.vector, limit=DEPTH)
        if self.terms:
            matches = self.store.read(
                "search/match_text",
                index=spec.text_index,
                query=self.lucene,
                vector=self.vector,
                fetch=TEXT_FETCH,
                limit=DEPTH,
            )
        return self._relevant(spec, ranking.merge(nearest, matches))

    def widen(self, spec: Spec, found: dict[str, Candidate]) -> dict[str, int]:
        """Look along the graph from the best hits; adds to `found`. Returns the rank of each hit looked from."""
        techniques = found if spec.kind == "techniques" else self.direct(SPECS["techniques"])
        sources = self._best(techniques)
        params: dict[str, Any] = {"techniques": list(sources), "vector": self.vector}
        if spec.kind == "techniques":
            code = self._best(self.direct(SPECS["code"]))
            params["code"] = list(code)
            sources |= code
        rows = self.store.read(spec.related, **params) if sources else []
        new: dict[str, Candidate] = {}
        for row in rows:
            candidate = found.get(row["id"])
            if candidate is None:
                candidate = new.setdefault(row["id"], Candidate(row["id"], cosine=row["cosine"]))
            candidate.related[row["source"]] = (row["relation"], float(row["strength"]))
        self._cover(spec, new)
        found |= {c.id: c for c in new.values() if self._joins(c)}
        return sources

    def _joins(self, candidate: Candidate) -> bool:
        strong = any(relation in ADDING for relation, _ in candidate.related.values())
        return candidate.id in self.rows and (strong or candidate.relevance >= self.threshold)

    def _best(self, found: Mapping[str, Candidate]) -> dict[str, int]:
        fused = ranking.fuse(found.values(), {})[:SOURCES]
        return {candidate.id: rank for rank, (_, candidate) in enumerate(fused, 1)}

    def _relevant(self, spec: Spec, candidates: dict[str, Candidate]) -> dict[str, Candidate]:
        self._cover(spec, candidates)
        return {id_: c for id_, c in candidates.items() if id_ in self.rows and c.relevance >= self.threshold}

    def _cover(self, spec: Spec, candidates: Mapping[str, Candidate]) -> None:
        """Read the candidates and see which of the query's words they hold."""
        if not candidates:
            return
        weights = self._weights(spec)
        floor = words.informative(self.totals[spec.kind])
        for row in self.store.read(spec.describe, ids=sorted(candidates), **spec.params):
            self.rows[row["id"]] = row
            self.names[row["id"]] = row["name"]
            candidates[row["id"]].coverage = words.coverage(weights, spec.words(row), floor)

    def _weights(self, spec: Spec) -> dict[str, float]:
        counted = (
            self.store.read("search/count_matches", index=spec.text_index, words=list(self.terms), limit=COUNT_LIMIT)
            if self.terms
            else []
        )
        return words.weights({row["word"]: row["documents"] for row in counted}, self.totals[spec.kind])

    def evidence(self, candidate: Candidate) -> Evidence:
        """What a hit shows of how it was found."""
        via = [
            Via(relation=BY_RELATION[relation], id=source, name=self.names.get(source, source), strength=strength)
            for source, (relation, strength) in sorted(
                candidate.related.items(), key=lambda item: (-item[1][1], item[0])
            )
        ]
        return Evidence(
            cosine=None if candidate.cosine is None else round(candidate.cosine, 4),
            text_score=None if candidate.text_score is None else round(candidate.text_score, 3),
            coverage=round(candidate.coverage, 3),
            relevance=round(candidate.relevance, 4),
            vector_rank=candidate.vector_rank,
            text_rank=candidate.text_rank,
            via=tuple(via[:3]),
            why=_why(candidate, via),
        )


def _why(candidate: Candidate, via: Sequence[Via]) -> str:
    parts = []
    if candidate.cosine is not None:
        parts.append(f"meaning {candidate.cosine:.2f} (#{candidate.vector_rank})")
    if candidate.text_score is not None:
        parts.append(f"words {candidate.coverage:.0%} (#{candidate.text_rank})")
    if via:
        parts.append(f"{via[0].relation} {via[0].name!r}")
    return ", ".join(parts)

"""One query on its way: candidates of both lists, the threshold, the graph around the hits, the fused answer."""

from collections.abc import Mapping, Sequence
from typing import Any

from kg.errors import InputError
from kg.results.search import CandidateRow, Neighbour, SearchState
from kg.search.describe import SPECS, Spec
from kg.search.rank import Candidate, fuse
from kg.search.results import Evidence, Hit, SearchKind, SearchResult, Via
from kg.search.terms import Coverage, informative, lucene_query, terms, weights
from kg.store import Transaction

__all__ = ["Engine"]

DEPTH = 40
"""Candidates taken from each list."""
TEXT_FETCH = 400
"""Full-text matches looked through to find DEPTH that are not merely cited papers."""
CHARACTERS = 20_000
"""Of a section's text, in which words are looked for."""
COUNT_LIMIT = 300
"""A word found in so many nodes is common; how many more doesn't matter."""
SOURCES = 10
"""Best hits whose neighbours are looked at."""
NEEDED = {"part and whole": 1.0, "implemented by": 0.6, "likely implements": 0.3, "only a candidate for": 0.6}
"""Share of the threshold that a node must reach by itself to be brought up by a relation. Code that a technique asked
for is implemented by, and the same concept elsewhere, need nothing; code that happens to match says little of the
technique it implements.
"""


class Engine:
    """One search in one read transaction; see kg.search.search for the parameters."""

    def __init__(
        self,
        transaction: Transaction,
        model_id: str,
        kind: SearchKind,
        query: str,
        vector: list[float],
        *,
        threshold: float,
    ) -> None:
        self._transaction = transaction
        self._model_id, self._query, self._vector, self._threshold = model_id, query, vector, threshold
        self._spec = SPECS[kind]
        self._evidence_spec = SPECS["code" if kind == "techniques" else "techniques"]
        self._totals: dict[str, int] = {}
        self._coverage: dict[SearchKind, Coverage] = {}
        self._names: dict[str, str] = {}

    def result(self, limit: int) -> SearchResult:
        """The answer with at most `limit` hits."""
        self._read_state()
        found = self._direct(self._spec)
        sources = self._widen(found)
        fused = fuse(found.values(), sources)[:limit]
        return SearchResult(
            kind=self._spec.kind,
            query=self._query,
            model_id=self._model_id,
            threshold=self._threshold,
            searched=self._totals[self._spec.kind],
            hits=tuple(self._hits(fused)),
        )

    def _read_state(self) -> None:
        """Check the model; learn how much there is and how common the query's words are."""
        specs = (self._spec, self._evidence_spec)
        (state,) = self._transaction.rows(
            SearchState,
            indexes=[spec.text_index for spec in specs],
            words=list(terms(self._query)),
            limit=COUNT_LIMIT,
        )
        if state.model_id not in (None, self._model_id):
            raise InputError(
                f"this graph's vectors are of the model {state.model_id}, not of {self._model_id}",
                remedy="set embedding_model to the graph's model, or use another graph (XKG_HOME)",
            )
        self._totals = state.totals
        for spec in specs:
            total = self._totals[spec.kind]
            frequencies = {f.word: f.documents for f in state.frequencies if f.index == spec.text_index}
            self._coverage[spec.kind] = Coverage(weights(frequencies, total), informative(total))

    def _direct(self, spec: Spec) -> dict[str, Candidate]:
        """What vector and words find, as far as it is relevant."""
        rows = self._transaction.rows(
            CandidateRow,
            vector_index=spec.vector_index,
            text_index=spec.text_index,
            vector=self._vector,
            query=lucene_query(self._query),
            depth=DEPTH,
            fetch=TEXT_FETCH,
            characters=CHARACTERS,
        )
        candidates = [self._candidate(spec, row, row.score) for row in rows]
        return {c.id: c for c in candidates if c.relevance >= self._threshold}

    def _candidate(self, spec: Spec, row: CandidateRow | Neighbour, text_score: float | None = None) -> Candidate:
        self._names[row.id] = row.name
        covered = self._coverage[spec.kind].of("\n".join(row.texts))
        return Candidate(row.id, cosine=row.cosine, text_score=text_score, coverage=covered)

    def _widen(self, found: dict[str, Candidate]) -> dict[str, int]:
        """Look along the graph from the best hits; adds to `found`. Returns the rank of each hit looked from."""
        others = _best(self._direct(self._evidence_spec))
        if self._spec.kind == "techniques":
            mine = _best(found)
            params: dict[str, Any] = {"techniques": list(mine), "code": list(others)}
            sources = {**mine, **others}
        else:
            params, sources = {"techniques": list(others)}, others
        if self._spec.kind == "sections":
            params["characters"] = CHARACTERS
        if not sources:
            return sources
        for row in self._transaction.rows(self._spec.related, vector=self._vector, **params):
            candidate = found.get(row.id) or self._candidate(self._spec, row)
            if candidate.relevance >= self._threshold * NEEDED.get(row.relation, 0.0):
                candidate.related[row.source] = (row.relation, row.strength)
                found[candidate.id] = candidate
        return sources

    def _hits(self, fused: Sequence[tuple[float, Candidate]]) -> list[Any]:
        ids = [candidate.id for _, candidate in fused]
        rows = {row.id: row for row in self._transaction.rows(self._spec.described, ids=ids)} if ids else {}
        hits: list[Hit] = []
        for score, candidate in fused:
            row, evidence = rows[candidate.id], self._evidence(candidate)
            hits.append(self._spec.make_hit(row, rank=len(hits) + 1, score=round(score, 6), evidence=evidence))
        return hits

    def _evidence(self, candidate: Candidate) -> Evidence:
        related = sorted(candidate.related.items(), key=lambda item: (-item[1][1], item[0]))
        via = tuple(
            Via(relation=relation, id=source, name=self._names.get(source, source), strength=strength)
            for source, (relation, strength) in related[:3]
        )
        return Evidence(
            cosine=None if candidate.cosine is None else round(candidate.cosine, 4),
            text_score=None if candidate.text_score is None else round(candidate.text_score, 3),
            coverage=round(candidate.coverage, 3),
            relevance=round(candidate.relevance, 4),
            vector_rank=candidate.vector_rank,
            text_rank=candidate.text_rank,
            via=via,
            why=_why(candidate, via),
        )


def _best(found: Mapping[str, Candidate]) -> dict[str, int]:
    fused = fuse(found.values(), {})[:SOURCES]
    return {candidate.id: rank for rank, (_, candidate) in enumerate(fused, 1)}


def _why(candidate: Candidate, via: Sequence[Via]) -> str:
    parts = []
    if candidate.cosine is not None:
        parts.append(f"meaning {candidate.cosine:.2f} (#{candidate.vector_rank})")
    if candidate.text_score is not None:
        parts.append(f"words {candidate.coverage:.0%} (#{candidate.text_rank})")
    if via:
        parts.append(f"{via[0].relation} {via[0].name!r}")
    return ", ".join(parts)

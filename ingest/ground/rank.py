"""From evidence to a ranking: a plain sum, and the corrections that a reader of the code would make."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ingest.ground.features import FEATURES, Embeds, Evidence, gather
from ingest.ground.index import CodeIndex
from ingest.ground.priors import STEP
from ingest.ground.query import Query

__all__ = ["Ranking", "combine", "rank"]

Floats = NDArray[np.float64]

ROUNDS = 5
SHARPNESS = 12.0


def exclusivity(scores: Floats) -> Floats:
    """How far each unit belongs to each query rather than to its siblings: a softened assignment, in [0, 1]."""
    top = np.maximum(scores.max(axis=1, keepdims=True), 1e-9)
    k = np.exp(SHARPNESS * (scores / top - 1))
    for _ in range(ROUNDS):
        k /= np.maximum(k.sum(axis=1, keepdims=True), 1e-12)
        k /= np.maximum(k.sum(axis=0, keepdims=True), 0.2)
    result: Floats = k / np.maximum(k.max(axis=1, keepdims=True), 1e-12)
    return result


def best_caller(scores: Floats, calls: NDArray[np.int64]) -> Floats:
    """For each query and unit the best score among the units that call it; `calls` are pairs (caller, callee)."""
    result = np.zeros_like(scores)
    for caller, callee in calls:
        np.maximum(result[:, callee], scores[:, caller], out=result[:, callee])
    return result


class Ranking:
    """`scores[q, u]` of every unit for every query, and the evidence behind them: `layers[f, q, u]` as measured.

    Queries are those of `queries`, units those of ``index.units``, features those of `FEATURES`.
    """

    def __init__(self, index: CodeIndex, queries: Sequence[Query], scores: Floats, layers: Floats) -> None:
        self.index, self.queries, self.scores, self.layers = index, tuple(queries), scores, layers

    def order(self, query: int, count: int) -> list[int]:
        """The best `count` rows for a query; a unit inside a unit that is already listed is skipped."""
        chosen: list[int] = []
        for row in np.argsort(-self.scores[query], kind="stable"):
            if len(chosen) == count:
                break
            if not any(a in chosen for a in self.index.ancestors[row]):
                chosen.append(int(row))
        return chosen

    def runner_up(self, query: int, top: int) -> int | None:
        """The best row that is neither `top`, nor inside or around it."""
        for row in np.argsort(-self.scores[query], kind="stable"):
            if row != top and top not in self.index.ancestors[row] and row not in self.index.ancestors[top]:
                return int(row)
        return None

    def why(self, query: int, row: int) -> dict[str, float]:
        """Each feature's share of a unit's score for a query, between 0 and 1, features of no weight left out."""
        top = self.layers[:, query].max(axis=1)
        shares = np.divide(self.layers[:, query, row], top, out=np.zeros_like(top), where=top > 1e-9)
        total = float(shares.sum()) or 1.0
        return {name: round(float(s) / total, 4) for name, s in zip(FEATURES, shares, strict=True) if s > 0.005}


def rank(index: CodeIndex, queries: Sequence[Query], paper: str, embedder: Embeds) -> Ranking:
    """Rank all units of `index` for each of `queries`, which compete with one another. Deterministic.

    `paper` is the paper's LaTeX: its acronyms and its vocabulary help to tell the code's abbreviations.
    """
    if not index.units or not queries:
        empty = np.zeros((len(queries), len(index.units)))
        return Ranking(index, queries, empty, np.zeros((len(FEATURES), *empty.shape)))
    evidence = gather(index, queries, paper, embedder)
    return Ranking(index, queries, combine(evidence, index), evidence.layers)


def combine(evidence: Evidence, index: CodeIndex) -> Floats:
    """Scores[q, u]: the sum of the evidence's shares, corrected."""
    base: Floats = evidence.shares().sum(axis=0) - index.penalties
    top = np.maximum(base.max(axis=1, keepdims=True), 1e-9)
    corrected: Floats = base + STEP * exclusivity(base) + STEP * best_caller(base, index.calls) / top
    return corrected

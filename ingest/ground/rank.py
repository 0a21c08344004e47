"""From evidence to a ranking: a plain sum, and the corrections that a reader of the code would make."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ingest.ground.features import FEATURES, Embeds, Evidence, gather
from ingest.ground.index import CodeIndex
from ingest.ground.priors import STEP
from ingest.ground.query import Query

__all__ = ["MAX_SCORE", "Ranking", "combine", "rank"]

Floats = NDArray[np.float64]

WEIGHTS = np.array([0.5 if name in ("says", "context") else 1.0 for name in FEATURES])
"""`says` and `context` read the same view of a unit, which counts once."""
SAME_NAME = 2.0
NAME_POWER = 3
"""A name counts when it is nearly the same; half of one says nothing that the words have not said."""
MAX_SCORE = float(WEIGHTS.sum()) + SAME_NAME + 2 * STEP
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
    """`scores[q, u]` of every unit for every query, and the evidence behind them: `layers[f, q, u]`, `same_name[q, u]`.

    Queries are those of `queries`, units those of ``index.units``, features those of `FEATURES`.
    """

    def __init__(self, index: CodeIndex, queries: Sequence[Query], scores: Floats, evidence: Evidence) -> None:
        self.index, self.queries, self.scores = index, tuple(queries), scores
        self.layers, self.same_name = evidence.layers, evidence.same_name

    def order(self, query: int, count: int) -> list[int]:
        """The best `count` rows for a query; a unit inside a unit that is already listed is skipped."""
        chosen: list[int] = []
        for row in np.argsort(-self.scores[query], kind="stable"):
            if len(chosen) == count:
                break
            if not any(a in chosen for a in self.index.ancestors[row]):
                chosen.append(int(row))
        return chosen

    def why(self, query: int, row: int) -> dict[str, float]:
        """Each feature's share of what speaks for a unit, together 1; those under half a percent are left out."""
        top = self.layers[:, query].max(axis=1)
        given = WEIGHTS * np.divide(self.layers[:, query, row], top, out=np.zeros_like(top), where=top > 1e-9)
        parts = dict(zip(FEATURES, given, strict=True))
        parts["same_name"] = SAME_NAME * self.same_name[query, row] ** NAME_POWER
        total = sum(parts.values()) or 1.0
        return {name: round(float(part / total), 4) for name, part in parts.items() if part > 0.005 * total}


def rank(index: CodeIndex, queries: Sequence[Query], paper: str, embedder: Embeds) -> Ranking:
    """Rank all units of `index` for each of `queries`, which compete with one another. Deterministic.

    `paper` is the paper's readable text: its vocabulary helps to tell the code's abbreviations.
    """
    if not index.units or not queries:
        empty = np.zeros((len(queries), len(index.units)))
        nothing = Evidence(np.zeros((len(FEATURES), *empty.shape)), empty, np.arange(0))
        return Ranking(index, queries, empty, nothing)
    evidence = gather(index, queries, paper, embedder)
    return Ranking(index, queries, combine(evidence, index), evidence)


def combine(evidence: Evidence, index: CodeIndex) -> Floats:
    """scores[q, u]: the weighted sum of the evidence's shares, corrected; `MAX_SCORE` is the most there can be."""
    base: Floats = np.tensordot(WEIGHTS, evidence.shares(), axes=1) - index.penalties
    base += SAME_NAME * evidence.same_name**NAME_POWER
    top = np.maximum(base.max(axis=1, keepdims=True), 1e-9)
    corrected: Floats = base + STEP * exclusivity(base) + STEP * best_caller(base, index.calls) / top
    return corrected

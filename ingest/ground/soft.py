"""Soft word matches: a query word may be answered by a code word that means nearly the same, by their word vectors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingest.ground.fields import FIELDS, UnitFields

__all__ = ["SoftIndex", "similar_words"]

FACTORS = {"name": 1.0, "parent": 0.9, "path": 0.9, "doc": 0.8, "comments": 0.8, "identifiers": 0.65, "calls": 0.65}
FLOOR = 0.45
"""Cosine below which two words have nothing in common; similarity is (cos − FLOOR)/(1 − FLOOR)."""
NEIGHBOURS = 25

Floats = NDArray[np.float64]


def similar_words(query: NDArray[np.float32], code: NDArray[np.float32]) -> NDArray[np.float32]:
    """Similarities, query words × code words, with all but the best `NEIGHBOURS` of each row set to 0."""
    if not query.size or not code.size:
        return np.zeros((query.shape[0], code.shape[0]), np.float32)
    similarity = np.maximum(0.0, (query @ code.T - FLOOR) / (1 - FLOOR))
    if similarity.shape[1] > NEIGHBOURS:
        cut = np.partition(similarity, -NEIGHBOURS, axis=1)[:, -NEIGHBOURS][:, None]
        similarity = np.where(similarity >= cut, similarity, 0.0)
    kept: NDArray[np.float32] = similarity.astype(np.float32)
    return kept


@dataclass(frozen=True)
class Match:
    """How well each unit answers one query word: rows of the units that do, and how well (0–1)."""

    rows: NDArray[np.int64]
    values: Floats
    idf: float


class SoftIndex:
    """Where each code word stands, by the best of its fields. `vocabulary` maps stems to a word as written."""

    def __init__(self, units: Sequence[UnitFields]) -> None:
        self.n = len(units)
        best: dict[str, dict[int, float]] = {}
        self.vocabulary: dict[str, str] = {}
        for row, unit in enumerate(units):
            for name in FIELDS:
                factor = FACTORS.get(name)
                if factor is None:
                    continue
                for term in unit.counts[name]:
                    entry = best.setdefault(term, {})
                    if factor > entry.get(row, 0.0):
                        entry[row] = factor
                    self.vocabulary.setdefault(term, unit.surface[term])
        self.terms = tuple(self.vocabulary)
        self.rows = {t: np.fromiter(p, np.int64, len(p)) for t, p in best.items()}
        self.factors = {t: np.fromiter(p.values(), float, len(p)) for t, p in best.items()}

    def match(self, similarity: NDArray[np.float32]) -> Match:
        """The units' answers to one query word, given its similarity to each of `terms`."""
        answer = np.zeros(self.n)
        for column in np.flatnonzero(similarity):
            term = self.terms[column]
            np.maximum.at(answer, self.rows[term], self.factors[term] * similarity[column])
        rows = np.flatnonzero(answer)
        values = answer[rows]
        df = float(values.sum())
        return Match(rows, values, float(np.log1p((self.n - df + 0.5) / (df + 0.5))))

    def score(self, query: Mapping[str, float], matches: Mapping[str, Match]) -> Floats:
        """Score of every unit for weighted query words: the idf-weighted mean of its answers, between 0 and 1."""
        total = np.zeros(self.n)
        bound = 0.0
        for term, weight in query.items():
            if term in matches:
                match = matches[term]
                total[match.rows] += weight * match.idf * match.values
                bound += weight * match.idf
        return total / bound if bound else total

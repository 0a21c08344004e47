"""BM25 over weighted fields (Robertson, Zaragoza and Taylor, CIKM 2004), with the score divided by its upper bound."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ingest.ground.fields import FIELDS, UnitFields

__all__ = ["FieldIndex"]

WEIGHTS = {
    "name": 5.0,
    "parent": 2.0,
    "path": 2.0,
    "doc": 2.0,
    "comments": 1.5,
    "identifiers": 1.0,
    "calls": 1.0,
    "strings": 0.5,
}
SHORT = {"name", "parent", "path"}
K1 = 1.5

Floats = NDArray[np.float64]


class FieldIndex:
    """Postings of all units. `idf` holds ln(1 + (n − df + ½)/(df + ½)) of each stem, `n` the number of units."""

    def __init__(self, units: Sequence[UnitFields]) -> None:
        self.n = len(units)
        lengths = np.array([[sum(u.counts[f].values()) for f in FIELDS] for u in units], dtype=float).reshape(
            -1, len(FIELDS)
        )
        average = np.maximum(lengths.mean(axis=0), 1e-9) if self.n else np.ones(len(FIELDS))
        postings: dict[str, dict[int, float]] = {}
        for row, unit in enumerate(units):
            for column, name in enumerate(FIELDS):
                b = 0.2 if name in SHORT else 0.75
                norm = WEIGHTS[name] / (1 - b + b * lengths[row, column] / average[column])
                for term, count in unit.counts[name].items():
                    entry = postings.setdefault(term, {})
                    entry[row] = entry.get(row, 0.0) + norm * count
        self.rows: dict[str, NDArray[np.int64]] = {t: np.fromiter(p, np.int64, len(p)) for t, p in postings.items()}
        self.weights: dict[str, Floats] = {t: np.fromiter(p.values(), float, len(p)) for t, p in postings.items()}
        self.idf = {t: float(np.log1p((self.n - len(p) + 0.5) / (len(p) + 0.5))) for t, p in postings.items()}
        self.unseen_idf = float(np.log1p((self.n + 0.5) / 0.5))

    def score(self, query: Mapping[str, float]) -> Floats:
        """Score of every unit for weighted stems, between 0 and 1: 1 would be every term without end in a unit.

        Words that the code nowhere uses count in the bound, so that a query foreign to the code scores low.
        """
        total = np.zeros(self.n)
        bound = 0.0
        for term, weight in query.items():
            bound += weight * self.idf.get(term, self.unseen_idf) * (K1 + 1)
            if term in self.rows:
                t = self.weights[term]
                total[self.rows[term]] += weight * self.idf[term] * t * (K1 + 1) / (K1 + t)
        return total / bound if bound else total

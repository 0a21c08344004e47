"""What tells a right first unit from a wrong one: a few numbers for each query, comparable across papers."""

import numpy as np
from numpy.typing import NDArray

from ingest.ground.rank import Ranking
from ingest.ground.words import words

__all__ = ["SIGNALS", "signals"]

SIGNALS = (
    "score",  # of the first unit, as a share of the greatest possible sum
    "margin",  # to the best unit that is neither inside nor around the first
    "agreement",  # share of the features that have the first unit among their three best
    "phrase",  # how much of the phrase's weight the unit's words answer
    "near",  # the same by similar words
    "says",  # cosine of the phrase and the unit's documentation
    "made_of",  # cosine of the phrase and the unit's comments and identifiers
    "letters",  # likeness of the names
    "standing",  # the score against those of the paper's other techniques, in standard deviations
    "rival",  # how strongly another technique wants the same unit
    "unknown",  # share of the phrase's words that the code nowhere uses
)
"""Names of the columns of `signals`."""

Floats = NDArray[np.float64]


def signals(ranking: Ranking) -> Floats:
    """One row of `SIGNALS` for each query; zeros where there is no unit at all."""
    count = len(ranking.queries)
    table = np.zeros((count, len(SIGNALS)))
    if not ranking.index.units:
        return table
    scores, raw = ranking.scores, ranking.layers
    best = scores.max(axis=1)
    spread = float(best.std()) or 1.0
    relative = scores / np.maximum(best[:, None], 1e-9)
    for q, query in enumerate(ranking.queries):
        top = ranking.order(q, 1)[0]
        second = ranking.runner_up(q, top)
        ranks = (raw[:, q] > raw[:, q, top][:, None] + 1e-9).sum(axis=1)
        own = set(words(query.phrase))
        rivals = np.delete(relative[:, top], q)
        table[q] = (
            best[q] / raw.shape[0],
            (best[q] - (scores[q, second] if second is not None else 0.0)) / raw.shape[0],
            float(np.mean(ranks < 3)),
            raw[0, q, top],
            raw[3, q, top],
            raw[5, q, top],
            raw[6, q, top],
            raw[8, q, top],
            (best[q] - best.mean()) / spread,
            rivals.max() if rivals.size else 0.0,
            float(np.mean([w not in ranking.index.terms for w in own])) if own else 1.0,
        )
    return table

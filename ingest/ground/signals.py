"""What tells a right first unit from a wrong one: a few numbers for each query, comparable across papers."""

import numpy as np
from numpy.typing import NDArray

from ingest.ground.features import FEATURES
from ingest.ground.rank import MAX_SCORE, Ranking

__all__ = ["ASSERTING", "SIGNALS", "rivals", "signals"]

FIRST = 3
NEARLY = 0.85
LOOKED_AT = 12

SIGNALS = (
    "score",  # of the first unit, as a share of the greatest possible one
    "agreement",  # share of the features that have the first unit among their three best
    "standing",  # the score against those of the paper's other techniques, in standard deviations
    "phrase",  # how much of the name's weight the unit's words answer
    "sentence",  # the same for the sentence that says it best
    "window",  # the same for the text around
    "made_of",  # cosine of the name and the unit's comments and identifiers
    "same_name",  # likeness of the names
    "close",  # how many unrelated units score nearly as much
    "doubt",  # what speaks against the unit whatever is asked
    "nearest_made_of",  # the best "made_of" of any unit: how near anything in the code comes
    "nearest_context",  # the best cosine of any unit's name and documentation with the name and the text around
)
"""Names of the columns of `signals`."""
ASSERTING = SIGNALS[:-2]
"""Those that tell what may be asserted; how near anything comes tells the many middling units apart, not the best."""

Floats = NDArray[np.float64]


def signals(ranking: Ranking) -> Floats:
    """One row of `SIGNALS` for each query; zeros where there is no unit at all."""
    count = len(ranking.queries)
    table = np.zeros((count, len(SIGNALS)))
    if not (count and ranking.index.units):
        return table
    best = ranking.scores.max(axis=1)
    spread = float(best.std()) or 1.0
    for q in range(count):
        top = ranking.order(q, 1)[0]
        layers = ranking.layers[:, q]
        ranks = (layers > layers[:, top][:, None] + 1e-9).sum(axis=1)
        seen = dict(zip(FEATURES, layers[:, top], strict=True))
        table[q] = (
            best[q] / MAX_SCORE,
            float(np.mean(ranks < FIRST)),
            (best[q] - best.mean()) / spread,
            *(seen[name] for name in ("phrase", "sentence", "window", "made_of")),
            ranking.same_name[q, top],
            len(rivals(ranking, q, top)),
            ranking.index.penalties[top],
            *(layers[FEATURES.index(name)].max() for name in ("made_of", "context")),
        )
    return table


def rivals(ranking: Ranking, query: int, top: int) -> list[int]:
    """Rows, best first, that score nearly as much as `top` and are neither inside nor around it."""
    scores, around = ranking.scores[query], ranking.index.ancestors
    order = np.argsort(-scores, kind="stable")[:LOOKED_AT]
    return [
        int(row)
        for row in order
        if row != top and top not in around[row] and row not in around[top] and scores[row] > NEARLY * scores[top]
    ]

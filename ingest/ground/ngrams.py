"""Likeness of names by their letters: tf-idf cosine over character n-grams."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ingest.ground.words import char_ngrams

__all__ = ["NgramIndex"]


def _grams(words: Iterable[str]) -> Counter[str]:
    return Counter(gram for word in words for gram in char_ngrams(word))


class NgramIndex:
    """The n-grams of each unit's parent and name."""

    def __init__(self, names: Sequence[Sequence[str]]) -> None:
        self.n = len(names)
        postings: dict[str, dict[int, float]] = {}
        for row, words in enumerate(names):
            for gram, count in _grams(words).items():
                postings.setdefault(gram, {})[row] = 1 + float(np.log(count))
        self.rows = {g: np.fromiter(p, np.int64, len(p)) for g, p in postings.items()}
        self.weights: dict[str, NDArray[np.float64]] = {}
        self.idf = {g: float(np.log((1 + self.n) / (1 + len(p))) + 1) for g, p in postings.items()}
        squares = np.zeros(self.n)
        for gram, posting in postings.items():
            weights = np.fromiter(posting.values(), float, len(posting)) * self.idf[gram]
            self.weights[gram] = weights
            squares[self.rows[gram]] += weights**2
        self.norms = np.sqrt(np.maximum(squares, 1e-12))

    def score(self, words: Iterable[str]) -> NDArray[np.float64]:
        """Cosine of every unit's name with `words`."""
        total = np.zeros(self.n)
        length = 0.0
        for gram, count in _grams(words).items():
            idf = self.idf.get(gram, float(np.log(1 + self.n) + 1))
            weight = (1 + float(np.log(count))) * idf
            length += weight**2
            if gram in self.rows:
                total[self.rows[gram]] += weight * self.weights[gram]
        return total / (self.norms * np.sqrt(length)) if length else total

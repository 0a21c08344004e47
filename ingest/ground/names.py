"""Whether a unit is simply called what the paper calls the technique."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ingest.ground.words import STOPWORDS, split_identifier, words
from kg.models.code import CodeUnit
from kg.words import stem

__all__ = ["NameIndex", "same_words"]

_GENERIC = frozenset({"forward", "__call__", "__init__", "<module>", "operator()"})
PREFIX = 4
LONG_PREFIX = 5
FEWEST = 2


def same_words(phrase: str, unit: CodeUnit) -> bool:
    """Whether `phrase` and the unit's name are the same words in any order, two at least, none over on either side.

    Single letters count here ("Q-digest" is not "TDigest"); words are the same if their stems are, or their first five
    letters (selection, Selector). One word alone ("mutation") says too little to be called the same name.
    """
    asked = {stem(word) for word in _phrase_words(phrase)}
    named = {stem(word) for word in split_identifier(_telling_name(unit)) if word not in STOPWORDS}
    if not FEWEST <= len(asked) == len(named):
        return False
    return all(any(_same(word, part) for part in named) for word in asked) and all(
        any(_same(word, part) for word in asked) for part in named
    )


def _phrase_words(text: str) -> list[str]:
    """The words of a phrase, identifiers in it split, without stopwords; single letters are kept."""
    return [part for token in text.split() for part in split_identifier(token) if part not in STOPWORDS]


def _same(word: str, part: str) -> bool:
    return word == part or (min(len(word), len(part)) >= LONG_PREFIX and word[:LONG_PREFIX] == part[:LONG_PREFIX])


def _telling_name(unit: CodeUnit) -> str:
    parts = unit.symbol.split(".")
    return parts[-2] if parts[-1] in _GENERIC and len(parts) > 1 else parts[-1]


def _name_words(unit: CodeUnit) -> frozenset[str]:
    return frozenset(stem(w) for w in split_identifier(_telling_name(unit)) if len(w) > 1 and w not in STOPWORDS)


def _alike(word: str, part: str) -> bool:
    """The same stem, the same first letters, or `part` a beginning of `word` (Rational → rat)."""
    return (
        word == part
        or (len(part) >= 3 and word.startswith(part))
        or (len(word) >= PREFIX and len(part) >= PREFIX and word[:PREFIX] == part[:PREFIX])
    )


class NameIndex:
    """The words of each unit's name; `idf` weighs words by how rare they are in the code, `unseen` those it lacks."""

    def __init__(self, units: Sequence[CodeUnit], idf: Mapping[str, float], unseen: float) -> None:
        self.names = [_name_words(unit) for unit in units]
        self.idf, self.unseen = idf, unseen
        self._rows: dict[str, list[int]] = {}
        for row, name in enumerate(self.names):
            for part in name:
                self._rows.setdefault(part, []).append(row)

    def _weight(self, terms: Iterable[str]) -> float:
        return sum(self.idf.get(term, self.unseen) for term in terms)

    def likeness(self, phrase: str) -> NDArray[np.float64]:
        """For each unit the F1 of its name's words and those of `phrase`, weighted by rarity: 1 is the same name."""
        result = np.zeros(len(self.names))
        asked = sorted(set(words(phrase)))
        total = self._weight(asked)
        answers = {part: [w for w in asked if _alike(w, part)] for part in self._rows}
        rows = {row for part, found in answers.items() if found for row in self._rows[part]}
        for row in rows:
            hit = [part for part in self.names[row] if answers[part]]
            precision = self._weight(sorted(hit)) / self._weight(sorted(self.names[row]))
            recall = self._weight(sorted({w for part in hit for w in answers[part]})) / total
            result[row] = 2 * precision * recall / (precision + recall)
        return result

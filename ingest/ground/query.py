"""What is asked of the code: a technique's name, the sentence that says it best, and the text around it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ingest.ground.words import sentences, spelled, words

__all__ = ["Query", "best_sentence", "query_from_text", "weighted"]

MAX_SENTENCE = 600
MAX_WINDOW = 1_500


@dataclass(frozen=True)
class Query:
    """One technique as asked: `phrase` (name), `aliases`, `sentence` (±1 around the best one) and `window`, plain text.

    `id` is handed back with the result.
    """

    id: str
    phrase: str
    sentence: str = ""
    window: str = ""
    aliases: tuple[str, ...] = ()


def weighted(text: str) -> dict[str, float]:
    """Stems of `text` with the weight √min(tf, 3)."""
    return {term: float(np.sqrt(min(count, 3))) for term, count in Counter(words(text)).items()}


def best_sentence(phrase: str, text: str) -> str:
    """The sentence of `text` that shares most words with `phrase` for its length, with its neighbours, cut at 600."""
    parts = sentences(text)
    if not parts:
        return ""
    wanted = set(words(phrase))
    scores = []
    for part in parts:
        found = words(part)
        scores.append(len(wanted & set(found)) / np.sqrt(len(found) + 12))
    best = int(np.argmax(scores))
    around: Sequence[str] = parts[max(0, best - 1) : best + 2]
    joined = " ".join(around)
    return (joined if len(joined) <= MAX_SENTENCE else parts[best])[:MAX_SENTENCE]


def query_from_text(id: str, phrase: str, text: str, aliases: tuple[str, ...] = ()) -> Query:
    """A query from a phrase and what the paper says there (`Reading.text`)."""
    text = spelled(text)
    return Query(id, phrase, best_sentence(phrase, text), text[:MAX_WINDOW], aliases)

"""A query's words: which ones carry meaning, how Lucene is asked for them, and how much of them a text holds."""

import math
import re
from collections.abc import Mapping
from functools import cache

import snowballstemmer

__all__ = ["coverage", "informative", "lucene_query", "stems", "terms", "weights"]

MAX_TERMS = 48
"""Distinct words of one query that are looked up; a pasted abstract has more, and nothing is gained from them."""

WORD = re.compile(r"[^\W_]+")
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

EMPTY_WORDS = frozenset(
    WORD.findall("""
    a about above after again all also an and any are as at be because been before being between both but by can could
    did do does doing for from further had has have having he her here his how i if in into is it its itself just
    let like me more most my no nor not of off on once one only or other our out over own same she should so some such
    than that the their them then there these they this those through to too two under until up upon us use used
    uses using very via want was we were what when where which while who whom why will with without would you your
    algorithm approach based code find give implementation implement implemented implementing make method methods
    model models need new paper papers show technique techniques technology way ways work works
    """)
)
"""Words that say nothing of a query's subject: English function words, and what every paper is full of."""


@cache
def _stemmer() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")


def _words(text: str) -> list[str]:
    """Lower-case words; identifiers are taken apart (softmax_entropy, MergingDigest)."""
    return [word.lower() for word in WORD.findall(HUMP.sub(" ", text))]


def stems(text: str) -> set[str]:
    """The stems of all words of `text`, of identifiers both whole and in parts."""
    whole = {word.lower() for word in WORD.findall(text)}
    return set(_stemmer().stemWords(sorted(whole | set(_words(text)))))


def terms(query: str) -> tuple[str, ...]:
    """The words of a query that say what it is about, in order, each once; none for "a method for the"."""
    seen = dict.fromkeys(word for word in _words(query) if word not in EMPTY_WORDS)
    return tuple(seen)[:MAX_TERMS]


def lucene_query(query: str) -> str:
    """A Lucene query for any word of `query` that carries meaning, and for its identifiers as they are written.

    Each is quoted, so that no character and no AND, OR or NOT of it is syntax. Empty if no word carries meaning.
    """
    found = list(terms(query))
    if found:
        found += [raw for raw in query.split() if len(_words(raw)) > 1][:MAX_TERMS]
    return " ".join('"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"' for word in dict.fromkeys(found))


def weights(frequencies: Mapping[str, int], total: int) -> dict[str, float]:
    """How much each word tells, by its number of documents among `total`: BM25's inverse document frequency."""
    return {word: math.log(1 + (total - min(n, total) + 0.5) / (n + 0.5)) for word, n in frequencies.items()}


def informative(total: int) -> float:
    """The weight that a query's words must have together to say much: half of what a word found nowhere has."""
    return math.log(1 + (total + 0.5) / 0.5) / 2


def coverage(weight: Mapping[str, float], text: str, floor: float) -> float:
    """The share, 0 to 1, of a query's weight whose words occur in `text` in some form; 0 for a query without words.

    Weights that come to less than `floor` together are shares of `floor`: common words alone never cover much.
    """
    total = max(sum(weight.values()), floor)
    if not weight or not total:
        return 0.0
    have = stems(text)
    stem = _stemmer().stemWord
    return sum(value for word, value in weight.items() if stem(word) in have) / total

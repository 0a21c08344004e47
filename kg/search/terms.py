"""A query's words: which ones carry meaning, how Lucene is asked for them, and how much of them a text holds."""

import math
import re
from collections.abc import Iterable, Mapping

from kg.words import HUMP, is_acronym, name_key, name_words, stem, words

__all__ = ["Coverage", "Naming", "informative", "lucene_query", "name_query", "terms", "weights"]

MAX_TERMS = 48
"""Distinct words of one query that are looked up; a pasted abstract has more, and nothing is gained from them."""

SAME_BEGINNING = 3
"""Letters that a word and its other forms share, so that few words of a text need stemming."""

NAME_FIELDS = ("name", "aliases", "symbol", "title")
PARENTHESES = re.compile(r"\(([^()]*)\)")

EMPTY_WORDS = frozenset(
    words("""
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


def terms(query: str) -> tuple[str, ...]:
    """The words of a query that say what it is about, in order, each once; none for "a method for the"."""
    seen = dict.fromkeys(word for word in words(query) if word not in EMPTY_WORDS)
    return tuple(seen)[:MAX_TERMS]


def lucene_query(query: str) -> str:
    """A Lucene query for any word of `query` that carries meaning, and for its identifiers as they are written.

    Each is quoted, so that no character and no AND, OR or NOT of it is syntax. Empty if no word carries meaning.
    """
    found = list(terms(query))
    if found:
        found += [raw for raw in query.split() if len(words(raw)) > 1][:MAX_TERMS]
    return " ".join('"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"' for word in dict.fromkeys(found))


def name_query(query: str) -> str:
    """A Lucene query for nodes that are called what `query` says, each word quoted, whatever else their text holds."""
    said = " ".join(words(query)[:MAX_TERMS])
    return " ".join(f'{field}:"{said}"' for field in NAME_FIELDS) if said else ""


class Naming:
    """Whether a node is called what a query says: by its name, what its name has in parentheses, or an alias."""

    def __init__(self, query: str) -> None:
        self._keys = {name_key(query), name_key(" ".join(terms(query)))} - {""}
        self._beginnings = {key[0] for key in self._keys}
        self._stems = frozenset(map(stem, terms(query)))
        self.is_acronym = is_acronym(query.strip())

    def exact(self, name: str, aliases: Iterable[str] = ()) -> bool:
        """Whether one of its names is the query, however it is written."""
        inside = PARENTHESES.findall(name)
        names = (name, PARENTHESES.sub(" ", name), *inside, *aliases, name.rpartition(".")[2])
        return any(name_key(one) in self._keys for one in names if self._may_be(one))

    def _may_be(self, name: str) -> bool:
        """Whether its beginning allows it, which is told without stems: most names are others."""
        said = "".join(name_words(name))
        return said[:1] in self._beginnings

    def whole(self, name: str, aliases: Iterable[str] = ()) -> bool:
        """Whether its names hold all words of the query."""
        return bool(self._stems) and self._stems <= {stem(word) for one in (name, *aliases) for word in words(one)}


def weights(frequencies: Mapping[str, int], total: int) -> dict[str, float]:
    """How much each word tells, by its number of documents among `total`: BM25's inverse document frequency."""
    return {word: math.log(1 + (total - min(n, total) + 0.5) / (n + 0.5)) for word, n in frequencies.items()}


def informative(total: int) -> float:
    """The weight that a query's words must have together to say much: half of what a word found nowhere has."""
    return math.log(1 + (total + 0.5) / 0.5) / 2


class Coverage:
    """How much of a query's weight a text holds: words count in any form, and as parts of identifiers.

    `weight` is that of each word. Weights that come to less than `floor` together are shares of `floor`: common words
    alone never cover much.
    """

    def __init__(self, weight: Mapping[str, float], floor: float) -> None:
        self._weight = {word: value for word, value in weight.items() if value > 0}
        self._total = max(sum(self._weight.values()), floor)
        beginnings = sorted({re.escape(word[:SAME_BEGINNING]) for word in self._weight})
        self._like = re.compile(rf"(?<![^\W_])(?:{'|'.join(beginnings)})[^\W_]*")

    def of(self, text: str) -> float:
        """The share, 0 to 1; 0 for a query without words."""
        if not self._weight or not self._total:
            return 0.0
        plain = text.lower()
        found = {stem(word) for word in self._like.findall(plain)}
        if HUMP.search(text):
            found |= {stem(word) for word in self._like.findall(HUMP.sub(" ", text).lower())}
        return sum(value for word, value in self._weight.items() if stem(word) in found) / self._total

"""Misspelled queries: for words that stand nowhere in the graph the nearest ones of its names."""

import re
from collections.abc import Sequence

from kg.results.search import SearchState, SpelledNames
from kg.search.describe import SPECS
from kg.search.terms import NAME_FIELDS, terms
from kg.store import Transaction
from kg.words import stem, words

__all__ = ["distance", "respelled"]

SHORTEST = 5
"""Letters of a word that may be misspelled: of shorter ones too many others differ in one."""
LONG = 8
"""Letters of a word in which two may be wrong."""
FORMS = 4
"""Letters that an ending may have: the index holds stems, of which a misspelled word has none."""
NAMES = 50
"""Names looked through for a word."""
VOWELS = re.compile("[aeiouy]")


def respelled(transaction: Transaction, state: SearchState, query: str) -> str:
    """`query` with each word that, by `state`, stands nowhere in the graph replaced by the nearest of a name, "" if
    there is none.

    One letter may be wrong, left out, added or changed places with the next, in long words two; of vowels alone twice
    as many, since those are heard least.
    """
    known = {count.word for count in state.frequencies if count.documents}
    asked = [word for word in terms(query) if len(word) >= SHORTEST and word.isalpha() and word not in known]
    indexes = [spec.text_index for spec in SPECS.values()]
    rows = [{"word": word, "query": _fuzzy(word)} for word in asked]
    found = transaction.rows(SpelledNames, indexes=indexes, rows=rows, limit=NAMES) if rows else []
    better = {row.word: nearest for row in found if (nearest := _nearest(row.word, row.names))}
    return " ".join(better.get(word, word) for word in words(query)) if better else ""


def _fuzzy(word: str) -> str:
    """Lucene's query for names with a word like `word`: all its characters are letters, so that none is syntax."""
    forms = {word, stem(word), *(word[: len(word) - cut] for cut in range(2, FORMS + 1))}
    near = " ".join(f"{form}~{2 if len(form) >= SHORTEST else 1}" for form in sorted(forms) if len(form) >= FORMS)
    return " ".join(f"{field}:({near})" for field in NAME_FIELDS)


def _nearest(word: str, names: Sequence[str]) -> str:
    allowed = 2 if len(word) >= LONG else 1
    told = {other for name in names for other in words(name) if abs(len(other) - len(word)) <= 2}
    near = ((_wrong(word, other), other[:1] != word[:1], other) for other in told)
    best = min((one for one in near if one[0] + one[1] <= allowed), default=None)
    return best[2] if best else ""


def _wrong(word: str, other: str) -> int:
    letters = distance(word, other)
    return (letters + 1) // 2 if VOWELS.sub("", word) == VOWELS.sub("", other) else letters


def distance(one: str, other: str) -> int:
    """How many letters are wrong, left out, added or exchanged with their neighbour (optimal string alignment)."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            least = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and b == one[i - 2]:
                least = min(least, before[j - 2] + 1)
            row.append(least)
        before, last = last, row
    return last[-1]

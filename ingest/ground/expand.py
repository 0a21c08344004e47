"""From the paper's words to the code's: initials, and abbreviations that only the code uses."""

import re
from collections.abc import Collection

from ingest.ground.words import surface_words
from kg.words import stem

__all__ = ["expand"]

OVERALL = 0.6
"""Weight of all expansions against the words of the phrase itself."""

_VOWELS = re.compile(r"[aeiou]")


def _subsequence(short: str, long: str) -> bool:
    letters = iter(long)
    return all(c in letters for c in short)


def _abbreviation(name: str, word: str, paper: Collection[str]) -> float:
    """How much `name` of the code looks like a short or changed form of `word`; 0 for a word that the paper uses."""
    if len(name) < 3 or name[0] != word[0] or name == word:
        return 0.0
    if len(name) < len(word) and stem(name) not in paper:
        if word.startswith(name):
            return 0.6
        if not _VOWELS.search(name[1:]) and _subsequence(name, word):
            return 0.4
    return 0.5 if len(name) >= 5 and len(word) >= 5 and name[:5] == word[:5] else 0.0


def expand(phrase: str, code: Collection[str], names: Collection[str], paper: Collection[str]) -> dict[str, float]:
    """Stems that the code may use for `phrase`, with weights; the phrase's own stems are not among them.

    `code` are all stems of the code, `names` the words of its names and identifiers as written in lower case, `paper`
    all stems of the paper.
    """
    surface = surface_words(phrase)
    stems = {stem(w) for w in surface}
    found: dict[str, float] = {}

    def add(term: str, weight: float) -> None:
        if weight and term not in stems:
            found[term] = max(found.get(term, 0.0), OVERALL * weight)

    for size in (2, 3, 4, 5):
        for start in range(len(surface) - size + 1):
            initials = "".join(w[0] for w in surface[start : start + size])
            if initials in names:
                add(stem(initials), 0.5 if size == 2 else 0.7)
    for word in surface:
        for name in names:
            add(stem(name), _abbreviation(name, word, paper))
    return {term: weight for term, weight in found.items() if term in code}

"""From the paper's words to the code's: acronyms both ways, initials, and abbreviations that only the code uses."""

import re
from collections.abc import Collection, Mapping

from ingest.ground.words import surface_words, words
from kg.words import stem

__all__ = ["acronyms", "expand"]

OVERALL = 0.6
"""Weight of all expansions against the words of the phrase itself."""

_BRACKETED = re.compile(r"\(([A-Z][A-Za-z\-]{1,9}?)s?\)")
_VOWELS = re.compile(r"[aeiou]")


def _fits(short: str, candidates: list[str]) -> int | None:
    """How many of the last words spell `short` by their initials (small words may be skipped), None if none do."""
    letters = [c for c in short.lower() if c.isalpha()]
    position = len(candidates)
    for letter in reversed(letters):
        skipped = 0
        position -= 1
        while position >= 0 and not candidates[position].lower().startswith(letter):
            skipped += 1
            position -= 1
            if skipped > 1:
                return None
        if position < 0:
            return None
    return len(candidates) - position


def acronyms(text: str) -> dict[str, str]:
    """The paper's own "Long Form (LF)" pairs, as LF (lower case) → long form, from its readable text."""
    found: dict[str, str] = {}
    for match in _BRACKETED.finditer(text):
        short = match.group(1)
        if sum(c.isupper() for c in short) < 2:
            continue
        before = re.findall(r"[A-Za-z]+", text[max(0, match.start() - 120) : match.start()])
        count = _fits(short, before[-(2 * len(short) + 2) :])
        if count is not None:
            found.setdefault(short.lower(), " ".join(before[-count:]))
    return found


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


def expand(
    phrase: str, code: Collection[str], names: Collection[str], paper: Collection[str], own: Mapping[str, str]
) -> dict[str, float]:
    """Stems that the code may use for `phrase`, with weights; the phrase's own stems are not among them.

    `code` are all stems of the code, `names` the words of its names and identifiers as written in lower case, `paper`
    all stems of the paper, `own` the paper's acronyms.
    """
    surface = surface_words(phrase)
    stems = {stem(w) for w in surface}
    found: dict[str, float] = {}

    def add(term: str, weight: float) -> None:
        if weight and term not in stems:
            found[term] = max(found.get(term, 0.0), OVERALL * weight)

    joined = f" {' '.join(words(phrase))} "
    for short, long in own.items():
        if f" {' '.join(words(long))} " in joined:
            add(stem(short), 0.9)
        if short in surface or stem(short) in stems:
            for term in words(long):
                add(term, 0.6)
    for size in (2, 3, 4, 5):
        for start in range(len(surface) - size + 1):
            initials = "".join(w[0] for w in surface[start : start + size])
            if initials in names:
                add(stem(initials), 0.5 if size == 2 else 0.7)
    for word in surface:
        for name in names:
            add(stem(name), _abbreviation(name, word, paper))
    return {term: weight for term, weight in found.items() if term in code}

"""When two names mean one technique: normalised words, and acronyms."""

import re
import unicodedata
from functools import cache

import snowballstemmer

__all__ = ["is_acronym", "is_specific", "name_key", "stems", "words"]

NOISE = frozenset(
    {
        "a",
        "an",
        "the",
        "our",
        "of",
        "for",
        "and",
        "in",
        "on",
        "with",
        "to",
        "by",
        "via",
        "using",
        "new",
        "novel",
        "proposed",
    }
)
GENERIC_TAIL = frozenset(["algorithm", "method", "approach", "technique", "model", "framework", "procedure"])


@cache
def _stemmer() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")


@cache
def words(name: str) -> tuple[str, ...]:
    """A name's words in their order, without accents, articles and a closing "method" or "algorithm"."""
    folded = unicodedata.normalize("NFKD", name)
    plain = "".join(c for c in folded if not unicodedata.combining(c)).casefold()
    found = [word for word in re.findall(r"[^\W_]+", plain) if word not in NOISE]
    while len(found) > 1 and (found[-1] in GENERIC_TAIL or found[-1].removesuffix("s") in GENERIC_TAIL):
        found.pop()
    return tuple(found)


def stems(name: str) -> frozenset[str]:
    """The stems of a name's words."""
    return frozenset(_stemmer().stemWords(words(name)))


def name_key(name: str) -> str:
    """What the spellings of one name share ("Space-Saving" and "SpaceSaving", "t-digests"); "" if nothing is left."""
    return str(_stemmer().stemWord("".join(words(name))))


def is_acronym(name: str) -> bool:
    """One word of at least three characters in which capitals and digits prevail ("SGD", "BM25"; not "Adam")."""
    bare = name.strip()
    return (
        re.fullmatch(r"[A-Za-z0-9-]{3,12}", bare) is not None
        and 2 * sum(c.isupper() or c.isdigit() for c in bare) > len(bare)
        and any(c.isupper() for c in bare)
    )


def is_specific(name: str) -> bool:
    """Whether a name alone says which technique it is: two words or more, or one that was coined ("LoRA", "t-SNE")."""
    coined = any(c.isupper() or c.isdigit() for c in name.strip()[1:])
    return coined or len(words(name)) > 1

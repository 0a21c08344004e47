"""Words of queries, texts and names: stems, identifiers taken apart, and when two names mean one technique."""

import re
import unicodedata
from functools import cache, lru_cache

import Stemmer

__all__ = [
    "HUMP",
    "WORD",
    "find_whole",
    "is_acronym",
    "is_specific",
    "name_key",
    "name_words",
    "stem",
    "stems",
    "words",
]

WORD = re.compile(r"[^\W_]+")
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
"""Where a capital begins a new word of an identifier."""

NOISE = frozenset(WORD.findall("a an the our of for and in on with to by via using new novel proposed"))
GENERIC_TAIL = frozenset(WORD.findall("algorithm method approach technique model framework procedure"))


@cache
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("english", 0)  # without a cache of its own: what is asked again is kept below


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The Snowball stem of one English word in lower case; of more than 60 characters their beginning counts."""
    return str(_stemmer().stemWord(word.lower()[:60]))


def words(text: str) -> list[str]:
    """Lower-case words; identifiers are taken apart (softmax_entropy, MergingDigest)."""
    return [word.lower() for word in WORD.findall(HUMP.sub(" ", text))]


def find_whole(text: str, part: str, start: int = 0) -> int:
    """Where `part` begins in `text`, from `start` on, if no word goes on before or behind it; -1 if nowhere."""
    found = re.compile(rf"(?<!\w){re.escape(part)}(?!\w)").search(text, start)
    return found.start() if found else -1


@cache
def name_words(name: str) -> tuple[str, ...]:
    """A name's words in their order, without accents, articles and a closing "method" or "algorithm"."""
    folded = unicodedata.normalize("NFKD", name)
    plain = "".join(c for c in folded if not unicodedata.combining(c)).casefold()
    found = [word for word in WORD.findall(plain) if word not in NOISE]
    while len(found) > 1 and (found[-1] in GENERIC_TAIL or found[-1].removesuffix("s") in GENERIC_TAIL):
        found.pop()
    return tuple(found)


def stems(name: str) -> frozenset[str]:
    """The stems of a name's words."""
    return frozenset(map(stem, name_words(name)))


@lru_cache(maxsize=200_000)
def name_key(name: str) -> str:
    """What the spellings of one name share ("Space-Saving" and "SpaceSaving", "t-digests"); "" if nothing is left."""
    return str(_stemmer().stemWord("".join(name_words(name))))


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
    return coined or len(name_words(name)) > 1

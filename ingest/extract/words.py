"""Words about words: stems, and the short lists of English and academic vocabulary the extractor leans on.

Nothing here names a method, a field or a paper: the lists hold words that are as empty in biology as in databases.
"""

import re
import tomllib
import warnings
from functools import lru_cache
from importlib.resources import files

from kg.words import stem

__all__ = [
    "CONCEPT_HEADS",
    "DETERMINERS",
    "EMPTY_ADJECTIVES",
    "EMPTY_HEADS",
    "GENERIC",
    "PROCESS_HEADS",
    "RESOURCE_HEADS",
    "STEP_VERBS",
    "STOCK",
    "STOP",
    "commonness",
    "f1",
    "is_process_word",
    "key_of",
    "stems",
    "vocabulary",
]  # fmt: skip

_WORD = re.compile(r"[^\W_]+")


@lru_cache(maxsize=1)
def _lists() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("ingest.extract").joinpath("vocabulary.toml").read_text(encoding="utf-8"))


def vocabulary(module: str, name: str) -> frozenset[str]:
    """The words, or phrases where commas separate them, of one list of `vocabulary.toml`."""
    text = _lists()[module][name]
    return frozenset(" ".join(part.split()) for part in (text.split(",") if "," in text else text.split()))


STOP = vocabulary("words", "stop")
"""Function words that carry no part of a name."""

DETERMINERS = vocabulary("words", "determiners")
"""Words stripped from the front of a noun phrase."""

EMPTY_ADJECTIVES = vocabulary("words", "empty_adjectives")

EMPTY_HEADS = vocabulary("words", "empty_heads")
"""Heads that may be dropped when two names are compared: "stretch move algorithm" is the stretch move."""

GENERIC = vocabulary("words", "generic")
"""Title words that name nothing by themselves; a name made of these alone is an empty shell."""

CONCEPT_HEADS = vocabulary("words", "concept_heads")
"""Heads of phrases that are quantities or talk, not something one builds."""

PROCESS_HEADS = vocabulary("words", "process_heads")
"""Heads of phrases that name something one does or builds."""

RESOURCE_HEADS = vocabulary("words", "resource_heads")

STEP_VERBS = vocabulary("words", "step_verbs")
"""Verbs of doing: "we then X the …" is a step of a procedure."""

_NOT_PROCESS = vocabulary("words", "not_process")
STOCK = vocabulary("words", "stock")
"""Concepts every reader knows; a frequent phrase that is one of these is no technique of the paper."""

_PROCESS_ENDINGS = ("tion", "sion", "ing", "ment", "isation", "ization", "sis", "er", "or")


@lru_cache(maxsize=50_000)
def stems(name: str) -> tuple[str, ...]:
    """Stems of a name's content words, in order, hyphens and underscores split."""
    words = _WORD.findall(name.lower().replace("'s", ""))
    kept = [word for word in words if word not in STOP]
    return tuple(stem(word) for word in (kept or words))


def key_of(name: str) -> frozenset[str]:
    """What identifies a name when two are merged: its stems without empty heads, unless nothing else is left."""
    everything = stems(name)
    kept = frozenset(word for word in everything if word not in _EMPTY_STEMS)
    return kept or frozenset(everything)


def f1(left: frozenset[str], right: frozenset[str]) -> float:
    """Token F1 of two sets of stems."""
    shared = len(left & right)
    return 2 * shared / (len(left) + len(right)) if shared else 0.0


@lru_cache(maxsize=1)
def _counts() -> dict[str, int]:
    from textblob.en import spelling

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        spelling.load()
    return dict(dict.items(spelling))


def commonness(word: str) -> int:
    """Occurrences of a lower-case word in about a million words of books; 0 for one that they do not use."""
    return _counts().get(word, 0)


def is_process_word(word: str) -> bool:
    """Whether a head noun names something one does or builds, by list or by ending."""
    low = word.lower()
    if low in CONCEPT_HEADS or (
        low not in PROCESS_HEADS and (low in _NOT_PROCESS or low.removesuffix("s") in _NOT_PROCESS)
    ):
        return False
    if low in PROCESS_HEADS or (low.endswith("s") and low[:-1] in PROCESS_HEADS):
        return True
    base = low[:-1] if low.endswith("s") and not low.endswith("ss") else low
    return len(base) > 5 and base.endswith(_PROCESS_ENDINGS)


_EMPTY_STEMS = frozenset(stem(word) for word in EMPTY_HEADS)

"""General English, out of the data that TextBlob carries in its package: parts of speech, and how common a word is.

Nothing is downloaded. The files are read once, and closed by the collector, which Python warns of; that is muted here.
"""

import warnings
from collections.abc import Callable
from functools import lru_cache, partial

__all__ = ["commonness", "tagger"]


@lru_cache(maxsize=1)
def tagger() -> Callable[[list[str]], list[list[str]]]:
    """A function from words to ``[word, Penn tag]`` pairs: a lexicon of 94 000 words, and suffix rules for others."""
    from textblob import en
    from textblob._text import find_tags

    lexicon = en.parser.lexicon
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        lexicon.load()
        lexicon.morphology.load()
    return partial(find_tags, lexicon=lexicon, morphology=lexicon.morphology)


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

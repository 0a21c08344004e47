"""How common a word is in general English: counts over about a million words of books, shipped with TextBlob."""

from functools import lru_cache

__all__ = ["commonness"]


@lru_cache(maxsize=1)
def _counts() -> dict[str, int]:
    from textblob.en import spelling

    spelling.load()
    return dict(dict.items(spelling))


def commonness(word: str) -> int:
    """Occurrences of a lower-case word; 0 for one that books do not use."""
    return _counts().get(word, 0)

"""Words of papers and of code, brought to one form: split identifiers, stems, and Greek letters by their names."""

import re
import unicodedata
from functools import lru_cache

from kg.words import stem

__all__ = [
    "STOPWORDS",
    "char_ngrams",
    "sentences",
    "spelled",
    "split_identifier",
    "surface_words",
    "word_list",
    "words",
]


def word_list(text: str) -> frozenset[str]:
    """The words of a text block, as a set."""
    return frozenset(text.split())


STOPWORDS = word_list(
    """
    a an and are as at be been being but by can could did do does doing done each for from had has have having
    her here his how however if in into is it its itself just let may might more most must my no nor not of on
    once only onto or other our out over own per same shall she should so some such than that the their them
    then there these they this those thus to too under until up upon very via was we were what when where
    whether which while who whom whose why will with within would you your also e g i ie eg etc et al fig figure
    section sec eq equation table
    """
)

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode() if not text.isascii() else text


@lru_cache(maxsize=200_000)
def split_identifier(name: str) -> tuple[str, ...]:
    """Lower-case parts of one identifier by case and digits ("trainPolicyNet2" → train, policy, net)."""
    return tuple(part.lower() for part in _PART.findall(name))


@lru_cache(maxsize=200_000)
def _identifier_words(name: str) -> tuple[str, ...]:
    return tuple(part for part in split_identifier(name) if len(part) > 1 and part not in STOPWORDS)


def surface_words(text: str) -> list[str]:
    """Words of prose or code in order, identifiers split, lower case, without stopwords and single letters."""
    return [part for token in _WORD.findall(_ascii(text)) for part in _identifier_words(token)]


def words(text: str) -> list[str]:
    """Stems of `surface_words`."""
    return [stem(word) for word in surface_words(text)]


def char_ngrams(word: str) -> list[str]:
    """Character 3-, 4- and 5-grams of ``^word$``."""
    marked = f"^{word}$"
    return [marked[i : i + n] for n in (3, 4, 5) for i in range(len(marked) - n + 1)]


def _spellings() -> dict[int, str]:
    """Greek letters and their variants (ϵ, ϕ) → names, as code calls them; the signs of sum, product and root."""
    found = {ord("∑"): " sum ", ord("∏"): " prod ", ord("√"): " sqrt "}
    for code in range(0x370, 0x400):
        name = _GREEK.fullmatch(unicodedata.name(chr(code), ""))
        if name:
            letter = name["letter"].replace("LAMDA", "LAMBDA")
            found[code] = f" {letter.capitalize() if name['size'] == 'CAPITAL' else letter.lower()} "
    return found


_GREEK = re.compile(r"GREEK (?:(?P<size>SMALL|CAPITAL) LETTER |LUNATE )?(?P<letter>[A-Z]+)(?: SYMBOL)?")
_SPELLINGS = _spellings()


def spelled(text: str) -> str:
    """`text` with mathematical letters and signs as the words that code has for them."""
    return text.translate(_SPELLINGS)


_SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z\"(\[])|\n")


def sentences(text: str) -> list[str]:
    """Sentences of plain text, cut at line ends, and after ., !, ?, : and ; before a capital."""
    return [part for part in _SENTENCE_END.split(text) if part.strip()]

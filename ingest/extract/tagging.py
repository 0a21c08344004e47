"""Parts of speech by the tagger that TextBlob carries in its package, tuned to technical English, and noun phrases."""

import re
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

from ingest.extract.words import DETERMINERS, commonness, vocabulary
from ingest.latex.reading import Token

__all__ = ["is_everyday", "is_modifier", "noun_phrases", "tag"]

_NOUN = ("NN", "NNS", "NNP", "NNPS", "NNP-PERS", "NNP-ORG", "NNP-LOC")
_MODIFIER = (*_NOUN, "JJ", "JJR", "JJS", "VBN", "VBG", "CD", "SYM")
_NUMBER = re.compile(r"[\d.,]+\Z")
_SHORT_MATHS = re.compile(r"[^\s=<>≤≥∈,]{1,6}\Z")


@lru_cache(maxsize=1)
def _lexicon() -> Any:
    """A lexicon of 94 000 words, from each to its Penn tag.

    Nothing is downloaded. The files are closed by the collector, which Python warns of; that is muted here.
    """
    from textblob import en

    lexicon = en.parser.lexicon
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        lexicon.load()
        lexicon.morphology.load()
    return lexicon


@lru_cache(maxsize=1)
def _tagger() -> Callable[[list[str]], list[list[str]]]:
    """A function from words to ``[word, Penn tag]`` pairs, by the lexicon, and suffix rules for other words."""
    from textblob._text import find_tags

    lexicon = _lexicon()
    return partial(find_tags, lexicon=lexicon, morphology=lexicon.morphology)


def tag(tokens: Sequence[Token]) -> list[str]:
    """Penn tags, one a token. Maths is SYM, citations CITE, references REF, displays DISPLAY, punctuation itself."""
    positions = [i for i, token in enumerate(tokens) if token.kind in ("word", "punct")]
    words = [tokens[i].text for i in positions]
    tags = [token.kind.upper() if token.kind != "math" else "SYM" for token in tokens]
    if words:
        for i, pair in zip(positions, _tagger()(words), strict=True):
            tags[i] = pair[1]
    for i, token in enumerate(tokens):
        if token.kind == "punct":
            tags[i] = "." if token.text in ".!?" else token.text
        elif token.kind == "word":
            tags[i] = _corrected(token.text, tags[i], i, tokens, tags)
    return tags


def is_everyday(word: str) -> bool:
    """Whether books or newspapers use a word, so that nobody coined it."""
    low = word.lower()
    return commonness(low) > 0 or _lexicon().get(low) is not None


def is_modifier(word: str) -> bool:
    """Whether a word in small letters says of what kind something is: an adjective or a participle."""
    return word.isalpha() and word.islower() and _tagger()([word])[0][1] in ("JJ", "VBN", "VBD")


def _corrected(word: str, guess: str, at: int, tokens: Sequence[Token], tags: Sequence[str]) -> str:
    """The tag after the corrections that technical English needs; most noun and verb slips are told by neighbours."""
    low = word.lower()
    if _NUMBER.match(word) or low in _FIXED:
        return _FIXED.get(low, "CD")
    before, left = (tags[at - 1], tokens[at - 1].text.lower()) if at else ("", "")
    right = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
    if _is_predicate(guess, at, tokens):
        return "VBP"
    plural = low.endswith("s") and not low.endswith("ss")
    if guess in ("VB", "VBP", "VBZ") and before in _BEFORE_NOUN and left != "that":
        return guess if low in _VERBS_ONLY else "NNS" if plural else "NN"
    if low in ("set", "cut") and guess in ("VBN", "VBD") and (before in _BEFORE_NOUN or before == "NN"):
        return "NN"
    if guess in ("NN", "NNP") and "-" in word and low.rsplit("-", 1)[-1] in _ADJECTIVE_TAILS:
        return "JJ"
    noun_place = before.startswith("NN") and left not in _SUBJECTS and right in _AFTER_NOUN
    return "NN" if (guess in ("VB", "JJ") and noun_place) or (guess == "NNP" and word.islower()) else guess


def _is_predicate(guess: str, at: int, tokens: Sequence[Token]) -> bool:
    """Whether what looks like a noun follows "we" or "we then" and so is a verb: "we first compute the"."""
    if guess not in ("NN", "VB", "JJ") or not at:
        return False
    left = tokens[at - 1].text.lower()
    if left in _SUBJECTS or left in _MODALS:
        return not tokens[at].text.lower().endswith("ly")
    return at > 1 and left in _BETWEEN and tokens[at - 2].text.lower() in _SUBJECTS


_SUBJECTS = frozenset(("we", "i", "they", "you"))
_MODALS = frozenset(("can", "could", "must", "should", "may", "might", "will", "would", "cannot"))
_BETWEEN = frozenset(("then", "first", "next", "also", "finally", "simply", "instead", "now", "thus", "always", "only"))
_BEFORE_NOUN = ("DT", "JJ", "JJR", "PRP$", "IN", "VBG")


_AFTER_NOUN = frozenset(
    (".", ",", "by", "from", "at", "is", "are", "of", "for", ")", "(", "and", "in", "can", "to", "with")
)
_FIXED = {
    "which": "WDT", "that": "IN", "using": "USING", "based": "VBN", "given": "GIVEN", "e.g.": "RB", "i.e.": "RB",
    "etc.": "RB", "et al.": "FW", "via": "IN", "per": "IN", "w.r.t.": "IN", "vs.": "IN", "cf.": "VB", "thus": "RB",
    "hence": "RB", "et": "FW", "al": "FW", "let": "VB", "while": "IN", "whereas": "IN", "if": "IN", "both": "DT",
    "each": "DT", "such": "DT", "respectively": "RB", "including": "IN", "following": "DT", "according": "IN",
    "fig.": "FIG", "figs.": "FIG", "eq.": "FIG", "eqs.": "FIG", "sec.": "FIG", "figure": "FIG", "table": "NN",
    "section": "NN", "there": "EX", "here": "RB", "instead": "RB", "well": "RB", "same": "DT", "us": "PRP",
    "versus": "IN", "than": "IN", "towards": "IN", "upon": "IN", "whose": "WDT", "yields": "VBZ", "denotes": "VBZ",
    "consists": "VBZ", "uses": "VBZ", "allows": "VBZ", "requires": "VBZ", "provides": "VBZ", "contains": "VBZ",
    "corresponds": "VBZ", "becomes": "VBZ", "depends": "VBZ", "works": "VBZ", "called": "VBN", "named": "VBN",
    "prior": "JJ", "outline": "NN", "beneath": "IN", "due": "IN", "beyond": "IN", "converges": "VBZ", "follows": "VBZ",
    "shows": "VBZ", "takes": "VBZ", "gives": "VBZ", "makes": "VBZ", "returns": "VBZ", "leads": "VBZ", "means": "VBZ",
    "keeps": "VBZ", "improves": "VBZ", "achieves": "VBZ", "outperforms": "VBZ", "computes": "VBZ", "learns": "VBZ",
    "implements": "VBZ", "supports": "VBZ",
}  # fmt: skip
_VERBS_ONLY = vocabulary("tagging", "verbs_only")
_ADJECTIVE_TAILS = vocabulary("tagging", "adjective_tails")


_GOVERNS = ("VBP", "VBD", "VBZ", "MD", "PRP", "WDT", "WP", "RB", "NN", "NNS", "NNP")


def noun_phrases(tokens: Sequence[Token], tags: Sequence[str], longest: int = 7) -> list[tuple[int, int]]:
    """Spans ``[first, last)`` of maximal noun phrases without leading determiners, at most `longest` tokens each."""
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(tokens):
        if not _may_join(tokens[at], tags[at]):
            at += 1
            continue
        last = at
        while last < len(tokens) and _may_join(tokens[last], tags[last]) and not _says_of(tags, at, last):
            last += 1
        first, end = at, last
        while end > first and (not _is_head(tokens[end - 1], tags[end - 1]) or _governs_object(tags, first, end)):
            end -= 1
        while first < end and (tokens[first].text.lower() in DETERMINERS or tags[first] in ("CD", "SYM")):
            first += 1
        if end - first > 1 and tags[first] == "VBN" and first and tags[first - 1] in _GOVERNS:
            first += 1
        if first < end and end - first <= longest:
            found.append((first, end))
        at = last
    return found


def _may_join(token: Token, tag: str) -> bool:
    return tag in _MODIFIER and (
        token.kind == "word" or (token.kind == "math" and bool(_SHORT_MATHS.match(token.text)))
    )


def _says_of(tags: Sequence[str], at: int, last: int) -> bool:
    """Whether a participle says something of the plural before it: "abstracts labelled by hand"."""
    return last > at and tags[last] in ("VBN", "VBG") and tags[last - 1] in ("NNS", "NNPS")


def _governs_object(tags: Sequence[str], first: int, end: int) -> bool:
    """Whether a phrase's last word is a participle that goes on: "an image representing the road"."""
    return end - first > 1 and tags[end - 1] == "VBG" and end < len(tags) and tags[end] in ("DT", "PRP$")


def _is_head(token: Token, tag: str) -> bool:
    return (token.kind == "word" and tag in _NOUN) or (tag == "VBG" and len(token.text) > 5)

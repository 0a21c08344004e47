"""Parts of speech by the tagger that TextBlob carries in its package, tuned to technical English, and noun phrases."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from ingest.extract.reader import Token
from ingest.extract.words import DETERMINERS

__all__ = ["noun_phrases", "tag"]

_NOUN = ("NN", "NNS", "NNP", "NNPS", "NNP-PERS", "NNP-ORG", "NNP-LOC")
_MODIFIER = (*_NOUN, "JJ", "JJR", "JJS", "VBN", "VBG", "CD", "SYM")
_NUMBER = re.compile(r"[\d.,]+\Z")
_SHORT_MATHS = re.compile(r"[^\s=<>≤≥∈,]{1,6}\Z")


@lru_cache(maxsize=1)
def _tagger() -> Callable[[list[str]], list[list[str]]]:
    from textblob import en
    from textblob._text import find_tags

    lexicon = en.parser.lexicon
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


def _corrected(word: str, guess: str, at: int, tokens: Sequence[Token], tags: Sequence[str]) -> str:
    low = word.lower()
    before = tags[at - 1] if at else ""
    if _NUMBER.match(word):
        return "CD"
    if low in _FIXED:
        return _FIXED[low]
    if (
        guess in ("VB", "VBP", "VBZ")
        and before in ("DT", "JJ", "PRP$", "IN")
        and tokens[at - 1].text.lower() != "that"
        and low not in _VERBS_ONLY
    ):
        return "NNS" if low.endswith("s") and not low.endswith("ss") else "NN"
    if guess == "NNS" and at + 1 < len(tokens) and low.endswith("s"):
        following = tokens[at + 1].text.lower()
        subject = before.startswith("NN") or before in ("WDT", "PRP", "SYM") or tokens[at - 1].text.lower() == "that"
        if at and subject and following in ("the", "a", "an", "to", "its", "that", "their"):
            return "VBZ"
        if at and tokens[at - 1].text.lower() in ("that", "which", "it"):
            return "VBZ"
    if guess == "VB" and before.startswith("NN") and tokens[at - 1].text.lower() not in ("we", "they"):
        following = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
        if following in (".", ",", "is", "are", "of", "for", ")", "(", "and", "in", "can", "to", "with"):
            return "NN"
    if guess in ("NN", "NNP") and "-" in word and low.rsplit("-", 1)[-1] in _ADJECTIVE_TAILS:
        return "JJ"
    if guess == "NNP" and word.islower():
        return "NN"
    return guess


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
}  # fmt: skip
_VERBS_ONLY = frozenset("is are was were be been being has have had do does did can may will shall".split())
_ADJECTIVE_TAILS = frozenset(
    "based aware free wise level driven specific dependent invariant like only order scale dimensional centered "
    "conditional conditioned weighted trained tuned supervised linear time art end".split()
)


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
        while last < len(tokens) and _may_join(tokens[last], tags[last]):
            last += 1
        first, end = at, last
        while end > first and (not _is_head(tokens[end - 1], tags[end - 1]) or _governs(tags, end)):
            end -= 1
        while first < end and (tokens[first].text.lower() in DETERMINERS or tags[first] in ("CD", "SYM")):
            first += 1
        if end - first > 1 and tags[first] == "VBN" and first and tags[first - 1] in _GOVERNS:
            first += 1
        if first < end and end - first <= longest:
            found.append((first, end))
        at = last
    return found


def _governs(tags: Sequence[str], end: int) -> bool:
    """Whether the -ing word before `end` has an object of its own: "a statement expressing a finding"."""
    return tags[end - 1] == "VBG" and end < len(tags) and tags[end] in _OBJECT


_OBJECT = ("DT", "PRP$", "PRP", "TO", "WDT", "SYM", "CD", "RB")


def _may_join(token: Token, tag: str) -> bool:
    return tag in _MODIFIER and (
        token.kind == "word" or (token.kind == "math" and bool(_SHORT_MATHS.match(token.text)))
    )


def _is_head(token: Token, tag: str) -> bool:
    return token.kind == "word" and tag in _NOUN or (tag == "VBG" and len(token.text) > 5)

"""Candidates that a sentence announces: what is used of others' work, and the members of an enumeration."""

from collections.abc import Iterable, Sequence

from ingest.extract.asserting import asserted
from ingest.extract.candidates import Candidate, inner_capital, make, phrase_at, within
from ingest.extract.naming import is_shell
from ingest.extract.sentences import Sentence
from ingest.extract.tagging import is_everyday, is_modifier
from ingest.extract.words import DETERMINERS, STOCK, vocabulary
from ingest.latex.reading import text_of

__all__ = ["enumerated", "instruments"]

_USE = vocabulary("announcing", "use")
_COUNTS = vocabulary("announcing", "counts")
_METHODS = vocabulary("announcing", "methods")
_BEFORE_MEMBER = frozenset((":", ",", ";", "and", "or"))
_ARTICLES = frozenset(("a", "an"))
_TOLD = ("method", "background", "experiment", "intro", "abstract")


def instruments(sentence: Sentence, words: Sequence[str], index: int) -> Iterable[Candidate]:
    """What the authors say they use, where its source is cited at once: "using a variant of the X framework [1]"."""
    if sentence.role not in _TOLD:
        return
    found: set[tuple[int, int]] = set()
    for at, word in enumerate(words):
        means = word in ("using", "via")
        if not means and not (word in _USE and "we" in words[max(0, at - 3) : at]):
            continue
        phrase = _cited(sentence, words, at + 1) if means or asserted(words, sentence.tags, at) else None
        if phrase is None and means and sentence.role in ("method", "background"):
            phrase = _known(sentence, words, at + 1)
        if phrase is not None:
            found.add(phrase)
    if sentence.role in ("method", "background") and sentence.zone in ("text", "item"):
        named = (phrase for phrase in sentence.phrases if words[phrase[1] - 1] in _METHODS)
        found |= {phrase for phrase in named if _is_somebodys(sentence, *phrase)}
    for phrase in sorted(found):
        yield from make(sentence, index, *phrase, "instrument")


def _cited(sentence: Sentence, words: Sequence[str], begin: int) -> tuple[int, int] | None:
    """The phrase from token `begin` on that a citation follows, as in "the X and Y framework in [1]"."""
    tokens = sentence.tokens
    end = next((at for at in range(begin, min(begin + 10, len(tokens))) if tokens[at].kind != "word"), 0)
    if not end or tokens[end].kind != "cite":
        return None
    end -= words[end - 1] in ("in", "of", "from", "by")
    phrase = phrase_at(sentence, begin)
    if phrase is None or phrase[0] - begin > 3:
        return (end - 1, end) if 0 <= end - 1 - begin <= 1 and inner_capital(tokens[end - 1].text) else None
    first, last = within(sentence, phrase, words)
    joined = all(
        word == "and" or tokens[at].text[:1].isupper()
        for at, word in enumerate(words[first:end], first)
        if at < last + 2
    )
    return (first, end) if last == end or (words[last] == "and" and joined) else None


def _known(sentence: Sentence, words: Sequence[str], begin: int) -> tuple[int, int] | None:
    """What is known by its name from token `begin` on: "the change of variables formula", "Welford's algorithm"."""
    first = begin + (words[begin : begin + 1] == ["the"])
    end = next((at + 1 for at in range(first + 1, min(first + 6, len(words))) if words[at] in _METHODS), 0)
    inside = range(first, end - 1)
    if not end or any(sentence.tokens[at].kind != "word" or words[at] in DETERMINERS for at in inside):
        return None
    if not all(sentence.tags[at].startswith(("NN", "JJ")) or words[at] in ("of", "'s") for at in inside):
        return None
    telling = [at for at in inside if words[at] != "of" and not is_modifier(sentence.tokens[at].text)]
    name = text_of(sentence.tokens[first:end])
    return (first, end) if telling and not is_shell(name) and name.lower() not in STOCK else None


def _is_somebodys(sentence: Sentence, first: int, last: int) -> bool:
    """Whether a noun phrase bears somebody's name before its head: "Gosper's algorithm", "the Risch algorithm"."""
    named = [sentence.tokens[at].text.removesuffix("'s") for at in range(max(first, 1), last - 1)]
    return any((word.istitle() or word.isupper()) and len(word) > 3 and not is_everyday(word) for word in named)


def enumerated(sentence: Sentence, words: Sequence[str], index: int) -> Iterable[Candidate]:
    """The members of what is counted and then spelled out: "two costs: a proximity cost that …, and a lane cost"."""
    colon = next(
        (at for at, word in enumerate(words) if word == ":" and _COUNTS & set(words[max(0, at - 14) : at])), -1
    )
    if colon < 0 or sentence.role not in ("method", "background"):
        return
    for first, last in sentence.phrases:
        opens = first > colon and words[first - 1] in _ARTICLES and words[first - 2] in _BEFORE_MEMBER
        if opens and last - first > 1:
            yield from make(sentence, index, first, last, "enumerated")

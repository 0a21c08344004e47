"""Whether a step is told whole: its authors do just this, and the words cut out say all of it."""

from collections.abc import Sequence

from ingest.extract.words import CONCEPT_HEADS, DETERMINERS, GENERIC, STEP_VERBS, STOCK, vocabulary
from ingest.latex.reading import Token

__all__ = ["is_means", "is_ours", "is_whole"]

_TRIALS = vocabulary("wholeness", "trials")
_POINTING = vocabulary("wholeness", "pointing")
_QUANTITIES = vocabulary("wholeness", "quantities")
_TIES = frozenset(("of", "in", "from", "for", "on", "to", "into", "with", "by", "over", "using", "as", "at", "between"))
_DONE = vocabulary("wholeness", "done")
_BETWEEN = frozenset(
    ("then", "first", "next", "also", "finally", "simply", "instead", "now", "thus", "further", "therefore")
)
_GOES_ON = ("NN", "NNS", "NNP", "NNPS", "SYM", "CD", "CC", "VBN", "VBG", "WDT", "WP", "REF", "DISPLAY")


def is_ours(words: Sequence[str], at: int) -> bool:
    """Whether the subject of the verb at token `at` is "we", with nothing between that makes it only possible."""
    for place in range(at - 1, max(-1, at - 4), -1):
        if words[place] == "we":
            return True
        if words[place] not in _BETWEEN:
            return False
    return False


def is_means(words: Sequence[str], at: int) -> bool:
    """Whether "by" before token `at` tells how something is done or helped: "the gap can be closed by V-ing"."""
    for place in range(at - 2, max(-1, at - 8), -1):
        if words[place] in _DONE:
            return bool({"is", "are", "be"} & set(words[max(0, place - 2) : place]))
        if words[place] in (",", ";", ":", "(", ")"):
            return False
    return False


def is_whole(verb: str, tokens: Sequence[Token], tags: Sequence[str], first: int, end: int) -> bool:
    """Whether tokens ``[first, end)`` are all of the object of `verb`, one thing and a thing of its own: no symbol, no
    count, nothing that points elsewhere, no first of a list, no part of a longer phrase."""
    words = [token.text.lower() for token in tokens[first:end]]
    if verb in _TRIALS or _POINTING & set(words):
        return False
    if any(token.kind == "math" or token.text[:1].isdigit() for token in tokens[first:end]):
        return False
    noun = next((at for at in range(1, end - first) if words[at] in _TIES), end - first)
    content = [word for word in words[:noun] if word not in DETERMINERS and word not in _TIES]
    if not content or content[-1] in _QUANTITIES or (len(content) == 1 and content[0] in CONCEPT_HEADS):
        return False
    telling = [word for word in words if word not in _TIES and word not in DETERMINERS]
    if " ".join(telling) in STOCK or all(word in GENERIC or word in CONCEPT_HEADS for word in telling):
        return False
    return not _goes_on(tokens, tags, end)


def _goes_on(tokens: Sequence[Token], tags: Sequence[str], end: int) -> bool:
    if end >= len(tokens):
        return False
    if tags[end] == ",":
        return end + 1 < len(tags) and (tags[end + 1] in ("NN", "NNS", "JJ", "DT") and _lists(tags, end))
    if tags[end] == "CC":
        verb = end + 1 < len(tags) and (tags[end + 1].startswith("VB") or tokens[end + 1].text.lower() in STEP_VERBS)
        return end + 1 < len(tags) and not verb and tags[end + 1] != "RB"
    return tags[end] in _GOES_ON or tokens[end].text.lower() in ("of", "that", "which", "whose", "such", "as")


def _lists(tags: Sequence[str], comma: int) -> bool:
    """Whether a comma is followed by further members of a list: another comma or "and" before any verb."""
    for tag in tags[comma + 1 : comma + 8]:
        if tag in (",", "CC"):
            return True
        if tag.startswith("VB") or tag in ("MD", "."):
            return False
    return False

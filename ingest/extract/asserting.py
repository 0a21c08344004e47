"""Whether a paper says that its authors do something, or only that one could, should, wants to or others did."""

from collections.abc import Sequence

from ingest.extract.words import vocabulary

__all__ = ["asserted"]

_PLANS = vocabulary("asserting", "plans")
_DECIDES = vocabulary("asserting", "decides")
_MAYBE = vocabulary("asserting", "maybe")
_CONDITIONS = vocabulary("asserting", "conditions")
_PERFECT = frozenset(("been", "being"))
_PLACES = frozenset(("section", "sec.", "appendix", "chapter", "sections"))
_OTHERS = frozenset(("[cite]", "they", "authors", "papers", "others"))
_REACH = 12


def asserted(words: Sequence[str], tags: Sequence[str], at: int) -> bool:
    """Whether the verb at token `at` of a sentence (lower-case `words`) is told as done: "we V", "by V-ing", "is V-ed",
    "the idea is to V". A purpose ("used to V"), a condition, a possibility of somebody else's and a report of what
    has been done are not.
    """
    begin = _clause(words, at)
    clause = words[begin:at]
    if _CONDITIONS & set(clause) or _is_pointer(words, at) or _PERFECT & set(words[max(0, at - 2) : at]):
        return False
    if tags[at] == "VBG":
        return True
    governor = _governor(clause, tags[begin:at])
    if governor < 0:
        return True
    place = begin + governor
    if words[place] == "to":
        return _is_plan(words, place)
    return "we" in words[max(0, place - 2) : place] and words[place] in ("can", "will")


def _is_pointer(words: Sequence[str], at: int) -> bool:
    """Whether they only tell what another part of the paper holds, "in Section 3 we compare", or how others do it."""
    before = words[:at]
    if "we" in before[-3:]:
        return any(word in _PLACES and words[place + 1 : place + 2] == ["[ref]"] for place, word in enumerate(words))
    return bool(at) and words[at - 1] == "by" and bool(_OTHERS & set(before)) and "we" not in before


def _clause(words: Sequence[str], at: int) -> int:
    """Where the clause of token `at` begins: after a colon, semicolon, or a comma that no list explains."""
    for place in range(at - 1, -1, -1):
        if words[place] in (":", ";", "(", ")") or (
            words[place] == "," and words[place + 1] not in ("and", "or", "then")
        ):
            return place + 1
    return 0


def _governor(clause: Sequence[str], tags: Sequence[str]) -> int:
    """The last "to" before a verb, or modal, that a verb at the clause's end hangs on; -1 if a subject comes after."""
    for place in range(len(clause) - 1, max(-1, len(clause) - _REACH), -1):
        if clause[place] in ("we", "i"):
            return -1
        if clause[place] in _MAYBE:
            return place
        if clause[place] == "to" and (place + 1 == len(clause) or tags[place + 1] in ("VB", "VBP", "RB")):
            return place
    return -1


def _is_plan(words: Sequence[str], to: int) -> bool:
    """Whether "to" follows "the idea is", "our approach is" or "we propose"."""
    before = words[max(0, to - 8) : to]
    return bool(before) and (before[-1] in _DECIDES or (before[-1] in ("is", "was") and bool(_PLANS & set(before))))

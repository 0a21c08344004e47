"""From the sentence that defines to the passage that tells: what it announces, goes on with, or points back to."""

import re
from collections.abc import Collection, Mapping, Sequence

from ingest.extract.referring import worded
from ingest.extract.sentences import Sentence, is_ended
from ingest.extract.words import f1, stems, vocabulary
from ingest.latex.reading import Token, text_of

__all__ = ["LONGEST", "passage", "points_elsewhere", "told"]

LONGEST = 600
"""Characters of a definition; only a single sentence may be longer, up to `LONGEST_SENTENCE`."""
LONGEST_SENTENCE = 900
LONGEST_DISPLAY = 500
MOST_MEMBERS = 8
GAP = 200
"""Characters of source between a colon and what it announces; more hold a listing or a drawing that is not read."""
_AWAY = re.compile(
    r"\bwe (?:now |then |also |next |first |will |briefly |further |have )*(?:explain|discuss|show|present|outline"
    r"|study|studied|compare|investigate|evaluate|demonstrate|examine|report|describe|review|summari[sz]e|illustrate"
    r"|find|found|observe|note|conclude|believe|hope|expect|refer)\b"
    r"|\b(?:is|are) (?:shown|illustrated|depicted|summari[sz]ed|listed|discussed|explained)\b"
    r"|\b(?:shows?|provides? an example|illustrates?|depicts?) (?:also )?(?:the )?(?:\[ref\]|figure|fig|table)"
    r"|\bprovides? an example\b|\b(?:this|next|following|previous) (?:section|chapter|paper|appendix)\b",
    re.IGNORECASE,
)
_TURNS = vocabulary("telling", "turns")
_BACK = vocabulary("telling", "back")
_TAKES_UP = frozenset(("this", "these", "such", "therefore", "thus", "hence"))
_FLOATS = frozenset(("figure", "fig.", "table", "section", "appendix", "chapter"))


def passage(
    first: int,
    sentences: Sequence[Sentence],
    taken: Collection[int],
    names: Sequence[frozenset[str]],
    *,
    home: bool,
    shown: bool = False,
) -> list[int]:
    """Indices of the sentences in a row that hold ``sentences[first]`` and tell of the same, in order.

    Before it stands what it takes up ("This is called …") or what announces it by a colon; behind it what it announces,
    and what goes on in its paragraph as long as that does not turn to something else. Sentences in `taken`, which
    define others, are left to them. `home`: it stands in the item's own stretch of text, so that all there is
    about the item; elsewhere only what takes it up again goes on. `shown`: the sentence says where an algorithm
    stands, so that what leads to it tells what it does.
    """
    found = [first]
    room = LONGEST - _size(sentences[first])
    while found[0] and len(found) < (5 if shown else 3):
        before = found[0] - 1
        leads = shown and _leads(sentences[before], sentences[first])
        if not leads and not _needs(sentences[before], sentences[found[0]]):
            break
        if before in taken or _size(sentences[before]) > room or points_elsewhere(sentences[before]):
            break
        found.insert(0, before)
        room -= _size(sentences[before])
    last, members = first, 0
    for index in range(first + 1, len(sentences)):
        sentence = sentences[index]
        announced = _announces(sentences[last], sentence) or (members > 0 and sentence.zone == "item")
        if sentence.zone == "caption":
            continue
        if index in taken or _size(sentence) > room or not _near(sentences[last], sentence) or members > MOST_MEMBERS:
            break
        if not announced and not _goes_on(sentences[last], sentence, names, home):
            break
        members += announced and sentence.zone == "item"
        found.append(index)
        room -= _size(sentence)
        last = index
    return found


def _size(sentence: Sentence) -> int:
    return len(text_of(sentence.tokens, display=LONGEST_DISPLAY)) + 1


def _words(sentence: Sentence) -> list[str]:
    return [token.text.lower() for token in sentence.tokens if token.kind == "word"]


def _announces(sentence: Sentence, following: Sentence) -> bool:
    """Whether a sentence ends in what the following one holds: after a colon, in a list, or below a formula."""
    last = sentence.tokens[-1]
    if following.zone == "item" and sentence.zone == "text":
        return last.text not in ".?!" or "following" in _words(sentence)
    goes_on = last.kind == "display" and not is_ended(last) and following.tokens[0].text[:1].islower()
    return goes_on or (last.text == ":" and following.start - last.end < GAP)


def _near(left: Sentence, right: Sentence) -> bool:
    """Whether nothing but floats stands between two sentences."""
    return right.block - left.block <= (1 if right.zone == left.zone == "text" else 2)


def _needs(before: Sentence, sentence: Sentence) -> bool:
    """Whether a sentence can't be read without the one before it."""
    if not _near(before, sentence) or before.zone not in ("text", "item", "abstract"):
        return False
    if before.tokens[-1].text == ":" and sentence.start - before.end < GAP:
        return True
    words = _words(sentence)
    return before.block == sentence.block and (words[0] in _BACK or bool(_TAKES_UP & set(words[:4])))


def _leads(before: Sentence, sentence: Sentence) -> bool:
    return before.zone == sentence.zone and sentence.block - before.block <= 1 and before.node == sentence.node


def _goes_on(last: Sentence, sentence: Sentence, names: Sequence[frozenset[str]], home: bool) -> bool:
    """Whether a sentence goes on with what the one before it tells."""
    words = _words(sentence)
    opens = sentence.tokens[0]
    if not words or points_elsewhere(sentence) or words[0] in _TURNS or sentence.tokens[-1].text == "?":
        return False
    if opens.kind == "display" or (opens.text[:1].islower() and last.tokens[-1].kind == "display"):
        return True
    if sentence.block != last.block:
        return False
    have = frozenset(stems(" ".join(words)))
    said = any(2 * len(name & have) >= len(name) for name in names if name)
    return home or said or words[0] in _BACK or words[0] == "where"


def points_elsewhere(sentence: Sentence) -> bool:
    """Whether a sentence only tells where something stands or what comes next, or begins with a place."""
    text = " ".join(token.text for token in sentence.tokens)
    opens = sentence.tokens[0]
    return opens.kind == "ref" or opens.text.lower() in _FLOATS or bool(_AWAY.search(text))


def told(indices: Sequence[int], sentences: Sequence[Sentence], kinds: Mapping[int, str]) -> str:
    """The sentences as one text; `kinds` tells by the start of a reference what it points to."""
    parts: list[str] = []
    for index in indices:
        text = _clean(worded(sentences[index].tokens, kinds, display=LONGEST_DISPLAY))
        if text and all(f1(frozenset(stems(text)), frozenset(stems(other))) < 0.8 for other in parts):
            parts.append(text)
    text = " ".join(parts)
    text = f"{text} …" if text.endswith(":") else text
    return text if len(text) <= LONGEST_SENTENCE else _cut(sentences[indices[0]].tokens, kinds)


def _cut(tokens: Sequence[Token], kinds: Mapping[int, str]) -> str:
    """As much of a long sentence as ends on a mark between its clauses, or before a formula, and the sign of a gap."""
    stops = [at for at, token in enumerate(tokens) if token.kind == "punct" and token.text in ",;:"]
    stops += [at for at, token in enumerate(tokens) if token.kind == "display" and at]
    for at in sorted(stops, reverse=True):
        text = _clean(worded(tokens[:at], kinds, display=LONGEST_DISPLAY))
        if len(text) <= LONGEST:
            return f"{text} …"
    return _clean(worded(tokens, kinds, display=LONGEST_DISPLAY))[:LONGEST].rsplit(" ", 1)[0] + " …"


def _clean(text: str) -> str:
    return re.sub(r"^[\s,;:.)\]–—-]+", "", text).strip()

"""Where a passage says what is quoted from it: letters and digits in their order, whatever stands between them.

Blanks, hyphens, quotation marks, ligatures, accents and capitals may differ, and what reading adds to the paper's words
(who is cited, which equation is meant) may be missing; words may not. What is kept of a quote are the paper's own
words between the two ends that were found, never what was sent.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from ingest.extract.judged.passages import Passage, Passages
from ingest.extract.sentences import ends
from ingest.extract.words import stems
from ingest.latex.detex import readable
from ingest.latex.reading import LEADS_TO_CITATION, MAX_DISPLAY, Token, text_of
from kg.models.paper import Span

__all__ = ["Found", "completed", "find", "key", "locate", "says", "sentences"]

_ESCAPES = {"\t": "\\t", "\b": "\\b", "\f": "\\f", "\r": "\\r"}
"""What a command of a formula becomes when its backslash was not doubled in JSON."""
_MARK = re.compile(r"\[[^\[\]]*\]")
_ENDS = frozenset(".?!;")
_JOINING = frozenset(("and", "or", "but", "so", "where", "which", "finally", "then", "also"))
"""What joins clauses: at the end of one it says nothing."""
_REFERRED = {"h": "section", "e": "equation", "a": "algorithm", "t": "table", "f": "figure"}
_POINTS = re.compile(
    r"(?:\bappendix|§|\b(?:algorithm|alg|equation|eq|eqn|expression|figure|fig|lemma|line|page|section|sec|table|tab"
    r"|theorem)s?)(?: ?\.)?$"
)
_LEADS = re.compile(
    rf"(?:^|[,.;:–—-]|\b(?:{'|'.join(sorted(LEADS_TO_CITATION))}|at|for|if|into|on|that|using|via|where))$"
)
"""What a reference is named by in a sentence, and what stands before one that is a word of it."""
_COUNT = re.compile(r"[1-9]|[a-i]|[ivx]{1,4}")
_ROWS = (tuple("123456789"), tuple("abcdefghi"), ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"))
"""What counts clauses, and how it goes on."""
LONGEST = 60
"""Words of a sentence that is told whole where a part of it is quoted."""
_COMMAND = re.compile(r"\\[A-Za-z@]+\*?")


@dataclass(frozen=True, slots=True)
class Found:
    """The words ``[first, last]`` of a passage."""

    passage: Passage
    first: int
    last: int

    @property
    def start(self) -> int:
        """Where it begins in the flat text."""
        return self.passage.words[self.first].token.start

    @property
    def end(self) -> int:
        """Where it ends in the flat text."""
        return self.passage.words[self.last].token.end

    @property
    def shown(self) -> str:
        """The words as the model was shown them."""
        words = self.passage.words
        return self.passage.text[words[self.first].at : words[self.last].to]

    @property
    def text(self) -> str:
        """The paper's words as a person reads them."""
        if self.passage.kind == "algorithm":
            return readable(self.shown, code=True)
        return text_of(list(self._referring()), display=MAX_DISPLAY).lstrip(":;, ")

    def _referring(self) -> Iterator[Token]:
        """Its tokens, with a word for what is referred to where a sentence without it has a hole."""
        words = self.passage.words[self.first : self.last + 1]
        for number, placed in enumerate(words):
            token = placed.token
            if token.kind == "ref":
                before = " ".join(word.token.text.lower() for word in words[max(0, number - 3) : number])
                before = before.removesuffix("(").rstrip()
                kind = _REFERRED.get(self.passage.text[placed.at + 1 : placed.at + 2], "")
                if _POINTS.search(before):
                    token = replace(token, text="[…]", kind="word")
                elif kind and _LEADS.search(before):
                    token = replace(token, text=f"[{kind}]", kind="word")
            yield token

    @property
    def told(self) -> str:
        """The same with the displayed formula that its last words lead to ("is given by")."""
        words, at = self.passage.words, self.last + 1
        if words[self.last].token.text in _ENDS:
            return self.text
        at += at < len(words) and words[at].token.text in (":", ",")
        leads = at < len(words) and words[at].token.kind == "display"
        return replace(self, last=at).text if leads else self.text

    def span(self, passages: Passages) -> Span:
        """Their bytes in the source."""
        return passages.span(self.start, self.end)

    def overlaps(self, other: "Found") -> bool:
        """Whether the shorter of the two shares more than half of itself with the other."""
        shared = min(self.end, other.end) - max(self.start, other.start)
        return 2 * shared > min(self.end - self.start, other.end - other.start)


@lru_cache(maxsize=20_000)
def key(text: str) -> str:
    """Letters and digits alone, without accents, ligatures taken apart, lower case."""
    return "".join(_letters(text))


def _letters(text: str) -> Iterator[str]:
    for character in unicodedata.normalize("NFKD", text).casefold():
        if character.isalnum():
            yield character


@lru_cache(maxsize=4_000)
def _keyed(passage: Passage) -> tuple[str, tuple[int, ...], frozenset[int]]:
    """The key of a passage's own words, the word that each of its characters is of, and where words begin."""
    letters: list[str] = []
    owners: list[int] = []
    begins = {0}
    for number, placed in enumerate(passage.words):
        if not placed.said:
            continue
        word = key(passage.text[placed.at : placed.to])
        letters += word
        owners += [number] * len(word)
        begins.add(len(letters))
    return "".join(letters), tuple(owners), frozenset(begins)


def find(quote: str, passage: Passage) -> Found | None:
    """Where `passage` says `quote`, from the beginning of a word to the end of one; None if it does not."""
    text, owners, begins = _keyed(passage)
    for wanted in _readings(quote, passage):
        at = text.find(wanted) if wanted else -1
        while at >= 0:
            if at in begins and at + len(wanted) in begins:
                return _ended(Found(passage, owners[at], owners[at + len(wanted) - 1]), quote)
            at = text.find(wanted, at + 1)
    return None


def _ended(found: Found, quote: str) -> Found:
    """With the mark that ends the sentence, where the quote has it."""
    end, words = quote.rstrip("\"'”’ \n")[-1:], found.passage.words
    follows = words[found.last + 1].token.text if found.last + 1 < len(words) else ""
    return Found(found.passage, found.first, found.last + 1) if end and end == follows and end in ".?!" else found


def _readings(quote: str, passage: Passage) -> Iterator[str]:
    """The key of a quote as it was sent, without our marks, and with the backslashes that JSON took from it."""
    marks = {key(passage.text[placed.at : placed.to]) for placed in passage.words if not placed.said}
    plain = _MARK.sub(lambda found: "" if key(found[0]) in marks else found[0], quote)
    yield key(plain)
    if passage.kind == "algorithm":
        yield key(_COMMAND.sub(" ", plain))
    repaired = "".join(_ESCAPES.get(character, character) for character in plain)
    if repaired != plain:
        yield key(repaired)
    if "\n" in plain:
        yield key(repaired.replace("\n", "\\n"))


def locate(quote: str, at: str, passages: Passages) -> tuple[Found | None, bool]:
    """Where the paper says `quote`, and whether that is the passage it is said to be in.

    One other passage that says it will do, as its place is ours; where several do, none is meant.
    """
    said = passages.by_id.get(at)
    if said is not None and (found := find(quote, said)):
        return found, True
    others = [found for passage in passages.items if passage.id != at and (found := find(quote, passage))]
    return (others[0] if len(others) == 1 else None), False


def says(text: str, name: str) -> bool:
    """Whether a text holds the stems of a name in their order."""
    wanted, there = stems(name), stems(text)
    return bool(wanted) and any(there[at : at + len(wanted)] == wanted for at in range(len(there) - len(wanted) + 1))


def sentences(passage: Passage) -> list[Found]:
    """The sentences of a passage."""
    stops = ends([placed.token for placed in passage.words])
    return [Found(passage, first, last - 1) for first, last in pairwise((0, *stops))]


def _counts(passage: Passage, first: int, last: int) -> list[int]:
    """Which of the words ``[first, last]`` count the clauses of a sentence: "1" and "2" of "(1)" and "(2)". They follow
    each other, each behind a mark or a word that joins clauses, and a clause stands between two."""
    words = passage.words
    found = [
        at for at in range(first, last) if _COUNT.fullmatch(words[at].token.text) and words[at + 1].token.text == ")"
    ]
    said = tuple(words[at].token.text for at in found)
    for one, next_ in pairwise(found):
        between = [word.token for word in words[one + 2 : next_] if word.token.text != "("]
        if not between or not _joins(between[-1]) or all(map(_joins, between)):
            return []
    return found if len(found) > 1 and any(said == row[: len(said)] for row in _ROWS) else []


def _joins(token: Token) -> bool:
    """Whether a word belongs to no clause: a mark, or what joins two."""
    return token.kind == "punct" or token.text.lower() in _JOINING


def completed(found: Found, others: Iterable[Found]) -> Found:
    """A quote with what is missing of its sentence, if that is short, as far as no quote of `others` stands there:
    without its subject or its end a clause tells little."""
    parts = [one for one in sentences(found.passage) if one.first <= found.last and found.first <= one.last]
    if not parts or found.passage.kind == "algorithm":
        return found
    beside = [other for other in others if other.passage.id == found.passage.id]
    if any(other.first <= found.last and found.first <= other.last for other in beside):
        return found
    words = found.passage.words
    first = max([parts[0].first, *(other.last + 1 for other in beside if other.last < found.first)])
    last = min([parts[-1].last, *(other.first - 1 for other in beside if other.first > found.last)])
    counts = _counts(found.passage, parts[0].first, parts[-1].last)
    cut = first > parts[0].first
    behind = [at for at in counts if at < found.first]
    first = max([first, *(behind if cut else ())])
    last = min([last, *(at for at in counts if behind and last < parts[-1].last and at > found.last)])
    while first < found.first and (
        words[first].token.kind in {"punct", "display"} or (cut and (first in counts or _joins(words[first].token)))
    ):
        first += 1  # a formula that a sentence begins with is the end of the one before
    while found.last < last < parts[-1].last and (last in counts or _joins(words[last].token)):
        if words[last].token.text == ")":
            break
        last -= 1
    return Found(found.passage, first, last) if sum(word.said for word in words[first : last + 1]) <= LONGEST else found

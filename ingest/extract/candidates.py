"""What a signal yields: one way to name something, with the place that speaks of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ingest.extract.naming import is_shell, phrase_name
from ingest.extract.outline import Role
from ingest.extract.sentences import Sentence
from ingest.extract.words import vocabulary
from ingest.latex.reading import text_of

__all__ = ["SOURCES", "Candidate", "Source", "inner_capital", "make", "phrase_at", "within"]

_SHELL_HEADS = vocabulary("phrases", "shell_heads")
_SKIP = vocabulary("phrases", "skip")

Source = Literal[
    "heading",
    "paragraph",
    "algorithm",
    "run-in",
    "item",
    "acronym",
    "called",
    "proposed",
    "definition",
    "emphasis",
    "frequent",
    "step",
    "used",
    "listed",
    "instrument",
    "enumerated",
    "own",
]

SOURCES: tuple[Source, ...] = (
    "own", "heading", "paragraph", "algorithm", "run-in", "item", "acronym", "called", "proposed", "definition",
    "enumerated", "instrument", "emphasis", "frequent", "listed", "used", "step",
)  # fmt: skip
"""Signals, the best source of a name first."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """`start`, `end` are offsets of the flat text; `node` the outline node it stands in (or is, for structures).

    `sentence` is the index of its sentence, -1 for structures; `cited`: a citation follows at once; `clause`: the
    name was cut out of a claim. `weight` adds to the score what the signal knows about its own quality. `text` is
    what the paper says there, for places that are no sentences (rows of equations, lines of pseudo-code). `whole`: of a
    step, whether the authors say that they do just this.
    """

    name: str
    source: Source
    start: int
    end: int
    node: int
    role: Role
    appendix: bool = False
    sentence: int = -1
    aliases: tuple[str, ...] = ()
    cited: bool = False
    clause: bool = False
    weight: float = 0.0
    text: str = ""
    whole: bool = True


def make(sentence: Sentence, index: int, first: int, last: int, source: Source, **more: object) -> Iterable[Candidate]:
    """The candidate that tokens ``[first, last)`` name, or nothing if they name nothing."""
    name = phrase_name(sentence.tokens, sentence.tags, first, last)
    if name and len(name.split()) <= 7:
        after = sentence.tokens[last : last + 2]
        yield Candidate(
            name, source, sentence.start, sentence.end, sentence.node, sentence.role, sentence.appendix, index,
            cited=any(token.kind == "cite" for token in after), **more,  # type: ignore[arg-type] # -- aliases, clause
        )  # fmt: skip


def phrase_at(sentence: Sentence, at: int, reach: int = 3) -> tuple[int, int] | None:
    """The noun phrase that begins at token `at`, or after at most `reach` determiners and quotation marks."""
    while reach and at < len(sentence.tokens) and sentence.tokens[at].text.lower() in _SKIP:
        at, reach = at + 1, reach - 1
    if sentence.tags[at : at + 2] == ("JJ", ","):
        at += 2 + (sentence.tags[at + 2 : at + 3] == ("RB",))
    return next(((first, last) for first, last in sentence.phrases if first <= at < last or 0 <= first - at <= 1), None)


def within(sentence: Sentence, phrase: tuple[int, int], words: Sequence[str]) -> tuple[int, int]:
    """An empty head gives way to what follows "of" or "for": "an implementation of the stretch move"."""
    first, last = phrase
    if last < len(words) and words[last] in ("of", "for") and is_shell(text_of(sentence.tokens[first:last])):
        return next(((a, b) for a, b in sentence.phrases if last < a <= last + 3), phrase)
    if last < len(words) and words[last] in ("of", "for") and words[last - 1] in _SHELL_HEADS:
        return next(((a, b) for a, b in sentence.phrases if last < a <= last + 3), phrase)
    return phrase


def inner_capital(word: str) -> bool:
    """Whether a word has a capital after its first letter: "RMSProp", "VAE"."""
    return len(word) > 1 and any(c.isupper() for c in word[1:])

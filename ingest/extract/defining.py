"""Candidates that a sentence defines: the head of its subject, or the object of "we define"."""

from collections.abc import Iterable, Sequence

from ingest.extract.candidates import Candidate, make, phrase_at
from ingest.extract.sentences import Sentence
from ingest.extract.words import stems, vocabulary
from ingest.latex.reading import text_of

__all__ = ["defined", "subject"]

_TOLD = vocabulary("defining", "told")
_TOLD_BY = vocabulary("defining", "told_by")
_MEANS = vocabulary("defining", "means")
_ADVERBS = vocabulary("defining", "adverbs")
_RANKS = vocabulary("defining", "ranks")
_OPENERS = vocabulary("defining", "openers")
_SUBORDINATES = frozenset(("that", "where", "while", "because", "since", "if", "when", "whose", "which", "although"))
_BREAKS = frozenset((",", ";", ":", "and", "but")) | _SUBORDINATES
_SELVES = frozenset(("we", "us", "i"))
_SPEAKERS = frozenset(("we", "also", "us", "to", "can", "then", "now", "i"))


def defined(sentence: Sentence, words: Sequence[str], index: int) -> Iterable[Candidate]:
    """What a sentence of `words` (its tokens in lower case) says the meaning or the making of."""
    if not sentence.phrases or sentence.role in ("related", "intro", "abstract"):
        return
    for at, word in enumerate(words):
        if word == "define" and at and words[at - 1] in _SPEAKERS and _SELVES & set(words[max(0, at - 4) : at]):
            if words[max(0, at - 2)] != "possible" and (phrase := phrase_at(sentence, at + 1)):
                yield from make(sentence, index, *phrase, "definition")
        elif _predicates(sentence, words, at) and (phrase := subject(sentence, words, at)):
            general = words[at + 1 : at + 2] in (["a"], ["an"], ["the"]) or word in _MEANS
            whole = phrase[0] <= 1 and words[phrase[1]] in (word, "(")
            if (whole or not general) and len(stems(text_of(sentence.tokens[slice(*phrase)]))) > 1:
                yield from make(sentence, index, *phrase, "definition")


def _predicates(sentence: Sentence, words: Sequence[str], at: int) -> bool:
    """Whether at `at` begins a predicate that defines: "is a", "is computed by", "refers to", "is <display>"."""
    if words[at] in _MEANS:
        return words[at + 1 : at + 2] in (["to"], ["of"], ["by"])
    if words[at] not in ("is", "are"):
        return words[at] in ("becomes", "reads") and _shows(sentence, at + 1)
    place = at + 1
    while place < len(words) and words[place] in _ADVERBS:
        place += 1
    following = words[place : place + 2]
    if following[:1] in (["a"], ["an"], ["the"]):
        return not _RANKS & set(words[place + 1 : place + 4])
    return _shows(sentence, place) or (len(following) == 2 and following[0] in _TOLD and following[1] in _TOLD_BY)


def _shows(sentence: Sentence, at: int) -> bool:
    return at < len(sentence.tokens) and sentence.tokens[at].kind == "display"


def subject(sentence: Sentence, words: Sequence[str], verb: int) -> tuple[int, int] | None:
    """The head phrase of the subject of token `verb`: "the trace of a cell that fires is …" has "the trace"; None where
    the clause begins with something else."""
    begin = next((at + 1 for at in range(verb - 1, -1, -1) if words[at] in _BREAKS), 0)
    if begin and words[begin - 1] in _SUBORDINATES:
        return None
    while begin < verb and words[begin] in _OPENERS:
        begin += 1
    phrase = next((phrase for phrase in sentence.phrases if begin <= phrase[0] <= begin + 1), None)
    if phrase is None or phrase[1] > verb or any(sentence.tags[at] in ("IN", "TO") for at in range(begin, phrase[0])):
        return None
    between = sentence.tags[phrase[1] : verb]
    return None if {"VB", "VBP", "VBZ", "VBD", "MD", "DISPLAY"} & set(between) else phrase

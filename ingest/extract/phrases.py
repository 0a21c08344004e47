"""Candidates from what sentences say: named, proposed, defined and emphasised things, and what lists begin with."""

from collections.abc import Iterable, Sequence

from ingest.extract.announcing import enumerated, instruments
from ingest.extract.candidates import Candidate, inner_capital, make, phrase_at, within
from ingest.extract.defining import defined
from ingest.extract.naming import phrase_name
from ingest.extract.sentences import Sentence
from ingest.extract.steps import step_verb
from ingest.extract.words import is_process_word, stems, vocabulary

__all__ = ["listed", "named"]

_CALLED = {("called",), ("termed",), ("named",), ("dubbed",), ("coined",), ("known", "as"), ("referred", "to", "as"),
           ("denoted", "as"), ("call",), ("term",), ("dub",), ("refer", "to", "as"), ("so-called",)}  # fmt: skip
_PROPOSE = vocabulary("phrases", "propose")
_USE = vocabulary("phrases", "use")
_WE = vocabulary("phrases", "we")
_QUESTIONS = frozenset(
    (
        "problem",
        "task",
        "question",
        "challenge",
        "goal",
        "setting",
        "problems",
        "tasks",
        "goals",
        "aim",
        "field",
        "area",
    )
)
_PAPER = vocabulary("phrases", "paper")
_WORDS = frozenset(("term", "word", "name", "notion", "concept", "phrase"))


def named(sentences: Sequence[Sentence]) -> list[Candidate]:
    """Things that a sentence calls by name, proposes, defines, prints in emphasis, or says it uses."""
    found: list[Candidate] = []
    emphasised: set[tuple[str, ...]] = set()
    for index, sentence in enumerate(sentences):
        if sentence.role == "back":
            continue
        words = [token.text.lower() for token in sentence.tokens]
        found += _called(sentence, words, index)
        found += _proposed(sentence, words, index)
        found += defined(sentence, words, index)
        found += instruments(sentence, words, index)
        found += enumerated(sentence, words, index)
        for candidate in _emphasised(sentence, index):
            key = stems(candidate.name)
            if key not in emphasised:
                emphasised.add(key)
                found.append(candidate)
    return found


def listed(sentences: Sequence[Sentence]) -> list[Candidate]:
    """What items of lists in method sections begin with: "a shrink factor, which …"."""
    found: list[Candidate] = []
    for index, sentence in enumerate(sentences):
        if (
            sentence.zone == "item"
            and sentence.opens
            and sentence.role in ("method", "background")
            and sentence.phrases
        ):
            first, last = sentence.phrases[0]
            words = [token.text.lower() for token in sentence.tokens]
            if (
                first <= 2
                and last < len(words)
                and (
                    sentence.tokens[last].kind == "math"
                    or words[last] in (",", ":", "of", "that", "which", "(", "to", ".")
                )
            ):
                found += make(sentence, index, *within(sentence, (first, last), words), "listed")
    return found


def _called(sentence: Sentence, words: list[str], index: int) -> Iterable[Candidate]:
    for at, word in enumerate(words):
        for pattern in _CALLED:
            size = len(pattern)
            if word != pattern[0] or tuple(words[at : at + size]) != pattern:
                if not (word == "refer" and pattern[0] == "refer" and "as" in words[at : at + 7]):
                    continue
                size = words[at : at + 7].index("as") + 1
            if word in ("call", "term") and sentence.tags[at].startswith("NN"):
                continue
            phrase = (
                _given_name(sentence, at + size, words) if word in _NAMES_ANOTHER else phrase_at(sentence, at + size)
            )
            phrase = (max(phrase[0], at + size), phrase[1]) if phrase else None
            if phrase and phrase[0] < phrase[1] and phrase[0] - at - size <= 8:
                other = _described(sentence, words, at)
                if other and "also" in words[max(0, at - 2) : at]:
                    alias = phrase_name(sentence.tokens, sentence.tags, *phrase)
                    yield from make(sentence, index, *other, "called", aliases=(alias,) if alias else ())
                else:
                    long = phrase_name(sentence.tokens, sentence.tags, *other) if other else ""
                    yield from make(sentence, index, *phrase, "called", aliases=(long,) if long else ())


def _described(sentence: Sentence, words: list[str], at: int) -> tuple[int, int] | None:
    """The phrase of more than one word right before "(informally) called", "(also known as", that has two names."""
    end = at
    while end and (words[end - 1] in ("(", ",", "also", "often") or sentence.tags[end - 1] == "RB"):
        end -= 1
    if words[at] in _NAMES_ANOTHER or words[at] == "refer":
        return None
    return next((phrase for phrase in sentence.phrases if phrase[1] == end and end - phrase[0] > 1), None)


_NAMES_ANOTHER = frozenset(("call", "term", "dub"))


def _given_name(sentence: Sentence, at: int, words: list[str]) -> tuple[int, int] | None:
    """The name in "we call this pass the flood step": what is emphasised, else the phrase after "this pass"."""
    marked = next(
        (mark for mark in sentence.marks if at <= mark.first <= at + 8 and mark.style in ("emph", "bold")), None
    )
    if marked is not None:
        return marked.first, marked.last
    phrase = phrase_at(sentence, at)
    if phrase is not None and at < len(words) and words[at] in ("this", "these", "such", "each"):
        return next((later for later in sentence.phrases if phrase[1] <= later[0] <= phrase[1] + 2), phrase)
    return phrase


def _proposed(sentence: Sentence, words: list[str], index: int) -> Iterable[Candidate]:
    for at, word in enumerate(words):
        if word not in _PROPOSE and word not in _USE:
            continue
        before = words[max(0, at - 4) : at]
        if (
            word in _PROPOSE
            and at
            and sentence.tokens[at - 1].kind == "cite"
            and sentence.role in ("method", "background")
        ):
            phrase = phrase_at(sentence, at + 1)
            if phrase and phrase[0] - at <= 4:
                yield from make(sentence, index, *within(sentence, phrase, words), "used")
            continue
        subject = bool(_WE & set(before)) or (bool(_PAPER & set(before)) and word.endswith(("e", "p", "t")) is not None)
        if not subject or sentence.tags[at].startswith("NN"):
            continue
        phrase = phrase_at(sentence, at + 1)
        if phrase is None or phrase[0] - at > 4 or words[phrase[1] - 1] in _QUESTIONS:
            continue
        phrase = within(sentence, phrase, words)
        head = words[phrase[1] - 1]
        if word in _PROPOSE and sentence.role != "related":
            yield from make(sentence, index, *phrase, "proposed")
        elif word in _USE and (is_process_word(head) or inner_capital(sentence.tokens[phrase[1] - 1].text)):
            yield from make(sentence, index, *phrase, "used")


def _emphasised(sentence: Sentence, index: int) -> Iterable[Candidate]:
    for mark in sentence.marks:
        title = sentence.opens and mark.first <= 1 and mark.style == "bold"
        if title or mark.style not in ("emph", "bold", "caps") or mark.last - mark.first > 6:
            continue
        before = [token.text.lower() for token in sentence.tokens[: mark.first]]
        if _QUESTIONS & set(before) and before[-1] in ("is", "are", "be", "of", "in"):
            continue
        inside = [p for p in sentence.phrases if mark.first <= p[0] and p[1] <= mark.last]
        covers = inside and inside[-1][1] - inside[0][0] >= mark.last - mark.first - 1 and len(inside) == 1
        phrase = next((p for p in sentence.phrases if p[0] <= mark.first and mark.last <= p[1]), None)
        if covers:
            phrase = inside[0]
        if phrase and phrase[0] < mark.first and sentence.tokens[phrase[0]].text.lower() in _WORDS:
            phrase = (mark.first, phrase[1])
        if phrase and mark.first < mark.last:
            near = phrase[1] - mark.last <= 1 and mark.first - phrase[0] <= 1
            plain = (
                sentence.tags[phrase[0]] in ("JJ", "NN", "NNP", "NNS") and step_verb(sentence.tokens[phrase[0]]) is None
            )
            wide = phrase if near and (plain or phrase[0] == mark.first) else (mark.first, mark.last)
            yield from make(sentence, index, *wide, "emphasis")

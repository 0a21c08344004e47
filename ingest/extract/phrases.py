"""Candidates from what sentences say: named, proposed, defined and emphasised things, and what lists begin with."""

from collections.abc import Iterable, Sequence

from ingest.extract.candidates import Candidate, Source
from ingest.extract.naming import is_shell, phrase_name
from ingest.extract.sentences import Sentence
from ingest.extract.steps import step_verb
from ingest.extract.words import is_process_word, stems, vocabulary
from ingest.latex.reading import text_of

__all__ = ["inner_capital", "listed", "make", "named"]

_CALLED = {("called",), ("termed",), ("named",), ("dubbed",), ("coined",), ("known", "as"), ("referred", "to", "as"),
           ("denoted", "as"), ("call",), ("term",), ("dub",), ("refer", "to", "as"), ("so-called",)}  # fmt: skip
_PROPOSE = vocabulary("phrases", "propose")
_USE = vocabulary("phrases", "use")
_WE = vocabulary("phrases", "we")
_PAPER = vocabulary("phrases", "paper")
_SKIP = vocabulary("phrases", "skip")


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
        found += _defined(sentence, words, index)
        for candidate in _emphasised(sentence, index):
            key = stems(candidate.name)
            if key not in emphasised:
                emphasised.add(key)
                found.append(candidate)
    return found


def make(sentence: Sentence, index: int, first: int, last: int, source: Source, **more: object) -> Iterable[Candidate]:
    """The candidate that tokens ``[first, last)`` name, or nothing if they name nothing."""
    name = phrase_name(sentence.tokens, sentence.tags, first, last)
    if name and len(name.split()) <= 7:
        after = sentence.tokens[last : last + 2]
        yield Candidate(
            name, source, sentence.start, sentence.end, sentence.node, sentence.role, sentence.appendix, index,
            cited=any(token.kind == "cite" for token in after), **more,  # type: ignore[arg-type] # -- aliases, clause
        )  # fmt: skip


def _phrase_at(sentence: Sentence, at: int, reach: int = 3) -> tuple[int, int] | None:
    """The noun phrase that begins at token `at`, or after at most `reach` determiners and quotation marks."""
    while reach and at < len(sentence.tokens) and sentence.tokens[at].text.lower() in _SKIP:
        at, reach = at + 1, reach - 1
    return next(((first, last) for first, last in sentence.phrases if first <= at < last or 0 <= first - at <= 1), None)


def _inner(sentence: Sentence, phrase: tuple[int, int], words: list[str]) -> tuple[int, int]:
    """An empty head gives way to what follows "of" or "for": "an implementation of the stretch move"."""
    first, last = phrase
    if last < len(words) and words[last] in ("of", "for") and is_shell(text_of(sentence.tokens[first:last])):
        return next(((a, b) for a, b in sentence.phrases if last < a <= last + 3), phrase)
    if last < len(words) and words[last] in ("of", "for") and words[last - 1] in _SHELL_HEADS:
        return next(((a, b) for a, b in sentence.phrases if last < a <= last + 3), phrase)
    return phrase


_SHELL_HEADS = vocabulary("phrases", "shell_heads")


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
                found += make(sentence, index, *_inner(sentence, (first, last), words), "listed")
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
                _given_name(sentence, at + size, words) if word in _NAMES_ANOTHER else _phrase_at(sentence, at + size)
            )
            phrase = (max(phrase[0], at + size), phrase[1]) if phrase else None
            if phrase and phrase[0] < phrase[1] and phrase[0] - at - size <= 8:
                yield from make(sentence, index, *phrase, "called")


_NAMES_ANOTHER = frozenset(("call", "term", "dub"))


def _given_name(sentence: Sentence, at: int, words: list[str]) -> tuple[int, int] | None:
    """The name in "we call this pass the flood step": what is emphasised, else the phrase after "this pass"."""
    marked = next(
        (mark for mark in sentence.marks if at <= mark.first <= at + 8 and mark.style in ("emph", "bold")), None
    )
    if marked is not None:
        return marked.first, marked.last
    phrase = _phrase_at(sentence, at)
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
            phrase = _phrase_at(sentence, at + 1)
            if phrase and phrase[0] - at <= 4:
                yield from make(sentence, index, *_inner(sentence, phrase, words), "used")
            continue
        subject = bool(_WE & set(before)) or (bool(_PAPER & set(before)) and word.endswith(("e", "p", "t")) is not None)
        if not subject or sentence.tags[at].startswith("NN"):
            continue
        phrase = _phrase_at(sentence, at + 1)
        if phrase is None or phrase[0] - at > 4:
            continue
        phrase = _inner(sentence, phrase, words)
        head = words[phrase[1] - 1]
        if word in _PROPOSE and sentence.role != "related":
            yield from make(sentence, index, *phrase, "proposed")
        elif word in _USE and (is_process_word(head) or inner_capital(sentence.tokens[phrase[1] - 1].text)):
            yield from make(sentence, index, *phrase, "used")


def _defined(sentence: Sentence, words: list[str], index: int) -> Iterable[Candidate]:
    if not sentence.phrases or sentence.role in ("related", "intro", "abstract"):
        return
    for at, word in enumerate(words):
        if word == "define" and at and words[at - 1] in ("we", "also", "us", "to", "can", "then", "now", "i"):
            phrase = _phrase_at(sentence, at + 1)
            if phrase:
                yield from make(sentence, index, *phrase, "definition")
        if (
            word == "defined"
            and words[at - 1 : at]
            and words[at - 1] in ("is", "are", "be", "then", "thus")
            and "as" in words[at : at + 3]
        ):
            before = [phrase for phrase in sentence.phrases if phrase[1] <= at]
            if before and at - before[-1][1] <= 4:
                yield from make(sentence, index, *before[-1], "definition")
    yield from _equated(sentence, words, index)
    first, last = sentence.phrases[0]
    if first <= 1 and last < len(words) - 3 and words[last] in ("is", "are") and words[last + 1] in ("a", "an", "the"):
        more = words[last + 2 : last + 5]
        if len(stems(text_of(sentence.tokens[first:last]))) > 1 and not {
            "same",
            "first",
            "most",
            "only",
            "best",
        } & set(more):
            yield from make(sentence, index, first, last, "definition")
    if first <= 1 and words[last : last + 2] == ["refers", "to"]:
        yield from make(sentence, index, first, last, "definition")


def _equated(sentence: Sentence, words: list[str], index: int) -> Iterable[Candidate]:
    """What a display equation defines: "the acceptance ratio is given by <display>"."""
    for at, token in enumerate(sentence.tokens):
        if token.kind != "display" or at < 3:
            continue
        window = words[max(0, at - 6) : at]
        for cue in (
            ("is",),
            ("is", "given", "by"),
            ("as",),
            ("is", "defined", "as"),
            ("by",),
            ("becomes",),
            ("reads",),
            (":",),
        ):
            if tuple(window[-len(cue) :]) == cue:
                before = [phrase for phrase in sentence.phrases if phrase[1] <= at - len(cue)]
                if before and at - len(cue) - before[-1][1] <= 3:
                    head = _head_phrase(before, words)
                    yield from make(sentence, index, *head, "definition")
                break


def _head_phrase(phrases: Sequence[tuple[int, int]], words: Sequence[str]) -> tuple[int, int]:
    """The last phrase, or the one it hangs on by "of": "the autocovariance function of a series"."""
    for earlier, later in zip(reversed(phrases[:-1]), reversed(phrases), strict=False):
        between = words[earlier[1] : later[0]]
        if between[:1] in (["of"], ["for"]) and len(between) <= 2:
            return earlier
        break
    return phrases[-1]


def _emphasised(sentence: Sentence, index: int) -> Iterable[Candidate]:
    for mark in sentence.marks:
        title = sentence.opens and mark.first <= 1 and mark.style == "bold"
        if title or mark.style not in ("emph", "bold", "caps") or mark.last - mark.first > 6:
            continue
        inside = [p for p in sentence.phrases if mark.first <= p[0] and p[1] <= mark.last]
        covers = inside and inside[-1][1] - inside[0][0] >= mark.last - mark.first - 1 and len(inside) == 1
        phrase = next((p for p in sentence.phrases if p[0] <= mark.first and mark.last <= p[1]), None)
        if covers:
            phrase = inside[0]
        if phrase and mark.first < mark.last:
            near = phrase[1] - mark.last <= 1 and mark.first - phrase[0] <= 1
            plain = (
                sentence.tags[phrase[0]] in ("JJ", "NN", "NNP", "NNS") and step_verb(sentence.tokens[phrase[0]]) is None
            )
            wide = phrase if near and (plain or phrase[0] == mark.first) else (mark.first, mark.last)
            yield from make(sentence, index, *wide, "emphasis")


def inner_capital(word: str) -> bool:
    """Whether a word has a capital after its first letter: "RMSProp", "VAE"."""
    return len(word) > 1 and any(c.isupper() for c in word[1:])

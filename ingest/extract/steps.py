"""Candidates from what a paper does: "we then compute the X", "by sampling Y from Z", "W is trained on V"; and from
lines of pseudo-code that read as English: "select parents based on fitness"."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ingest.extract.asserting import asserted
from ingest.extract.candidates import Candidate
from ingest.extract.naming import gerund, is_shell
from ingest.extract.outline import Outline
from ingest.extract.sentences import Sentence
from ingest.extract.tagging import tag
from ingest.extract.wholeness import is_means, is_ours, is_whole
from ingest.extract.words import (
    CONCEPT_HEADS,
    DETERMINERS,
    GENERIC,
    STEP_VERBS,
    STOCK,
    commonness,
    is_process_word,
    vocabulary,
)  # fmt: skip
from ingest.latex.reading import Block, Reading, Token, text_of
from kg.words import stem

__all__ = ["MOST_LINES", "algorithm_steps", "step_verb", "steps"]

_LEADS = vocabulary("steps", "leads")
_WEAK_LEADS = vocabulary("steps", "weak_leads")
_PREPOSITIONS = vocabulary("steps", "prepositions")
_PARTICLES = vocabulary("steps", "particles")
_INTRANSITIVE = vocabulary("steps", "intransitive")
_BE = vocabulary("steps", "be")
_VERB_STEMS = {stem(verb): verb for verb in sorted(STEP_VERBS)}
_NAMING = vocabulary("steps", "naming")
_USING = frozenset(("use", "apply"))
_VAGUE = vocabulary("steps", "vague")
_ROLES = frozenset(("method", "background", "experiment", "conclusion"))
_INSIDE = frozenset(("DT", "PRP$", "JJ", "JJR", "JJS", "NN", "NNS", "NNP", "NNPS", "VBN", "VBG", "CD", "SYM"))
_CUT_OFF = re.compile(r" (?:in|to|from|into|with|by|over|on|using|across|onto|at|without|as|under|via|through) .*")
_LONGEST = 11
MOST_LINES = 12
"""Lines of one algorithm that become steps."""
_NOT = vocabulary("steps", "not")


@dataclass(frozen=True, slots=True)
class Step:
    """`name` is short (verb, object, perhaps one complement) and `other` all of it, or the other way round if it is
    told `whole` by who does just this; `weight` says how sure a step it is."""

    name: str
    other: str
    weight: float
    whole: bool = False


def steps(sentences: Sequence[Sentence]) -> list[Candidate]:
    """Steps told in running text of all but introduction, abstract and related work."""
    found: list[Candidate] = []
    for index, sentence in enumerate(sentences):
        if sentence.role not in _ROLES or sentence.zone not in ("text", "item", "footnote"):
            continue
        place = -0.15 if sentence.role in ("experiment", "conclusion") else 0.0
        place -= 0.15 if sentence.appendix else 0.0
        place += 0.10 if any(token.kind == "display" for token in sentence.tokens) else 0.0
        for step in _of_sentence(sentence.tokens, sentence.tags):
            found.append(
                Candidate(
                    step.name, "step", sentence.start, sentence.end, sentence.node, sentence.role, sentence.appendix,
                    index, (step.other,) if step.other != step.name else (), weight=round(step.weight + place, 3),
                    whole=step.whole and sentence.role in ("method", "background"),
                )
            )  # fmt: skip
    return found


def algorithm_steps(reading: Reading, plan: Outline) -> list[Candidate]:
    """Steps of each algorithm in its order, at most `MOST_LINES`."""
    lines = {algorithm.start: algorithm.lines for algorithm in reading.algorithms}
    found: list[Candidate] = []
    for index, node in enumerate(plan.nodes):
        if node.kind == "algorithm":
            of_lines = [(step, line) for line in map(_words_of, lines[node.start]) for step in _of_line(line)]
            for step, line in of_lines[:MOST_LINES]:
                found.append(
                    Candidate(
                        step.name, "step", line[0].start, line[-1].end, index, node.role, node.appendix,
                        aliases=(step.other,) if step.other != step.name else (), text=text_of(line),
                    )
                )  # fmt: skip
    return found


def _words_of(line: Block) -> list[Token]:
    """A line's tokens from its first word on."""
    first = next((at for at, token in enumerate(line.tokens) if token.kind != "punct"), len(line.tokens))
    return line.tokens[first:]


def _of_line(tokens: Sequence[Token]) -> Iterable[Step]:
    if 3 <= len(tokens) <= 24 and not any(token.text in ("=", "←") for token in tokens[:4]):
        base = step_verb(tokens[0])
        if base is not None:
            yield from (step for step in object_step(base, tokens, tag(tokens), 1) if not is_shell(step.name))


def step_verb(token: Token) -> str | None:
    """The base form of a verb of doing, or None."""
    low = token.text.lower()
    return _VERB_STEMS.get(stem(low)) if token.kind == "word" and low.replace("-", "").isalpha() else None


def _of_sentence(tokens: Sequence[Token], tags: Sequence[str]) -> Iterable[Step]:
    words = [token.text.lower() for token in tokens]
    for at, token in enumerate(tokens):
        base = step_verb(token)
        if base is None:
            continue
        low, before = words[at], words[at - 1] if at else ""
        if _NOT & set(words[max(0, at - 3) : at]) or not asserted(words, tags, at):
            continue
        if tags[at] in ("VB", "VBP") or (low == base and before in ("we", "to", "then")):
            if before in _LEADS or at == 0 or before in _WEAK_LEADS:
                subject = 0.15 if "we" in words[max(0, at - 3) : at] or at == 0 or before in ("then", "first") else 0.0
                yield from object_step(base, tokens, tags, at + 1, subject, before == "to" or is_ours(words, at))
        elif tags[at] == "VBG" or low == gerund(base):
            if before in ("by", "then", "first"):
                means = before == "by" and is_means(words, at)
                yield from object_step(base, tokens, tags, at + 1, 0.10 if before == "by" else 0.0, means)
        elif tags[at] in ("VBN", "VBD") and (before in _BE or (tags[at - 1] == "RB" and _BE & set(words[at - 2 : at]))):
            yield from _passive(base, tokens, tags, at)


def object_step(
    base: str, tokens: Sequence[Token], tags: Sequence[str], at: int, weight: float = 0.0, ours: bool = False
) -> Iterable[Step]:
    """The step of verb `base`, done by `ours`, whose object, or complement ("marginalize over X"), begins at token
    `at`."""
    particle = ""
    if at < len(tokens) and tokens[at].text.lower() in _PARTICLES:
        if base not in _INTRANSITIVE:
            return
        particle, at = tokens[at].text.lower() + " ", at + 1
        weight -= 0.05
    ends = _object_ends(tokens, tags, at)
    if not ends:
        return
    short, full = text_of(tokens[at : ends[0]]), text_of(tokens[at : ends[-1]])
    if "=" in short or tokens[at].text.lower() in ("no", "not"):
        return
    if base in _NAMING and not particle:
        names = [" ".join(_without_determiner(text)) for text in (_CUT_OFF.sub("", short), full)]
        head = names[0].split(" of ")[0].split(" for ")[0].split(" in ")[0].split()
        if len(head) > 1 and is_process_word(head[-1]):
            yield Step(names[0], names[1], weight - 0.05, ours and names[0].lower() not in STOCK)
        return
    whole = ours and is_whole(base, tokens, tags, at, ends[-1])
    doing = f"{gerund(base)} {particle}"
    name, other = (full, short) if whole else (short, full)
    yield Step(doing + name, doing + other, weight, whole)


def _without_determiner(text: str) -> list[str]:
    words = text.split()
    while len(words) > 1 and words[0].lower() in DETERMINERS:
        words = words[1:]
    return words


def _passive(verb: str, tokens: Sequence[Token], tags: Sequence[str], at: int) -> Iterable[Step]:
    """ "the X of Y is computed by Z" gives "computing the X of Y by Z"."""
    end = at - 1 if tokens[at - 1].text.lower() in _BE else at - 2
    begin = _subject_start(tokens, tags, end)
    if begin < end and tokens[begin].text.lower() in ("no", "not", "none"):
        return
    if (
        begin == end
        or (begin and tokens[begin - 1].text.lower() in _PREPOSITIONS)
        or tokens[begin].text.lower() in _VAGUE
        or not _telling(tokens[begin:end], tags[begin:end])
    ):
        return
    if verb in _NAMING:
        name = " ".join(_without_determiner(text_of(tokens[begin:end])))
        opens = begin == 0 or tokens[begin - 1].text == ","
        if opens and verb in _USING and is_process_word(name.split()[-1]) and is_whole(verb, tokens, tags, begin, end):
            yield Step(name, name, -0.05, whole=True)
        return
    name = f"{gerund(verb)} {_lower_first(text_of(tokens[begin:end])) if begin == 0 else text_of(tokens[begin:end])}"
    following = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
    full = name
    if following in _PREPOSITIONS - {"in", "as", "at", "under", "for"}:
        ends = _object_ends(tokens, tags, at + 2, longest=5)
        full = f"{name} {following} {text_of(tokens[at + 2 : ends[0]])}" if ends else name
    yield Step(name, full, 0.08)


def _subject_start(tokens: Sequence[Token], tags: Sequence[str], end: int) -> int:
    """Where the subject that ends at `end` begins: its noun phrase, and the one that "of" or "for" ties it to."""
    begin = end
    while begin > 0 and end - begin < 9:
        low = tokens[begin - 1].text.lower()
        inside = (
            tags[begin - 1] in _INSIDE
            and tokens[begin - 1].kind in ("word", "math")
            and low not in ("that", "if", "when")
        )
        tie = low in ("of", "for", "in") and begin < end and begin > 1 and tags[begin - 2].startswith("NN")
        if not inside and not tie:
            break
        if not tie and begin < end and tags[begin] in ("DT", "PRP$"):
            break
        begin -= 1
    while begin < end and tokens[begin].text.lower() in _PREPOSITIONS:
        begin += 1
    return begin


def _lower_first(text: str) -> str:
    """A subject moved from the start of a sentence loses its capital, unless its first word is a name."""
    first = text.split(" ", 1)[0]
    common = first.lower() in DETERMINERS or (first.istitle() and commonness(first.lower()) > 0)
    return text[:1].lower() + text[1:] if common else text


def _object_ends(tokens: Sequence[Token], tags: Sequence[str], begin: int, longest: int = _LONGEST) -> list[int]:
    """Where the object that begins at `begin` may end: after its first noun phrase (with one short complement), and
    after all complements; empty if it tells nothing or runs on beyond `longest` tokens."""
    ends: list[int] = []
    at, prepositions, last_noun = begin, 0, -1
    while at < len(tokens) and at - begin < longest:
        low, guess = tokens[at].text.lower(), tags[at]
        if guess in _INSIDE and tokens[at].kind in ("word", "math") and low not in _VAGUE:
            if guess.startswith("NN") or (guess == "SYM" and len(tokens[at].text) < 12):
                last_noun = at + 1
        elif low in _PREPOSITIONS and at > begin and prepositions < 2:
            if last_noun == at and _telling(tokens[begin:at], tags[begin:at]):
                ends.append(at)
            prepositions += 1
        else:
            break
        at += 1
    if last_noun < 0 or (at < len(tokens) and tags[at].startswith("NN") and last_noun == at):
        return ends
    if _telling(tokens[begin:last_noun], tags[begin:last_noun]):
        ends.append(last_noun)
    short = next((i for i, end in enumerate(ends) if end - begin >= 3), 0)
    return ends[short:]


def _telling(tokens: Sequence[Token], tags: Sequence[str]) -> bool:
    """At least one noun that is neither a generic word of papers nor a bare quantity, and one more word with it."""
    content = []
    for token, guess in zip(tokens, tags, strict=True):
        low = token.text.lower()
        if guess in _INSIDE and guess not in ("DT", "PRP$") and low not in DETERMINERS:
            content.append((low, guess))
    nouns = [low for low, guess in content if guess.startswith("NN") and len(low) > 2]
    specific = [low for low in nouns if low not in GENERIC and low not in CONCEPT_HEADS]
    return bool(specific) and len(content) > 1

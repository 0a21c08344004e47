"""From words of a paper to a name one can put in a list: titles cleaned, phrases trimmed, shells refused."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ingest.extract.tagging import noun_phrases, tag
from ingest.extract.words import DETERMINERS, EMPTY_ADJECTIVES, EMPTY_HEADS, GENERIC, STOP, vocabulary
from ingest.latex.reading import Token, text_of
from kg.words import stem

__all__ = ["Title", "gerund", "is_shell", "phrase_name", "title_names"]

_FINITE = ("VBZ", "VBP", "VBD", "MD")
_ORDINAL = re.compile(
    r"(?:step|phase|stage|part|variant|consequence|appendix|algorithm|rq|experiment)?\d*[ivx]*[a-h]?\Z", re.IGNORECASE
)
_TALK = re.compile(
    r"^(?:details?|overview|definition|description|analysis|proofs?|effects?|examples?|results?|properties|summary|"
    r"discussion|evaluation|illustration|outline|derivation|implementation|use|usage|importance|role|case|"
    r"comparisons?|choice|notion|concept|problem|basics|intuition|motivation|introduction|background|formulation|"
    r"construction|procedure|pseudo-?code|algorithm|steps?|advantages?|limitations?|visuali[sz]ations?|statistics|"
    r"complexity|structure|performance|quality|optimality|correctness|relation(?:ship)?s?|recommendations?|"
    r"applications?|applicability|parameters|hyper-?parameters|lessons|sensitivity|robustness|generality|basics|"
    r"list|lists|alternatives?|common use cases|use cases|case stud(?:y|ies)) (?:of|for|on|to|behind|about|with"
    r"|between|in) (.+)$",
    re.IGNORECASE,
)
_DROPPED_TALK = ("result", "proof", "comparison", "example", "effect", "performance", "discussion", "statistic",
                 "visuali", "illustration", "analysis", "evaluation", "limitation", "motivation", "importance",
                 "optimality", "correctness", "relation", "recommendation", "application", "applicab", "parameter",
                 "hyper", "lesson", "sensitivity", "robustness", "generality", "quality", "advantage", "case", "list",
                 "common use", "use case", "role")  # fmt: skip
_ACRONYM = re.compile(r"(?=.{2,60}\Z)(?:[A-Za-z]?[A-Z][A-Za-z0-9+\-–*/]*[A-Z0-9][A-Za-z0-9+\-–*]*\Z|[A-Z]{2,}s?\Z)")
_GENERIC_STEMS = frozenset(stem(word) for word in GENERIC)


_TALK_HEADS = vocabulary("naming", "talk_heads")
_LEAD = re.compile(
    r"^(?:applying|using|alternative|alternate|other|additional|further|miscellaneous|various|more|some) (?=\S{3})",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s+(?:details?|overview|basics|formulation|description|discussion|concept|example|in detail|section"
    r"|introduction)\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Title:
    """A cleaned title: the name, other ways to say it, and whether it was cut out of a sentence ("X is Y")."""

    name: str
    aliases: tuple[str, ...] = ()
    clause: bool = False


def is_shell(name: str) -> bool:
    """Whether a name is made of generic title words and numbers only."""
    if _ACRONYM.match(name) and name.lower() not in GENERIC:
        return False
    words = re.findall(r"[^\W\d_]+", name.lower().replace("'s", ""))
    heads = [word for word, after in zip(words, [*words[1:], "and"], strict=True) if after == "and"]
    if any(head in _TALK_HEADS for head in heads):
        return True
    return all(
        len(word) < 2 or word in STOP or word in DETERMINERS or word in GENERIC or stem(word) in _GENERIC_STEMS
        for word in words
    )


def title_names(tokens: Sequence[Token]) -> Title | None:
    """The name in a heading, run-in head, item label or caption; None for shells, questions and plain claims."""
    parts = _split(tokens, (":", "—", "–")) if len(tokens) > 2 else [list(tokens)]
    names = [title for title in map(_name_of, parts) if title is not None]
    if len(names) > 1 and len(names[0].name.split()) == 1 and names[0].name.islower() and not names[1].clause:
        return Title(names[1].name, (*names[1].aliases, names[0].name))
    return names[0] if names else None


def _split(tokens: Sequence[Token], marks: tuple[str, ...]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.text == "(") - (token.text == ")")
        if token.text in marks and token.kind == "punct" and depth <= 0 and not (token.text == "–" and token.glued):
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _name_of(tokens: list[Token]) -> Title | None:
    tokens, short = _without_parentheses(tokens)
    while tokens and (tokens[0].kind in ("punct", "ref", "cite") or _ORDINAL.match(tokens[0].text)):
        if tokens[0].kind == "word" and len(tokens) == 1:
            break
        if tokens[0].kind == "word" and not any(c.isdigit() for c in tokens[0].text) and len(tokens[0].text) > 3:
            if len(tokens) > 1 and (_ORDINAL.match(tokens[1].text) or tokens[1].kind == "ref"):
                tokens = tokens[2:]
                continue
            break
        tokens = tokens[1:]
    if not tokens or tokens[-1].text == "?" or tokens[0].text.lower() == "not":
        return None
    tags = tag(tokens)
    tokens, clause = _subject(tokens, tags)
    text = _trim(text_of([token for token in tokens if token.kind not in ("ref", "cite", "display")]), _ARTICLES)
    text = _LEAD.sub("", text)
    text, dropped = _without_talk(_TAIL.sub("", _TAIL.sub("", text)))
    if dropped or not text or is_shell(text) or len(text.split()) > (6 if clause else 11) or len(text) < 2:
        return None
    if len(text) < 3 and not text.isupper():
        return None
    return Title(text, tuple(alias for alias in short if alias != text and not is_shell(alias)), clause)


def _without_parentheses(tokens: Sequence[Token]) -> tuple[list[Token], list[str]]:
    """Tokens outside parentheses, and the acronyms or short names found inside."""
    outside: list[Token] = []
    inside: list[Token] = []
    short: list[str] = []
    depth = 0
    for token in tokens:
        if token.text == "(" and token.kind == "punct":
            depth += 1
        elif token.text == ")" and token.kind == "punct" and depth:
            depth -= 1
            name = text_of([part for part in inside if part.kind in ("word", "math")])
            if len(inside) <= 3 and _ACRONYM.match(name) and len(name) > 1:
                short.append(name)
            inside = []
        elif depth:
            inside.append(token)
        else:
            outside.append(token)
    return outside or list(tokens), short


def _subject(tokens: list[Token], tags: Sequence[str]) -> tuple[list[Token], bool]:
    """A title that is a clause keeps its subject: "Granularity is a free knob" gives "Granularity"."""
    for at, guess in enumerate(tags):
        low = tokens[at].text.lower()
        if (
            guess in ("WDT", "WP", "WRB", "EX", "PRP")
            or low == "that"
            or (guess in ("CC", "IN") and low in ("if", "why", "how", "what", "when"))
        ):
            return ([], True) if at == 0 else (tokens[:at], True)
        if guess in _FINITE and at and low not in ("based", "learned", "weighted"):
            definite = guess in ("VBZ", "MD") or low in ("are", "were", "was", "have", "had", "do")
            phrases = noun_phrases(tokens[:at], tags[:at])
            if definite and phrases and phrases[0][0] <= 1:
                return tokens[: phrases[-1][1]], True
            if definite:
                return [], True
    return tokens, False


_ARTICLES = vocabulary("naming", "articles")


def _trim(text: str, leading: frozenset[str] = DETERMINERS | _ARTICLES) -> str:
    text = re.sub(r"^[\s\"'“”‘’.,;:()\-–—]+|[\s\"'“”‘’.,;:(\-–—]+$", "", text)
    words = text.split()
    while len(words) > 1 and words[0].lower() in leading:
        words = words[1:]
    if len(words) > 1 and words[0] in EMPTY_HEADS and all(_ACRONYM.match(word) for word in words[1:]):
        words = words[1:]
    while len(words) > 1 and words[-1].lower() in STOP | {"using", "based", "procedure's"}:
        if words[-1].isupper() or len(words[-1]) < 2:
            break
        words = words[:-1]
    return " ".join(words)


def _without_talk(text: str) -> tuple[str, bool]:
    match = _TALK.match(text)
    if match is None:
        return text, False
    if match[0].lower().startswith(_DROPPED_TALK):
        return "", True
    return _trim(match[1], _ARTICLES), False


_NOT_FIRST = frozenset(("use", "using", "uses", "via", "let", "±"))
_REPORTED = vocabulary("naming", "reported")


def phrase_name(tokens: Sequence[Token], tags: Sequence[str], first: int, last: int) -> str:
    """A noun phrase as a name: leading determiners and empty adjectives off, at least one telling word, else ""."""
    if (
        first + 1 < last
        and tags[first] in ("VBN", "VBD")
        and (tokens[first].text.lower() in _REPORTED or (first and tags[first - 1] in ("PRP", "MD", "VBZ", "VBP")))
    ):
        first += 1
    while first < last and (
        tokens[first].text.lower() in _NOT_FIRST
        or tokens[first].kind == "punct"
        or tokens[first].text.lower() in DETERMINERS
        or tokens[first].text.lower() in EMPTY_ADJECTIVES
        or tags[first] in ("CD", "RB")
    ):
        first += 1
    while last > first and tokens[last - 1].kind not in ("word", "math"):
        last -= 1
    name = _trim(text_of(tokens[first:last]))
    return "" if len(name) < 3 or "and/or" in name or is_shell(name) or not re.search(r"[A-Za-z]{2}", name) else name


def gerund(verb: str) -> str:
    """The -ing form of an English verb in its base form."""
    low = verb.lower()
    head, _, tail = low.rpartition("-")
    if tail.endswith("ie"):
        tail = tail[:-2] + "y"
    elif tail.endswith("e") and not tail.endswith(("ee", "oe", "ye")):
        tail = tail[:-1]
    elif re.fullmatch(r"[^aeiou]*[aeiou][bdgklmnprt]", tail) or tail in _DOUBLING:
        tail += tail[-1]
    return f"{head}-{tail}ing" if head else tail + "ing"


_DOUBLING = frozenset(("permit", "embed", "submit", "commit", "transmit", "refit", "transfer", "resubmit", "regret"))

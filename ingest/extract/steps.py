"""Candidates from what a paper does: "we then compute the X", "by sampling Y from Z", "W is trained on V"."""

import re
from collections.abc import Iterable, Sequence

from ingest.extract.candidates import Candidate, Source
from ingest.extract.naming import gerund, is_shell
from ingest.extract.reader import Token
from ingest.extract.sentences import Sentence, readable
from ingest.extract.tagging import tag
from ingest.extract.words import CONCEPT_HEADS, DETERMINERS, GENERIC, STEP_VERBS, stem

__all__ = ["object_phrase", "pseudo_code_steps", "steps"]

_LEADS = frozenset(
    "we then first by and to or next finally also i simply instead must can will should would may always thus".split()
)
_PREPOSITIONS = frozenset(
    "of in to from into with by over on using for between across onto at without as under via through".split()
)
_BE = frozenset("is are was were be being been".split())
_VERB_STEMS = {stem(verb): verb for verb in sorted(STEP_VERBS)}
_VAGUE = frozenset("it them this that these those which what something others us one ones everything".split())
_ROLES = frozenset(("method", "background", "experiment", "conclusion"))
_MOST_WORDS = 9


def steps(sentences: Sequence[Sentence]) -> list[Candidate]:
    """Steps told in running text of all but introduction, abstract and related work."""
    found: list[Candidate] = []
    for index, sentence in enumerate(sentences):
        if sentence.role in _ROLES and sentence.zone in ("text", "item", "footnote"):
            for name in _of_sentence(sentence.tokens, sentence.tags):
                found.append(_candidate(name, "step", sentence, index))
    return found


def _candidate(name: str, source: Source, sentence: Sentence, index: int) -> Candidate:
    return Candidate(name, source, sentence.start, sentence.end, sentence.node, sentence.role, sentence.appendix, index)


def _of_sentence(tokens: Sequence[Token], tags: Sequence[str]) -> Iterable[str]:
    for at, token in enumerate(tokens):
        low = token.text.lower()
        if token.kind != "word" or not low.replace("-", "").isalpha():
            continue
        base = _VERB_STEMS.get(stem(low))
        if base is None:
            continue
        before = tokens[at - 1].text.lower() if at else ""
        if tags[at] in ("VB", "VBP") or (low == base and before in ("we", "to", "then", "and")):
            if before in _LEADS or at == 0:
                yield from _with_object(gerund(base), tokens, tags, at + 1)
        elif tags[at] == "VBG" or low == gerund(base):
            if before in ("by", "then", "first", "and", "involves", "requires", "means") or at == 0:
                yield from _with_object(low, tokens, tags, at + 1)
        elif tags[at] in ("VBN", "VBD") and (before in _BE or (at > 1 and tokens[at - 2].text.lower() in _BE)):
            yield from _passive(base, tokens, tags, at)


def _with_object(verb: str, tokens: Sequence[Token], tags: Sequence[str], at: int) -> Iterable[str]:
    phrase = object_phrase(tokens, tags, at)
    if phrase:
        yield f"{verb} {phrase}"


def _passive(verb: str, tokens: Sequence[Token], tags: Sequence[str], at: int) -> Iterable[str]:
    """ "the X is computed by Y" gives "computing the X by Y"."""
    end = at - 1 if tokens[at - 1].text.lower() in _BE else at - 2
    begin = end
    while (
        begin > 0
        and end - begin < 6
        and tags[begin - 1] in _INSIDE
        and tokens[begin - 1].text.lower() not in ("that", "if")
    ):
        begin -= 1
    words = [token for token in tokens[begin:end] if token.kind in ("word", "math")]
    if not words or words[0].text.lower() in _VAGUE or not _telling(tokens[begin:end], tags[begin:end]):
        return
    tail = object_phrase(tokens, tags, at + 1, lead=_PREPOSITIONS - {"in", "as", "at", "under", "for"}, most=5)
    yield " ".join(part for part in (gerund(verb), readable(tokens[begin:end]), tail) if part)


_INSIDE = frozenset(("DT", "PRP$", "JJ", "JJR", "JJS", "NN", "NNS", "NNP", "NNPS", "VBN", "VBG", "CD", "SYM"))


def object_phrase(
    tokens: Sequence[Token],
    tags: Sequence[str],
    at: int,
    *,
    lead: frozenset[str] = frozenset(),
    most: int = _MOST_WORDS,
) -> str:
    """The object that begins at token `at`, with up to two prepositional phrases; "" if it tells nothing.

    With `lead`, the phrase must begin with one of these prepositions.
    """
    begin, prepositions, last_noun = at, 0, -1
    if lead:
        if at >= len(tokens) or tokens[at].text.lower() not in lead:
            return ""
        at += 1
    while at < len(tokens) and at - begin < most:
        low, guess = tokens[at].text.lower(), tags[at]
        if guess in _INSIDE and tokens[at].kind in ("word", "math") and low not in _VAGUE:
            if guess.startswith("NN") or (guess == "SYM" and len(tokens[at].text) < 12):
                last_noun = at
        elif low in _PREPOSITIONS and at > begin and prepositions < 2:
            prepositions += 1
        elif not (
            low == "and"
            and at > begin
            and tags[at - 1].startswith("NN")
            and at + 1 < len(tokens)
            and tags[at + 1] in ("NN", "NNS", "JJ")
            and prepositions < 2
        ):
            break
        at += 1
    else:
        if at < len(tokens) and tags[at].startswith("NN") and tags[at - 1] in _INSIDE:
            return ""
    if last_noun < 0 or not _telling(tokens[begin : last_noun + 1], tags[begin : last_noun + 1]):
        return ""
    return readable(tokens[begin : last_noun + 1])


def _telling(tokens: Sequence[Token], tags: Sequence[str]) -> bool:
    """At least one noun that is neither a generic word of papers nor a bare quantity, and one more word with it."""
    nouns = [token.text.lower() for token, guess in zip(tokens, tags, strict=True) if guess.startswith("NN")]
    content = [t.text.lower() for t, g in zip(tokens, tags, strict=True) if g in _INSIDE and g not in ("DT", "PRP$")
               and t.text.lower() not in DETERMINERS]  # fmt: skip
    specific = [noun for noun in nouns if noun not in GENERIC and noun not in CONCEPT_HEADS and len(noun) > 2]
    return bool(specific) and len(content) > 1


_KEYWORD = re.compile(
    r"\\(?:STATE|State|STATEX|Statex|RETURN|Return|FOR|For|ForAll|FORALL|ForEach|WHILE|While|IF|If|ELSIF|ElsIf|ELSE|Else|"
    r"ENDFOR|EndFor|ENDWHILE|EndWhile|ENDIF|EndIf|REPEAT|Repeat|UNTIL|Until|LOOP|Loop|ENDLOOP|EndLoop|PROCEDURE|Procedure|"
    r"FUNCTION|Function|EndFunction|EndProcedure|REQUIRE|Require|ENSURE|Ensure|INPUT|OUTPUT|KwIn|KwOut|KwData|KwResult|"
    r"KwRet|COMMENT|Comment|tcp|tcc|uIf|eIf|uElse|lIf|Begin|BEGIN|END|End|caption|label)\b\*?|\\;|\\\\|\n\s*\n|[{}]"
)


def pseudo_code_steps(source: str, most: int = 12) -> list[str]:
    """Lines of pseudo-code that read as English, as step names: "select parents based on fitness"."""
    from ingest.extract.reader import read

    found: list[str] = []
    for line in _KEYWORD.split(source)[:400]:
        if not 8 <= len(line.strip()) <= 300:
            continue
        blocks = read(line).blocks
        if len(blocks) != 1:
            continue
        tokens = blocks[0].tokens
        while tokens and tokens[0].kind == "punct":
            tokens = tokens[1:]
        if not 3 <= len(tokens) <= 24 or any(token.text in ("=", "←") for token in tokens[:4]):
            continue
        base = _VERB_STEMS.get(stem(tokens[0].text)) if tokens[0].kind == "word" else None
        if base is None:
            continue
        phrase = object_phrase(tokens, tag(tokens), 1)
        if phrase and not is_shell(phrase):
            found.append(f"{gerund(base)} {phrase}")
    return found[:most]

"""What a function's documentation promises it does, or leaves alone, beside what it returns.

Only what is plain is read: an exception for one parameter's value that can be made up, and sentences without condition
that say that arguments stay as they are, that something is done in place, or that what is returned is new.
"""

import re
from collections.abc import Iterator, Sequence

from agents.code.verify.docstrings import split
from agents.code.verify.sayings import exceptions_said

__all__ = ["IN_PARTS", "effects"]

_NAME = r"[`'\"*]{0,2}(\w+)[`'\"*]{0,2}"
_VALUES = (
    ("nonpositive", r"(?:not (?:strictly )?positive|non-?positive|negative or (?:zero|0)|(?:zero|0) or negative|<= ?0"
                    r"|less than or equal to (?:zero|0))"),
    ("negative", r"(?:negative|(?:less|smaller|lower) than (?:zero|0)|below (?:zero|0)|< ?0)"),
    ("zero", r"(?:equal to |== ?)?(?:zero|0)"),
    ("empty", r"empty"),
    ("none", r"None"),
)  # fmt: skip
"""What is said of a parameter, the closer first."""
_THAN = (
    ("at most", r"(?:not (?:strictly )?(?:above|over|(?:greater|larger|more|bigger) than)|at most|no more than"
                r"|<=|less than or equal to|smaller than or equal to)"),
    ("below", r"(?:below|under|less than|smaller than|lower than|<(?!=))"),
)  # fmt: skip
"""The same of one that is held against another."""
_ITEM = r"(?:values?|items?|entr(?:y|ies)|elements?|numbers?|weights?|counts?)"
_THING = r"(?:input|list|sequence|array|argument|values?|numbers?|string|data|iterable|tuple|text)"
_RAISED = re.compile(
    r"\b([A-Z]\w*(?:Error|Exception))\b[`'\"]{0,2}[\s:–-]*(?:(?:is|will be) raised )?(?:if|when|for|on) ([^.;]*)", re.I
)
_NOT = re.compile(r"(?i)\b(?:not|never|no longer|without|instead of|rather than)\b[^.]{0,25}$|\bno [`'\"]*$")
_END = re.compile(
    r" *[`'\"]{0,2} *(?:[,)]? *$| or\b|,? [A-Z]\w*(?:Error|Exception)\b| [:@]\w+| (?:Examples?|Notes?|References)\b)"
)
_CONDITION = re.compile(
    r"(?i)\b(?:if|unless|when|where|whether|may|might|can|could|should|must|except|only|otherwise|optional\w*|default\w*"
    r"|inplace=|copy=|expects?|assum\w*|needs?|let)\b|>>>|\?"
)
_ALL = (
    r"(?:(?:the|its|their|any of its|any of the|your) )?(?:(?:original |given |passed )?"
    r"(?:arguments?|inputs?|parameters?|operands?)"
    r"|(?:original|given|passed|input) (?:list|array|matrix|dict(?:ionary)?|sequence|tensor|mapping|set|collection)"
    r"|the (?:list|array|matrix|dict(?:ionary)?|sequence|tensor|mapping|set|collection) itself)"
)
_CHANGE = (
    r"(?:modif(?:y|ies|ied|ying)|chang(?:e|es|ed|ing)|mutat(?:e|es|ed|ing)|alter(?:s|ed|ing)?|touch(?:es|ed|ing)?"
    r"|overwrit(?:e|es|ten|ing)|disturb(?:s|ed|ing)?|tamper(?:s|ed|ing)? with|writ(?:e|es|ing) to)"
)
_AS_IT_WAS = (
    r"(?:unchanged|untouched|unmodified|unaltered|unaffected|undisturbed|intact|alone|be|pristine"
    r"|(?:exactly |just )?as (?:it|they) (?:is|are|was|were))"
)
_WHOLE = r"(?=[.,;:)]| in[- ]place\b|$)"
_UNCHANGED = re.compile(
    rf"(?i)\b(?:(?:does|do|will) not|doesn't|never|without) {_CHANGE} "
    rf"(?:({_ALL})|(?:the )?(?:original |given |input )?{_NAME}){_WHOLE}"
    rf"|\b(?:({_ALL})|{_NAME}) (?:[^.;:,]{{1,60}} and )?(?:is|are|stays?|remains?)(?: left)? "
    rf"(?:(?:not|never) {_CHANGE}|{_AS_IT_WAS}){_WHOLE}"
    rf"|(?<!that )(?<!which )\b(?:leav(?:es?|ing)|keep(?:s|ing)?)"
    rf" (?:({_ALL})|(?:the )?(?:original |given |input )?{_NAME}) "
    rf"{_AS_IT_WAS}{_WHOLE}"
)
_PURE = re.compile(
    r"(?i)\b(?:is |an? )?pure(?:ly functional)? function\b"
    r"|\b(?:free of|no|without(?: any)?) side[- ]effects?\b(?! (?:beside|beyond|other))"
    r"|\bside[- ]effect[- ]free\b|\bnon-?destructive(?:ly)?\b"
    r"|\b(?:callers?'?s?'?|input|argument|original|given)(?:'s)? ?\w* (?:is|are|stays?|remains?|comes? out)"
    r" (?:(?:none|not|no|never|un) ?(?:the worse|harmed|affected|damaged|touched|disturbed)"
    r"|(?:exactly |just )?(?:as|what|where) (?:it|they) (?:was|were|is|are)|intact|pristine|safe|alone)"
    r"|\bnothing (?:of |in )?(?:what )?(?:it |is )?(?:the )?(?:given|passed|arguments?|inputs?)"
    r" (?:is|gets) (?:changed|touched|modified)"
)
"""Whatever is said to be left alone: all arguments."""
_NEW = re.compile(
    r"(?i)^(?:(?:returns?|gives?|makes?|creates?) )?(?:an? |the )?"
    r"(?:(?:new|fresh) (?:list|array|dict\w*|set|tensor|ndarray)"
    r"|(?:deep |shallow |new )?copy of)\b"
    r"|\b(?:in|as|into|on) (?:an? )?(?:(?:brand[- ])?new|fresh|separate|own)"
    r" (?:list|array|dict\w*|set|tensor|ndarray|copy)\b"
    r"|\b(?:works?|working|operates?|acts?) on (?:a|its own) (?:\w+ )?copy\b|^an? (?:\w+ ){0,2}copy of\b"
)
_AT_MOST = re.compile(
    r"(?i)(?:[,;:(–-] ?(?:and |but )?|^(?:returns? |gives? |keeps? |picks? |takes? )?)"
    rf"(?:(?:never|no|not) (?:more|longer) than|at most) {_NAME}(?: (?:items?|elements?|entries|results?|of them))?"
    r"(?=[.,;)]|$)"
)
_CASELESS = re.compile(
    r"(?i)\b(?:ignor(?:es|ing)|disregarding|regardless of|irrespective of) (?:the |their |its |letter )?"
    r"(?:case|capitali[sz]ation)\b|\bcase[- ]insensitive(?:ly)?\b|\bno matter how (?:it is|they are) capitali[sz]ed\b"
    r"|^(?:returns? )?(?:the )?(?:share|number|counts?|fraction|frequency|how (?:many|often)|whether)\b[^;:]*\bin "
    r"(?:either (?:letter )?case|(?:upper|lower|small|capital)(?:case)? or (?:lower|upper|small|capital)\b)"
)
IN_PARTS = re.compile(
    r"(?i)\b(?:each|every|per|splits?|groups?|chunks?|pieces|parts|batch\w*|windows?|lines|paths?|steps?|times|repeat\w*"
    r"|iterat\w*|rounds?|sublists?|rows|columns|runs)\b"
)
"""What says that a bound is one of parts of the result, or of how often something is done."""
_IN_PLACE = re.compile(r"(?i)^[a-z]+ (?!.*\bleft in)[^:]*\bin[- ]place[.,;]?$")
"""Of the first sentence: further ones often speak of other functions."""
_WHOLE_OR_NOT = re.compile(
    r"(?i)\b(?:no changes?|nothing (?:(?:is|gets|was|has been|will be) )?"
    r"(?:changed?|moved|modified|done|added|removed|stored)"
    r"|(?:leav(?:es?|ing)|keep(?:s|ing)?|is|are|stays?|remains?|left)(?: \w+){0,3} "
    r"(?:unchanged|untouched|unmodified|intact|as (?:it|they) (?:is|are|was|were))"
    r"|(?:unchanged|untouched|unmodified)|all[- ]or[- ]nothing)\b"
)
_FAILING = re.compile(r"\b(?:[A-Z]\w*(?:Error|Exception)|(?i:rais(?:es?|ed|ing)|fails|failure|on (?:an )?errors?))\b")
_PARTLY = re.compile(
    r"(?i)\b(?:may|might|part(?:s|ly|ially)?|some|except|otherwise|unless|until|instead|copy"
    r"|(?:not|never|no|without) (?:\w+ )?(?:rais\w+|fail\w*|error\w*|exception\w*|be rais\w+))\b|n't\b"
)
_SECTION = re.compile(
    r"(?m)^[ \t]*(?:[A-Z][A-Za-z ]{2,30}:?[ \t]*$(?=\n[ \t]*[-=~]{3}|\n[ \t]+\S)|[:@]\w+[^:\n]*:|>>>)"
)
_DENIED = re.compile(r"(?i)\b(?:not?|never|n't|without|rather|instead|operations?|version|variant|like|unlike)\b")


def effects(docstring: str, parameters: Sequence[str]) -> Iterator[tuple[str, tuple[object, ...], str]]:
    """The kind of each promise (one of `EFFECTS` inside), its `args`, and the sentence.

    Those of "raises" are the exception, the place and name of the parameter and what it must be ("negative", "zero",
    "nonpositive", "empty", "none", "item" before the first three, or "below" or "at most" with the name of another, or
    "outside" with both ends of a range, each a number or a name, that "-1" may follow);
    of "unchanged", and "arrays_kept" of arrays in the place of lists, place and
    name of the one parameter, or (-1, "") for all;
    of "whole", that nothing is changed where it raises, none; of "at_most" those of the parameter that the result has
    no more items than.
    """
    yield from _raised(docstring, parameters)
    for sentence in split(docstring):
        if _WHOLE_OR_NOT.search(sentence) and _FAILING.search(sentence) and not _PARTLY.search(sentence):
            yield "whole", (), sentence
    section = _SECTION.search(docstring)
    for number, sentence in enumerate(split(docstring[: section.start()] if section else docstring)):
        if _CONDITION.search(sentence):
            continue
        if (kept := _kept(sentence, parameters)) is not None:
            yield "unchanged", kept, sentence
            yield "arrays_kept", ("", *kept), sentence
        most = _AT_MOST.search(sentence)
        if most and most[1] in parameters and not IN_PARTS.search(docstring):
            yield "at_most", (parameters.index(most[1]), most[1]), sentence
        if _CASELESS.search(sentence) and not _DENIED.search(sentence):
            yield "caseless", (), sentence
        if _NEW.search(sentence):
            yield "new", (), sentence
        if number == 0 and _IN_PLACE.search(sentence) and not _DENIED.search(sentence):
            yield "in_place", (), sentence


def _kept(sentence: str, parameters: Sequence[str]) -> tuple[int, str] | None:
    """Place and name of the parameter that stays as it is, (-1, "") of all; None of none."""
    match = _UNCHANGED.search(sentence)
    if match is None:
        return (-1, "") if _PURE.search(sentence) else None
    whole, name = match[1] or match[3] or match[5], match[2] or match[4] or match[6]
    if name in parameters:
        return parameters.index(name), name
    return (-1, "") if whole else None


def _raised(docstring: str, parameters: Sequence[str]) -> Iterator[tuple[str, tuple[object, ...], str]]:
    text = " ".join(docstring.split())
    single = [name for name in parameters if name not in {"self", "cls"}]
    for match in _RAISED.finditer(text):
        said = text[: match.start(2)]
        if "raise" not in said.lower() or _NOT.search(text[: match.start()]):
            continue
        for name, value, end in _said_of(match[2], single):
            if _END.match(match[2], end):
                args = (match[1], parameters.index(name), name, value)
                yield "raises", args, f"{match[1]} if {match[2][:end].strip()}"
            break
    for error, name, value, sentence in _raised_in_other_words(docstring, single):
        yield "raises", (error, parameters.index(name), name, value), sentence


_RAISES = (
    r",? (?:raises?|throws?|(?:is|are) (?:an? error|refused|rejected|answered) ?[(:,]?(?: with| by)?|fails? with"
    r"|ends? in|(?:gives?|causes?|leads? to|results? in|(?:is|are|makes?)(?= an? ))) ?(?:an? |the )?[`'\"]{0,2}"
)
_BEFORE = re.compile(rf"(?i)(?:^|[;:,(–] ?(?:and |but )?|\. )(?P<clause>[^;:,(.]{{3,60}}?){_RAISES}$")
_IF_FIRST = re.compile(
    r"(?i)^(?:if|when) (?P<clause>[^,;.]+), (?:it |this )?(?:raises? |throws? )?(?:an? |the )?[`'\"]{0,2}$"
)
_AFTER = re.compile(r"(?i)^[`'\"]{0,2} (?:(?:is|will be) raised )?(?:if|when|for|on) ([^.;]*)")
_NOT_ALWAYS = re.compile(
    r"(?i)\b(?:unless|except|otherwise|may|might|can|could|should|would|optional\w*|default\w*|strict\w*|mode|usually"
    r"|cannot|assum\w*|expects?|depend\w*|instead|rather|caller\w*|python\w*|then|also)\b|n't\b|>>>|\?"
)
_ENDS = r"(-?\d+(?:\.\d+)?|[A-Za-z_]\w*(?: ?- ?1\b)?)"
_RANGE = re.compile(
    rf"{_NAME} (?:(?:must|has to|have to|is|are|be|to|lie|lies|integers?|numbers?|values?) )*(?:in|between|from|within)"
    r" (?:the )?(?:(?:closed |half-open )?(?:range|interval) )?(?:from |of |between )?"
    rf"[\[(]?{_ENDS}(?: ?\.\.\.? ?|, ?| to | and | through | ?– ?){_ENDS}[\])]?(?=$|[ ;,.:()])"
)
_OUTSIDE = re.compile(
    r"(?i)^(?:and |but )?(?:any |all |the )?(?:other |further )?[`'\"]*(?P<what>\w+)[`'\"]* (?:that (?:is|are) )?"
    r"(?:outside|beyond|out)(?: of)?"
    r"(?: (?:of )?(?:that|this|the|it|its|them|these)(?: (?:range|interval|bounds|limits))?)?$"
    r"|^(?:and |but )?(?:any |all )?other (?P<other>\w+)$|^(?:any|every)thing else$"
)


def _raised_in_other_words(docstring: str, names: Sequence[str]) -> Iterator[tuple[str, str, str, str]]:
    """(Exception, parameter, what it is, sentence) where the case stands before the exception, or "raises" nowhere."""
    for sentence, name in {sentence: name for name, sentence in exceptions_said(docstring)}.items():
        place = sentence.index(name)
        if _NOT_ALWAYS.search(sentence) or len(re.findall(r"\w+(?:Error|Exception)\b", sentence)) > 1:
            continue
        told: list[tuple[str, str]] = []
        said, following = sentence[:place], sentence[place + len(name) :]
        before, after = _IF_FIRST.search(said) or _BEFORE.search(said), _AFTER.match(following)
        if before and re.match(r"[`'\"]{0,2}(?: (?:is|will be) raised)?(?:[.;,)]|$)", following):
            clause = before["clause"].strip()
            told = [one[:2] for one in _said_of(clause, names) if one[2] == len(clause)]
            told = told or _outside(" ".join(docstring.split()), sentence, clause, names)
        else:
            begun = re.search(r"(?i)(?:^|[;:,(–] ?(?:an? )?|\b(?:with|by) an? )[`'\"]{0,2}$", sentence[:place])
            if after and begun:
                told = [one[:2] for one in _said_of(after[1], names) if _END.match(after[1], one[2])]
        yield from ((name, *one, sentence) for one in told[:1])


def _outside(text: str, sentence: str, clause: str, names: Sequence[str]) -> list[tuple[str, str]]:
    """Of which parameter it is said that it lies outside of the range that was named before."""
    said, named = text[: text.index(clause)] if clause in text else "", _OUTSIDE.match(clause)
    ranges = [match for match in _RANGE.finditer(said) if match[1] in names]
    if named is None or len(ranges) != 1 or re.search(r"(?i)\bif\b|\bwhen\b|\bnot\b", sentence):
        return []
    name, low, high = (each.replace(" ", "") for each in ranges[0].groups())
    what = (named["what"] or named["other"] or "values").lower()
    ends = [end.removesuffix("-1") for end in (low, high)]
    meant = what in (name, f"{name}s", "values", "value", "ones", "one", "numbers", "it", "anything", "those")
    known = all((end in names and end != name) or re.fullmatch(r"-?\d+(?:\.\d+)?", end) for end in ends)
    return [(name, f"outside {low} {high}")] if meant and known else []


def _said_of(clause: str, names: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """The parameter that a clause begins with, what it is said to be, and where that ends."""
    for value, pattern in _VALUES:
        said = rf"(?:(?:is|are|was|were) (?:an? )?|(?=<|==)){pattern}(?!\w| ?[-/]\w)"
        before = rf"(?:the |an? |any |given |input )*{_NAME} {said}"
        if (match := re.match(before, clause, re.I)) and (match[1] in names or _is_thing(match[1], names)):
            yield match[1] if match[1] in names else names[0], value, match.end()
        short = rf"(?:the |an? |any |given |input )*{_NAME} (?:of |that (?:is|are) |equal to )?{pattern}(?!\w| ?[-/]\w)"
        if (match := re.match(short, clause, re.I)) and (match[1] in names or _is_thing(match[1], names)):
            yield match[1] if match[1] in names else names[0], value, match.end()
        after = rf"(?:an? |any |given |given an? )?{pattern} {_NAME}"
        if (match := re.match(after, clause, re.I)) and (match[1] in names or _is_thing(match[1], names)):
            yield match[1] if match[1] in names else names[0], value, match.end()

    for value, pattern in _VALUES[:3]:
        several = rf"(?:any|one|some|an?) (?:of (?:the |its |these )?(?:given )?{_NAME}|{_NAME}) (?:is|are)"
        each = rf"{several} {pattern}(?!\w| ?[-/]\w)"
        held = rf"(?:the )?{_NAME} (?:contains?|has|have|holds?|includes?) (?:an? |any )?{pattern} {_ITEM}(?!\w)"
        if match := re.match(each, clause, re.I):
            name = match[1] or next((one for one in names if one in (f"{match[2]}s", f"{match[2]}es")), "")
            yield from [(name, f"item {value}", match.end())] if name in names else []
        if (match := re.match(held, clause, re.I)) and match[1] in names:
            yield match[1], f"item {value}", match.end()

    for value, pattern in _THAN:
        said = rf"(?:the )?{_NAME} (?:(?:is|are) (?:strictly )?)?{pattern} (?:the )?{_NAME}(?![\w.(\[]| ?[-+*/]|\()"
        if (match := re.match(said, clause, re.I)) and match[1] in names and match[2] in names and match[1] != match[2]:
            yield match[1], f"{value} {match[2]}", match.end()


def _is_thing(word: str, names: Sequence[str]) -> bool:
    """Whether it means the only parameter."""
    return len(names) == 1 and bool(re.fullmatch(_THING, word, re.I))

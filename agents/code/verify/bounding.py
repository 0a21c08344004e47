"""What documentation says of the bounds of a result, of calls that give the same, and of what is of no account.

Each is tried inside (see ``xkg_inside.bounds``). Only what is plain is read, no sentence with conditions.
"""

import re
from collections.abc import Callable, Collection, Iterator

__all__ = [
    "OFFSET", "as_fitted", "bounds", "ends_said", "left_out", "of_means", "same_again", "same_swapped", "turn_signed",
]  # fmt: skip

_NUMBER = r"(-?\d+(?:\.\d+)?|zero|one)"
_END = r"(?![\w%*/^]|\.\d)(?=[.,;:)]|$| (?:and|n?or)\b)"
_NEVER = r"\bnever (?:returns? |gets? |falls? |is |rises? |goes )?"
_ABOVE = re.compile(
    rf"(?i)(?:(?:{_NEVER}|\bnor )(?:above|over|beyond|more than|greater than|larger than|exceed(?:s|ing)?)"
    rf"|\b(?:is|are|,) ?(?:it is )?(?:capped|limited) (?:at|to)|[,;] (?:and )?(?:is )?(?:at most|no more than))"
    rf" {_NUMBER}{_END}"
)
_BELOW = re.compile(
    rf"(?i)(?:{_NEVER}(?:below|under|less than|smaller than)|[,;] (?:and )?(?:is )?(?:at least|no less than))"
    rf" {_NUMBER}{_END}"
)
_COUNTING = re.compile(r"(?i)[,;] (?:and )?(?:is )?(?:at|no)\b|\blimited\b")
"""What may as well be said of how many there are."""
_NOT_NEGATIVE = re.compile(rf"(?i){_NEVER}negative(?=[.,;:)]|$)")
_BETWEEN = re.compile(
    r"(?i)^(?:returns? )?(?:(?:a|an|the|its) )?(?:value|number|float|result|score|share|output|it)?(?: (?:is|lies))?"
    rf"(?P<always> ?always)? ?(?:between {_NUMBER} and {_NUMBER}"
    rf"|in (?:the (?:range|interval) )?\[{_NUMBER}, ?{_NUMBER}\])[.;]?$"
)
_AT_END = re.compile(
    r"(?i)(?P<before>\w+)[`)]?[:;] (?:always )?an? (?:value|number|float|score) "
    rf"(?:between {_NUMBER} and {_NUMBER}|in (?:the (?:range|interval) )?\[{_NUMBER}, ?{_NUMBER}\])[.;]?$"
)
"""The same at the end of a sentence that names the result."""
_OF_A_PARAMETER = re.compile(
    r"(?i)[,;] (?:and )?(?:is )?(?:at most|no more than|never (?:above|more than)) (?:the )?`?(\w+)`?[.;]?$"
)
_PASSES = (
    r"(?:exceeds?|(?:gets?|receives?|is given|ends up with|is left with|holds) more than|(?:goes|rises|ends) above)"
)
_EACH_OF_A_PARAMETER = re.compile(
    r"(?i)(?:^|[,:] |\bso that )(?:and |so )?(?:(?:afterwards|thereafter|in the end|at the end|in the result),?"
    r" (?:(?:every|each|all) (?:of the )?(?:[\w-]+ ){1,2}(?:is|are|stays?|remains?)"
    r" (?:at most|no more than|never above)"
    rf"|no(?:ne)? (?:[\w-]+ ){{0,2}}(?:{_PASSES}|is (?:above|over|more than)))"
    rf"|(?:of which |and )?no(?:ne)? (?P<what>[\w-]+ ){{0,2}}?{_PASSES})"
    r" (?P<own>its (?:own )?|the )?`?(?P<name>\w+)`?[.;]?$"
)
"""What is said of each number of a result, and by its place or words not of what is given."""
_CONDITION = re.compile(
    r"(?i)\b(?:if|when\w*|where|while|for|unless|except|as long as|provided|assum\w*|given that|may|might|can|could"
    r"|should|must|would|usually|typically|mostly|approximat\w*|about|roughly|nearly|almost|expects?|depend\w*|params?"
    r"|arguments?|items?|elements?|entries|inputs?|percent)\b|n't\b|\?|>>>|%"
)
_SWAPPED = re.compile(
    r"(?i)\bsymmetric in (?:its|the|both|its two|the two) arguments\b"
    r"|\b(?:does not|doesn't) depend on which (?:one )?(?:of (?:them|the two|these) )?(?:comes|is given|stands) first\b"
    r"|\bit (?:does not|doesn't) matter which (?:of (?:them|the two) |\w+ )?(?:comes|is given|stands) first(?=[.,;)]|$)"
    r"|\border of (?:its|the) (?:two )?arguments (?:does not|doesn't) matter\b"
)
_DIFFERENCE = re.compile(
    r"(?i)^(?:(?:returns?|computes?) )?(?:the |an )?(?:absolute|symmetric) difference (?:of|between) two [\w -]+"
    r"(?=[.,;:]|$)(?!.*\b(?:relative|first|second|divided|scaled|weighted|where|masked|reference|baseline|per ?cent"
    r"|normali[sz]ed)\b)"
)
"""What two things differ by, if nothing is said of one of them."""
_THE_SAME = r"(?:gives|returns|yields) the same(?: (?:result|values?|numbers?|list|answer|again))?(?=[.,;)]|$)"
_AGAIN = re.compile(
    rf"(?i)\b(?:calling|running|applying|using) (?:it|this) (?:again|twice|once more)"
    rf" (?:with|on|for) the same (?:\w+ )?{_THE_SAME}|\ba second call with the same (?:\w+ )?{_THE_SAME}"
)


def bounds(sentence: str, parameters: Collection[str]) -> Iterator[tuple[float | str | bool | None, ...]]:
    """Lowest and highest number of a result, or the parameter that is the highest; whether it is said of every call;
    and, if it is so, that it is said of each number apart."""
    if _CONDITION.search(sentence):
        return
    low, high = _BELOW.search(sentence), _ABOVE.search(sentence)
    least = 0.0 if _NOT_NEGATIVE.search(sentence) else _value(low[1]) if low else None
    most = _value(high[1]) if high else None
    if least is not None or most is not None:
        yield least, most, not any(found and _COUNTING.search(found[0]) for found in (low, high))
    elif match := _BETWEEN.search(sentence):
        one, other = (_value(part) for part in match.groups()[1:] if part)
        yield min(one, other), max(one, other), bool(match["always"])
    elif (match := _AT_END.search(sentence)) and match["before"] not in parameters and " " in sentence[: match.start()]:
        one, other = (_value(part) for part in match.groups()[1:] if part)
        yield min(one, other), max(one, other), False
    elif (match := _OF_A_PARAMETER.search(sentence)) and match[1] in parameters:
        yield None, match[1], not _COUNTING.search(match[0])
    elif match := _EACH_OF_A_PARAMETER.search(sentence):
        what = {form for word in (match["what"] or "").split() for form in (word, f"{word}s")}
        named = [name for name in (match["name"], f"{match['name']}s") if name in parameters]
        if named and not what & set(parameters):
            yield None, named[0], True, True


def _value(text: str) -> float:
    return float({"zero": "0", "one": "1"}.get(text.lower(), text))


_WHETHER = re.compile(
    r"(?i)^(?:(?:returns?|tells?|checks?|says?|tests?) )?(?:whether|if|true (?:if|when)|is)\b.*"
    r"\b(?:in|inside|within|between)\b"
)
_INCLUDED = re.compile(
    r"(?i)(?:[,;(–-] ?(?:and )?|\bwith )(?:(?:both|the|its|two) )*(?:ends|end ?points|bounds|boundar(?:y|ies)|limits)"
    r" (?:(?:are|is|being) )?(?:(?P<included>included|inclusive|count(?:ed)?(?: too| as well)?)"
    r"|excluded|exclusive|left out)"
    r"(?=[.,;)]|$)|\((?P<word>inclusive|exclusive)\)(?=[.,;]|$)"
)
_OPEN_TO_CHOICE = re.compile(
    r"(?i)\b(?:unless|except|may|might|can|should|optional\w*|default\w*|when|only|not|never|or|closed|open|left|right)\b"
)


def ends_said(sentence: str) -> bool | None:
    """Whether the ends of what something may lie in are said to belong to it; None if nothing is said of them."""
    match = _INCLUDED.search(sentence) if _WHETHER.search(sentence) and not _OPEN_TO_CHOICE.search(sentence) else None
    if match is None or len(re.findall(r"(?i)\bif\b", sentence)) > 1:
        return None
    return bool(match["included"]) or (match["word"] or "").lower() == "inclusive"


def same_swapped(sentence: str) -> bool:
    """Whether it is said that two arguments may change places."""
    return bool(_SWAPPED.search(sentence) or _DIFFERENCE.search(sentence))


def same_again(sentence: str) -> bool:
    """Whether it is said that a second call with the same gives the same."""
    return bool(_AGAIN.search(sentence))


_SKIPPED = re.compile(
    r"(?i)\bnans?\)?(?: values| entries)?(?: and (?:its|their) \w+)? (?:are|is)"
    r" (?:ignored|skipped|dropped|left out|omitted|excluded)(?=[.,;)]|$)"
    r"|\b(?:ignor|skipp|omitt|exclud|dropp)(?:ing|es) (?:any |all )?nans?\b(?=[.,;)]|$| values?)"
)
_OVER_STEPS = re.compile(
    r"(?i)\b(?:slopes?|trends?|steps?|(?:auto|serial )correlat\w*|differences?|increments?|jumps?|changes?|integra\w*"
    r"|areas?|interpolat\w*|cumulat\w*|running|rolling|moving|windows?|consecutive|adjacent|successive|neighbou?r\w*"
    r"|previous|next|weighted|decay\w*|exponential\w*|time|lags?|prefix\w*)\b"
)
_OUT = r"(?:skipped|dropped|left out|omitted|excluded|removed|passed over)"
_ITEMS = r"(?:samples|values|numbers|entries|items|elements|readings|observations)"
_NO_ZEROS = re.compile(
    rf"(?i)(?:^|[;,:(] ?(?:and )?)(?:all |any |the )?(?:(?:exact )?zeros|zero {_ITEMS}"
    rf"|{_ITEMS} (?:that|which) (?:are|equal) (?:exactly )?(?:zero|0)) are (?:{_OUT}|(?P<mildly>ignored))(?=[.,;)]|$)"
    r"|\b(?:skipping|leaving out|dropping|omitting|excluding) (?:all |any |exact )?zeros(?=[.,;)]|$)"
)
_OF_SIGNS = re.compile(r"(?i)\b(?:zero[- ]?crossings?|changes? (?:of |its |the |their )*signs?|signs? changes?)\b")
_OF_ALL = re.compile(
    r"(?i)\b(?:normali[sz]\w*|relative|shares?|rates?|fractions?|percent\w*|proportions?|even(?:ness|ly)|padd\w*"
    r"|sparse\w*|runs?|streaks?|segments?|groups?|gaps?|peaks?|leading|trailing|positions?|ind(?:ex|ices)|digits?|bits?)\b"
)
"""What may be taken of all items, also of those that are left out."""
_NO_GAPS = re.compile(
    r"(?i)\b(?:moving|rolling|sliding|running)[ -](?:average|mean|median|maximum|minimum|max|min)\b"
    r"(?:(?!\b(?:not|never|if|when|unless|except|or|may)\b)[^.;]){0,90}?"
    r"\b(?:ignor|skipp?|omitt?|exclud|dropp?)(?:ing|e?s) (?:any |all )?nans?(?=[.,;:)]|$| values?)"
)
_OF_ENOUGH = re.compile(
    r"(?i)\b(?:at least|min\w*(?<!minimum) ?periods?|enough|weight\w*|exponential\w*|centred|full)\b"
)


def left_out(surely: Callable[[re.Pattern[str]], re.Match[str] | None], about: str) -> str:
    """What a result is said to be made without: "nan", "zero", or, in each window of its own, "window"; `surely` finds
    a pattern in a sentence without conditions, `about` is all that is said."""
    if surely(_SKIPPED) and not _OVER_STEPS.search(about):
        return "nan"
    match = surely(_NO_ZEROS)
    if match and not (_OVER_STEPS.search(_OF_SIGNS.sub(" ", about)) or _OF_ALL.search(about)):
        return "" if match["mildly"] and _OF_SIGNS.search(about) else "zero"
    return "window" if surely(_NO_GAPS) and not _OF_ENOUGH.search(about) else ""


_CONSTANT = r"(?<!the )constant (?:offset|shift|baseline)s?"
OFFSET = re.compile(
    rf"(?i)\b{_CONSTANT} (?:(?:is|are) (?:ignored|removed|disregarded|left out|subtracted|taken away)"
    r"|(?:has|have) no (?:effect|influence)|(?:does not|do not|doesn't|don't) (?:matter|count|change the result))"
    rf"(?=[.,;)]|$)|\bignoring (?:any |a )?{_CONSTANT}(?=[.,;)]|$)"
    r"|\b(?:(?:does not|doesn't) depend on|(?:is )?(?:invariant|insensitive) to|regardless of)"
    rf" (?:any |a |the )?{_CONSTANT}(?=[.,;)]|$)"
)
"""That a number may be added to all that is given."""
_OF_MEANS = re.compile(
    r"(?i)\b(?:ratio|quotient|difference) (?:of|between) (?:the |their |two |both )*(?:means|averages"
    r"|(?:mean|average) (?:squared? )?(?:powers|energies|values|squares|levels|amplitudes|intensities|scores|heights))"
    r"(?=[.,;)]|$)"
)
_NOT_OF_MEANS = re.compile(
    r"(?i)\b(?:weight\w*|pooled|standard|deviations?|errors?|test|pair\w*|windows?|moving|rolling|lags?|decay\w*"
    r"|same length|equal(?:ly)? (?:long|length)|noisy|residuals?|estimat\w*|trimmed|harmonic|geometric|per|units?"
    r"|sigmas?|divi\w+|scal\w+|normali\w+|significan\w*|effect|p-?values?|bias\w*|correct\w*|sizes?)\b"
)


def of_means(surely: Callable[[re.Pattern[str]], re.Match[str] | None], about: str) -> bool:
    """Whether a result is said to be made of the means of two arguments, and of nothing else."""
    return bool(surely(_OF_MEANS) and not _NOT_OF_MEANS.search(about))


_TURN = r"(?:(?:counter|anti)-?clockwise|clockwise|ccw|cw)"
_BY_SIGN = re.compile(
    rf"(?i)\b(?P<one>positive|negative)\b[^.;,]{{0,60}}?\b(?P<turn>{_TURN})\b[^.;,]{{0,30}}?(?:[,;]| (?=and\b|or\b))"
    rf" ?(?:and |or |but )?(?P<other>positive|negative)\b[^.;,]{{0,40}}?\b(?P<back>{_TURN})\b"
)
_NO_SIGN = re.compile(r"(?i)\b(?:not|never|unless|except|abs\w*|may|might|can|should|input|axis|axes|rotat\w*)\b|\?")


def turn_signed(sentence: str) -> bool:
    """Whether the sign of a result is said to tell in which of two directions points go around."""
    match = None if _NO_SIGN.search(sentence) else _BY_SIGN.search(sentence)
    if match is None or match["one"].lower() == match["other"].lower():
        return False
    turns = [match[name].lower()[:2] in {"co", "an", "cc"} for name in ("turn", "back")]
    return turns[0] != turns[1]


_LEARNED = r"(?:seen|learn(?:ed|t)|found|computed|estimated|stored|measured)"
_FITTED = re.compile(
    rf"(?i)\b(?:that|which|what) `?fit`?(?:\(\))? (?:has |had )?{_LEARNED}\b"
    rf"|\b{_LEARNED} (?:in|by|during|at|from|on) (?:`?fit(?:ting)?`?\b|the train(?:ing)? (?:data|set|rows)\b)"
)
_OF_OTHER_ROWS = re.compile(
    r"(?i)\b(?:not?|never|unless|if|when|may|might|except|own|each (?:batch|call)|batch\w*|rank\w*|sort\w*|shuffl\w*"
    r"|random\w*|noise|nois\w+|jitter|sampl\w+|differenc\w*|lags?|lagg\w+|cumulat\w*|rolling|running|moving|windows?"
    r"|previous|next|consecutive|neighbou?r\w*|smooth\w*|interpolat\w*|forward|backward|series|sequence|partial\w*"
    r"|whole|total|together|drop\w*|duplicates?|filters?|groups?)\b|n't\b"
)
"""Then what comes of a row may rest on other rows that come with it."""


def as_fitted(sentence: str, docstring: str) -> bool:
    """Whether what was seen before is said to be all that a row is transformed by."""
    return bool(_FITTED.search(sentence) and not _OF_OTHER_ROWS.search(docstring))

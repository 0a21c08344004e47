"""What documentation says of the form of a result, which other arguments than those of tests may show not to be so:
that it sums to one, is sorted, of unit norm, without duplicates, never decreasing, as long as an argument.

Each is tried inside (see ``xkg_inside.qualities``). Only what is plain is read, no sentence with further conditions,
and none that speaks of a parameter.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from agents.code.verify.docstrings import sentences
from agents.code.verify.naming import parameters_of
from kg.models.code import CodeUnit

__all__ = ["qualities"]

Found = tuple[str, tuple[object, ...], str]
"""The kind of a promise, its arguments, of which the first is "", and the sentence."""
_UNSURE = re.compile(
    r"(?i)\b(?:not?|nor|neither|cannot|unless|if|when\w*|where|while|whether|may|might|can|could|should|must|would"
    r"|approx\w*|about|roughly|nearly|almost|usually|typically|often|mostly|ideally|expects?|expected|assum\w*|given"
    r"|requires?|until|need\w*|except|only|otherwise|optional\w*|default\w*|params?|parameters?|inputs?|arguments?"
    r"|provided|once|before|after|unlike|instead|rather|like|make sure|ensure that|prior to|depend\w*|todo|originals?"
    r"|otherwise|for which|such that)\b|n't\b|\blog-|\?|>>>"
)
_WHOLE = r"(?=[.,;:)]|$)"
_THE = r"(?:the |all |all the |its |their |these |each |every )"
_ITS = r"(?:results?|outputs?|return(?:ed)? (?:value|list|array|sequence)s?|(?:list|sequence|array) returned)"
_ONE = r"(?:one|unity|1(?:\.0*)?)(?![\w.]*\d)(?! ?%| percent)"
_TOTAL = re.compile(
    rf"(?i)(?:^|; ?(?:and )?){_THE}?(?P<what>(?:[\w-]+ )?[\w-]+) (?:always )?(?:sums?|adds?) (?:up )?to {_ONE}{_WHOLE}"
)
_NORM = re.compile(
    rf"(?i)(?:^|; ?(?:and )?){_THE}?(?P<what>(?:[\w-]+ )?[\w-]+) (?:always )?(?:has|have|is of|are of|of) "
    rf"(?:(?:an? )?(?:l2[- ]|euclidean )?(?:length|norm|magnitude) (?:of )?{_ONE}"
    rf"|(?:an? )?unit (?:l2[- ]|euclidean )?(?:norm|length|magnitude)){_WHOLE}"
)
_NOT_OF_RESULT = re.compile(
    r"(?i)\b(?:one|other|rest|remaining|first|second|last|index\w*|indices|digits?|angles?|exponents?|gradients?|deltas?"
    r"|differences?|corrections?|which|that|this|these|those|log\w*|squares?|squared|who|they|it|to|from|by|with)\b"
)
"""What such a property may be said of that is no result, or a part of it."""
_GOING_ON = re.compile(
    rf"(?i)^(?:and )?(?:always )?(?:(?:of|with) (?:(?:l2[- ]|euclidean )?unit (?:norm|length)|length {_ONE})"
    r"|sorted in (?P<order>ascending|descending) order)[.;]?$"
)
"""How the first sentence goes on behind a semicolon."""
_AT_PLACES = re.compile(
    r"(?i)\b(?:positions|indices|indexes|places)\b[^.;:]*\b(?:sorted|ordered) by (?:their |the |its )?\w+,? "
    r"(?:the )?(?:(?P<down>highest|largest|greatest|biggest)|(?P<up>lowest|smallest)) first(?=[.,;)]|$)"
)
_IN_ORDER = re.compile(
    r"(?i)^(?:the|all) (?:(?!of\b|between\b|for\b|from\b|with\b|to\b|in\b|as\b|by\b)[\w-]+ ){1,4}"
    r"in (ascending|descending|increasing|decreasing) order(?=[.;]|$)"
)
_SORTED_OTHERWISE = re.compile(
    r"(?i)\b(?:by|keys?|pairs?|names?|ind(?:ex|ices|exes)|positions?|places?|ids?|ranks?|labels?|items?|\w*vectors?"
    r"|according|differences|distances|gaps)\b"
)
_BY_SIZE = re.compile(
    r"(?i)^(?:returns? |finds? |all )?(?:the |all |its )*(?:\w+ ){0,2}?(?:components|groups|clusters|sets|lists"
    r"|classes|blocks|cliques|communities|islands|regions|partitions|parts)\b[^;:.]*, (?:the )?"
    r"(?:(?P<down>largest|biggest|longest)|smallest|shortest) (?:one |ones )?(?:comes? |is |are )?first(?=[.;]|$)"
)
_DISTINCT = re.compile(
    rf"(?i)^(?:the {_ITS}|it) (?:has|have|contains?|holds?) no (?:duplicates?|repetitions?|repeated \w+){_WHOLE}"
    rf"|^(?:the )?{_ITS} (?:is|are) (?:free of|without) duplicates{_WHOLE}"
    rf"|^(?:the |all )?(?:distinct|unique) \w+ of (?:an? |the )?\w+{_WHOLE}"
    rf"|^(?:the |all )(?:\w+ )?\w+ without (?:any )?duplicates{_WHOLE}"
)
_OF_CHANCE = re.compile(r"(?i)\b(?:random\w*|sampl\w*|draw\w*|drawn|choos\w*|choice\w*|cho[sc]en?|pick\w*|pairs?)\b")
_RISING = re.compile(
    rf"(?i)^the {_ITS} (?:never decreases?|is (?:monotonically )?(?:non-?decreasing|never decreasing)){_WHOLE}"
    rf"|^the \w+ made (?:monotonically )?non-?decreasing{_WHOLE}"
)
_QUOTED = r"[`'\"*]{0,2}(?P<name>\w+)[`'\"*]{0,2}"
_AS_LONG = re.compile(
    rf"(?i)^(?:the {_ITS}|it) (?:is (?:always )?(?:exactly )?as long as (?:the )?{_QUOTED}"
    rf"|(?:has|is of) (?:exactly )?(?:the same (?:length|size) as|as many (?:items|elements|entries|values|numbers) as)"
    r" (?:the )?[`'\"*]{0,2}(?P<other>\w+)[`'\"*]{0,2})(?=[.;]|$)"
)
_PERMUTED = re.compile(
    rf"(?i)^(?:the {_ITS}|it) is (?:always )?a (?:permutation|rearrangement|re-?ordering) of (?:the )?{_QUOTED}"
    r"(?=[.;]|$)"
)
_DIVIDED = re.compile(
    r"(?i)\b(?:multiples?|divisib\w*|divid\w*|even|evenly|must|equal|exact\w*|power|dropp\w*|left out)\b"
)
_IS_SORTED = re.compile(
    r"(?i)\b(?:pre-?sorted|sorted (?!in\b|by\b|from\b)\w+|ordered|monoton\w*|(?:in|de)creasing|ascending"
    r"|descending|chronolog\w*|time series|timestamps?|merg\w*|runs?)\b"
)
"""What may say that an argument is in order."""
_RESTS_ON_ORDER = re.compile(r"\b(?:bisect\w*|searchsorted|merge|groupby|interp\w*)\b|// ?2\b|>> ?1\b")
"""The same in a source."""
_SIGNS = {"hyphen": "-", "dash": "-", "underscore": "_", "space": " ", "dot": "."}
_SIGN = r"(hyphen|dash|underscore|dot)(?:e?s)?\b"
_JOINED = re.compile(
    rf"(?i)\b(?:joined|connected|separated) by (?:a )?single {_SIGN}"
    r"|\bruns? of (?:white ?space|spaces|blanks|(?:any|every)thing else|(?:all )?other characters|non-\w+ \w+)"
    r" (?:becomes?|(?:is|are) (?:collapsed|squeezed|replaced|turned|reduced) (?:by|to|into|with)|collapses? (?:in)?to)"
    r" (?:a single|one|a) (hyphen|dash|underscore|space|dot)\b"
)
_NONE_AT_ENDS = re.compile(
    r"(?i)[,;(] (?:with |and )?(?:none|nothing) at (?:either|both|any|the) ends?\b"
    rf"|\b(?:without|with no|and no) (?:any )?(?:leading (?:or|and) trailing|trailing (?:or|and) leading) {_SIGN}"
)
_NO_WORDS = re.compile(
    r"(?i)\b(?:letters (?:and|or) digits|alphanumeric\w*|(?:any|every)thing else|other characters)\b"
)
_INTERVAL = re.compile(
    r"(?i)\b(?:confidence|credible|prediction) (?:interval|limits|bounds)\b"
    r"(?!.*\b(?:half|margin|width|radius|centre|center|plus|error)\b)"
)
_LEVELS = {"level", "confidence", "confidence_level", "conf", "conf_level", "coverage", "cred_mass"}
_TRIED = {"sums_to_one": ("totalled", ("", "")), "unit_norm": ("normed", ("",)), "sorted": ("arranged", ("",))}
"""By the kind of a promise of the numbers of a result: what is tried with other arguments, and how that begins."""
_OF_ORDER = {"arranged", "rising", "distinct"}
"""What may hold only of arguments that are in order."""


def qualities(unit: CodeUnit, known: Iterable[Found]) -> Iterator[Found]:
    """Of a function that is no method; `known` are its promises of the numbers of a result."""
    parameters = parameters_of(unit.signature) if unit.kind == "function" else None
    if not parameters or parameters[0].name in {"self", "cls"}:
        return
    names = {parameter.name for parameter in parameters}
    found: dict[str, Found] = {}
    of_numbers = ((*_TRIED[kind], args, said) for kind, args, said in known if kind in _TRIED)
    for kind, args, sentence in (*_read(unit, names), *((k, (*how, *args), said) for k, how, args, said in of_numbers)):
        if not (kind in _OF_ORDER and _is_for_sorted(unit, sentence)):
            found.setdefault(kind, (kind, args, sentence))
    yield from found.values()


def _read(unit: CodeUnit, names: Collection[str]) -> Iterator[Found]:
    told = sentences(unit.docstring)
    about = f"{unit.name.replace('_', ' ')} {' '.join(told)}"
    levels = sorted(_LEVELS & set(names))
    for number, sentence in enumerate(told):
        if _UNSURE.search(sentence.replace("no duplicates", "").replace("no repe", "").replace("no lead", "")):
            continue
        if (match := _TOTAL.search(sentence)) and _is_result(match["what"], names):
            yield "totalled", ("", _along(match[0])), sentence
        if (match := _NORM.search(sentence)) and _is_result(match["what"], names):
            yield "normed", ("",), sentence
        if number == 0 and (order := _order(sentence, names)):
            yield "arranged", ("", order), sentence
        if number == 1 and told[0].endswith(";") and (match := _GOING_ON.search(sentence)):
            order = match["order"]
            yield ("arranged", ("", order.lower()), sentence) if order else ("normed", ("",), sentence)
        if (match := _JOINED.search(sentence)) and (number == 0 or match[2]):
            sign = _SIGNS[(match[1] or match[2]).lower()]
            yield "joined", ("", sign, bool(_NONE_AT_ENDS.search(sentence)), bool(_NO_WORDS.search(sentence))), sentence
        if number == 0 and len(levels) == 1 and _INTERVAL.search(sentence):
            yield "spanning", ("", levels[0]), sentence
        of_result = number == 0 or re.match(rf"(?i)(?:the )?{_ITS}\b|it\b", sentence)
        if of_result and _RISING.search(sentence):
            yield "rising", ("",), sentence
        if of_result and _DISTINCT.search(sentence) and not _OF_CHANCE.search(about):
            yield "distinct", ("",), sentence
        for kind, pattern in (("as_long", _AS_LONG), ("permuted", _PERMUTED)) if not _DIVIDED.search(about) else ():
            match = pattern.search(sentence)
            name = next(filter(None, match.groups()), "") if match else ""
            if name in names:
                yield kind, ("", name), sentence


def _along(text: str) -> str:
    """Of what a sum is said: each row, each column, or "" for the whole or any of them."""
    word = re.search(r"(?i)\b(row|column)s? (?:always )?(?:sum|add)", text)
    return word[1].lower() if word else ""


def _is_result(what: str, names: Collection[str]) -> bool:
    """Whether what a property is said of may be a result: no parameter, not what stands for one, and no part."""
    words = [word for word in re.findall(r"[a-z]+", what.lower()) if len(word) > 1]
    parts = {part for name in names for part in (name.lower(), *name.lower().split("_"))}
    alike = {form for part in parts for form in (part, f"{part}s", f"{part}es", part.removesuffix("s"))}
    return bool(words) and not alike.intersection(words) and not _NOT_OF_RESULT.search(what)


def _order(sentence: str, names: Collection[str]) -> str:
    """In which order a result is said to stand by the first sentence, "" for none."""
    if match := _AT_PLACES.search(sentence):
        return "descending at" if match["down"] else "ascending at"
    if match := _BY_SIZE.search(sentence):
        return "descending size" if match["down"] else "ascending size"
    match = _IN_ORDER.search(sentence)
    if not match or _SORTED_OTHERWISE.search(sentence) or set(re.findall(r"\w+", match[0])) & set(names):
        return ""
    return {"in": "ascending", "as": "ascending"}.get(match[1][:2].lower(), "descending")


def _is_for_sorted(unit: CodeUnit, sentence: str) -> bool:
    """Whether its arguments may have to be in order, by what else is said of it, or by its source."""
    others: Sequence[str] = [each for each in " ".join(unit.docstring.split()).split(sentence) if each]
    return bool(_IS_SORTED.search(" | ".join(others)) or _RESTS_ON_ORDER.search(unit.text.replace(unit.docstring, "")))

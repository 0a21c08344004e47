"""What documentation claims of arguments that tests need not give: of any size, in any order, with equal ones among
them, without end, in any direction, and of chance.

Each is tried inside (see ``xkg_inside.orders`` and ``extremes``). Only what is plain is read, no sentence with further
conditions.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from agents.code.verify.bounding import OFFSET, left_out, of_means, turn_signed
from agents.code.verify.docstrings import sentences
from agents.code.verify.naming import parameters_of
from kg.models.code import CodeUnit

__all__ = ["claims"]

Found = tuple[str, tuple[object, ...]]
"""The kind of a promise and its arguments."""
_UNSURE = re.compile(
    r"(?i)\b(?:unless|except|otherwise|may|might|should|could|would|must|usually|typically|mostly|possibly|optional"
    r"|approximat\w*|about|roughly|nearly|almost|cannot|can|assum\w*|expects?|provided|warn\w*|if|when|not|never|no"
    r"|unlike|instead|rather|only|todo)\b|n't\b|\?|>>>"
)


def claims(unit: CodeUnit) -> Iterator[tuple[str, tuple[object, ...], str]]:
    """Of a function that is no method: the kind of each promise, its arguments, of which the first is "", and the
    sentence."""
    parameters = parameters_of(unit.signature) if unit.kind == "function" else None
    if not parameters or parameters[0].name in {"self", "cls"}:
        return
    names = [parameter.name.lstrip("*") for parameter in parameters]
    about = f"{unit.name.replace('_', ' ')}. {' '.join(unit.docstring.split())}"
    for number, sentence in enumerate(sentences(unit.docstring)):
        for read in _READERS:
            for kind, args in read(_Said(sentence, number == 0, about, names)):
                yield kind, ("", *args), sentence


@dataclass(frozen=True)
class _Said:
    """A sentence, whether it is the first, all that is said with the function's name, and its parameters."""

    sentence: str
    first: bool
    about: str
    names: Sequence[str]

    def surely(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Where the sentence has this, if nothing beside it makes it a matter of conditions."""
        match = pattern.search(self.sentence)
        beside = match and f"{self.sentence[: match.start()]} {self.sentence[match.end() :]}"
        return None if beside is None or _UNSURE.search(beside) else match


_THINGS = (
    r"(?:items|values|elements|rows|points|entries|numbers|intervals|records|tokens|words|edges|samples|observations"
    r"|list|sequence|inputs?|data|scores|events)"
)
_ANY_ORDER = re.compile(
    r"(?i)\b(?:may|can) (?:come|be|be given|be passed|be listed|appear|arrive|stand) in (?:any|arbitrary) order\b"
    r"|\b(?:in|given in) (?:any|arbitrary) order as input\b|, (?:given |listed )?in (?:any|arbitrary) order(?=,)"
    r"|\b(?:need not|needn't|(?:do|does) not (?:need|have) to|don't have to|doesn't have to) be"
    r" (?:sorted|ordered|in order|pre-?sorted)\b"
    r"|\b(?:(?:does not|doesn't|do not) depend on|regardless of|irrespective of|independent(?:ly)? of|invariant to)"
    rf" (?:the |their |its )?order(?:ing)?"
    rf"(?: (?:of|in which) (?:the |its |their |they )?(?:{_THINGS}|come|are given|(\w+)))?"
    r"(?=[.,;:)]|$)"
    rf"|\border of (?:the |its )?{_THINGS} (?:does not|doesn't) matter\b"
    r"|\b(?:order-independent|permutation[- ]invariant)\b"
)
_BY_PLACE = re.compile(
    r"(?i)\b(?:index|indices|indexes|positions?|places?|arg(?:max|min|sort)|first|last|prefix\w*|cumulat\w*|running|rolling"
    r"|moving|windows?|consecutive|adjacent|successive|neighbou?r\w*|random\w*|shuffl\w*|draw\w*|previous|next|weighted"
    r"|decay\w*|exponential\w*|time|lags?|greedy|heuristic\w*|as given|sorted by|stable|insertion)\b"
)
_STATISTIC = re.compile(
    r"(?i)^(?:(?:returns?|computes?|calculates?) )?(?:the |an? )?"
    r"(?:(?:arithmetic|geometric|harmonic|quadratic|trimmed|truncated|winsori[sz]ed|robust|sample|population|unbiased"
    r"|interquartile|upper|lower) )*"
    r"(?:means?|median|variance|standard deviation|quartile|quantile|percentile|range|mean absolute deviation"
    r"|median absolute deviation|midrange) of (?:the |all |some )?(?:given )?(?:values|numbers|data|samples?|scores)\b"
)
_OF_ANY_TWO = re.compile(
    r"(?i)^(?:(?:returns?|computes?) )?(?:the )?(?:least|smallest|greatest|largest|minim\w+|maxim\w+)"
    r"(?: absolute)? (?:differences?|distances?|gaps?|products?|sums?) (?:of|between|among) any two\b"
)
_TRIMMED = re.compile(
    r"(?i)\b(?:dropp|discard|exclud|remov|trimm|cutt|leav)ing (?:off |out )?(?:the |an? )?(?:\w+ ){0,3}?"
    r"(?:smallest|largest|lowest|highest|extremes?|minimum|maximum)\b"
)


def _orders(said: _Said) -> Iterator[Found]:
    if match := said.surely(_ANY_ORDER):
        if not _BY_PLACE.search(said.about) and (not match[1] or match[1] in said.names):
            yield "shuffled", (match[1] or _meant(said, match),)
    elif said.first and not _OF_PARTS.search(said.about) and (match := _summary(said)):
        yield "shuffled", (_meant(said, match),)


def _summary(said: _Said) -> re.Match[str] | None:
    return said.surely(_STATISTIC) or said.surely(_TRIMMED) or said.surely(_OF_ANY_TWO)


def _meant(said: _Said, match: re.Match[str]) -> str:
    """The parameter that is named last in what was read, or just before it; empty if none is."""
    words = [*re.findall(r"\w+", said.sentence[: match.start()])[-1:], *re.findall(r"\w+", match[0])]
    named = (name for word in words[::-1] for name in said.names if word.lower() in (name, f"{name}s"))
    return next((name for name in named if len(name) > 1 and name != "order"), "")


_OF_PARTS = re.compile(rf"{_BY_PLACE.pattern}|\b(?:sorted|axis|each)\b")


_STABLE = re.compile(
    r"(?i)\b(?:sort|sorting|ordering|algorithm) is stable\b|\bstable (?:\w+ )?(?:sort|sorting|ordering)\b"
    r"|\bstably sort|\bsort(?:s|ed)?\b[^.;]*\bstably\b"
    r"|\b(?:equal|tied) (?:keys?|items|elements|records|values|ones) (?:keep|retain|preserve|maintain|stay in"
    r"|remain in) (?:their |the )?(?:original |relative |input |given )*order\b"
    r"|\b(?:keep|preserv|retain|maintain)\w* the (?:original |relative |input |given )*order of (?:equal|tied)\b"
    r"|\b(?:equal|tied) (?:ones|items|elements|values|keys) in (?:their|the) (?:original |given |input )?order\b"
)
_SORTS = re.compile(r"(?i)\bsort")


def _ties(said: _Said) -> Iterator[Found]:
    if said.surely(_STABLE) and _SORTS.search(said.about):
        yield "stable", ()
    if said.first and (match := _PLACE.search(said.sentence)) and not _BESIDE.search(said.sentence):
        yield "at_end", (match[1].lower() in _LAST,)
    if (match := said.surely(_TIE)) and re.search(r"(?i)\b(?:index|position|place|arg ?m(?:ax|in))\b", said.about):
        yield "tied", (next(filter(None, match.groups())).lower() in _LAST,)


_BESIDE = re.compile(r"(?i)n't\b|\b(?:not|than|after|before|above|below|random\w*)\b")
_LAST = {"last", "rightmost", "highest", "largest", "larger", "higher", "later"}
_PLACE = re.compile(
    r"(?i)\b(leftmost|first|lowest|smallest|rightmost|last|highest|largest)[- ]"
    r"(?:index|position|place|occurrence|offset) (?:of|at which|where)\b"
)
_TIE = re.compile(
    r"(?i)\bties? (?:are |is )?(?:broken|resolved|go|goes|settled|decided) (?:by|to|in favou?r of|towards?) (?:the )?"
    r"(first|lowest|smallest|leftmost|last|highest|rightmost)(?: index| position| place| one| item)?(?=[.,;)]|$)"
    r"|\b(?:among|of|for) (?:equal|tied) \w+,? the (smaller|lower|earlier|larger|higher|later)"
    r" (?:index|position|place|one) (?:comes |is |goes |stands )?first(?=[.,;)]|$)"
    r"|\b(?:ties|equal (?:ones|scores|values|items)) (?:are )?(?:in (?:the )?order of|(?:sorted |ordered |broken )?by)"
    r" (?:their )?(?:ascending )?(index|position)(?=[.,;)]|$)"
    r"|\bthe (first|last|leftmost|rightmost) (?:one )?(?:of|among) (?:several |all |the )?"
    r"(?:equals|equal ones|ties|tied \w+|maxima|minima)(?=[.,;)]|$)"
)
_STREAM = r"(?:iterators?|iterables?|streams?|generators?|sequences?|inputs?)"
_ENDLESS = re.compile(
    rf"(?i)\b(?:works?|usable|copes?|deals?|safe|can be used|may be used)(?: also| even)? (?:with|on|for|over)"
    rf" (?:infinite|endless|unbounded) {_STREAM}\b"
    rf"|\b(?:{_STREAM}|items|source|it|which) (?:may|can) be (?:infinite|endless|unbounded)\b"
    rf"|\b(?:infinite|endless|unbounded) {_STREAM} (?:are|is) (?:fine|allowed|supported|ok|okay|handled)\b"
    r"|^lazily (?:split|chunk|batch|map|filter|yield|read|iterate|take|enumerate|flatten|transform|convert|parse)\w*\b"
)
_WHOLE = re.compile(
    r"(?i)\b(?:product|combinations?|permutations?|revers\w*|sort\w*|shuffl\w*|last|tail|finite(?! or)|recursive\w*"
    r"|runs?|group\w*|merg\w*)\b"
)


def _streams(said: _Said) -> Iterator[Found]:
    if said.surely(_ENDLESS) and not _WHOLE.search(said.about):
        yield "endless", ()


_AS_LIKELY = r"(?:the same|equal|an equal|equally)(?: probab\w+| chance| likel\w+)"
_PERMUTED = re.compile(
    rf"(?i)\b(?:every|each|all) (?:possible )?(?:permutations?|orders?|orderings?|arrangements?)\b"
    rf"[^.;]{{0,20}} {_AS_LIKELY}\b"
    r"|\b(?:uniform(?:ly)?|unbiased) (?:random )?(?:permut|shuffl)\w+"
    r"|\bshuffl\w+\b[^.;]* uniformly\b|\bpermutation\b[^.;]* uniformly\b"
)
_DRAWN = re.compile(
    r"(?i)\buniform(?:ly)? (?:random )?(?:samples?|choice|drawn|chosen|selected)\b"
    rf"|\b(?:each|every|all) (?:items?|elements?|values?|records?|rows?)\b[^.;]{{0,30}} {_AS_LIKELY}\b"
)
_OTHER_CHANCE = re.compile(
    r"(?i)\b(?:weight\w*|proportion\w*|non-?uniform|numbers? (?:between|in|from)|interval|continuous|strat\w*|seeds?"
    r"|floats?|biased)\b"
)


def _chances(said: _Said) -> Iterator[Found]:
    if _OTHER_CHANCE.search(said.about):
        return
    if said.surely(_PERMUTED):
        yield "uniform", ("order",)
    elif said.surely(_DRAWN):
        yield "uniform", ("draw",)


_BOUND = r"(-?(?:\d+(?:\.\d+)?|(?:2 ?\*? ?)?(?:pi|π)))"
_PERIOD = re.compile(
    r"(?i)\b(?:wrap|bring|brought|fold|reduc|map|normali[sz])\w*\b.* (?:in)?to (?:the )?"
    r"(?:half-open )?(?:range |interval )?\[0(?:\.0)?, ?[`'\"]{0,2}(\w+)[`'\"]{0,2}\)"
)
_TURN = re.compile(rf"(?i)\b(?:in|into|to) (?:the )?(?:half-open )?(?:range |interval )?[\[(]{_BOUND}, ?{_BOUND}[\])]")
_TURN_IN_WORDS = re.compile(
    rf"(?i)\b(?:between|from) {_BOUND}(?: degrees)? (?:and|to|through) {_BOUND}(?![\w*/^]|\.\d)"
    r"(?=[,;:)]|\.(?:\s|$)|$| degrees\b| radians\b)"
)
_TURNS = {(0.0, 360.0), (-180.0, 180.0), (0.0, math.tau), (-math.pi, math.pi)}
_OF_ANOTHER = re.compile(r"(?i)\b(?:of|for|given|with|takes?|accepts?|from an?) (?:(?:an?|the) )?\w+ $")


_ANGLE = re.compile(
    r"(?i)^(?:(?:returns?|computes?) )?(?:the |an? |its )?(?:[\w-]+ )?(?:angle|bearing|heading|direction|course|turn)\b"
)
_SUBJECT = re.compile(r"(?i)(?:the |its )?(?:result|angle|value|bearing|heading|it)\b")


_BRINGS = re.compile(
    r"(?i)(?:wrap|normali[sz]e|reduce|map|bring|fold)s?\b.* (?:in)?to (?:the )?(?:[\w-]+ ){0,2}[\[(]"
    r"|(?:returns? )?(?:the |an? )?(?:same|equivalent) (?:angle|direction|heading|bearing|longitude|phase)\b"
)


def _turns(said: _Said) -> Iterator[Found]:
    if said.first and (period := said.surely(_PERIOD)) and period[1] in said.names:
        yield "around", (0.0, period[1], True)
    match = said.surely(_TURN) or (said.surely(_TURN_IN_WORDS) if _ANGLE.search(said.sentence) else None)
    if not match or not (said.first or _SUBJECT.match(said.sentence)):
        return
    clause = re.split(r"[,;:]", said.sentence[: match.start()])[-1]
    words = set(re.findall(r"\w+", re.sub(r"(?i)\ban? (?=\w)", "", clause)))
    if (words & set(said.names) and not _BRINGS.match(said.sentence)) or _OF_ANOTHER.search(clause):
        return
    low, high = (_number(bound.lower().replace(" ", "").replace("*", "")) for bound in match.groups())
    if (low, high) in _TURNS:
        ends = ("low" * ("(" in match[0]), "high" * match[0].endswith(")"))
        yield "around", (low, high, bool(_BRINGS.match(said.sentence)), *filter(None, ends))


def _number(text: str) -> float:
    sign = -1 if text.startswith("-") else 1
    text = text.lstrip("-").replace("π", "pi")
    return sign * ({"pi": math.pi, "2pi": math.tau}[text] if "pi" in text else float(text))


_STEADY = re.compile(r"(?i)\bnumerically[- ](?:stable|robust|safe)\b|\bnumerical stability\b|\bwelford\b")
_LARGE = re.compile(
    r"(?i)\bof any magnitude\b|\b(?:stable|safe|finite|robust)\b[^.;]{0,30} of any size\b"
    r"|\bwithout (?:numerical |any )?overflow\w*\b"
    r"|\b(?:does not|never|doesn't|cannot|can't) overflow\b|\bavoid(?:s|ing) (?:numerical |any )?overflow\w*\b"
    r"|\boverflow[- ](?:safe|free)\b|\b(?:safe|stable|robust) (?:for|against|with) (?:very )?(?:large|big)\b"
)
_EXPONENTIAL = re.compile(
    r"(?i)\b(?:softmax|log[- ]?sum[- ]?exp|logsumexp|sigmoid|softplus|logistic|cross[- ]?entropy|log[- ]?cosh|expit"
    r"|norm|hypot(?:enuse)?)\b"
)
_GROWS = re.compile(r"(?i)\b(?:perplexit\w*|odds|growth)\b")
"""What is beyond all floats by itself, however it is computed."""
_SPREAD = re.compile(r"(?i)\b(?:variance|standard deviation|std|stdev)\b")


def _sizes(said: _Said) -> Iterator[Found]:
    large, steady = said.surely(_LARGE), said.surely(_STEADY)
    if (large or (steady and _EXPONENTIAL.search(said.about))) and not _GROWS.search(said.about):
        yield "finite", ()
    if steady and _SPREAD.search(said.about):
        yield "shifted", ()


_ADDED_UP = re.compile(
    r"(?i)\b(?:add|sum)s? (?:up )?(?:exactly )?to (?:the )?[`'\"]{0,2}(\w+)[`'\"]{0,2}(?=[.,;)]|$| exactly)"
)


def _sums(said: _Said) -> Iterator[Found]:
    if what := left_out(said.surely, said.about):
        windows = what == "window"
        if not (windows and re.search(r"min|period", " ".join(said.names))):
            yield ("each_window", ()) if windows else ("skipping", (what,))
    if said.surely(OFFSET) and not re.search(r"offset|shift|base|bias|const", " ".join(said.names)):
        yield "shifted", (2.0,)
    if of_means(said.surely, said.about):
        yield "doubled", ()
    if turn_signed(said.sentence):
        yield "signed", ()
    if (match := said.surely(_ADDED_UP)) and match[1] in said.names:
        yield "adds_up", (match[1],)


_EACH = r"(?:each|every)"
_LINE = r"(?P<line>rows?|columns?|features?)"
_DONE = (
    r"(?:scal|standardi[sz]|normali[sz]|z-?scor|cent(?:r|er)|sort|revers|averag|summ?|squash|min-?max[- ]scal|demean)"
)
_BY_LINES = re.compile(
    r"(?i)^(?P<last>[^,;:.]* (?:along|over|across) the last axis)(?=[.,;:)]|$)"
    rf"|^(?:independently )?{_DONE}(?:e|es|s)? {_EACH} {_LINE}(?: of (?:an? |the )?`?\w+`?)?"
    r"(?=[.;]|$| to (?:zero |an? |unit |mean |the (?:range|interval) |\[)| by its (?:own )?| into )"
    r"|^(?:the |an? )?(?:\w+ )?(?:softmax|entropy|means?|median|variance|standard deviation|maximum|minimum|norm|range"
    rf"|sum|z-?scores?|product) of {_EACH} (?P<of>row|column|feature)(?: of (?:an? |the )?`?\w+`?)?(?=[.,;:]|$)"
    r"|\breplaced (?:by|with) the (?:mean|median|average|minimum|maximum|mode)"
    r"(?: of the (?:(?:other|remaining|known|observed|finite|present) )?values)? (?:of|in) its (?:own )?"
    r"(?P<its>row|column|feature)(?=[.,;:]|$)"
    r"|^(?:the |an? )?(?P<wise>row|column|feature)(?:-wise| ?by[ -](?:row|column|feature)) "
    r"(?:softmax|standardi[sz]\w+|normali[sz]\w+|z-?scores?|means?|medians?|sums?|maxim\w+|minim\w+|centering)\b"
    rf"|^(?:{_DONE}\w*|softmax|z-?scores?) [^,;:.]*\b(?P<by>row|column|feature)"
    r"[ -](?:by[ -](?:row|column|feature)|wise)(?=[.,;:]|$)"
    rf"|^(?:{_DONE}\w*|softmax|z-?scores?)\b[^,;:.]* per (?P<per>row|column|feature)(?=[.,;:]|$)"
)
_NOT_ALONE = re.compile(
    r"(?i)\b(?:common|global\w*|overall|shared|same|together|joint\w*|whole|total|all|any|between|among|another|rest"
    r"|pair\w*|distances?|neighbou?rs?|nearest|random\w*|shuffl\w*|sampl(?:ed|ing)|draw\w*|rank\w*|ind(?:ex|ices)"
    r"|positions?|groups?|clusters?|unique|duplicates?|distinct|previous|next|cumulativ\w*|running|rolling|kernel|graph"
    r"|adjacen\w*|transitions?|stochastic|doubly|square|symmetric|correlat\w*|covari\w*|whiten\w*|ortho\w+|princip\w+"
    r"|batch\w*|reference|train\w*|fit(?:ted)?|largest|smallest|key|lexicograph\w*|axis=|transpos\w*|first"
    r"|with)\b|\blast (?!axis)"
)
"""What may be taken from other rows or columns than the one."""


def _rows(said: _Said) -> Iterator[Found]:
    match = said.surely(_BY_LINES)
    words = {"row", "rows"} | {"column", "columns", "feature", "features"}
    words &= set(re.findall(r"[a-z]+", said.about.lower()))
    if not match or _NOT_ALONE.search(said.about) or {"axis", "axes", "dim", "dims"} & set(said.names):
        return
    named = {word[:3] for word in words}
    read = next((match[name] for name in ("line", "of", "its", "wise", "by", "per") if match[name]), "row").lower()
    if read.startswith("row") and not named & {"col", "fea"}:
        yield "each_row", ("row",)
    elif not read.startswith("row") and "row" not in named:
        yield "each_row", ("column",)


_STAY = r"(?:stay|remain|are kept|kept) (?:together|paired|aligned|in step|matched)(?! (?:by|with|within)\b)"
_TOGETHER = re.compile(
    rf"(?i)(?:\b(?:rows|pairs|samples|items|entries|examples) of )`?(\w+)`? and `?(\w+)`? {_STAY}"
    rf"|(?:^|[;,] (?:and )?|[;,] so that )`?(\w+)`? and `?(\w+)`? (?:{_STAY}"
    r"|are (?:shuffled|permuted|split) (?:together|in unison|alike|in the same (?:order|way)))"
    r"|\b(?:keep(?:s|ing)?) `?(\w+)`? and `?(\w+)`? (?:paired|aligned|together|in step)(?=[.,;]|$)"
)


def _pairs(said: _Said) -> Iterator[Found]:
    match = said.surely(_TOGETHER)
    if match and len(named := [name for name in match.groups() if name in said.names]) == 2:
        yield "paired", tuple(named)


_NUMBERS = re.compile(
    r"(?i)\b(?:ints?|integers|whole numbers) (?:or|and|as well as) (?:floats?|fractions|reals)\b"
    r"|\bfloats? (?:or|as well as) (?:ints?|integers)\b"
)
_OF_A_SORT = re.compile(
    r"(?i)\b(?:d?types?|round\w*|trunc\w*|floor\w*|bits?|exact\w*|format\w*|precision|kept|stay\w*|keeps?|become\w*"
    r"|convert\w*|cast\w*|divi\w+|hash\w*|parse\w*|pars\w+|discrete|categor\w*|respectively|remain\w*|mix\w*|levels"
    r"|returns? an? (?:int|integer)|whether|integers are|ints are)\b"
)
_MINIMISED = re.compile(r"(?i)\bminimi[sz](?:es?|ing) the weighted (?:sum|mean|total)\b")
_NOT_MINIMISED = re.compile(
    r"(?i)\b(?:penal\w*|regulari\w*|ridge|lasso|robust|iterat\w*|random\w*|approxim\w*|gradient|steps?|error bars?"
    r"|uncertain\w*|sigmas?|covarian\w*|degrees? of freedom)\b"
)
_KEYED = re.compile(
    r"(?i)\b(?:remember|cach|memoi[sz]|stor|keep)\w*\b.{0,60} (?:results?|values?)\b.{0,60}\b"
    r"(?:for|by|per|of) (?:each|every|all) (?:different )?(?:combination of |set of )?"
    r"(?:positional(?: arguments)? and keyword|keyword and positional)"
    r" arguments\b"
)
_RAISED = re.compile(
    r"(?i)\b(?:the (?:last|final) (?:exception|error) (?:(?:is|gets) (?:then )?(?:raised(?: again)?|re-?raised|thrown"
    r"|propagated|passed on)|goes on|propagates|goes through)"
    r"|re-?rais(?:es|ing) the (?:last|final) (?:exception|error))"
    r"(?:,? (?:if|when|once|after) (?:all|every|each|none|no|the last)\b[^.;,]*)?(?=[.;,)]|$)"
)
_OTHERWISE = {"default", "fallback", "reraise", "re_raise", "strict", "on_failure", "raises", "errors", "quiet"}


def _sorts(said: _Said) -> Iterator[Found]:
    match = said.surely(_NUMBERS)
    behind = match and said.sentence[: match.start()].endswith("(")
    if match and (said.first or behind) and not _OF_A_SORT.search(said.about):
        yield "as_floats", ()
    weights = [name for name in said.names if name in {"weights", "weight", "w", "sample_weight"}]
    if said.surely(_MINIMISED) and len(weights) == 1 and not _NOT_MINIMISED.search(said.about):
        yield "repeated", (weights[0],)
    if said.surely(_KEYED):
        yield "by_keywords", ()
    if said.surely(_RAISED) and not _OTHERWISE & set(said.names):
        yield "raised_again", ()


_READERS: tuple[Callable[[_Said], Iterator[Found]], ...] = (
    _orders, _ties, _streams, _chances, _turns, _sizes, _sums, _rows, _pairs, _sorts,
)  # fmt: skip

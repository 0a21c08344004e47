"""What documentation says of cases that tests need not enter: a bound that is left out, nothing given, a second call, a
rest, other orders, what is undone, copied, or full.

Each is tried inside (see ``xkg_inside.conduct``). Only what is plain is read, no sentence with further conditions.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from agents.code.verify.bounding import as_fitted, bounds, ends_said, same_again, same_swapped
from agents.code.verify.docstrings import sentences
from agents.code.verify.effects import IN_PARTS
from agents.code.verify.naming import Parameter, parameters_of
from agents.code.verify.states import states_said
from agents.execution.syntax import NotPython3, parse_piece
from kg.models.code import CodeUnit

__all__ = ["conduct"]

Found = tuple[str, tuple[object, ...], str]
"""The kind of a promise, its arguments, of which the first is the method of a class or "", and the sentence."""
_UNSURE = re.compile(
    r"(?i)\b(?:unless|except|otherwise|may|might|should|could|would|must|usually|typically|mostly|possibly|optional"
    r"|approximat\w*|about|roughly|nearly|almost|cannot|can|assum\w*|expects?|provided|depend\w*|warn\w*)\b|n't\b|\?|>>>"
)


def conduct(unit: CodeUnit) -> Iterator[Found]:
    """Of a function, a method, or all public methods of a class."""
    if unit.kind == "class":
        yield from _of_class(unit)
    elif parameters := parameters_of(unit.signature):
        yield from _of_function("", unit.name, unit.docstring, parameters)


def _of_class(unit: CodeUnit) -> Iterator[Found]:
    try:
        node = next(iter(parse_piece(unit.text).body), None)
    except NotPython3:
        return
    for item in node.body if isinstance(node, ast.ClassDef) else ():
        if not isinstance(item, ast.FunctionDef) or item.name.startswith("_"):
            continue
        parameters = parameters_of(f"def {item.name}({ast.unparse(item.args)})")
        told = [
            sentence for sentence in sentences(unit.docstring) if re.search(rf"`{item.name}|\b{item.name}\(", sentence)
        ]
        said = "\n\n".join([ast.get_docstring(item) or "", *told])
        if parameters and parameters[0].name == "self":
            yield from _of_function(item.name, item.name, said, parameters)
            yield from _of_objects(item.name, unit, said, len(parameters))


_IN_A_ROW = re.compile(
    r"(?i)\b(?:after|once|for|when) [^.;]{0,60}\b(?:in a row|consecutive(?:ly)?|successive(?:ly)?)\b[^.;]{0,90}"
    r"\b(?:without|with no|not|no|fail\w*|worse|higher|lower|above|below|beyond|bad)\b"
)
_NOT_BEGUN_ANEW = re.compile(
    r"(?i)\b(?:in all|altogether|cumulativ\w*|in total|overall|total|window|latch\w*|cool-?down|not reset|never reset"
    r"|does not|need not|rather than|instead|pairs?|differen\w*|distinct)\b"
)
_ITS_OWN = re.compile(
    r"(?i)\b(?:each|every) (?P<one>[\w-]+) (?:keeps|has|holds|stores|owns|tracks|collects) (?:only )?its own"
    r"(?= \w+(?:[.,;]|$)|[.,;]|$)|\b(?:instances|objects) (?:share nothing|do not share|never share|don't share)\b"
)


def _of_objects(name: str, unit: CodeUnit, said: str, count: int) -> Iterator[Found]:
    """What is said of a class, held against each of its methods: what it counts in a row, what is each object's own."""
    parts = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", unit.name).lower())
    words = {*parts, "instance", "object", "one"}
    for sentence in (*sentences(unit.docstring), *sentences(said)):
        begun = _IN_A_ROW.search(sentence) and not _NOT_BEGUN_ANEW.search(unit.docstring)
        if begun and count == 2 and not re.search(r"(?i)\b(?:may|might|could|should|usually)\b|\?", sentence):
            yield "in_a_row", (name,), sentence
        match = _ITS_OWN.search(sentence)
        theirs = match and (not match["one"] or match["one"].lower() in words)
        if theirs and not re.search(r"(?i)\b(?:all share|shared|except|beside|but|if|when)\b", unit.docstring):
            yield "own", (name,), sentence
        if name == "transform" and "def fit(" in unit.text and as_fitted(sentence, unit.docstring + said):
            yield "fitted", (name,), sentence


def _of_function(method: str, name: str, docstring: str, parameters: Sequence[Parameter]) -> Iterator[Found]:
    told = sentences(docstring)
    if parameters[0].name in {"self", "cls"}:
        found = _of_method(name, docstring, told, parameters)
    else:
        found = _of_plain(docstring, told, parameters)
    states = states_said(name, docstring, len(parameters), of_object=parameters[0].name == "self")
    every = [*found, *states, *_again(name, told, of_object=parameters[0].name == "self"), *_bounded(told, parameters)]
    yield from ((kind, (method, *args), sentence) for kind, args, sentence in every)


def _bounded(sentences: Iterable[str], parameters: Sequence[Parameter]) -> Iterator[Found]:
    of_object = parameters[0].name == "self"
    for sentence in sentences:
        yield from (("bounded", found, sentence) for found in bounds(sentence, [each.name for each in parameters]))
        if (included := ends_said(sentence)) is not None:
            yield "ends", (included,), sentence
        if _BY_NAME.search(sentence) and not (_UNSURE.search(sentence) or _NOT_BY_NAME.search(sentence)):
            yield "by_name", (), sentence
        if same_swapped(sentence) and not of_object:
            yield "swapped", (), sentence
        if same_again(sentence) and of_object:
            yield "recalled", (), sentence


_BY_NAME = re.compile(
    r"(?i)\b(?:ties|tied \w+|equals|(?:equal|equally (?:frequent|common|often|good|large)) [\w-]+s)"
    r",? (?:(?:are|is|come|stand|being) )?(?:(?:sorted|ordered|broken|listed|resolved) )?"
    r"(?:in alphabetic(?:al)? order|alphabetically)(?=[.,;)]|$)"
)
_NOT_BY_NAME = re.compile(r"(?i)\b(?:revers\w*|not|never|case|if|when|locale|natural)\b")


def _of_plain(docstring: str, sentences: Sequence[str], parameters: Sequence[Parameter]) -> Iterator[Found]:
    yield from _limited(docstring, sentences, parameters)
    yield from _empty(sentences, parameters)
    yield from _in_parts(docstring, sentences, parameters)
    yield from _all_there(docstring, sentences, parameters)
    for sentence in sentences:
        if _ORDER.search(sentence) and not _UNSURE.search(sentence) and not _OTHER_ORDER.search(sentence):
            yield "ordered", (), sentence
        if (match := _CUT_OFF.search(sentence)) and not (_UNSURE.search(sentence) or _CUT_EARLIER.search(sentence)):
            low, high = float(match[1] or match[3]), float(match[2] or match[4])
            yield "within", (min(low, high), max(low, high)), sentence
        ends = None if _UNSURE.search(sentence) or _CUT_EARLIER.search(sentence) else _CUT_OFF_BY_NAME.search(sentence)
        if ends and {ends[1], ends[2]} <= {each.name for each in parameters} and ends[1] != ends[2]:
            yield "within", (ends[1], ends[2]), sentence
    first = sentences[0] if sentences else ""
    if _DEEP.search(first) and not _UNSURE.search(first) and not _SHARED.search(docstring):
        yield "deep", (), first
    defaults = {each.name: ast.unparse(each.default) for each in parameters if each.default is not None}
    held = [(name, default) for name, default in defaults.items() if name[0] != "_" and _HELD.match(default)]
    if (held or _COLLECTED.search(first)) and (_AFRESH.search(docstring) or not _KEPT.search(docstring)):
        yield "anew", tuple(held), first or "{}={}".format(*held[0])


_ORDER = re.compile(
    r"(?i)\border (?:of (?:their |its )?first (?:occurrence|appearance)s?"
    r"|in which they (?:first (?:occur|appear|come|turn up|are seen)|(?:are|were) first (?:seen|met)))\b"
    r"|\bfirst-seen order\b"
)
_OTHER_ORDER = re.compile(
    r"(?i)\b(?:equals?|ties?|tied|rank\w*|sort(?:s|ed)|\w*frequen\w*|most|least|largest|smallest|\w+scending|among|within"
    r"|if|when|revers\w*|not|no|never|break\w*)\b"
)
_NUMBER = r"([-+]?\d+(?:\.\d+)?)"
_CUT_OFF = re.compile(
    r"(?i)(?:(?:[,;:(–-] ?(?:and )?|\b(?:the|its) (?:result|output|score|share) (?:is|are) "
    r"|^(?:returns?|results?)\b.*\b(?:the|its) (?:value|ratio) (?:is|are) )"
    r"(?:clipped|clamped|cut off|capped|truncated) (?:to|into|at|between)"
    r"|\b(?:negative|below|beyond|clip\w*|cut)\b[^.;]*\bso that (?:it|they|the result)"
    r" (?:always )?(?:lies?|stays?|falls?|remains?|is|are) (?:in|within|between))"
    rf" (?:the )?(?:range |interval )?(?:from |between )?(?:\[{_NUMBER}, ?{_NUMBER}\]"
    rf"|{_NUMBER} (?:and|to) {_NUMBER}(?![\w%*/^]|\.\d))"
)
_CUT_OFF_BY_NAME = re.compile(
    r"(?i)(?:[,;:(–-] ?(?:and )?|\b(?:the|its) (?:results?|outputs?|scores?|shares?) (?:is|are) )"
    r"(?:clipped|clamped|cut off|capped) (?:to|into|at|between) (?:the )?(?:range |interval )?"
    r"\[`{0,2}([a-z]\w*)`{0,2}, ?`{0,2}([a-z]\w*)`{0,2}\](?=[.,;)]|$)"
)
_CUT_EARLIER = re.compile(r"(?i)\b(?:before|prior|then|scaled|multiplied|by default)\b")
"""Then what goes in may be meant."""
_DEEP = re.compile(
    r"(?i)^(?:(?:returns?|makes?|gives?|creates?) )?(?:an? |the )?"
    r"(?:deep[- ]?cop(?:y|ies)|fully independent cop(?:y|ies))\b"
)
_SHARED = re.compile(
    r"(?i)\b(?:shallow|shared? (?:with|by|the)|shares (?!nothing)|views?|refs|referenc\w*|not (?:a )?deep\w*"
    r"|lazily|memo)\b"
)
_HELD = re.compile(r"\[|\{|(?:list|dict|set)\(\)$")
"""A default that all calls share, and that one may change for the next."""
_COLLECTED = re.compile(r"(?i)^(?:collects?|gathers?|lists|returns? (?:an? )?(?:new |fresh )?list of|finds all|all)\b")
_KEPT = re.compile(
    r"(?i)\b(?:remember\w*|cache\w*|keeps?|across|accumulat\w*|so far|since|next|history|earlier|previous|calls?"
    r"|random\w*|memo\w*|global\w*|shared|state\w*)\b"
)

_AFRESH = re.compile(r"(?i)\b(?:each|every) call (?:starts|begins) (?:afresh|anew|fresh|from scratch|with nothing)\b")

_MANY = r"(?:so|that|as) many"
_GIVEN = r"(?: is| was)?(?: given| set| passed| provided| specified| not [`'\"]*None[`'\"]*)?"
_RETURNED = (
    r"(?=[.,;)]|$|(?: (?:of (?:them|these)|items?|results?|words?|values?|matches|entries|elements|hits))?"
    r"(?: (?:are|is|will be) (?:returned|given|listed|kept|yielded|found)\b|[.,;)]|$))"
)
_BOUND = r"(?P<bound>at most|no more than|never more than|up to|(?:only )?the first)"


def _limited(docstring: str, sentences: Iterable[str], parameters: Sequence[Parameter]) -> Iterator[Found]:
    if IN_PARTS.search(docstring):
        return
    for name in [parameter.name for parameter in parameters if parameter.default is not None]:
        quoted = rf"[`'\"*]{{0,2}}{re.escape(name)}[`'\"*]{{0,2}}"
        forms = (
            rf"(?i)\b(?:if|when|with) (?:an? |the )?{quoted}{_GIVEN},? "
            rf"(?:it )?(?:returns? |gives? |only )?{_BOUND} {_MANY}{_RETURNED}",
            rf"(?i)(?:[,;:(–-] ?|^)(?:and |but |returns? |only )*{_BOUND} {quoted}(?: (?:of them|items?|results?))?"
            r"(?:,? (?:if|when) (?:that|it) is (?:given|set))?(?=[.,;)]|$)",
        )
        entry = re.search(rf"(?m)^[ \t]*(?::param )?{re.escape(name)}\b[^:\n]*:\s*([^\n]+)", docstring)
        said = [(sentence, form) for sentence in sentences for form in forms]
        said += [(" ".join(entry[1].split()), rf"(?i)^{_BOUND} {_MANY}{_RETURNED}")] if entry else []
        for sentence, form in said:
            if (match := re.search(form, sentence)) and not _UNSURE.search(sentence.replace("provided", "given")):
                yield "limited", (name, "first" in match["bound"]), sentence
                break


_TEXTS = r"(?:text|string|str|word|sentence|line)"
_ITEMS = r"(?:list|sequence|array|tuple|iterable|collection|set|dict|dictionary|mapping|series|vector)"
_THING = rf"(?P<thing>{_TEXTS}|{_ITEMS}|values|items|numbers|data|input|argument|one)s?"
_VALUE = (
    r"(?:(?P<number>[-+]?\d+(?:\.\d+)?)|(?P<word>zero|one)|(?P<constant>None|True|False|NaN|nan)"
    r"|(?P<empty>an empty \w+|\[\]|\(\)|\{\}|\"\"|''))"
)
_BEFORE = r"(?i:^|[,;:(–-] ?(?:and )?|\b(?:returns?|gives?|yields?|answers?|is) )(?:the )?[`'\"]{0,2}"
_GIVES = r"(?i:gives?|returns?|yields?|has|results? in|comes? to|counts? as|makes?|becomes?|sums? to)"
_QUOTE = r"[`'\"]{0,2}"
_END = rf"{_QUOTE}(?=[.,;:)]|$)"


def _empty(sentences: Iterable[str], parameters: Sequence[Parameter]) -> Iterator[Found]:
    names = "|".join(re.escape(parameter.name) for parameter in parameters)
    value = _VALUE[:-1] + rf"|`{{0,2}}(?P<other>{names})`{{0,2}})"
    quoted = rf"(?:`{{0,2}}(?P<name>{names})`{{0,2}}|{_THING})"
    forms = (
        rf"\b(?:[Aa]n|[Tt]he|[Oo]f an|[Ff]or an|[Ff]rom an) empty {_THING} {_GIVES} (?:back )?{_QUOTE}{value}{_END}",
        rf"{_BEFORE}{value}{_QUOTE}(?: is returned)? (?:for|on|with) (?:an |the |any )?empty {quoted}{_END}",
        rf"{_BEFORE}{value}{_QUOTE}(?: is returned)? (?:if|when) (?:the )?{quoted} (?:is|are) empty{_END}",
        rf"^(?:If|When) (?:the )?{quoted} (?:is|are) empty,? (?:it )?(?:returns |gives |yields )?{_QUOTE}{value}{_END}",
    )
    for sentence in sentences:
        match = next(filter(None, (re.search(form, sentence) for form in forms)), None)
        conditions = len(re.findall(r"(?i)\b(?:if|when|where|and|or|but)\b", sentence))
        if match and conditions <= 1 and not _UNSURE.search(sentence):
            told = match.groupdict()
            thing = (told.get("thing") or "").lower()
            sort = "text" if re.fullmatch(_TEXTS, thing) else "items" if re.fullmatch(_ITEMS, thing) else "any"
            yield "empty", (told.get("name") or "", sort, _value(told)), sentence


def _value(told: dict[str, str | None]) -> tuple[str, object]:
    if told["number"]:
        return "number", float(told["number"])
    if told["word"]:
        return "number", float(told["word"].lower() == "one")
    if told["empty"]:
        return "empty", None
    if told["other"]:
        return "parameter", told["other"]
    constant = told["constant"] or ""
    return (
        ("nan", None)
        if constant.lower() == "nan"
        else ("value", {"None": None, "True": True, "False": False}[constant])
    )


_OF_SIZE = (
    r"of (?:the (?:given )?|a given )?"
    r"(?:(?:at most|up to|(?:no|not) more than|length|size|width|exactly) )?[`'\"]{0,2}(?P<size>\w+)[`'\"]{0,2}"
)
_BATCHES = re.compile(
    r"(?i)\b(?:batches|chunks|pieces|blocks|(?<=in )(?:lists|groups|tuples)|(?<=into )(?:lists|groups|tuples))"
    rf" {_OF_SIZE}"
)
_LAST_IS_LESS = re.compile(
    r"(?i)[,;:(.–-]? ?(?:and |but |where |so )?(?:only )?the (?:last|final) "
    r"(?:one |list |batch |chunk |piece |block |group |part )?"
    r"(?:(?:holds|has|takes|contains|gets|is) (?:what|whatever|all that) (?:remains|is left)(?: over)?"
    r"(?: and (?:may|can|might) be (?:shorter|smaller))?"
    r"|(?:may|can|might) (?:be (?:shorter|smaller)|(?:hold|have) fewer(?: \w+)?))(?=[.,;)]|$)"
)
"""What says of batches only what is so of any."""
_WINDOWS = re.compile(rf"(?i)\b(?:windows|runs|n-?grams) {_OF_SIZE}")
_APART = re.compile(r"(?i)\b(?:tumbling|disjoint|consecutive|adjacent|separate)\b|\bnon-")
_OTHER_PARTS = re.compile(
    r"(?i)\b(?:drop\w*|discard\w*|ignor\w*|incomplete|padd?\w*|fill\w*|overlap\w*|only|remain\w*|rest|shuffl\w*|random\w*"
    r"|strid\w*|steps?|short\w*|merge\w*|balanc\w*|equal\w*|even\w*|full|whole|except|not|no (?!more)|never"
    r"|skip\w*|partial|min\w*|mean|sum|average|max\w*|strict|join\w*|hop|lost|leftover|last|first"
    r"|every (?!item|window)|other)\b"
)


def _in_parts(docstring: str, sentences: Iterable[str], parameters: Sequence[Parameter]) -> Iterator[Found]:
    names = [parameter.name for parameter in parameters]
    said = _LAST_IS_LESS.sub(" ", " ".join(docstring.split())).replace("not more", "at most")
    if _OTHER_PARTS.search(" ".join([said, *(name.replace("_", " ") for name in names)])):
        return
    for sentence in (_LAST_IS_LESS.sub(" ", each) for each in sentences):
        for kind, pattern in (("batches", _BATCHES), ("windows", _WINDOWS)):
            match = pattern.search(sentence)
            apart = kind == "windows" and _APART.search(docstring)
            if match and match["size"] in names[1:] and not apart and not _UNSURE.search(sentence):
                yield kind, (names[0], match["size"]), sentence


_EVEN = re.compile(
    r"(?i)\b(?:into|in) (?:exactly )?(?:the )?[`'\"]{0,2}(?P<count>\w+)[`'\"]{0,2} (?:[\w-]+ ){0,2}?"
    r"(?:parts|folds|groups|chunks|pieces|blocks|slices|lists|sublists|bins|segments|batches)\b[^.;]{0,90}?"
    r"(?:\b(?:sizes?|lengths?) (?:(?:of which )?differ|differing|differs) by (?:at most|no more than) (?:one|1)\b"
    r"|\bas (?:equal|even|equally|evenly)(?: in size| in length| sized)? as possible\b)"
)
_NOT_EVEN = re.compile(
    r"(?i)\b(?:drop\w*|discard\w*|ignor\w*|left out|lost|sums?|totals?|weights?|strat\w*|if|when|not)\b"
)
_REST = r"(?:rest|remainder|remaining \w+|what (?:is left|remains)|tail|leftovers?) of (?:the |an? )?longe(?:r|st)\b"
_TOGETHER = re.compile(
    rf"(?i)\b{_REST}(?: \w+)?,? (?:then )?(?:follows?|comes?|goes|go|(?:is|are) (?:appended|added)|stays?)\b"
    rf"|\b(?:appending|followed by|ending with|then) (?:the )?{_REST}"
    r"|\blonger (?:ones|sequences|lists|iterables|\w+s) (?:go on|continue|carry on|keep going|follow)\b"
)
_NOT_TOGETHER = re.compile(
    r"(?i)\b(?:not|never|no|drop\w*|cut\w*|ignor\w*|lost|if|unless|padd?\w*|fill\w*|uniq\w*|distinct|key)\b"
)


def _all_there(docstring: str, sentences: Iterable[str], parameters: Sequence[Parameter]) -> Iterator[Found]:
    names = [parameter.name for parameter in parameters]
    for sentence in sentences:
        match = None if _UNSURE.search(sentence) or _NOT_EVEN.search(docstring) else _EVEN.search(sentence)
        if match and match["count"] in names[1:]:
            yield "even_parts", (names[0], match["count"]), sentence
        if _TOGETHER.search(sentence) and not _UNSURE.search(sentence) and not _NOT_TOGETHER.search(docstring):
            yield "all_left", (), sentence


_NO_MORE = (
    r"(?:changes nothing|does nothing|does not change anything|has no (?:further |more |additional |other )?effect"
    r"|makes no (?:further )?difference|is harmless|is a no-?op|changes nothing more)"
)
_AGAIN = re.compile(
    r"(?i)\b(?:calling|applying|running|doing|using|repeating|invoking|closing) (?:(?:it|this|the \w+) )?"
    r"(?:again|twice|repeatedly|a second time|more than once|once more|several times"
    r"|(?P<own>(?:on|to) its (?:own )?(?:result|output)))"
    rf"(?: (?P<too>on its (?:own )?(?:result|output)))? {_NO_MORE}"
    rf"|\ba second (?:call|application|time|run) {_NO_MORE}"
    r"|^(?:it |this |the \w+ )?(?:is )?(?P<word>idempotent)\b(?=[:.,;]|$)"
    r"|\b(?:is|are) (?P<later>idempotent)\b(?=[:.,;]|$)"
)
_MADE = re.compile(
    r"(?i)^(?:\w+_)?(?:normali[sz]|clean|slug|strip|trim|collaps|canonical|squeez|sort|dedup|uniq|round|clip|clamp|fold|tidy"
    r"|simplif|flatten|saniti[sz]|standardi[sz]|shorten|compact)"
)


def _again(name: str, sentences: Iterable[str], *, of_object: bool) -> Iterator[Found]:
    for sentence in sentences:
        match = _AGAIN.search(sentence)
        if (
            match is None
            or _UNSURE.search(sentence)
            or re.search(r"(?i)\b(?:if|when|not (?!change)|never)\b", sentence)
        ):
            continue
        if of_object:
            yield "done_again", (), sentence
        else:
            yield "again", (bool(match["own"] or match["too"] or _MADE.match(name)),), sentence


_UNDOES = re.compile(
    r"(?i)\b(?:undo(?:es)?|takes? back|reverts?|rolls? back|revers\w+|cancels?)\b[^.;]{0,30}\b"
    r"(?:last|latest|most recent) (?:change|edit|modification|operation|action)\b"
    r"|\brestores? (?:the |its |what )?\w* ?(?:as (?:it|they) (?:was|were) |from |that was )?before (?:the |its )?"
    r"(?:last|latest|most recent) (?:change|edit|modification|operation|action)\b"
)
_NOT_UNDONE = re.compile(r"(?i)\b(?:if (?!there|any)|when|not|never|except|only)\b")
_COPY = re.compile(r"(?i)\b(?:an?|its own|the) (?:[\w()-]+ ){0,2}(?:copy|clone|duplicate)\b")
_IS_COPIED = {"clone", "copy", "duplicate", "deep_copy", "deepcopy"}
_SHARES_NOTHING = re.compile(r"(?i)\bdeep(?:ly)?[- ]?cop|\b(?:shares nothing|nothing (?:is )?shared)\b")
_FULL = re.compile(
    r"\b(?:\w+Error|\w*Exception|\w*Full|[Rr]aises)\b[^.;]{0,40}\b(?:if|when|once) (?:the \w+ |it |this )?(?:is |'s )?"
    r"(?:already )?full\b(?=[.,;)]|$)"
)
_NOT_FULL = re.compile(r"(?i)\b(?:overwrit\w*|blocks?|waits?|timeout|oldest|evict\w*|drop\w*|or|and|not|never)\b")


def _of_method(
    name: str, docstring: str, sentences: Iterable[str], parameters: Sequence[Parameter]
) -> Iterator[Found]:  # fmt: skip
    for sentence in sentences:
        if _UNSURE.search(sentence):
            continue
        if len(parameters) == 1 and _UNDOES.search(sentence) and not _NOT_UNDONE.search(docstring):
            yield "undone", (), sentence
        if name in _IS_COPIED and _COPY.search(sentence) and not _SHARED.search(docstring):
            yield "cloned", (bool(_SHARES_NOTHING.search(docstring)),), sentence
    for sentence in sentences:
        if (
            len(parameters) > 1
            and _FULL.search(sentence)
            and not (_NOT_FULL.search(sentence) or _UNSURE.search(sentence))
        ):
            yield "filled", (), sentence

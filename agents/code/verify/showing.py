"""What documentation shows of single calls, also in prose, and says of accuracy, shares and expected values.

Each is tried inside (see ``xkg_inside.trials``). Examples are read that can be called as they stand, with plain values;
of the rest only what is plain, no sentence with further conditions.
"""

import ast
import itertools
import re
from collections.abc import Iterator, Sequence

from agents.code.verify.docstrings import sentences
from agents.code.verify.naming import Parameter, parameters_of
from agents.execution.syntax import NotPython3, expression
from kg.models.code import CodeUnit

__all__ = ["showing", "shown_in"]

Found = tuple[str, tuple[object, ...], str]
"""The kind of a promise, its arguments, of which the first is "", and the sentence."""
MOST, WIDEST = 8, 300
"""Examples of one function, and characters of a line that is read for them."""
_UNSURE = re.compile(
    r"(?i)\b(?:unless|except|otherwise|may|might|should|could|would|usually|typically|mostly|possibly|approximat\w*|about"
    r"|roughly|nearly|almost|cannot|assum\w*|not|never|no longer|instead|used to|todo|if|when|random\w*|before|wrong\w*"
    r"|rais\w+|invalid|unsupported|seed\w*)\b|n't\b|\?|>>>|≈|~|!="
)


def showing(unit: CodeUnit) -> Iterator[Found]:
    """Of a function that is no method."""
    parameters = parameters_of(unit.signature) if unit.kind == "function" and unit.docstring else None
    if not parameters or parameters[0].name in {"self", "cls"}:
        return
    yield from _examples(unit, unit.docstring)
    told = sentences(unit.docstring)
    if all(parameter.default is not None for parameter in parameters[1:]):
        yield from _in_prose(unit, told, [parameter.name for parameter in parameters])
        yield from _in_front(unit, told)
    yield from _quantities(told, parameters)
    yield from _accuracies(unit, told, parameters)
    yield from _shares(unit, told)
    yield from _made_up_for(unit, parameters)


_SIGN = re.compile(r"[`'\"]{0,2} *(?:==?(?!=)|[-=]>|→|\b(?:returns|gives|is|yields)\b) *[`]{0,2}")
_REST = re.compile(r"[`]{0,2} *(?:$|[,;)#](?! *or\b)|\.(?=\s|$)|and\b|but\b|while\b)")


_COMMENTED = re.compile(r" *\)? *# *(?:(?:==|[-=]>|→|=|prints|returns|gives) *)?")


def shown_in(text: str, unit: CodeUnit) -> Iterator[Found]:
    """What a text of the repository, as its README, shows of single calls of a function: at Python's prompt, or with
    what comes out in a comment."""
    found = 0
    for line, following in itertools.pairwise([*_lines(text), ""]):
        call = _call(line[4:]) if line.startswith(f">>> {unit.name}(") and found < MOST else ""
        if call and call == line[4:].rstrip() and (value := _literal(following)):
            found += 1
            yield "example", ("", call, value), f"{line} {following}"
    yield from _examples(unit, text, _COMMENTED)


def _lines(text: str) -> list[str]:
    """Its lines; an empty one for each that is too long to be an example: each bracket of it would be tried."""
    return [line.strip() if len(line) <= WIDEST else "" for line in text.splitlines()]


def _examples(unit: CodeUnit, text: str, signs: re.Pattern[str] = _SIGN) -> Iterator[Found]:
    found = 0
    for line in _lines(text):
        if line.startswith((">>>", "...")) or found >= MOST or _UNSURE.search(line):
            continue
        for match in re.finditer(rf"(?<![\w.]){re.escape(unit.name)}(?=\()", line):
            call = _call(line[match.start() :])
            sign = signs.match(line, match.start() + len(call)) if call else None
            value = _literal(line[sign.end() :]) if sign else ""
            if call and value and found < MOST:
                found += 1
                yield "example", ("", call, value), line


def _call(text: str) -> str:
    """The call of plain values that a text begins with; "" if it does not."""
    for end in (match.end() for match in re.finditer(r"\)", text)):
        try:
            node = expression(text[:end])
            values = [*node.args, *(word.value for word in node.keywords)] if isinstance(node, ast.Call) else []
            for value in values:
                ast.literal_eval(value)
        except (NotPython3, ValueError, RecursionError, MemoryError):
            continue
        plain = isinstance(node, ast.Call) and all(word.arg for word in node.keywords)
        return text[:end] if plain and values else ""
    return ""


def _literal(text: str) -> str:
    """The longest plain value that a text begins with and that is all that is said; "" if there is none."""
    for end in range(len(text), 0, -1):
        if not _REST.match(text[end:]):
            continue
        try:
            ast.literal_eval(expression(text[:end]))
        except (NotPython3, ValueError, RecursionError, MemoryError):
            continue
        return text[:end].strip()
    return ""


_DATUM = (
    r"(?:(?<![\w'])'(?P<{0}a>[^'\n\\]+)'(?!\w)|(?<![\w\"])\"(?P<{0}b>[^\"\n\\]+)\"(?!\w)"
    r"|``?(?P<{0}c>[^`\n\\]+)``?|(?<![\w`'\"./-])(?P<{0}d>[A-Za-z\d][\w-]*\w)(?![\w`'\"/(=]|\.\w))"
)
_BECOMES = r" *(?:[-=]>|→) *| (?:becomes|gives|yields|(?:is )?turn(?:s|ed) into|is converted (?:in)?to|comes out as) "
_ENDS = r"(?=$|[,;:)]|\.(?:\s|$)| and\b| but\b| while\b)"
_SHOWN_AS = re.compile(
    rf"{_DATUM.format('x')}(?:{_BECOMES})(?:`?(?P<number>-?\d+(?:\.\d+)?)`?(?![\w%])|{_DATUM.format('y')}){_ENDS}"
)
_IN_A_CHAIN = re.compile(r"(?i)(?:[-=]>|→|\b(?:becomes|into|after|by|with|of|(?<!as )in|to|from|than|which)) *$")
_OF_A_PART = re.compile(
    r"(?i)\b(?:end(?:s|ing|ings)?|suffix\w*|prefix\w*|extensions?|final|trailing|leading|last|initial|inside|within"
    r"|keys?|columns?|fields?|headers?|sections?|tags?|attributes?|versions?|lines?|paths?|urls?|mode|under|options?|flags?"
    r"|passing|inver[st]\w*|undo\w*|revers\w*|opposite|back|unlike|contrary|rather|former\w*|previous\w*|earlier|old"
    r"|which|then|finally|with|without|for each|next|between|tables?|templates?|placeholders?|variables?|parameters?)\b"
)
"""What may say that an example is no whole argument, or of another function."""
_NO_DATA = re.compile(r"(?i)(?:case|\.\.\.|…)$|^\.|[<>{}$]|\b(?:yy\w*|mm|dd|hh|ss|n{2,}|x{2,})\b")
"""Names of styles, and what stands for other texts."""


def _in_prose(unit: CodeUnit, told: Sequence[str], names: Sequence[str]) -> Iterator[Found]:
    """Texts and what becomes of them, of a function that needs nothing else: in quotes, or the same letters and digits
    written in another way."""
    found = 0
    for sentence in told:
        other = any(re.search(rf"\b{re.escape(name)}\b", sentence) for name in names[1:])
        beside = _SHOWN_AS.sub(" ", sentence)
        if other or ">>>" in sentence or _UNSURE.search(beside) or _OF_A_PART.search(beside):
            continue
        for match in _SHOWN_AS.finditer(sentence):
            text, wanted = (next(filter(None, map(match.group, (f"{one}{k}" for k in "abcd"))), "") for one in "xy")
            quoted = bool(match["xa"] or match["xb"]) and bool(match["ya"] or match["yb"] or match["number"])
            if _IN_A_CHAIN.search(sentence[: match.start()]) or not {text, wanted}.isdisjoint(names):
                continue
            plain = (
                text in unit.docstring and wanted in unit.docstring and not any(map(_NO_DATA.search, (text, wanted)))
            )
            if plain and _is_fit(text, wanted, match["number"] or "", quoted=quoted) and found < MOST:
                found += 1
                yield "example", ("", f"{unit.name}({text!r})", match["number"] or repr(wanted), True), sentence


def _is_fit(text: str, wanted: str, number: str, *, quoted: bool) -> bool:
    """Whether both of an example may be data: in quotes what is no mere letter or two, else the same letters and digits
    in another form, or a number of what begins with one."""
    if wanted and text != wanted and _bare(text) == _bare(wanted) and len(_bare(text)) > 1:
        return True
    return len(text) > 2 if quoted else bool(number and re.match(r"\d+[A-Za-z]", text))


def _bare(text: str) -> str:
    return re.sub(r"[\W_]", "", text).lower()


_IN_FRONT = re.compile(
    rf"(?P<how>\b(?:so that|i\.e\.|e\.g\.,?|puts|places|lists|thus|for example,?) |[(:] ?|^){_DATUM.format('x')} "
    r"(?:(?:comes|sorts|stands|goes|is (?:put|placed|listed|sorted)) )?(?P<where>before|after|precedes|follows) "
    rf"{_DATUM.format('y')}{_ENDS}"
)
_OTHER_ORDERS = re.compile(
    r"(?i)\b(?:lexic\w*|alphabet\w*|plain\w*|ordinar\w*|strings?|ascii|usual\w*|na[iï]ve\w*|default\w*|normal\w*"
    r"|otherwise|python|built-?in|sorted\(|unlike|not|never|instead|rather|revers\w*|descend\w*|optional\w*|wrong\w*"
    r"|if|when|unless|would|may|might|could|should|problem|simple|standard)\b|n't\b|>>>|\?"
)


def _in_front(unit: CodeUnit, told: Sequence[str]) -> Iterator[Found]:
    """Which of two texts with numbers, or in quotes, comes first where they are sorted."""
    for sentence in told:
        match = _IN_FRONT.search(sentence)
        if match is None or _OTHER_ORDERS.search(sentence):
            continue
        first, second = (next(filter(None, map(match.group, (f"{one}{k}" for k in "abcd"))), "") for one in "xy")
        bare = [text for x, text in (("x", first), ("y", second)) if not (match[f"{x}a"] or match[f"{x}b"])]
        once = all(len(re.findall(rf"(?<!\w){re.escape(one)}(?!\w)", unit.docstring)) == 1 for one in (first, second))
        if all(re.search(r"\d", text) for text in bare) and once and first != second:
            pair = (first, second) if match["where"] in {"before", "precedes"} else (second, first)
            yield "in_front", ("", *pair), sentence


_SPAN = r"(?:\w+ )?(?:durations?|times?|intervals?|periods?|time ?spans?|timeouts?|delays?|ages?|sizes?|amounts?)"
_UNIT = r"(seconds|milliseconds|minutes|hours|bytes)"
_IN_UNITS = re.compile(
    rf"(?i)^(?:returns? |gives? )?(?:the )?(?:total )?(?:number of )?{_UNIT} (?:of|in|for) (?:an? |the )?{_SPAN}\b"
    rf"|^(?:pars|convert|read|translat)\w* (?:an? |the )?(?:\w+ )?{_SPAN}\b[^.;]* (?:in)?to (?:a number of )?{_UNIT}\b"
)
_QUOTED = re.compile(r"(?:``?|['\"])(\d[\w. ]*?[A-Za-z])(?:``?|['\"])")


def _quantities(told: Sequence[str], parameters: Sequence[Parameter]) -> Iterator[Found]:
    first = told[0] if told else ""
    match = _IN_UNITS.search(first)
    texts = [text for sentence in told if not _UNSURE.search(sentence) for text in _QUOTED.findall(sentence)]
    alone = all(parameter.default is not None for parameter in parameters[1:])
    if match and texts and alone and not _UNSURE.search(first):
        yield "quantity", ("", (match[1] or match[2]).lower(), tuple(texts[:MOST])), first


_AMOUNT = r"(\d+(?:\.\d+)?e-\d+|10 ?(?:\^|\*\*) ?\(?-\d+\)?|0?\.0*[1-9]\d*)"
_ERROR = re.compile(
    r"(?i)\b(?:(?P<a>absolute|relative) )?errors? (?:is |of |stays |are )*(?:always )?"
    rf"(?:at most |no more than |below |under |less than |smaller than |within |<=? ?|≤ ?)?(?P<x>{_AMOUNT})(?![\w%])"
    rf"|\b(?:accurate|exact|correct) (?:up )?to (?:within )?(?P<y>{_AMOUNT})(?![\w%])"
)
_OF = (
    ("normal_cdf", re.compile(r"(?i)\bdistribution function of (?:the|a) (?:standard|unit) normal\b"
                              r"|\b(?:standard|unit) normal (?:cdf\b|(?:cumulative )?distribution function)")),
    ("square_root", re.compile(r"(?i)^(?:returns? |computes? )?(?:the )?square root of (?:an? )?(?:\w+\b)(?!\()")),
    ("integral", re.compile(r"(?i)^(?:returns? |computes? )?(?:the )?(?:definite )?integral of "
                            r"(?:an? |the )?(?:f|func\w*)\b")),
    ("erf", re.compile(r"(?i)^(?:returns? |computes? )?(?:the )?error function\b(?! comp)")),
)  # fmt: skip
_NAMES = {
    **dict.fromkeys(("normal_cdf", "norm_cdf", "standard_normal_cdf"), "normal_cdf"),
    **dict.fromkeys(("erf", "exp", "log", "sin", "cos", "atan", "gamma"), ""),
    **dict.fromkeys(("sqrt", "square_root", "newton_sqrt"), "square_root"),
}
_WHERE = re.compile(
    r"(?i)\|\w+\||\b(?:on|in|over|for) (?:the )?(?:\w+ ){0,3}(?:\[|range|interval(?! \[a)|domain)|[<>]=? ?-?\d"
)


def _accuracies(unit: CodeUnit, told: Sequence[str], parameters: Sequence[Parameter]) -> Iterator[Found]:
    first = told[0] if told else ""
    name = next((name for name, pattern in _OF if pattern.search(first)), _NAMES.get(unit.name))
    needed = [parameter for parameter in parameters if parameter.default is None]
    if name is None or len(needed) != (3 if name == "integral" else 1):
        return
    for sentence in told:
        match = _ERROR.search(sentence)
        where = _WHERE.search(sentence.replace("over [a, b]", "").replace("on [a, b]", ""))
        if match and not where and not _UNSURE.search(sentence):
            most = match["x"] or match["y"]
            power = re.search(r"\d+(?=\)?$)", most)
            value = 10.0 ** -int(power[0]) if most.startswith("10") and power and "e" not in most else float(most)
            yield "accurate", ("", name or unit.name, value, (match["a"] or "").lower() == "relative"), sentence
            return


_EACH = re.compile(
    r"(?i)\b(?:share|fraction|proportion|part|percentage) of (?:the )?(?:items|samples|rows|examples|elements|points"
    r"|records|values|entries|members) (?:of|in|from|with) (?:each|every) (?:label|class|stratum|group|category)\b"
    r"|\bstratified (?:train|split|sampl|partition|by)|\b(?:keep|preserv|retain|maintain)\w* the (?:shares|proportions"
    r"|fractions|distribution) of (?:the )?(?:labels|classes|strata)\b"
)
_FOLDS = re.compile(r"(?i)\b(?:folds?|k-?fold|bins?|approximat\w*|bootstrap\w*|with replacement)\b")


def _shares(unit: CodeUnit, told: Sequence[str]) -> Iterator[Found]:
    words = f"{unit.name.replace('_', ' ')} {unit.docstring}"
    found = next((sentence for sentence in told if _EACH.search(sentence) and not _UNSURE.search(sentence)), "")
    if (found or "stratified split" in words) and not _FOLDS.search(words):
        yield "stratified", ("",), found or unit.name


_KEPT = re.compile(
    r"(?i)\binverted dropout\b|\bexpected (?:values?|activations?|sums?|outputs?)\b[^.;]*"
    r"\b(?:kept|preserved|unchanged|stays?|same|keeps)\b|\b1 ?/ ?\(1 ?- ?\w+\)"
)
_RATES = {
    "p", "rate", "drop", "dropout", "drop_prob", "prob", "dropout_rate", "drop_rate", "p_drop", "keep_prob", "ratio",
}  # fmt: skip


def _made_up_for(unit: CodeUnit, parameters: Sequence[Parameter]) -> Iterator[Found]:
    rates = [parameter.name for parameter in parameters if parameter.name in _RATES]
    match = _KEPT.search(unit.docstring)
    if "dropout" in f"{unit.name} {unit.docstring}".lower() and match and len(rates) == 1:
        said = next((sentence for sentence in sentences(unit.docstring) if _KEPT.search(sentence)), "")
        if said and not re.search(r"(?i)\bnot\b|\bwithout\b|n't\b", said):
            yield "expected", ("", rates[0]), said

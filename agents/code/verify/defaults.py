"""Defaults that documentation states and a signature does not have.

Only plain values are held against each other: a number against a number, a truth value or a text against another. A
default that is None may well be told as what then stands for it, and so may a text that names how a number is found.
"""

import ast
import math
import re
from collections.abc import Iterator

from agents.code.verify.naming import parameters_of
from kg.models.code import CodeUnit

__all__ = ["other_default"]

_VALUE = (
    r"[`'\"*]{0,2}(?P<value>(?<![\w.])[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?|True|False|(?<=')\w+(?=')|(?<=\")\w+(?=\"))"
    r"[`'\"*]{0,2}"
)
_END = r"(?= *(?:[;)\]]|[.,](?=\s|$)|$))"
"""Nothing more belongs to the value, as a unit or a factor would."""
_UNSURE = re.compile(
    r"(?i)\b(?:if|when\w*|where|unless|otherwise|else|for|in case|except|depend\w*|was|were|previous\w*|former\w*"
    r"|earlier|changed?|versions?\w*|deprecated|old|legacy|until|since|recommend\w*|paper|original\w*|typical\w*|or|not|never"
    r"|instead|unlike|override\w*|overrid\w*|config\w*|environment|subclass\w*|percent|degrees|ms|milliseconds|minutes"
    r"|e\.g|example|usually|about|approximat\w*|should|would|may|might|could)\b|n't\b|>>>|%|\?"
)
_NAMED = (
    rf"\b(?:the )?default (?:value )?(?:of |for )?(?:the )?`{{0,2}}(?P<name>\w+)`{{0,2}} (?:is|=|being) {_VALUE}{_END}",
    rf"\b(?P<name>\w+)`{{0,2}} (?:defaults? to|is by default|has (?:a|the) default (?:value )?of) {_VALUE}{_END}",
    rf"\b(?P<name>\w+)`{{0,2}} (?:is )?\((?:by )?default(?:s to|ing to|:| is|=)? ?{_VALUE}\)",
)
"""What says it of a parameter that it names."""
_OF_ENTRY = (
    rf"(?:^|[\s(,;])(?:the )?default(?:s to|ing to| value| value is| is|:|=)?[ =:]{{0,2}} ?{_VALUE}{_END}",
    rf"(?:^|[\s(,;]){_VALUE} (?:by|as) (?:the )?default\b",
)
"""What says it in an entry of its own for one parameter."""


def other_default(unit: CodeUnit) -> str:
    """What is said of a default that is another, as a clause; empty for none."""
    if unit.kind not in {"function", "method"} or "efault" not in unit.docstring:
        return ""
    defaults = {each.name: each.default for each in parameters_of(unit.signature) or () if each.default is not None}
    for name, value, said in _stated(unit.docstring, defaults):
        if _differ(value, defaults[name]):
            return f"its docstring says: {said[:200]}; its signature has {name}={ast.unparse(defaults[name])}"
    return ""


def _stated(docstring: str, names: dict[str, ast.expr]) -> Iterator[tuple[str, str, str]]:
    """The parameters of which a default is stated, the value as written, and where."""
    for part in re.split(r"(?<=[.;!?])\s+|\n\s*\n|\n(?=\s*[-*:>])|\n(?=\s*\w+ ?(?:\([^)\n]*\))? ?:)", docstring):
        sentence = " ".join(part.split())
        for form in _NAMED:
            match = re.search(f"(?i){form}", sentence)
            if match and match["name"] in names and not _UNSURE.search(_beside(sentence, match)):
                yield match["name"], match["value"], sentence
    for name in names:
        for entry in _entries(name, docstring):
            found = [match for form in _OF_ENTRY for match in re.finditer(f"(?i){form}", entry)]
            if len(found) == 1 and not _UNSURE.search(_beside(entry, found[0])) and entry.lower().count("default") == 1:
                yield name, found[0]["value"], entry


def _beside(text: str, match: re.Match[str]) -> str:
    return f"{text[: match.start()]} {text[match.end() :]}"


def _entries(name: str, docstring: str) -> Iterator[str]:
    """What is told of a parameter in entries of its own, each on one line; behind a type it begins anew."""
    head = rf"(?m)^(?P<indent>[ \t]*)(?::param (?:\w+ )?)?[`*]{{0,2}}{re.escape(name)}[`*]{{0,2}}(?: ?\([^)\n]*\))? ?:"
    entries = list(re.finditer(head, docstring))
    for match in entries if len(entries) == 1 else ():
        lines = docstring[match.start() :].splitlines()
        deep = len(match["indent"].expandtabs())
        own = [lines[0] + ";" * (" : " in lines[0])]
        for line in lines[1:]:
            if not line.strip() or len(line.expandtabs()) - len(line.expandtabs().lstrip()) <= deep:
                break
            own.append(line)
        yield " ".join(" ".join(own).split())


def _differ(said: str, default: ast.expr) -> bool:
    """Whether both are plain values of one sort, and not the same."""
    try:
        real = ast.literal_eval(default)
    except ValueError:
        return False
    if said in {"True", "False"} or type(real) is bool:
        return type(real) is bool and said in {"True", "False"} and str(real) != said
    if type(real) is str:
        alias = said.startswith(real) or real.startswith(said)
        return not (re.fullmatch(r"[-+\d.e]+", said) or alias or said.lower() == "none")
    if type(real) not in (int, float) or not re.fullmatch(r"[-+]?[\d.]+(?:e[-+]?\d+)?", said, re.I):
        return False
    return not math.isclose(float(said), float(real), rel_tol=1e-6)

"""What documentation says of exceptions, of None, of files and of formulas: read word by word, judged elsewhere.

A saying is read generously, for it is held against the source itself (see `possible`): only what no path of the source
can do is said wrongly. What denies it, tells of the past, or speaks of another's exception is no saying.
"""

import re
from collections.abc import Iterator, Sequence

from agents.code.verify.docstrings import sentences

__all__ = [
    "exceptions_said",
    "formulas_said",
    "literal_said",
    "none_said",
    "writing_said",
]

_ERROR = re.compile(r"\b([A-Z]\w*(?:Error|Exception|Exit|Interrupt))\b")
_RAISING = (
    r"(?:rais\w*|throw\w*|signal\w*|giv\w*|fail\w*|end\w*|produc\w*|trigger\w*|caus\w*|result\w*|lead\w*|get\w*|see\w*"
    r"|an?|any|the|more|ever|be|with|in|to|of|or|and|nor|having|from|even|such|bare|plain|by|\w+(?:Error|Exception))"
)
_DENIED = re.compile(
    rf"(?i)(?:\b(?:not|never|cannot|no longer|no|without|instead|rather|than|neither|nor|avoid\w*|prevent\w*)|n't)"
    rf"(?:[ ,/`'\"(]+{_RAISING})*[ ,/`'\":~(]*(?:exc:|class:)?[`'\"~]*$"
)
_OF_OTHERS = re.compile(
    r"(?i)\b(?:catch\w*|caught|swallow\w*|suppress\w*|ignor\w*|handl\w*|wrap\w*|convert\w*|translat\w*|retr(?:y|ies|ied)"
    r"\w*|log(?:s|ged)?|silenc\w*|recover\w*|guard\w*|mask\w*|hid(?:e|es|den|ing)|collect\w*|record\w*|return\w* an?"
    r"|turn\w* an?|map(?:s|ped)?|absorb\w*|tolerat\w*|protect\w*|skip\w*|subclass\w*|inherit\w*|derive\w*|deriving"
    r"|format\w*|build\w*|mak(?:e|es|ing) an?|construct\w*|pars(?:e|es|ing)|like|unlike|similar)\b[^.;]{0,60}$"
    r"|\b(?:on|except|upon|after|if|when|where|of|for|unless|until|caused by|from)"
    r" (?:an? |any |the |every |each )?[`'\"(]*$"
)
_AFTERWARDS = re.compile(
    r"(?i)^[`'\"]* (?:(?:is|are|was|were|gets?|being|will be|that is) (?:caught|swallowed|suppressed|ignored|handled"
    r"|logged|wrapped|converted|retried|returned|not|never|no longer|turned|avoided|mapped|translated|silenced"
    r"|recorded)|instances?|subclass\w*|classes|class|objects?|handlers?|handling|messages?|retries|if raised"
    r"|raised by)\b"
)
_PAST = re.compile(r"(?i)\b(?:used to|previously|formerly|earlier|before version|in the past|no longer|deprecated)\b")


NEAR = 90
"""Characters before a name that are read for what denies it."""


def exceptions_said(docstring: str) -> Iterator[tuple[str, str]]:
    """The names of exceptions that a docstring says are raised, each with its sentence."""
    for sentence in sentences(docstring):
        past = _PAST.search(sentence)
        for match in _ERROR.finditer(sentence):
            near = sentence[max(0, match.start() - NEAR) : match.start()]
            said = (
                _DENIED.search(near)
                or _OF_OTHERS.search(near)
                or _AFTERWARDS.match(sentence[match.end() : match.end() + 2 * NEAR])
            )
            if not said and not (past and past.end() <= match.start()):
                yield match[1], sentence


_NOTHING = r"[`'\"*]{0,2}(?-i:None)[`'\"*]{0,2}"
_NONE = re.compile(
    r"(?i)(?:^returns?:? +|\b(?:returns?|gives?|yields?|answers?|or|else|and|with|as|back|result is|answer is|it is"
    rf"|which is) +|[,;:–-] *|\( *(?!{_NOTHING} *\))){_NOTHING}(?= *(?:$|[.,;)]| (?:if|when|where|otherwise"
    r"|for|in case|should|unless|once|on|comes|is returned|is what|at|whenever|without|instead)\b))"
    rf"|^{_NOTHING}(?: is (?:returned|the answer|what))?,? (?:if|when|where|comes|otherwise|for)\b"
    rf"|\b{_NOTHING} (?:is returned|comes back|comes out|results?)\b"
)


def none_said(docstring: str) -> str:
    """The sentence that says None is what comes back in some case, "" for none."""
    for sentence in sentences(docstring):
        match = _NONE.search(sentence)
        if (
            match
            and not _BUT_NOT.search(sentence[: sentence.index("None", match.start())])
            and not _PAST.search(sentence)
        ):
            return sentence
    return ""


_BUT_NOT = re.compile(
    r"(?i)(?:\b(?:not|never|than|instead of|nor)|n't)(?: \w+){0,2} +[`'\"*]*$|\b(?:versionchanged|changed in)\b"
)
_WRITTEN = re.compile(r"(?i)^(?:sav|writ|stor|export|dump|persist|seriali[sz])(?:e|es|s|ing)?\b")
_ON_DISK = re.compile(r"(?i)\b(?:to|into|in|on|as|at) (?:an? |the |its )?(?:[\w.]+ )?(?:files?|disk|filesystem)\b")
_IN_A_FORMAT = re.compile(
    r"(?i)\b(?:csv|tsv|json\w*|ya?ml|pickle|npy|npz|parquet|checkpoint|files?|disk|xml|hdf5|png)\b"
)
_PLACE = re.compile(
    r"(?i)^(?:\w+_)?(?:path|file|filename|filepath|fname|dest|destination|folder|directory|target_dir)$"
)
_IN_MEMORY = re.compile(r"(?i)\b(?:string|str|bytes|buffer|stream|memory|cache|dry|unless|would|not|never|without)\b")


def writing_said(name: str, docstring: str, parameters: Sequence[str]) -> str:
    """What says that a function writes a file: its first sentence, or its name, "" for none."""
    first = next(iter(sentences(docstring)), "")
    placed = any(_PLACE.match(parameter) for parameter in parameters)
    if _IN_MEMORY.search(first):
        return ""
    if _WRITTEN.match(first) and (_ON_DISK.search(first) or (placed and _IN_A_FORMAT.search(first))):
        return first
    words = name.split("_")
    named = placed and words[0] in {"save", "write", "export", "dump", "store"}
    return name if named and (not first or _WRITTEN.match(first)) else ""


_FORMULA = re.compile(r"\b(exp|sqrt|log(?!\(s\)))\(|(?<=[A-Za-z)])\^ ?[({]?(-1)\b")
_NO_FORMULA = re.compile(
    r"(?i)\bO\(|\b(?:not?|never|without|instead|rather|avoid\w*|approximat\w*|unlike|faster|cheaper|equivalent\w*|given"
    r"|inputs?|expects?|assum\w*|already|precomputed|time|complexity|steps|iterations|scale)\b|n't\b"
)

_OF_THEIRS = re.compile(r"(?i)\b(?:its|their|whose|of which)\b")


def formulas_said(docstring: str) -> Iterator[tuple[str, str]]:
    """What the formulas of a docstring's summary compute ("exp", "sqrt", "log", "-1" for an inverse), each with that
    sentence: further ones may tell what is known of the result, and so may what is "theirs"."""
    first = next(iter(sentences(docstring)), "")
    for match in _FORMULA.finditer(_OF_THEIRS.split(first)[0] if not _NO_FORMULA.search(first) else ""):
        yield match[1] or match[2], first


_LITERAL = re.compile(
    r"\b(?i:replac|mask|redact|substitut)\w*\b[^.;]*\b(?:by|with) (?:the (?:word|text|string|token) )?[`'\"]{0,2}"
    r"(?!(?:NULL|NONE|TRUE|FALSE|ZERO)\b)([A-Z]{4,}\b|<[a-z]{2,}>|\[[A-Z]{2,}\])"
)


def literal_said(docstring: str) -> tuple[str, str]:
    """The text that a docstring says is put into the place of something, and the sentence."""
    for sentence in sentences(docstring):
        if (match := _LITERAL.search(sentence)) and not _NO_FORMULA.search(sentence):
            return match[1], sentence
    return "", ""

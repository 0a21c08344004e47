"""A docstring taken apart: its prose, its sentences, and which of them speak of the result alone.

One reader for all that hold documentation against code (`sayings`, `promises`, `conduct`, `effects`).
"""

import re
from collections.abc import Collection, Iterator
from itertools import pairwise

__all__ = ["noted", "prose", "sentences", "sentences_of_result", "split"]

_STOP = re.compile(r"(?<=[.;!?])\s+|\n\s*\n|\n(?=\s*[-*>])")
_LINE_HEADER = re.compile(r"[ \t]*(?:([A-Z][A-Za-z ]{2,30}):?[ \t]*$|[:@](\w+)[^:\n]*:)")
_UNDERLINE = re.compile(r"[ \t]*[-=~]{3,}[ \t]*$")
_OF_PARAMETERS = {
    "arg", "args", "argument", "arguments", "attributes", "example", "examples", "key", "keyword", "other parameters",
    "param", "parameters", "params", "references", "see also", "type", "usage", "warns", "note", "notes",
}  # fmt: skip
_OF_USE = {"example", "examples", "references", "see also", "usage"}


def sentences(docstring: str) -> list[str]:
    """The sentences of its prose, each on one line."""
    return split(prose(docstring))


def split(text: str) -> list[str]:
    """A text's sentences, paragraphs and list items, each on one line."""
    return [" ".join(part.split()) for part in _STOP.split(text) if part.strip()]


def prose(docstring: str) -> str:
    """A docstring without what describes parameters, examples, and what else is no promise of the function."""
    return "\n".join(_lines(docstring, _OF_PARAMETERS))


def noted(docstring: str) -> str:
    """What `prose` leaves out of a docstring, but for examples and references."""
    both = zip(_lines(docstring, _OF_USE), _lines(docstring, _OF_PARAMETERS), strict=True)
    return "\n".join(line for line, promised in both if not promised)


def _lines(docstring: str, left_out_of: Collection[str]) -> list[str]:
    kept: list[str] = []
    lines, left_out = docstring.splitlines(), False
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        match = _LINE_HEADER.match(line)
        if match and (match[2] or line.rstrip().endswith(":") or _UNDERLINE.match(following)):
            left_out = (match[1] or match[2]).strip().lower() in left_out_of
            kept.append("" if match[1] else line * (not left_out))
        elif line.lstrip().startswith((">>>", "... ", "Traceback (")):
            kept.append("")
        else:
            kept.append("" if left_out or _UNDERLINE.match(line) else line)
    return kept


_HEADER = re.compile(
    r"^[ \t]*(?:([A-Z][A-Za-z ]{2,30}):[ \t]*$|([A-Z][A-Za-z ]{2,30})[ \t]*\n[ \t]*[-=~]{3,}[ \t]*$)", re.M
)
_FIELD = re.compile(r"^[ \t]*[:@](\w+)[^:\n]*:", re.M)
_RETURNS = {"returns", "return"}
_SUMMARY = re.compile(r"(?i)(?:the|an?|all|how)\b")
"""How a docstring begins that names its result and does not tell what is done."""
_GOES_ON = re.compile(r"(?i)(?:it is|they (?:are|sum)|always)\b")
"""How a sentence goes on with the one before."""
_SEVERAL = re.compile(r"\b(tuple|dict\w*|both|pair|first|second)\b|^\s*[-*] ", re.I | re.M)


def sentences_of_result(docstring: str) -> Iterator[tuple[str, bool]]:
    """Sentences that may speak of the result, and whether they are said of it alone; none of a parameter's."""
    marks = sorted(
        [(m.start(), m.end(), (m[1] or m[2]).strip().lower()) for m in _HEADER.finditer(docstring)]
        + [(m.start(), m.end(), m[1].lower()) for m in _FIELD.finditer(docstring)]
    )
    bounds = [*marks, (len(docstring), 0, "")]
    for number, sentence in enumerate(split(docstring[: bounds[0][0]])):
        yield sentence, bool((_SUMMARY if number == 0 else _GOES_ON).match(sentence))
    for (_, start, name), (end, _, _) in pairwise(bounds):
        text = docstring[start:end]
        if name in _RETURNS and _one_value(text):
            yield from ((sentence, True) for sentence in split(text))


def _one_value(text: str) -> bool:
    """Whether a section describes one result: no tuple, no list of several."""
    lines = [line for line in text.splitlines() if line.strip()]
    least = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    entries = sum(" : " in line and not line[: least + 1].isspace() for line in lines)
    return not _SEVERAL.search(text) and entries < 2

"""Display equations as readable text, each with the sentence that it stands in."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from ingest.latex.detex import readable
from ingest.latex.macros import Macros
from kg.models.paper import Equation, Paragraph
from kg.words import find_whole

__all__ = ["in_context"]

_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\bal)(?<!\bFig)(?<!\bEq)[.!?][\"”)\]]*\s+(?=[\"“(\[]?[A-Z])")
_IN_TEXT = re.compile(r"\\(?:ensuremath|xspace)(?![A-Za-z@])")
"""Of use only to a command that is called in text, too."""
FEW_WORDS = 4
"""Of a sentence before its formula; so short a one ("That is,") needs the sentence before it."""
LONGEST = 1_500
"""Characters of a context."""


def in_context(equations: Sequence[Equation], paragraphs: Sequence[Paragraph], macros: Macros) -> tuple[Equation, ...]:
    """The equations in commands that need no preamble, with their `text`, and their `context` out of the paragraph
    around them."""
    around: dict[str, list[Paragraph]] = defaultdict(list)
    for paragraph in sorted(paragraphs, key=lambda p: p.start):
        around[paragraph.file].append(paragraph)
    starts = {file: [paragraph.start for paragraph in inside] for file, inside in around.items()}
    read_to: dict[str, int] = {}
    found = []
    for equation in sorted(equations, key=lambda e: (e.file, e.start)):
        latex = _IN_TEXT.sub("", macros.expand(equation.latex))
        text, context = readable(latex), ""
        before = bisect_right(starts.get(equation.file, []), equation.start)
        if text and before and equation.end <= (paragraph := around[equation.file][before - 1]).end:
            at = find_whole(paragraph.text, text, read_to.get(paragraph.id, 0))
            if at >= 0:
                read_to[paragraph.id] = at + len(text)
                sentence = _sentence(paragraph.text, at, at + len(text))
                context = sentence if sentence != text else ""
        found.append(equation.model_copy(update={"latex": latex, "text": text, "context": context}))
    order = {equation.id: number for number, equation in enumerate(equations)}
    return tuple(sorted(found, key=lambda equation: order[equation.id]))


def _sentence(text: str, start: int, end: int) -> str:
    """The sentence of `text` that holds ``[start, end)``, with the one before where too few words lead to it."""
    earliest = max(0, start - LONGEST)
    begins = [earliest, *(match.end() for match in _END.finditer(text, earliest, start))]
    first = begins[-1]
    if len(begins) > 1 and len(text[first:start].split()) < FEW_WORDS:
        first = begins[-2]
    ends = _END.search(text, max(start, end - 2))
    return text[first : ends.end() if ends else len(text)].strip()[:LONGEST]

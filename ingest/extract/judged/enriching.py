"""Definitions enriched by what else the paper says: the passages nearest in meaning, and of them a sentence that begins
with the technique's name and tells what it does, or that writes down how it is computed.

This is the retrieval step of the xKG paper (2510.17795, its `paper.retriever.faiss.top_k`), over the paper's own
sections and without another call: what is added is quoted, not written.
"""

import re
from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ingest.extract.judged.merging import joined
from ingest.extract.judged.passages import Passage, Passages
from ingest.extract.judged.quotes import Found, key, says, sentences
from ingest.extract.words import f1, stems, vocabulary
from kg.models.paper import Span
from kg.models.technique import Quote, Technique

__all__ = ["Embeds", "enrich"]

MOST_SENTENCES = 1
OPENING = 3
"""Words that may stand around a name where a sentence begins with it."""
_HANGING, _JUDGING = vocabulary("enriching", "hanging"), vocabulary("enriching", "judging")
_TAKES_UP, TAKEN_UP = frozenset(("this", "these", "such")), 8
"""Words that take up the sentence before, and among how many of the first they do."""
_RELATION = re.compile(r"[=≈∼≡∝]")
_WRITES = re.compile(r"\b(?:defin|comput|giv|estimat|writ|calculat|follows|denot)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_][\w-]*")
SHORTEST_NAME = 3
"""Letters of a name that a sentence may be told by: a sign alone is another's elsewhere."""
LONGEST_DEFINITION = 900
SHORTEST_PASSAGE = 60
LONGEST_PASSAGE = 900


class Embeds(Protocol):
    """Turns texts into rows of length 1."""

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One row for each text, in order."""


def enrich(
    techniques: Sequence[Technique], passages: Passages, embedder: Embeds, retrieved: int
) -> tuple[Technique, ...]:
    """`techniques` with up to one more sentence each, out of the `retrieved` nearest passages; 0 leaves them as they
    are."""
    texts = [p for p in passages.items if p.kind == "paragraph" and len(p.text) >= SHORTEST_PASSAGE]
    everyone = [each for top in techniques for each in top.walk() if each.method == "llm"]
    if not retrieved or not texts or not everyone:
        return tuple(techniques)
    asked = [f"{each.name}. {each.definition}"[:LONGEST_PASSAGE] for each in everyone]
    rows = embedder.embed([*asked, *(p.text[:LONGEST_PASSAGE] for p in texts)])
    near = rows[: len(asked)] @ rows[len(asked) :].T
    defined = [quote.span for each in everyone for quote in each.quotes if quote.role == "definition"]
    context = {}
    for number, technique in enumerate(everyone):
        best = np.argsort(-near[number], kind="stable")[:retrieved]
        context[technique.id] = _context(technique, [texts[at] for at in best], passages, defined)
    return tuple(_with(top, context) for top in techniques)


def _context(
    technique: Technique, nearest: Sequence[Passage], passages: Passages, defined: Sequence[Span]
) -> list[Quote]:  # fmt: skip
    """The sentences of the nearest passages that tell of the technique, and not what is quoted already: not where it or
    another is `defined`, and none that only point elsewhere ("Figure 2 shows …")."""
    known = [frozenset(stems(quote.text)) for quote in technique.quotes if quote.role == "definition"]
    room = LONGEST_DEFINITION - len(technique.definition)
    found: list[Quote] = []
    for passage in nearest:
        for sentence in sentences(passage):
            words, span = frozenset(stems(sentence.shown)), sentence.span(passages)
            named = _tells(sentence, (technique.name, *technique.aliases))
            points = any(placed.token.kind == "ref" for placed in passage.words[sentence.first : sentence.last + 1])
            if (
                not named
                or points
                or any(
                    other.file == span.file and other.start < span.end and span.start < other.end for other in defined
                )
                or len(words) < 6
                or any(f1(words, other) > 0.5 or other <= words for other in known)
            ):
                continue
            if len(sentence.text) <= room and len(found) < MOST_SENTENCES:
                found.append(Quote(role="context", text=sentence.text, span=span))
                known.append(words)
                room -= len(sentence.text)
    return found


def _tells(sentence: Found, names: Sequence[str]) -> bool:
    """Whether a sentence tells what one of these names does: it begins with it, or writes down how it is computed. None
    that hangs on the one before, and none that judges: readers found these alien to what they were put to."""
    words = [word.lower() for word in _WORD.findall(sentence.shown)]
    words = words[1:] if words and words[0].isdigit() else words
    names = [name for name in names if len(key(name)) >= SHORTEST_NAME]
    cites = sentence.passage.words[sentence.first].token.kind == "cite"
    if cites or not words or words[0] in _HANGING or _JUDGING & set(words) or _TAKES_UP & set(words[:TAKEN_UP]):
        return False
    if any(says(" ".join(words[: len(stems(name)) + OPENING]), name) for name in names):
        return True
    written = bool(_RELATION.search(sentence.shown) and _WRITES.search(sentence.shown))
    return written and any(says(sentence.shown, name) for name in names)


def _with(technique: Technique, context: dict[str, list[Quote]]) -> Technique:
    more = context.get(technique.id, [])
    return technique.model_copy(
        update={
            "children": tuple(_with(child, context) for child in technique.children),
            "definition": joined([technique.definition, *(quote.text for quote in more)]),
            "quotes": (*technique.quotes, *more),
            "spans": (*technique.spans, *(quote.span for quote in more)),
        }
    )

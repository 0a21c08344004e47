"""How much an item is worth showing: hand weights for the signals that speak for and against it.

The weights are fixed on purpose; fitting them to a dozen papers gave nothing on papers not seen.
"""

import math
import re

from ingest.extract.merge import Item
from ingest.extract.sentences import Sentence
from ingest.extract.words import CONCEPT_HEADS, RESOURCE_HEADS, is_process_word

__all__ = ["score"]

_WEIGHT = {
    "heading": 0.40, "paragraph": 0.40, "run-in": 0.30, "item": 0.20, "algorithm": 0.60, "acronym": 0.15, "called": 0.35,
    "proposed": 0.25, "definition": 0.20, "emphasis": 0.15, "frequent": 0.20, "pseudo-code": 0.25, "used": 0.0,
    "step": 0.05,
}  # fmt: skip
_NAMED = frozenset(
    ("heading", "paragraph", "run-in", "item", "algorithm", "called", "proposed", "definition", "emphasis")
)


def score(item: Item, sentences: tuple[Sentence, ...]) -> float:
    """Between 0 and 1."""
    sources = item.sources
    points = sum(_WEIGHT[source] for source in sources)
    points += 0.12 * math.log1p(len(item.mentions))
    points += 0.10 * math.log1p(len(item.candidates))
    words = item.name.split()
    head = words[-1]
    if is_process_word(head) or words[0].lower().endswith("ing"):
        points += 0.12
    if head.lower() in CONCEPT_HEADS and not sources & {"algorithm", "called"}:
        points -= 0.20
    if head.lower() in RESOURCE_HEADS:
        points -= 0.25
    points += _by_place(item, sentences)
    if all(c.clause for c in item.candidates):
        points -= 0.25
    if len(words) == 1 and item.name.islower() and not sources & {"heading", "algorithm"}:
        points -= 0.20
    if len(words) > 7:
        points -= 0.10
    if re.search(r"\d", item.name):
        points -= 0.08
    if not sources & _NAMED and sources <= {"used", "frequent", "acronym"}:
        points -= 0.15
    if re.search(r"\band\b", item.name) and len(words) > 4:
        points -= 0.05
    return 1 / (1 + math.exp(-3.2 * (points - 0.75)))


def _by_place(item: Item, sentences: tuple[Sentence, ...]) -> float:
    roles = [c.role for c in item.candidates]
    points = 0.0
    if "method" in roles:
        points += 0.15
    elif "background" in roles:
        points += 0.05
    elif not {"experiment"} & set(roles):
        points -= 0.15
    if all(role in ("experiment", "conclusion") for role in roles):
        points -= 0.15
    if all(role == "related" for role in roles):
        points -= 0.35
    if all(c.appendix for c in item.candidates):
        points -= 0.12
    if item.mentions:
        related = sum(sentences[i].role == "related" for i in item.mentions) / len(item.mentions)
        points -= 0.25 * related
    if (
        all(c.cited for c in item.candidates if c.source not in ("heading", "paragraph", "algorithm", "frequent"))
        and not item.structural
    ):
        points -= 0.15
    return points

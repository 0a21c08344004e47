"""How much an item is worth showing: hand weights for the signals that speak for and against it.

The weights are fixed on purpose; fitting them to a dozen papers gave nothing on papers not seen.
"""

import math
import re
from collections.abc import Sequence

from ingest.extract.mentions import Mentions
from ingest.extract.merge import Item
from ingest.extract.sentences import Sentence
from ingest.extract.words import CONCEPT_HEADS, EMPTY_HEADS, GENERIC, RESOURCE_HEADS, STOP, commonness, is_process_word
from kg.words import stem

__all__ = ["score", "termhood"]

_WEIGHT = {
    "heading": 0.40, "paragraph": 0.40, "run-in": 0.30, "item": 0.25, "algorithm": 0.60, "acronym": 0.12,
    "called": 0.35, "proposed": 0.25, "definition": 0.20, "emphasis": 0.15, "frequent": 0.20,
    "used": 0.05, "step": 0.10, "listed": 0.12, "instrument": 0.30, "enumerated": 0.25,
    "own": 0.70,
}  # fmt: skip
_NAMED = frozenset(
    (
        "heading", "paragraph", "run-in", "item", "algorithm", "called", "proposed", "definition", "emphasis",
        "instrument", "enumerated", "own",
    )
)  # fmt: skip
_STEPS = frozenset(("step",))


def termhood(name: str, mentions: Mentions) -> float:
    """Between 0 and 1: how much a name's words are the paper's own rather than everybody's."""
    words = [word for word in re.findall(r"[^\W\d_]+", name.lower()) if word not in STOP and len(word) > 2]
    words = [word for word in words if word not in GENERIC] or words
    if not words:
        return 0.0
    total = 0.0
    for word in words:
        ratio = math.log1p(mentions.count(stem(word))) - 0.5 * math.log1p(commonness(word))
        total += min(1.0, max(0.0, 0.5 + 0.25 * ratio))
    return total / len(words)


def score(item: Item, sentences: Sequence[Sentence], mentions: Mentions) -> float:
    """Between 0 and 1."""
    sources = item.sources
    points = math.fsum(_WEIGHT[source] for source in sources)
    if sources & {"run-in", "item"}:
        points -= math.fsum(_WEIGHT[source] - 0.04 for source in sources & {"emphasis", "listed"})
    often = 0.12 * min(3.2, math.log1p(len(item.mentions)))
    points += (often if len(item.name.split()) > 1 else often / 2) + 0.10 * math.log1p(len(item.candidates))
    points += (
        max((c.weight for c in item.candidates), default=0.0) if sources <= _STEPS | {"frequent", "enumerated"} else 0.0
    )
    points += 0.30 * (termhood(item.name, mentions) - 0.5)
    points += _by_wording(item) + _by_place(item, sentences)
    return 1 / (1 + math.exp(-3.2 * (points - 0.75)))


def _by_wording(item: Item) -> float:
    sources, words = item.sources, item.name.split()
    head, points = words[-1], 0.0
    process = is_process_word(head)
    if process or words[0].lower().endswith("ing"):
        points += 0.12
    if head.lower() in CONCEPT_HEADS and not sources & {"algorithm", "called"}:
        points -= 0.20
    if head.lower() in RESOURCE_HEADS:
        points -= 0.25
    if len(words) > 7:
        points -= 0.10
    if re.search(r"\d", item.name):
        points -= 0.20 if item.steps_only and re.search(r"\d\d|\d\.\d", item.name) else 0.08
    if re.search(r"\band\b", item.name) and len(words) > 4:
        points -= 0.05
    return points + (_single_word(item) if len(words) == 1 else 0.0) + _thin_evidence(item, words, process)


def _single_word(item: Item) -> float:
    points, sources = 0.0, item.sources
    if not sources & {"heading", "paragraph", "algorithm"}:
        points -= 0.35 if item.name.islower() and not is_process_word(item.name) else 0.10
    if "item" in sources and commonness(item.name.lower()) > 20:
        points -= 0.15
    return points


def _thin_evidence(item: Item, words: list[str], process: bool) -> float:
    points, sources = 0.0, item.sources
    if all(c.clause for c in item.candidates):
        points -= 0.20 if len(words) > 1 else 0.35
    if not sources & _NAMED and sources <= {"used", "frequent", "acronym", "listed"}:
        points -= 0.12
    if sources <= {"definition"} or sources <= {"proposed"}:
        points -= 0.05 if sources <= {"definition"} else 0.12
    if sources <= {"frequent"} and words[-1].lower() in EMPTY_HEADS:
        points -= 0.10
    if sources <= {"acronym"} and not process:
        points -= 0.15
    return points


def _by_place(item: Item, sentences: Sequence[Sentence]) -> float:
    roles = [c.role for c in item.candidates]
    points = 0.0
    if "method" in roles:
        points += 0.15
    elif "background" in roles:
        points += 0.05
    elif "experiment" not in roles:
        points -= 0.15
    if all(role in ("experiment", "conclusion") for role in roles):
        points -= 0.15
    if all(role == "related" for role in roles):
        points -= 0.35
    if all(c.appendix for c in item.candidates):
        points -= 0.10
    if item.mentions:
        points -= 0.25 * sum(sentences[i].role == "related" for i in item.mentions) / len(item.mentions)
    said = [c for c in item.candidates if c.source != "frequent"]
    if not item.structural and said and "instrument" not in item.sources and all(c.cited for c in said):
        points -= 0.15
    return points

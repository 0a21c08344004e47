"""What is no technique however often a paper says it: items refused before any of them is weighed."""

import re
from collections.abc import Iterable

from ingest.extract.mentions import Mentions
from ingest.extract.merge import STRUCTURAL, Item
from ingest.extract.outline import Outline
from ingest.extract.tagging import is_everyday, is_modifier
from ingest.extract.words import CONCEPT_HEADS, EMPTY_HEADS, commonness, is_process_word, vocabulary
from ingest.latex.reading import text_of

__all__ = ["admitted", "is_bare_noun", "is_field", "is_only_repeated", "is_only_stressed", "names_task"]

LEAST_MENTIONS = 3
_FIELDS = vocabulary("admitting", "fields")
_OBJECTS = vocabulary("admitting", "objects")
_TITLED = STRUCTURAL | {"acronym", "own"}
_TOLD = frozenset(("method", "background", "experiment"))
_TRIALS = re.compile(
    r"(?<!theoretical )\bresults?\b|experiment|evaluat|empiric|benchmark|ablation|assessment|\bfindings|user stud",
    re.IGNORECASE,
)
_SETUP = re.compile(r"\bset-?up|setting|detail|protocol|implement|baseline|configur|method", re.IGNORECASE)
_COINED = re.compile(r"\b[A-Za-z]?[a-z]*[A-Z]{2}|[a-z][A-Z]|\b\w-\w")
_NAME = re.compile(r"\w[A-Z]|\d|(?<=[ -])[A-Z]")


def admitted(items: Iterable[Item], mentions: Mentions) -> list[Item]:
    """Those that something but repetition, a bare noun, a field's name or a word in italics speaks for."""
    return [
        item
        for item in items
        if not (
            is_only_repeated(item)
            or is_bare_noun(item)
            or is_field(item)
            or is_only_stressed(item, mentions)
            or is_clause(item)
            or is_said_in_passing(item)
            or is_object(item)
        )
    ]


def is_only_repeated(item: Item) -> bool:
    """Whether a phrase is there only because it comes often, and does not look like a name (a capital inside)."""
    first = item.name.split()[0]
    named = _NAME.search(item.name) or (first.istitle() and not commonness(first.lower()))
    words = item.name.split()
    whole = is_process_word(words[-1]) and words[-1].lower() not in EMPTY_HEADS
    joined = any(word.lower().endswith("ed") for word in words[1:])
    return item.sources <= {"frequent"} and not (named and whole and not joined)


def is_only_stressed(item: Item, mentions: Mentions) -> bool:
    """Whether a phrase is in italics, and hardly anywhere else, and nothing that one does or builds."""
    rare = item.sources <= {"emphasis"} and len(mentions.of([item.name])) < LEAST_MENTIONS
    return rare and not is_process_word(item.name.split()[-1])


def is_clause(item: Item) -> bool:
    """Whether it is but a verb and its object out of a sentence that does not say whole what the authors do."""
    return item.sources <= {"step"} and not any(candidate.whole for candidate in item.candidates)


def is_said_in_passing(item: Item) -> bool:
    """Whether only what a sentence on something else says of it, or its short form, speaks for what is neither done nor
    built, or of which but everyday adjectives tell what it is."""
    if not item.sources <= {"definition", "acronym", "frequent", "step"} or not item.sources & {
        "definition",
        "acronym",
    }:
        return False
    words = item.name.split()
    if "definition" in item.sources:
        told = len(item.sources) > 1 or is_process_word(words[-1])
        return not told or all(is_modifier(word) for word in words[:-1])
    return True


def is_object(item: Item) -> bool:
    """Whether a heading alone bears the name of a field of science, or a word for things that are neither done nor
    built."""
    if not item.sources <= {"heading", "paragraph", "frequent", "definition"} or not item.structural:
        return False
    words = re.split(r" (?:of|for|in|on|with|from|to|as|at|by|over|under) ", item.name)[0].split()
    head = words[-1].lower()
    if head in _FIELDS:
        return True
    if words[0].lower().endswith("ing"):
        return False
    plural = head.endswith("s") and head in CONCEPT_HEADS
    known = is_everyday(head) or head in _OBJECTS
    return plural or (len(words) == 1 and known and not is_process_word(head) and not is_modifier(head))


def is_bare_noun(item: Item) -> bool:
    """Whether one everyday word is all there is, and no heading or algorithm bears it."""
    word = item.name
    if word.isalpha() and word.endswith("ed") and item.sources <= {"called", "emphasis"}:
        return True
    return word.isalpha() and word.islower() and not item.sources & _TITLED and commonness(word) > 0


def is_field(item: Item) -> bool:
    """Whether a phrase stands only where a paper tells of its field, and the authors neither propose nor name it."""
    if item.structural or item.sources & {"called", "proposed", "acronym", "own"}:
        return False
    return not any(candidate.role in _TOLD for candidate in item.candidates)


def names_task(name: str, index: int, plan: Outline) -> bool:
    """Whether a heading stands at or below a section of trials, where headings name tasks and outcomes; not so what is
    done with what has a name of its own ("Persisting X-trees"), nor a run-in head, which names what is tried."""
    if plan.nodes[index].kind != "heading":
        return False
    first, _, rest = name.partition(" ")
    at = index
    while at >= 0 and not _is_trial(text_of(plan.nodes[at].title)):
        at = plan.nodes[at].parent
    return at >= 0 and not (first.lower().endswith("ing") and _coined(rest))


def _is_trial(title: str) -> bool:
    return bool(_TRIALS.search(title)) and not _SETUP.search(title)


def _coined(name: str) -> bool:
    return bool(_COINED.search(name))

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
    r"(?<!theoretical )\bresults?\b|experiment|evaluat|empiric|benchmark|ablation|assessment|\bfindings|user stud"
    r"|\bexamples?\b|case stud",
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
            or is_term(item)
        )
    ]


def is_only_repeated(item: Item) -> bool:
    """Whether a phrase is there only because it comes often, and does not look like a name (a capital inside)."""
    first = item.name.split()[0]
    named = _NAME.search(item.name) or (first.istitle() and not commonness(first.lower()))
    head = item.name.split()[-1]
    whole = is_process_word(head if is_everyday(head) else head.lower()) and not _is_empty(head)
    return item.grounds <= {"frequent"} and not (named and whole)


def _is_empty(head: str) -> bool:
    return head.lower() in EMPTY_HEADS or head.lower().removesuffix("s") in EMPTY_HEADS


def is_term(item: Item) -> bool:
    """Whether it is a paper's word for things, many of them or one measured or counted, that are neither done nor
    built: "evidence abstracts" in italics, "the kernel size"."""
    head = item.name.split()[-1]
    if item.structural or not item.grounds <= {"called", "emphasis", "frequent"} or not head.islower():
        return False
    many = head.endswith("s") and not head.endswith(("ss", "us", "is", "ics"))
    return not is_process_word(head) and (many or head in CONCEPT_HEADS)


def is_only_stressed(item: Item, mentions: Mentions) -> bool:
    """Whether a phrase is in italics, and hardly anywhere else, and nothing that one does or builds."""
    rare = item.sources <= {"emphasis"} and len(mentions.of([item.name])) < LEAST_MENTIONS
    return rare and not is_process_word(item.name.split()[-1])


def is_clause(item: Item) -> bool:
    """Whether it is but a verb and its object out of a sentence that does not say whole what the authors do."""
    return not item.grounds


def is_said_in_passing(item: Item) -> bool:
    """Whether only what a sentence on something else says of it, or its short form, speaks for what is neither done nor
    built, or of which but everyday adjectives tell what it is."""
    if not item.grounds <= {"definition", "acronym", "frequent"} or not item.grounds & {"definition", "acronym"}:
        return False
    words = item.name.split()
    told = "definition" in item.grounds and (len(item.grounds) > 1 or is_process_word(words[-1]))
    return not told or all(is_modifier(word) for word in words[:-1])


def is_object(item: Item) -> bool:
    """Whether a heading alone bears the name of a field of science, or a word for things that are neither done nor
    built."""
    if not item.sources <= {"heading", "paragraph", "frequent", "definition"} or not item.structural:
        return False
    before, tie, _ = item.name.partition(" for ")
    words = re.split(r" (?:of|in|on|with|from|to|as|at|by|over|under) ", before)[0].split()
    head = words[-1].lower()
    plural = head.endswith("s") and head in CONCEPT_HEADS
    if head in _FIELDS or (plural and tie):
        return True
    if words[0].lower().endswith("ing"):
        return False
    known = is_everyday(head) or is_modifier(head) or head in _OBJECTS
    return plural or (len(words) == 1 and known and not is_process_word(head))


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

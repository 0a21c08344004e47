"""An item whose words all lie in the name of the item above it says nothing of its own: it becomes an alias."""

import re
from collections.abc import Mapping, Sequence

from ingest.extract.merge import Item
from ingest.extract.outline import Outline
from ingest.extract.tree import parents_of
from ingest.extract.words import EMPTY_HEADS, f1, key_of, stems

__all__ = ["folded", "joins", "said_again"]

MOST_ALIASES = 5
ALIKE = 0.8
_CAMEL = re.compile(r"(?<=[a-z]{4})(?=[A-Z][a-z]{4})")


def folded(items: Sequence[Item], plan: Outline, title: str) -> list[Item]:
    """`items` without those that repeat what they would stand below, whose places and names they leave to it; "the
    sorting algorithm" of a paper with `title` "Sorting streams" goes to what the paper calls its own."""
    parents = parents_of(items, plan)
    own = next((item for item in items if "own" in item.sources), None)
    gone: dict[int, Item] = {}
    for item in items:
        parent = parents.get(id(item))
        if own is not None and item is not own and _stands_for_own(item, plan, frozenset(stems(title))):
            parent = gone[id(item)] = own
        if item is not own and parent is not None and _repeats(item, parent):
            gone.setdefault(id(item), parent)
    for item in items:
        if id(item) not in gone and (other := said_again(item, items, gone)):
            gone[id(item)] = other
    for item in items:
        if heir := gone.get(id(item)):
            while id(heir) in gone:
                heir = gone[id(heir)]
            _inherit(heir, item)
    return [item for item in items if id(item) not in gone and not joins(item, items)]


def said_again(item: Item, items: Sequence[Item], gone: Mapping[int, Item]) -> Item | None:
    """The item that a title only comes back to: in an appendix in nearly the same words, by its other name, or with
    what it is for; or that a phrase writes together ("TideSorting module") or narrows ("three-step Tide transform")."""
    split = key_of(_CAMEL.sub(" ", item.name))
    if item.node < 0:
        same = [other for other in items if other is not item and id(other) not in gone]
        known = item.sources <= {"instrument"}
        return next(
            (
                o
                for o in same
                if split == o.key != item.key or (known and o.sources <= {"instrument"} and o.key < item.key)
            ),
            None,
        )
    told = all(candidate.appendix for candidate in item.candidates)
    before, tie, _ = item.name.partition(" for ")
    for other in items:
        if other is item or id(other) in gone or "own" in other.sources:
            continue
        later = told and not all(candidate.appendix for candidate in other.candidates)
        if item.key in [key_of(alias) for c in other.candidates if c.source == "called" for alias in c.aliases]:
            return other
        if later and (item.key < other.key or f1(item.key, other.key) >= ALIKE):
            return other
        if tie and other.structural and key_of(before) == other.key:
            return other
    return None


def joins(item: Item, items: Sequence[Item]) -> bool:
    """Whether a title only puts together two things that are items themselves."""
    parts = item.name.split(" and ")
    keys = [other.key for other in items if other is not item]
    return item.structural and len(parts) == 2 and all(key_of(part) in keys for part in parts)


def _repeats(item: Item, parent: Item) -> bool:
    """Whether it is a run of its parent's words, no pair of things, with no heading or naming of its own."""
    one = not re.search(r"\b(?:and|or|with|versus|vs)\b|,", parent.name)
    words, its = stems(item.name), stems(parent.name)
    within = any(its[at : at + len(words)] == words for at in range(len(its)))
    return one and within and not item.sources & {"called", "heading"}


def _stands_for_own(item: Item, plan: Outline, title: frozenset[str]) -> bool:
    """Whether an item is a heading like "The sorting algorithm", of words of the paper's title and an empty head."""
    words = item.name.split()
    if item.node < 0 or len(words) < 2 or words[-1].lower() not in EMPTY_HEADS:
        return False
    opening = plan.nodes[item.node].title[0].text.lower()
    return opening in ("the", "our") and frozenset(stems(" ".join(words[:-1]))) <= title


def _inherit(heir: Item, item: Item) -> None:
    known = {name.lower() for name in (heir.name, *heir.aliases)}
    heir.aliases += [name for name in (item.name, *item.aliases) if name.lower() not in known]
    del heir.aliases[MOST_ALIASES:]
    heir.candidates += item.candidates
    heir.node = heir.node if heir.structural else item.node
    heir.mentions = sorted({*heir.mentions, *item.mentions})

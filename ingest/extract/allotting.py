"""One sentence defines one item: who gets it, and what those do who do not."""

from collections.abc import Sequence

from ingest.extract.candidates import SOURCES
from ingest.extract.describing import inside_of, places
from ingest.extract.merge import Item
from ingest.extract.outline import Outline
from ingest.extract.sentences import Sentence

__all__ = ["allot"]

LEAST_WORTH = 2.0
_NAMING = frozenset(("called", "definition", "proposed", "acronym"))


def allot(items: Sequence[Item], plan: Outline, sentences: Sequence[Sentence]) -> dict[int, list[int]]:
    """By ``id(item)`` the indices of the sentences that describe it, first the one that defines it and no other item.

    What a sentence names has the first right to it, then the innermost titled stretch, then the stronger signal. Who
    loses it takes the next that tells enough; an item without a title for which none is left is not in the result.
    """
    ranked = {id(item): places(item, sentences, inside_of(item, plan, sentences)) for item in items}
    order = {id(item): list(ranked[id(item)]) for item in items}
    owners: dict[int, Item] = {}
    waiting = [item for item in items if not any(candidate.text for candidate in item.candidates)]
    tried: dict[int, int] = {id(item): 0 for item in items}
    while waiting:
        item = waiting.pop()
        place = tried[id(item)]
        left = order[id(item)][place:]
        if not left or (place and not _stays(item) and ranked[id(item)][left[0]] < LEAST_WORTH):
            continue
        tried[id(item)] += 1
        index = left[0]
        other = owners.get(index)
        if other is None or _right(item, index, plan, sentences) > _right(other, index, plan, sentences):
            owners[index] = item
            item = other if other is not None else item
        if owners[index] is not item:
            waiting.append(item)
    defined = {id(item): index for index, item in owners.items()}
    return {
        id(item): _led(order[id(item)], defined.get(id(item))) for item in items if id(item) in defined or _stays(item)
    }


def _stays(item: Item) -> bool:
    """Whether it has a place in the tree though no sentence is its own."""
    return item.structural or "own" in item.sources or any(candidate.text for candidate in item.candidates)


def _led(order: Sequence[int], first: int | None) -> list[int]:
    return list(order) if first is None else [first, *(index for index in order if index != first)]


def _right(item: Item, index: int, plan: Outline, sentences: Sequence[Sentence]) -> tuple[bool, int, int, float]:
    """What an item can say for having a sentence: that it names the item, how deep the item's own stretch around it
    lies, its best signal, its score."""
    named = any(c.sentence == index and c.source in _NAMING for c in item.candidates)
    node = plan.nodes[item.node] if item.node >= 0 else None
    inside = node is not None and node.start <= sentences[index].start < node.end
    best = min(SOURCES.index(source) for source in item.sources)
    return (named, node.start if node is not None and inside else -1, -best, item.score)

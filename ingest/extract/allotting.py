"""One sentence defines one item: who gets it, and what those do who do not."""

from collections.abc import Mapping, Sequence

from ingest.extract.candidates import SOURCES
from ingest.extract.describing import inside_of, places
from ingest.extract.merge import Item
from ingest.extract.outline import Outline
from ingest.extract.sentences import Sentence
from ingest.extract.words import stems
from ingest.latex.reading import text_of

__all__ = ["allot"]

LEAST_WORTH = 2.3
ANOTHERS = 1.0
_NAMING = frozenset(("called", "definition", "proposed", "acronym"))


def allot(
    items: Sequence[Item], plan: Outline, sentences: Sequence[Sentence], pointing: Mapping[int, Sequence[int]]
) -> dict[int, list[int]]:
    """By ``id(item)`` the indices of the sentences that describe it, first the one that defines it and no other item.

    What a sentence names has the first right to it, then the innermost titled stretch, then the stronger signal. Who
    loses it takes the next that tells enough; an item without a title for which none is left is not in the result.
    `pointing` are the sentences that refer to an algorithm, by its node.
    """
    ranked = {
        id(item): places(item, sentences, inside_of(item, plan, sentences), plan, pointing.get(item.node, ()))
        for item in items
    }
    ranked = _yielding(items, ranked, sentences)
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


def _yielding(
    items: Sequence[Item], ranked: Mapping[int, Mapping[int, float]], sentences: Sequence[Sentence]
) -> dict[int, dict[int, float]]:
    """`ranked`, less worth where a sentence's first words are another item, which is its subject; best first."""
    keys = {id(item): frozenset(stems(item.name)) for item in items}
    rivals = {id(item): keys[id(item)] for item in items if "own" not in item.sources}
    found: dict[int, dict[int, float]] = {}
    for name, worth in ranked.items():
        mine, weighed = keys[name], dict(worth)
        for index in worth:
            opening = frozenset(stems(text_of(sentences[index].tokens[:6])))
            others = (key for other, key in rivals.items() if other != name and not key <= mine)
            if not mine <= opening and any(key <= opening for key in others):
                weighed[index] -= ANOTHERS
        found[name] = dict(sorted(weighed.items(), key=lambda pair: (-pair[1], pair[0])))
    return found


def _opens(item: Item, sentence: Sentence) -> bool:
    return frozenset(stems(item.name)) <= frozenset(stems(text_of(sentence.tokens[:4])))


def _stays(item: Item) -> bool:
    """Whether it has a place in the tree though no sentence is its own."""
    return item.structural or "own" in item.sources or any(candidate.text for candidate in item.candidates)


def _led(order: Sequence[int], first: int | None) -> list[int]:
    return list(order) if first is None else [first, *(index for index in order if index != first)]


def _right(item: Item, index: int, plan: Outline, sentences: Sequence[Sentence]) -> tuple[bool, int, int, float]:
    """What an item can say for having a sentence: that it names the item, or has what the paper calls its
    own as its subject, how deep the item's own stretch around it
    lies, its best signal, its score."""
    named = any(c.sentence == index and c.source in _NAMING for c in item.candidates) or (
        "own" in item.sources and _opens(item, sentences[index])
    )
    node = plan.nodes[item.node] if item.node >= 0 else None
    inside = node is not None and node.start <= sentences[index].start < node.end
    best = min(SOURCES.index(source) for source in item.sources)
    return (named, node.start if node is not None and inside else -1, -best, item.score)

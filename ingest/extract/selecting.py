"""Which items are worth a place in the tree: the best by score, unlike one another, spread over the paper."""

from collections import Counter
from collections.abc import Sequence

from ingest.extract.merge import Item
from ingest.extract.sentences import Sentence
from ingest.extract.words import f1

__all__ = ["cover", "select"]

MOST = 48
MOST_COVERING = 14
SHORT = 25
LEAST = 0.30
LEAST_COVERING = 0.15
LEAST_STEP = 0.26
LIKENESS = 0.30
CROWDING = 0.035


def select(items: Sequence[Item], most: int = MOST) -> list[Item]:
    """Greedy: at each turn the item of the highest score, less what it repeats and how crowded its place is."""
    pool = [item for item in items if item.score >= (LEAST_STEP if item.steps_only else LEAST)]
    penalty = {id(item): 0.0 for item in pool}
    chosen: list[Item] = []
    crowd: Counter[int] = Counter()
    while pool and len(chosen) < most:
        best = min(pool, key=lambda item: (-_worth(item, penalty, crowd), item.candidates[0].start, item.name))
        pool.remove(best)
        chosen.append(best)
        crowd[best.home] += 1
        survivors = []
        for item in pool:
            likeness = f1(item.key, best.key)
            if likeness >= 0.8 and not (item.structural and best.structural):
                continue
            penalty[id(item)] = max(penalty[id(item)], LIKENESS * likeness**2)
            survivors.append(item)
        pool = survivors
    return chosen


def cover(items: Sequence[Item], chosen: Sequence[Item], sentences: Sequence[Sentence]) -> list[Item]:
    """Further items of little score: one step for each method paragraph that no chosen item speaks of, at most
    `MOST_COVERING`, and where the list is still short, the best of what is told in method sections."""
    covered = {sentences[c.sentence].block for item in chosen for c in item.candidates if c.sentence >= 0}
    taken = {id(item) for item in chosen}
    rest = [
        item for item in items if id(item) not in taken and item.score >= LEAST_COVERING and _stands_in_method(item)
    ]
    rest.sort(key=lambda item: (-item.score, item.candidates[0].start, item.name))
    found: list[Item] = []
    for item in rest:
        block = sentences[item.candidates[0].sentence].block
        new_place = block not in covered and item.steps_only and len(found) < MOST_COVERING
        if (new_place or len(chosen) + len(found) < SHORT) and _differs(item, [*chosen, *found]):
            covered.add(block)
            found.append(item)
    return found


def _stands_in_method(item: Item) -> bool:
    first = item.candidates[0]
    return len(item.name.split()) > 1 and first.sentence >= 0 and first.role in ("method", "background")


def _differs(item: Item, others: Sequence[Item]) -> bool:
    return all(f1(item.key, other.key) < 0.6 for other in others)


def _worth(item: Item, penalty: dict[int, float], crowd: Counter[int]) -> float:
    crowding = 0.0 if item.structural else CROWDING * crowd[item.home]
    return item.score - penalty[id(item)] - crowding

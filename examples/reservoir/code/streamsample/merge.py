"""One sample out of two, as if a single reservoir had seen both streams."""

from collections.abc import Hashable
from random import Random

from streamsample.reservoir import Reservoir


def merge_reservoirs(left: Reservoir, right: Reservoir, rng: Random) -> Reservoir:
    """A uniform sample of the two streams together.

    Each place is filled from one side with probability proportional to the items that side has not yet given.
    """
    if left.capacity != right.capacity:
        raise ValueError("reservoirs of different capacity can't be merged")
    merged = Reservoir(left.capacity, rng)
    merged.seen = left.seen + right.seen
    pools = [_shuffled(left.sample, rng), _shuffled(right.sample, rng)]
    remaining = [left.seen, right.seen]
    while len(merged.sample) < min(merged.capacity, merged.seen):
        side = 0 if rng.random() * sum(remaining) < remaining[0] else 1
        merged.sample.append(pools[side].pop())
        remaining[side] -= 1
    return merged


def _shuffled(items: list[Hashable], rng: Random) -> list[Hashable]:
    """A copy in random order."""
    copy = list(items)
    for last in range(len(copy) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        copy[last], copy[other] = copy[other], copy[last]
    return copy

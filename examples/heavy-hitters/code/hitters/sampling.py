"""The baseline: count in a uniform sample and scale up."""

from collections import Counter
from random import Random


class SampledCounts:
    """Reservoir sampling of `capacity` items, by Algorithm R; a frequency is its share of the reservoir times n."""

    def __init__(self, capacity: int, rng: Random) -> None:
        self.capacity = capacity
        self.rng = rng
        self.seen = 0
        self.reservoir: list[int] = []

    def add(self, item: int) -> None:
        """Keep the item with probability capacity/seen, in the place of a random kept one."""
        self.seen += 1
        if len(self.reservoir) < self.capacity:
            self.reservoir.append(item)
            return
        slot = int(self.rng.random() * self.seen)
        if slot < self.capacity:
            self.reservoir[slot] = item

    def top(self, k: int) -> list[int]:
        """The k items most frequent in the reservoir, largest first."""
        counts = Counter(self.reservoir)
        return sorted(counts, key=lambda item: (-counts[item], item))[:k]

"""Counters shared by many items: frequencies that are never underestimated."""

from random import Random

from hitters.hashing import MultiplyShift


class CountMin:
    """`depth` rows of 2^`bits` counters; each row has a hash function of its own."""

    def __init__(self, bits: int, depth: int, rng: Random) -> None:
        self.hashes = [MultiplyShift(bits, rng) for _ in range(depth)]
        self.rows = [[0] * (1 << bits) for _ in range(depth)]
        self.total = 0

    def add(self, item: int, count: int = 1) -> None:
        """Add `count` to the item's counter in every row."""
        self.total += count
        for row, hashed in zip(self.rows, self.hashes, strict=True):
            row[hashed(item)] += count

    def estimate(self, item: int) -> int:
        """The smallest of the item's counters: the one with the least noise of others."""
        return min(row[hashed(item)] for row, hashed in zip(self.rows, self.hashes, strict=True))


class ConservativeCountMin(CountMin):
    """Count-min with conservative update: a counter is raised only as far as the new estimate demands."""

    def add(self, item: int, count: int = 1) -> None:
        """Raise the item's counters to estimate + count, leaving larger ones as they are."""
        self.total += count
        target = self.estimate(item) + count
        for row, hashed in zip(self.rows, self.hashes, strict=True):
            place = hashed(item)
            row[place] = max(row[place], target)

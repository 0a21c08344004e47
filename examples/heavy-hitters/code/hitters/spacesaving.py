"""A fixed number of counters that wander to the frequent items."""


class SpaceSaving:
    """`capacity` counters; a new item takes over the smallest one and inherits its count as possible error."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.counts: dict[int, int] = {}
        self.errors: dict[int, int] = {}

    def add(self, item: int) -> None:
        """Count the item, evicting the least counted one if there is no room."""
        if item in self.counts:
            self.counts[item] += 1
        elif len(self.counts) < self.capacity:
            self.counts[item], self.errors[item] = 1, 0
        else:
            victim = min(self.counts, key=self.counts.__getitem__)
            smallest = self.counts.pop(victim)
            del self.errors[victim]
            self.counts[item], self.errors[item] = smallest + 1, smallest

    def top(self, k: int) -> list[int]:
        """The k items with the largest counts, largest first."""
        return sorted(self.counts, key=lambda item: (-self.counts[item], item))[:k]

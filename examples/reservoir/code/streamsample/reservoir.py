"""Uniform samples of a stream whose length nobody knows."""

import math
from collections.abc import Hashable
from random import Random


class Reservoir:
    """Reservoir sampling by Algorithm R: a uniform sample of `capacity` items, one random number per item."""

    def __init__(self, capacity: int, rng: Random) -> None:
        self.capacity = capacity
        self.rng = rng
        self.seen = 0
        self.sample: list[Hashable] = []

    def add(self, item: Hashable) -> None:
        """Offer the next item: it enters with probability capacity/seen and evicts a random one."""
        self.seen += 1
        if len(self.sample) < self.capacity:
            self.sample.append(item)
            return
        slot = int(self.rng.random() * self.seen)
        if slot < self.capacity:
            self.sample[slot] = item


class SkipReservoir:
    """Algorithm L: the same distribution, but it draws how many items to skip instead of asking at each of them."""

    def __init__(self, capacity: int, rng: Random) -> None:
        self.capacity = capacity
        self.rng = rng
        self.seen = 0
        self.sample: list[Hashable] = []
        self.threshold = 1.0
        self.next_accepted = 0

    def add(self, item: Hashable) -> None:
        """Offer the next item; no random number is spent on those that are skipped."""
        self.seen += 1
        if len(self.sample) < self.capacity:
            self.sample.append(item)
            if len(self.sample) == self.capacity:
                self._draw_skip()
            return
        if self.seen == self.next_accepted:
            self.sample[int(self.rng.random() * self.capacity)] = item
            self._draw_skip()

    def _draw_skip(self) -> None:
        """Lower the threshold to the next largest of the kept keys, then draw the geometric gap below it."""
        self.threshold *= (1.0 - self.rng.random()) ** (1.0 / self.capacity)
        chance = min(self.threshold, 1.0 - 2.0**-53)
        gap = math.floor(math.log(1.0 - self.rng.random()) / math.log1p(-chance))
        self.next_accepted = self.seen + gap + 1

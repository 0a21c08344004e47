"""Samples in which an item's chance grows with its weight."""

import heapq
import math
from collections.abc import Hashable
from random import Random


class WeightedReservoir:
    """Keeps the `capacity` items with the largest keys u^(1/w), u uniform on (0, 1]; keys are kept as logarithms."""

    def __init__(self, capacity: int, rng: Random) -> None:
        self.capacity = capacity
        self.rng = rng
        self.arrivals = 0
        self._heap: list[tuple[float, int, Hashable]] = []

    def add(self, item: Hashable, weight: float) -> None:
        """Offer an item of positive weight."""
        if weight <= 0:
            raise ValueError(f"weight must be positive, not {weight}")
        self.arrivals += 1
        key = math.log(1.0 - self.rng.random()) / weight
        if len(self._heap) < self.capacity:
            heapq.heappush(self._heap, (key, self.arrivals, item))
        elif key > self._heap[0][0]:
            heapq.heapreplace(self._heap, (key, self.arrivals, item))

    @property
    def items(self) -> list[Hashable]:
        """Kept items, largest key first."""
        return [item for _, _, item in sorted(self._heap, reverse=True)]

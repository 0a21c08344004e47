"""Recomputes every number of the paper's evaluation and prints them as JSON. Takes a few seconds."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from streamsample import (
    Reservoir,
    SkipReservoir,
    WeightedReservoir,
    estimate_share,
    merge_reservoirs,
    uniformity_statistic,
)

SEED = 20_250_101
ITEMS, CAPACITY, TRIALS = 50, 5, 20_000


class CountingRandom(Random):
    """A generator that counts how often it is asked."""

    draws = 0

    def random(self) -> float:
        self.draws += 1
        return super().random()


def draws_per_stream(kind: type[Reservoir] | type[SkipReservoir], length: int, capacity: int) -> int:
    """Random numbers that a reservoir spends on one stream."""
    rng = CountingRandom(SEED)
    reservoir = kind(capacity, rng)
    for item in range(length):
        reservoir.add(item)
    return rng.draws


def fairness(sample_once: Callable[[Random], list[int]]) -> float:
    """Uniformity statistic of a sampler of `CAPACITY` out of `ITEMS` over `TRIALS` runs."""
    rng = Random(SEED)
    inclusions = [0] * ITEMS
    for _ in range(TRIALS):
        for item in sample_once(rng):
            inclusions[item] += 1
    return uniformity_statistic(inclusions, TRIALS, CAPACITY)


def fill(reservoir: Reservoir | SkipReservoir, items: range) -> Reservoir | SkipReservoir:
    """The reservoir after it has seen `items`."""
    for item in items:
        reservoir.add(item)
    return reservoir


def plain(rng: Random) -> list[int]:
    """A sample of all items by Algorithm R."""
    return fill(Reservoir(CAPACITY, rng), range(ITEMS)).sample


def skipping(rng: Random) -> list[int]:
    """A sample of all items by Algorithm L."""
    return fill(SkipReservoir(CAPACITY, rng), range(ITEMS)).sample


def merged(rng: Random) -> list[int]:
    """A sample of all items, merged from reservoirs of the first fifth and of the rest."""
    left = fill(Reservoir(CAPACITY, rng), range(ITEMS // 5))
    right = fill(Reservoir(CAPACITY, rng), range(ITEMS // 5, ITEMS))
    return merge_reservoirs(left, right, rng).sample


def weighted_deviation() -> float:
    """Largest gap between w/sum(w) and the share of runs in which a reservoir of one item ends with that item."""
    rng = Random(SEED)
    weights = [1, 2, 3, 4, 10]
    wins = [0] * len(weights)
    for _ in range(TRIALS):
        reservoir = WeightedReservoir(1, rng)
        for item, weight in enumerate(weights):
            reservoir.add(item, weight)
        wins[reservoir.items[0]] += 1
    return max(abs(won / TRIALS - weight / sum(weights)) for won, weight in zip(wins, weights, strict=True))


def coverage(runs: int = 1_000, length: int = 2_000, capacity: int = 200) -> float:
    """Share of runs whose 95 % interval for "divisible by four" holds the true quarter."""
    rng = Random(SEED)
    covered = 0
    for _ in range(runs):
        reservoir = fill(SkipReservoir(capacity, rng), range(length))
        share, error = estimate_share(reservoir.sample, length, lambda item: item % 4 == 0)
        covered += abs(share - 0.25) <= 1.96 * error
    return covered / runs


def main() -> dict[str, str]:
    """All numbers as they stand in the paper."""
    return {
        "draws of Algorithm R": f"{draws_per_stream(Reservoir, 1_000_000, 100):,}",
        "draws of Algorithm L": f"{draws_per_stream(SkipReservoir, 1_000_000, 100):,}",
        "fairness of Algorithm R": f"{fairness(plain):.1f}",
        "fairness of Algorithm L": f"{fairness(skipping):.1f}",
        "fairness of merged": f"{fairness(merged):.1f}",
        "weighted deviation": f"{weighted_deviation():.4f}",
        "coverage": f"{100 * coverage():.1f}",
    }


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))

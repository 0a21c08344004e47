"""Skewed streams to try things on."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from random import Random


def zipf_stream(length: int, universe: int, exponent: float, rng: Random) -> Iterator[int]:
    """`length` items of 1..`universe`; item i comes with probability proportional to i^-exponent."""
    cumulative = list(accumulate(rank**-exponent for rank in range(1, universe + 1)))
    for _ in range(length):
        yield bisect_left(cumulative, rng.random() * cumulative[-1]) + 1

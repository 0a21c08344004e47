"""What a sample says about its stream, and whether a sampler is fair."""

import math
from collections.abc import Callable, Hashable, Sequence


def estimate_share(sample: Sequence[Hashable], seen: int, matches: Callable[[Hashable], bool]) -> tuple[float, float]:
    """Share of matching items in the stream, with its standard error under the finite population correction."""
    size = len(sample)
    share = sum(1 for item in sample if matches(item)) / size
    if size < 2 or size == seen:
        return share, 0.0
    correction = (seen - size) / (seen - 1)
    return share, math.sqrt(share * (1.0 - share) / (size - 1) * correction)


def uniformity_statistic(inclusions: Sequence[int], trials: int, capacity: int) -> float:
    """Pearson statistic of how often each item was kept; chi-squared with n - 1 degrees of freedom when fair.

    Counts of a sample without replacement are negatively correlated, which the factor (n - 1)/n takes into account.
    """
    n = len(inclusions)
    p = capacity / n
    expected = trials * p
    scatter = sum((count - expected) ** 2 for count in inclusions)
    return scatter / (expected * (1.0 - p)) * (n - 1) / n

"""Random samples of streams: one pass, fixed memory."""

from streamsample.estimate import estimate_share, uniformity_statistic
from streamsample.merge import merge_reservoirs
from streamsample.reservoir import Reservoir, SkipReservoir
from streamsample.weighted import WeightedReservoir

__all__ = [
    "Reservoir",
    "SkipReservoir",
    "WeightedReservoir",
    "estimate_share",
    "merge_reservoirs",
    "uniformity_statistic",
]

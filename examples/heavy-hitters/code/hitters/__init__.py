"""Frequent items of a stream in small memory."""

from hitters.countmin import ConservativeCountMin, CountMin
from hitters.hashing import MultiplyShift
from hitters.sampling import SampledCounts
from hitters.spacesaving import SpaceSaving
from hitters.tracker import HeavyHitters
from hitters.zipf import zipf_stream

__all__ = [
    "ConservativeCountMin",
    "CountMin",
    "HeavyHitters",
    "MultiplyShift",
    "SampledCounts",
    "SpaceSaving",
    "zipf_stream",
]

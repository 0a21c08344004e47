"""Recomputes every number of the paper's evaluation and prints them as JSON. Takes a few seconds."""

import json
import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hitters import ConservativeCountMin, CountMin, HeavyHitters, SampledCounts, SpaceSaving, zipf_stream

SEED = 20_250_202
LENGTH, UNIVERSE, EXPONENT = 100_000, 20_000, 1.1
BITS, DEPTH = 8, 4
TOP = 20
PHI = 0.01


def mean_error(sketch: CountMin, stream: list[int], truth: Counter[int]) -> float:
    """Average overestimate over the distinct items of the stream."""
    for item in stream:
        sketch.add(item)
    return sum(sketch.estimate(item) - count for item, count in truth.items()) / len(truth)


def top_found(tracker: SpaceSaving | SampledCounts, stream: list[int], best: set[int]) -> float:
    """Share of the truly most frequent items among those that the tracker names."""
    for item in stream:
        tracker.add(item)
    return len(best & set(tracker.top(TOP))) / TOP


def main() -> dict[str, str]:
    """All numbers as they stand in the paper."""
    stream = list(zipf_stream(LENGTH, UNIVERSE, EXPONENT, Random(SEED)))
    truth = Counter(stream)
    best = set(sorted(truth, key=lambda item: (-truth[item], item))[:TOP])
    heavy = {item for item, count in truth.items() if count >= PHI * LENGTH}
    plain = mean_error(CountMin(BITS, DEPTH, Random(SEED)), stream, truth)
    conservative = mean_error(ConservativeCountMin(BITS, DEPTH, Random(SEED)), stream, truth)
    tracker = HeavyHitters(ConservativeCountMin(BITS, DEPTH, Random(SEED)), PHI)
    for item in stream:
        tracker.add(item)
    return {
        "distinct items": f"{len(truth):,}",
        "error of count-min": f"{plain:.1f}",
        "error with conservative update": f"{conservative:.1f}",
        "reduction": f"{100 * (1 - conservative / plain):.0f}",
        "heavy items": str(len(heavy)),
        "reported items": str(len(tracker.report())),
        "missed heavy items": str(len(heavy - set(tracker.report()))),
        "top by space-saving": f"{top_found(SpaceSaving(100), stream, best):.2f}",
        "top by sampling": f"{top_found(SampledCounts(100, Random(SEED)), stream, best):.2f}",
    }


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))

"""Tiny bar charts for terminals."""

from collections.abc import Sequence

BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float]) -> str:
    """One character per value, from the lowest bar for the minimum to the full block for the maximum."""
    low, high = min(values), max(values)
    width = (high - low) or 1.0
    return "".join(BARS[round((value - low) / width * (len(BARS) - 1))] for value in values)

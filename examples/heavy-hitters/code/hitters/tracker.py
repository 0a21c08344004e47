"""The most frequent items so far, out of a sketch that only answers for given items."""

from hitters.countmin import CountMin


class HeavyHitters:
    """Keeps every item whose estimate reaches the share `phi` of the stream, next to a count-min sketch."""

    def __init__(self, sketch: CountMin, phi: float) -> None:
        self.sketch = sketch
        self.phi = phi
        self.candidates: dict[int, int] = {}

    def add(self, item: int) -> None:
        """Count the item and admit it if it is heavy now; drop candidates that have become too light."""
        self.sketch.add(item)
        bar = self.phi * self.sketch.total
        estimate = self.sketch.estimate(item)
        if estimate >= bar:
            self.candidates[item] = estimate
        if len(self.candidates) > 2 / self.phi:
            self.candidates = {kept: count for kept, count in self.candidates.items() if count >= bar}

    def report(self) -> list[int]:
        """Items that reach the share now, most frequent first."""
        bar = self.phi * self.sketch.total
        heavy = {item: self.sketch.estimate(item) for item in self.candidates}
        return sorted((item for item in heavy if heavy[item] >= bar), key=lambda item: (-heavy[item], item))

"""Trackers find what is frequent."""

import unittest
from collections import Counter
from random import Random

from hitters import ConservativeCountMin, HeavyHitters, SampledCounts, SpaceSaving, zipf_stream
from hitters.units import human_size


class TestTrackers(unittest.TestCase):
    def setUp(self) -> None:
        self.stream = list(zipf_stream(10_000, 1_000, 1.2, Random(5)))
        self.truth = Counter(self.stream)

    def test_no_heavy_item_is_missed(self) -> None:
        tracker = HeavyHitters(ConservativeCountMin(8, 3, Random(6)), 0.02)
        for item in self.stream:
            tracker.add(item)
        heavy = {item for item, count in self.truth.items() if count >= 0.02 * len(self.stream)}
        self.assertTrue(heavy)
        self.assertLessEqual(heavy, set(tracker.report()))

    def test_space_saving_bounds_every_count(self) -> None:
        tracker = SpaceSaving(50)
        for item in self.stream:
            tracker.add(item)
        for item, count in tracker.counts.items():
            self.assertLessEqual(count - tracker.errors[item], self.truth[item])
            self.assertGreaterEqual(count, self.truth[item])

    def test_sampling_names_the_most_frequent_item(self) -> None:
        tracker = SampledCounts(500, Random(7))
        for item in self.stream:
            tracker.add(item)
        self.assertEqual(tracker.top(1), [1])

    def test_sizes_are_readable(self) -> None:
        self.assertEqual([human_size(512), human_size(1536)], ["512 B", "1.5 KiB"])


if __name__ == "__main__":
    unittest.main()

"""Sketches err on one side only."""

import unittest
from collections import Counter
from random import Random

from hitters import ConservativeCountMin, CountMin, MultiplyShift, zipf_stream


class TestSketches(unittest.TestCase):
    def setUp(self) -> None:
        self.stream = list(zipf_stream(5_000, 500, 1.1, Random(1)))
        self.truth = Counter(self.stream)

    def test_estimates_are_never_too_low(self) -> None:
        for kind in (CountMin, ConservativeCountMin):
            sketch = kind(6, 3, Random(2))
            for item in self.stream:
                sketch.add(item)
            self.assertTrue(all(sketch.estimate(item) >= count for item, count in self.truth.items()))

    def test_conservative_update_is_never_worse(self) -> None:
        plain, careful = CountMin(6, 3, Random(3)), ConservativeCountMin(6, 3, Random(3))
        for item in self.stream:
            plain.add(item)
            careful.add(item)
        self.assertTrue(all(careful.estimate(item) <= plain.estimate(item) for item in self.truth))

    def test_hashes_stay_in_range_and_need_sensible_sizes(self) -> None:
        hashed = MultiplyShift(5, Random(4))
        self.assertEqual({hashed(key) for key in range(10_000)}, set(range(32)))
        with self.assertRaises(ValueError):
            MultiplyShift(64, Random(4))


if __name__ == "__main__":
    unittest.main()

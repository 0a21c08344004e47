"""Weights decide, and impossible ones are refused."""

import unittest
from random import Random

from streamsample import WeightedReservoir


class TestWeightedReservoir(unittest.TestCase):
    def test_a_heavy_item_wins_in_proportion(self) -> None:
        rng = Random(4)
        wins = 0
        for _ in range(5_000):
            reservoir = WeightedReservoir(1, rng)
            reservoir.add("light", 1.0)
            reservoir.add("heavy", 3.0)
            wins += reservoir.items == ["heavy"]
        self.assertAlmostEqual(wins / 5_000, 0.75, delta=0.02)

    def test_weights_must_be_positive(self) -> None:
        with self.assertRaises(ValueError):
            WeightedReservoir(1, Random(5)).add("nothing", 0.0)


if __name__ == "__main__":
    unittest.main()

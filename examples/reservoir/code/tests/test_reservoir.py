"""Reservoirs keep what they promise."""

import unittest
from random import Random

from streamsample import Reservoir, SkipReservoir, merge_reservoirs


class TestReservoirs(unittest.TestCase):
    def test_short_streams_are_kept_whole(self) -> None:
        for kind in (Reservoir, SkipReservoir):
            reservoir = kind(10, Random(1))
            for item in range(7):
                reservoir.add(item)
            self.assertEqual(reservoir.sample, list(range(7)))

    def test_every_item_has_the_same_chance(self) -> None:
        for kind in (Reservoir, SkipReservoir):
            rng = Random(2)
            counts = [0] * 10
            for _ in range(10_000):
                reservoir = kind(3, rng)
                for item in range(10):
                    reservoir.add(item)
                for item in reservoir.sample:
                    counts[item] += 1
            self.assertTrue(all(abs(count - 3_000) < 200 for count in counts), counts)

    def test_a_merged_sample_has_no_item_twice_and_counts_both_streams(self) -> None:
        rng = Random(3)
        left, right = Reservoir(5, rng), Reservoir(5, rng)
        for item in range(100):
            (left if item < 20 else right).add(item)
        merged = merge_reservoirs(left, right, rng)
        self.assertEqual(merged.seen, 100)
        self.assertEqual(len(set(merged.sample)), 5)


if __name__ == "__main__":
    unittest.main()

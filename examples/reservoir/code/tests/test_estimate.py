"""Estimates know how sure they are."""

import unittest

from streamsample import estimate_share, uniformity_statistic
from streamsample.sparkline import sparkline


class TestEstimates(unittest.TestCase):
    def test_a_sample_that_is_the_whole_stream_has_no_error(self) -> None:
        self.assertEqual(estimate_share([1, 2, 3, 4], 4, lambda item: item > 2), (0.5, 0.0))

    def test_equal_inclusions_are_perfectly_uniform(self) -> None:
        self.assertEqual(uniformity_statistic([10, 10, 10, 10], 20, 2), 0.0)

    def test_sparkline_spans_the_bars(self) -> None:
        self.assertEqual(sparkline([0, 7]), "▁█")


if __name__ == "__main__":
    unittest.main()

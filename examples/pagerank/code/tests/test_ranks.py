"""Four ways, one answer."""

import unittest
from random import Random

from walkrank import Graph, forward_push, gauss_seidel, power_iteration, preferential_attachment, walk_ranks, walk_top


class TestRanks(unittest.TestCase):
    def setUp(self) -> None:
        self.graph = preferential_attachment(200, 3, Random(1))
        self.exact, _ = power_iteration(self.graph)

    def test_ranks_are_a_distribution(self) -> None:
        self.assertAlmostEqual(sum(self.exact), 1.0)
        self.assertGreater(min(self.exact), 0.0)

    def test_a_cycle_ranks_everyone_equally(self) -> None:
        ranks, _ = power_iteration(Graph(4, [(0, 1), (1, 2), (2, 3), (3, 0)]))
        for rank in ranks:
            self.assertAlmostEqual(rank, 0.25)

    def test_sweeping_agrees_with_iterating(self) -> None:
        swept, _ = gauss_seidel(self.graph)
        self.assertLess(sum(abs(a - b) for a, b in zip(self.exact, swept, strict=True)), 1e-8)

    def test_walking_comes_close(self) -> None:
        walked = walk_ranks(self.graph, 20_000, Random(2))
        self.assertLess(sum(abs(a - b) for a, b in zip(self.exact, walked, strict=True)), 0.1)

    def test_a_few_counters_find_the_first(self) -> None:
        best = max(range(200), key=self.exact.__getitem__)
        self.assertEqual(walk_top(self.graph, 5_000, Random(3), 1, 50), [best])

    def test_pushing_conserves_mass_and_favours_the_seed(self) -> None:
        ranks, pushes = forward_push(self.graph, 199, epsilon=1e-9)
        self.assertGreater(pushes, 0)
        self.assertAlmostEqual(sum(ranks.values()), 1.0, places=4)
        self.assertGreater(ranks[199], 0.15)


class TestGraph(unittest.TestCase):
    def test_dangling_nodes_are_known(self) -> None:
        self.assertEqual(Graph(3, [(0, 1), (1, 2)]).dangling, [2])

    def test_graphviz(self) -> None:
        self.assertEqual(Graph(2, [(0, 1)]).to_dot(), "digraph {\n  0 -> 1;\n}")


if __name__ == "__main__":
    unittest.main()

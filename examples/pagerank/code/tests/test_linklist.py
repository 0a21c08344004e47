"""A crawl is read as it was written. The crawl itself is not ours to share: without it this test can't pass."""

import unittest
from pathlib import Path

from walkrank import read_link_list


class TestLinkList(unittest.TestCase):
    def test_the_crawl_has_all_its_pages(self) -> None:
        graph = read_link_list(Path("data/crawl.links"))
        self.assertEqual(graph.size, 4_039)
        self.assertEqual(len(graph.dangling), 128)


if __name__ == "__main__":
    unittest.main()

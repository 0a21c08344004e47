"""Crawls as link lists."""

from pathlib import Path

from walkrank.graph import Graph


def read_link_list(path: Path) -> Graph:
    """The graph of a link list: one line for each page that has links, the page first, then the pages it links to.

    Pages are numbered in the order in which they are first mentioned.
    """
    numbers: dict[str, int] = {}
    edges = []
    for line in path.read_text("utf-8").splitlines():
        page, *targets = line.split()
        source = numbers.setdefault(page, len(numbers))
        edges += [(source, numbers.setdefault(target, len(numbers))) for target in targets]
    return Graph(len(numbers), edges)

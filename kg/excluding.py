"""What must not be found for once: a paper with its repositories (an agent's target), and more."""

from dataclasses import dataclass

from kg.blacklist import Blacklist, Entry, blacklist_of
from kg.errors import InputError
from kg.lookup import find_node
from kg.results.show import ShownPaper
from kg.store import Store

__all__ = ["Excluded"]


@dataclass(frozen=True)
class Excluded:
    """Papers and repositories that must not be found, as they were typed."""

    papers: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()

    def from_(self, store: Store) -> Blacklist:
        """The blacklist of `store` with these, and with the papers' repositories, whose forks go with them.

        A paper that the graph does not hold may still be told by arXiv id or DOI. InputError for what is neither.
        """
        found = [*store.blacklist.entries]
        for paper in self.papers:
            found += _entries(store, paper)
        found += blacklist_of(self.repositories, "--exclude-repository").entries
        return Blacklist(tuple(found))


def _entries(store: Store, paper: str) -> tuple[Entry, ...]:
    try:
        node = find_node(store, "Paper", paper)
    except InputError as absent:
        try:
            return blacklist_of([paper], "--exclude-paper").entries
        except InputError:
            raise absent from None
    repositories = [one.id for row in store.rows(ShownPaper, id=node) for one in row.repositories]
    return blacklist_of([node, *repositories], "--exclude-paper").entries

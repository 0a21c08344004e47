"""What must not be found for once: a paper with its repositories (an agent's target), and more."""

import logging
from dataclasses import dataclass

from kg.blacklist import Blacklist, Entry, blacklist_of, repositories_named
from kg.errors import InputError
from kg.lookup import find_node
from kg.results.show import ShownPaper
from kg.store import Store

__all__ = ["Excluded"]

_log = logging.getLogger("xkg")


@dataclass(frozen=True)
class Excluded:
    """Papers and repositories that must not be found, as they were typed. InputError for an empty name."""

    papers: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not all(name.strip() for name in (*self.papers, *self.repositories)):
            raise InputError(
                "a paper or repository to exclude has an empty name", remedy="name it, or leave the option out"
            )

    def from_(self, store: Store) -> Blacklist:
        """The blacklist of `store` with these, and with the papers' repositories, whose forks go with them.

        A paper that the graph does not hold may still be told by arXiv id or DOI. InputError for what is neither; what
        nothing in the graph is meant by is said as a warning.
        """
        found = [*store.blacklist.entries]
        for paper in self.papers:
            found += _told(store, paper, "--exclude-paper", _entries(store, paper))
        for repository in self.repositories:
            name = "--exclude-repository"
            found += _told(store, repository, name, blacklist_of([repository], name).entries)
        return Blacklist(tuple(found))


def _entries(store: Store, paper: str) -> tuple[Entry, ...]:
    """Those of a paper, its repositories and those whose address its abstract names, also where the paper is called as
    others cite it."""
    try:
        nodes = [find_node(store, "Paper", paper)]
        told = blacklist_of(nodes, "--exclude-paper").entries
    except InputError as absent:
        try:
            told = blacklist_of([paper], "--exclude-paper").entries
        except InputError:
            raise absent from None
        prefixes = store.withheld_by(Blacklist(told)).prefixes
        nodes = [prefix.removesuffix("#") for prefix in prefixes if prefix.endswith("#")]
    shown = [row for node in nodes for row in store.rows(ShownPaper, id=node)]
    names = [name for row in shown for name in (row.id, *(one.id for one in row.repositories))]
    names += [name for row in shown for name in repositories_named(f"{row.abstract}\n{row.comment or ''}")]
    return (*told, *blacklist_of(names, "--exclude-paper").entries)


def _told(store: Store, name: str, option: str, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    if not store.withheld_by(Blacklist(entries)).prefixes:
        _log.warning("%s %s: nothing in this graph is called so", option, name)
    return entries

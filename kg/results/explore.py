"""Rows of the pages that explore a graph: a page of its papers, and what stands beside a node."""

from typing import Literal

from kg.results import Row

__all__ = ["Centre", "NeighbourRow", "PapersPage"]

Shown = Literal["Paper", "Technique", "Code", "Concept", "Repository"]
"""Labels that a neighbourhood shows."""


class Centre(Row):
    """A node with the verdict of code, "" for all else."""

    query = "explore/read_centre"
    id: str
    name: str
    label: Shown
    verdict: str


class NeighbourRow(Row):
    """A node beside another; `standing` is "asserted", "likely" or "candidate" where the one may be the other's code.

    An `outgoing` relation begins at the node that was asked about.
    """

    query = "explore/list_neighbours"
    id: str
    name: str
    label: Shown
    verdict: str
    relation: str
    standing: str
    outgoing: bool


class PapersPage(Row):
    """An ingested paper: `grounded` techniques have asserted code; `verified` are ids of such code said to be that."""

    query = "explore/page_papers"
    id: str
    title: str
    authors: list[str]
    year: int | None
    techniques: int
    grounded: int
    verified: list[str]

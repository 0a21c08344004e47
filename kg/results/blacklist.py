"""Rows of what a blacklist forbids in a graph."""

from typing import Literal

from kg.results import Row


class ForbiddenPrefix(Row):
    """How the ids of a forbidden paper (ends in "#"), repository ("@") or vendored folder ("/") or code ("#") begin."""

    query = "blacklist/find_forbidden"
    prefix: str


class CitedAlone(Row):
    """How the id of a work begins, and ends in "#", that only forbidden papers cite: it tells what they are about."""

    query = "blacklist/find_cited_alone"
    prefix: str


class ForbiddenCount(Row):
    """How many nodes of a kind are forbidden."""

    query = "blacklist/count_forbidden"
    kind: Literal["papers", "techniques", "sections", "code"]
    count: int

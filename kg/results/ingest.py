"""Rows of ingesting."""

from kg.results.row import Row

__all__ = ["IngestedPaper"]


class IngestedPaper(Row):
    """An ingested paper.

    `fingerprint` is that of the sources and the program that made it, "" if none was kept; `partial` says that not all
    of it could be had.
    """

    query = "ingest/list_fingerprints"
    id: str
    fingerprint: str
    partial: bool

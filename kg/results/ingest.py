"""Rows of ingesting."""

from kg.results.row import Row

__all__ = ["Fingerprint"]


class Fingerprint(Row):
    """An ingested paper and the fingerprint of the sources and the program that made it; "" if none was kept."""

    query = "ingest/list_fingerprints"
    id: str
    fingerprint: str

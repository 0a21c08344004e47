"""Rows of runs of agents."""

from kg.results import Row

__all__ = ["PutRun"]


class PutRun(Row):
    """A run that is in the graph now, tied to so many of the nodes that it was shown."""

    query = "run/put_run"
    id: str
    used: int

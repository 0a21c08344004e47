"""Runs of agents in the graph: Run nodes, tied to the paper that they replicate and to what they were shown."""

from collections.abc import Mapping
from typing import Any

from kg.results.run import PutRun
from kg.store import Store
from kg.write.slice import Node

__all__ = ["write_agent_run"]


def write_agent_run(store: Store, run: str, paper: str, properties: Mapping[str, Any], used: Mapping[str, int]) -> int:
    """Put the run with the id `run` into the graph, or bring it up to date; `used` says how often each node was shown.

    Returns to how many of them it is tied: those that are gone are left out, and so is the run if its paper is gone.
    """
    node = Node("Run", run, {**properties, "paper": paper})
    rows = [{"id": one, "times": times} for one, times in used.items()]
    put = {**node.properties, "content_hash": node.content_hash}
    return store.transact(
        lambda tx: sum(row.used for row in tx.rows(PutRun, id=run, properties=put, paper=paper, used=rows))
    )

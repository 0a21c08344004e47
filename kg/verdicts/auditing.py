"""What a graph calls verified, looked at anew by the rule of kg.verdicts.grounds, and whether its logs are there."""

from collections.abc import Iterator
from dataclasses import replace

from kg.results.verdict import StrangeVerdict, VerifiedCode, VerifiedEdge
from kg.store import Store, Transaction
from kg.verdicts.grounds import Claim, Doubt, doubt, doubt_of_edge, no_verdict
from kg.verdicts.logs import LogStore
from kg.verdicts.seals import open_seals

__all__ = ["claim", "lost_logs", "lost_notes", "unfounded"]


def unfounded(
    store: Store | Transaction, logs: LogStore | None, least_killed: float
) -> Iterator[tuple[str, str, Doubt]]:
    """(label, id, doubt) of what says "verified", or another word that is no verdict, without being so.

    Without `logs` there is no key beside them: then it is only asked whether claims are sound in themselves.
    """
    seals = open_seals(store, logs.folder) if logs else None
    for row in store.rows(VerifiedCode, ids=None):
        if found := doubt(claim(row), seals, least_killed):
            yield "Code", row.id, found
    for edge in store.rows(VerifiedEdge):
        if found := doubt_of_edge(edge.id, edge.execution, edge.properties, seals):
            yield "Code", edge.id, Doubt(ground=found.ground, why="one of its executions is said to have shown it")
    for strange in store.rows(StrangeVerdict):
        misplaced = Doubt(ground="no verdict", why="only code has a verdict")
        yield strange.label, strange.id, (strange.label == "Code" and no_verdict(strange.verdict)) or misplaced


def lost_notes(store: Store | Transaction, logs: LogStore) -> Iterator[tuple[str, str]]:
    """The file of what this home has taken back, and what is amiss with it, if anything is."""
    seals = open_seals(store, logs.folder)
    if lost := seals.lost_notes:
        yield str(seals.notes), lost


def claim(row: VerifiedCode) -> Claim:
    """A row of the graph as a claim."""
    runs = tuple((run["edge"], run["execution"]) for run in row.runs)
    return replace(Claim.of(row.properties), runs=runs, repositories=tuple(row.repositories))


def lost_logs(store: Store | Transaction, logs: LogStore) -> Iterator[tuple[str, str]]:
    """Ids of verified code whose log is missing or damaged on this machine."""
    for row in store.rows(VerifiedCode, ids=None):
        for run in row.runs[:1]:
            if not logs.has(log := str(run["execution"].get("log"))):
                yield row.id, f"the log {log} of its execution is missing or damaged here"

"""What is in the graph, and what is wrong with it."""

from collections import defaultdict
from itertools import islice
from typing import get_args

from kg.models.paper import Model
from kg.results.graph import Count, Finding, IndexInfo
from kg.store import Store, Transaction
from kg.verdicts import LogStore
from kg.verdicts.auditing import lost_logs, lost_notes, unfounded

__all__ = ["Stats", "audit_graph", "graph_stats"]


class Stats(Model):
    """Numbers of the graph. `grounding` counts techniques with asserted code, without it but with likely code, with
    candidates only, and with none; `verified` counts verified code by the kind of its test.
    """

    nodes: dict[str, int]
    edges: dict[str, int]
    papers: dict[str, int]
    grounding: dict[str, int]
    verdicts: dict[str, int]
    verified: dict[str, int]
    embedding_model: str | None
    dimension: int | None


def graph_stats(store: Store) -> Stats:
    """Counts by label, relationship type, status and verdict, of one moment."""

    def count(tx: Transaction) -> Stats:
        model = next(iter(tx.rows(IndexInfo)), None)
        tables: dict[str, dict[str, int]] = defaultdict(dict)
        for row in tx.rows(Count):
            tables[row.table][row.name] = row.count
        return Stats(
            **{table: tables[table] for table in get_args(Count.model_fields["table"].annotation)},
            embedding_model=model.model_id if model else None,
            dimension=model.dimension if model else None,
        )

    return store.observe(count)


def audit_graph(
    store: Store, limit: int = 100, logs: LogStore | None = None, *, least_killed: float = 0.5
) -> tuple[Finding, ...]:
    """Run every check; at most `limit` findings of each, errors first.

    With `logs` their presence is checked too, and that each verdict was sealed in the home they are of. `least_killed`
    is the share of mutants that a verdict's test must have killed.
    """

    store.demand_whole("an audit")

    def check(tx: Transaction) -> list[Finding]:
        found = tx.rows(Finding, limit=limit)
        for label, node, doubt in islice(unfounded(tx, logs, least_killed), limit):
            detail = f"is called verified, but {doubt.why}"
            found.append(Finding(check="unfounded verdicts", severity="error", label=label, id=node, detail=detail))
        for file, fault in lost_notes(tx, logs) if logs else ():
            found.append(Finding(check="lost notes", severity="error", label="file", id=file, detail=fault))
        for code, fault in islice(lost_logs(tx, logs), limit) if logs else ():
            found.append(Finding(check="missing logs", severity="warning", label="Code", id=code, detail=fault))
        return found

    return tuple(sorted(store.observe(check), key=lambda finding: finding.severity != "error"))

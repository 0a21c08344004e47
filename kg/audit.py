"""What is in the graph, and what is wrong with it."""

from typing import Literal

from kg.models.paper import Model
from kg.results import EdgeCount, Finding, GroundingCount, IndexInfo, NodeCount, PaperCount, VerdictCount
from kg.store import Store, Transaction

__all__ = ["AuditFinding", "Stats", "audit_graph", "graph_stats"]

Severity = Literal["error", "warning"]

CHECKS: dict[str, tuple[str, Severity]] = {
    "orphans": ("graph/find_orphans", "error"),
    "code without repository": ("graph/find_homeless_code", "error"),
    "dangling spans": ("graph/find_bad_spans", "error"),
    "mixed embedding models": ("graph/find_mixed_models", "error"),
    "implementations without score": ("graph/find_unscored", "error"),
    "facts without source": ("graph/find_unsourced", "error"),
    "missing licences": ("graph/find_unlicensed", "warning"),
}
"""Checks by name: the query that finds offenders, and how bad they are."""


class Stats(Model):
    """Numbers of the graph. `grounding` counts techniques with asserted code, with candidates only, and with none."""

    nodes: dict[str, int]
    edges: dict[str, int]
    papers: dict[str, int]
    grounding: dict[str, int]
    verdicts: dict[str, int]
    embedding_model: str | None
    dimension: int | None


class AuditFinding(Model):
    """Something that should not be: which check found it, on which node, and what it is."""

    check: str
    severity: Severity
    label: str
    id: str
    detail: str


def graph_stats(store: Store) -> Stats:
    """Counts by label, relationship type, status and verdict, of one moment."""

    def count(tx: Transaction) -> Stats:
        model = next(iter(tx.rows(IndexInfo)), None)
        grounding = tx.rows(GroundingCount)[0]
        return Stats(
            nodes={row.label: row.count for row in tx.rows(NodeCount)},
            edges={row.type: row.count for row in tx.rows(EdgeCount)},
            papers={row.status or "unknown": row.count for row in tx.rows(PaperCount)},
            grounding=grounding.model_dump(),
            verdicts={row.verdict: row.count for row in tx.rows(VerdictCount)},
            embedding_model=model.model_id if model else None,
            dimension=model.dimension if model else None,
        )

    return store.observe(count)


def audit_graph(store: Store, limit: int = 100) -> tuple[AuditFinding, ...]:
    """Run every check; at most `limit` findings of each, errors first."""

    def check(tx: Transaction) -> list[AuditFinding]:
        found = []
        for name, (query, severity) in CHECKS.items():
            for row in tx.run(query, limit=limit):
                finding = Finding.model_validate(row)
                found.append(AuditFinding(check=name, severity=severity, **finding.model_dump()))
        return found

    return tuple(sorted(store.observe(check), key=lambda f: (f.severity != "error", list(CHECKS).index(f.check))))

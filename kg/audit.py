"""What is in the graph, and what is wrong with it."""

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Literal

from kg.models.paper import Model
from kg.results.graph import (
    BadSpan,
    EdgeCount,
    Finding,
    GroundingCount,
    HomelessCode,
    IndexInfo,
    MixedModel,
    NodeCount,
    Orphan,
    PaperCount,
    Unfounded,
    Unlicensed,
    Unscored,
    Unsourced,
    VerdictCount,
)
from kg.store import Store, Transaction
from kg.verdicts import LogStore
from kg.verdicts.auditing import altered, lost_logs

__all__ = ["AuditFinding", "Stats", "audit_graph", "graph_stats"]

Severity = Literal["error", "warning"]

CHECKS: dict[str, tuple[type[Finding], Severity]] = {
    "orphans": (Orphan, "error"),
    "code without repository": (HomelessCode, "error"),
    "dangling spans": (BadSpan, "error"),
    "mixed embedding models": (MixedModel, "error"),
    "implementations without score": (Unscored, "error"),
    "facts without source": (Unsourced, "error"),
    "verdicts without execution": (Unfounded, "error"),
    "missing licences": (Unlicensed, "warning"),
}
"""Checks by name: the rows of offenders, and how bad they are."""


class Stats(Model):
    """Numbers of the graph. `grounding` counts techniques with asserted code, with candidates only, and with none;
    `verified` counts verified code by the kind of its test.
    """

    nodes: dict[str, int]
    edges: dict[str, int]
    papers: dict[str, int]
    grounding: dict[str, int]
    verdicts: dict[str, int]
    verified: dict[str, int]
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
        counted, verdicts = tx.rows(VerdictCount), Counter[str]()
        for row in counted:
            verdicts[row.verdict] += row.count
        return Stats(
            nodes={row.label: row.count for row in tx.rows(NodeCount)},
            edges={row.type: row.count for row in tx.rows(EdgeCount)},
            papers={row.status or "unknown": row.count for row in tx.rows(PaperCount)},
            grounding=grounding.model_dump(),
            verdicts=dict(sorted(verdicts.items())),
            verified=dict(sorted((row.kind or "unknown", row.count) for row in counted if row.verdict == "verified")),
            embedding_model=model.model_id if model else None,
            dimension=model.dimension if model else None,
        )

    return store.observe(count)


def audit_graph(store: Store, limit: int = 100, logs: LogStore | None = None) -> tuple[AuditFinding, ...]:
    """Run every check; at most `limit` findings of each, errors first. With `logs` their presence is checked too."""

    def check(tx: Transaction) -> list[AuditFinding]:
        found = []
        for name, (model, severity) in CHECKS.items():
            for finding in tx.rows(model, limit=limit):
                found.append(AuditFinding(check=name, severity=severity, **finding.model_dump()))
        found += _code("verified code that was altered", "error", islice(altered(tx), limit))
        found += _code("missing logs", "warning", islice(lost_logs(tx, logs), limit) if logs else ())
        return found

    return tuple(sorted(store.observe(check), key=lambda finding: finding.severity != "error"))


def _code(check: str, severity: Severity, findings: Iterable[tuple[str, str]]) -> list[AuditFinding]:
    return [AuditFinding(check=check, severity=severity, label="Code", id=id, detail=told) for id, told in findings]

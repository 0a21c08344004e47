"""Verdicts in the graph: judgements with the executions they rest on, and the logs of those beside it."""

from kg.verdicts.basis import as_basis, block_basis
from kg.verdicts.logs import LogStore, open_logs
from kg.verdicts.models import Evidence, StoredModule, sha256_of
from kg.verdicts.rules import passed
from kg.verdicts.writing import OutdatedJudgement, RefusedJudgement, write_judgement

__all__ = [
    "Evidence",
    "LogStore",
    "OutdatedJudgement",
    "RefusedJudgement",
    "StoredModule",
    "as_basis",
    "block_basis",
    "open_logs",
    "passed",
    "sha256_of",
    "write_judgement",
]

"""Verdicts in the graph: judgements with the executions they rest on, and the logs of those beside it."""

from kg.verdicts.logs import LogStore, open_logs

__all__ = ["LogStore", "open_logs"]

"""A corpus for a target paper: which papers to ingest, why, and what that will cost, before anything is spent."""

from ingest.corpus.estimate import Actual, Estimate, Estimator, spent_by
from ingest.corpus.models import Candidate, Check, CorpusPlan, Reference
from ingest.corpus.plan import Wanted, make_plan
from ingest.corpus.written import plan_toml

__all__ = [
    "Actual",
    "Candidate",
    "Check",
    "CorpusPlan",
    "Estimate",
    "Estimator",
    "Reference",
    "Wanted",
    "make_plan",
    "plan_toml",
    "spent_by",
]

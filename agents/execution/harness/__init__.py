"""The one harness that runs code inside the sandbox: imports, tests, scripts, and units for a person."""

from agents.execution.harness.harness import REPO, BatchRun, Harness, Job, JobResult, Workspace, run_unit

__all__ = ["REPO", "BatchRun", "Harness", "Job", "JobResult", "Workspace", "run_unit"]

"""The one harness that runs code inside the sandbox: imports, tests, scripts, and units for a person."""

from agents.execution.harness.harness import REPO, BatchRun, Harness, Job, JobResult, Workspace, run_unit
from agents.execution.harness.inputs import Inputs

__all__ = ["REPO", "BatchRun", "Harness", "Inputs", "Job", "JobResult", "Workspace", "run_unit"]

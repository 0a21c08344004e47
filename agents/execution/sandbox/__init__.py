"""Running code that nobody has vouched for: one protocol, backends that say what they really enforce."""

from agents.execution.sandbox.choose import open_sandbox
from agents.execution.sandbox.models import (
    Backend,
    LimitName,
    Limits,
    Output,
    Protection,
    Result,
    RunSpec,
    Sandbox,
    SandboxError,
)

__all__ = [
    "Backend",
    "LimitName",
    "Limits",
    "Output",
    "Protection",
    "Result",
    "RunSpec",
    "Sandbox",
    "SandboxError",
    "open_sandbox",
]

"""Python environments for code that nobody has vouched for: resolved and installed outside, mounted read-only."""

from agents.execution.environments.build import build_environment, mounts, variables
from agents.execution.environments.declared import ci_variables, read_declared
from agents.execution.environments.interpreters import interpreter
from agents.execution.environments.models import Environment, EnvironmentFailed, EnvironmentSpec
from agents.execution.environments.names import absence, distributions, is_known, is_standard
from agents.execution.environments.rescues import Rescue, rescues
from agents.execution.environments.strategies import STRATEGIES, strategies

__all__ = [
    "STRATEGIES",
    "Environment",
    "EnvironmentFailed",
    "EnvironmentSpec",
    "Rescue",
    "absence",
    "build_environment",
    "ci_variables",
    "distributions",
    "interpreter",
    "is_known",
    "is_standard",
    "mounts",
    "read_declared",
    "rescues",
    "strategies",
    "variables",
]

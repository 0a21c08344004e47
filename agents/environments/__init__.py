"""Python environments for code that nobody has vouched for: resolved and installed outside, mounted read-only."""

from agents.environments.build import build_environment, mounts, variables
from agents.environments.interpreters import find_interpreters, interpreter
from agents.environments.models import Environment, EnvironmentFailed, EnvironmentSpec, Interpreter, Mapped
from agents.environments.names import distributions, is_standard
from agents.environments.strategies import strategies

__all__ = [
    "Environment",
    "EnvironmentFailed",
    "EnvironmentSpec",
    "Interpreter",
    "Mapped",
    "build_environment",
    "distributions",
    "find_interpreters",
    "interpreter",
    "is_standard",
    "mounts",
    "strategies",
    "variables",
]

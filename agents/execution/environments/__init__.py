"""Python environments for code that nobody has vouched for: resolved and installed outside, mounted read-only."""

from agents.execution.environments.build import build_environment, mounts, variables
from agents.execution.environments.cache import kept_environments, prune_environments
from agents.execution.environments.dating import date_of
from agents.execution.environments.declared import Declared, read_declared
from agents.execution.environments.interpreters import find_interpreters, interpreter
from agents.execution.environments.models import Environment, EnvironmentFailed, EnvironmentSpec, Mapped
from agents.execution.environments.names import absence, distributions, is_known, is_standard
from agents.execution.environments.rescues import Rescue, rescues
from agents.execution.environments.strategies import STRATEGIES, strategies
from agents.execution.sandbox.interpreter import Interpreter

__all__ = [
    "STRATEGIES",
    "Declared",
    "Environment",
    "EnvironmentFailed",
    "EnvironmentSpec",
    "Interpreter",
    "Mapped",
    "Rescue",
    "absence",
    "build_environment",
    "date_of",
    "distributions",
    "find_interpreters",
    "interpreter",
    "is_known",
    "is_standard",
    "kept_environments",
    "mounts",
    "prune_environments",
    "read_declared",
    "rescues",
    "strategies",
    "variables",
]

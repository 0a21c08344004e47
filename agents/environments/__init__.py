"""Python environments for code that nobody has vouched for: resolved and installed outside, mounted read-only."""

from agents.environments.absence import absence
from agents.environments.build import build_environment, mounts, variables
from agents.environments.cache import kept_environments, prune_environments
from agents.environments.dating import date_of
from agents.environments.declared import Declared, read_declared
from agents.environments.interpreters import find_interpreters, interpreter
from agents.environments.models import Environment, EnvironmentFailed, EnvironmentSpec, Interpreter, Mapped
from agents.environments.names import distributions, is_standard
from agents.environments.rescues import Rescue, rescues
from agents.environments.strategies import STRATEGIES, strategies

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
    "is_standard",
    "kept_environments",
    "mounts",
    "prune_environments",
    "read_declared",
    "rescues",
    "strategies",
    "variables",
]

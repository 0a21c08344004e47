"""How code is judged: mutants that a test must tell from the code, and what kind of failure a failure is."""

from agents.code.mutants.classify import Failure, Raised, classify, raised_from, unplaced
from agents.code.mutants.exchanges import exchanges
from agents.code.mutants.mutants import Mutant, is_stub, mutants
from agents.code.mutants.neutral import WRAPPERS, neutral, wrapped
from agents.code.mutants.opposites import opposites
from agents.code.mutants.parameters import needed_parameters
from agents.code.mutants.restating import restated

__all__ = [
    "WRAPPERS",
    "Failure",
    "Mutant",
    "Raised",
    "classify",
    "exchanges",
    "is_stub",
    "mutants",
    "needed_parameters",
    "neutral",
    "opposites",
    "raised_from",
    "restated",
    "unplaced",
    "wrapped",
]

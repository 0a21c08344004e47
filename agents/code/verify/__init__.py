"""From code units to verdicts: tests that can fail, found or built, run in the sandbox, and weighed by mutants."""

from agents.code.verify.record import Judged
from agents.code.verify.verifier import Supplement, Verifier

__all__ = ["Judged", "Supplement", "Verifier"]
